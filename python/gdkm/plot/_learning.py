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

    The loss of training is minus the ELBO per item (of a GCN, the cross-entropy); that of validation is the mean negative
    log-likelihood, where it was measured. The loss jumps where training lowers its rate: it then goes on from the best validated epoch so far.

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
    kept, history = None, {"loss": model}
    if is_model(model):
        kept, history = model.best_epoch_, model.history_
    losses = np.asarray(history.get("loss", []), float).ravel()
    if not losses.size:
        raise ValueError("there are no losses: exact models train without epochs, and a model file does not keep them")
    ax = axes(ax)
    epochs = np.arange(1, len(losses) + 1)
    line = colour(len([each for each in ax.lines if each.get_gid() == "gdkm.loss"]))
    validated = len(history.get("val_epoch", ())) > 0
    ax.plot(epochs, losses, color=line, linewidth=1.6, gid="gdkm.loss", marker="o" if len(losses) == 1 else None,
            label="training" if label is None and validated else label)
    at, height = epochs, losses
    if validated:
        at, height = np.asarray(history["val_epoch"]), np.asarray(history["val_loss"], float)
        ax.plot(at, height, color=line, linewidth=1.2, linestyle=(0, (4, 2)), marker=".", gid="gdkm.validation",
                label="validation" if label is None else f"{label}, validation")
    if kept is not None and kept in at:
        _mark(ax, kept, height[at.tolist().index(kept)], line)
    ax.margins(y=0.12)
    _limit(ax)
    ax.set_xlabel("epoch")
    ax.set_ylabel("loss")
    ax.xaxis.set_major_locator(matplotlib().ticker.MaxNLocator(integer=True))
    quiet(ax)
    if validated or label is not None:
        ax.legend(frameon=False)
    return ax


def _mark(ax: Axes, epoch: int, height: float, line: str) -> None:
    ax.plot([epoch], [height], marker="o", color=line, markerfacecolor="white", markersize=6, linestyle="", clip_on=False,
            gid="gdkm.kept", zorder=4)
    right = epoch > 0.8 * max(ax.lines[-2].get_xdata())
    ax.annotate(f"kept: epoch {epoch}" if epoch else "kept: the start", (epoch, height),
                xytext=(-7 if right else 7, -4), textcoords="offset points", ha="right" if right else "left", va="top",
                fontsize="small", color=line, bbox={"facecolor": "white", "alpha": 0.7, "linewidth": 0, "pad": 0.5})


def _limit(ax: Axes) -> None:
    """Ends the axes below losses that are far outside the others'."""
    losses = np.concatenate([each.get_ydata() for each in ax.lines if each.get_gid() in ("gdkm.loss", "gdkm.validation")])
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
