#!/usr/bin/env python3
"""The training step of a two-layer graph convolutional DKM in PyTorch, to compare gdkm with.

    dkm_torch.py PROBLEM.safetensors [--form paper|order] [--device cpu|cuda] [--threads N] ...

The problem is what `gdkm_bench_step --export` writes: graph, features, labels, starting parameters, and the noise and
learning rates of the first steps, which are taken at once, so that losses can be compared before anything is timed.
Then numbers are read from standard input; for each, that many steps are taken, and one line of JSON is printed.

--form paper: kernels are formed, and each layer solves an n×m triangular system, as the paper writes it.
--form order: mixing and solve commute with products, so that a layer takes n×m×m products and m×m solves only.
--arccos: the arc-cosine is left to autograd, as one would write it down, or is one function with its gradient written
out. The benchmarks take the first with `paper` and the second with `order`.
Everything else is the same in both: sparse CSR products (whose backward uses the transpose, made once), one Cholesky
per layer, cross-entropy over all samples at once, fused Adam. Needs torch and numpy.
"""
import argparse
import json
import math
import sys
import time
import warnings

import numpy as np
import torch
import torch.nn.functional as F

warnings.filterwarnings("ignore", message="Sparse")  # CSR is called a beta on every use


def resident(field):
    """VmRSS or VmHWM of this process in bytes, as benchmarks/resident.hpp reads it."""
    with open("/proc/self/status") as status:
        return next(1024 * int(line.split()[1]) for line in status if line.startswith(field))


def forget_peak():
    with open("/proc/self/clear_refs", "w") as file:
        file.write("5")


def read_safetensors(path):
    types = {"F32": np.float32, "F64": np.float64, "I32": np.int32, "I64": np.int64}
    with open(path, "rb") as file:
        header = json.loads(file.read(int.from_bytes(file.read(8), "little")))
        start = file.tell()
        tensors = {}
        for name, about in header.items():
            if name != "__metadata__":
                file.seek(start + about["data_offsets"][0])
                count = math.prod(about["shape"])
                array = np.fromfile(file, types[about["dtype"]], count).reshape(about["shape"])
                tensors[name] = torch.from_numpy(array)
    return header["__metadata__"], tensors


class SparseProduct(torch.autograd.Function):
    """A x for a constant sparse A; its transpose is at hand for the backward."""

    @staticmethod
    def forward(context, x, a, transposed):
        context.transposed = transposed
        return a @ x

    @staticmethod
    def backward(context, gradient):
        return context.transposed @ gradient, None, None


class Sparse:
    def __init__(self, tensors, name, shape, device, symmetric):
        indices = [tensors[name + "." + part].to(device) for part in ("start", "col", "value")]
        indices[0] = indices[0].to(torch.int32)  # MKL and cuSPARSE take one kind of index
        self.a = torch.sparse_csr_tensor(*indices, shape)
        self.transposed = self.a if symmetric else self.a.to_sparse_coo().t().coalesce().to_sparse_csr()
        if not symmetric:
            self.transposed = torch.sparse_csr_tensor(
                self.transposed.crow_indices().to(torch.int32), self.transposed.col_indices().to(torch.int32),
                self.transposed.values(), self.transposed.shape)

    def __call__(self, x):
        return SparseProduct.apply(x, self.a, self.transposed)


class ArcCos(torch.autograd.Function):
    """K = s_t s_i (sin θ + (π − θ) cos θ) / π, cos θ = G / (s_t s_i), with the gradient written out: automatic
    differentiation of arccos and sqrt gives NaN where rows are parallel, and takes more passes and memory."""

    @staticmethod
    def forward(context, g, s_t, s_i):
        c = (g / s_t[:, None]).div_(s_i).clamp_(-1, 1)
        rest = torch.acos(c).neg_().add_(math.pi)
        sine = torch.addcmul(torch.ones((), dtype=c.dtype, device=c.device), c, c, value=-1).clamp_(min=0).sqrt_()
        out = torch.addcmul(sine, rest, c).mul_(s_i / math.pi).mul_(s_t[:, None])
        context.save_for_backward(rest, sine, s_t, s_i)
        return out

    @staticmethod
    def backward(context, k_bar):
        rest, sine, s_t, s_i = context.saved_tensors
        k_bar = k_bar / math.pi
        weighted = sine * k_bar
        return rest * k_bar, weighted @ s_i, s_t @ weighted


def arc_cosine(g, s_t, s_i):
    """The same, left to autograd."""
    scale = s_t[:, None] * s_i
    limit = 1 - (1e-7 if g.dtype == torch.float32 else 1e-14)
    c = (g / scale).clamp(-limit, limit)
    theta = torch.acos(c)
    return scale / math.pi * (torch.sqrt(1 - c * c) + (math.pi - theta) * c)


def positive_lower(raw):
    return raw.tril(-1) + torch.diag_embed(raw.diagonal().exp())


def normal_kl(l, raw):
    return 0.5 * (l.square().sum() - 2 * raw.diagonal().sum() - l.shape[0])


class Model:
    def __init__(self, path, options):
        self.options = options
        metadata, tensors = read_safetensors(path)
        device = self.device = torch.device(options.device)
        self.nu, self.jitter = float(metadata["nu"]), float(metadata["jitter"])
        self.samples, self.classes = int(metadata["samples"]), int(metadata["classes"])
        features = int(metadata["features"])
        label = tensors["label"].to(device)
        self.nodes = label.numel()
        self.label = label.repeat_interleave(self.samples)
        self.mixing = Sparse(tensors, "mixing", (self.nodes, self.nodes), device, symmetric=True)
        self.read_inputs(tensors, features)
        self.parameters = {name.removeprefix("parameter."): tensors[name].to(device).requires_grad_()
                           for name in tensors if name.startswith("parameter.")}
        self.noise = [tensors[f"noise.{k}"].to(device) for k in range(len(tensors["rate"]))]
        self.rates = tensors["rate"].tolist()
        self.arc_cosine = ArcCos.apply if options.arccos == "function" else arc_cosine
        self.in_feature_space = features < self.parameters["X_i"].shape[0]
        rate = torch.tensor(self.rates[0], device=device) if options.compile == "graph" else self.rates[0]
        self.adam = torch.optim.Adam(self.parameters.values(), lr=rate, fused=True,
                                     capturable=options.compile == "graph")

    def read_inputs(self, tensors, features):
        """x(b) is ÂX b: dense features are mixed once, and so are sparse ones with --features dense."""
        if "X" in tensors:
            mixed = self.mixing.a @ tensors["X"].to(self.device)
        else:
            x = Sparse(tensors, "X", (self.nodes, features), self.device, symmetric=False)
            if self.options.features == "sparse":
                self.x = lambda b: self.mixing(x(b))
                return
            mixed = self.mixing.a @ x.a.to_dense()
        self.x = lambda b: mixed @ b

    def factor(self, k_ii):
        ridge = self.jitter * k_ii.detach().diagonal().mean()
        return torch.linalg.cholesky_ex(k_ii + ridge * torch.eye(len(k_ii), dtype=k_ii.dtype, device=k_ii.device))[0]

    def gram(self, raw, k_ii, times, k_ti):
        """F_i, F_t and the KL of a Gram layer. `times` gives K_ti S, `k_ti` K_ti itself; each form needs one."""
        h, l = self.factor(k_ii), positive_lower(raw)
        if self.options.form == "order":
            f_t = times(torch.linalg.solve_triangular(h.mT, l, upper=True))
        else:
            f_t = torch.linalg.solve_triangular(h.mT, k_ti(), upper=True, left=False) @ l
        return h @ l, f_t, normal_kl(l, raw)

    def loss(self, noise):
        p = self.parameters
        x_i = p["X_i"]
        if self.in_feature_space:  # fewer features than inducing points
            l = positive_lower(p["gram1.L"])
            f_i, f_t, kl_1 = x_i @ l, self.x(l), normal_kl(l, p["gram1.L"])
        else:
            f_i, f_t, kl_1 = self.gram(p["gram1.L"], x_i @ x_i.mT, lambda s: self.x(x_i.mT @ s),
                                       lambda: self.x(x_i.mT))
        s_i, s_t = f_i.norm(dim=1), f_t.norm(dim=1)
        k_ti = self.arc_cosine(f_t @ f_i.mT, s_t, s_i)
        k_ii = self.arc_cosine(f_i @ f_i.mT, s_i, s_i)
        _, u, kl_2 = self.gram(p["gram2.L"], k_ii, lambda s: self.mixing(k_ti @ s), lambda: self.mixing(k_ti))

        raw, mu = p["readout.L_sigma"], p["readout.mu"]
        l_sigma = positive_lower(raw)
        weights = (p["readout.log_scale"] / 2).exp() * (mu.repeat(1, self.samples) + l_sigma @ noise)
        logits = (u @ weights).view(-1, self.classes)
        error = F.cross_entropy(logits, self.label, reduction="sum") / self.samples
        kl = self.classes * normal_kl(l_sigma, raw) + 0.5 * mu.square().sum() + self.nu * (kl_1 + kl_2)
        return (error + kl) / self.nodes

    def set_rate(self, rate):
        group = self.adam.param_groups[0]
        if torch.is_tensor(group["lr"]):
            group["lr"].fill_(rate)
        else:
            group["lr"] = rate

    def eager_step(self, noise):
        self.adam.zero_grad(set_to_none=True)
        loss = self.loss_function(noise)
        loss.backward()
        self.adam.step()
        return loss.detach()

    def prepare(self):
        """Chooses how steps are taken. A captured step must have been taken before, off the books: parameters and
        moments are put back."""
        self.loss_function = torch.compile(self.loss) if self.options.compile == "compile" else self.loss
        if self.options.compile != "graph":
            return self.eager_step
        saved = {name: value.detach().clone() for name, value in self.parameters.items()}
        noise = self.noise[0].clone()
        stream = torch.cuda.Stream()
        stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(stream):
            for _ in range(3):
                self.eager_step(noise)
        torch.cuda.current_stream().wait_stream(stream)
        graph = torch.cuda.CUDAGraph()
        self.adam.zero_grad(set_to_none=True)
        with torch.cuda.graph(graph):
            loss = self.loss_function(noise)
            loss.backward()
            self.adam.step()
        with torch.no_grad():
            for name, value in self.parameters.items():
                value.copy_(saved[name])
            for state in self.adam.state.values():
                for value in state.values():
                    value.zero_()
        self.adam.zero_grad(set_to_none=False)

        def replay(given):
            noise.copy_(given)
            graph.replay()
            return loss.detach().clone()

        return replay


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("problem")
    parser.add_argument("--form", choices=["paper", "order"], default="paper")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--threads", type=int, default=0)
    parser.add_argument("--features", choices=["sparse", "dense"], default="sparse",
                        help="how sparse features are used")
    parser.add_argument("--arccos", choices=["function", "autograd"], default="function")
    parser.add_argument("--compile", choices=["none", "graph", "compile"], default="none")
    parser.add_argument("--tf32", action="store_true")
    options = parser.parse_args()
    if options.compile == "graph" and options.device == "cpu":
        parser.error("--compile graph records a CUDA graph: it needs --device cuda")
    if options.threads > 0:
        torch.set_num_threads(options.threads)
    torch.set_float32_matmul_precision("high" if options.tf32 else "highest")
    on_gpu = torch.device(options.device).type == "cuda"
    if on_gpu:
        torch.linalg.cholesky_ex(torch.eye(8, device=options.device))  # its libraries load now
    before = resident("VmRSS")
    model = Model(options.problem, options)
    step = model.prepare()

    def wait():
        if on_gpu:
            torch.cuda.synchronize()

    def take(count, first):
        losses, times, busy = [], [], []
        forget_peak()
        if on_gpu:
            torch.cuda.reset_peak_memory_stats()
        wait()
        for k in range(first, first + count):
            start, cpu = time.perf_counter(), time.process_time()
            noise = model.noise[k] if k < len(model.noise) else torch.randn_like(model.noise[0])
            model.set_rate(model.rates[min(k, len(model.rates) - 1)])
            losses.append(step(noise))
            wait()
            times.append(1e3 * (time.perf_counter() - start))
            busy.append(1e3 * (time.process_time() - cpu))
        peak = torch.cuda.max_memory_allocated() if on_gpu else resident("VmHWM")
        print(json.dumps({"loss": [float(loss) for loss in losses], "ms": times, "cpu_ms": busy,
                          "peak": peak}), flush=True)

    print(json.dumps({"torch": torch.__version__, "threads": torch.get_num_threads(), "form": options.form,
                      "device": torch.cuda.get_device_name() if on_gpu else "cpu",
                      "resident_before": 0 if on_gpu else before}), flush=True)
    done = 0
    for line in sys.stdin:
        take(int(line), done)
        done += int(line)


if __name__ == "__main__":
    main()
