"""What ``fit`` is given, in the form that the core takes: a data set and the items of a split."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from . import _core
from ._core import InputError
from ._graph import Graph


def as_items(items: Any, count: int, what: str) -> np.ndarray:
    """Numbers of items from a mask, a list of numbers or a column of them."""
    array = np.asarray(items)
    if array.ndim == 2 and array.shape[1] == 1:
        array = array[:, 0]
    if array.ndim != 1:
        raise InputError(f"{what}: expected a mask or a list of item numbers, got an array of shape {array.shape}")
    if array.dtype == bool:
        if len(array) != count:
            raise InputError(f"{what}: the mask has {len(array)} entries, and there are {count} items")
        return np.flatnonzero(array).astype(np.int32)
    if len(array) == 0:
        return np.zeros(0, np.int32)
    with np.errstate(invalid="ignore"):
        numbers = array.astype(np.int64) if array.dtype.kind in "iuf" else None
    if numbers is None or not np.array_equal(numbers, array):
        raise InputError(f"{what}: expected whole numbers of items or a mask, got values of type {array.dtype}")
    if numbers.min() < 0 or numbers.max() >= count:
        wrong = numbers.min() if numbers.min() < 0 else numbers.max()
        raise InputError(f"{what}: there is no item {wrong}; use numbers from 0 to {count - 1}")
    return numbers.astype(np.int32)


@dataclass
class Labels:
    """Labels that take the place of the graph's own: class numbers, or numbers to predict."""

    label: np.ndarray | None
    class_names: list[str]
    target: np.ndarray | None

    def of(self, data: Any) -> Any:
        """The data set with these labels."""
        return _core.relabelled(data, self.label, self.class_names, self.target)


@dataclass
class FitData:
    """A data set, what its classes are called, and the parts of its split."""

    graph: Graph
    labels: Labels | None  # None: the graph's own
    classes: list | None  # None: numbers are predicted
    train: np.ndarray
    val: np.ndarray
    test: np.ndarray
    weight: np.ndarray | None = None  # one per item of the graph

    def dataset(self) -> Any:
        return self.graph._data if self.labels is None else self.labels.of(self.graph._data)

    def split(self) -> list[np.ndarray]:
        return [np.ascontiguousarray(part, np.int32) for part in (self.train, self.val, self.test)]

    def label_of(self, items: np.ndarray) -> np.ndarray:
        """Class numbers of items; zeros for numbers to predict, −1 where nothing is known."""
        label = self.graph._data.label if self.labels is None or self.labels.label is None else self.labels.label
        if self.labels is not None and self.labels.target is not None:
            return np.where(np.isnan(self.labels.target).any(axis=1), -1, 0)[items]
        return np.asarray(label)[items]

    def hold_out(self, share: float, seed: Any) -> None:
        """Moves a share of the training items to validation: of every class alike, and never its last."""
        label = self.label_of(self.train)
        known = self.train[label >= 0]
        label = label[label >= 0]
        # A seed that is none is refused by the core, in its own words.
        random = np.random.RandomState(int(seed) % 2**32 if isinstance(seed, (int, np.integer)) else 0)
        taken: list[np.ndarray] = []
        owed = 0.0  # shares of items, carried from class to class
        for value in np.unique(label):
            members = random.permutation(known[label == value])
            owed += share * len(members)
            count = min(int(np.floor(owed + 0.5)), len(members) - 1)
            owed -= count
            taken.append(members[: max(count, 0)])
        self.val = np.sort(np.concatenate(taken)) if taken else self.val
        self.train = np.setdiff1d(self.train, self.val)


def _is_unknown(values: np.ndarray) -> np.ndarray:
    if values.dtype.kind == "f":
        return np.isnan(values)
    if values.dtype.kind == "O":
        return np.array([value is None or value != value for value in values], bool)
    return np.zeros(len(values), bool)


def _class_labels(values: np.ndarray, items: np.ndarray, count: int) -> tuple[Labels, list]:
    known = ~_is_unknown(values)
    try:
        classes, numbers = np.unique(values[known], return_inverse=True)
    except TypeError:
        raise InputError("y: classes of several types cannot be put in order; make them all texts or all numbers") from None
    if classes.dtype.kind == "f" and not np.array_equal(classes, np.floor(classes)):
        raise InputError("y: Unknown label type: these are numbers and no classes; a regressor predicts numbers")
    label = np.full(count, -1, np.int32)
    label[items[known]] = numbers
    if not np.array_equal(label[items[known]], numbers):
        raise InputError("y: an item is given twice, with two classes")
    return Labels(label, [str(each) for each in classes], None), list(classes)


def _number_labels(values: np.ndarray, items: np.ndarray, count: int) -> Labels:
    try:
        numbers = np.asarray(values, np.float64)
    except (TypeError, ValueError):
        raise InputError("y: expected numbers to predict; a classifier predicts classes") from None
    if np.isinf(numbers).any():
        raise InputError("y: it has infinite numbers")
    numbers = numbers.reshape(len(numbers), -1)
    target = np.full((count, numbers.shape[1]), np.nan, np.float32)
    target[items] = numbers
    return Labels(None, [], target)


def _own_labels(graph: Any, items: np.ndarray, regression: bool) -> np.ndarray:
    """What the graph says of some items."""
    if regression:
        return np.asarray(graph._data.target)[items]
    classes = np.empty(len(graph.classes) + 1, object)
    classes[:-1] = graph.classes
    classes[-1] = None
    return classes[np.asarray(graph._data.label)[items]]


def _labels_of(graph: Any, items: np.ndarray, y: Any, val: np.ndarray, regression: bool) -> tuple[Labels | None, list | None]:
    """The labels ``y`` of ``items``, and of validation items those of the graph."""
    values = y if isinstance(y, np.ndarray) else np.asarray(y, object if isinstance(y, list) and None in y else None)
    if values.ndim == 2 and values.shape[1] == 1:
        values = values[:, 0]
    if len(values) != len(items):
        raise InputError(f"y: it has {len(values)} entries for {len(items)} items; give one for each")
    if values.ndim != 1 and not regression:
        raise InputError(f"y: expected one class for each item, got an array of shape {values.shape}")
    others = np.setdiff1d(val, items)
    if len(others):
        own = _own_labels(graph, others, regression)
        if regression:
            values = np.concatenate([values.reshape(len(values), -1), own.reshape(len(own), -1)])
        else:
            values = np.concatenate([values.astype(object), own])
        items = np.concatenate([items, others])
    if regression:
        return _number_labels(values, items, graph.n_items), None
    if values.dtype == object and len(others):
        values = np.array(values.tolist())  # the type that they have in common
    return _class_labels(values, items, graph.n_items)


def read_fit(estimator: Any, X: Any, y: Any, train: Any, val: Any, test: Any, sample_weight: Any) -> FitData:
    """``fit(graph, train=…)`` and ``fit(X, y)`` with item numbers as X; nothing is held out yet."""
    by_graph = isinstance(X, Graph)
    graph = X if by_graph else estimator.graph
    regression = estimator._regression
    if graph is None:
        raise InputError("fit: X is neither a gdkm.Graph nor do its numbers belong to one; give the graph as the "
                         "parameter graph of the estimator")
    count = graph.n_items
    none = np.zeros(0, np.int32)
    val_items, test_items = (none if part is None else np.unique(as_items(part, count, name))
                             for part, name in ((val, "val"), (test, "test")))
    labels, classes = None, None if regression else list(graph.classes)
    if by_graph and y is not None:
        labels, classes = _labels_of(graph, np.arange(count), y, none, regression)
    items, weight = none, None
    if not by_graph:
        if train is not None:
            raise InputError("train: the items are X already; train goes with fit(graph)")
        items = as_items(X, count, "X")
        if len(items) == 0:
            raise InputError("X: found array with 0 sample(s); a minimum of 1 is required")
        if y is not None:
            labels, classes = _labels_of(graph, items, y, val_items, regression)
        train_items, weight = _counted(items, sample_weight, count)
    elif train is not None:
        train_items = np.unique(as_items(train, count, "train"))
    if labels is None and bool(graph._data.targets) != regression:
        raise InputError("the graph has numbers to predict; use a regressor" if not regression
                         else "the graph has classes and no numbers to predict; use a classifier, or give numbers as y")
    out = FitData(graph, labels, classes, none, val_items, test_items)
    if by_graph:
        if train is None:
            everything = np.arange(count, dtype=np.int32)
            known = everything[out.label_of(everything) >= 0]
            train_items = np.setdiff1d(known, np.union1d(val_items, test_items))
        weight = None if sample_weight is None else _weights(sample_weight, count)
    if weight is not None:
        train_items = train_items[weight[train_items] > 0]  # the rest might as well not be there
    out.train, out.weight = train_items.astype(np.int32), weight
    for part, name in ((val_items, "val"), (test_items, "test")):
        both = np.intersect1d(train_items, part)
        if len(both):
            raise InputError(f"{name}: item {both[0]} is among the training items, too; parts of a split are disjoint")
    if len(out.train) == 0:
        raise InputError("train: there is no item to train on; give some that have labels")
    return out


def _weights(sample_weight: Any, count: int) -> np.ndarray:
    weight = np.asarray(sample_weight, np.float64)
    if weight.ndim == 0:
        weight = np.full(count, float(weight))
    if weight.shape != (count,):
        raise InputError(f"sample_weight: Sample weights must be 1D with one number for each of {count} items, got shape "
                         f"{weight.shape}")
    if not np.isfinite(weight).all() or (weight < 0).any():
        raise InputError("sample_weight: expected finite numbers >= 0")
    return weight


def _counted(items: np.ndarray, sample_weight: Any, count: int) -> tuple[np.ndarray, np.ndarray | None]:
    """Each item once; one that is given twice counts twice."""
    unique, number = np.unique(items, return_counts=True)
    if sample_weight is None and number.max() == 1:
        return unique, None
    each = np.ones(len(items)) if sample_weight is None else _weights(sample_weight, len(items))
    weight = np.zeros(count)
    np.add.at(weight, items, each)
    return unique, weight
