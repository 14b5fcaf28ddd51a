#!/usr/bin/env python3
"""The same task in PyTorch Geometric, GPyTorch and gdkm: lines of code, seconds, accuracy, NLL.

    side_by_side.py --data-dir DIR [--data cora,chameleon] [--runs 5] [--threads N] [--methods A,B] [--json FILE] [--write]
    side_by_side.py --check

The programs are the files of side_by_side/. All get the same arrays and the same splits: the one public split of Cora
with several seeds, the first public splits of Chameleon with one seed each. Each chooses its settings in the same way:
every candidate of CANDIDATES is trained once on the first split, and the best on validation nodes (accuracy, then NLL)
is taken. Then all methods take turns. Seconds are those of a training with the chosen settings, from arrays in memory to
the probabilities of all nodes, and the median is reported, on the clock and of all threads together. Trainings that
choose settings come first and are not among them, so loading of libraries is not, either.

--write puts the programs, the table and the versions into docs/side-by-side.md; --check fails if the page shows
other programs or other counts of lines than these files have. It needs torch, torch_geometric, gpytorch and gdkm.
"""
import argparse
import importlib
import importlib.metadata
import json
import os
import pathlib
import platform
import re
import statistics
import sys
import time
import warnings

HERE = pathlib.Path(__file__).parent
PROGRAMS = HERE / "side_by_side"
PAGE = HERE.parent / "docs" / "side-by-side.md"

GCN = [{"dropout": dropout, "weight_decay": decay} for dropout in (0.0, 0.5, 0.8) for decay in (5e-4, 5e-3)]
DEPTHS = [{"layers": layers} for layers in (1, 2, 3)]
DKM = [{"nu": nu, **more} for nu in (0.1, 1.0) for more in ({"layers": 2}, {"layers": 3}, {"center": True})]

# Row of the table → its programs, of which the last is called, what it always gets, and the candidates among which
# validation nodes choose.
METHODS = {
    "PyTorch Geometric: GCN": (["pyg_gcn"], {}, GCN + [{**each, "epochs": 1000} for each in GCN]),
    "gdkm: GCN": (["gdkm_models"], {"estimator": "GCNClassifier", "width": 64}, GCN),
    "GPyTorch: exact GP on one-hot labels": (["graph_kernel", "gpytorch_exact"], {}, DEPTHS),
    "GPyTorch: variational GP": (["graph_kernel", "gpytorch_variational"], {}, DEPTHS),
    "gdkm: exact NNGP": (["gdkm_models"], {"estimator": "GraphNNGPClassifier", "exact": True}, DEPTHS),
    "gdkm: graph DKM": (["gdkm_models"], {"estimator": "GraphDKMClassifier"}, DKM),
}


def read_graph(path, split):
    """x, edges, y and the indices of one split, from the npz layout of docs/data.md."""
    import numpy as np
    with np.load(path) as file:
        if "node_features" in file:
            x = file["node_features"].astype(np.float32)
        else:
            x = np.zeros(tuple(file["feat_shape"]), np.float32)
            rows = np.repeat(np.arange(len(x)), np.diff(file["feat_indptr"]))
            x[rows, file["feat_indices"]] = file["feat_data"]
        train, val, test = (np.flatnonzero(np.atleast_2d(file[part + "_masks"])[split])
                            for part in ("train", "val", "test"))
        return x, file["edges"].astype(np.int64), file["node_labels"].astype(np.int64), train, val, test


def scores(probability, label, rows):
    import numpy as np
    of_label = np.maximum(probability[rows, label[rows]], 1e-12)
    return {"accuracy": 100 * float((probability[rows].argmax(1) == label[rows]).mean()),
            "nll": -float(np.log(of_label).mean())}


def tempered(probability, label, val):
    """softmax(log p / T), with the temperature T that is best on validation nodes."""
    import numpy as np
    logits = np.log(np.maximum(probability, 1e-12))

    def at(temperature):
        scaled = np.exp((logits - logits.max(1, keepdims=True)) / temperature)
        return scaled / scaled.sum(1, keepdims=True)

    return min(map(at, np.geomspace(0.1, 10, 201)), key=lambda p: scores(p, label, val)["nll"])


def train(method, settings, graph, seed, threads):
    x, edges, y, train_rows, val, test = graph
    (*_, program), always, _ = METHODS[method]
    given = {**always, **settings}
    if program == "gdkm_models":
        import gdkm
        given.update(estimator=getattr(gdkm, given["estimator"]), threads=threads)
    begin, cpu = time.perf_counter(), time.process_time()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        probability = importlib.import_module(program).probabilities(x, edges, y, train_rows, val, seed, **given)
    return {"seconds": time.perf_counter() - begin,
            "cpu_seconds": time.process_time() - cpu, "val": scores(probability, y, val),
            "test": scores(probability, y, test), "tempered": scores(tempered(probability, y, val), y, test)}


class Runs:
    """The trainings of one measurement. A file keeps them, so that one that was interrupted goes on."""

    def __init__(self, arguments):
        self.arguments, self.path = arguments, arguments.json
        self.done = json.loads(self.path.read_text()) if self.path and self.path.exists() else []

    def get(self, data, method, settings, split, seed, choosing):
        key = {"data": data, "method": method, "settings": settings, "split": split, "seed": seed, "choosing": choosing}
        for run in self.done:
            if all(run[name] == value for name, value in key.items()):
                return run
        graph = read_graph(self.arguments.data_dir / data / f"{data}.npz", split)
        run = {**key, **train(method, settings, graph, seed, self.arguments.threads)}
        print(f"{data}, {method}, {said(settings)}, split {split}, seed {seed}: {run['test']['accuracy']:.1f} %, NLL "
              f"{run['test']['nll']:.3f}, {run['seconds']:.1f} s ({run['cpu_seconds']:.1f} s of CPU)", file=sys.stderr)
        self.done.append(run)
        if self.path:
            self.path.write_text(json.dumps(self.done, indent=1))
        return run

    def choose(self, data, method):
        tried = [self.get(data, method, settings, 0, 0, True) for settings in METHODS[method][2]]
        return max(tried, key=lambda run: (run["val"]["accuracy"], -run["val"]["nll"]))["settings"]

    def measure(self, data):
        """method → its runs with the settings that it chose."""
        chosen = {method: self.choose(data, method) for method in self.arguments.methods}
        out = {method: [] for method in chosen}
        for number in range(self.arguments.runs):
            split, seed = (0, number) if data == "cora" else (number, 0)
            for method, settings in chosen.items():
                out[method].append(self.get(data, method, settings, split, seed, False))
        return out


def lines_of(programs):
    """Lines of code: those that are neither blank nor a comment alone."""
    lines = [line.strip() for program in programs for line in (PROGRAMS / f"{program}.py").read_text().splitlines()]
    return sum(1 for line in lines if line and not line.startswith("#"))


def mean_and_std(values, digits):
    deviation = statistics.stdev(values) if len(values) > 1 else 0.0
    return f"{statistics.mean(values):.{digits}f} ± {deviation:.{digits}f}"


def said(settings):
    return ", ".join(f"{name} {value}" for name, value in settings.items()) or "–"


def table(measured):
    rows = ["| | lines of code | seconds | of CPU | test accuracy, % | test NLL | NLL with temperature | chosen |",
            "|---|---:|---:|---:|---:|---:|---:|---|"]
    for method, (programs, _, _) in METHODS.items():
        if runs := measured.get(method):
            rows.append(f"| {method} | {lines_of(programs)} | {statistics.median(r['seconds'] for r in runs):.1f} | "
                        f"{statistics.median(r['cpu_seconds'] for r in runs):.1f} | "
                        f"{mean_and_std([r['test']['accuracy'] for r in runs], 1)} | "
                        f"{mean_and_std([r['test']['nll'] for r in runs], 3)} | "
                        f"{mean_and_std([r['tempered']['nll'] for r in runs], 3)} | {said(runs[0]['settings'])} |")
    return "\n".join(rows)


def filled(page, name, text):
    """The page with `text` between <!-- name --> and <!-- end -->."""
    pattern = re.compile(rf"(<!-- {re.escape(name)} -->\n).*?(<!-- end -->)", re.DOTALL)
    if not pattern.search(page):
        sys.exit(f"{PAGE.name} has no place for '{name}'")
    return pattern.sub(lambda found: f"{found[1]}\n{text}\n\n{found[2]}", page)


def with_programs(page):
    for program in dict.fromkeys(program for programs, _, _ in METHODS.values() for program in programs):
        code = (PROGRAMS / f"{program}.py").read_text().strip()
        page = filled(page, f"program {program}", f"```python\n{code}\n```")
    return page


def check():
    page = PAGE.read_text()
    problems = [] if with_programs(page) == page else ["shows other programs than benchmarks/side_by_side has"]
    for method, (programs, _, _) in METHODS.items():
        shown = re.findall(rf"^\| {re.escape(method)} \| (\d+) \|", page, re.MULTILINE)
        if any(int(lines) != lines_of(programs) for lines in shown):
            problems.append(f"{method} has {lines_of(programs)} lines, the tables say {', '.join(shown)}")
    if problems:
        sys.exit("\n".join(f"{PAGE.name}: {problem}; run benchmarks/side_by_side.py --write" for problem in problems))


def write(measured, arguments):
    page = with_programs(PAGE.read_text())
    for data, methods in measured.items():
        page = filled(page, f"table {data}", table(methods))
    versions = [f"{name} {importlib.metadata.version(name)}" for name in ("torch", "torch_geometric", "gpytorch", "numpy")]
    import gdkm
    page = filled(page, "versions", f"Measured with gdkm {gdkm.__version__}, {', '.join(versions)} and Python "
                                    f"{platform.python_version()}, {arguments.threads} threads, {arguments.runs} runs.")
    PAGE.write_text(page)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data-dir", type=pathlib.Path)
    parser.add_argument("--data", default="cora,chameleon", type=lambda text: text.split(","))
    parser.add_argument("--methods", default=list(METHODS), metavar="A,B",
                        type=lambda text: [m for m in METHODS if any(word in m for word in text.split(","))],
                        help="parts of the names of methods")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--json", type=pathlib.Path, help="keeps all trainings; those that it has are not repeated")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    if arguments.check:
        return check()
    if arguments.data_dir is None:
        parser.error("--data-dir names the folder that holds cora/cora.npz and chameleon/chameleon.npz")
    os.environ["OMP_NUM_THREADS"] = str(arguments.threads)  # before torch is loaded
    sys.path.insert(0, str(PROGRAMS))
    runs, measured = Runs(arguments), {}
    for data in arguments.data:
        measured[data] = runs.measure(data)
        print(f"\n{data}\n{table(measured[data])}")
    if arguments.write:
        write(measured, arguments)


if __name__ == "__main__":
    main()
