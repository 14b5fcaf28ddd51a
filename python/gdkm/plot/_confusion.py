"""The confusion matrix."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ._given import class_numbers, graph_of, is_classifier, unseen_items
from ._style import INK, axes, quiet, sequential

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def confusion_matrix(model_or_y: Any, predicted: Any = None, *, graph: Any = None, items: Any = None, classes: Any = None,
                     ax: Axes | None = None) -> Axes:
    """Draws how many items of each class are predicted to be in which class.

    Rows are true classes. The number in a cell counts items, and its colour is their share of the row: the diagonal shows
    the recall of each class.

    Parameters
    ----------
    model_or_y : fitted classifier, or array of the true classes
    predicted : array, optional
        The predicted classes, if the first argument is an array.
    graph : Graph, optional
        With a model: the graph to predict on. Without it, the model's own.
    items : mask or indices, optional
        With a model: which items to count. Without it, all with a label that training did not use.
    classes : sequence, optional
        With arrays: the classes, in the order of rows and columns.
    ax : matplotlib axes, optional

    Returns
    -------
    matplotlib.axes.Axes

    Examples
    --------
    >>> import gdkm.plot
    >>> ax = gdkm.plot.confusion_matrix(["cat", "cat", "dog"], ["cat", "dog", "dog"])
    >>> [text.get_text() for text in ax.texts]
    ['1', '1', '0', '1']
    """
    true, guess, names = _labels(model_or_y, predicted, graph, items, classes)
    count = np.zeros((len(names), len(names)), np.int64)
    np.add.at(count, (true, guess), 1)
    share = count / np.maximum(count.sum(axis=1, keepdims=True), 1)

    side = min(0.62 * len(names) + 1.6, 9)
    ax = axes(ax, (side, side))
    ax.imshow(share, cmap=sequential(), vmin=0, vmax=1)
    size = "medium" if len(names) <= 8 else "small" if len(names) <= 15 else "xx-small"
    for row in range(len(names)):
        for column in range(len(names)):
            ax.text(column, row, f"{count[row, column]}", ha="center", va="center", fontsize=size,
                    color="white" if share[row, column] > 0.55 else INK)
    texts = [str(name) for name in names]
    turned = max(map(len, texts)) > 3
    ax.set_xticks(range(len(names)), texts, rotation=40 if turned else 0, ha="right" if turned else "center",
                  rotation_mode="anchor")
    ax.set_yticks(range(len(names)), texts)
    ax.set_xlabel("predicted class")
    ax.set_ylabel("true class")
    quiet(ax, grid=False)
    ax.spines[:].set_visible(False)
    ax.tick_params(length=0)
    return ax


def _labels(given: Any, predicted: Any, graph: Any, items: Any, classes: Any) -> tuple[np.ndarray, np.ndarray, list]:
    if is_classifier(given):
        graph = graph_of(given, graph)
        chosen = unseen_items(given, graph, items)
        guess = np.asarray(given.predict_proba(graph)).argmax(axis=1)[chosen]
        return np.asarray(graph.labels)[chosen], guess, list(given.classes_)
    if predicted is None:
        raise ValueError("an array of true classes needs a second one, the predicted classes")
    true, guess = np.asarray(given).ravel(), np.asarray(predicted).ravel()
    if len(true) != len(guess):
        raise ValueError(f"there are {len(true)} true and {len(guess)} predicted classes")
    names = classes if classes is not None else np.unique(np.concatenate([true, guess])).tolist()
    return class_numbers(true, names)[0], class_numbers(guess, names)[0], list(names)
