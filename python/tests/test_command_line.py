"""``python -m gdkm`` is the command line."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time

import gdkm

GRAPH = "csbm:n=90,classes=3,features=12,degree=6"


def run(*words, **options):
    return subprocess.run(
        [sys.executable, "-m", "gdkm", *words], capture_output=True, text=True, timeout=120, **options
    )


def test_version_and_statuses():
    version = run("--version")
    assert version.returncode == 0 and version.stdout.startswith(f"gdkm {gdkm.__version__} ")
    assert run("train").returncode == 2
    missing = run("data", "info", "missing.npz")
    assert missing.returncode == 2 and missing.stderr.startswith("gdkm: ") and "\n" not in missing.stderr[:-1]


def test_training_writes_results_to_standard_output():
    done = run("train", GRAPH, "--inducing", "20", "--epochs", "5", "--json", "-", "--quiet")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["dataset"].startswith("csbm")


def test_workers_of_a_sweep_are_this_python(tmp_path):
    (tmp_path / "two.toml").write_text(
        f'datasets = ["{GRAPH}"]\noptions = {{ inducing = 20, epochs = 5 }}\n'
        '[[study]]\nmodel = "dkm"\n[[study.stage]]\ngrid = { nu = [1, 2] }\n'
    )
    done = run("sweep", "two.toml", "--quiet", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    listed = run("runs", "list", "two.db", cwd=tmp_path)
    assert listed.returncode == 0 and "failed" not in listed.stdout


def test_ctrl_c_leaves_a_checkpoint(tmp_path):
    process = subprocess.Popen(
        [sys.executable, "-m", "gdkm", "train", GRAPH, "--inducing", "20", "--epochs", "1000000", "--patience", "0"],
        cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # programs in the background may ignore it
    )
    time.sleep(5)  # the handlers of the training are there by then
    process.send_signal(signal.SIGINT)
    _, error = process.communicate(timeout=60)
    assert process.returncode == 130, error
    assert "--resume" in error and list(tmp_path.iterdir())


def test_a_closed_pipe_ends_it_silently():
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run([sys.executable, "-m", "gdkm", "data", "list"], stdout=write, stderr=subprocess.PIPE, timeout=60)
    os.close(write)
    assert done.returncode == -signal.SIGPIPE and not done.stderr
