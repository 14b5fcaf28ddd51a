"""What a fitted model has learned: features, kernels, similar items."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from . import _core
from ._core import InputError
from ._fit_data import as_items

_MOST_KERNEL_ROWS = 5000


class Learned:
    """The part of an estimator that shows what it has learned."""

    model_: Any
    graph_: Any
    card_: dict[str, Any]
    _regression: bool
    _data_of: Any
    _graph_and_items: Any
    _predictions: Any

    def features(self, graph: Any = None, layer: int = -1, *, of: str = "items") -> np.ndarray:
        """The features of a layer: one row per node, or per graph of a graph task.

        Parameters
        ----------
        graph : Graph, mask or item numbers, optional
            By default all items of the training graph.
        layer : int
            The Gram layer (or hidden layer of a GCN), counted from 0; −1: what the readout takes.
        of : 'items' or 'nodes'
            Of a graph task: rows of graphs, pooled as the readout does, or rows of nodes.
        """
        graph, items = self._graph_and_items(graph)
        values, names = self.model_.features(self._data_of(graph), layer, _of_items(of))
        kept = kept_items(graph, names, len(values)) if of == "items" or graph._data.task == "node" else None
        if kept is not None:
            every = np.full((graph.n_items, values.shape[1]), np.nan)
            every[kept] = values
            values = every
        return values if items is None else values[items]

    def kernel(self, graph: Any = None, rows: Any = None, columns: Any = None, layer: int = -1, *,
               of: str = "items") -> np.ndarray:
        """A block of the kernel of a layer between items (or nodes) of a graph.

        Parameters
        ----------
        graph : Graph, optional
            By default the training graph.
        rows, columns : masks or item numbers, optional
            By default ``columns`` are ``rows``. Without both, the kernel over all items, if they are at most 5,000.
        layer : int
            See :meth:`features`; exact models have −1 alone.
        of : 'items' or 'nodes'
            See :meth:`features`.
        """
        graph, items = self._graph_and_items(graph)
        count = graph.n_items if _of_items(of) else graph._data.nodes
        if items is not None:
            raise InputError("graph: expected a graph; items are named by rows and columns")
        if rows is None and columns is None and count > _MOST_KERNEL_ROWS:
            raise InputError(f"the kernel over all {count} items would take {8e-9 * count * count:.1f} GB; name rows, "
                             "or rows and columns, or use features(), whose products it is")
        everything = np.arange(count, dtype=np.int32)
        rows = everything if rows is None else as_items(rows, count, "rows")
        columns = (rows if columns is None else as_items(columns, count, "columns"))
        rows, columns = self._renumbered(graph, rows, "rows"), self._renumbered(graph, columns, "columns")
        return self.model_.kernel(self._data_of(graph), np.ascontiguousarray(rows, np.int32),
                                  np.ascontiguousarray(columns, np.int32), layer, _of_items(of))

    def _kept_numbers(self, graph: Any) -> np.ndarray | None:
        if not self.card_["options"].get("largest_component", False):
            return None
        out = self.model_.predict(self._data_of(graph))
        return kept_items(graph, out["names"], len(out["values"]))

    def _renumbered(self, graph: Any, items: np.ndarray, what: str) -> np.ndarray:
        """Items as the core numbers them after preprocessing."""
        kept = self._kept_numbers(graph)
        if kept is None:
            return items
        number = np.full(graph.n_items, -1, np.int32)
        number[kept] = np.arange(len(kept))
        if (number[items] < 0).any():
            raise InputError(f"{what}: some are outside the largest component, and largest_component=True leaves them out")
        return number[items]

    def cka(self, other: Any = None, *, items: Any = None, layer: int = -1) -> float:
        """Centred kernel alignment of the model's kernel, between 0 and 1.

        Parameters
        ----------
        other : kernel matrix or fitted estimator, optional
            What the kernel is compared with; by default the kernel of the labels (items of a class are alike, all
            others are not).
        items : mask or item numbers, optional
            Of the training graph; by default all, or with labels all that have one.
        layer : int
            See :meth:`features`.
        """
        graph, _ = self._graph_and_items(None)
        numbers = np.arange(graph.n_items, dtype=np.int32) if items is None else as_items(items, graph.n_items, "items")
        if other is None:
            return self._cka_with_labels(graph, numbers, layer)
        own = self.kernel(rows=numbers, layer=layer)
        if isinstance(other, Learned):
            other = other.kernel(graph if other.graph_ is not graph else None, rows=numbers, layer=layer)
        return _core.cka(own, np.ascontiguousarray(other, np.float64))

    def _cka_with_labels(self, graph: Any, numbers: np.ndarray, layer: int) -> float:
        if self._regression:
            raise InputError("cka: numbers to predict have no classes; give another kernel")
        label = self._predictions(graph)["label"]
        numbers = numbers[label[numbers] >= 0]
        if self.card_["options"].get("exact", False):
            alike = label[numbers][:, None] == label[numbers][None, :]
            return _core.cka(self.kernel(rows=numbers), np.ascontiguousarray(alike, np.float64))
        rows = np.ascontiguousarray(self.features(numbers, layer), np.float64)
        classes = np.ascontiguousarray(label[numbers], np.int32)
        return _core.cka_with_labels(rows, classes, self.card_["classes"])

    def explain(self, nodes: Any = None, *, count: int = 5, graph: Any = None) -> dict[str, np.ndarray]:
        """The training items that the model finds most similar.

        Parameters
        ----------
        nodes : mask or item numbers, optional
            By default all.
        count : int
            How many training items for each.
        graph : Graph, optional
            The graph of ``nodes``; by default the training graph.

        Returns
        -------
        dict
            ``items`` (numbers of training items, nearest first), ``similarity`` (the learned kernel, 1 for equal
            items) and ``y`` (their labels), each an array with a row for each of ``nodes``.
        """
        check_is_fitted(self)
        if self.graph_ is None:
            raise InputError("the model was loaded from a file and has no training graph; set graph_ to the graph that it "
                             "was trained on")
        there = self.graph_ if graph is None else graph
        out = self.model_.nearest(self._data_of(there), self._data_of(self.graph_), count)
        item, similarity = out["item"], out["similarity"]
        own = self._kept_numbers(self.graph_)
        item = item if own is None else own[item]
        if nodes is not None:
            numbers = self._renumbered(there, as_items(nodes, there.n_items, "nodes"), "nodes")
            item, similarity = item[numbers], similarity[numbers]
        return {"items": item, "similarity": similarity, "y": self._labels_of_items(item)}

    def _labels_of_items(self, items: np.ndarray) -> np.ndarray:
        raise NotImplementedError


def _of_items(of: str) -> bool:
    if of not in ("items", "nodes"):
        raise InputError(f"of={of!r}: expected 'items' or 'nodes'")
    return of == "items"


def kept_items(graph: Any, names: list[str], count: int) -> np.ndarray | None:
    """The numbers of the items that preprocessing has kept; None where it kept all."""
    if count == graph.n_items:
        return None
    own = graph._data.node_names
    if not own:
        return np.array([int(name) for name in names], np.int64)
    number = {name: k for k, name in enumerate(own)}
    return np.array([number[name] for name in names], np.int64)
