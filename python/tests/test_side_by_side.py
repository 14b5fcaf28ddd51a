"""docs/side-by-side.md shows the programs that its tables were measured with."""
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).parents[2]


def test_page_shows_the_programs_that_the_script_runs():
    check = subprocess.run([sys.executable, ROOT / "benchmarks" / "side_by_side.py", "--check"], capture_output=True,
                           text=True)
    assert check.returncode == 0, check.stderr
