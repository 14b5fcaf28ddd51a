"""The command line: ``python -m gdkm`` and ``gdkm``."""

from __future__ import annotations

import sys

from . import _core


def main(arguments: list[str] | None = None) -> int:
    words = sys.argv[1:] if arguments is None else arguments
    # Workers of a sweep are this program again.
    return _core.command_line(["gdkm", *words], sys.executable, ["-m", "gdkm"])


if __name__ == "__main__":
    sys.exit(main())
