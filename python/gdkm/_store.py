"""Stores of runs, sweeps and tuning: what `gdkm sweep`, `gdkm tune` and `gdkm runs` do."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, Mapping, Sequence

from . import _core
from ._core import InputError, NumericalError
from ._graph import Graph

__all__ = ["Store", "TuneResult", "sweep", "tune"]


class Store:
    """A file of runs, as ``gdkm sweep``, ``gdkm tune`` and ``gdkm train --store`` write it.

    Parameters
    ----------
    path : str or path
        The SQLite file, or the address of a PostgreSQL server: ``postgresql://user@host/database``. Other
        programs may write to it meanwhile.

    Examples
    --------
    >>> import gdkm
    >>> store = gdkm.Store("runs.db")  # doctest: +SKIP
    >>> store.runs(model="dkm").groupby("nu")["test_accuracy"].mean()  # doctest: +SKIP
    """

    def __init__(self, path: str | os.PathLike[str]):
        # A Path would take one of the two slashes of an address away.
        self.path = path if _is_address(path) else Path(path)
        self._columns(status="done", where=[], curves=False)  # refuses what is no store

    def __repr__(self) -> str:
        return f"Store({_core.store_shown(str(self.path))!r})"

    def runs(self, *, dataset: str = "", model: str = "", status: str = "", where: Mapping[str, Any] | None = None,
             as_: str = "pandas"):
        """The runs as a table: one row per run, one column per option and score.

        Parameters
        ----------
        dataset, model, status : str
            Only runs on this data set, of this model (``"dkm"``) or with this status (``"done"``).
        where : dict
            Only runs whose options have these values, for example ``{"nu": 0.1}``.
        as_ : {"pandas", "polars", "dict"}
            What the table is. A dict has a list for each column.
        """
        conditions = [f"{name}={_text(value)}" for name, value in (where or {}).items()]
        return _table(self._columns(dataset, model, status, conditions, False), as_)

    def curves(self, *, dataset: str = "", model: str = "", where: Mapping[str, Any] | None = None,
               as_: str = "pandas"):
        """Learning curves of finished runs: one row per epoch, with the number of its run."""
        conditions = [f"{name}={_text(value)}" for name, value in (where or {}).items()]
        return _table(self._columns(dataset, model, "done", conditions, True), as_)

    def _columns(self, dataset="", model="", status="", where=(), curves=False) -> dict:
        return json.loads(_core.store_table(str(self.path), dataset, model, status, list(where), curves))


def _is_address(path: str | os.PathLike[str]) -> bool:
    return isinstance(path, str) and path.startswith(("postgresql://", "postgres://"))


def _table(columns: dict, kind: str):
    if kind == "dict":
        return columns
    if kind not in ("pandas", "polars"):
        raise InputError(f"as_={kind!r}: expected 'pandas', 'polars' or 'dict'")
    try:
        module = __import__(kind)
    except ImportError as error:
        raise ImportError(f"a table of {kind} needs the package {kind}; install it, or use as_='dict'") from error
    return module.DataFrame(columns)


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value == float("inf"):
        return "inf"
    return str(value)


def _toml(value: Any) -> str:
    """A value as TOML writes it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return "inf" if value == float("inf") else repr(value)
    if isinstance(value, int):
        return str(value)
    if isinstance(value, (str, os.PathLike)):
        return json.dumps(str(value))
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{json.dumps(str(k))} = {_toml(v)}" for k, v in value.items()) + "}"
    if hasattr(value, "tolist"):
        return _toml(value.tolist())
    if isinstance(value, Sequence):
        return "[" + ", ".join(_toml(each) for each in value) + "]"
    raise InputError(f"a specification cannot have a value of type {type(value).__name__}: {value!r}")


def _toml_document(table: Mapping[str, Any], path: tuple[str, ...] = ()) -> str:
    """A table with its tables below: plain values first, as TOML wants it."""
    is_table = lambda v: isinstance(v, Mapping)  # noqa: E731
    is_tables = lambda v: isinstance(v, (list, tuple)) and v and all(map(is_table, v))  # noqa: E731
    lines = [f"{json.dumps(str(k))} = {_toml(v)}" for k, v in table.items() if not is_table(v) and not is_tables(v)]
    for key, value in table.items():
        name = ".".join(json.dumps(str(part)) for part in (*path, key))
        if is_table(value):
            lines += [f"\n[{name}]", _toml_document(value, (*path, key))]
        elif is_tables(value):
            for each in value:
                lines += [f"\n[[{name}]]", _toml_document(each, (*path, key))]
    return "\n".join(lines)


def _run(words: Sequence[str], quiet: bool) -> None:
    """Runs a command of gdkm in a process of its own; its failures are ours."""
    environment = dict(os.environ)
    words = list(words)
    for at, word in enumerate(words):  # everybody can read the words of a command, but only the user its environment
        if _is_address(word):
            words[at] = _core.store_shown(word)
            if password := _core.store_password(word):
                environment["PGPASSWORD"] = password
    command = [sys.executable, "-m", "gdkm", *words]
    package = str(Path(__file__).resolve().parent.parent)
    environment["PYTHONPATH"] = os.pathsep.join(filter(None, [package, environment.get("PYTHONPATH")]))
    process = subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, env=environment)
    last = b""
    try:
        for line in process.stderr:  # type: ignore[union-attr]
            last = line.strip() or last
            if not quiet:
                sys.stderr.write(line.decode(errors="replace"))
        status = process.wait()
    except KeyboardInterrupt:
        process.terminate()  # it ends after the epoch, and everything that is done is in the store
        process.wait()
        raise
    message = last.decode(errors="replace").removeprefix("gdkm: ")
    if status == 2:
        raise InputError(message)
    if status == 3:
        raise NumericalError(message)
    if status != 0:
        raise RuntimeError(message or f"gdkm {words[0]} ended with status {status}")


def sweep(spec: Mapping[str, Any] | str | os.PathLike[str], store: str | os.PathLike[str] = "sweep.db", *,
          jobs: int = 0, data_dir: str | os.PathLike[str] | None = None, quiet: bool = True) -> Store:
    """Runs a specification of ``gdkm sweep`` and returns the store with its runs.

    What is in the store already is not run again, so an interrupted sweep goes on where it stopped.

    Parameters
    ----------
    spec : dict or path
        The specification: a TOML file, or the same as a dict. docs/experiments.md describes it.
    store : path or str
        Where runs are kept: a file, or ``postgresql://user@host/database``.
    jobs : int
        Runs at a time; 0 for one per core.

    Examples
    --------
    >>> import gdkm, tempfile, os
    >>> spec = {"name": "small", "study": [{"model": "dkm", "datasets": ["csbm:n=150"],
    ...         "options": {"inducing": 10, "epochs": 5}, "stage": [{"name": "nu", "grid": {"nu": [0.1, 1.0]}}]}]}
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     store = gdkm.sweep(spec, os.path.join(folder, "small.db"))
    ...     sorted(store.runs(as_="dict")["nu"])
    ['0.1', '1']
    """
    with tempfile.TemporaryDirectory() as folder:
        if isinstance(spec, Mapping):
            path = Path(folder) / f"{spec.get('name', 'sweep')}.toml"
            path.write_text(_toml_document(spec) + "\n")
        else:
            path = Path(spec)
        words = ["sweep", str(path), "--store", str(store), "--jobs", str(jobs)]
        if data_dir is not None:
            words += ["--data-dir", str(data_dir)]
        _run(words + (["--quiet"] if quiet else []), quiet)
    return Store(store)


class TuneResult:
    """What a tuning came to.

    Attributes
    ----------
    model : estimator
        The best model, refitted; None where the winner is an exact model, which is not saved.
    params : dict
        The winner: its ``model`` and the options that are not defaults.
    command : str
        The ``gdkm train`` command that repeats it. A graph of Python's own is called ``graph.npz`` there:
        ``graph.save("graph.npz")`` makes that file.
    summary : dict
        Scores of the winner and of the default, and what was tried.
    report : str
        An HTML page about the search.
    store : Store or None
        All runs; None where the store was temporary.
    """

    def __init__(self, model, summary: dict, report: str, store: Store | None):
        self.model = model
        self.summary = summary
        self.report = report
        self.store = store

    @property
    def params(self) -> dict:
        return dict(self.summary["winner"])

    @property
    def command(self) -> str:
        return self.summary.get("command", "")

    def __repr__(self) -> str:
        return f"TuneResult({self.params})"

    def _repr_html_(self) -> str:
        return self.report


def tune(graph: Graph | str, budget: str = "5m", *, metric: str = "", store: str | os.PathLike[str] | None = None,
         refit_all: bool = False, new_graphs: bool = False, jobs: int = 0, quiet: bool = True, **options) -> TuneResult:
    """Chooses settings for a graph by validation scores, within a budget of time, as ``gdkm tune`` does.

    Parameters
    ----------
    graph : Graph or str
        A graph with splits, or what :func:`gdkm.load` takes. Random splits can be asked for with ``split="60/20/20"``.
    budget : str
        How long to search: ``"30s"``, ``"5m"``, ``"2h"``.
    metric : str
        ``"accuracy"``, ``"auc"``, ``"nll"``, ``"f1"`` or ``"r2"``.
    store : path, optional
        Where runs are kept, so that a later call goes on; without it they are forgotten.
    options
        Options of splits and machine, such as ``split`` or ``device``.
    """
    from ._estimators import load_model

    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        if isinstance(graph, Graph):
            data = place / "graph.npz"
            _core.save_npz(graph._data, data)
        else:
            data = graph
        kept = store if store is not None else place / "tune.db"
        files = {"--save": place / "model.safetensors", "--report": place / "report.html", "--json": place / "tune.json"}
        words = ["tune", str(data), "--budget", budget, "--store", str(kept), "--jobs", str(jobs)]
        for name, path in files.items():
            words += [name, str(path)]
        if metric:
            words += ["--metric", metric]
        words += ["--refit-all"] if refit_all else []
        words += ["--new-graphs"] if new_graphs else []
        for name, value in options.items():
            words += [f"--{name.rstrip('_').replace('_', '-')}", _text(value)]
        _run(words + (["--quiet"] if quiet else []), quiet)
        summary = json.loads(files["--json"].read_text())
        summary.pop("model", None)  # a file that is about to go
        if isinstance(graph, Graph):
            summary["command"] = summary.get("command", "").replace(str(data), "graph.npz")
        model = load_model(files["--save"]) if files["--save"].exists() else None
        report = files["--report"].read_text() if files["--report"].exists() else ""
        return TuneResult(model, summary, report, Store(kept) if store is not None else None)
