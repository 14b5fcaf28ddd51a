#!/usr/bin/env python3
"""GCN training beside PyTorch Geometric, on the CPU, with the same threads.

    gcn_pyg.py BENCH [--epochs 200] [--threads 2] [--rounds 5] [NPZ ...]

BENCH is the program of benchmarks/gcn.cpp; an NPZ is a graph in the npz layout. Without one, random graphs of
the shapes of Cora and Pubmed are used. First both train from the same weights without dropout and their losses must
agree; only then are they timed, with dropout 0.5 after the hidden layer, in turns: medians, and the best epoch of
all, which a busy machine disturbs least. The peer gets the fastest of its forms: features dense or sparse, adjacency
as edge list or as a sparse matrix. "within_reach" leaves out nodes that no label depends on, which the peer does not;
it is reported beside and not compared. Needs torch, torch_geometric, numpy.
"""
import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
import warnings

import numpy as np

warnings.filterwarnings("ignore")
import torch  # noqa: E402
import torch.nn.functional as F  # noqa: E402
from torch_geometric.nn import GCNConv  # noqa: E402

SHAPES = {"cora": (2708, 5278, 1433, 18, 7), "pubmed": (19717, 44324, 500, 50, 3)}


def random_graph(name):
    nodes, edges, columns, per_row, classes = SHAPES[name]
    rng = np.random.default_rng(0)
    pairs = rng.integers(nodes, size=(edges, 2))
    x = np.zeros((nodes, columns), np.float32)
    for row in x:
        row[rng.choice(columns, per_row, replace=False)] = rng.random(per_row) + 0.5
    label = rng.integers(classes, size=nodes)
    return pairs, x, label, np.sort(rng.choice(nodes, 20 * classes, replace=False))


def read_graph(path):
    file = np.load(path)
    if "node_features" in file:
        x = file["node_features"].astype(np.float32)
    else:
        indptr, indices, shape = file["feat_indptr"], file["feat_indices"], file["feat_shape"]
        x = np.zeros(tuple(shape), np.float32)
        x[np.repeat(np.arange(shape[0]), np.diff(indptr)), indices] = file["feat_data"]
    masks = file["train_masks"]
    return file["edges"], x, file["node_labels"], np.flatnonzero(masks[0] if masks.ndim > 1 else masks)


def normalise(pairs, nodes):
    """Â as (rows, columns, values), sorted by rows: symmetric, one self-loop per node."""
    pairs = pairs[pairs[:, 0] != pairs[:, 1]]
    both = np.concatenate([pairs, pairs[:, ::-1], np.repeat(np.arange(nodes)[:, None], 2, 1)])
    both = np.unique(both, axis=0)
    degree = np.bincount(both[:, 0], minlength=nodes)
    value = 1 / np.sqrt(degree[both[:, 0]] * degree[both[:, 1]].astype(float))
    return both[:, 0], both[:, 1], value


def starts(rows, count):
    return np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=count))]).astype(np.int64)


class Problem:
    def __init__(self, graph, width, folder):
        pairs, x, label, train = graph
        norm = np.linalg.norm(x, axis=1, keepdims=True)
        x = x / np.where(norm > 0, norm, 1)
        nodes, classes = len(label), int(label.max()) + 1
        rows, cols, value = normalise(np.asarray(pairs, np.int64), nodes)
        rng = np.random.default_rng(1)
        glorot = lambda a, b: (rng.uniform(-1, 1, (a, b)) * np.sqrt(6 / (a + b))).astype(np.float32)
        self.w1, self.w2 = glorot(x.shape[1], width), glorot(width, classes)
        self.path = folder + "/problem.npz"
        at = np.nonzero(x)
        np.savez(self.path, label=label.astype(np.int32), train=train.astype(np.int32), W1=self.w1, W2=self.w2,
                 A_start=starts(rows, nodes), A_col=cols.astype(np.int32), A_value=value,
                 X_start=starts(at[0], nodes), X_col=at[1].astype(np.int32), X_value=x[at].astype(np.float64))
        self.label, self.train = torch.from_numpy(label.astype(np.int64)), torch.from_numpy(train.astype(np.int64))
        self.edges = torch.from_numpy(np.stack([cols, rows]).astype(np.int64))
        self.weight = torch.from_numpy(value.astype(np.float32))
        self.adjacency = torch.sparse_csr_tensor(torch.from_numpy(starts(rows, nodes)), torch.from_numpy(cols),
                                                 self.weight, (nodes, nodes))
        self.x = torch.from_numpy(x)


class Net(torch.nn.Module):
    def __init__(self, problem, dropout):
        super().__init__()
        (d, width), classes = problem.w1.shape, problem.w2.shape[1]
        self.conv1 = GCNConv(d, width, normalize=False)
        self.conv2 = GCNConv(width, classes, normalize=False)
        self.dropout = dropout
        with torch.no_grad():
            self.conv1.lin.weight.copy_(torch.from_numpy(problem.w1.T))
            self.conv2.lin.weight.copy_(torch.from_numpy(problem.w2.T))

    def forward(self, x, edges, weight):
        h = F.relu(self.conv1(x, edges, weight))
        return self.conv2(F.dropout(h, self.dropout, self.training), edges, weight)


def run_peer(problem, epochs, dropout, form):
    torch.manual_seed(0)
    net = Net(problem, dropout).train()
    optimiser = torch.optim.Adam([{"params": [net.conv1.lin.weight], "weight_decay": 5e-4},
                                  {"params": [net.conv1.bias, *net.conv2.parameters()]}], lr=0.01)
    x = problem.x if "dense" in form else problem.x.to_sparse_csr()
    edges, weight = (problem.edges, problem.weight) if "edges" in form else (problem.adjacency, None)
    losses, times = [], []
    for _ in range(epochs):
        start = time.perf_counter()
        optimiser.zero_grad()
        loss = F.cross_entropy(net(x, edges, weight)[problem.train], problem.label[problem.train])
        loss.backward()
        losses.append(loss.item())
        optimiser.step()
        times.append(1e3 * (time.perf_counter() - start))
    return losses, times


def run_ours(bench, problem, epochs, dropout, threads, *more):
    command = [bench, problem.path, str(epochs), str(threads), str(dropout), *more]
    out = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return out["loss"], out["ms"]


def compare(name, graph, arguments, width):
    with tempfile.TemporaryDirectory() as folder:
        problem = Problem(graph, width, folder)
        ours, _ = run_ours(arguments.bench, problem, 5, 0, arguments.threads)
        forms = {}
        for form in ("dense, edges", "dense, matrix", "sparse, matrix"):
            try:
                losses, times = run_peer(problem, 8, 0, form)
            except (RuntimeError, NotImplementedError, ValueError, TypeError) as error:
                print(f"{name}: the peer cannot: {form} ({str(error).splitlines()[0][:80]})", file=sys.stderr)
                continue
            worst = max(abs(a - b) for a, b in zip(ours, losses))
            if worst > 1e-4:
                sys.exit(f"{name}: losses differ by {worst}: {ours} and {losses[:5]}")
            forms[form] = statistics.median(times[2:])
        form = min(forms, key=forms.get)
        times = {"gdkm": [], "pyg": [], "gdkm_within_reach": []}
        for _ in range(arguments.rounds):
            ours = [arguments.bench, problem, arguments.epochs, 0.5, arguments.threads]
            times["gdkm"].append(run_ours(*ours)[1])
            times["pyg"].append(run_peer(problem, arguments.epochs, 0.5, form)[1])
            times["gdkm_within_reach"].append(run_ours(*ours, "reach")[1])
        out = {"data": name, "width": width, "threads": arguments.threads, "epochs": arguments.epochs, "form": form}
        for key, rounds in times.items():
            out[key + "_ms"] = round(statistics.median(statistics.median(times) for times in rounds), 3)
            out[key + "_best_ms"] = round(min(min(times) for times in rounds), 3)
        out["ratio"] = round(out["pyg_ms"] / out["gdkm_ms"], 2)
        out["best_ratio"] = round(out["pyg_best_ms"] / out["gdkm_best_ms"], 2)
        print(json.dumps(out), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("bench")
    parser.add_argument("npz", nargs="*")
    parser.add_argument("--epochs", type=int, default=200)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--width", type=int, default=64)
    arguments = parser.parse_intermixed_args()
    torch.set_num_threads(arguments.threads)
    graphs = {path: lambda path=path: read_graph(path) for path in arguments.npz}
    for name, make in (graphs or {name: lambda name=name: random_graph(name) for name in SHAPES}).items():
        compare(name, make(), arguments, arguments.width)


if __name__ == "__main__":
    main()
