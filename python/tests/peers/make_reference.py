#!/usr/bin/env python3
"""Values of other programs on the problems of problems.py, for the tests of gdkm.

    make_reference.py PEER... [-o FOLDER] [--compare FOLDER]

PEER is neural-tangents, pyg, gpytorch or scikit-learn. Each becomes FOLDER/PEER.npz (`data` beside this script if no
folder is named) with the inputs, the peer's outputs and the versions of all that computed them. The plain formulas of
problems.py must agree with the peer before anything is written. With --compare, the values are compared with those
of another folder too, and a difference is an error. The packages are those of requirements-PEERS.txt.
"""
import argparse
import importlib.metadata
import pathlib
import sys
import warnings

import numpy as np

import problems

HERE = pathlib.Path(__file__).parent


def versions(*packages):
    return np.array([f"{name} {importlib.metadata.version(name)}" for name in ("numpy", *packages)])


def agree(what, peer, plain, tolerance=1e-9):
    difference = np.abs(peer - plain).max() / max(1.0, np.abs(plain).max())
    if not difference <= tolerance:
        sys.exit(f"{what}: the peer and the plain formula differ by {difference:.1e}")
    return np.asarray(peer)


def neural_tangents():
    """Kernels of wide networks, 1 to 3 layers, by stax.

    What has to be matched: stax divides XXᵀ by the number of columns, so the first weights get the standard deviation
    √columns, where ours have 1. Its ReLU halves the kernel, so later weights get √2, where ours multiply √2·ReLU. With
    R relations both are divided by √R. Aggregate sums over the first index of its pattern, so it is given the
    transposes of P_r. `to_dense` picks the pattern of a relation.
    """
    import jax
    jax.config.update("jax_enable_x64", True)
    from neural_tangents import stax

    def mixing(relation, deviation):
        return stax.serial(stax.Aggregate(aggregate_axis=1, batch_axis=0, channel_axis=-1,
                                          to_dense=lambda patterns: patterns[relation]),
                           stax.Dense(1, W_std=deviation, b_std=None))

    def layer(relations, deviation):
        if relations == 1:
            return mixing(0, deviation)
        branches = [mixing(r, deviation / np.sqrt(relations)) for r in range(relations)]
        return stax.serial(stax.FanOut(relations), stax.parallel(*branches), stax.FanInSum())

    out = {"versions": versions("neural-tangents", "jax", "jaxlib")}
    for name, (graph, relations, matrices) in problems.network_cases().items():
        out.update({f"{name}_{key}": value for key, value in graph.items()}, **{f"{name}_relations": relations})
        patterns = np.stack([p.T for p in matrices])[:, None]
        x = graph["x"]
        for layers in (1, 2, 3):
            network = [layer(len(matrices), np.sqrt(x.shape[1]))]
            for _ in range(1, layers):
                network += [stax.Relu(), layer(len(matrices), np.sqrt(2))]
            kernel = stax.serial(*network)[2](x[None], None, "nngp", pattern=(patterns, patterns))
            out[f"{name}_K_{layers}"] = agree(f"{name}, {layers} layers", np.asarray(kernel)[0, 0],
                                              problems.plain_kernel(matrices, x, layers))
    return out


def pyg():
    """Two GCNConv layers with a ReLU between, normalised by PyTorch Geometric itself, in float64."""
    import torch
    from torch_geometric.nn import GCNConv
    graph, weights = problems.graph(), problems.gcn_weights()
    pairs = torch.from_numpy(np.concatenate([graph["edges"], graph["edges"][:, ::-1]]).T.copy())
    hidden = torch.from_numpy(graph["x"])
    with torch.no_grad():
        for number in "12":
            weight = torch.from_numpy(weights["W" + number])
            convolution = GCNConv(*weight.shape).double()
            convolution.lin.weight.copy_(weight.T)
            convolution.bias.copy_(torch.from_numpy(weights["b" + number]))
            hidden = convolution(hidden.relu() if number == "2" else hidden, pairs)
    mixing = problems.renormalised(graph["edges"])
    plain = np.maximum(mixing @ graph["x"] @ weights["W1"] + weights["b1"], 0)
    return {"versions": versions("torch", "torch_geometric"), **graph, **weights,
            "logits": agree("GCN", hidden.numpy(), mixing @ plain @ weights["W2"] + weights["b2"], 1e-12)}


def regression_kernels(problem):
    """An RBF kernel of the features, and the kernel of a wide GCN with two layers."""
    squares = (problem["x"] ** 2).sum(1)
    distance = squares[:, None] + squares - 2 * problem["x"] @ problem["x"].T
    return {"rbf": np.exp(-distance / (2 * problem["length"] ** 2)),
            "graph": problems.plain_kernel([problems.renormalised(problem["edges"])], problem["x"], 2)}


def posteriors(package, predict):
    """`predict(name, kernel, problem)` has the peer's mean and latent variance at the test nodes."""
    problem = problems.regression()
    out = {"versions": versions(*package), **{f"regression_{key}": value for key, value in problem.items()}}
    train, test, noise = problem["train"], problem["test"], problem["noise"]
    for name, kernel in regression_kernels(problem).items():
        mean, variance = predict(name, kernel, problem)
        solved = np.linalg.solve(kernel[np.ix_(train, train)] + noise * np.eye(len(train)), kernel[np.ix_(train, test)])
        out["mean_" + name] = agree(name, mean, solved.T @ problem["y"][train])
        out["variance_" + name] = agree(name, variance, np.diag(kernel)[test] -
                                        (solved * kernel[np.ix_(train, test)]).sum(0))
    return out


def gpytorch():
    import gpytorch
    import torch

    class Given(gpytorch.kernels.Kernel):
        """A kernel whose values are known; inputs are indices of nodes."""
        def __init__(self, matrix):
            super().__init__()
            self.matrix = torch.from_numpy(matrix)

        def forward(self, a, b, diag=False, **_):
            a, b = a[..., 0].long(), b[..., 0].long()
            return self.matrix[a, b] if diag else self.matrix[a[:, None], b]

    class Process(gpytorch.models.ExactGP):
        def __init__(self, x, y, likelihood, kernel):
            super().__init__(x, y, likelihood)
            self.mean_module, self.covar_module = gpytorch.means.ZeroMean(), kernel

        def forward(self, x):
            return gpytorch.distributions.MultivariateNormal(self.mean_module(x), self.covar_module(x))

    def predict(name, kernel, problem):
        if name == "rbf":
            inputs, covariance = torch.from_numpy(problem["x"]), gpytorch.kernels.RBFKernel().double()
            covariance.lengthscale = torch.from_numpy(problem["length"])
        else:
            inputs, covariance = torch.arange(len(kernel), dtype=torch.float64)[:, None], Given(kernel)
        train, test = problem["train"], problem["test"]
        likelihood = gpytorch.likelihoods.GaussianLikelihood().double()
        likelihood.noise = torch.from_numpy(problem["noise"])
        model = Process(inputs[train], torch.from_numpy(problem["y"][train]), likelihood, covariance).double()
        with torch.no_grad(), gpytorch.settings.fast_computations(False, False, False):
            posterior = model.eval()(inputs[test])
            return posterior.mean.numpy(), posterior.variance.numpy()

    return posteriors(("torch", "gpytorch", "linear_operator"), predict)


def scikit_learn():
    """Exact Gaussian processes and metrics."""
    from sklearn.gaussian_process import GaussianProcessRegressor, kernels

    class Given(kernels.Kernel):
        """A kernel whose values are known; inputs are indices of nodes."""
        def __init__(self, matrix):
            self.matrix = matrix

        def __call__(self, a, b=None, eval_gradient=False):
            return self.matrix[np.ix_(a[:, 0], (a if b is None else b)[:, 0])]

        def diag(self, a):
            return np.diag(self.matrix)[a[:, 0]]

        def is_stationary(self):
            return False

    def predict(name, kernel, problem):
        if name == "rbf":
            inputs, covariance = problem["x"], kernels.RBF(float(problem["length"]))
        else:
            inputs, covariance = np.arange(len(kernel))[:, None], Given(kernel)
        process = GaussianProcessRegressor(covariance, alpha=float(problem["noise"]), optimizer=None)
        process.fit(inputs[problem["train"]], problem["y"][problem["train"]])
        mean, deviation = process.predict(inputs[problem["test"]], return_std=True)
        return mean, deviation ** 2

    return {**posteriors(("scipy", "scikit-learn"), predict), **metrics()}


def calibration_error(label, probability, bins=15):
    """Σ over bins of (rows in the bin / rows) · |accuracy − mean confidence|; a bin is (k/15, (k+1)/15]."""
    confidence, right = probability.max(1), probability.argmax(1) == label
    edges = np.arange(bins + 1) / bins
    inside = [(confidence > low) & (confidence <= high) for low, high in zip(edges, edges[1:])]
    return sum(abs(right[rows].mean() - confidence[rows].mean()) * rows.mean() for rows in inside if rows.any())


def metrics():
    from scipy.stats import norm
    from sklearn import metrics as score
    out = {}
    for name, (label, probability) in problems.classifications().items():
        predicted, classes = probability.argmax(1), np.arange(probability.shape[1])
        values = {"label": label, "probability": probability, "accuracy": score.accuracy_score(label, predicted),
                  "nll": score.log_loss(label, probability, labels=classes),
                  "f1_macro": score.f1_score(label, predicted, average="macro"),
                  "f1_weighted": score.f1_score(label, predicted, average="weighted"),
                  "confusion": score.confusion_matrix(label, predicted, labels=classes),
                  "balanced_accuracy": score.balanced_accuracy_score(label, predicted),
                  "ece": calibration_error(label, probability)}
        if len(classes) == 2:
            values["auc"] = score.roc_auc_score(label, probability[:, 1])
        out.update({f"{name}_{key}": value for key, value in values.items()})
    y, mean, deviation = problems.predicted_numbers()
    out.update(numbers_y=y, numbers_mean=mean, numbers_deviation=deviation,
               numbers_r2=score.r2_score(y, mean, multioutput="variance_weighted"),
               numbers_nll=-norm.logpdf(y, mean, deviation).mean(),
               numbers_rmse=np.sqrt(score.mean_squared_error(y, mean)),
               number_r2=score.r2_score(y[:, 0], mean[:, 0]),
               number_rmse=score.root_mean_squared_error(y[:, 0], mean[:, 0]))
    return out


PEERS = {"neural-tangents": neural_tangents, "pyg": pyg, "gpytorch": gpytorch, "scikit-learn": scikit_learn}


def compare(peer, values, folder, tolerance=1e-9):
    with np.load(folder / f"{peer}.npz") as committed:
        if set(committed) != set(values):
            sys.exit(f"{peer}: {sorted(set(committed) ^ set(values))} is in one file alone")
        for name in sorted(set(values) - {"versions"}):
            before, now = committed[name], np.asarray(values[name])
            same = (before == now).all() if before.dtype.kind in "US" else \
                before.shape == now.shape and np.abs(before - now).max() <= tolerance * max(1, np.abs(before).max())
            if not same:
                sys.exit(f"{peer}: {name} is not what {folder / peer}.npz has")
    print(f"{peer}: {len(values) - 1} arrays as committed ({', '.join(values['versions'])})")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("peer", nargs="+", choices=PEERS)
    parser.add_argument("-o", "--output", type=pathlib.Path, default=HERE / "data")
    parser.add_argument("--compare", type=pathlib.Path, metavar="FOLDER")
    arguments = parser.parse_args()
    arguments.output.mkdir(parents=True, exist_ok=True)
    for peer in arguments.peer:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of what the peers deprecate or cannot verify; the values are verified here
            values = PEERS[peer]()
        np.savez_compressed(arguments.output / f"{peer}.npz", **values)
        if arguments.compare:
            compare(peer, values, arguments.compare)


if __name__ == "__main__":
    main()
