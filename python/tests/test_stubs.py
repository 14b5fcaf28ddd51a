"""Type stubs follow the table of options."""

from __future__ import annotations

import importlib.util
import pathlib

import pytest

import gdkm

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "python_stubs.py"


def test_stubs_of_estimators_are_up_to_date():
    if not SCRIPT.is_file():
        pytest.skip("scripts/python_stubs.py is not there")
    spec = importlib.util.spec_from_file_location("python_stubs", SCRIPT)
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    stub = pathlib.Path(gdkm.__file__).with_name("_estimators.pyi")
    assert stub.read_text() == script.stub(), "run scripts/python_stubs.py"
    compile(stub.read_text(), str(stub), "exec")
    assert pathlib.Path(gdkm.__file__).with_name("py.typed").is_file()
