"""Many graphs side by side, as one data set of which each graph has a label."""

from __future__ import annotations

import json
from typing import Any, Sequence

import numpy as np
import scipy.sparse as sp

from . import _convert_graph as read
from . import _convert_labels as labels
from . import _core
from ._convert_arrays import as_features
from ._convert_attributed import AttributedGraph, is_igraph, is_networkx, make, read_igraph, read_networkx
from ._convert_pyg import pyg_arguments
from ._core import InputError
from ._graph import Graph


def join(kind: type[Graph], graphs: list, y: Any, *, regression: bool | None = None, classes: Sequence | None = None,
         splits: Any = None, directed: bool | None = None, name: str = "graphs") -> Graph:
    """The data set of :meth:`Graph.from_list`."""
    if not graphs:
        raise InputError("the list has no graphs; give at least one")
    if all(is_networkx(g) or is_igraph(g) for g in graphs):
        whole, start, own = _joined_attributes(graphs, directed, name)
    else:
        whole, start, own = _joined_arrays(graphs, directed)
    if y is None and all(value is not None for value in own):
        y = np.concatenate([np.asarray(value).reshape(1, -1) for value in own])
        y = y[:, 0] if y.shape[1] == 1 else y
        if regression is None and y.dtype.kind == "f":
            regression = bool((y != np.floor(y)).any())
    found = read.labels(y, None, bool(regression), classes, len(graphs))
    data = _core.Dataset.from_arrays(
        **whole, name=name, graph_start=start, label=found.label, target=found.target, classes=len(found.classes),
        class_names=labels.class_names(found.classes), splits=labels.as_splits(splits, len(graphs)))
    return kind._wrap(data, found.classes)


def _starts(sizes: list[int]) -> np.ndarray:
    return np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)


def _joined_attributes(graphs: list, directed: bool | None, name: str) -> tuple[dict, np.ndarray, list]:
    """All graphs are imported as one, so that their columns have the same types and values."""
    parts = [read_networkx(g) if is_networkx(g) else read_igraph(g) for g in graphs]
    start = _starts([len(part.nodes) for part in parts])
    nodes = [f"{k}/{node}" for k, part in enumerate(parts) for node in part.nodes]
    edges = [(u + int(first), v + int(first), a) for part, first in zip(parts, start) for u, v, a in part.edges]
    attributes = [a for part in parts for a in part.attributes]
    whole = AttributedGraph(nodes, attributes, edges, any(part.directed for part in parts))
    data = make(whole, label_key="none", directed=directed, name=name)._data
    has_own = data.columns is not None and json.loads(data.columns)["kind"] == "nodes"
    out = {"nodes": data.nodes, "edges": data.edges, "features": None if has_own else data,
           "weight": data.weight if len(data.weight) else None, "type": data.edge_type if len(data.edge_type) else None,
           "type_names": data.edge_type_names or None, "directed": data.directed}
    facts = [getattr(g, "graph", {}) if is_networkx(g) else {k: g[k] for k in g.attributes()} for g in graphs]
    return out, start, [fact.get("y", fact.get("label")) for fact in facts]


def _joined_arrays(graphs: list, directed: bool | None) -> tuple[dict, np.ndarray, list]:
    parts = [_part(g, directed, k) for k, g in enumerate(graphs)]
    start = _starts([part["nodes"] for part in parts])
    edges = [part["edges"].astype(np.int64) + first for part, first in zip(parts, start)]
    out = {"nodes": int(start[-1]), "edges": np.concatenate(edges), "directed": any(p["directed"] for p in parts),
           "features": _stacked([part["x"] for part in parts]), "weight": None, "type": None, "type_names": None}
    if any(part["weight"] is not None for part in parts):
        out["weight"] = np.concatenate([np.ones(len(p["edges"]), np.float32) if p["weight"] is None else p["weight"]
                                        for p in parts])
    if any(part["type"] is not None for part in parts):
        if any(part["type"] is None and len(part["edges"]) for part in parts):
            raise InputError("the edges of some graphs have types, and those of others have none; give all or none")
        texts = np.concatenate([np.asarray(p["type"] if p["type"] is not None else [], str) for p in parts])
        out["type"], out["type_names"] = read.types(texts, len(texts))
    columns = {part["columns"] for part in parts}
    if len(columns) == 1:
        out["columns"] = columns.pop()
    return out, start, [part["y"] for part in parts]


def _part(graph: Any, directed: bool | None, number: int) -> dict[str, Any]:
    """One graph as arrays."""
    own = None
    if isinstance(graph, (tuple, list)) and len(graph) in (2, 3):
        own = graph[2] if len(graph) == 3 else None
        graph = Graph(graph[0], graph[1], directed=directed, name=f"graph {number}")
    elif is_networkx(graph) or is_igraph(graph):
        raise InputError(f"graph {number}: is of another library than the others; convert all the same way")
    elif not isinstance(graph, Graph):
        if getattr(graph, "edge_index", None) is None:
            raise InputError(f"graph {number}: expected a Graph, a torch_geometric Data, a NetworkX graph or a pair "
                             f"(x, edge_index), got {type(graph).__name__}")
        arguments = pyg_arguments(graph, directed, False)
        own = arguments.pop("y")
        for mask in ("train_mask", "val_mask", "test_mask", "regression"):
            arguments.pop(mask, None)
        graph = Graph(**arguments, name=f"graph {number}")
    if graph.task == "graph":
        raise InputError(f"graph {number}: holds many graphs already; give single ones")
    data = graph._data
    kind = None if data.columns is None else json.loads(data.columns)["kind"]
    types = graph.edge_type
    return {"nodes": graph.n_nodes, "edges": data.edges, "x": None if kind == "nodes" else graph.x, "y": own,
            "weight": graph.edge_weight, "type": None if types is None else np.asarray(graph.edge_type_names)[types],
            "directed": graph.is_directed, "columns": None if kind == "nodes" else data.columns}


def _stacked(features: list) -> Any:
    if all(x is None for x in features):
        return None
    for k, x in enumerate(features):
        if x is None:
            raise InputError(f"graph {k}: has no features, and others have some; give all graphs features, or none")
        if x.shape[1] != features[0].shape[1]:
            raise InputError(f"graph {k}: has {x.shape[1]} features, and graph 0 has {features[0].shape[1]}; give all "
                             "the same columns")
    if any(sp.issparse(x) for x in features):
        return as_features(sp.vstack([sp.csr_array(x) for x in features], format="csr"))[0]
    return np.concatenate(features)
