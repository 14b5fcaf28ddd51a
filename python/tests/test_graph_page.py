"""The examples of docs/python-graphs.md do what the page says."""

import doctest
from pathlib import Path

import pytest

PAGE = Path(__file__).resolve().parents[2] / "docs" / "python-graphs.md"


def test_examples_of_the_page_are_true():
    pytest.importorskip("pandas")
    found = doctest.testfile(str(PAGE), module_relative=False, verbose=False, report=True)
    assert found.attempted > 10 and found.failed == 0
