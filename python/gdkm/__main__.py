"""The command line: ``python -m gdkm`` and ``gdkm``."""

from __future__ import annotations

import signal
import sys

from . import _core
from ._http import open_url


def _take_signals_as_programs_do() -> None:
    """Python's own handler only takes a note, and it ignores closed pipes; but commands run outside Python."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)


def main(arguments: list[str] | None = None) -> int:
    words = sys.argv[1:] if arguments is None else arguments
    _take_signals_as_programs_do()
    # Workers of a sweep are this program again. Wheels have no libcurl.
    get = None if _core.can_download() else open_url
    return _core.command_line(["gdkm", *words], sys.executable, ["-m", "gdkm"], get)


if __name__ == "__main__":
    sys.exit(main())
