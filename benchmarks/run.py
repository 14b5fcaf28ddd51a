#!/usr/bin/env python3
"""Benchmarks of gdkm on the CPU beside PyTorch. `make bench` runs it; by hand:

    run.py BUILD [--shapes cora,arxiv] [--threads N] [--rounds 5] [--json FILE] [--no-peers] [--no-trainings]

BUILD is the folder that holds gdkm, gdkm_bench_step and gdkm_bench_machine. For each shape the same training step is
taken by gdkm and by benchmarks/peers/dkm_torch.py in both its forms, with the same threads, in turns; losses of the
first steps must agree before anything is timed (1e-3 in float32, and 1e-6 in float64 at the smallest shape). All nodes
train, and none is left out. Each result is printed as it comes; what cannot be measured says why. Memory is the growth of the resident set, from before the problem was read to the peak of
a step. Then come whole trainings on data sets that are here, and what leaving out nodes beyond reach saves.
"""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent / "peers"))
from environment import peer_python  # noqa: E402
from turns import Stepper, take_turns, verify  # noqa: E402

HERE = pathlib.Path(__file__).parent
SHAPES = ("cora", "roman-empire", "penn94", "arxiv")
FEW_SPARSE_FEATURES = ("cora",)  # those of penn94 would take 800 MB if they were dense
ARCCOS = {"paper": "autograd", "order": "function"}  # see dkm_torch.py
VERIFIED_STEPS = 4
TRAININGS = (("cora", 200, 8), ("squirrel", 400, 60))  # data, inducing points, seconds that are the aim


def peer_command(python, problem, form, arguments, *more):
    return [python, HERE / "peers" / "dkm_torch.py", problem, "--form", form, "--arccos", ARCCOS[form], "--threads",
            arguments.threads, *more]


def verify_in_double(python, arguments, folder):
    """The peer computes the same thing: to 1e-6 where rounding does not blur it."""
    problem = folder / "double.safetensors"
    shape = arguments.shapes[0]
    worst = {}
    with Stepper([arguments.build / "gdkm_bench_step", shape, "--threads", arguments.threads, "--float64", "--export",
                  problem]) as ours:
        for form in ("paper", "order"):
            with Stepper(peer_command(python, problem, form, arguments)) as peer:
                worst[form] = verify(ours, peer, VERIFIED_STEPS, 1e-6)
    return {"shape": shape, "worst": worst}


def fastest_way(python, problem, form, arguments, shape, ours):
    """Sparse features can be used as they are, or mixed and made dense, once: the peer gets what is faster for it."""
    ways = [("--features", how) for how in (("sparse", "dense") if shape in FEW_SPARSE_FEATURES else ("sparse",))]
    if len(ways) == 1:
        return ways[0]
    times = {}
    for way in ways:
        with Stepper(peer_command(python, problem, form, arguments, *way)) as peer:
            verify(ours, peer, VERIFIED_STEPS, 1e-3)
            times[way] = min(peer.take(10))
    return min(times, key=times.get)


def compare(python, shape, arguments, folder):
    problem = folder / f"{shape}.safetensors"
    command = [arguments.build / "gdkm_bench_step", shape, "--threads", arguments.threads]
    if python is None:
        with Stepper(command) as ours:
            ours.take(3)
            times = [t for _ in range(arguments.rounds) for t in ours.take(3)]
            return {**ours.about, "ms": statistics.median(times), "best_ms": min(times), "memory": ours.growth()}
    with Stepper(command + ["--export", problem]) as ours:
        out, mine = {**ours.about}, []
        for form in ("paper", "order"):
            way = fastest_way(python, problem, form, arguments, shape, ours)
            with Stepper(peer_command(python, problem, form, arguments, *way)) as peer:
                worst = verify(ours, peer, VERIFIED_STEPS, 1e-3)
                (ms, best), (peer_ms, peer_best) = take_turns(ours, peer, arguments.rounds)
                mine.append((ms, best))
                out[form] = {"ms": peer_ms, "best_ms": peer_best, "ours_ms": ms, "ours_best_ms": best,
                             "ratio": peer_ms / ms, "best_ratio": peer_best / best, "memory": peer.growth(),
                             "loss_difference": worst, "way": " ".join(way), "torch": peer.about["torch"]}
        out["ms"] = statistics.mean(ms for ms, _ in mine)
        out["best_ms"] = min(best for _, best in mine)
        out["memory"] = ours.growth()
    problem.unlink()
    return out


def reach(arguments, shape="cora", train=140):
    """What it saves to leave out nodes that no training node depends on, where few train."""
    times = {}
    for name, more in (("all", []), ("within_reach", ["--within-reach"])):
        with Stepper([arguments.build / "gdkm_bench_step", shape, "--threads", arguments.threads, "--train", train,
                      *more]) as ours:
            ours.take(5)
            times[name] = {"nodes": ours.about["nodes_in_use"], "ms": statistics.median(ours.take(30))}
    return {"shape": shape, "train": train, **times}


def train(name, inducing, aim, arguments):
    environment = dict(os.environ, **({"GDKM_DATA": str(arguments.data_dir)} if arguments.data_dir else {}))
    command = [arguments.build / "gdkm", "train", name, "--inducing", inducing, "--epochs", 300, "--threads",
               arguments.threads, "--json", "-", "--quiet"]
    start = time.perf_counter()
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, env=environment)
    if done.returncode != 0:
        return {"data": name, "skipped": next(iter(done.stderr.splitlines()), f"status {done.returncode}")}
    result = json.loads(done.stdout)
    return {"data": name, "inducing": inducing, "epochs": 300, "wall_s": time.perf_counter() - start, "aim_s": aim,
            "training_s": result["runs"][0]["seconds"], "test_accuracy": result["summary"]["test_accuracy_mean"]}


def print_machine(machine):
    print(f"{machine['backend']}")
    print(f"sgemm {machine['sgemm_square']} GFLOP/s square, {machine['sgemm_tall_400']} tall (m = 400), "
          f"{machine['sgemm_tall_200']} (m = 200); triad {machine['triad_GB_per_s']} GB/s")
    print(f"\n{'step':<13}{'gdkm ms':>9}{'paper ms':>10}{'ratio':>7}{'order ms':>10}{'ratio':>7}{'GFLOP/s':>9}"
          f"{'of sgemm':>9}{'MiB':>7}{'paper':>7}{'order':>7}", flush=True)


def print_step(step, machine):
    peers = [step.get(form) for form in ("paper", "order")]
    cells = "".join(f"{p['ms']:>10.1f}{p['ratio']:>7.2f}" if p else f"{'–':>10}{'–':>7}" for p in peers)
    speed = 1e-6 * step["operations"] / step["ms"]
    memory = "".join(f"{p['memory'] / 2**20:>7.0f}" if p else f"{'–':>7}" for p in peers)
    rate = max(machine["sgemm_square"], machine["sgemm_tall_400"])
    print(f"{step['shape']:<13}{step['ms']:>9.1f}{cells}{speed:>9.1f}{speed / rate:>9.0%}"
          f"{step['memory'] / 2**20:>7.0f}{memory}", flush=True)


def print_reach(r):
    print(f"\n{r['shape']}, {r['train']} nodes train: {r['all']['ms']:.2f} ms with all {r['all']['nodes']} nodes, "
          f"{r['within_reach']['ms']:.2f} ms with the {r['within_reach']['nodes']} within reach", flush=True)


def print_training(t):
    print(f"training {t['data']}: " + ("not measured: " + t["skipped"] if "skipped" in t else
          f"{t['epochs']} epochs at m = {t['inducing']} in {t['wall_s']:.1f} s (aim: {t['aim_s']} s), "
          f"test accuracy {t['test_accuracy']:.1f}"), flush=True)


def keep(results, arguments):
    """Writes what there is so far, whole or not at all."""
    if arguments.json:
        aside = arguments.json.with_name(arguments.json.name + ".part")
        aside.write_text(json.dumps(results, indent=1) + "\n")
        aside.replace(arguments.json)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--shapes", type=lambda text: text.split(","), default=list(SHAPES))
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("--data-dir", type=pathlib.Path)
    parser.add_argument("--no-peers", action="store_true")
    parser.add_argument("--no-trainings", action="store_true")
    arguments = parser.parse_args()
    python = None if arguments.no_peers else peer_python(arguments.build)
    machine = subprocess.run([arguments.build / "gdkm_bench_machine", str(arguments.threads)], check=True,
                             capture_output=True, text=True)
    results = {"machine": json.loads(machine.stdout), "steps": [], "trainings": []}
    print_machine(results["machine"])
    with tempfile.TemporaryDirectory(dir=arguments.build) as folder:
        folder = pathlib.Path(folder)
        if python is not None:
            results["float64"] = verify_in_double(python, arguments, folder)
        for shape in arguments.shapes:
            results["steps"].append(compare(python, shape, arguments, folder))
            print_step(results["steps"][-1], results["machine"])
            keep(results, arguments)
    results["reach"] = reach(arguments)
    print_reach(results["reach"])
    keep(results, arguments)
    for each in () if arguments.no_trainings else TRAININGS:
        results["trainings"].append(train(*each, arguments))
        print_training(results["trainings"][-1])
        keep(results, arguments)


if __name__ == "__main__":
    main()
