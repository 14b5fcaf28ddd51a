"""For those who study the models: exact kernels, closed forms, the objective with its gradient."""

from __future__ import annotations

from typing import Any, Mapping, NamedTuple, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core
from ._graph import Graph

__all__ = ["GPPosterior", "Objective", "ReadoutPosterior", "cka", "gp_regression", "gram_matrices",
           "linear_closed_form", "nngp_kernel", "readout_posterior"]

Array = NDArray[np.float64]

_NAMES = {entry["parameter"]: entry["name"] for entry in _core.option_table()}


def _options(given: Mapping[str, Any]) -> dict[str, Any]:
    """Options by their names in the core's table."""
    for name in given:
        if name not in _NAMES:
            raise TypeError(f"there is no option {name!r}")
    return {_NAMES[name]: value for name, value in given.items()}


def _indices(items: ArrayLike | None, count: int) -> NDArray[np.int32]:
    array = np.asarray([] if items is None else items)
    if array.dtype == bool:
        if array.shape != (count,):
            raise _core.InputError(f"a mask has one entry for each of {count} items, got shape {array.shape}")
        array = np.flatnonzero(array)
    return np.ascontiguousarray(array, dtype=np.int32)


def nngp_kernel(graph: Graph, *, layers: int = 2, weights: Sequence[Sequence[float]] | None = None,
                **options) -> Array:
    """The kernel over all nodes of an infinitely wide graph network, in float64.

    Parameters
    ----------
    graph : Graph
    layers : int
        Number of graph convolutions.
    weights : list of lists, optional
        How strongly each layer mixes with each relation; 1/R by default.
    options
        As those of an exact NNGP: ``network`` (``"gcn"``, ``"sage"``, ``"gin"``, ...), ``relations``
        (``"self,in:row,out:row"``), ``kernel``, ``lambda_``, ``directed``, ``normalise`` (rows have length 1 by default;
        ``"none"`` takes features as they are).

    Examples
    --------
    >>> import gdkm
    >>> graph = gdkm.generate("csbm", n=100)
    >>> gdkm.nngp_kernel(graph, layers=2).shape
    (100, 100)
    """
    given = _options({"layers": layers, **options})
    return _core.nngp_kernel(graph._data, given, [list(map(float, row)) for row in weights or []])


class GPPosterior(NamedTuple):
    """Mean (nodes x targets) and variance of the latent function at every node."""

    mean: Array
    variance: Array


def gp_regression(kernel: ArrayLike, targets: ArrayLike, train: ArrayLike, noise: float) -> GPPosterior:
    """Gaussian-process regression with a given kernel matrix and noise variance; the prior mean is 0.

    Parameters
    ----------
    kernel : array of shape (nodes, nodes)
    targets : array of shape (training nodes,) or (training nodes, targets)
    train : indices or mask
    noise : float

    Examples
    --------
    >>> import numpy as np, gdkm
    >>> gdkm.gp_regression(np.eye(2) + 1, [1.0], [0], noise=0.5).mean.round(3)
    array([[0.8],
           [0.4]])
    """
    k = np.ascontiguousarray(kernel, dtype=np.float64)
    if k.ndim != 2 or k.shape[0] != k.shape[1]:
        raise _core.InputError(f"kernel: expected a square matrix, got shape {k.shape}")
    rows = _indices(train, len(k))
    if rows.size and (rows.min() < 0 or rows.max() >= len(k)):
        raise _core.InputError(f"train: nodes are numbered from 0 to {len(k) - 1}")
    y = np.asarray(targets, dtype=np.float64)
    if len(y) != len(rows):
        raise _core.InputError(f"expected a target for each of {len(rows)} training nodes, got {len(y)}")
    return GPPosterior(*_core.gp_regression(k, rows, np.ascontiguousarray(y.reshape(len(rows), -1)), float(noise)))


def linear_closed_form(graph: Graph, g_0: ArrayLike, g_p: ArrayLike, layers: int,
                       lambda_: float = 0.0) -> tuple[list[Array], float]:
    """The optimum of a linear graph DKM between two given Gram matrices at ν = 1.

    Returns the Gram matrices G_1 … G_L that minimise the sum of the KL divergences between layers, and the maximum of
    the objective, minus that sum. docs/maths.md has the formula.
    """
    first, last = (np.ascontiguousarray(g, dtype=np.float64) for g in (g_0, g_p))
    for name, gram in (("g_0", first), ("g_p", last)):
        if gram.shape != (graph.n_nodes, graph.n_nodes):
            raise _core.InputError(f"{name}: expected {graph.n_nodes} x {graph.n_nodes}, got shape {gram.shape}")
    return _core.linear_closed_form(graph._data, lambda_, first, last, layers)


def cka(a: ArrayLike, b: ArrayLike) -> float:
    """Centred kernel alignment of two kernel matrices over the same items: 1 where they tell items apart alike.

    >>> import numpy as np, gdkm
    >>> round(gdkm.cka(np.eye(3), 2 * np.eye(3)), 6)
    1.0
    """
    k, other = (np.ascontiguousarray(each, dtype=np.float64) for each in (a, b))
    if k.shape != other.shape or k.ndim != 2 or k.shape[0] != k.shape[1]:
        raise _core.InputError(f"expected two square matrices of the same size, got shapes {k.shape} and {other.shape}")
    return _core.cka(k, other)


class Objective:
    """The objective of a model as a function of its parameters, for an optimiser of your own.

    Of a DKM or an NNGP with inducing points it is the ELBO in nats, with the distribution of the readout's weights among
    the parameters (``readout.mu`` and ``readout.L_sigma``), as ``inference="paper"`` trains it. Of a GCN it is minus the
    sum of the cross-entropy. Diagonals of ``L`` and ``L_sigma`` hold logarithms.

    Parameters
    ----------
    graph : Graph
    train : indices or mask
        The items whose labels count.
    model : {"dkm", "nngp", "gcn"}
    options
        As those of the estimators. ``precision`` is ``"float64"`` by default.

    Examples
    --------
    >>> import gdkm
    >>> graph = gdkm.generate("csbm", n=100)
    >>> train, val, test = graph.splits["public"][0]
    >>> objective = gdkm.Objective(graph, train, inducing=10)
    >>> parameters = objective.parameters()
    >>> value, gradient = objective.value_and_grad(parameters)
    >>> gradient["X_i"].shape == parameters["X_i"].shape
    True
    """

    def __init__(self, graph: Graph, train: ArrayLike, *, model: str = "dkm", **options):
        given = _options({"precision": "float64", **options})
        none = np.zeros(0, np.int32)
        split = (_indices(train, graph.n_items), none, none)
        self._loss = _core.ParameterLoss(graph._data, split, model, given)
        self._items = graph.n_items

    def parameters(self) -> dict[str, Array]:
        """The parameters as they are; at first, those with which a training starts."""
        return self._loss.parameters()

    def set(self, parameters: Mapping[str, ArrayLike]) -> None:
        """Sets some or all parameters."""
        for name, values in parameters.items():
            self._loss.set(name, np.ascontiguousarray(values, dtype=np.float64).ravel())

    def value(self, parameters: Mapping[str, ArrayLike] | None = None, draw: int = 0) -> float:
        """The objective. ``draw`` chooses the random numbers of the expected log-likelihood: the same draw gives the
        same value."""
        self.set(parameters or {})
        return -self._loss.compute(draw) * self._loss.items

    def value_and_grad(self, parameters: Mapping[str, ArrayLike] | None = None,
                       draw: int = 0) -> tuple[float, dict[str, Array]]:
        """The objective and its gradient, by the names of the parameters."""
        value = self.value(parameters, draw)
        return value, {name: -self._loss.items * each for name, each in self._loss.gradients().items()}

    def predict(self) -> Array:
        """Class probabilities (or means and standard deviations) of all items at these parameters."""
        out = self._loss.predict()
        return out.reshape(self._items, -1)


class ReadoutPosterior(NamedTuple):
    """The distribution of the readout's weights: columns of ``mean`` (features x outputs) share one ``covariance``.

    Outputs are √scale · features · W + bias.
    """

    mean: Array
    covariance: Array
    scale: float
    bias: Array


def readout_posterior(model) -> ReadoutPosterior:
    """q(W) of a fitted DKM or NNGP with inducing points.

    >>> import gdkm
    >>> graph = gdkm.generate("csbm", n=100, classes=3)
    >>> train, val, _ = graph.splits["public"][0]
    >>> model = gdkm.GraphDKMClassifier(inducing=10, epochs=5).fit(graph, train=train, val=val)
    >>> gdkm.readout_posterior(model).mean.shape
    (10, 3)
    """
    tensors = model.model_.tensors()
    if "parameter.readout.mu" not in tensors:
        raise _core.InputError("only a DKM or NNGP with inducing points has a distribution of its readout's weights")
    mean = np.asarray(tensors["parameter.readout.mu"], dtype=np.float64)
    factor = np.tril(np.asarray(tensors["parameter.readout.L_sigma"], dtype=np.float64))
    np.fill_diagonal(factor, np.exp(np.diag(factor)))
    scale = np.exp(float(np.ravel(tensors.get("parameter.readout.log_scale", [0.0]))[0]))
    bias = np.ravel(np.asarray(tensors.get("parameter.readout.bias", np.zeros(mean.shape[1])), dtype=np.float64))
    return ReadoutPosterior(mean, factor @ factor.T, scale, bias)


def gram_matrices(model, graph: Graph | None = None) -> list[Array]:
    """The learned Gram matrix over inducing points of every Gram layer.

    >>> import gdkm
    >>> graph = gdkm.generate("csbm", n=100, classes=3)
    >>> train, val, _ = graph.splits["public"][0]
    >>> model = gdkm.GraphDKMClassifier(inducing=10, epochs=5).fit(graph, train=train, val=val)
    >>> [gram.shape for gram in gdkm.gram_matrices(model)]
    [(10, 10), (10, 10)]
    """
    data = (model.graph_ if graph is None else graph)._data
    return [features @ features.T for features in _core.inducing_features(model.model_, data)]
