"""What the arguments of :class:`gdkm.Graph` come to."""

from __future__ import annotations

from typing import Any, Iterable, Sequence

import numpy as np
import scipy.sparse as sp

from . import _core
from ._convert_arrays import as_array, as_edges, as_pairs, as_weights, edges_of_adjacency, shape_text
from ._convert_labels import Labels, as_classes, as_targets
from ._core import InputError


def edges(edge_index: Any, rows: Any, weight: Any, directed: bool | None) -> tuple:
    """(edges (E, 2), weights or None, directed) of ``edge_index`` (2, E) or a matrix, or of ``rows`` (E, 2)."""
    if edge_index is not None and rows is not None:
        raise InputError("edge_index and edges are two forms of the same; give one")
    if sp.issparse(edge_index):
        if weight is not None:
            raise InputError("edge_weight: an adjacency matrix has the weights as its entries; leave it out")
        return edges_of_adjacency(edge_index, directed)
    if rows is not None:
        pairs = as_pairs(rows)
    else:
        pairs = np.zeros((0, 2), np.int32) if edge_index is None else as_edges(edge_index)
    weights = None if weight is None else as_weights(weight, len(pairs))
    return pairs, weights, bool(directed)


def count_nodes(edge_index: Any, pairs: np.ndarray, others: Iterable[Any]) -> int:
    """The nodes of a graph without features: as many as something else has, else as the edges name."""
    if sp.issparse(edge_index):
        return int(edge_index.shape[0])
    for given in others:
        if given is not None:
            return len(given)
    return int(pairs.max()) + 1 if pairs.size else 0


def starts(batch: Any, nodes: int) -> np.ndarray:
    """The first node of each graph, and the number of nodes."""
    number = as_array(batch, "batch")
    if number.shape != (nodes,) or number.dtype.kind not in "iu":
        raise InputError(f"batch: has shape {shape_text(number.shape)} for {nodes} nodes; give the graph of "
                         "each node, whole numbers from 0")
    if nodes == 0 or number[0] < 0 or (np.diff(number) < 0).any():
        raise InputError("batch: the graphs of nodes do not ascend from 0; sort the nodes by their graphs")
    return np.searchsorted(number, np.arange(int(number[-1]) + 2)).astype(np.int32)


def labels(y: Any, targets: Any, regression: bool, classes: Sequence | None, items: int) -> Labels:
    """Classes, or numbers to predict; unknown ones where neither is given."""
    if targets is not None and y is not None:
        raise InputError("y and targets are two names of what is to be predicted; give one")
    if targets is not None or (regression and y is not None):
        return as_targets(y if targets is None else targets, items)
    if y is not None:
        return as_classes(y, items, classes)
    return Labels(None, [] if classes is None else list(classes), None)


def types(edge_type: Any, edges: int) -> tuple[np.ndarray | None, list[str] | None]:
    """The number of each edge's type, and the names of types in the order of an import."""
    if edge_type is None:
        return None, None
    given = as_array(edge_type, "edge_type")
    if given.shape != (edges,):
        raise InputError(f"edge_type: has shape {shape_text(given.shape)} for {edges} edges; give one type "
                         "per edge")
    found, code = np.unique(given.astype(str) if given.dtype.kind == "O" else given, return_inverse=True)
    texts = [str(each) for each in found.tolist()]
    order = _core.natural_order(texts)
    place = {name: k for k, name in enumerate(order)}
    return np.array([place[text] for text in texts], np.int32)[code], order
