#!/usr/bin/env python3
"""The peers' values, computed anew and compared with the committed ones. `make test-peers` runs it; by hand:

    live.py BUILD

Installs each set of peers in a virtual environment of its own under BUILD, runs make_reference.py there and leaves the
values in BUILD/peers-values, from where test_reference.py can take them (GDKM_PEERS=BUILD/peers-values). Peers that
cannot be installed are named, and the exit status is then 1: what was not compared did not pass.
"""
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parents[2] / "benchmarks" / "peers"))
from environment import PeersMissing, installed_python  # noqa: E402

SETS = {"torch": ("pyg", "gpytorch", "scikit-learn"), "neural-tangents": ("neural-tangents",)}


def main():
    build = pathlib.Path(sys.argv[1])
    failures = []
    for name, peers in SETS.items():
        try:
            python = installed_python(build / f"peers-{name}", HERE / f"requirements-{name}.txt")
        except PeersMissing as missing:
            failures.append(f"not compared: {', '.join(peers)}: {missing}")
            continue
        command = [python, HERE / "make_reference.py", *peers, "-o", build / "peers-values", "--compare", HERE / "data"]
        if subprocess.run(command).returncode != 0:
            failures.append(f"different, or failed: one of {', '.join(peers)}")
    sys.exit("\n".join(failures) if failures else 0)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main()
