"""Warnings of the package."""

from __future__ import annotations

import warnings


class GdkmWarning(UserWarning):
    """What the core would say on standard error: settings that it changed, data that looks odd.

    ``warnings.simplefilter("error", gdkm.GdkmWarning)`` makes errors of them.
    """


def warn(message: str) -> None:
    """Passes a line of the core on, as a warning at the line of the user's program."""
    warnings.warn(message, GdkmWarning, stacklevel=_frames_of_package())


def _frames_of_package() -> int:
    import sys

    frame, depth = sys._getframe(1), 1
    while frame is not None and frame.f_globals.get("__name__", "").startswith("gdkm."):
        frame, depth = frame.f_back, depth + 1
    return depth
