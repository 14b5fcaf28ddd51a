#!/usr/bin/env python3
"""Times of exact models on a GPU beside the CPU. By hand:

    exact_cuda.py BUILD [--data-dir DIR] [--only NAME,NAME] [--devices cuda,cpu] [--epochs 10] [--repeat 2]
                  [--threads N] [--limit SECONDS] [--json FILE]

BUILD is the folder that holds gdkm and libgdkm_cuda.so. Each case is trained by `gdkm train`, on each device in turn. A
time is that of a run as gdkm reports it, without reading the data, the best of `--repeat`; of a full-rank DKM it is that of
an epoch. `same` is the largest difference of the test NLL between the devices. Each result is printed as it comes and is in the
JSON file from then on. A case that cannot be run, or takes longer than the limit, says so, and the others go on.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

CSBM = "csbm:n={},classes=5,homophily=0.7,features=100,degree=10"
NNGP, DKM = ["--model", "nngp", "--exact"], ["--model", "dkm", "--exact"]
CASES = {
    "nngp cora": ("cora", NNGP), "nngp squirrel": ("squirrel", NNGP),
    "nngp 10000": (CSBM.format(10000), NNGP), "nngp 20000": (CSBM.format(20000), NNGP),
    "dkm cora": ("cora", DKM),
}


def run(arguments, device, data, model):
    """The result of one command, or why there is none."""
    words = [str(arguments.build / "gdkm"), "train", data, *model, "--device", device, "--quiet", "--json", "-"]
    if model == DKM:
        words += ["--epochs", str(arguments.epochs)]
    if arguments.data_dir:
        words += ["--data-dir", arguments.data_dir]
    if arguments.threads:
        words += ["--threads", str(arguments.threads)]
    start = time.monotonic()
    try:
        done = subprocess.run(words, capture_output=True, text=True, timeout=arguments.limit)
    except subprocess.TimeoutExpired:
        return {"failed": f"took longer than {arguments.limit} s"}
    except OSError as error:
        return {"failed": str(error)}
    if done.returncode != 0:
        return {"failed": (done.stderr.strip().splitlines() or [f"exit status {done.returncode}"])[-1]}
    result = json.loads(done.stdout)["runs"][0]
    return {"seconds": result["seconds"], "process_seconds": time.monotonic() - start, "nll": result["test"]["nll"],
            "accuracy": result["test"]["accuracy"]}


def best(results):
    good = [each for each in results if "failed" not in each]
    return min(good, key=lambda each: each["seconds"]) if good else results[0]


def write(path, results):
    if path is None:
        return
    folder = path.resolve().parent
    with tempfile.NamedTemporaryFile("w", dir=folder, delete=False) as file:
        json.dump(results, file, indent=1)
    os.replace(file.name, path)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--data-dir")
    parser.add_argument("--only", help="names of cases: " + ", ".join(CASES))
    parser.add_argument("--devices", default="cuda,cpu")
    parser.add_argument("--epochs", type=int, default=10, help="of a full-rank DKM")
    parser.add_argument("--repeat", type=int, default=2)
    parser.add_argument("--threads", type=int, default=0, help="of the CPU; 0: all")
    parser.add_argument("--limit", type=float, default=600, help="seconds for one command")
    parser.add_argument("--json", type=pathlib.Path)
    arguments = parser.parse_args()
    chosen = arguments.only.split(",") if arguments.only else list(CASES)
    unknown = [name for name in chosen if name not in CASES]
    if unknown:
        parser.error(f"--only {unknown[0]}: expected one of {', '.join(CASES)}")

    results = {}
    for name in chosen:
        data, model = CASES[name]
        case = results[name] = {"data": data, "epochs": arguments.epochs if model == DKM else 1}
        for device in arguments.devices.split(","):
            one = case[device] = best([run(arguments, device, data, model) for _ in range(arguments.repeat)])
            write(arguments.json, results)
            if "failed" in one:
                print(f"{name:15} {device:5} {one['failed']}", flush=True)
                continue
            each = one["seconds"] / case["epochs"]
            print(f"{name:15} {device:5} {each:9.3f} s{' per epoch' if model == DKM else '':10} NLL {one['nll']:.12g}", flush=True)
        values = [case[device]["nll"] for device in arguments.devices.split(",") if "nll" in case[device]]
        if len(values) > 1:
            case["same"] = max(values) - min(values)
            print(f"{name:15} same  {case['same']:.1e}", flush=True)
            write(arguments.json, results)


if __name__ == "__main__":
    sys.exit(main())
