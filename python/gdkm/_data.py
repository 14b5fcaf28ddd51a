"""Graphs by name, from files and from generators."""

from __future__ import annotations

import os
from typing import Any

from . import _core
from ._core import InputError
from ._graph import Graph


def load(data: str | os.PathLike, data_dir: str | os.PathLike | None = None, *, threads: int = 0) -> Graph:
    """Loads a graph: a file or folder, a generator (``"csbm:n=500"``) or the name of a data set (``"cora"``).

    Parameters
    ----------
    data : str or path
        Names are those of :func:`list_datasets`. They are looked for in ``data_dir``, then in ``$GDKM_DATA``, then in
        the user's cache folder.
    data_dir : str or path, optional
    threads : int
        Threads that read; 0 means one per core.

    Examples
    --------
    >>> import gdkm
    >>> gdkm.load("csbm:n=200,classes=3").n_nodes
    200
    """
    return Graph._wrap(_core.load(os.fspath(data), data_dir, threads))


def generate(name: str, **options: Any) -> Graph:
    """Draws a random graph: ``"csbm"``, ``"minesweeper"``, ``"er"`` or ``"ring"``.

    Options are those of the command line; ``gdkm data generate --help`` lists them. ``random_state`` is the seed.

    Examples
    --------
    >>> import gdkm
    >>> gdkm.generate("csbm", n=300, homophily=0.2)
    <gdkm.Graph 'csbm:n=300,homophily=0.2': 300 nodes, 1,576 edges, 32 features, 4 classes>
    """
    if "random_state" in options:
        if "seed" in options:
            raise InputError("seed and random_state are two names of the same; give one")
        options["seed"] = options.pop("random_state")
    words = ",".join(f"{key.replace('_', '-')}={_word(value)}" for key, value in options.items())
    return Graph._wrap(_core.load(f"{name}:{words}", None, 0))


def _word(value: Any) -> str:
    return str(int(value)) if isinstance(value, bool) else str(value)


def list_datasets(data_dir: str | os.PathLike | None = None) -> list[dict[str, Any]]:
    """The data sets that are known by name, and those that :func:`load` finds in the data folders.

    Each is a dict with ``name``, ``title``, ``task``, ``source``, ``licence`` and ``available``, which says whether
    it is in a data folder; ``pandas.DataFrame(gdkm.list_datasets())`` is a table of them.

    Examples
    --------
    >>> import gdkm
    >>> [each["task"] for each in gdkm.list_datasets() if each["name"] == "cora"]
    ['node']
    """
    here = {name.lower(): name for name in _core.dataset_names(data_dir)}
    out = []
    for entry in _core.catalogue():
        known = {key: entry[key] for key in ("name", "title", "task", "source", "licence")}
        out.append({**known, "available": here.pop(entry["name"].lower(), None) is not None})
    for name in here.values():
        out.append({"name": name, "title": "", "task": None, "source": "", "licence": "", "available": True})
    return out


def from_scipy(adjacency: Any, x: Any = None, y: Any = None, **options: Any) -> Graph:
    """A graph from a SciPy sparse adjacency matrix, or a dense one.

    An entry (j, k) is an edge from j to k with that weight. Without ``directed`` the graph has a direction where the
    matrix is not symmetric. Everything else is as for :class:`Graph`.

    Examples
    --------
    >>> import scipy.sparse, gdkm
    >>> gdkm.from_scipy(scipy.sparse.csr_array([[0, 2], [2, 0]])).edge_weight
    array([2.], dtype=float32)
    """
    import scipy.sparse as sp

    return Graph(x, adjacency if sp.issparse(adjacency) else sp.coo_array(adjacency), y, **options)
