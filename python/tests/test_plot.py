"""Pictures: what is on the axes, not what the pixels are."""

import builtins
import re
from pathlib import Path

import numpy as np
import pytest

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("agg")
import matplotlib.pyplot as plt  # noqa: E402

import gdkm  # noqa: E402
import gdkm.plot as gp  # noqa: E402
from gdkm.plot import _embedding, _style  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def graph():
    return gdkm.generate("csbm", n=240, classes=3, features=8, signal=2)


@pytest.fixture(scope="module")
def model(graph):
    train, val, _ = graph.splits["public"][0]
    return gdkm.GraphDKMClassifier(nu=1.0, inducing=20, epochs=12).fit(graph, train=train, val=val)


@pytest.fixture(autouse=True)
def close_figures():
    yield
    plt.close("all")


def labels_of(axis):
    return [text.get_text() for text in axis.get_ticklabels()]


# --- all of them ---


def test_colours_are_those_of_the_reports():
    source = (ROOT / "src/gdkm/experiments/drawing/colours.hpp").read_text()
    assert list(gp.SERIES) == re.findall(r'\{"c\d", "(#[0-9a-f]{6})"', source)
    ramp = re.search(r"ramp\{\{(.*?)\}\}\};", source, re.S).group(1)
    stops = [tuple(map(int, each.split(","))) for each in re.findall(r"\{?(\d+, \d+, \d+)", ramp)]
    assert list(gp.RAMP) == ["#%02x%02x%02x" % stop for stop in stops]


def test_no_two_of_sixteen_classes_look_the_same():
    assert len({(_style.colour(k), _style.marker(k)) for k in range(16)}) == 16


def test_without_matplotlib_the_error_says_how_to_install_it(monkeypatch):
    real = builtins.__import__

    def refuse(name, *arguments, **named):
        if name.startswith("matplotlib"):
            raise ImportError(name)
        return real(name, *arguments, **named)

    monkeypatch.setattr(builtins, "__import__", refuse)
    with pytest.raises(ImportError, match=r"pip install gdkm\[plot\]"):
        gp.learning_curve([1.0, 0.5])


def test_importing_the_package_does_not_import_matplotlib():
    import subprocess
    import sys

    code = "import sys, gdkm.plot; sys.exit('matplotlib' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


@pytest.mark.parametrize("draw", ["learning_curve", "reliability_diagram", "confusion_matrix", "kernel_heatmap", "embedding_scatter"])
def test_axes_that_are_given_are_drawn_on_and_returned(model, draw):
    _, ax = plt.subplots()
    assert getattr(gp, draw)(model, ax=ax) is ax
    assert ax.has_data()
    assert len(plt.get_fignums()) == 1


@pytest.mark.parametrize("draw", ["learning_curve", "reliability_diagram", "confusion_matrix", "kernel_heatmap", "embedding_scatter"])
def test_a_model_that_is_not_fitted_is_refused(draw):
    from sklearn.exceptions import NotFittedError

    with pytest.raises(NotFittedError):
        getattr(gp, draw)(gdkm.GraphDKMClassifier())


# --- learning curve ---


def test_learning_curve_has_a_point_for_every_epoch(model):
    ax = gp.learning_curve(model)
    np.testing.assert_array_equal(ax.lines[0].get_ydata(), model.history_["loss"])
    assert ax.lines[0].get_xdata()[0] == 1
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("epoch", "loss")


def test_learning_curve_marks_the_epoch_that_was_kept(model):
    kept = model.card_["run"]["best_epoch"]
    texts = [text.get_text() for text in gp.learning_curve(model).texts]
    assert (f"kept: epoch {kept}" if kept else "kept: the start") in texts


def test_learning_curve_shows_the_validation_loss_where_it_was_measured(model):
    ax = gp.learning_curve(model)
    np.testing.assert_array_equal(ax.lines[1].get_xdata(), model.history_["val_epoch"])
    np.testing.assert_array_equal(ax.lines[1].get_ydata(), model.history_["val_loss"])
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["training", "validation"]


def test_second_curve_on_the_same_axes_has_another_colour():
    ax = gp.learning_curve([3.0, 2.0], label="a")
    gp.learning_curve([3.0, 1.0], label="b", ax=ax)
    assert [line.get_color() for line in ax.lines] == list(gp.SERIES[:2])
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["a", "b"]


def test_a_few_huge_losses_do_not_flatten_the_curve():
    losses = np.linspace(1, 0.5, 50)
    losses[[20, 21]] = 1e4, np.nan
    ax = gp.learning_curve(losses)
    assert ax.get_ylim()[1] < 5
    assert ax.texts[0].get_text().startswith("2 epochs above")


def test_learning_curve_of_an_ordinary_loss_shows_all_of_it():
    ax = gp.learning_curve(np.exp(-np.linspace(0, 3, 40)))
    assert ax.get_ylim()[1] >= 1 and not ax.texts


def test_exact_models_have_no_learning_curve():
    with pytest.raises(ValueError, match="train without epochs"):
        gp.learning_curve([])


# --- reliability ---


def test_reliability_is_that_of_the_metrics(graph, model):
    test = graph.splits["public"][0][2]
    ax = gp.reliability_diagram(model, items=test)
    scores = gdkm.metrics.classification(graph.labels[test], model.predict_proba()[test])
    assert ax.get_title() == f"ECE {scores['ece']:.3f} on {len(test)} items"
    bins = np.asarray(scores["reliability"])
    np.testing.assert_allclose(ax.collections[-1].get_offsets(), np.c_[bins[:, 2] / bins[:, 1], bins[:, 3] / bins[:, 1]])
    assert ax.get_xlim() == ax.get_ylim() == (0, 1)


def test_reliability_leaves_out_what_training_used(graph, model):
    train, val, test = graph.splits["public"][0]
    title = gp.reliability_diagram(model).get_title()
    assert title.endswith(f"on {graph.n_items - len(train) - len(val)} items")


def test_probabilities_need_the_true_classes():
    with pytest.raises(ValueError, match="needs y"):
        gp.reliability_diagram([[0.5, 0.5]])
    with pytest.raises(ValueError, match="name them with classes="):
        gp.reliability_diagram([[0.5, 0.5]], ["a"])
    ax = gp.reliability_diagram([[0.5, 0.5]], ["a"], classes=["a", "b"])
    assert ax.get_title() == "ECE 0.500 on 1 items"


# --- confusion ---


def test_confusion_matrix_counts_items(graph, model):
    test = graph.splits["public"][0][2]
    ax = gp.confusion_matrix(model, items=test)
    expected = gdkm.metrics.classification(graph.labels[test], model.predict_proba()[test])["confusion_matrix"]
    assert [int(text.get_text()) for text in ax.texts] == np.ravel(expected).tolist()
    assert labels_of(ax.yaxis) == [str(each) for each in graph.classes]
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("predicted class", "true class")


def test_confusion_matrix_of_arrays_takes_the_order_of_classes():
    ax = gp.confusion_matrix(["low", "high", "high"], ["low", "low", "high"], classes=["low", "mid", "high"])
    assert labels_of(ax.xaxis) == ["low", "mid", "high"]
    assert [text.get_text() for text in ax.texts] == ["1", "0", "0", "0", "0", "0", "1", "0", "1"]
    with pytest.raises(ValueError, match="'high', which is none of"):
        gp.confusion_matrix(["high"], ["low"], classes=["low"])


def test_items_may_be_a_mask_and_must_exist(graph, model):
    mask = np.zeros(graph.n_items, bool)
    mask[:10] = True
    assert sum(int(text.get_text()) for text in gp.confusion_matrix(model, items=mask).texts) == 10
    with pytest.raises(ValueError, match="numbers go from 0 to 239"):
        gp.confusion_matrix(model, items=[240])
    with pytest.raises(ValueError, match="a mask needs 240 values"):
        gp.confusion_matrix(model, items=mask[:-1])


# --- kernel ---


def test_kernel_heatmap_is_sorted_by_class(graph, model):
    ax = gp.kernel_heatmap(model, most=60)
    image = ax.images[0].get_array()
    assert image.shape == (60, 60)
    np.testing.assert_allclose(np.diag(image), 1, rtol=1e-5)
    assert labels_of(ax.xaxis) == [str(each) for each in graph.classes]
    assert len(ax.lines) == 2 * (len(graph.classes) - 1)


def test_kernel_heatmap_of_an_array_reorders_rows_and_columns():
    y = np.asarray(["b", "a", "b", "a"])
    kernel = np.where(y[:, None] == y[None, :], 1.0, 0.2)
    image = gp.kernel_heatmap(kernel, y).images[0].get_array()
    np.testing.assert_array_equal(image, np.kron(np.eye(2), np.full((2, 2), 0.8)) + 0.2)


def test_colours_of_a_kernel_with_signs_are_symmetric_about_0():
    assert gp.kernel_heatmap([[1, -0.5], [-0.5, 1]]).images[0].get_clim() == (-0.5, 0.5)
    low, high = gp.kernel_heatmap([[1.0, 0.7, 0.8], [0.7, 1, 0.9], [0.8, 0.9, 1]]).images[0].get_clim()
    assert 0.69 < low < high < 0.91


# --- embedding ---


def test_embedding_has_every_item_once(graph, model):
    ax = gp.embedding_scatter(model)
    assert sum(len(each.get_offsets()) for each in ax.collections) == graph.n_items
    assert [text.get_text() for text in ax.get_legend().get_texts()] == [str(each) for each in graph.classes]
    assert re.fullmatch(r"component 2 \(\d+ % of the variance\)", ax.get_ylabel())


def test_principal_components_are_those_of_scikit_learn():
    from sklearn.decomposition import PCA

    x = np.random.default_rng(0).normal(size=(50, 6)) * np.arange(1, 7)
    points, shares = _embedding.principal_components(x)
    pca = PCA(2).fit(x)
    np.testing.assert_allclose(np.abs(points), np.abs(pca.transform(x)), rtol=1e-8)
    np.testing.assert_allclose(shares, pca.explained_variance_ratio_, rtol=1e-8)


def test_items_without_a_class_are_drawn_as_unknown():
    features = np.random.default_rng(0).normal(size=(6, 3))
    ax = gp.embedding_scatter(features)
    assert len(ax.collections) == 1 and ax.get_legend() is None


def test_features_of_width_one_are_drawn_on_a_line():
    ax = gp.embedding_scatter([[1.0], [2.0], [4.0]], ["a", "a", "b"])
    assert ax.get_ylabel() == "component 2 (0 % of the variance)"


# --- nu ---


def test_nu_curve_has_places_for_zero_and_infinity():
    ax = gp.nu_curve({"nu": [0, 0.1, 1, np.inf], "score": [0.5, 0.6, 0.7, 0.4]})
    assert labels_of(ax.xaxis) == ["0", "0.1", "1", "∞"]
    np.testing.assert_allclose(ax.lines[0].get_xdata(), [-2, -1, 0, 1])


def test_nu_curve_is_the_mean_over_repeats_with_a_band():
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame({"nu": [1, 1, 10, 10], "score": [0.4, 0.6, 0.7, 0.9], "homophily": 0.2})
    ax = gp.nu_curve(table, by="homophily", reference={"GCN": 0.55})
    np.testing.assert_allclose(ax.lines[0].get_ydata(), [0.5, 0.8])
    assert len(ax.collections) == 1
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["homophily 0.2", "GCN"]


def test_nu_curve_of_models_is_their_validation_accuracy(graph, model):
    ax = gp.nu_curve([model])
    np.testing.assert_allclose(ax.lines[0].get_ydata(), model.card_["run"]["val"]["accuracy"] / 100)
    assert ax.get_ylabel() == "validation accuracy"


def test_nu_curve_takes_the_results_of_a_search():
    results = {"param_nu": np.ma.array([0.1, 1.0]), "mean_test_score": np.array([0.5, 0.6]),
               "std_test_score": np.array([0.1, 0.0])}
    ax = gp.nu_curve(results)
    np.testing.assert_allclose(ax.lines[0].get_ydata(), [0.5, 0.6])
    assert len(ax.collections) == 1


def test_nu_curve_does_not_blow_up_small_differences():
    low, high = gp.nu_curve({"nu": [1, 10], "score": [0.800, 0.801]}).get_ylim()
    assert high - low == pytest.approx(0.05)


def test_pictures_of_classes_refuse_a_regressor(graph):
    model = gdkm.GraphDKMRegressor(inducing=10, epochs=3).fit(graph, graph.labels + 0.5)
    for draw in (gp.reliability_diagram, gp.confusion_matrix):
        with pytest.raises(TypeError, match="GraphDKMRegressor predicts numbers"):
            draw(model)


def test_nu_curve_names_the_columns_that_are_there():
    with pytest.raises(ValueError, match="no column 'score'; there are nu, accuracy"):
        gp.nu_curve({"nu": [1], "accuracy": [0.5]})
    with pytest.raises(ValueError, match="numbers >= 0"):
        gp.nu_curve({"nu": [-1], "score": [0.5]})
    with pytest.raises(ValueError, match="empty"):
        gp.nu_curve([])
