"""Graphs with features, labels and splits."""

from __future__ import annotations

import os
from typing import Any, Iterable, Sequence

import numpy as np
import scipy.sparse as sp

from . import _convert_arrays as arrays
from . import _convert_graph as read
from . import _convert_labels as labels
from . import _core
from ._core import InputError
from ._graph_facts import GraphFacts

__all__ = ["Graph"]


class Graph(GraphFacts):
    """A graph with features and labels, or many graphs of which each has a label.

    A graph does not change: estimators, threads and copies share its arrays, and arrays that it gives out are
    read-only.

    Parameters
    ----------
    x : array, SciPy sparse matrix or pandas DataFrame with one row per node, optional
        The features of nodes. Arrays are NumPy's, or anything with DLPack or the buffer protocol (tensors of
        PyTorch on the CPU, arrays of JAX). They are copied once, into float32. The columns of a DataFrame have
        types: numbers, flags, categories, ranks, missing values, by the rules of ``gdkm data import``.
        Without features every node of up to 20,000 gets a column of its own; beyond, the degrees of nodes are
        used. ``"degree"``, ``"identity"`` and ``"ones"`` choose. Another graph shares its features.
    edge_index : integer array of shape (2, edges), or SciPy sparse adjacency matrix
        The two ends of each edge, as PyTorch Geometric has them. It does not matter whether an undirected edge
        is given once or in both directions. An entry (j, k) of a matrix is an edge from j to k with that weight.
    y : array of shape (nodes,), optional
        The class of each node (or graph): texts, whole numbers, booleans, a pandas Categorical. ``None``,
        ``nan`` and -1 are unknown. With ``regression=True``, numbers to predict, where ``nan`` is unknown. For
        a DataFrame ``x``, the name of a column.
    edges : integer array of shape (edges, 2), optional
        The edges in another form; instead of ``edge_index``.
    edge_weight : array of shape (edges,), optional
        Positive weights.
    edge_type : array of shape (edges,), optional
        The type of each edge, any labels.
    directed : bool, optional
        Whether an edge does not imply its reverse. By default edges have no direction, and those of a matrix
        have one where it is not symmetric.
    regression : bool
        Whether ``y`` is numbers to predict.
    targets : array of shape (nodes,) or (nodes, k), optional
        Numbers to predict; the same as ``y`` with ``regression=True``.
    classes : list, optional
        All classes in the order of their columns in predictions; by default those of ``y``, sorted.
    node_names : list of str, optional
        One per node; by default the index of a DataFrame, where it is not 0, 1, 2, …
    splits : dict of lists of (train, val, test), optional
        Masks or numbers of items. One list is called ``"public"``; so is one triple.
    train_mask, val_mask, test_mask : arrays of shape (nodes,) or (nodes, splits), optional
        The same as masks, as PyTorch Geometric has them.
    batch : integer array of shape (nodes,), optional
        The graph of each node, ascending, where each graph has a label; see also :meth:`from_list`.
    name : str
        What messages and results call the graph.

    Examples
    --------
    >>> import numpy as np, gdkm
    >>> graph = gdkm.Graph(np.eye(3), [[0, 1], [1, 2]], y=["a", "b", "a"])
    >>> graph
    <gdkm.Graph 'graph': 3 nodes, 2 edges, 3 features, 2 classes>
    >>> graph.classes, graph.labels
    (['a', 'b'], array([0, 1, 0], dtype=int32))
    """

    def __init__(
        self,
        x: Any = None,
        edge_index: Any = None,
        y: Any = None,
        *,
        edges: Any = None,
        edge_weight: Any = None,
        edge_type: Any = None,
        directed: bool | None = None,
        regression: bool = False,
        targets: Any = None,
        classes: Sequence | None = None,
        node_names: Sequence[str] | None = None,
        splits: Any = None,
        train_mask: Any = None,
        val_mask: Any = None,
        test_mask: Any = None,
        batch: Any = None,
        name: str = "graph",
    ) -> None:
        remarks = found = None
        if arrays.is_frame(x):
            from ._convert_pandas import read_nodes

            features, found = read_nodes(x, y, regression, targets, name)
            nodes, remarks = features.nodes, features.remarks
            node_names = (features.node_names or None) if node_names is None else node_names
        elif x is None or isinstance(x, str):
            features, nodes = x, None
        elif isinstance(x, Graph):
            features, nodes = x._data, x.n_nodes
        else:
            features, nodes = arrays.as_features(x)
        pairs, weights, is_directed = read.edges(edge_index, edges, edge_weight, directed)
        if nodes is None:
            per_node = (node_names, batch, y if batch is None else None, train_mask)
            nodes = read.count_nodes(edge_index, pairs, per_node)
        start = None if batch is None else read.starts(batch, nodes)
        items = nodes if start is None else len(start) - 1
        if found is None:
            found = read.labels(y, targets, regression, classes, items)
        sets = labels.as_splits(splits, items)
        masked = labels.mask_splits(train_mask, val_mask, test_mask, items)
        if masked and sets:
            raise InputError("splits and masks are two ways to give splits; give one")
        type_numbers, type_names = read.types(edge_type, len(pairs))
        self._data = _core.Dataset.from_arrays(
            name=str(name), nodes=nodes, edges=pairs, features=features, label=found.label, target=found.target,
            class_names=labels.class_names(found.classes), classes=len(found.classes), weight=weights,
            type=type_numbers, type_names=type_names, directed=is_directed,
            node_names=None if node_names is None else [str(name) for name in node_names], graph_start=start,
            splits={"public": masked} if masked else sets, remarks=remarks)
        self._classes = found.classes

    @classmethod
    def _wrap(cls, data: Any, classes: list | None = None) -> "Graph":
        """The graph of a data set that the core has made."""
        out = cls.__new__(cls)
        out._data = data
        out._classes = labels.class_values(data.class_names, data.classes) if classes is None else classes
        return out

    @classmethod
    def from_list(cls, graphs: Iterable[Any], y: Any = None, **options: Any) -> "Graph":
        """Many graphs as one data set, of which each graph has a label.

        Parameters
        ----------
        graphs : list
            Each a :class:`Graph`, a PyTorch Geometric ``Data``, a NetworkX graph, or a pair (x, edge_index). Without
            features the degrees of nodes are used.
        y : array of shape (graphs,), optional
            The class of each graph, or with ``regression=True`` numbers to predict; by default what graphs have
            as their own ``y``.
        **options
            ``regression``, ``classes``, ``splits``, ``directed`` and ``name``, as for :class:`Graph`.

        Examples
        --------
        >>> import gdkm
        >>> triangle, path = [[0, 1, 2], [1, 2, 0]], [[0, 1], [1, 2]]
        >>> gdkm.Graph.from_list([(None, triangle), (None, path)], y=["ring", "path"])
        <gdkm.Graph 'graphs': 2 graphs, 6 nodes, 5 edges, 3 features, 2 classes>
        """
        from ._convert_list import join

        return join(cls, list(graphs), y, **options)

    # What is made of it -----------------------------------------------------------------------------------------

    def split(self, *spec: Any, n_splits: int | None = None, random_state: int = 0, masks: bool = False) -> Any:
        """Random splits of the items that have a label, with the same share of each class in every part.

        Parameters
        ----------
        *spec : str or numbers
            ``"60/20/20"`` (also ``60, 20, 20``), ``"67/33"`` (train and test, where a fifth of the training part
            validates) or ``"per-class=20,val=500,test=1000"``.
        n_splits : int, optional
            Returns a list of so many splits. Split s depends on ``random_state`` and s alone.
        random_state : int
            The seed.
        masks : bool
            Whether parts are boolean masks; otherwise numbers of items.

        Returns
        -------
        (train, val, test), or a list of them.

        Examples
        --------
        >>> import gdkm
        >>> train, val, test = gdkm.generate("csbm", n=100).split("60/20/20")
        >>> len(train), len(val), len(test)
        (60, 20, 20)
        """
        text = "/".join(str(part) for part in spec) if spec else "60/20/20"
        found = self._data.random_splits(text, random_state, 1 if n_splits is None else n_splits)
        if masks:
            found = [tuple(_mask(part, self.n_items) for part in parts) for parts in found]
        return found[0] if n_splits is None else found

    def with_splits(self, splits: Any) -> "Graph":
        """The same graph with other splits, in any form that :class:`Graph` takes; arrays are shared.

        >>> import gdkm
        >>> graph = gdkm.Graph(None, [[0, 1], [1, 2]], y=[0, 1, 1]).with_splits(([0, 1], [], [2]))
        >>> graph.splits["public"][0][2]
        array([2], dtype=int32)
        """
        return Graph._wrap(self._data.with_splits(labels.as_splits(splits, self.n_items)), self._classes)

    def save(self, path: str | os.PathLike) -> None:
        """Writes the graph as ``.npz``, which :func:`gdkm.load` and the command line read."""
        if os.fspath(path)[-4:] != ".npz":
            raise InputError(f"{os.fspath(path)}: expected a file name that ends in .npz")
        _core.save_npz(self._data, path)

    def to_scipy(self) -> sp.csr_array:
        """The adjacency matrix with weights: entry (j, k) is an edge from j to k. Without direction it is symmetric."""
        from ._convert_out import to_scipy

        return to_scipy(self)

    def to_networkx(self) -> Any:
        """The graph in NetworkX, with ``x``, ``y`` and names as attributes of nodes. Needs NetworkX."""
        from ._convert_out import to_networkx

        return to_networkx(self)

    def to_pyg(self) -> Any:
        """A ``torch_geometric.data.Data``, or a list of them where there are many graphs. Needs PyTorch Geometric."""
        from ._convert_out import to_pyg

        return to_pyg(self)

    # What Python asks -------------------------------------------------------------------------------------------

    def __repr__(self) -> str:
        parts = [f"{self.n_items:,} graphs"] if self.task == "graph" else []
        parts += [f"{self.n_nodes:,} nodes", f"{self.edge_index.shape[1]:,} edges", f"{self.n_features:,} features"]
        if self.is_regression:
            targets = self._data.targets
            parts.append("1 target" if targets == 1 else f"{targets} targets")
        elif self.n_classes:
            parts.append(f"{self.n_classes} class" + ("es" if self.n_classes > 1 else ""))
        return f"<gdkm.Graph '{self.name}': {', '.join(parts)}>"

    def _repr_html_(self) -> str:
        from ._html import graph_table

        return graph_table(self)

    def __len__(self) -> int:
        return self.n_items

    def __eq__(self, other: Any) -> bool:
        if not isinstance(other, Graph):
            return NotImplemented
        return self is other or (self._classes == other._classes and self.fingerprint() == other.fingerprint())

    def __hash__(self) -> int:
        return hash(self.fingerprint())

    def fingerprint(self) -> str:
        """Sixteen digits that change when edges, features, labels or splits do."""
        if getattr(self, "_fingerprint", None) is None:
            self._fingerprint = self._data.fingerprint(True)
        return self._fingerprint

    def __copy__(self) -> "Graph":
        return self

    def __deepcopy__(self, memo: dict) -> "Graph":
        return self

    def __reduce__(self) -> tuple:
        data = self._data
        features = data.features
        state = {
            "name": data.name, "nodes": data.nodes, "edges": data.edges, "features": features,
            "label": data.label, "classes": data.classes, "class_names": data.class_names or None,
            "target": data.target if data.targets else None, "weight": self.edge_weight, "type": self.edge_type,
            "type_names": data.edge_type_names or None, "directed": data.directed, "columns": data.columns,
            "node_names": data.node_names or None,
            "graph_start": data.graph_start if data.task == "graph" else None,
            "node_kind": data.node_kind if len(data.node_kind) else None, "splits": data.splits,
            "source": data.source, "remarks": data.remarks or None,
        }
        return _unpickled, (state, self._classes)


def _unpickled(state: dict, classes: list) -> Graph:
    return Graph._wrap(_core.Dataset.from_arrays(**state), classes)


def _mask(items: np.ndarray, count: int) -> np.ndarray:
    out = np.zeros(count, bool)
    out[items] = True
    return out
