#!/usr/bin/env python3
"""Would choosing settings by validation NLL be better than by validation accuracy? From the kept runs; nothing is trained.

    python3 experiments/selection_rule.py [STORE.db]        experiments/stores/protocol.db.xz by default

Every stage of every sweep with calibrated models compares settings on the same splits. For each stage both rules choose, and
the test scores of their choices are compared, on the same runs.
"""
import json
import lzma
import pathlib
import shutil
import sqlite3
import statistics
import sys
import tempfile

KEPT = pathlib.Path(__file__).resolve().parent / "stores" / "protocol.db.xz"
QUERY = """select s.dataset, s.sweep, s.study, s.stage, s.candidate, r.configuration, r.result
           from stages s join runs r on r.id = s.run where r.status = 'done'"""


def stages(store):
    """By stage and candidate: results of runs."""
    out = {}
    for dataset, sweep, study, stage, candidate, configuration, result in sqlite3.connect(store).execute(QUERY):
        configuration = json.loads(configuration)
        # What a run's identity leaves out is "paper", or "uncalibrated" for a GCN: not calibrated either way.
        if configuration["options"].get("inference") == "natural":
            out.setdefault((dataset, sweep, study, stage), {}).setdefault(candidate, []).append(json.loads(result))
    return {key: candidates for key, candidates in out.items() if len(candidates) > 1}


def mean(runs, part, score):
    return statistics.mean(run[part][score] for run in runs)


def main():
    with tempfile.TemporaryDirectory() as folder:
        store = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else folder + "/protocol.db")
        if len(sys.argv) < 2:
            with lzma.open(KEPT) as source, open(store, "wb") as target:
                shutil.copyfileobj(source, target)
        accuracy, nll, differ = {}, {}, 0
        for (dataset, *_), candidates in stages(store).items():
            by_accuracy = max(candidates.values(), key=lambda runs: mean(runs, "val", "accuracy"))
            by_nll = min(candidates.values(), key=lambda runs: mean(runs, "val", "nll"))
            differ += by_accuracy is not by_nll
            for score, into in (("accuracy", accuracy), ("nll", nll)):
                into.setdefault(dataset, []).append(mean(by_nll, "test", score) - mean(by_accuracy, "test", score))
    means = {score: [statistics.mean(v) for v in of.values()] for score, of in (("accuracy", accuracy), ("nll", nll))}
    count = sum(map(len, accuracy.values()))
    print(f"{count} stages on {len(accuracy)} data sets; the rules choose differently in {differ}")
    for score, values in means.items():
        error = statistics.stdev(values) / len(values) ** 0.5
        print(f"test {score} of the choice by NLL less that by accuracy: {statistics.mean(values):.4f} ± {error:.4f} "
              "(mean over data sets, standard error)")


if __name__ == "__main__":
    main()
