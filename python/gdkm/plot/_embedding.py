"""The scatter plot of features."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ._given import as_items, class_numbers, graph_of, is_model
from ._style import FAINT, axes, colour, diverging, marker, quiet

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def embedding_scatter(model_or_features: Any, y: Any = None, *, layer: int = -1, graph: Any = None, items: Any = None,
                      ax: Axes | None = None) -> Axes:
    """Draws the features of items as points in the plane of their two largest principal components.

    A model's features are made so that their inner products are its kernel. Points that are near each other are items that
    the model finds similar, as far as two components show it: the axes say which share of the variance they have.

    Parameters
    ----------
    model_or_features : fitted estimator, or array of shape (items, width)
    y : array, optional
        The classes, or numbers, if the first argument is an array.
    layer : int
        With a model: the Gram layer (of a GCN, the hidden layer), from 0; -1 is what the readout takes.
    graph : Graph, optional
        With a model: the graph. Without it, the model's own.
    items : mask or indices, optional
        Which items to draw; without it, all. Those without a label are grey.
    ax : matplotlib axes, optional

    Returns
    -------
    matplotlib.axes.Axes

    Examples
    --------
    >>> import gdkm.plot
    >>> ax = gdkm.plot.embedding_scatter([[0, 0, 1], [0, 2, 1], [5, 0, 1], [5, 2, 1]], ["a", "a", "b", "b"])
    >>> ax.get_xlabel()
    'component 1 (86 % of the variance)'
    """
    features, labels, names, target = _features(model_or_features, y, layer, graph)
    if items is not None:
        items = as_items(items, len(features))
        features = features[items]
        labels = None if labels is None else labels[items]
        target = None if target is None else target[items]
    points, shares = principal_components(features)

    ax = axes(ax, (5.2, 4.2))
    size = float(np.clip(9000 / max(len(points), 1), 7, 32))
    if target is not None:
        known = np.isfinite(target)
        ax.scatter(*points[~known].T, s=size, color=FAINT, alpha=0.3, linewidths=0)
        shown = ax.scatter(*points[known].T, s=size, c=target[known], cmap=diverging(), linewidths=0)
        ax.figure.colorbar(shown, ax=ax, shrink=0.85, label="y").outline.set_visible(False)
    elif labels is None:
        ax.scatter(*points.T, s=size, color=colour(0), linewidths=0)
    else:
        _scatter_classes(ax, points, labels, names, size)
    for axis, number in ((ax.xaxis, 0), (ax.yaxis, 1)):
        axis.set_label_text(f"component {number + 1} ({100 * shares[number]:.0f} % of the variance)")
    quiet(ax, grid=False)
    return ax


def principal_components(features: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The first two principal components of the rows, and their shares of the variance."""
    centred = features - features.mean(axis=0)
    values, vectors = np.linalg.eigh(centred.T @ centred)
    values, vectors = np.maximum(values[::-1], 0), vectors[:, ::-1]
    # The sign of a component means nothing; this choice makes pictures repeat.
    vectors = vectors * np.where(vectors[np.abs(vectors).argmax(axis=0), np.arange(len(values))] < 0, -1, 1)
    points = np.zeros((len(features), 2))
    points[:, : min(2, len(values))] = centred @ vectors[:, :2]
    shares = np.zeros(2)
    shares[: min(2, len(values))] = values[:2] / (values.sum() or 1.0)
    return points, shares


def _scatter_classes(ax: Axes, points: np.ndarray, labels: np.ndarray, names: list, size: float) -> None:
    unknown = labels < 0
    if unknown.any():
        ax.scatter(*points[unknown].T, s=size * 0.7, color=FAINT, alpha=0.3, linewidths=0, label="unknown")
    for number, name in enumerate(names):
        chosen = points[labels == number]
        if len(chosen):
            ax.scatter(*chosen.T, s=size, color=colour(number), marker=marker(number), alpha=0.8, linewidths=0,
                       label=str(name))
    ax.legend(frameon=False, loc="center left", bbox_to_anchor=(1.0, 0.5), markerscale=1.6, handletextpad=0.3,
              ncols=1 + (len(names) - 1) // 16)


def _features(given: Any, y: Any, layer: int, graph: Any) -> tuple[np.ndarray, np.ndarray | None, list, np.ndarray | None]:
    """Features, class numbers, classes, and numbers to predict, as far as there are any."""
    if is_model(given):
        graph = graph_of(given, graph)
        features = np.asarray(given.features(graph=graph, layer=layer), float)
        if graph.is_regression:
            return features, None, [], np.asarray(graph.y, float)
        return features, np.asarray(graph.labels), list(graph.classes), None
    features = np.asarray(given, float)
    if features.ndim != 2:
        raise ValueError(f"expected features of shape (items, width), got {features.shape}")
    if y is None:
        return features, None, [], None
    y = np.asarray(y)
    if len(y) != len(features):
        raise ValueError(f"there are {len(features)} rows of features and {len(y)} values of y")
    if y.dtype.kind == "f":
        return features, None, [], y
    return features, *class_numbers(y), None
