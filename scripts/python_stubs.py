#!/usr/bin/env python3
"""Writes python/gdkm/_estimators.pyi: the signatures of estimators for editors and type checkers.

Estimators get their parameters from the core's table of options when they are imported, which type checkers do not
do. Run this after an option was added or changed:

    PYTHONPATH=python python scripts/python_stubs.py

`--check` writes nothing and fails where the file is out of date; a test does the same.
"""

from __future__ import annotations

import inspect
import pathlib
import sys


def stub() -> str:
    """The text of the stub."""
    import gdkm._estimators as module

    out = ['"""Estimators in the manner of scikit-learn."""', "",
           "# Written by scripts/python_stubs.py from the table of options.", "",
           "from collections.abc import Sequence", "from typing import Any", "", "import numpy as np", "",
           "from ._classifier import GraphClassifier", "from ._graph import Graph", "from ._regressor import GraphRegressor", ""]
    for name in sorted(module.__all__):
        each = getattr(module, name)
        if not inspect.isclass(each):
            continue
        out += ["", f"class {name}({each.__bases__[0].__name__}):"]
        parameters = each._parameters.values()
        out += [f"    {parameter.name}: {parameter.type}" for parameter in parameters]
        out += ["    def __init__(", "        self,", "        *,"]
        out += [f"        {parameter.name}: {parameter.type} = {parameter.default!r}," for parameter in parameters]
        out += ["    ) -> None: ...", ""]
    out += ["", 'def load_model(path: Any, *, device: str = "cpu", threads: int = 0) -> Any: ...', ""]
    return "\n".join(out)


def main(arguments: list[str]) -> int:
    path = pathlib.Path(__file__).resolve().parent.parent / "python" / "gdkm" / "_estimators.pyi"
    text = stub()
    if "--check" in arguments:
        if path.is_file() and path.read_text() == text:
            return 0
        print(f"{path.name} is out of date; run scripts/python_stubs.py", file=sys.stderr)
        return 1
    path.write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
