#!/usr/bin/env python3
"""claims.py BUILD [--workers 8,64] [--runs 4000]: claims a second from one store, by engine and number of workers.

The PostgreSQL server is a temporary one on this machine (tests/store/postgres_server.sh), which writes to disk before it
confirms, as a real one does. Prints one line of JSON for each measurement."""

import argparse
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
SERVER = ROOT / "tests" / "store" / "postgres_server.sh"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("build")
    parser.add_argument("--workers", default="8,64")
    parser.add_argument("--runs", type=int, default=4000)
    given = parser.parse_args()
    program = pathlib.Path(given.build) / "gdkm_bench_claims"
    with tempfile.TemporaryDirectory(prefix="gdkm-claims-") as folder:
        subprocess.run(["bash", SERVER, "start", folder], check=True, env={**os.environ, "GDKM_POSTGRES_FSYNC": "on"})
        try:
            url = pathlib.Path(folder, "url")
            if not url.exists():
                sys.exit(pathlib.Path(folder, "missing").read_text().strip())
            for workers in given.workers.split(","):
                for engine, place in (("postgresql", f"{url.read_text().strip()}&store=claims-{workers}"),
                                      ("sqlite", f"{folder}/claims-{workers}.db")):
                    done = subprocess.run([program, place, workers, str(given.runs)], check=True, capture_output=True,
                                          text=True)
                    print(f'{{"engine": "{engine}", {done.stdout.strip()[1:]}', flush=True)
        finally:
            subprocess.run(["bash", SERVER, "stop", folder], check=True)


if __name__ == "__main__":
    main()
