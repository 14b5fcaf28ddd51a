"""What all pictures share: colours, axes, and matplotlib itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.colors import Colormap

#: Lines and classes, in this order; those of the reports (a test compares them with the C++ source).
SERIES = ("#0072b2", "#c8500a", "#00845f", "#b0568a", "#8a6a00", "#3c8dc0", "#1c1d1f", "#7a4fb5")
#: Values from -1 (blue) over 0 (white) to 1 (brown).
RAMP = ("#08306b", "#3170b2", "#9ec4e2", "#f7f6f3", "#f0be80", "#c5621a", "#5c2204")
MARKERS = ("o", "s", "^", "D")
INK, FAINT, RULE = "#1c1d1f", "#6a6e75", "#e2e3e0"


def matplotlib() -> Any:
    """matplotlib with the parts that pictures use, or an error that says how to get it."""
    try:
        import matplotlib
        import matplotlib.colors
        import matplotlib.pyplot
        import matplotlib.ticker
    except ImportError as error:
        raise ImportError("gdkm.plot draws with matplotlib, which is not installed: pip install gdkm[plot]") from error
    return matplotlib


def axes(ax: Axes | None, size: tuple[float, float] = (5.2, 3.6)) -> Axes:
    """The axes that were given, or those of a new figure."""
    if ax is not None:
        return ax
    _, ax = matplotlib().pyplot.subplots(figsize=size, layout="constrained")
    return ax


def quiet(ax: Axes, *, grid: bool = True) -> None:
    """Leaves on the axes what says something."""
    ax.spines[["top", "right"]].set_visible(False)
    ax.spines[["left", "bottom"]].set_color(FAINT)
    ax.tick_params(colors=FAINT, labelcolor=INK)
    if grid:
        ax.grid(True, color=RULE, linewidth=0.8)
        ax.set_axisbelow(True)


def colour(number: int) -> str:
    return SERIES[number % len(SERIES)]


def marker(number: int) -> str:
    """Colours repeat after eight classes. The marker then is another, so that no two classes look the same."""
    return MARKERS[(number + number // len(SERIES)) % len(MARKERS)]


def diverging() -> Colormap:
    return matplotlib().colors.LinearSegmentedColormap.from_list("gdkm", RAMP)


def sequential() -> Colormap:
    """White to dark blue: shares and counts."""
    return matplotlib().colors.LinearSegmentedColormap.from_list("gdkm_share", ("#ffffff", *RAMP[2::-1]))
