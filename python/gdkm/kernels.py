"""Kernels on arrays: the nonlinearities that models have between their layers.

A kernel nonlinearity Φ maps a Gram matrix G to another: K_ij depends on G_ij, G_ii and G_jj. ``arccos`` is that of
√2·ReLU, ``rbf`` is exp(−½(G_ii + G_jj − 2 G_ij)), and ``linear`` leaves G as it is.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core

__all__ = ["arccos", "linear", "of_gram", "rbf"]

Array = NDArray[np.float64]


def _rows(x: ArrayLike, name: str) -> Array:
    out = np.ascontiguousarray(x, dtype=np.float64)
    if out.ndim != 2:
        raise _core.InputError(f"{name}: expected a matrix with one row per point, got {out.ndim} dimensions")
    return out


def _between(x: ArrayLike, y: ArrayLike | None, kernel: str) -> Array:
    a = _rows(x, "x")
    if y is None:
        return of_gram(a @ a.T, kernel)
    b = _rows(y, "y")
    if a.shape[1] != b.shape[1]:
        raise _core.InputError(f"x has {a.shape[1]} columns and y has {b.shape[1]}; they must be the same")
    norms = [np.sqrt(np.einsum("ij,ij->i", each, each)) for each in (a, b)]
    return _core.kernel_between(a @ b.T, *norms, kernel)


def arccos(x: ArrayLike, y: ArrayLike | None = None) -> Array:
    """The arc-cosine kernel of order 1 between rows of x and rows of y, scaled so that its diagonal is ‖x‖².

    >>> import numpy as np
    >>> from gdkm import kernels
    >>> kernels.arccos(np.eye(2)).round(4)
    array([[1.    , 0.3183],
           [0.3183, 1.    ]])
    """
    return _between(x, y, "arccos")


def rbf(x: ArrayLike, y: ArrayLike | None = None, length: float = 1.0) -> Array:
    """exp(−‖x − y‖² / (2 length²)).

    >>> import numpy as np
    >>> from gdkm import kernels
    >>> float(kernels.rbf([[0.0]], [[1.0]])[0, 0].round(4))
    0.6065
    """
    scaled = [None if each is None else _rows(each, "x") / length for each in (x, y)]
    return _between(scaled[0], scaled[1], "rbf")


def linear(x: ArrayLike, y: ArrayLike | None = None) -> Array:
    """x yᵀ."""
    return _between(x, y, "linear")


def of_gram(gram: ArrayLike, kernel: str = "arccos") -> Array:
    """Φ(G) of a whole Gram matrix.

    >>> import numpy as np
    >>> from gdkm import kernels
    >>> kernels.of_gram(np.eye(2), "arccos").round(4)
    array([[1.    , 0.3183],
           [0.3183, 1.    ]])
    """
    g = _rows(gram, "gram")
    if g.shape[0] != g.shape[1]:
        raise _core.InputError(f"gram: expected a square matrix, got {g.shape[0]} x {g.shape[1]}")
    return _core.kernel_of_gram(g, kernel)
