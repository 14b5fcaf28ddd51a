"""stage.py ROOT FOLDER: writes into FOLDER the pages that Sphinx makes the site of.

The pages of docs/ and the main documents go there as they are. Notebooks, and the pages of docs/ with Python, are run and
go there with what they show. The API reference and the table of contents are made here, from the public names of the package
and from the pages that exist: a page or a name that is added is on the site without an entry here.
"""

from __future__ import annotations

import inspect
import re
import shutil
import sys
from pathlib import Path

import cells

#: What is in the navigation, and under which heading. Pages that are not listed come last.
CONTENTS = {
    "First steps": ["README", "docs/python", "docs/notebooks/first_steps", "docs/notebooks/nu_and_homophily",
                    "docs/notebooks/your_own_graph", "docs/gallery"],
    "Python": ["docs/python-install", "docs/python-graphs", "docs/python-estimators", "docs/side-by-side"],
    "Using gdkm": ["docs/data", "docs/outputs", "docs/tune", "docs/experiments", "docs/figures"],
    "Measurements": ["docs/results", "docs/results-defaults", "docs/performance", "docs/gpu", "docs/scale"],
    "Reference": ["api", "docs/maths", "ARCHITECTURE", "docs/dependencies", "CONTRIBUTING", "CHANGELOG"],
}
DOCUMENTS = ("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md")
#: Pages whose Python blocks are run.
RUN = ("docs/python.md", "docs/gallery.md")

#: Where public names belong, by the beginning of the private module that defines them.
CHAPTERS = (
    ("Graphs", ("_graph", "_data", "_convert", "_html", "_fetch")),
    ("Estimators", ("_estimator", "_model", "_classif", "_regress")),
    ("Sweeps, stores and tuning", ("_store", "_tune")),
    ("For researchers", ("_research",)),
    ("Errors", ("_core",)),
)
MODULES = ("gdkm.plot", "gdkm.metrics", "gdkm.kernels", "gdkm.torch")


def run_pages(root: Path, folder: Path) -> None:
    for page in [*(root / each for each in RUN), *sorted((root / "docs/notebooks").glob("*.ipynb"))]:
        where = folder / page.relative_to(root).with_suffix(".md")
        where.parent.mkdir(parents=True, exist_ok=True)
        print(f"running {page.relative_to(root)}", flush=True)
        shown = cells.run(cells.read(page))
        text = cells.as_markdown(shown, where.parent / f"{page.stem}_files", f"{page.stem}_files")
        where.write_text(re.sub(r"\]\(([\w./]+)\.ipynb\)", r"](\1.md)", text))


def copy_documents(root: Path, folder: Path) -> None:
    for name in DOCUMENTS:
        shutil.copy(root / name, folder / name)
    for page in sorted((root / "docs").glob("*.md")):
        if f"docs/{page.name}" not in RUN:
            shutil.copy(page, folder / "docs" / page.name)
    # A folder cannot be a download: the link goes to its first file.
    readme = folder / "README.md"
    readme.write_text(re.sub(r"\]\(examples\)", "](examples/ten_lines.cpp)", readme.read_text()))


def copy_linked_files(root: Path, folder: Path) -> None:
    """Files of the project that pages link to: pictures, and what becomes a download."""
    for page in sorted(folder.rglob("*.md")):
        for link in re.findall(r"\]\(([^)#:\s]+)", page.read_text()):
            where = (page.parent / link).resolve()
            if where.exists() or not where.is_relative_to(folder):
                continue
            source = root / where.relative_to(folder)
            if source.is_file() and source.suffix != ".md":
                where.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(source, where)


def chapter_of(value: object) -> str:
    module = (getattr(value, "__module__", None) or "").rpartition(".")[2]
    return next((title for title, begins in CHAPTERS if module.startswith(begins)), "More")


def api_page() -> str:
    import gdkm

    chapters: dict[str, list[str]] = {title: [] for title, _ in CHAPTERS}
    for name in sorted(gdkm.__all__, key=str.lower):
        value = getattr(gdkm, name)
        if inspect.ismodule(value) or name == "__version__":
            continue
        directive = "autoclass" if inspect.isclass(value) else "autofunction" if callable(value) else "autodata"
        chapters.setdefault(chapter_of(value), []).append(f"```{{eval-rst}}\n.. {directive}:: gdkm.{name}\n```")
    out = ["# API reference", "The public names of the Python package."]
    for title, entries in chapters.items():
        if entries:
            out += [f"## {title}", *entries]
    for module in MODULES:
        out += [f"## `{module}`", f"```{{eval-rst}}\n.. automodule:: {module}\n   :members:\n   :imported-members:\n```"]
    return "\n\n".join(out) + "\n"


def index_page(root: Path, folder: Path) -> str:
    out = [(root / "docs/site/index.md").read_text().rstrip()]
    pages = {str(path.relative_to(folder).with_suffix("")) for path in folder.rglob("*.md")} - {"index"}
    contents = {title: [page for page in listed if page in pages] for title, listed in CONTENTS.items()}
    contents["More"] = sorted(pages - {page for listed in contents.values() for page in listed})
    for title, listed in contents.items():
        if listed:
            entries = "\n".join("Overview <README>" if page == "README" else page for page in listed)
            out.append(f"```{{toctree}}\n:caption: {title}\n:hidden:\n:maxdepth: 1\n\n{entries}\n```")
    return "\n\n".join(out) + "\n"


def main(root: Path, folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "docs").mkdir(parents=True)
    copy_documents(root, folder)
    run_pages(root, folder)
    copy_linked_files(root, folder)
    (folder / "api.md").write_text(api_page())
    (folder / "index.md").write_text(index_page(root, folder))
    shutil.copytree(root / "docs/site/static", folder / "static")


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve())
