#!/usr/bin/env python3
"""Benchmarks of gdkm on a GPU beside PyTorch. `make bench-cuda` runs it; by hand:

    run_cuda.py BUILD [--shapes cora,arxiv] [--steps 60] [--json FILE] [--no-peers] [--peer-seconds 12]
                [--energy SECONDS] [--converge STEPS]

BUILD is the folder that holds gdkm_bench_step and libgdkm_cuda.so. For each shape the same training step is taken by
gdkm, in float32 (by default, and with --math strict) and in TF32, and by benchmarks/peers/dkm_torch.py: eager in the
paper's form, eager in the cheaper order, and that order as a CUDA graph and by torch.compile, in float32 and in TF32.
Losses of the first steps must agree (1e-3) before anything is timed. All nodes train. Every step is waited for;
`stream` is a step of gdkm's without waiting in between. Memory is what is allocated on the device at the peak. With
--energy, steps are taken for so many seconds more, while nvidia-smi reports the power: joules per step. With --converge, so
many steps are taken, and `converge_ms` is the time of those until the loss comes within 0.1 % of its final value. Each result
is printed as it comes and is in the JSON file from then on. A peer that cannot do it says why.
"""
import argparse
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent / "peers"))
from power import joules_per_step, steps_to_converge  # noqa: E402
from turns import Stepper, verify  # noqa: E402

HERE = pathlib.Path(__file__).parent
SHAPES = ("cora", "roman-empire", "penn94", "arxiv", "reddit")
VERIFIED_STEPS = 4
PEERS = {"paper": ["--form", "paper", "--arccos", "autograd"], "order": ["--form", "order"],
         "graph": ["--form", "order", "--compile", "graph"], "compile": ["--form", "order", "--compile", "compile"]}
PEERS |= {name + " TF32": [*PEERS[name], "--tf32"] for name in ("graph", "compile")}

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


def measure_more(stepper, arguments, out):
    """Energy and convergence, where they are asked for; convergence counts all steps since the first."""
    if arguments.energy > 0:
        out |= joules_per_step(stepper, arguments.energy)
    if arguments.converge > 0:
        stepper.take(max(1, arguments.converge - len(stepper.losses)))
        steps = steps_to_converge(stepper.losses)
        out |= {"converge_steps": steps, "losses": len(stepper.losses)}
        if steps is not None:
            out["converge_ms"] = steps * out["ms"]
    return out


def ours(arguments, shape, more=()):
    steps = arguments.steps
    with Stepper([arguments.build / "gdkm_bench_step", shape, "--device", "cuda", *more]) as mine:
        mine.take(VERIFIED_STEPS)
        mine.take(10)
        times = mine.take(steps)
        mine.process.stdin.write(f"-{steps}\n")
        mine.process.stdin.flush()
        out = {"ms": statistics.median(times), "best_ms": min(times), "stream_ms": mine.read()["stream_ms"],
               "memory": mine.peak, **mine.about}
        return mine, measure_more(mine, arguments, out)


def peer(python, problem, mine, arguments, more):
    try:
        with Stepper([python, HERE / "peers" / "dkm_torch.py", problem, "--device", "cuda", *more]) as other:
            worst = verify(mine, other, VERIFIED_STEPS, 1e-3)
            warm = other.take(5)
            steps = max(10, min(60, int(1e3 * arguments.peer_seconds / max(warm[-1], 1e-3))))
            times = other.take(steps)
            out = {"ms": statistics.median(times), "best_ms": min(times), "memory": other.peak,
                   "loss_difference": worst, "steps": steps}
            return measure_more(other, arguments, out)
    except (SystemExit, OSError) as why:
        return {"failed": str(why)}


def compare(shape, arguments, folder, keep):
    problem = folder / f"{shape}.safetensors"
    mine, out = ours(arguments, shape, ["--export", problem])
    keep(out)
    print(f"\n{shape}, {out['backend']}, float32 {1e-9 * out['operations'] / out['stream_ms']:.1f} TFLOP/s")
    print_row("gdkm", out)
    for name, mode in (("gdkm strict", "strict"), ("gdkm TF32", "tf32")):
        _, out[mode] = ours(arguments, shape, ["--math", mode])
        print_row(name, out[mode])
        keep(out)
    if not arguments.no_peers:
        for name in arguments.peers:
            out[name] = peer(sys.executable, problem, mine, arguments, PEERS[name])
            print_row(name, out[name], out["tf32"] if "TF32" in name else out)
            keep(out)
    problem.unlink(missing_ok=True)


def print_row(name, result, beside=None):
    if "failed" in result:
        return print(f"  {name:<14}{result['failed'].splitlines()[0][:120]}", flush=True)
    stream = f", without waiting {result['stream_ms']:.2f}" if "stream_ms" in result else ""
    ratio = f", {result['ms'] / beside['ms']:.2f} times gdkm's" if beside else ""
    energy = f", {result['joules_per_step']:.3g} J a step at {result['watts']:.0f} W" if "watts" in result else \
        f", no power: {result['power_missing']}" if "power_missing" in result else ""
    converged = f", converged after {result['converge_steps']} steps, {1e-3 * result['converge_ms']:.2f} s" \
        if "converge_ms" in result else f", not converged in {result['losses']} steps" if "losses" in result else ""
    print(f"  {name:<14}{result['ms']:>8.2f} ms{ratio}{stream}, {result['memory'] / 2**20:.0f} MiB{energy}{converged}",
          flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=lambda text: pathlib.Path(text).resolve())
    parser.add_argument("--shapes", type=lambda text: text.split(","), default=list(SHAPES))
    parser.add_argument("--steps", type=int, default=60)
    parser.add_argument("--peers", type=lambda text: text.split(","), default=list(PEERS))
    parser.add_argument("--peer-seconds", type=float, default=12)
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("--no-peers", action="store_true")
    parser.add_argument("--energy", type=float, default=0, metavar="SECONDS")
    parser.add_argument("--converge", type=int, default=0, metavar="STEPS")
    arguments = parser.parse_args()
    machine = subprocess.run([sys.executable, "-c", MACHINE], capture_output=True, text=True)
    if machine.returncode == 0:
        about = json.loads(machine.stdout)
        print(f"{about['device']}, torch {about['torch']}: copy {about['copy_TB_per_s']:.2f} TB/s, n×m×m product "
              f"{about['sgemm_TFLOP_per_s']:.1f} TFLOP/s, in TF32 {about['tf32_TFLOP_per_s']:.1f}", flush=True)
    else:
        about = {"failed": (machine.stderr.strip().splitlines() or ["unknown"])[-1]}
        print(f"without peers: PyTorch on a GPU cannot be used: {about['failed']}", flush=True)
        arguments.no_peers = True
    results = {"machine": about, "steps": {}}

    def keep(shape, out):
        results["steps"][shape] = out
        if arguments.json:
            arguments.json.write_text(json.dumps(results, indent=1) + "\n")

    with tempfile.TemporaryDirectory() as folder:
        for shape in arguments.shapes:
            try:
                compare(shape, arguments, pathlib.Path(folder), lambda out, shape=shape: keep(shape, out))
            except (SystemExit, OSError) as why:
                print(f"\n{shape}: {why}", flush=True)


if __name__ == "__main__":
    main()
