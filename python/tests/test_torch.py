"""Fitted models as modules of PyTorch."""

import numpy as np
import pytest

import gdkm

torch = pytest.importorskip("torch")


@pytest.fixture(scope="module")
def model():
    graph = gdkm.generate("csbm", n=80, classes=3, signal=6)
    train, val, _ = graph.splits["public"][0]
    return gdkm.GraphDKMClassifier(inducing=12, epochs=10).fit(graph, train=train, val=val)


def test_feature_map_gives_the_features_of_the_training_graph(model):
    from gdkm.torch import FeatureMap

    features = FeatureMap(model)()
    assert features.shape[0] == 80
    np.testing.assert_allclose(features.numpy(), model.features(), rtol=1e-6)


def test_feature_map_takes_tensors_of_another_graph(model):
    from gdkm.torch import FeatureMap

    x = torch.tensor(np.array(model.graph_.x), dtype=torch.float64)
    edge_index = torch.tensor(np.array(model.graph_.edge_index), dtype=torch.long)
    features = FeatureMap(model)(x, edge_index)
    assert features.dtype == torch.float64
    np.testing.assert_allclose(features.numpy(), model.features(), rtol=1e-5, atol=1e-6)


def test_kernel_is_that_of_the_features(model):
    from gdkm.torch import FeatureMap, Kernel

    rows, columns = torch.tensor([0, 1, 2]), torch.tensor([3, 4])
    features = FeatureMap(model)()
    expected = features[rows] @ features[columns].T
    np.testing.assert_allclose(Kernel(model)(rows, columns).numpy(), expected.numpy(), rtol=1e-4, atol=1e-5)


def test_modules_stand_in_a_sequence(model):
    from gdkm.torch import FeatureMap

    assert isinstance(FeatureMap(model), torch.nn.Module)
    assert "GraphDKMClassifier" in repr(FeatureMap(model))
