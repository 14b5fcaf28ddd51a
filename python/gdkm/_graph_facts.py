"""What a graph is: its sizes, arrays, labels, splits and names."""

from __future__ import annotations

import json
from types import MappingProxyType
from typing import Any, Mapping, Sequence

import numpy as np
import scipy.sparse as sp


class GraphFacts:
    """The read-only side of :class:`gdkm.Graph`."""

    _data: Any  # the core's data set
    _classes: list

    @property
    def name(self) -> str:
        """What messages and results call the graph."""
        return self._data.name

    @property
    def task(self) -> str:
        """``"node"``, or ``"graph"`` where each of many graphs has a label."""
        return self._data.task

    @property
    def n_nodes(self) -> int:
        """The number of nodes, in all graphs together."""
        return self._data.nodes

    @property
    def n_items(self) -> int:
        """What has a label: nodes, or graphs."""
        return self._data.items

    @property
    def n_features(self) -> int:
        """The number of columns of ``x``."""
        return self._data.feature_count

    @property
    def n_classes(self) -> int:
        """The number of classes; 0 for regression."""
        return self._data.classes

    @property
    def is_directed(self) -> bool:
        """Whether an edge does not imply its reverse."""
        return self._data.directed

    @property
    def is_regression(self) -> bool:
        """Whether ``y`` is numbers to predict."""
        return self._data.targets > 0

    @property
    def x(self) -> Any:
        """The features: a read-only array, or a SciPy CSR matrix that shares the graph's memory."""
        features = self._data.features
        if not isinstance(features, tuple):
            return features
        data, columns, start, width = features
        return sp.csr_array((data, columns, start), shape=(self.n_nodes, width), copy=False)

    @property
    def edge_index(self) -> np.ndarray:
        """The edges as they were given, int32 of shape (2, edges): a view."""
        return self._data.edges.T

    @property
    def edge_weight(self) -> np.ndarray | None:
        """One weight per edge; None where all are 1."""
        weight = self._data.weight
        return weight if len(weight) else None

    @property
    def edge_type(self) -> np.ndarray | None:
        """The number of each edge's type in ``edge_type_names``; None where edges have no types."""
        types = self._data.edge_type
        return types if len(types) else None

    @property
    def edge_type_names(self) -> list[str]:
        """The types of edges, in the order of their numbers."""
        return self._data.edge_type_names

    @property
    def labels(self) -> np.ndarray:
        """The class number of each item, int32; -1 where it is unknown. For regression 0 where it is known."""
        return self._data.label

    @property
    def classes(self) -> list:
        """The classes as they were given, in the order of their numbers; empty for regression."""
        return list(self._classes)

    @property
    def y(self) -> np.ndarray:
        """The class of each item as it was given, or the numbers to predict.

        Where some are unknown, whole numbers are -1 there, numbers to predict are ``nan``, and all else is ``None``.
        """
        if self.is_regression:
            target = self._data.target
            return target[:, 0] if target.shape[1] == 1 else target
        number = self.labels
        return _read_only(_values_of(self._classes, number))

    @property
    def splits(self) -> Mapping[str, Sequence[tuple]]:
        """Splits by the name of their set: int32 arrays of training, validation and test items."""
        sets = self._data.splits
        for splits in sets.values():
            for parts in splits:
                for part in parts:
                    part.flags.writeable = False
        return MappingProxyType(sets)

    @property
    def node_names(self) -> list[str]:
        """One per node; empty where nodes are just numbers."""
        return self._data.node_names

    @property
    def feature_names(self) -> list[str]:
        """One per column of ``x``, such as ``"colour=red"``; empty where columns have no names."""
        return self._data.feature_names

    @property
    def columns(self) -> list[dict]:
        """The columns of a table as their owner knows them: name, type, values; empty for other features.

        >>> import pandas as pd, gdkm
        >>> gdkm.Graph(pd.DataFrame({"age": [3, 5]}), [[0], [1]]).columns
        [{'name': 'age', 'type': 'number'}]
        """
        text = self._data.columns
        return [] if text is None else json.loads(text).get("columns", [])

    @property
    def batch(self) -> np.ndarray | None:
        """The graph of each node, where there are many graphs."""
        start = self._data.graph_start
        if len(start) == 0:
            return None
        return np.repeat(np.arange(len(start) - 1, dtype=np.int32), np.diff(start))

    @property
    def remarks(self) -> list[str]:
        """What was left out or assumed when the graph was read, a line each."""
        return self._data.remarks

    def describe(self) -> dict[str, Any]:
        """The numbers that describe the graph: sizes, degrees, homophily, classes, splits.

        >>> import gdkm
        >>> gdkm.generate("csbm", n=100, classes=2).describe()["class_count"]
        [50, 50]
        """
        if getattr(self, "_summary", None) is None:
            self._summary = self._data.summary()
        return dict(self._summary)


def _values_of(classes: list, number: np.ndarray) -> np.ndarray:
    known = number >= 0
    if len(classes) and known.all():
        values = np.asarray(classes)
        return values[number] if values.ndim == 1 else _object(classes)[number]
    whole = all(isinstance(c, int) and not isinstance(c, bool) for c in classes) and -1 not in classes
    if whole:
        return np.append(np.asarray(classes, np.int64), -1)[np.where(known, number, len(classes))]
    return _object([*classes, None])[np.where(known, number, len(classes))]


def _object(values: list) -> np.ndarray:
    out = np.empty(len(values), object)
    out[:] = values
    return out


def _read_only(array: np.ndarray) -> np.ndarray:
    array.flags.writeable = False
    return array
