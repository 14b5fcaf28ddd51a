#!/usr/bin/env python3
"""The tables of docs/results-defaults.md from stores of sweeps: results_tables.py defaults.db rates.db suited.db

    gdkm sweep experiments/defaults.toml --device cuda      and rates.toml, suited.toml
    python3 experiments/results_tables.py defaults.db rates.db suited.db

Accuracies are means over splits (over seeds, where there is one split) with their standard deviation. ECE is that of all
test predictions together. Differences are paired: the same split and seed.
"""
import json
import math
import sqlite3
import statistics
import sys

NAMES = {"cora": "Cora", "citeseer": "Citeseer", "pubmed": "Pubmed", "minesweeper": "Minesweeper", "tolokers": "Tolokers",
         "blogcatalog": "BlogCatalog", "flickr": "Flickr", "chameleon": "Chameleon", "squirrel": "Squirrel"}
STUDENT = {9: 2.262, 29: 2.045}  # 97.5 % points by degrees of freedom


class Runs:
    """Finished runs of one setting on one data set."""

    def __init__(self, rows):
        self.test = {(seed, split): result["test"] for seed, split, result, _ in rows}
        self.loss = [result["last_loss"] for _, _, result, _ in rows]
        self.epochs = [result["epochs"] for _, _, result, _ in rows]
        self.bins = [bins["test"] for _, _, _, bins in rows]

    def means(self, key):
        """Over the seeds of each split, or the values of all seeds where there is one split."""
        splits = sorted({split for _, split in self.test})
        if len(splits) == 1:
            return [each[key] for _, each in sorted(self.test.items())]
        return [statistics.mean(each[key] for (_, at), each in self.test.items() if at == split) for split in splits]

    def accuracy(self):
        values = self.means("accuracy")
        return f"{statistics.mean(values):.1f} ± {statistics.stdev(values):.1f}"

    def mean(self, key):
        return statistics.mean(self.means(key))

    def ece(self):
        """The calibration error of the predictions of all runs in one."""
        total, by_bin = 0.0, {}
        for bins in self.bins:
            for number, (count, confidence, correct) in enumerate(bins):  # means of the bin
                sums = by_bin.setdefault(number, [0.0, 0.0])
                sums[0] += count * confidence
                sums[1] += count * correct
                total += count
        return sum(abs(confidence - correct) for confidence, correct in by_bin.values()) / total


def differences(of, less, key):
    """Of splits (seeds): mean, standard error, degrees of freedom."""
    each = [a - b for a, b in zip(of.means(key), less.means(key), strict=True)]
    return statistics.mean(each), statistics.stdev(each) / math.sqrt(len(each)), len(each) - 1


def interval(of, less, key="accuracy"):
    mean, error, freedom = differences(of, less, key)
    return f"{mean:+.1f} ± {STUDENT[freedom] * error:.1f}"


def read(path):
    """{(sweep, study, data set, varied options): Runs}"""
    store = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    found = {}
    for sweep, study, data, varied, seed, split, result, bins in store.execute(
            "SELECT s.sweep, s.study, s.dataset, s.varied, r.seed, r.split, r.result, r.reliability FROM stages s "
            "JOIN runs r ON r.id = s.run WHERE r.status = 'done' ORDER BY s.sweep, s.study, s.candidate, r.id"):
        options = tuple(sorted((key, str(value)) for key, value in json.loads(varied).items()))
        found.setdefault((sweep, study, data, options), []).append((seed, split, json.loads(result), json.loads(bins)))
    return {key: Runs(rows) for key, rows in found.items()}


def table(*lines):
    header = lines[0].count("|") - 1
    print("\n".join([lines[0], "|" + "---|" * header, *lines[1:]]), end="\n\n")


def defaults(runs):
    rows = ["| data | DKM, ν = 1 | NLL | ECE | sparse NNGP | NLL | ECE | GCN | NLL | ECE |"]
    gains = ["| data | gain |"]
    of = {(study, data): each for (_, study, data, _), each in runs.items()}
    for data in dict.fromkeys(data for _, data in of):
        cells = []
        for model in ("dkm", "nngp", "gcn"):
            each = of[model, data]
            cells += [each.accuracy(), f"{each.mean('nll'):.3f}", f"{each.ece():.3f}"]
        rows.append(f"| {NAMES.get(data, data)} | " + " | ".join(cells) + " |")
        mean, error, freedom = differences(of["dkm", data], of["nngp", data], "accuracy")
        gains.append(f"| {NAMES.get(data, data)} | {mean:+.2f} ± {STUDENT[freedom] * error:.2f} |")
    table(*rows)
    table(*gains)
    for (study, data), each in of.items():
        if study not in ("dkm", "nngp", "gcn"):
            print(f"{study}, {data}: {each.accuracy()}, NLL {each.mean('nll'):.3f}")


def rates(runs):
    rows = ["| data | ν | default | rate × 3 | rate / 3 |"]
    of = {(data, dict(options)["nu"], float(dict(options)["lr"])): each for (_, _, data, options), each in runs.items()}
    for data, nu in dict.fromkeys((data, nu) for data, nu, _ in of):
        usual, high, low = (of[data, nu, rate] for rate in (0.01, 0.03, 0.00333333))
        cells = [f"{usual.mean('accuracy'):.1f} ({usual.mean('nll'):.3f})"]
        for each in (high, low):
            mean, error, _ = differences(each, usual, "accuracy")
            cells.append(f"{each.mean('accuracy'):.1f} ({each.mean('nll'):.3f}), {mean:+.1f} ± {error:.1f}")
        rows.append(f"| {NAMES.get(data, data)} | {'∞' if nu == 'inf' else nu} | " + " | ".join(cells) + " |")
    table(*rows)
    worst = max(max(each.loss) for each in runs.values())
    print(f"largest last loss {worst:.2f}; most epochs {max(max(each.epochs) for each in runs.values())}")


def suited(runs):
    rows = ["| data | ν | test | NLL | test at ν = ∞ | NLL | gain |"]
    of = {}
    for (_, _, data, options), each in runs.items():
        of.setdefault(data, {})[dict(options)["nu"]] = each
    for data, by_nu in of.items():
        learned = next((nu for nu in by_nu if nu != "inf"), None)
        if learned is None or "inf" not in by_nu:
            continue
        a, b = by_nu[learned], by_nu["inf"]
        if set(a.test) != set(b.test):
            print(f"{data}: not all runs are done", file=sys.stderr)
            continue
        rows.append(f"| {NAMES.get(data, data)} | {learned} | {a.accuracy()} | {a.mean('nll'):.3f} | {b.accuracy()} | "
                    f"{b.mean('nll'):.3f} | {interval(a, b)} |")
    table(*rows)


def main():
    tables = {"defaults": defaults, "rates": rates, "suited": suited}
    for path in sys.argv[1:]:
        runs = read(path)
        for sweep in dict.fromkeys(key[0] for key in runs):
            tables[sweep]({key: each for key, each in runs.items() if key[0] == sweep})


if __name__ == "__main__":
    main()
