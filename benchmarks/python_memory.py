"""The memory that a graph takes in Python: python_memory.py [--nodes N] [--features D] [--edges E] [--no-fit]

Measures how much the process grows when arrays become a gdkm.Graph, and its peak while a small model is fitted for one
epoch. The arrays are made first, so that growth is the library's own. A graph should grow by one copy: features as
float32 and edges as two int32.

    PYTHONPATH=python python benchmarks/python_memory.py
"""

from __future__ import annotations

import argparse
import os
import threading
import time

import numpy as np

import gdkm


def resident() -> int:
    """Bytes of this process that are in memory now."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


class Peak:
    """The largest resident size while it is open, above that at its start."""

    def __enter__(self) -> "Peak":
        # Since the kernel's high-water mark covers the whole life of the process, it is set back first.
        try:
            with open("/proc/self/clear_refs", "w") as file:
                file.write("5")
            self._watch = None
        except OSError:  # some containers do not allow it
            self._done, self._highest = threading.Event(), resident()
            self._watch = threading.Thread(target=self._sample, daemon=True)
            self._watch.start()
        self.before, self.seconds = resident(), -time.perf_counter()
        return self

    def _sample(self) -> None:
        while not self._done.wait(0.01):
            self._highest = max(self._highest, resident())

    def __exit__(self, *unused: object) -> None:
        self.seconds += time.perf_counter()
        self.after = resident()
        if self._watch is None:
            with open("/proc/self/status") as file:
                highest = next(int(line.split()[1]) << 10 for line in file if line.startswith("VmHWM"))
        else:
            self._done.set()
            self._watch.join()
            highest = self._highest
        self.growth, self.peak = self.after - self.before, max(highest, self.after) - self.before


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--nodes", type=int, default=1_000_000)
    options.add_argument("--features", type=int, default=100)
    options.add_argument("--edges", type=int, default=5_000_000)
    options.add_argument("--no-fit", action="store_true")
    given = options.parse_args()
    random = np.random.default_rng(0)
    x = random.standard_normal((given.nodes, given.features), dtype=np.float32)
    edges = random.integers(0, given.nodes, size=(2, given.edges))
    y = random.integers(0, 5, size=given.nodes)
    core = x.nbytes + 8 * given.edges
    rows = [("x, float32", x.nbytes, 0, 0.0), ("edge_index, int64", edges.nbytes, 0, 0.0),
            ("one copy in the core", core, 0, 0.0)]
    with Peak() as making:
        graph = gdkm.Graph(x, edges, y)
    rows.append(("growth by Graph()", making.growth, making.peak, making.seconds))
    if not given.no_fit:
        train = np.arange(0, given.nodes, 2)
        with Peak() as fitting:
            gdkm.GraphDKMClassifier(inducing=16, epochs=1).fit(graph, train=train)
        rows.append(("growth by fit()", fitting.growth, fitting.peak, fitting.seconds))
    print(f"{given.nodes:,} nodes, {given.features} features, {given.edges:,} edges")
    print(f"{'':24}{'MB':>10}{'peak MB':>10}{'copies':>9}{'seconds':>10}")
    for name, size, peak, seconds in rows:
        print(f"{name:24}{size / 1e6:10.0f}{peak / 1e6 if peak else 0:10.0f}{max(size, peak) / core:9.2f}{seconds:10.1f}")


if __name__ == "__main__":
    main()
