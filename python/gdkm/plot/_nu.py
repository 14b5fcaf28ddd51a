"""The ν-curve."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Mapping

import numpy as np

from ._given import is_model
from ._style import FAINT, axes, colour, marker, quiet

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def nu_curve(results: Any, *, score: str = "score", by: str | None = None, reference: Mapping[str, float] | None = None,
             ax: Axes | None = None) -> Axes:
    """Draws a score against ν, which says how strongly kernels are held to those of the infinitely wide network.

    If a value of ν has several scores, of splits or seeds, the line is their mean and the band one standard deviation to
    both sides. ν = 0 and ν = ∞ have places of their own at the ends of the axis.

    Parameters
    ----------
    results : table, mapping of columns, ``cv_results_``, or list of fitted models
        A pandas table or a mapping with the columns ``nu`` and `score`; the ``cv_results_`` of a search of scikit-learn
        over ``nu``; or fitted models, whose score is then the accuracy (or R²) on their validation items.
    score : str
        The column to draw.
    by : str, optional
        A column whose values get a line each.
    reference : mapping of names to numbers, optional
        Scores of other models, as horizontal lines: ``{"GCN": 0.81}``.
    ax : matplotlib axes, optional

    Returns
    -------
    matplotlib.axes.Axes

    Examples
    --------
    >>> import gdkm.plot
    >>> ax = gdkm.plot.nu_curve({"nu": [0.1, 1, 10, float("inf")], "score": [0.71, 0.8, 0.78, 0.75]})
    >>> [text.get_text() for text in ax.get_xticklabels()]
    ['0.1', '1', '10', '∞']
    """
    nu, value, spread, group, name = _columns(results, score, by)
    if np.isnan(nu).any() or (nu < 0).any():
        raise ValueError("nu: expected numbers >= 0")
    ax = axes(ax)
    values = np.unique(nu)
    places = dict(zip(values.tolist(), _places(values)))
    groups = list(dict.fromkeys(group))
    for number, each in enumerate(groups):
        mine = np.asarray([g == each for g in group])
        at = np.unique(nu[mine])
        scores = [value[mine & (nu == one)] for one in at]
        mean = np.asarray([s.mean() for s in scores])
        if spread is not None:
            deviation = np.asarray([spread[mine & (nu == one)].mean() for one in at])
        else:
            deviation = np.asarray([s.std(ddof=1) if len(s) > 1 else 0.0 for s in scores])
        x = [places[one] for one in at.tolist()]
        ax.plot(x, mean, color=colour(number), marker=marker(number), markersize=5, linewidth=1.6,
                label=None if by is None else each if isinstance(each, str) else f"{by} {_text(each)}")
        if deviation.any():
            ax.fill_between(x, mean - deviation, mean + deviation, color=colour(number), alpha=0.15, linewidth=0)
    for number, (label, height) in enumerate((reference or {}).items()):
        ax.axhline(height, color=FAINT, linewidth=1.2, linestyle=((0, (5, 3)), (0, (1, 2)), (0, (5, 2, 1, 2)))[number % 3],
                   label=label)
    ax.set_xticks(list(places.values()), [_text(one) for one in places])
    ax.set_xlabel("ν")
    ax.set_ylabel(name)
    _widen(ax)
    quiet(ax)
    if by is not None or reference:
        ax.legend(frameon=False)
    return ax


def _places(values: np.ndarray) -> list[float]:
    """Where values of ν are on the axis: at their logarithms, with 0 and ∞ one step outside."""
    inner = values[(values > 0) & np.isfinite(values)]
    logs = np.log10(inner) if len(inner) else np.zeros(1)
    step = max(float(np.diff(logs).max()), 0.5) if len(logs) > 1 else 1.0
    return [logs[0] - step if v == 0 else logs[-1] + step if np.isinf(v) else float(np.log10(v)) for v in values]


def _widen(ax: Axes, least: float = 0.05) -> None:
    """Keeps small differences small: scores within a point of each other must not fill the axes."""
    low, high = ax.get_ylim()
    if high - low < least:
        middle = (low + high) / 2
        ax.set_ylim(middle - least / 2, middle + least / 2)


def _text(value: Any) -> str:
    if isinstance(value, (float, np.floating)):
        return "∞" if np.isinf(value) else f"{value:g}"
    return str(value)


def _columns(results: Any, score: str, by: str | None) -> tuple[np.ndarray, np.ndarray, np.ndarray | None, list, str]:
    """ν, scores, their spread if it is known, groups, and what the score is called."""
    spread = None
    if isinstance(results, Mapping) and "param_nu" in results:
        nu, value, name = results["param_nu"], results["mean_test_score"], "score"
        spread = np.asarray(results["std_test_score"], float)
        group = results.get(f"param_{by}", results.get(by)) if by is not None else None
        if by is not None and group is None:
            raise ValueError(f"the search did not vary {by!r}")
    elif hasattr(results, "columns") or isinstance(results, Mapping):
        known = [str(column) for column in (results.columns if hasattr(results, "columns") else results)]
        for column in ("nu", score, *([by] if by is not None else [])):
            if column not in known:
                raise ValueError(f"there is no column {column!r}; there are {', '.join(known)}")
        nu, value, name = results["nu"], results[score], score
        group = results[by] if by is not None else None
    else:
        models = list(results)
        if not all(is_model(model) for model in models):
            raise TypeError("expected a table with the columns nu and score, cv_results_, or a list of fitted models")
        if by is not None:
            group = [model.get_params()[by] for model in models]
        else:
            group = None
        nu, (value, name) = [model.get_params()["nu"] for model in models], _validation_scores(models)
    nu = np.asarray([float(one) for one in np.ma.getdata(nu) if one is not None], float)
    if not len(nu):
        raise ValueError("there is nothing to draw: results are empty")
    group = list(group) if group is not None else [None] * len(nu)
    return nu, np.asarray(value, float), spread, group, name


def _validation_scores(models: list) -> tuple[list[float], str]:
    out, name = [], "validation accuracy"
    for model in models:
        scores = model.scores_.get("val")
        if scores is None:
            raise ValueError("a model has no validation score: fit it with val=, or pass a table with the columns nu and score")
        if "accuracy" in scores:
            out.append(scores["accuracy"] / 100)
        else:
            out.append(scores["r2"])
            name = "validation R²"
    return out, name
