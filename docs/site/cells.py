"""Pages with code: notebooks, and Markdown with blocks of Python. Reads them, runs them from top to bottom, and writes them
as Markdown with what the code shows.

The site runs pages with this, and so do the tests of the Python package. It needs no kernel of Jupyter and runs in this
process. A cell shows what a notebook would show: printed text, the value of its last line unless that ends with a
semicolon, and the figures of matplotlib.
"""

from __future__ import annotations

import ast
import contextlib
import io
import json
import os
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any


@dataclass
class Cell:
    source: str
    is_code: bool
    place: str
    #: Pairs of a kind ("text", "html" or "png") and what is shown.
    outputs: list[tuple[str, Any]] = field(default_factory=list)


class CellError(RuntimeError):
    """Code of a page failed; the message says which."""


def read(path: Path, language: str = "python") -> list[Cell]:
    """The cells of a notebook, or of a Markdown page whose code is in blocks of a language."""
    if path.suffix == ".ipynb":
        cells = json.loads(path.read_text())["cells"]
        return [Cell("".join(cell["source"]), cell["cell_type"] == "code", f"{path.name}, cell {number}")
                for number, cell in enumerate(cells, 1)]
    out: list[Cell] = []
    lines: list[str] = []
    begin, fence, is_code = 1, "", False

    def close() -> None:
        if lines:
            out.append(Cell("\n".join(lines), is_code, f"{path.name}, line {begin}"))
            lines.clear()

    for number, line in enumerate(path.read_text().splitlines(), 1):
        ticks = line[: len(line) - len(line.lstrip("`"))]
        if not fence and line.rstrip() == f"```{language}":
            close()
            begin, fence, is_code = number + 1, ticks, True
        elif is_code and line.rstrip() == fence:
            close()
            begin, fence, is_code = number + 1, "", False
        else:
            # Fences of other languages are part of the text. What looks like a fence inside them is not one.
            if not fence and len(ticks) >= 3:
                fence = ticks
            elif not is_code and fence and line.rstrip() == fence:
                fence = ""
            lines.append(line)
    close()
    return out


def run(cells: list[Cell]) -> list[Cell]:
    """Runs the code in one namespace and in a temporary folder, and fills in what each cell shows."""
    os.environ.setdefault("MPLBACKEND", "agg")
    names: dict[str, Any] = {"__name__": "__main__"}
    _figures()  # those of others are not this page's
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        for cell in cells:
            if cell.is_code:
                _run_cell(cell, names)
    return cells


def _run_cell(cell: Cell, names: dict[str, Any]) -> None:
    printed, value = io.StringIO(), None
    try:
        tree = ast.parse(cell.source, cell.place)
        shows = bool(tree.body) and isinstance(tree.body[-1], ast.Expr)
        last = ast.Expression(tree.body.pop().value) if shows else None  # type: ignore[attr-defined]
        with contextlib.redirect_stdout(printed):
            exec(compile(tree, cell.place, "exec"), names)
            if last is not None:
                value = eval(compile(last, cell.place, "eval"), names)
    except Exception as error:
        raise CellError(f"{cell.place}: {type(error).__name__}: {error}\n\n{cell.source}") from error
    if printed.getvalue():
        cell.outputs.append(("text", printed.getvalue().rstrip("\n")))
    if value is not None and not cell.source.rstrip().endswith(";"):
        html = _html_of(value)
        cell.outputs.append(("text", repr(value)) if html is None else ("html", html))
    cell.outputs += [("png", picture) for picture in _figures()]


def _html_of(value: Any) -> str | None:
    """What a notebook shows of a value that knows how to show itself."""
    if hasattr(value, "_repr_mimebundle_"):
        return value._repr_mimebundle_().get("text/html")
    return value._repr_html_() if hasattr(value, "_repr_html_") else None


def _figures() -> list[bytes]:
    """The figures that are open, as PNG files; they are closed."""
    import sys

    if "matplotlib.pyplot" not in sys.modules:
        return []
    import matplotlib.pyplot as plt

    out = []
    for number in plt.get_fignums():
        buffer = io.BytesIO()
        plt.figure(number).savefig(buffer, format="png", dpi=110)
        out.append(buffer.getvalue())
    plt.close("all")
    return out


def as_markdown(cells: list[Cell], pictures: Path, link: str) -> str:
    """The page with its outputs. Pictures go into the folder `pictures`, which the page reaches as `link`."""
    out = []
    count = 0
    pictures.mkdir(parents=True, exist_ok=True)
    for cell in cells:
        if not cell.is_code:
            out.append(cell.source)
            continue
        out.append(f"```python\n{cell.source}\n```")
        for kind, data in cell.outputs:
            if kind == "png":
                count += 1
                (pictures / f"{count}.png").write_bytes(data)
                out.append(f"```{{image}} {link}/{count}.png\n:class: output\n:alt: what the code above draws\n```")
            elif kind == "html":
                out.append(f"````{{raw}} html\n<div class=\"output\">{data}</div>\n````")
            else:
                out.append(f"````{{code-block}} text\n:class: output\n\n{data}\n````")
    return "\n\n".join(out) + "\n"
