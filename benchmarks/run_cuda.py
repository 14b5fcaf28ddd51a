#!/usr/bin/env python3
"""Benchmarks of gdkm on a GPU beside PyTorch. `make bench-cuda` runs it; by hand:

    run_cuda.py BUILD [--shapes cora,arxiv] [--steps 60] [--json FILE] [--no-peers] [--peer-seconds 12]

BUILD is the folder that holds gdkm_bench_step and libgdkm_cuda.so. For each shape the same training step is taken by
gdkm, in float32 and with TF32, and by benchmarks/peers/dkm_torch.py: eager in the paper's form, eager in the cheaper
order, and that order as a CUDA graph and by torch.compile. Losses of the first steps must agree (1e-3) before anything
is timed. All nodes train. Every step is waited for; `stream` is a step of gdkm's without waiting in between. Memory is
what is allocated on the device at the peak. A peer that cannot do it says why in its place.
"""
import argparse
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent / "peers"))
from turns import Stepper, verify  # noqa: E402

HERE = pathlib.Path(__file__).parent
SHAPES = ("cora", "roman-empire", "penn94", "arxiv", "reddit")
VERIFIED_STEPS = 4
PEERS = {"paper": ["--form", "paper", "--arccos", "autograd"], "order": ["--form", "order"],
         "graph": ["--form", "order", "--compile", "graph"], "compile": ["--form", "order", "--compile", "compile"]}

MACHINE = """
import json, sys, torch
def rate(f, work):
    for _ in range(3): f()
    times = []
    for _ in range(20):
        a, b = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        a.record(); f(); b.record(); torch.cuda.synchronize()
        times.append(a.elapsed_time(b))
    return work / sorted(times)[len(times) // 2] / 1e9
big = torch.randn(2**28, device="cuda"); out = torch.empty_like(big)
a, b = torch.randn(169343, 400, device="cuda"), torch.randn(400, 400, device="cuda")
result = {"device": torch.cuda.get_device_name(), "torch": torch.__version__,
          "copy_TB_per_s": rate(lambda: out.copy_(big), 8 * big.numel()),
          "sgemm_TFLOP_per_s": rate(lambda: a @ b, 2 * 169343 * 400 * 400)}
torch.set_float32_matmul_precision("high")
result["tf32_TFLOP_per_s"] = rate(lambda: a @ b, 2 * 169343 * 400 * 400)
print(json.dumps(result))
"""


def ours(build, shape, steps, more=()):
    with Stepper([build / "gdkm_bench_step", shape, "--device", "cuda", *more]) as mine:
        mine.take(VERIFIED_STEPS)
        mine.take(10)
        times = mine.take(steps)
        mine.process.stdin.write(f"-{steps}\n")
        mine.process.stdin.flush()
        return mine, {"ms": statistics.median(times), "best_ms": min(times), "stream_ms": mine.read()["stream_ms"],
                      "memory": mine.peak, **mine.about}


def peer(python, problem, mine, arguments, more):
    try:
        with Stepper([python, HERE / "peers" / "dkm_torch.py", problem, "--device", "cuda", *more]) as other:
            worst = verify(mine, other, VERIFIED_STEPS, 1e-3)
            warm = other.take(5)
            steps = max(10, min(60, int(1e3 * arguments.peer_seconds / max(warm[-1], 1e-3))))
            times = other.take(steps)
            return {"ms": statistics.median(times), "best_ms": min(times), "memory": other.peak,
                    "loss_difference": worst, "steps": steps}
    except SystemExit as why:
        return {"failed": str(why)}


def compare(shape, arguments, folder):
    problem = folder / f"{shape}.safetensors"
    mine, out = ours(arguments.build, shape, arguments.steps, ["--export", problem])
    _, out["tf32"] = ours(arguments.build, shape, arguments.steps, ["--tf32"])
    if not arguments.no_peers:
        for name in arguments.peers:
            out[name] = peer(sys.executable, problem, mine, arguments, PEERS[name])
    problem.unlink(missing_ok=True)
    return out


def print_table(results, peers):
    machine = results["machine"]
    print(f"{machine['device']}, torch {machine['torch']}: copy {machine['copy_TB_per_s']:.2f} TB/s, n×m×m product "
          f"{machine['sgemm_TFLOP_per_s']:.1f} TFLOP/s, in TF32 {machine['tf32_TFLOP_per_s']:.1f}")
    print(f"\n{'step, ms':<14}{'gdkm':>8}{'stream':>8}{'TF32':>8}" + "".join(f"{name:>9}" for name in peers)
          + f"{'of sgemm':>10}{'MiB':>7}" + "".join(f"{name:>9}" for name in peers))
    for s in results["steps"]:
        cells = "".join(f"{s[n]['ms']:>9.2f}" if "ms" in s.get(n, {}) else f"{'–':>9}" for n in peers)
        memory = "".join(f"{s[n]['memory'] / 2**20:>9.0f}" if "memory" in s.get(n, {}) else f"{'–':>9}" for n in peers)
        share = 1e-9 * s["operations"] / s["stream_ms"] / machine["sgemm_TFLOP_per_s"]
        print(f"{s['shape']:<14}{s['ms']:>8.2f}{s['stream_ms']:>8.2f}{s['tf32']['ms']:>8.2f}{cells}{share:>10.0%}"
              f"{s['memory'] / 2**20:>7.0f}{memory}")
    for s in results["steps"]:
        for name in peers:
            if "failed" in s.get(name, {}):
                print(f"{s['shape']}, {name}: {s[name]['failed'].splitlines()[0][:200]}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=lambda text: pathlib.Path(text).resolve())
    parser.add_argument("--shapes", type=lambda text: text.split(","), default=list(SHAPES))
    parser.add_argument("--steps", type=int, default=60)
    parser.add_argument("--peers", type=lambda text: text.split(","), default=list(PEERS))
    parser.add_argument("--peer-seconds", type=float, default=12)
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("--no-peers", action="store_true")
    arguments = parser.parse_args()
    machine = subprocess.run([sys.executable, "-c", MACHINE], check=True, capture_output=True, text=True)
    results = {"machine": json.loads(machine.stdout), "steps": []}
    with tempfile.TemporaryDirectory() as folder:
        for shape in arguments.shapes:
            print(f"step {shape} …", file=sys.stderr, flush=True)
            results["steps"].append(compare(shape, arguments, pathlib.Path(folder)))
            if arguments.json:
                arguments.json.write_text(json.dumps(results, indent=1) + "\n")
    print_table(results, [] if arguments.no_peers else arguments.peers)


if __name__ == "__main__":
    main()
