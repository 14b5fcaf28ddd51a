"""The scores that gdkm reports, on arrays."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from . import _core

__all__ = ["classification", "regression"]


def classification(labels: ArrayLike, probabilities: ArrayLike) -> dict[str, Any]:
    """Scores of class probabilities.

    Parameters
    ----------
    labels : integer array of shape (items,)
        Class numbers; items with -1 are left out.
    probabilities : array of shape (items, classes)

    Returns
    -------
    dict
        ``accuracy``, ``nll`` (mean negative log-likelihood), ``ece`` (expected calibration error, 15 equal bins), ``auc``
        (two classes, class 1 positive; else None), ``f1_macro``, ``f1_weighted``, ``balanced_accuracy``,
        ``confusion_matrix`` (rows are true classes) and ``reliability``, the bins behind the ECE: number, items, sum of
        confidences, correct predictions.

    Examples
    --------
    >>> from gdkm import metrics
    >>> scores = metrics.classification([0, 1, 1], [[0.9, 0.1], [0.2, 0.8], [0.6, 0.4]])
    >>> round(scores["accuracy"], 3), round(scores["nll"], 3)
    (0.667, 0.415)
    """
    p = np.ascontiguousarray(probabilities, dtype=np.float64)
    y = np.ascontiguousarray(labels, dtype=np.int32)
    if p.ndim != 2 or y.shape != p.shape[:1]:
        raise _core.InputError(f"expected a row of probabilities for each label, got shapes {y.shape} and {p.shape}")
    if y.size and y.max() >= p.shape[1]:
        raise _core.InputError(f"label {y.max()} has no column: there are {p.shape[1]} classes")
    return _core.class_metrics(p, y)


def regression(targets: ArrayLike, means: ArrayLike, deviations: ArrayLike | None = None) -> dict[str, float]:
    """``r2`` and ``rmse`` of predicted numbers and, where their standard deviations are given, ``nll``.

    >>> from gdkm import metrics
    >>> round(metrics.regression([1.0, 2.0, 3.0], [1.1, 1.9, 3.2])["r2"], 3)
    0.97
    """
    y = np.asarray(targets, dtype=np.float64)
    y = np.ascontiguousarray(y.reshape(len(y), -1))
    mean = np.asarray(means, dtype=np.float64).reshape(y.shape)
    deviation = np.ones_like(mean) if deviations is None else np.asarray(deviations, np.float64).reshape(y.shape)
    out = _core.number_metrics(np.ascontiguousarray(np.hstack([mean, deviation])), y)
    if deviations is None:
        del out["nll"]
    return out
