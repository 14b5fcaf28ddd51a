"""Graphs by name, from files and from generators."""

from __future__ import annotations

from . import _core
from ._graph import Graph


def load(data: str, data_dir=None, *, threads: int = 0) -> Graph:
    """Loads a graph: a file or folder, a generator (``"csbm:n=500"``) or the name of a data set (``"cora"``).

    >>> import gdkm
    >>> gdkm.load("csbm:n=200,classes=3").n_nodes
    200
    """
    return Graph._wrap(_core.load(str(data), data_dir, threads))


def generate(name: str, **options) -> Graph:
    """Draws a random graph: ``"csbm"``, ``"minesweeper"`` or ``"er"``.

    >>> import gdkm
    >>> gdkm.generate("csbm", n=300, homophily=0.2).n_nodes
    300
    """
    words = ",".join(f"{key}={value}" for key, value in options.items())
    return Graph._wrap(_core.load(f"{name}:{words}", None, 0))
