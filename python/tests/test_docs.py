"""The code of the documentation runs: notebooks, pages with Python, the examples of docstrings."""

import doctest
import importlib
import importlib.util
import json
import pkgutil
import sys
import time
from pathlib import Path

import pytest

import gdkm

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = sorted((ROOT / "docs/notebooks").glob("*.ipynb"))


def load_from_site(name):
    """A module of docs/site, which is no package."""
    spec = importlib.util.spec_from_file_location(name, ROOT / "docs/site" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


cells = load_from_site("cells")
pytest.importorskip("matplotlib").use("agg")


def pages():
    yield from (pytest.param(page, "python", id=page.name) for page in NOTEBOOKS)
    yield pytest.param(ROOT / "docs/python.md", "python", id="python.md")
    yield pytest.param(ROOT / "docs/python-estimators.md", "python", id="python-estimators.md")
    yield pytest.param(ROOT / "docs/gallery.md", "python", id="gallery.md")
    yield pytest.param(ROOT / "docs/site/index.md", "python", id="index.md")
    yield pytest.param(ROOT / "python/README.md", "python", id="python/README.md")
    # The blocks of README.md that are marked "python" run without the package: tests/docs/readme_commands.sh runs those.
    yield pytest.param(ROOT / "README.md", "py", id="README.md")


@pytest.mark.parametrize(("page", "language"), list(pages()))
def test_code_of_a_page_runs_from_top_to_bottom_in_a_minute(page, language):
    read = cells.read(page, language)
    assert any(cell.is_code for cell in read), f"{page.name} has no code; have its fences changed?"
    begin = time.process_time()
    cells.run(read)
    # Processor time of all threads: two cores have two minutes of it in one.
    assert time.process_time() - begin < 120


@pytest.mark.parametrize("page", NOTEBOOKS, ids=lambda page: page.name)
def test_notebooks_are_committed_without_outputs(page):
    notebook = json.loads(page.read_text())
    assert all(not cell.get("outputs") and cell.get("execution_count") is None for cell in notebook["cells"])
    assert notebook["cells"][0]["cell_type"] == "markdown"
    assert "".join(notebook["cells"][0]["source"]).startswith("# ")


def test_there_are_three_notebooks():
    assert [page.stem for page in NOTEBOOKS] == ["first_steps", "nu_and_homophily", "your_own_graph"]


def modules():
    names = [each.name for each in pkgutil.walk_packages(gdkm.__path__, "gdkm.")]
    return [name for name in ["gdkm", *names] if not name.endswith(("__main__", "_core", ".torch"))]


@pytest.mark.parametrize("name", modules())
def test_examples_of_docstrings_work(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    failed, tried = doctest.testmod(importlib.import_module(name), optionflags=doctest.ELLIPSIS)
    assert not failed, f"{failed} of {tried} examples of {name} failed"


# --- what runs the pages ---


def write_page(folder, text):
    page = folder / "page.md"
    page.write_text(text)
    return page


def test_a_page_shows_what_is_printed_and_the_last_value(tmp_path):
    page = write_page(tmp_path, "Text\n\n```python\nx = 2\nprint('printed')\nx + 1\n```\n\n```python\nx;\n```\n")
    out = cells.run(cells.read(page))
    assert [cell.is_code for cell in out] == [False, True, False, True]
    assert out[1].outputs == [("text", "printed"), ("text", "3")]
    assert out[3].outputs == []


def test_a_page_does_not_show_figures_of_others(tmp_path):
    import matplotlib.pyplot as plt

    plt.figure()
    assert cells.run(cells.read(write_page(tmp_path, "```python\n1\n```\n")))[0].outputs == [("text", "1")]


def test_a_page_shows_figures_and_tables(tmp_path):
    page = write_page(tmp_path, "```python\nimport matplotlib.pyplot as plt\nplt.plot([1, 2]);\n```\n"
                                "```python\nimport pandas\npandas.DataFrame({'a': [1]})\n```\n")
    pytest.importorskip("pandas")
    out = cells.run(cells.read(page))
    assert [[kind for kind, _ in cell.outputs] for cell in out] == [["png"], ["html"]]
    text = cells.as_markdown(out, tmp_path / "files", "files")
    assert "```{image} files/1.png" in text and "<table" in text
    assert (tmp_path / "files/1.png").read_bytes().startswith(b"\x89PNG")


def test_code_that_fails_is_named_with_its_line(tmp_path):
    page = write_page(tmp_path, "Text\n\n```python\nundefined\n```\n")
    with pytest.raises(cells.CellError, match=r"page.md, line 4: NameError: name 'undefined'"):
        cells.run(cells.read(page))


def test_other_languages_and_fences_inside_them_are_text(tmp_path):
    page = write_page(tmp_path, "```sh\nrm -r everything\n```\n````text\n```python\nfail\n```\n````\n")
    assert not any(cell.is_code for cell in cells.read(page))
