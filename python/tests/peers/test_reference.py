"""gdkm beside what other programs computed (README.md). GDKM_PEERS names another folder to take their values from."""
import os
import pathlib

import numpy as np
import pytest

import gdkm
from gdkm import kernels, metrics

FOLDER = pathlib.Path(os.environ.get("GDKM_PEERS") or pathlib.Path(__file__).parent / "data")


def values(peer):
    with np.load(FOLDER / f"{peer}.npz") as file:
        return dict(file)


def graph(case, prefix="", **options):
    edges, x = case[prefix + "edges"], case[prefix + "x"]
    return gdkm.Graph(x, edges.T, y=np.arange(len(x)) % 3, **options)


@pytest.mark.parametrize("layers", (1, 2, 3))
@pytest.mark.parametrize("name", ("gcn", "self_and_neighbours", "directed"))
def test_kernels_of_wide_networks_are_those_of_neural_tangents(name, layers):
    case = values("neural-tangents")
    kernel = gdkm.nngp_kernel(graph(case, name + "_", directed=name == "directed"), layers=layers,
                              relations=str(case[name + "_relations"]), normalise="none")
    expected = case[f"{name}_K_{layers}"]
    np.testing.assert_allclose(kernel, expected, rtol=0, atol=1e-12 * np.abs(expected).max())


def test_gcn_outputs_are_those_of_pytorch_geometric():
    case = values("pyg")
    objective = gdkm.Objective(graph(case), np.arange(10), model="gcn", width=case["W1"].shape[1], dropout=0.0,
                               normalise="none")
    objective.set({"layer1.W": case["W1"], "layer1.b": case["b1"], "output.W": case["W2"], "output.b": case["b2"]})
    exponential = np.exp(case["logits"] - case["logits"].max(1, keepdims=True))
    np.testing.assert_allclose(objective.predict(), exponential / exponential.sum(1, keepdims=True), rtol=0, atol=1e-13)


@pytest.mark.parametrize("peer", ("gpytorch", "scikit-learn"))
@pytest.mark.parametrize("name", ("rbf", "graph"))
def test_gaussian_process_regression_is_that_of_gpytorch_and_scikit_learn(peer, name):
    case = values(peer)
    if name == "rbf":
        kernel = kernels.rbf(case["regression_x"], length=float(case["regression_length"]))
    else:
        kernel = gdkm.nngp_kernel(graph(case, "regression_"), layers=2, normalise="none")
    train, test = case["regression_train"], case["regression_test"]
    posterior = gdkm.gp_regression(kernel, case["regression_y"][train], train, noise=float(case["regression_noise"]))
    np.testing.assert_allclose(posterior.mean[test, 0], case["mean_" + name], rtol=0, atol=1e-10)
    np.testing.assert_allclose(posterior.variance[test], case["variance_" + name], rtol=0, atol=1e-10)


@pytest.mark.parametrize("name", ("two", "four", "missing", "unseen"))
def test_scores_of_classes_are_those_of_scikit_learn(name):
    case = values("scikit-learn")
    scores = metrics.classification(case[name + "_label"], case[name + "_probability"])
    for score in ("accuracy", "nll", "ece", "f1_macro", "f1_weighted", "balanced_accuracy"):
        assert scores[score] == pytest.approx(float(case[f"{name}_{score}"]), rel=0, abs=1e-12), score
    np.testing.assert_array_equal(scores["confusion_matrix"], case[name + "_confusion"])
    if name == "two":
        assert scores["auc"] == pytest.approx(float(case["two_auc"]), rel=0, abs=1e-12)


@pytest.mark.parametrize("targets", ("number", "numbers"))
def test_scores_of_numbers_are_those_of_scikit_learn(targets):
    case = values("scikit-learn")
    y, mean, deviation = (case["numbers_" + part] for part in ("y", "mean", "deviation"))
    if targets == "number":
        y, mean, deviation = y[:, 0], mean[:, 0], deviation[:, 0]
    scores = metrics.regression(y, mean, deviation)
    for score in ("r2", "rmse") + (("nll",) if targets == "numbers" else ()):
        assert scores[score] == pytest.approx(float(case[f"{targets}_{score}"]), rel=0, abs=1e-12), score
