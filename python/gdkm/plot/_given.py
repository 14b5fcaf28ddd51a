"""What the functions of this module are given: fitted models or plain arrays, and which items they are about."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted


def is_model(given: Any) -> bool:
    """Whether it is an estimator, which then has to be fitted; all else is an array."""
    if not hasattr(given, "get_params"):
        return False
    check_is_fitted(given, "model_")
    return True


def is_classifier(given: Any) -> bool:
    """The same where classes are needed."""
    if is_model(given) and not hasattr(given, "predict_proba"):
        raise TypeError(f"{type(given).__name__} predicts numbers; this picture is about classes")
    return is_model(given)


def graph_of(model: Any, graph: Any) -> Any:
    """The graph to draw: the one that was given, or the model's own."""
    if graph is not None:
        return graph
    graph = getattr(model, "graph_", None)
    if graph is None:
        raise ValueError("the model does not hold its training graph (it was loaded from a file): pass graph=")
    return graph


def as_items(items: Any, count: int) -> np.ndarray:
    """Item numbers, from numbers or a mask."""
    items = np.asarray(items)
    if items.dtype == bool:
        if items.shape != (count,):
            raise ValueError(f"items: a mask needs {count} values, one for each item; got shape {items.shape}")
        return np.flatnonzero(items)
    items = items.astype(np.int64).ravel()
    if items.size and (items.min() < -count or items.max() >= count):
        raise ValueError(f"items: numbers go from 0 to {count - 1}; got {items.min()} to {items.max()}")
    return items


def unseen_items(model: Any, graph: Any, items: Any) -> np.ndarray:
    """The items that were asked for, or all with a label that training did not use. What a model has been fitted to says
    little about how good it is."""
    labels = np.asarray(graph.labels)
    known = labels >= 0
    if items is not None:
        items = as_items(items, len(labels))
        chosen = items[known[items]]
        if not len(chosen):
            raise ValueError(f"items: none of the {len(items)} items has a label")
        return chosen
    if graph is model.graph_:
        known[model.train_] = known[model.val_] = False
    if not known.any():
        raise ValueError("training used all items that have a label; pass items= to draw these")
    return np.flatnonzero(known)


def class_numbers(y: Any, classes: Any = None) -> tuple[np.ndarray, list]:
    """Numbers of classes and the classes themselves, in the order of `classes` if it is given."""
    y = np.asarray(y)
    if classes is None:
        values, numbers = np.unique(y, return_inverse=True)
        return numbers.astype(np.int64), values.tolist()
    classes = list(classes)
    place = {value: number for number, value in enumerate(classes)}
    try:
        return np.asarray([place[value] for value in y.tolist()], np.int64), classes
    except KeyError as error:
        raise ValueError(f"y has the class {error.args[0]!r}, which is none of {classes}") from None


def spread_over_classes(labels: np.ndarray, items: np.ndarray, most: int) -> np.ndarray:
    """At most `most` of the items, in the order of their classes, each class with its share. Of a class, items at equal
    distances: the choice does not depend on chance."""
    order = items[np.argsort(labels[items], kind="stable")]
    if len(order) <= most:
        return order
    return order[np.linspace(0, len(order) - 1, most).round().astype(np.int64)]
