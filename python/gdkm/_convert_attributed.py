"""Graphs of NetworkX and igraph, whose nodes and edges have attributes."""

from __future__ import annotations

import json
from typing import Any, Mapping, Sequence

import numpy as np

from . import _core
from ._convert_pandas import column_rules
from ._core import InputError
from ._graph import Graph


class AttributedGraph:
    """Ids of nodes, edges between their places, and attributes: the same for both libraries."""

    def __init__(self, nodes: list, attributes: list[dict], edges: list[tuple[int, int, dict]], directed: bool) -> None:
        self.nodes, self.attributes, self.edges, self.directed = nodes, attributes, edges, directed

    def to_json(self) -> str:
        names = [str(node) for node in self.nodes]
        nodes = [{**_texts(a), "id": name} for name, a in zip(names, self.attributes)]
        links = [{**_texts(a), "source": names[u], "target": names[v]} for u, v, a in self.edges]
        return json.dumps({"directed": self.directed, "nodes": nodes, "links": links}, default=_plain)


def is_networkx(graph: Any) -> bool:
    return hasattr(graph, "nodes") and hasattr(graph, "adj") and hasattr(graph, "is_directed")


def is_igraph(graph: Any) -> bool:
    return hasattr(graph, "vs") and hasattr(graph, "es") and hasattr(graph, "is_directed")


def read_networkx(graph: Any) -> AttributedGraph:
    nodes = list(graph.nodes)
    place = {node: k for k, node in enumerate(nodes)}
    edges = [(place[u], place[v], attributes) for u, v, attributes in graph.edges(data=True)]
    return AttributedGraph(nodes, [dict(graph.nodes[node]) for node in nodes], edges, bool(graph.is_directed()))


def read_igraph(graph: Any) -> AttributedGraph:
    attributes = [vertex.attributes() for vertex in graph.vs]
    named = "name" in graph.vs.attributes() and len(set(graph.vs["name"])) == len(attributes)
    nodes = [a.pop("name") for a in attributes] if named else list(range(len(attributes)))
    edges = [(edge.source, edge.target, edge.attributes()) for edge in graph.es]
    return AttributedGraph(nodes, attributes, edges, bool(graph.is_directed()))


def from_networkx(graph: Any, **options: Any) -> Graph:
    """A graph from a NetworkX graph, the same as ``gdkm data import`` makes of its node-link JSON.

    Parameters
    ----------
    graph : networkx.Graph, DiGraph, MultiGraph or MultiDiGraph
    x : str, list of str or array, optional
        The features: an attribute of nodes that holds numbers or vectors, several of them, or an array with a row
        for each node in their order. By default all attributes become typed columns.
    label_key, weight_key, type_key : str, optional
        The attribute of nodes with the class, those of edges with weight and type, or ``"none"``. By default they
        are found by usual names (``label``, ``club``; ``weight``; ``type``).
    y : array, optional
        The classes of nodes in their order, instead of ``label_key``.
    categories, ordinal, ignore_columns, missing, regression, directed, name
        As for :func:`gdkm.from_pandas`.

    Examples
    --------
    >>> import networkx as nx, gdkm
    >>> gdkm.from_networkx(nx.karate_club_graph(), name="karate")
    <gdkm.Graph 'karate': 34 nodes, 78 edges, 34 features, 2 classes>
    """
    if not is_networkx(graph):
        raise InputError(f"expected a NetworkX graph, got {type(graph).__name__}")
    return make(read_networkx(graph), **{"name": str(graph.name or "graph"), **options})


def from_igraph(graph: Any, **options: Any) -> Graph:
    """A graph from an igraph graph; everything else is as for :func:`from_networkx`.

    Examples
    --------
    >>> import igraph, gdkm
    >>> gdkm.from_igraph(igraph.Graph.Ring(5))
    <gdkm.Graph 'graph': 5 nodes, 5 edges, 5 features>
    """
    if not is_igraph(graph):
        raise InputError(f"expected an igraph graph, got {type(graph).__name__}")
    return make(read_igraph(graph), **options)


def make(graph: AttributedGraph, *, x: Any = None, y: Any = None, label_key: str | None = None,
         weight_key: str | None = None, type_key: str | None = None, categories: Sequence[str] = (),
         ordinal: Mapping[str, Sequence] | None = None, ignore_columns: Sequence[str] = (), missing: str = "fill",
         regression: bool = False, directed: bool | None = None, name: str = "graph", batch: Any = None) -> Graph:
    """The :class:`Graph` of it."""
    if not graph.nodes:
        raise InputError("the graph has no nodes")
    if x is not None and not hasattr(x, "shape"):
        names = [x] if isinstance(x, str) else list(x)
        x = np.hstack([_matrix(graph, each) for each in names])
        graph.attributes = [{k: v for k, v in a.items() if k not in names} for a in graph.attributes]
    if directed is not None:
        graph.directed = directed
    words = {"label": "none" if y is not None else label_key, "weight": weight_key, "type": type_key}
    data = _core.import_node_link(graph.to_json(), {k: w for k, w in words.items() if w},
                                  column_rules(None, categories, ordinal, ignore_columns, missing),
                                  regression and y is None, name)
    made = Graph._wrap(data)
    if x is None and y is None and batch is None:
        return made
    if y is None:
        y = made.y if batch is None and (made.classes or made.is_regression) else None
    types = made.edge_type
    return Graph(made if x is None else x, made.edge_index, y, edge_weight=made.edge_weight,
                 edge_type=None if types is None else np.asarray(made.edge_type_names)[types],
                 directed=made.is_directed, regression=regression, node_names=made.node_names or None, batch=batch,
                 name=name)


def _matrix(graph: AttributedGraph, attribute: str) -> np.ndarray:
    rows = []
    for node, attributes in zip(graph.nodes, graph.attributes):
        if attribute not in attributes:
            raise InputError(f"node {node!r} has no attribute {attribute!r}; give every node one")
        rows.append(np.asarray(attributes[attribute], np.float32).reshape(-1))
    if len({len(row) for row in rows}) > 1:
        raise InputError(f"attribute {attribute!r}: has vectors of different lengths; give all nodes the same")
    return np.stack(rows)


def _texts(attributes: Mapping) -> dict[str, Any]:
    return {str(key): value for key, value in attributes.items()}


def _plain(value: Any) -> Any:
    """What JSON does not know: NumPy's numbers and arrays, sets, dates."""
    if isinstance(value, np.generic):
        return value.item()
    if hasattr(value, "tolist"):
        return value.tolist()
    return str(value)
