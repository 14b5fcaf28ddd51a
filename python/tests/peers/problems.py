"""Small problems on which gdkm and other programs are compared, and the plain formulas they are checked by first.

NumPy alone, so that the same lines run beside every peer, whatever version of NumPy it needs. Features and targets are
numbers that float32 holds exactly, since gdkm keeps data so; all computations are in float64.
"""
import numpy as np

NODES = 28


def held_by_float32(values):
    return values.astype(np.float32).astype(np.float64)


def graph(directed=False, columns=6):
    """A random graph whose last node has no edge: `edges` (pairs i → j, each undirected one once) and `x`."""
    rng = np.random.default_rng(18 + directed)
    there = np.triu(rng.random((NODES, NODES)) < 0.13, 1)
    if directed:
        there |= np.tril(rng.random((NODES, NODES)) < 0.08, -1)
    there[-1] = there[:, -1] = False
    return {"edges": np.argwhere(there), "x": held_by_float32(rng.standard_normal((NODES, columns)))}


def adjacency(edges, nodes=NODES):
    """A with A[j, i] = 1 for an edge i → j: row j holds what points at j."""
    out = np.zeros((nodes, nodes))
    out[edges[:, 1], edges[:, 0]] = 1
    return out


def renormalised(edges, nodes=NODES):
    """Â = D^-1/2 (A + I) D^-1/2 of the undirected graph."""
    a = adjacency(edges, nodes)
    a = np.maximum(a, a.T) + np.eye(nodes)
    root = 1 / np.sqrt(a.sum(1))
    return root[:, None] * a * root


def row_normalised(a):
    """D^-1 A; rows without an edge stay zero."""
    degree = a.sum(1, keepdims=True)
    return np.divide(a, degree, out=np.zeros_like(a), where=degree > 0)


def arccos(gram):
    """The kernel of √2·ReLU, which keeps the diagonal."""
    norm = np.sqrt(np.outer(np.diag(gram), np.diag(gram)))
    cosine = np.clip(np.divide(gram, norm, out=np.zeros_like(gram), where=norm > 0), -1, 1)
    angle = np.arccos(cosine)
    return norm / np.pi * (np.sin(angle) + (np.pi - angle) * cosine)


def plain_kernel(mixing, x, layers):
    """K_1 = Σ_r P_r XXᵀ P_rᵀ / R, K_ℓ = Σ_r P_r Φ(K_{ℓ−1}) P_rᵀ / R, with R matrices P_r in `mixing`."""
    inner = x @ x.T
    for _ in range(layers):
        outer = sum(p @ inner @ p.T for p in mixing) / len(mixing)
        inner = arccos(outer)
    return outer


def network_cases():
    """name → (graph, relations as gdkm spells them, their matrices). `in` and `out` leave the last node a row of zeros."""
    plain, arrows = graph(), graph(directed=True)
    either, into = adjacency(plain["edges"]), adjacency(arrows["edges"])
    either += either.T
    return {"gcn": (plain, "gcn", [renormalised(plain["edges"])]),
            "self_and_neighbours": (plain, "self,und:row", [np.eye(NODES), row_normalised(either)]),
            "directed": (arrows, "in:row,out:row", [row_normalised(into), row_normalised(into.T)])}


def gcn_weights(columns=6, width=8, classes=3):
    rng = np.random.default_rng(5)
    shapes = {"W1": (columns, width), "b1": width, "W2": (width, classes), "b2": classes}
    return {name: rng.standard_normal(shape) for name, shape in shapes.items()}


def regression():
    """Noisy numbers at 20 nodes of the undirected graph; the others are predicted."""
    rng = np.random.default_rng(7)
    order = rng.permutation(NODES)
    problem = graph()
    y = np.sin(problem["x"][:, 0]) + 0.5 * problem["x"][:, 1] + 0.1 * rng.standard_normal(NODES)
    return {**problem, "train": np.sort(order[:20]), "test": np.sort(order[20:]),
            "y": held_by_float32(y), "noise": np.array(0.05), "length": np.array(1.7)}


def classifications():
    """Labels and probabilities. Probabilities are multiples of 1/16, so that ties are many and sums exact."""
    rng = np.random.default_rng(11)

    def case(rows, classes, missing=()):
        label = rng.choice([c for c in range(classes) if c not in missing], rows)
        cuts = np.sort(rng.integers(0, 12, (rows, classes - 1)), axis=1)
        counts = np.diff(cuts, axis=1, prepend=0, append=12)
        counts[np.arange(rows), label] += rng.integers(1, 5, rows)  # of the label: never 0
        counts[np.arange(rows), (label + 1) % classes] += 16 - counts.sum(1)
        return label, counts / 16

    return {"two": case(60, 2), "four": case(90, 4), "missing": case(40, 5, missing=(1, 4)),
            "unseen": (np.array([0, 0, 2, 2]), np.array([[.75, .25, 0], [.5, .5, 0], [.25, .25, .5], [.5, .25, .25]]))}


def predicted_numbers():
    """Targets, means and standard deviations."""
    rng = np.random.default_rng(13)
    y = held_by_float32(rng.standard_normal((50, 2)))
    return y, y + 0.3 * rng.standard_normal((50, 2)), 0.2 + rng.random((50, 2))
