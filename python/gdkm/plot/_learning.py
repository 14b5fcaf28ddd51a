"""The learning curve."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ._given import is_model
from ._style import FAINT, axes, colour, matplotlib, quiet

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def learning_curve(model: Any, *, ax: Axes | None = None, label: str | None = None) -> Axes:
    """Draws the loss of every epoch, and the epoch whose parameters the model kept.

    The loss jumps where training lowers its rate: it then goes on from the best validated epoch so far.

    A loss far above all others, which happens where a step went wrong and the next ones mended it, does not flatten the
    curve: the axes end below it, and a line of text says how many epochs are not shown.

    Parameters
    ----------
    model : fitted estimator, or a sequence of losses
    ax : matplotlib axes, optional
        Call the function again with the same axes to compare models.
    label : str, optional
        The name of the curve in a legend.

    Returns
    -------
    matplotlib.axes.Axes

    Examples
    --------
    >>> import gdkm.plot
    >>> ax = gdkm.plot.learning_curve([1.2, 0.7, 0.5, 0.45])
    >>> ax.get_ylabel()
    'loss'
    """
    kept = None
    if is_model(model):
        losses = model.history_.get("loss", [])
        kept = model.best_epoch_
    else:
        losses = model
    losses = np.asarray(losses, float).ravel()
    if not losses.size:
        raise ValueError("there are no losses: exact models train without epochs, and a model file does not keep them")
    ax = axes(ax)
    epochs = np.arange(1, len(losses) + 1)
    line = colour(len([each for each in ax.lines if each.get_gid() == "gdkm.loss"]))
    ax.plot(epochs, losses, color=line, linewidth=1.6, label=label, gid="gdkm.loss",
            marker="o" if len(losses) == 1 else None)
    if kept == 0:
        ax.text(0.98, 0.03, "kept: the start", transform=ax.transAxes, ha="right", fontsize="small", color=line)
    elif kept:
        ax.plot([kept], [losses[kept - 1]], marker="o", color=line, markerfacecolor="white", markersize=6, linestyle="",
                clip_on=False, gid="gdkm.kept")
        ax.annotate(f"kept: epoch {kept}", (kept, losses[kept - 1]), xytext=(0, 9), textcoords="offset points",
                    ha="center", va="bottom", fontsize="small", color=line,
                    bbox={"facecolor": "white", "alpha": 0.7, "linewidth": 0, "pad": 0.5})
    _limit(ax)
    ax.set_xlabel("epoch")
    ax.set_ylabel("loss")
    ax.xaxis.set_major_locator(matplotlib().ticker.MaxNLocator(integer=True))
    quiet(ax)
    if label is not None:
        ax.legend(frameon=False)
    return ax


def _limit(ax: Axes) -> None:
    """Ends the axes below losses that are far outside the others'."""
    losses = np.concatenate([each.get_ydata() for each in ax.lines if each.get_gid() == "gdkm.loss"])
    finite = losses[np.isfinite(losses)]
    if not finite.size:
        return
    low, middle, high = np.quantile(finite, [0, 0.5, 0.75])
    top = high + 3 * max(high - low, abs(middle) * 1e-3)
    above = int((finite > top).sum()) + len(losses) - len(finite)
    for text in [each for each in ax.texts if each.get_gid() == "gdkm.above"]:
        text.remove()
    if not above:
        return
    room = 0.08 * (top - low)
    ax.set_ylim(low - room, top)
    ax.text(0.98, 0.97, f"{above} epoch{'s' * (above > 1)} above {top:.3g} not shown", transform=ax.transAxes, ha="right",
            va="top", fontsize="small", color=FAINT, gid="gdkm.above")
