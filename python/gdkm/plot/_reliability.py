"""The reliability diagram."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..metrics import classification
from ._given import class_numbers, graph_of, is_classifier, unseen_items
from ._style import FAINT, INK, RULE, axes, colour, quiet

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def reliability_diagram(model_or_proba: Any, y: Any = None, *, graph: Any = None, items: Any = None, classes: Any = None,
                        ax: Axes | None = None) -> Axes:
    """Draws how often predictions are right against how sure the model is of them.

    Predictions are put into 15 bins by the probability of the predicted class. On the diagonal the share of correct
    predictions equals the mean probability. Below it the model is too sure of itself. The size of a point grows with the
    number of items in its bin, and the bar through it is one standard error of the share. The title has the expected
    calibration error (ECE), as ``gdkm train`` computes it.

    Parameters
    ----------
    model_or_proba : fitted classifier, or array of shape (items, classes)
    y : array of shape (items,), optional
        The true classes. Needed with an array of probabilities; a model takes them from its graph.
    graph : Graph, optional
        With a model: the graph to predict on. Without it, the model's own.
    items : mask or indices, optional
        With a model: which items to draw. Without it, all with a label that training did not use.
    classes : sequence, optional
        With an array: the class of each column. Without it, the sorted classes of `y`.
    ax : matplotlib axes, optional

    Returns
    -------
    matplotlib.axes.Axes

    Examples
    --------
    >>> import gdkm.plot
    >>> ax = gdkm.plot.reliability_diagram([[0.9, 0.1], [0.6, 0.4], [0.2, 0.8]], ["a", "b", "b"])
    >>> ax.get_title()
    'ECE 0.300 on 3 items'
    """
    proba, labels = _probabilities(model_or_proba, y, graph, items, classes)
    scores = classification(labels, proba)
    _, count, sure, right = np.asarray(scores["reliability"], float).T
    mean, share = sure / count, right / count

    ax = axes(ax, (4.2, 4.2))
    ax.plot([0, 1], [0, 1], color=FAINT, linewidth=1, linestyle=(0, (4, 3)), label="calibrated")
    # One right prediction and one wrong one are added, so that a bin with a single item has a long bar and not none.
    smooth = (right + 1) / (count + 2)
    error = np.sqrt(smooth * (1 - smooth) / count)
    bars = ax.errorbar(mean, share, yerr=error, fmt="none", ecolor=colour(0), elinewidth=1.2, alpha=0.5)
    bars.lines[2][0].set_clip_on(True)
    ax.scatter(mean, share, s=16 + 130 * count / count.max(), color=colour(0), edgecolor="white", zorder=3, clip_on=False)
    ax.set_xlim(0, 1)
    ax.set_ylim(0, 1)
    ax.set_aspect("equal")
    ax.set_xlabel("probability of the predicted class")
    ax.set_ylabel("share of correct predictions")
    ax.set_title(f"ECE {scores['ece']:.3f} on {len(labels)} items", fontsize="medium", color=INK)
    quiet(ax)
    ax.spines[["left", "bottom"]].set_color(RULE)
    return ax


def _probabilities(given: Any, y: Any, graph: Any, items: Any, classes: Any) -> tuple[np.ndarray, np.ndarray]:
    if is_classifier(given):
        graph = graph_of(given, graph)
        chosen = unseen_items(given, graph, items)
        return np.asarray(given.predict_proba(graph))[chosen], np.asarray(graph.labels)[chosen]
    proba = np.asarray(given, float)
    if proba.ndim != 2:
        raise ValueError(f"expected probabilities of shape (items, classes), got {proba.shape}")
    if y is None:
        raise ValueError("an array of probabilities needs y, the true classes")
    labels, names = class_numbers(y, classes)
    if len(labels) != len(proba):
        raise ValueError(f"there are {len(proba)} rows of probabilities and {len(labels)} values of y")
    if len(names) != proba.shape[1]:
        raise ValueError(f"there are {proba.shape[1]} columns and {len(names)} classes in y; name them with classes=")
    return proba, labels
