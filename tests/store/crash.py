#!/usr/bin/env python3
"""crash.py GDKM [--workers 8] [--kills 50] [--server-kills 5] [--seed 1] [--seeds 90]

Workers share one PostgreSQL store with a sweep that plans, while their processes and the server are killed (SIGKILL) at
random. Then no run may be lost or done twice, and the sweep's table must be that of a sweep that nobody disturbed.

Ends with status 77, which ctest shows as skipped, where there is no PostgreSQL."""

import argparse
import collections
import json
import os
import pathlib
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

SERVER = pathlib.Path(__file__).resolve().parent / "postgres_server.sh"
SKIPPED = 77

SPEC = """
name = "crash"
datasets = ["csbm:n=90,classes=3,features=12,degree=6"]
seeds = {seeds}
options = {{ epochs = {epochs}, inducing = 12 }}
[[study]]
model = "dkm"
[[study.stage]]
name = "nu"
grid = {{ nu = [0.1, 1, "inf"] }}
[[study.stage]]
name = "lambda"
grid = {{ lambda = [0, 0.3, 0.6] }}
[[study]]
model = "gcn"
options = {{ patience = 0 }}
[[study.stage]]
grid = {{ dropout = [0, 0.5] }}
"""


def children(pid):
    try:
        return [int(p) for p in pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []


def table(path):
    out = json.loads(path.read_text())
    for line in out:
        line.pop("seconds", None)
    return out


class Trial:
    def __init__(self, given, folder):
        self.given, self.folder = given, pathlib.Path(folder)
        self.random = random.Random(given.seed)
        self.counts = collections.Counter()
        self.workers, self.started, self.last_done = [], 0, 0
        self.url = ""

    def server(self, command):
        subprocess.run(["bash", SERVER, command, self.folder / "server"], check=True)

    def gdkm(self, *words, **more):
        return subprocess.Popen([self.given.gdkm, *words], cwd=self.folder, start_new_session=True, **more)

    def start_worker(self):
        log = open(self.folder / f"worker-{self.started}.log", "w")
        self.started += 1
        out = self.gdkm("worker", self.url, "--jobs", "1", "--threads", "1", "--wait", "3600", "--quiet",
                        stdout=log, stderr=log)
        out.log = log.name
        return out

    def kill_one(self):
        """Of all processes of all workers, one: a worker, or the process in which it executes a run."""
        found = [(k, pid) for k, worker in enumerate(self.workers) for pid in [worker.pid, *children(worker.pid)]]
        k, victim = self.random.choice(found)
        os.kill(victim, signal.SIGKILL)
        if victim == self.workers[k].pid:
            self.counts["workers killed"] += 1
            self.workers[k].wait()
            self.workers[k] = self.start_worker()
        else:
            self.counts["their processes killed"] += 1

    def kill_server(self):
        self.server("kill")
        self.counts["servers killed"] += 1
        time.sleep(self.random.uniform(0, 2))
        self.server("restart")

    def done(self):
        """How many runs are done; what it was before, where the server does not answer."""
        listed = subprocess.run([self.given.gdkm, "runs", "list", self.url, "--status", "done"], capture_output=True, text=True)
        if listed.returncode == 0:
            self.last_done = listed.stdout.count(" done ")
        return self.last_done

    def disturb(self, sweep, total):
        """Spreads the kills over the first half of the runs, and some more, however fast the machine is."""
        deeds = [self.kill_one] * self.given.kills + [self.kill_server] * self.given.server_kills
        self.random.shuffle(deeds)
        moments = sorted(self.random.uniform(0, 0.6 * total) for _ in deeds)
        for deed, moment in zip(deeds, moments):
            while self.last_done < moment and self.done() < moment and sweep.poll() is None:
                time.sleep(0.05)
            if sweep.poll() is not None:
                sys.exit("the sweep ended before all kills:\n" + (self.folder / "sweep.log").read_text())
            for worker in self.workers:
                if worker.poll() is not None:
                    sys.exit(f"a worker ended with status {worker.returncode}:\n" + pathlib.Path(worker.log).read_text())
            deed()

    def run(self):
        given = self.given
        (self.folder / "spec.toml").write_text(SPEC.format(seeds=given.seeds, epochs=given.epochs))
        self.gdkm("sweep", "spec.toml", "--store", "quiet.db", "--json", "quiet.json", "--quiet",
                  stdout=subprocess.DEVNULL).wait()
        quiet = table(self.folder / "quiet.json")
        with sqlite3.connect(self.folder / "quiet.db") as store:
            total, = store.execute("SELECT count(*) FROM runs").fetchone()
        begin = time.monotonic()
        self.url = (self.folder / "server" / "url").read_text().strip()
        with open(self.folder / "sweep.log", "w") as log:
            sweep = self.gdkm("sweep", "spec.toml", "--store", self.url, "--json", "disturbed.json", "--plan-only",
                              "--quiet", stdout=log, stderr=log)
        try:
            while not self.has_runs():
                time.sleep(0.2)
            self.workers = [self.start_worker() for _ in range(given.workers)]
            self.disturb(sweep, total)
            status = sweep.wait(given.timeout)
            assert status == 0, (status, (self.folder / "sweep.log").read_text())
            for worker in self.workers:
                worker.send_signal(signal.SIGTERM)
            statuses = [worker.wait(60) for worker in self.workers]
            assert statuses == [143] * given.workers, statuses
        finally:
            for process in [sweep, *self.workers]:
                if process.poll() is None:
                    process.kill()
        self.counts["seconds"] = round(time.monotonic() - begin)
        self.check(quiet)

    def has_runs(self):
        listed = subprocess.run([self.given.gdkm, "runs", "list", self.url], capture_output=True, text=True)
        return listed.returncode == 0 and "pending" in listed.stdout

    def check(self, quiet):
        assert table(self.folder / "disturbed.json") == quiet, "the tables differ"
        subprocess.run([self.given.gdkm, "runs", "copy", self.url, "disturbed.db"], cwd=self.folder, check=True,
                       stdout=subprocess.DEVNULL)
        with sqlite3.connect(self.folder / "disturbed.db") as store, sqlite3.connect(self.folder / "quiet.db") as other:
            hashes = {row[0]: row[1] for row in store.execute("SELECT hash, status FROM runs")}
            wanted = {row[0] for row in other.execute("SELECT hash FROM runs")}
            assert set(hashes) == wanted, "runs were lost, or there are others"
            assert set(hashes.values()) == {"done"}, collections.Counter(hashes.values())
            for run, count in store.execute("SELECT run, count(*) FROM events WHERE kind = 'done' GROUP BY run"):
                assert count == 1, f"run {run} was done {count} times"
            done, = store.execute("SELECT count(*) FROM events WHERE kind = 'done'").fetchone()
            assert done == len(wanted), (done, len(wanted))
            curves = "SELECT hash, epoch, loss FROM curves JOIN runs ON runs.id = run ORDER BY hash, epoch"
            assert store.execute(curves).fetchall() == other.execute(curves).fetchall(), "learning curves differ"
            kinds = store.execute("SELECT kind, count(*) FROM events GROUP BY kind").fetchall()
        self.counts["runs"] = len(wanted)
        self.counts.update({f"events: {kind}": count for kind, count in kinds})


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("gdkm", type=os.path.abspath)
    parser.add_argument("--workers", type=int, default=8)
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--server-kills", type=int, default=5)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seeds", type=int, default=90, help="seeds of the sweep; it has seven runs for each")
    parser.add_argument("--epochs", type=int, default=400)
    parser.add_argument("--timeout", type=float, default=900)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="gdkm-crash-") as folder:
        trial = Trial(given, folder)
        (trial.folder / "server").mkdir()
        trial.server("start")
        try:
            missing = trial.folder / "server" / "missing"
            if missing.exists():
                print(missing.read_text().strip())
                return SKIPPED
            trial.run()
        finally:
            trial.server("stop")
    print(json.dumps(trial.counts))
    return 0


if __name__ == "__main__":
    sys.exit(main())
