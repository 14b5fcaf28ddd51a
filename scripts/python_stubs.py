#!/usr/bin/env python3
"""Writes python/gdkm/_estimators.pyi and _core.pyi: signatures for editors and type checkers.

Estimators get their parameters from the core's table of options when they are imported, which type checkers do not
do; those of the extension module come from nanobind. Run this after an option or a binding was added or changed:

    PYTHONPATH=python python scripts/python_stubs.py

`--check` writes nothing and fails where a file is out of date; a test does the same.
"""

from __future__ import annotations

import inspect
import pathlib
import re
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


def core_stub() -> str:
    """The text of the stub of gdkm._core, as nanobind writes it."""
    from nanobind.stubgen import StubGen

    import gdkm._core as module

    generator = StubGen(module)
    generator.put(module)
    # Which commit was built, and how, is no part of an interface.
    return re.sub(r"^(\w+: (?:str|bool|int))(?: = .*)$", r"\1", generator.get(), flags=re.MULTILINE)


def main(arguments: list[str]) -> int:
    folder = pathlib.Path(__file__).resolve().parent.parent / "python" / "gdkm"
    late = 0
    for path, text in ((folder / "_estimators.pyi", stub()), (folder / "_core.pyi", core_stub())):
        if "--check" not in arguments:
            path.write_text(text)
        elif not path.is_file() or path.read_text() != text:
            print(f"{path.name} is out of date; run scripts/python_stubs.py", file=sys.stderr)
            late = 1
    return late


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
