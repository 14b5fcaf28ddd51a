"""Stores, sweeps and tuning from Python."""

import tomllib

import pytest

import gdkm
from gdkm._store import _toml_document

SPEC = {
    "name": "small",
    "options": {"inducing": 10, "epochs": 5},
    "study": [{"name": "dkm", "model": "dkm", "datasets": ["csbm:n=150"],
               "stage": [{"name": "nu", "grid": {"nu": [0.1, 1.0, float("inf")]}}]}],
}


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    return gdkm.sweep(SPEC, tmp_path_factory.mktemp("sweep") / "small.db", jobs=1)


def test_a_specification_survives_its_toml():
    assert tomllib.loads(_toml_document(SPEC)) == SPEC


def test_a_sweep_leaves_its_runs_in_the_store(store):
    runs = store.runs(as_="dict")
    assert sorted(map(float, runs["nu"])) == [0.1, 1.0, float("inf")]
    assert set(runs["status"]) == {"done"}


def test_runs_are_a_pandas_table(store):
    pandas = pytest.importorskip("pandas")
    runs = store.runs()
    assert isinstance(runs, pandas.DataFrame)
    assert len(runs) == 3 and runs["test_accuracy"].between(0, 100).all()


def test_runs_can_be_filtered_by_an_option(store):
    assert len(store.runs(where={"nu": 0.1}, as_="dict")["id"]) == 1
    assert len(store.runs(model="gcn", as_="dict").get("id", [])) == 0


def test_curves_have_a_row_for_every_epoch(store):
    curves = store.curves(where={"nu": 0.1}, as_="dict")
    assert curves["epoch"] == list(range(1, len(curves["epoch"]) + 1))


def test_a_second_sweep_runs_nothing_again(store):
    before = store.runs(as_="dict")
    assert gdkm.sweep(SPEC, store.path, jobs=1).runs(as_="dict") == before


def test_a_missing_store_and_a_bad_specification_are_told(tmp_path):
    with pytest.raises(gdkm.InputError, match="none.db"):
        gdkm.Store(tmp_path / "none.db")
    with pytest.raises(gdkm.InputError, match="modell"):
        gdkm.sweep({"study": [{"modell": "dkm", "datasets": ["csbm:n=50"]}]}, tmp_path / "x.db")
    with pytest.raises(gdkm.InputError, match="type object"):
        gdkm.sweep({"name": object()}, tmp_path / "x.db")


def test_tuning_names_its_winner_and_gives_a_model():
    graph = gdkm.generate("csbm", n=120, classes=3)
    result = gdkm.tune(graph, budget="3s", jobs=1)
    assert result.params["model"] in ("dkm", "nngp", "gcn")
    assert result.command.startswith("gdkm train graph.npz ") or result.command == "gdkm train graph.npz"
    assert "<html" in result.report.lower()
    if result.model is not None:  # an exact winner is not saved
        assert result.model.predict_proba(graph).shape == (120, 3)
