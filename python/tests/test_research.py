"""Exact kernels, closed forms and the objective, against plain NumPy and finite differences."""

import numpy as np
import pytest

import gdkm


@pytest.fixture(scope="module")
def graph():
    return gdkm.generate("csbm", n=60, classes=3, features=5, signal=6, homophily=0.3)


def normalised_adjacency(graph):
    n = graph.n_nodes
    a = np.zeros((n, n))
    u, v = np.asarray(graph._data.edges).T
    a[u, v] = a[v, u] = 1
    np.fill_diagonal(a, 1)
    d = a.sum(1) ** -0.5
    return d[:, None] * a * d


def unit_rows(graph):
    x = np.asarray(graph._data.features, dtype=np.float64)
    return x / np.linalg.norm(x, axis=1, keepdims=True)


def plain_arccos(g):
    s = np.sqrt(np.outer(np.diag(g), np.diag(g)))
    c = np.clip(g / s, -1, 1)
    t = np.arccos(c)
    return s / np.pi * (np.sin(t) + (np.pi - t) * c)


def test_arccos_is_the_plain_formula():
    x = np.random.default_rng(0).normal(size=(7, 3))
    y = np.random.default_rng(1).normal(size=(4, 3))
    both = plain_arccos(np.vstack([x, y]) @ np.vstack([x, y]).T)
    np.testing.assert_allclose(gdkm.kernels.arccos(x, y), both[:7, 7:], rtol=1e-12)
    np.testing.assert_allclose(gdkm.kernels.arccos(x), both[:7, :7], rtol=1e-7)


def test_rbf_has_its_length_scale():
    x = np.random.default_rng(0).normal(size=(5, 2))
    distance = ((x[:, None] - x[None]) ** 2).sum(-1)
    np.testing.assert_allclose(gdkm.kernels.rbf(x, x, length=0.7), np.exp(-distance / (2 * 0.49)), rtol=1e-10)


def test_kernels_refuse_what_is_no_matrix():
    with pytest.raises(gdkm.InputError, match="one row per point"):
        gdkm.kernels.arccos([1.0, 2.0])
    with pytest.raises(gdkm.InputError, match="square"):
        gdkm.kernels.of_gram(np.ones((2, 3)))


@pytest.mark.parametrize("layers", [1, 2, 3])
def test_exact_kernel_of_a_gcn_is_its_recursion(graph, layers):
    a, x = normalised_adjacency(graph), unit_rows(graph)
    expected = a @ (x @ x.T) @ a.T
    for _ in range(layers - 1):
        expected = a @ plain_arccos(expected) @ a.T
    np.testing.assert_allclose(gdkm.nngp_kernel(graph, layers=layers), expected, atol=1e-6)  # features are float32


def test_exact_kernel_of_relations_has_given_weights(graph):
    a, x = normalised_adjacency(graph), unit_rows(graph)
    gram = x @ x.T
    expected = 0.25 * gram + 0.75 * a @ gram @ a.T
    found = gdkm.nngp_kernel(graph, layers=1, relations="self,gcn", weights=[[0.25, 0.75]])
    np.testing.assert_allclose(found, expected, atol=1e-6)


def test_regression_is_the_closed_form(graph):
    k = gdkm.nngp_kernel(graph)
    train = np.arange(0, 60, 3)
    y = np.random.default_rng(0).normal(size=(20, 2))
    inverse = np.linalg.inv(k[np.ix_(train, train)] + 0.1 * np.eye(20))
    mean, variance = gdkm.gp_regression(k, y, train, noise=0.1)
    np.testing.assert_allclose(mean, k[:, train] @ inverse @ y, atol=1e-9)
    np.testing.assert_allclose(variance, np.diag(k - k[:, train] @ inverse @ k[train]), atol=1e-9)


def test_linear_closed_form_is_stationary(graph):
    rng = np.random.default_rng(0)
    n, lam = 60, 0.4  # so much of the identity keeps the mixing matrix invertible
    mixing = (1 - lam) * normalised_adjacency(graph) + lam * np.eye(n)
    make = lambda: (lambda f: f @ f.T / n + np.eye(n))(rng.normal(size=(n, n)))  # noqa: E731
    first, last = make(), make()
    (middle,), objective = gdkm.linear_closed_form(graph, first, last, layers=1, lambda_=lam)

    def kl(p, q):
        return 0.5 * (np.trace(np.linalg.solve(q, p)) - n - np.linalg.slogdet(p)[1] + np.linalg.slogdet(q)[1])

    def total(g):
        return kl(g, mixing @ first @ mixing.T) + kl(last, mixing @ g @ mixing.T)

    assert -objective == pytest.approx(total(middle), rel=1e-6)
    for _ in range(3):
        direction = rng.normal(size=(n, n))
        for step in (1e-3, -1e-3):
            moved = middle + step * (direction + direction.T) / n
            assert total(moved) > total(middle)


@pytest.mark.parametrize("model, options", [
    ("dkm", {"nu": 0.5, "inducing": 12, "jitter": 0}),  # jitter counts as a constant in gradients
    ("dkm", {"nu": 0.5, "inducing": 12, "jitter": 0, "arch": "platonov"}),
    ("nngp", {"inducing": 12, "jitter": 0, "relations": "self,und"}),
    ("gcn", {"width": 6, "dropout": 0.0}),
])
def test_gradient_of_the_objective_is_its_slope(graph, model, options):
    train = graph.splits["public"][0][0]
    objective = gdkm.Objective(graph, train, model=model, **options)
    start = objective.parameters()
    rng = np.random.default_rng(0)
    start = {name: value + 0.05 * rng.normal(size=value.shape) for name, value in start.items()}
    value, gradient = objective.value_and_grad(start)
    assert np.isfinite(value)
    directions = {name: rng.normal(size=each.shape) for name, each in start.items()}
    for name, direction in directions.items():
        if name.endswith((".L", "L_sigma")):
            direction = np.tril(direction)  # what is above the diagonal is no parameter
        step = 1e-5
        slope = (objective.value({**start, name: start[name] + step * direction})
                 - objective.value({**start, name: start[name] - step * direction})) / (2 * step)
        assert slope == pytest.approx((gradient[name] * direction).sum(), rel=1e-5, abs=1e-5), name


def test_objective_is_the_same_for_the_same_draw(graph):
    objective = gdkm.Objective(graph, graph.splits["public"][0][0], inducing=10)
    assert objective.value(draw=1) == objective.value(draw=1)
    assert objective.value(draw=1) != objective.value(draw=2)


def test_gradient_ascent_on_the_objective_learns(graph):
    train, _, test = graph.splits["public"][0]
    objective = gdkm.Objective(graph, train, inducing=15, nu=1.0)
    parameters = objective.parameters()
    first = objective.value()
    for _ in range(100):
        value, gradient = objective.value_and_grad(parameters)
        parameters = {name: each + 0.02 * np.sign(gradient[name]) for name, each in parameters.items()}
    assert value > first + 10
    right = objective.predict().argmax(1) == np.asarray(graph._data.label)
    assert right[train].mean() > 0.6  # chance is a third


def test_objective_refuses_exact_models_and_unknown_parameters(graph):
    with pytest.raises(gdkm.InputError, match="solved, not optimised"):
        gdkm.Objective(graph, [0, 1, 2], model="nngp", exact=True)
    objective = gdkm.Objective(graph, graph.splits["public"][0][0], inducing=5)
    with pytest.raises(gdkm.InputError, match="no parameter 'weights'"):
        objective.set({"weights": [1.0]})
    with pytest.raises(TypeError, match="no option 'depth'"):
        gdkm.Objective(graph, [0], depth=3)


@pytest.mark.parametrize("arch, layers", [("kipf", 3), ("platonov", 2), ("gin", 2)])
def test_gram_matrices_are_those_of_every_gram_layer(graph, arch, layers):
    train, val, _ = graph.split("60/20/20")
    model = gdkm.GraphDKMClassifier(inducing=8, epochs=2, arch=arch, layers=layers).fit(graph, train=train, val=val)
    grams = gdkm.gram_matrices(model)
    learned = [name for name in model.model_.tensors() if name.startswith("parameter.gram") and name.endswith(".L")]
    assert len(grams) == len(learned) > 1
    for gram in grams:
        assert np.allclose(gram, gram.T) and np.linalg.eigvalsh(gram).min() > -1e-5


@pytest.mark.parametrize("model, said", [(gdkm.GCNClassifier(epochs=2), "no inducing points"),
                                         (gdkm.GraphNNGPClassifier(exact=True), "no inducing points")])
def test_gram_matrices_of_models_without_inducing_points_are_refused(graph, model, said):
    train, val, _ = graph.split("60/20/20")
    with pytest.raises(gdkm.InputError, match=said):
        gdkm.gram_matrices(model.fit(graph, train=train, val=None if model.get_params().get("exact") else val))


def test_scores_of_numbers_keep_targets_in_double_precision():
    targets = 1e6 + np.arange(5) * 1e-3  # float32 tells none of these apart
    scores = gdkm.metrics.regression(targets, targets + 1e-4)
    assert scores["rmse"] == pytest.approx(1e-4, rel=1e-5)
    assert scores["r2"] == pytest.approx(1 - 5 * 1e-8 / np.square(targets - targets.mean()).sum(), rel=1e-6)
