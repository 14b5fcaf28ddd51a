"""Arrays of any library as the core takes them, without a copy where their layout allows it."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp

from ._core import InputError

_NUMBERS = "fiub"


def as_array(values: Any, what: str) -> np.ndarray:
    """The array that ``values`` is or holds: NumPy, DLPack, the buffer protocol, a tensor on the CPU, or lists."""
    if isinstance(values, np.ndarray):
        return values
    if hasattr(values, "detach"):  # a tensor of PyTorch may be part of a computation
        values = values.detach()
    device = getattr(values, "device", None)
    place = str(getattr(device, "type", device) or "cpu").lower()
    if hasattr(values, "cpu") and "cpu" not in place:
        raise InputError(f"{what}: is on the device '{device}'; move it to the CPU with .cpu()")
    if getattr(values, "is_sparse", False) is True:
        raise InputError(f"{what}: is a sparse tensor; give a SciPy matrix, or its edge_index")
    try:
        if hasattr(values, "__dlpack__") and not hasattr(values, "__array__"):
            return np.from_dlpack(values)
        return np.asarray(values)
    except (TypeError, ValueError, RuntimeError, BufferError) as error:
        raise InputError(f"{what}: cannot be read as an array ({error})") from error


def shape_text(shape: tuple[int, ...]) -> str:
    return "(" + ", ".join(map(str, shape)) + ("," if len(shape) == 1 else "") + ")"


def as_numbers(values: Any, what: str) -> np.ndarray:
    """Numbers of a type that the core reads as it is; others are converted once."""
    out = as_array(values, what)
    if out.dtype.kind in _NUMBERS and out.dtype.itemsize <= 8 and out.dtype != np.float16 and out.dtype.isnative:
        return out
    if out.dtype.kind == "c":
        raise InputError(f"{what}: has complex numbers; give real ones")
    try:
        return out.astype(np.float32)
    except (TypeError, ValueError) as error:
        raise InputError(f"{what}: expected numbers, got {out.dtype} ({error}); give a pandas table to have "
                         "texts as categories") from error


def is_frame(values: Any) -> bool:
    """Whether it is a pandas DataFrame, without importing pandas."""
    return hasattr(values, "columns") and hasattr(values, "index") and hasattr(values, "to_csv")


def as_features(x: Any) -> tuple[Any, int]:
    """What ``Dataset.from_arrays`` takes as features, and the number of rows."""
    if sp.issparse(x):
        rows = sp.csr_array(x) if x.format == "csr" else x.tocsr()
        if not rows.has_canonical_format:
            rows = rows.copy()
            rows.sum_duplicates()
        return (as_numbers(rows.data, "x"), rows.indices, rows.indptr, int(rows.shape[1])), int(rows.shape[0])
    out = as_numbers(x, "x")
    if out.ndim == 1:
        out = out[:, None]
    if out.ndim != 2:
        raise InputError(f"x: has shape {shape_text(out.shape)}; give one row per node, shape (n, d)")
    return out, int(out.shape[0])


def as_edges(edge_index: Any) -> np.ndarray:
    """A view (E, 2) of node numbers; ``edge_index`` is (2, E)."""
    out = as_array(edge_index, "edge_index")
    if out.size == 0:
        return np.zeros((0, 2), np.int32)
    if out.ndim != 2 or out.shape[0] != 2:
        hint = " (transpose it, or give it as edges=)" if out.ndim == 2 and out.shape[1] == 2 else ""
        raise InputError(f"edge_index: has shape {shape_text(out.shape)}; give two rows, shape (2, E){hint}")
    return _whole(out, "edge_index").T


def as_pairs(edges: Any) -> np.ndarray:
    """The same of an (E, 2) array."""
    out = as_array(edges, "edges")
    if out.size == 0:
        return np.zeros((0, 2), np.int32)
    if out.ndim != 2 or out.shape[1] != 2:
        hint = " (transpose it, or give it as edge_index=)" if out.ndim == 2 and out.shape[0] == 2 else ""
        raise InputError(f"edges: has shape {shape_text(out.shape)}; give one pair of nodes per row, "
                         f"shape (E, 2){hint}")
    return _whole(out, "edges")


def _whole(out: np.ndarray, what: str) -> np.ndarray:
    if out.dtype.kind not in "iu":
        raise InputError(f"{what}: expected whole numbers, got {out.dtype}; give the numbers of nodes, from 0")
    return out if out.dtype.isnative else out.astype(np.int64)


def as_weights(weight: Any, edges: int) -> np.ndarray | None:
    """One weight per edge; None where all are 1."""
    out = as_numbers(weight, "edge_weight")
    if out.ndim == 2 and out.shape[1] == 1:
        out = out[:, 0]
    if out.shape != (edges,):
        raise InputError(f"edge_weight: has shape {shape_text(out.shape)} for {edges} edges; give one weight "
                         "per edge")
    return None if out.size > 0 and bool((out == 1).all()) else out


def edges_of_adjacency(adjacency: Any, directed: bool | None) -> tuple[np.ndarray, np.ndarray | None, bool]:
    """(edges (E, 2), weights or None, directed) of a square matrix. A symmetric one gives each edge once."""
    a = sp.coo_array(adjacency)
    if a.shape[0] != a.shape[1]:
        raise InputError(f"the adjacency matrix has shape {shape_text(a.shape)}; give a square one")
    a.sum_duplicates()
    a.eliminate_zeros()
    if directed is None:
        turned = a.tocsr() - a.T.tocsr()
        directed = turned.nnz > 0 and bool(np.any(turned.data))
        if not directed:
            keep = a.row <= a.col
            a = sp.coo_array((a.data[keep], (a.row[keep], a.col[keep])), shape=a.shape)
    weights = as_weights(a.data, a.nnz)
    return np.stack([a.row, a.col], axis=1), weights, directed
