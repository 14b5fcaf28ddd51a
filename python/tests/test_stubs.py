"""Type stubs follow the table of options."""

from __future__ import annotations

import ast
import importlib.util
import pathlib

import pytest

import gdkm

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "python_stubs.py"


@pytest.fixture(scope="module")
def script():
    if not SCRIPT.is_file():
        pytest.skip("scripts/python_stubs.py is not there")
    spec = importlib.util.spec_from_file_location("python_stubs", SCRIPT)
    out = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(out)
    return out


def test_stubs_of_estimators_are_up_to_date(script):
    stub = pathlib.Path(gdkm.__file__).with_name("_estimators.pyi")
    assert stub.read_text() == script.stub(), "run scripts/python_stubs.py"
    compile(stub.read_text(), str(stub), "exec")
    assert pathlib.Path(gdkm.__file__).with_name("py.typed").is_file()


def test_the_stub_of_the_core_names_what_it_has(script):
    """Names only: the text depends on the version of nanobind."""
    tree = ast.parse(pathlib.Path(gdkm.__file__).with_name("_core.pyi").read_text())
    named = {each.name for each in tree.body if isinstance(each, (ast.FunctionDef, ast.ClassDef))}
    named |= {each.name for line in tree.body if isinstance(line, ast.ImportFrom) for each in line.names if each.asname}
    there = {name for name in dir(gdkm._core) if callable(getattr(gdkm._core, name)) and not name.startswith("_")}
    assert named == there, "run scripts/python_stubs.py"
