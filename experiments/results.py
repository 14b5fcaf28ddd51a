#!/usr/bin/env python3
"""The tables and figures of docs/results.md, from the runs that are kept in experiments/stores. Nothing is trained.

    python3 experiments/results.py                 print all tables
    python3 experiments/results.py --write         put them into the page, and draw its figures
    python3 experiments/results.py --check         fail if the page has other tables

A table of the page stands between two comments. The first is the command that prints it:

    <!-- gdkm table gains protocol.db --sweep node-dkm -->
    <!-- end -->

protocol.db is experiments/stores/protocol.db.xz, unpacked. The program is build/gdkm; --gdkm names another one.
"""
import argparse
import difflib
import lzma
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "results.md"
BLOCK = re.compile(r"<!-- gdkm (table [^\n]*?) -->\n(.*?)<!-- end -->", re.DOTALL)
CODE = re.compile(r"```.*?```|`[^`\n]*`", re.DOTALL)
PLACEHOLDER = re.compile(r"\b[A-Z]{2,}_[A-Z_]+\b")  # what stands in a draft for a number
FIXED_AND_LEARNED = ",".join(name + suffix for name in ("node-dkm", "node-nngp", "graph-dkm")
                             for suffix in ("", "-inference-paper"))
# A picture of the page: the figure, the name of its file, and the sweeps that it shows.
FIGURES = {"protocol-gains": ("gains", "gains", FIXED_AND_LEARNED),
           "protocol-gains-over-best": ("gains", "gains-over-best", FIXED_AND_LEARNED),
           "protocol-nu-curve": ("nu-curve", "nu-curve", "node-dkm"),
           "protocol-nu-curve-paper": ("nu-curve", "nu-curve", "node-dkm-inference-paper"),
           "protocol-depth": ("depth", "depth", "depth"),
           "protocol-depth-paper": ("depth", "depth", "depth-inference-paper")}


def unpacked(folder):
    """All kept stores, in `folder`."""
    for packed in (ROOT / "experiments" / "stores").glob("*.db.xz"):
        with lzma.open(packed) as source, open(folder / packed.stem, "wb") as target:
            shutil.copyfileobj(source, target)


def printed(gdkm, command, folder):
    """What the command prints: first the caption, then the table."""
    run = subprocess.run([gdkm, *shlex.split(command)], cwd=folder, capture_output=True, text=True)
    if run.returncode != 0:
        sys.exit(f"gdkm {command}: {run.stderr.strip()}")
    return run.stdout


def block(gdkm, command, folder):
    caption, _, table = printed(gdkm, command, folder).partition("\n\n")
    return f"<!-- gdkm {command} -->\n`gdkm {command}`: {caption}\n\n{table.rstrip()}\n\n<!-- end -->"


def draw(gdkm, figure, picture, sweeps, name, folder):
    printed(gdkm, f"figure {figure} --store protocol.db --sweep {sweeps} --out {name}", folder)
    shutil.copy(folder / name / f"{picture}.svg", ROOT / "docs" / "figures" / f"{name}.svg")


def main():
    options = argparse.ArgumentParser(description="The tables and figures of docs/results.md, from kept runs.")
    options.add_argument("--gdkm", default=ROOT / "build" / "gdkm", type=pathlib.Path, help="the program")
    options.add_argument("--page", default=PAGE, type=pathlib.Path, help="another page; no figures are drawn then")
    what = options.add_mutually_exclusive_group()
    what.add_argument("--write", action="store_true", help="put the tables into the page, and draw its figures")
    what.add_argument("--check", action="store_true", help="fail if the page has other tables")
    arguments = options.parse_args()
    gdkm, page = arguments.gdkm.resolve(), arguments.page.read_text()
    if not gdkm.exists():
        sys.exit(f"{gdkm} is not there; build it with 'make', or name another one with --gdkm")
    commands = [found.group(1) for found in BLOCK.finditer(page)]
    if not commands or page.count("<!-- gdkm table") != len(commands):
        sys.exit(f"{arguments.page}: found {len(commands)} tables and {page.count('<!-- gdkm table')} commands; a table "
                 "stands between <!-- gdkm table ... --> and <!-- end -->")
    open_places = PLACEHOLDER.findall(CODE.sub("", page))
    if arguments.check and open_places:
        sys.exit(f"{arguments.page}: has places that wait for a number: {', '.join(open_places)}")
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        unpacked(folder)
        if not arguments.write and not arguments.check:
            for command in commands:
                print(f"### gdkm {command}\n{printed(gdkm, command, folder)}")
            return
        made = BLOCK.sub(lambda found: block(gdkm, found.group(1), folder), page)
        if arguments.write:
            arguments.page.write_text(made)
            for name, (figure, picture, sweeps) in FIGURES.items() if arguments.page == PAGE else ():
                draw(gdkm, figure, picture, sweeps, name, folder)
        elif made != page:
            sys.stderr.writelines(difflib.unified_diff(page.splitlines(True), made.splitlines(True), str(arguments.page),
                                                       "from the stores", n=1))
            sys.exit(f"{arguments.page} does not have the tables of experiments/stores; write them with "
                     "'python3 experiments/results.py --write'")
    print(f"{len(commands)} tables of {arguments.page.name} are those of the kept runs")


if __name__ == "__main__":
    main()
