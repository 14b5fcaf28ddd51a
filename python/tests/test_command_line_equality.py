"""The same seed gives the same numbers as the command line, bit for bit."""

from __future__ import annotations

import json
import subprocess
import sys

import numpy as np
import pytest

import gdkm

DATA = "csbm:n=200,classes=3,signal=6,seed=4"

CASES = {
    "dkm": (gdkm.GraphDKMClassifier, ["--model", "dkm", "--inducing", "15", "--epochs", "12", "--nu", "0.1"],
            dict(inducing=15, epochs=12, nu=0.1)),
    "dkm, paper's inference": (gdkm.GraphDKMClassifier, ["--inducing", "15", "--epochs", "12", "--inference", "paper", "--seed", "3"],
                               dict(inducing=15, epochs=12, inference="paper", random_state=3)),
    "relations": (gdkm.GraphDKMClassifier, ["--inducing", "15", "--epochs", "8", "--relations", "self,und"],
                  dict(inducing=15, epochs=8, relations="self,und")),
    "nngp": (gdkm.GraphNNGPClassifier, ["--model", "nngp", "--inducing", "15", "--epochs", "12"], dict(inducing=15, epochs=12)),
    "landmarks": (gdkm.GraphNNGPClassifier, ["--model", "nngp", "--landmarks", "--inducing", "15"], dict(inducing=15, landmarks=True)),
    "gcn": (gdkm.GCNClassifier, ["--model", "gcn", "--epochs", "12", "--width", "8"], dict(epochs=12, width=8)),
}


def command(*words: str) -> None:
    done = subprocess.run([sys.executable, "-m", "gdkm", *words], capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=120)
    assert done.returncode == 0, done.stderr


def run_of(path) -> dict:
    run = json.loads(path.read_text())["runs"][0]
    run.pop("seconds")
    return run


def run_of_model(model) -> dict:
    run = dict(model.card_["run"])
    run.pop("seconds")
    return run


@pytest.mark.parametrize("case", CASES)
def test_trained_models_have_the_same_numbers(case, tmp_path):
    cls, words, options = CASES[case]
    model_file, result = tmp_path / "model.safetensors", tmp_path / "result.json"
    command("train", DATA, *words, "--threads", "1", "--quiet", "--save", str(model_file), "--json", str(result))
    graph = gdkm.load(DATA)
    train, val, test = graph.splits["public"][0]
    model = cls(**options, threads=1).fit(graph, train=train, val=val, test=test)
    theirs = gdkm.load_model(model_file, threads=1)
    assert type(theirs) is cls
    ours, others = model.model_.tensors(), theirs.model_.tensors()
    assert set(ours) == set(others)
    for name in ours:
        assert ours[name].dtype == others[name].dtype and np.array_equal(ours[name], others[name]), name
    assert np.array_equal(model.predict_proba(), theirs.predict_proba(graph))
    command("predict", str(model_file), DATA, "--threads", "1", "--output", str(tmp_path / "p.npz"))
    with np.load(tmp_path / "p.npz", allow_pickle=False) as saved:
        table = saved["probabilities"]
        assert np.array_equal(table, model.predict_proba().astype(table.dtype))
    assert run_of_model(model) == run_of(result)


@pytest.mark.parametrize("words, model", [
    (["--model", "nngp", "--exact"], gdkm.GraphNNGPClassifier(exact=True, threads=1)),
    (["--model", "dkm", "--exact", "--epochs", "4"], gdkm.GraphDKMClassifier(exact=True, epochs=4, threads=1)),
])
def test_exact_models_score_the_same(words, model, tmp_path):
    result = tmp_path / "result.json"
    command("train", DATA, *words, "--threads", "1", "--quiet", "--json", str(result))
    graph = gdkm.load(DATA)
    train, val, test = graph.splits["public"][0]
    model.fit(graph, train=train, val=val, test=test)
    assert run_of_model(model) == run_of(result)


def test_regression_and_conformal_items_are_the_same(tmp_path):
    graph = gdkm.load(DATA)
    label = np.asarray(graph._data.label).astype(np.float32)
    numbers = gdkm._core.relabelled(graph._data, None, [], (label * 2 + 1)[:, None])
    path, model_file, result = tmp_path / "numbers.npz", tmp_path / "model.safetensors", tmp_path / "result.json"
    gdkm._core.save_npz(numbers, path)
    command("train", str(path), "--inducing", "15", "--epochs", "12", "--threads", "1", "--quiet", "--split", "60/20/20",
            "--inference", "uncalibrated", "--conformal", "0.5", "--save", str(model_file), "--json", str(result))
    loaded = gdkm.load(str(path))
    theirs = gdkm.load_model(model_file, threads=1)
    assert type(theirs) is gdkm.GraphDKMRegressor
    train = theirs.model_.train_items
    ours = run_of(result)
    # The model names those that were kept apart among its validation items. Calibration would be on half of them there, and on
    # all of them here.
    val = theirs.model_.val_items
    model = gdkm.GraphDKMRegressor(inducing=15, epochs=12, threads=1, inference="uncalibrated").fit(loaded, train=train, val=val)
    tensors, others = model.model_.tensors(), theirs.model_.tensors()
    for name in set(tensors) & set(others):
        assert np.array_equal(tensors[name], others[name]), name
    assert np.array_equal(model.predict(), theirs.predict(loaded))
    assert model.card_["run"]["train"] == ours["train"]


def test_graph_tasks_are_the_same(tmp_path):
    rng = np.random.RandomState(1)
    folder = tmp_path / "TINY"
    folder.mkdir()
    sizes = rng.randint(4, 8, 30)
    y = np.arange(30) % 2
    start = np.concatenate([[0], np.cumsum(sizes)])
    edges = [(k + 1, k + 2) for a, b in zip(start, start[1:]) for k in range(a, b - 1)]
    (folder / "TINY_A.txt").write_text("".join(f"{a}, {b}\n{b}, {a}\n" for a, b in edges))
    (folder / "TINY_graph_indicator.txt").write_text("".join(f"{g + 1}\n" for g, size in enumerate(sizes) for _ in range(size)))
    (folder / "TINY_graph_labels.txt").write_text("".join(f"{each}\n" for each in y))
    x = rng.randn(start[-1], 2) + np.repeat(y, sizes)[:, None]
    (folder / "TINY_node_attributes.txt").write_text("".join(f"{a}, {b}\n" for a, b in x))
    model_file = tmp_path / "model.safetensors"
    command("train", str(folder), "--inducing", "8", "--epochs", "6", "--threads", "1", "--quiet", "--split", "60/20/20",
            "--save", str(model_file))
    graph = gdkm.load(str(folder))
    theirs = gdkm.load_model(model_file, threads=1)
    model = gdkm.GraphDKMClassifier(inducing=8, epochs=6, threads=1).fit(
        graph, train=theirs.model_.train_items, val=theirs.model_.val_items)
    assert np.array_equal(model.predict_proba(), theirs.predict_proba(graph))
