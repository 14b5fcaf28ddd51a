"""How far q(W) is from its optimum at the end of default runs: readout_distance.py [--data-dir DIR] [NAME ...]

Trains a model with default settings on the first split of each data set, for ν = 0.01, 1 and ∞, and reads its features
and the distribution of its readout's weights. Then it goes on from there with Newton's steps of its own, until they no
longer help, and prints what they have gained in shares of the ELBO. The expectations of its steps are averages over 512
to 8,192 draws of each item and their mirror images. So the program's own quadrature is not used to judge it. What is gained is
measured with other draws than those of the steps, because steps fit the draws a little.

    PYTHONPATH=python python benchmarks/readout_distance.py --data-dir data cora
"""

from __future__ import annotations

import argparse

import numpy as np

import gdkm

NAMES = ("cora", "citeseer", "pubmed", "chameleon", "squirrel", "minesweeper", "MUTAG")


class Items:
    """Training items: features times √scale, labels, constants, and draws for their outputs."""

    def __init__(self, features, label, bias, seed: int):
        self.u = features
        self.bias = bias
        self.label = label
        self.hot = np.eye(len(bias))[label]
        draws = int(np.clip(1e7 / self.hot.size, 512, 8192))
        half = np.random.default_rng(seed).standard_normal((draws, *self.hot.shape)).astype(np.float32)
        self.draws = np.concatenate([half, -half])

    def log_probabilities(self, mean, factor):
        """Of every draw, item and class."""
        deviation = np.linalg.norm(self.u @ factor, axis=1)
        logits = (self.u @ mean + self.bias).astype(np.float32) + deviation[:, None].astype(np.float32) * self.draws
        logits -= logits.max(axis=2, keepdims=True)
        return logits - np.log(np.exp(logits).sum(axis=2, keepdims=True))

    def elbo(self, mean, factor):
        width, classes = mean.shape
        prior = -0.5 * (mean**2).sum() - 0.5 * classes * (
            (factor**2).sum() - width - 2 * np.log(np.abs(np.diag(factor))).sum())
        logs = self.log_probabilities(mean, factor)
        return prior + logs[:, np.arange(len(self.label)), self.label].mean(axis=0, dtype=np.float64).sum()


def improved(items: Items, mean, factor, rounds: int = 30):
    """Newton's steps, each halved until the ELBO grows."""
    best, rate = items.elbo(mean, factor), 1.0
    for _ in range(rounds):
        p = np.exp(items.log_probabilities(mean, factor))
        variance = (p * (1 - p)).mean(axis=0, dtype=np.float64)
        residual = items.hot - p.mean(axis=0, dtype=np.float64)
        curvature = np.eye(len(mean)) + items.u.T @ (2 * variance.max(axis=1)[:, None] * items.u)
        wanted = np.eye(len(mean)) + items.u.T @ (variance.mean(axis=1)[:, None] * items.u)
        direction = np.linalg.solve(curvature, items.u.T @ residual - mean)
        present = np.linalg.inv(factor @ factor.T)
        while rate > 1e-4:
            precision = rate * wanted + (1 - rate) * present
            next_mean, next_factor = mean + rate * direction, np.linalg.cholesky(np.linalg.inv(precision))
            value = items.elbo(next_mean, next_factor)
            if value > best:
                break
            rate /= 2
        else:
            break
        gained, mean, factor, best = value - best, next_mean, next_factor, value
        rate = min(1.0, 2 * rate)
        if gained < 1e-6 * abs(best):
            break
    return mean, factor


def distance(graph, nu: float) -> tuple[float, float]:
    """Share of the ELBO, and the ELBO for each item."""
    train, val, test = graph.splits["public"][0]
    model = gdkm.GraphDKMClassifier(nu=nu, random_state=0).fit(graph, train=train, val=val)
    q = gdkm.readout_posterior(model)
    features = np.sqrt(q.scale) * model.features().astype(np.float64)[train]
    label = np.searchsorted(model.classes_, np.asarray(graph.y)[train])
    mean, factor = q.mean, np.linalg.cholesky(q.covariance)
    found = improved(Items(features, label, q.bias, seed=1), mean, factor)
    judge = Items(features, label, q.bias, seed=2)
    before, after = judge.elbo(mean, factor), judge.elbo(*found)
    return (after - before) / abs(after), after / len(label)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", default=NAMES)
    parser.add_argument("--data-dir")
    given = parser.parse_args()
    print("| data | ν | ELBO per item | distance |\n|---|---|---|---|")
    for name in given.names:
        graph = gdkm.load(name, data_dir=given.data_dir)
        for nu in (0.01, 1.0, float("inf")):
            share, elbo = distance(graph, nu)
            print(f"| {name} | {nu:g} | {elbo:.3f} | {100 * share:.4f} % |", flush=True)


if __name__ == "__main__":
    main()
