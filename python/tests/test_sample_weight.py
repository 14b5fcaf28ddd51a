"""Weights of items: twice the weight is the item twice, no weight is no item."""

from __future__ import annotations

import numpy as np
import pytest

import gdkm


@pytest.fixture(scope="module")
def graph():
    return gdkm.generate("csbm", n=150, classes=3, signal=4, seed=2)


MODELS = [
    gdkm.GraphDKMClassifier(inducing=10, epochs=6, threads=1, validation_fraction=0),
    gdkm.GraphDKMClassifier(inducing=10, epochs=6, threads=1, inference="paper"),
    gdkm.GraphDKMRegressor(inducing=10, epochs=6, threads=1, validation_fraction=0),
    gdkm.GCNClassifier(epochs=6, threads=1, validation_fraction=0),
]


def fitted(model, graph, items, y, **more):
    from sklearn.base import clone

    labels = y.astype(float) if model._regression else y
    return clone(model).set_params(graph=graph).fit(items, labels[items], **more)._values(None)


@pytest.mark.filterwarnings("ignore::gdkm.GdkmWarning")
@pytest.mark.parametrize("model", MODELS, ids=["natural", "paper", "regression", "gcn"])
def test_weights_mean_repetition(model, graph):
    y = np.asarray(graph._data.label)
    items = np.arange(60)
    weight = np.ones(60)
    weight[:20] = 2
    twice = fitted(model, graph, np.concatenate([items, items[:20]]), y)
    assert np.array_equal(fitted(model, graph, items, y, sample_weight=weight), twice)
    plain = fitted(model, graph, items, y)
    assert not np.array_equal(plain, twice)
    assert np.array_equal(fitted(model, graph, items, y, sample_weight=np.ones(60)), plain)
    weight[:20] = 0
    assert np.array_equal(fitted(model, graph, items, y, sample_weight=weight), fitted(model, graph, items[20:], y))


def with_copies():
    """Sixty nodes and copies of the first ten, on one graph: training on a copy is training on its node again."""
    rng = np.random.RandomState(0)
    y = np.arange(60) % 2
    x = rng.randn(60, 6).astype(np.float32) + y[:, None]
    order = np.concatenate([np.arange(60), np.arange(10)])
    graph = gdkm.Graph(x[order], np.zeros((2, 0), int), y[order])
    return graph, np.concatenate([np.full(10, 2.0), np.ones(60)])


EXACT = dict(threads=1, precision="float64", validation_fraction=0, normalise="none")


@pytest.mark.filterwarnings("ignore::gdkm.GdkmWarning")
@pytest.mark.parametrize("model, tolerance", [
    (gdkm.GraphDKMRegressor(inducing=8, epochs=5, fixed_scale=True, **EXACT), 1e-4),
    (gdkm.GraphDKMRegressor(inducing=8, epochs=5, inference="paper", **EXACT), 1e-4),
    (gdkm.GCNClassifier(width=8, epochs=5, dropout=0.0, **EXACT), 1e-4),
    # Draws belong to positions, which differ: many of them agree nearly.
    (gdkm.GraphDKMClassifier(inducing=8, epochs=5, fixed_scale=True, samples=500, **EXACT), 0.02),
], ids=["natural regression", "paper regression", "gcn", "natural"])
def test_a_weight_of_two_is_training_on_a_copy(model, tolerance):
    graph, weight = with_copies()
    y = np.asarray(graph._data.label).astype(float) if model._regression else None
    weighted = model.fit(graph, y, train=np.arange(60), sample_weight=weight)._values(None)
    repeated = model.fit(graph, y, train=np.arange(70))._values(None)
    plain = model.fit(graph, y, train=np.arange(60))._values(None)
    assert np.abs(weighted - repeated).max() < tolerance
    assert np.abs(plain - repeated).max() > 2 * tolerance


@pytest.mark.filterwarnings("ignore::gdkm.GdkmWarning")
def test_the_objective_is_linear_in_weights():
    """At the start of the paper's inference nothing but the log-likelihoods of items depends on weights."""
    graph, _ = with_copies()
    model = gdkm.GraphDKMClassifier(inducing=8, epochs=1, inference="paper", **EXACT)

    def loss(first, last):  # ascending weights leave items in their order, and so their draws
        weight = np.concatenate([np.full(30, first), np.full(30, last), np.ones(10)])
        return 60 * model.fit(graph, train=np.arange(60), sample_weight=weight).history_["loss"][0]

    of_last = loss(1, 2) - loss(1, 1)
    of_first = 2 * (loss(1, 1) - loss(0.5, 1))
    assert of_first > 1 and of_last > 1
    assert loss(1, 3) - loss(1, 2) == pytest.approx(of_last, rel=1e-9)
    assert loss(2, 2) - loss(1, 1) == pytest.approx(of_first + of_last, rel=1e-9)


def test_weights_that_make_no_sense_are_refused(graph):
    y = np.asarray(graph._data.label)
    model = gdkm.GraphDKMClassifier(graph=graph, inducing=10, epochs=2, threads=1)
    for weight in ([1, 2], -np.ones(60), np.full(60, np.nan), np.ones((60, 2))):
        with pytest.raises(ValueError, match="sample_weight"):
            model.fit(np.arange(60), y[:60], sample_weight=weight)
    with pytest.raises(gdkm.InputError, match="no item to train on"):
        model.fit(np.arange(60), y[:60], sample_weight=np.zeros(60))
    with pytest.raises(gdkm.InputError, match="without exact"):
        gdkm.GraphNNGPClassifier(graph=graph, exact=True).fit(np.arange(60), y[:60], sample_weight=np.arange(60.0))
