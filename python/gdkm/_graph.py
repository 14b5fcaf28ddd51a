"""Graphs with features, labels and splits."""

from __future__ import annotations

from typing import Any, Mapping, Sequence

import numpy as np

from . import _core

__all__ = ["Graph"]


class Graph:
    """A graph with features and labels, or many graphs of which each has a label.

    A graph does not change: estimators, threads and copies share its arrays.

    Parameters
    ----------
    x : array or SciPy sparse matrix of shape (nodes, features), optional
        One row per node. Without features every node gets a column of its own.
    edge_index : integer array of shape (2, edges)
        The two ends of each edge, as PyTorch Geometric has them.
    y : array of shape (nodes,), optional
        The class of each node, of any type; ``None``, ``nan`` or -1 where it is unknown.

    Examples
    --------
    >>> import numpy as np, gdkm
    >>> graph = gdkm.Graph(np.eye(3), [[0, 1], [1, 2]], y=["a", "b", "a"])
    >>> graph.n_nodes, graph.classes
    (3, ['a', 'b'])
    """

    def __init__(self, x=None, edge_index=None, y=None, *, name="graph"):
        edges = np.zeros((0, 2), np.int64) if edge_index is None else np.ascontiguousarray(np.asarray(edge_index).T)
        nodes = len(x)
        classes, label = np.unique(np.asarray(y), return_inverse=True) if y is not None else ([], None)
        self._data = _core.Dataset.from_arrays(
            name=name, nodes=nodes, edges=edges.astype(np.int64),
            features=np.ascontiguousarray(x, np.float32),
            label=None if label is None else label.astype(np.int32), class_names=[str(c) for c in classes],
            target=None, weight=None, type=None, type_names=None, directed=False, columns=None, node_names=None,
            graph_start=None, node_kind=None, splits={}, source="", classes=len(classes))
        self._classes = list(classes)

    @classmethod
    def _wrap(cls, data: Any) -> "Graph":
        """The graph of a data set that the core has made."""
        out = cls.__new__(cls)
        out._data = data
        out._classes = list(data.class_names) or list(range(data.classes))
        return out

    @property
    def n_nodes(self) -> int:
        return self._data.nodes

    @property
    def n_items(self) -> int:
        """What has a label: nodes, or graphs."""
        return self._data.items

    @property
    def classes(self) -> list:
        return self._classes

    @property
    def splits(self) -> Mapping[str, Sequence[tuple]]:
        """Published splits by the name of their set: arrays of training, validation and test items."""
        return self._data.splits
