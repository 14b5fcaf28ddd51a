"""Graphs as other libraries have them."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp


def to_scipy(graph: Any) -> sp.csr_array:
    """The adjacency matrix. A repeated edge counts once, with its largest weight, as it does in models."""
    from_, to, weight, _ = both_directions(graph)
    return sp.coo_array((weight, (from_, to)), shape=(graph.n_nodes, graph.n_nodes)).tocsr()


def both_directions(graph: Any, by_type: bool = False) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray | None]:
    """(from, to, weight, type) of each edge once; without direction, once in each of the two. With ``by_type``
    edges of different types are different."""
    from_, to = graph.edge_index.astype(np.int64)
    weight = np.ones(len(from_), np.float32) if graph.edge_weight is None else graph.edge_weight
    types = graph.edge_type if by_type else None
    if not graph.is_directed:
        turned = from_ != to
        from_, to = np.concatenate([from_, to[turned]]), np.concatenate([to, from_[turned]])
        weight = np.concatenate([weight, weight[turned]])
        types = None if types is None else np.concatenate([types, types[turned]])
    keys = (-weight, to, from_) if types is None else (-weight, types, to, from_)
    order = np.lexsort(keys)
    from_, to, weight = from_[order], to[order], weight[order]
    types = None if types is None else types[order]
    first = np.ones(len(order), bool)
    first[1:] = (np.diff(from_) != 0) | (np.diff(to) != 0)
    if types is not None:
        first[1:] |= np.diff(types) != 0
    return from_[first], to[first], weight[first], None if types is None else types[first]


def to_networkx(graph: Any) -> Any:
    import networkx as nx

    typed = graph.edge_type is not None
    kinds = {(False, False): nx.Graph, (True, False): nx.DiGraph, (False, True): nx.MultiGraph,
             (True, True): nx.MultiDiGraph}
    out = kinds[graph.is_directed, typed](name=graph.name)
    names = graph.node_names or list(range(graph.n_nodes))
    x = graph.x.toarray() if sp.issparse(graph.x) else graph.x
    y = graph.y if graph.task == "node" else None
    for k, node in enumerate(names):
        attributes = {"x": x[k].tolist()}
        if y is not None and graph.labels[k] >= 0:
            attributes["y"] = y[k].tolist() if hasattr(y[k], "tolist") else y[k]
        out.add_node(node, **attributes)
    from_, to, weight, types = both_directions(graph, by_type=True)
    for k in range(len(from_)):
        if not graph.is_directed and from_[k] > to[k]:
            continue
        attributes = {} if graph.edge_weight is None else {"weight": float(weight[k])}
        if types is not None:
            attributes["type"] = graph.edge_type_names[types[k]]
        out.add_edge(names[from_[k]], names[to[k]], **attributes)
    return out


def to_pyg(graph: Any) -> Any:
    import torch
    from torch_geometric.data import Data

    x = torch.tensor(graph.x.toarray() if sp.issparse(graph.x) else graph.x, dtype=torch.float32)
    from_, to, weight, types = both_directions(graph, by_type=True)
    edges = torch.from_numpy(np.stack([from_, to]))
    y = torch.tensor(graph.y if graph.is_regression else graph.labels,
                     dtype=torch.float32 if graph.is_regression else torch.int64)
    out = Data(x=x, edge_index=edges)
    if graph.edge_weight is not None:
        out.edge_weight = torch.from_numpy(weight)
    if types is not None:
        out.edge_type = torch.from_numpy(types.astype(np.int64))
    if graph.task == "node":
        out.y = y
        _add_masks(out, graph, torch)
        return out
    return _graphs(out, graph, y, Data)


def _add_masks(out: Any, graph: Any, torch: Any) -> None:
    sets = graph.splits
    if not sets:
        return
    splits = sets["public"] if "public" in sets else next(iter(sets.values()))
    for part, name in enumerate(("train_mask", "val_mask", "test_mask")):
        mask = np.zeros((graph.n_items, len(splits)), bool)
        for s, split in enumerate(splits):
            mask[split[part], s] = True
        setattr(out, name, torch.from_numpy(mask[:, 0] if len(splits) == 1 else mask))


def _graphs(whole: Any, graph: Any, y: Any, data: Any) -> list:
    """The parts of ``whole``, one for each graph. Edges are sorted by the graphs that they are in."""
    start = graph._data.graph_start.astype(np.int64)
    edge = np.searchsorted(whole.edge_index[0].numpy(), start)
    out = []
    for g in range(graph.n_items):
        nodes, edges = slice(start[g], start[g + 1]), slice(edge[g], edge[g + 1])
        each = data(x=whole.x[nodes], edge_index=whole.edge_index[:, edges] - int(start[g]), y=y[g:g + 1])
        for name in ("edge_weight", "edge_type"):
            if getattr(whole, name, None) is not None:
                setattr(each, name, getattr(whole, name)[edges])
        out.append(each)
    return out
