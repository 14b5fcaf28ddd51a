"""The heat map of a kernel."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ._given import as_items, class_numbers, graph_of, is_model, spread_over_classes
from ._style import INK, axes, diverging, sequential

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def kernel_heatmap(model_or_kernel: Any, y: Any = None, *, layer: int = -1, graph: Any = None, items: Any = None,
                   most: int = 300, cosine: bool = True, ax: Axes | None = None) -> Axes:
    """Draws a kernel between items, sorted by class.

    Blocks on the diagonal mean that the kernel tells the classes apart.

    Parameters
    ----------
    model_or_kernel : fitted estimator, or square array
    y : array, optional
        The classes of the items, if the first argument is an array. Without it, the order stays.
    layer : int
        With a model: the Gram layer, from 0; -1 is what the readout takes.
    graph : Graph, optional
        With a model: the graph. Without it, the model's own.
    items : mask or indices, optional
        With a model: the items. Without it, those with a label.
    most : int
        Larger kernels are drawn for this many items, each class with its share.
    cosine : bool
        Draw K_ij / √(K_ii K_jj) instead of K_ij.
    ax : matplotlib axes, optional

    Returns
    -------
    matplotlib.axes.Axes

    Examples
    --------
    >>> import gdkm.plot
    >>> ax = gdkm.plot.kernel_heatmap([[2, 0, 1], [0, 1, 0], [1, 0, 2]], ["a", "b", "a"])
    >>> [text.get_text() for text in ax.get_xticklabels()]
    ['a', 'b']
    """
    kernel, labels, names = _kernel(model_or_kernel, y, layer, graph, items, most)
    if cosine:
        scale = np.sqrt(np.maximum(np.diag(kernel), np.finfo(float).tiny))
        kernel = kernel / scale[:, None] / scale[None, :]
    low, high = _range(kernel)
    ax = axes(ax, (4.8, 4.0))
    image = ax.imshow(kernel, cmap=diverging() if low < 0 else sequential(), vmin=low, vmax=high, interpolation="nearest")
    beyond = (kernel.min() < low) + 2 * (kernel.max() > high)
    bar = ax.figure.colorbar(image, ax=ax, shrink=0.85, label="cosine" if cosine else "kernel",
                             extend=("neither", "min", "max", "both")[beyond])
    bar.outline.set_visible(False)
    if labels is None:
        ax.set_xlabel("item")
        ax.set_ylabel("item")
    else:
        _mark_classes(ax, labels, names)
    ax.spines[:].set_visible(False)
    ax.tick_params(length=0, labelcolor=INK)
    return ax


def _kernel(given: Any, y: Any, layer: int, graph: Any, items: Any,
            most: int) -> tuple[np.ndarray, np.ndarray | None, list]:
    if is_model(given):
        graph = graph_of(given, graph)
        labels, names = np.asarray(graph.labels), list(graph.classes)
        if graph.is_regression:
            # Sorted by what is to be predicted: there are no classes to put a line between.
            target = np.asarray(graph.y, float)
            chosen = np.flatnonzero(np.isfinite(target)) if items is None else as_items(items, len(target))
            rows = spread_over_classes(target, chosen, most)
            return np.asarray(given.kernel(graph=graph, rows=rows, columns=rows, layer=layer), float), None, []
        chosen = np.flatnonzero(labels >= 0) if items is None else as_items(items, len(labels))
        rows = spread_over_classes(labels, chosen, most)
        kernel = given.kernel(graph=graph, rows=rows, columns=rows, layer=layer)
        return np.asarray(kernel, float), labels[rows], names
    kernel = np.asarray(given, float)
    if kernel.ndim != 2 or kernel.shape[0] != kernel.shape[1]:
        raise ValueError(f"expected a square kernel, got shape {kernel.shape}")
    if y is None:
        return kernel, None, []
    labels, names = class_numbers(y)
    if len(labels) != len(kernel):
        raise ValueError(f"the kernel has {len(kernel)} rows and y {len(labels)} values")
    rows = spread_over_classes(labels, np.arange(len(labels)), most)
    return kernel[np.ix_(rows, rows)], labels[rows], names


def _range(kernel: np.ndarray) -> tuple[float, float]:
    """What the colours cover: all but the lowest and highest percent outside the diagonal, around 0 if there are signs.
    Kernels of deep layers are positive and vary little; from -1 to 1 they would be one dark square."""
    others = kernel[~np.eye(len(kernel), dtype=bool)] if len(kernel) > 1 else kernel
    low, high = np.quantile(others, [0.01, 0.99])
    if low < 0:
        high = max(-low, high)
        return -high, high
    return (low, high) if high > low else (low - 0.5, high + 0.5)


def _mark_classes(ax: Axes, labels: np.ndarray, names: list) -> None:
    """A white line between classes, and the name of each at its middle."""
    edges = np.flatnonzero(np.diff(labels)) + 1
    for edge in edges:
        ax.axhline(edge - 0.5, color="white", linewidth=1)
        ax.axvline(edge - 0.5, color="white", linewidth=1)
    starts = np.concatenate([[0], edges, [len(labels)]])
    middles = (starts[:-1] + starts[1:] - 1) / 2
    texts = [str(names[labels[start]]) if labels[start] >= 0 else "?" for start in starts[:-1]]
    turned = sum(map(len, texts)) > 30
    ax.set_xticks(middles, texts, rotation=40 if turned else 0, ha="right" if turned else "center", rotation_mode="anchor")
    ax.set_yticks(middles, texts)
    ax.set_xlabel("items, by class")
    ax.set_ylabel("items, by class")
