"""Graphs of PyTorch Geometric, which is not imported: what has its attributes will do."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._convert_arrays import as_array
from ._core import InputError
from ._graph import Graph


def from_pyg(data: Any, *, directed: bool | None = None, regression: bool | None = None,
             name: str | None = None) -> Graph:
    """A graph from a ``torch_geometric.data.Data``, or from a dataset such as ``Planetoid`` or ``TUDataset``.

    Features, edges, one weight per edge (``edge_weight``, or ``edge_attr`` with one column), ``edge_type``, labels
    and masks are taken. A dataset of one graph becomes that graph, one of many becomes many graphs with a label each.

    Parameters
    ----------
    data : Data, dataset, or list of Data
    directed : bool, optional
        By default a graph has no direction where every edge is there in both directions.
    regression : bool, optional
        Whether ``y`` is numbers to predict; by default where they are not whole.
    name : str, optional
        By default the name of the dataset.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> import numpy as np, gdkm
    >>> data = SimpleNamespace(x=np.eye(3), edge_index=np.array([[0, 1, 1, 2], [1, 0, 2, 1]]), y=np.array([0, 1, 0]))
    >>> gdkm.from_pyg(data)
    <gdkm.Graph 'graph': 3 nodes, 2 edges, 3 features, 2 classes>
    """
    if hasattr(data, "node_types") or hasattr(data, "edge_types"):
        raise InputError("the graph has several types of nodes; make one of them with .to_homogeneous()")
    if not _is_dataset(data):
        if getattr(data, "edge_index", None) is None:
            raise InputError(f"expected a torch_geometric Data or dataset, got {type(data).__name__} without edge_index")
        return Graph(**pyg_arguments(data, directed, regression), name=name or "graph")
    if len(data) == 0:
        raise InputError("the dataset has no graphs; give at least one")
    label = name or getattr(data, "name", None) or type(data).__name__
    if len(data) == 1:
        arguments = pyg_arguments(data[0], directed, regression)
        known = _class_count(data, arguments)
        return Graph(**arguments, classes=known, name=str(label))
    options = {} if regression is None else {"regression": regression}
    return Graph.from_list([data[k] for k in range(len(data))], directed=directed, name=str(label), **options)


def _is_dataset(data: Any) -> bool:
    """A list, or a dataset; these have attributes of their graphs too, and graphs have a length."""
    return isinstance(data, (list, tuple)) or hasattr(type(data), "num_classes")


def pyg_arguments(data: Any, directed: bool | None, regression: bool | None) -> dict[str, Any]:
    """The arguments of :class:`Graph` that a graph of PyTorch Geometric comes to."""
    out: dict[str, Any] = {"x": getattr(data, "x", None), "y": getattr(data, "y", None)}
    edges = as_array(data.edge_index, "edge_index")
    weight = getattr(data, "edge_weight", None)
    if weight is None:
        weight = getattr(data, "edge_attr", None)
        weight = weight if weight is not None and (weight.ndim == 1 or weight.shape[1] == 1) else None
    arrays = {"edge_index": edges, "edge_weight": weight, "edge_type": getattr(data, "edge_type", None)}
    if directed is None:
        directed = not is_symmetric(edges, arrays["edge_weight"], arrays["edge_type"])
        if not directed:
            keep = edges[0] <= edges[1]
            arrays = {key: None if a is None else as_array(a, key)[..., keep] if key == "edge_index"
                      else as_array(a, key)[keep] for key, a in arrays.items()}
    out.update(arrays, directed=directed)
    if out["x"] is None and getattr(data, "num_nodes", None):
        out["node_names"] = range(int(data.num_nodes))
    for mask in ("train_mask", "val_mask", "test_mask"):
        out[mask] = getattr(data, mask, None)
    if out["y"] is not None:
        out["regression"] = _is_regression(out["y"]) if regression is None else regression
    return out


def is_symmetric(edges: np.ndarray, weight: Any, types: Any) -> bool:
    """Whether every edge is there in both directions, with the same weight and type."""
    if edges.ndim != 2 or edges.shape[0] != 2 or edges.size == 0:
        return True
    keys = [as_array(a, "edges").reshape(-1) for a in (weight, types) if a is not None]
    up, down = edges[0] < edges[1], edges[0] > edges[1]
    if up.sum() != down.sum():
        return False

    def ordered(which: np.ndarray, first: int) -> list[np.ndarray]:
        rows = [edges[first][which], edges[1 - first][which], *(key[which] for key in keys)]
        order = np.lexsort(rows)
        return [row[order] for row in rows]

    return all(np.array_equal(a, b) for a, b in zip(ordered(up, 0), ordered(down, 1)))


def _is_regression(y: Any) -> bool:
    values = as_array(y, "y")
    if values.dtype.kind != "f":
        return False
    known = values[~np.isnan(values)]
    return bool((known != np.floor(known)).any())


def _class_count(dataset: Any, arguments: dict[str, Any]) -> list[int] | None:
    """All classes of a dataset, of which some may have no node."""
    y = arguments["y"]
    if y is None or arguments["regression"] or as_array(y, "y").ndim != 1:
        return None
    count = getattr(dataset, "num_classes", None)
    return list(range(int(count))) if count else None
