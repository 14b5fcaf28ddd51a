"""What all estimators have in common: fitting, predictions, features, kernels, files and pickles."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from . import _core
from ._core import InputError
from ._fit_data import FitData, as_items, read_fit
from ._graph import Graph
from ._learned import Learned, kept_items
from ._model_html import model_html
from ._options import Parameter
from ._progress import Callback, Progress
from ._warnings import warn


def seed_of(random_state: Any) -> int:
    """The seed that scikit-learn's random_state stands for."""
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(2**32))
    if random_state is None:
        random_state = np.random.mtrand._rand
    if isinstance(random_state, np.random.RandomState):
        return int(random_state.randint(0, 2**32, dtype=np.uint32))
    return random_state


def _is_default(value: Any, default: Any) -> bool:
    return type(value) in (bool, int, float, str, type(None), np.float64, np.int64) and value == default and (
        isinstance(value, bool) == isinstance(default, bool))


class GraphEstimator(Learned, BaseEstimator):
    """Fits a model of the core and answers for it; subclasses say what is predicted."""

    _model = ""
    _regression = False
    _parameters: dict[str, Parameter] = {}

    def fit(self, X: Any, y: Any = None, *, train: Any = None, val: Any = None, test: Any = None,
            sample_weight: Any = None, callback: Callback | None = None) -> "GraphEstimator":
        """Trains the model.

        Parameters
        ----------
        X : Graph, or item numbers of shape (n,) or (n, 1)
            The graph to train on; or numbers of nodes (or graphs) of the parameter ``graph``, as scikit-learn's
            tools give them: these items then train. An item that is given twice counts twice.
        y : array, optional
            Labels in place of the graph's own: one for each item of the graph (``None`` or ``nan`` where unknown),
            or one for each entry of ``X``.
        train : mask or item numbers, optional
            Items to train on; by default all that have labels and are neither in ``val`` nor in ``test``.
        val : mask or item numbers, optional
            Items that choose the epoch and calibrate probabilities. By default ``validation_fraction`` of the
            training items is held out for this.
        test : mask or item numbers, optional
            Items that are scored after training, for ``scores_``.
        sample_weight : array, optional
            How much items count: one number for each item of the graph, or for each entry of ``X``. Items of
            weight 0 do not train.
        callback : function, optional
            Called as ``callback(epoch, of, loss)`` after every epoch. Where it returns ``False``, training ends
            with the model of the best epoch so far.

        Returns
        -------
        self
            Ctrl-C ends training too: the fitted model is there when ``KeyboardInterrupt`` is raised.
        """
        given = read_fit(self, X, y, train, val, test, sample_weight)
        seed = seed_of(self.random_state)  # type: ignore[attr-defined]
        options = self._options(given.classes, seed)
        fraction = self.validation_fraction  # type: ignore[attr-defined]
        if not 0 <= fraction < 1:
            raise InputError(f"validation_fraction={fraction}: expected a number from 0 to less than 1")
        if val is None and fraction > 0 and self._validates(options):
            given.hold_out(fraction, seed)
        self._fit(given, options, callback)
        return self

    def _fit(self, given: FitData, options: dict[str, Any], callback: Callback | None) -> None:
        data, split = given.dataset(), given.split()
        progress = Progress(bool(self.verbose), callback, type(self).__name__)  # type: ignore[attr-defined]
        try:
            model, history, raised = _core.fit(data, split, self._model, options, progress.call(), warn, given.weight)
        finally:
            progress.close()
        self.graph_, self._given, self._options_used = given.graph, given, options
        self.train_, self.val_ = given.train, given.val
        self._adopt(model, given.classes)
        self.history_ = history
        if raised is not None:
            raise raised

    def _adopt(self, model: Any, classes: list | None) -> None:
        """Takes a model of the core, and what it says about itself."""
        self.model_ = model
        self.card_ = json.loads(model.card())
        run = self.card_["run"]
        self.n_epochs_, self.best_epoch_, self.converged_ = run["epochs"], run["best_epoch"], run["converged"]
        self.scores_ = {part: run[part] for part in ("train", "val", "test") if run.get(part) is not None}
        self.nu_ = run.get("nu", self.card_["options"].get("nu"))
        relations = run.get("relations")
        self.mixing_ = None if relations is None else dict(zip(relations["names"], np.array(relations["weights"]).T))
        self.n_features_in_ = self.card_["features"]
        if self.graph_ is not None:
            self.n_features_in_ = self.graph_._data.feature_count
            names = _feature_names(self.graph_._data)
            if names is not None:
                self.feature_names_in_, self.n_features_in_ = names, len(names)
        if classes is not None:
            self.classes_ = _class_array(classes)
        self._cache: tuple[Any, Any] | None = None
        self._training_data: Any = None

    def _options(self, classes: list | None, seed: Any) -> dict[str, Any]:
        """The options that differ from their defaults, by their names in the core."""
        out = {}
        for name, value in self.get_params(deep=False).items():
            parameter = self._parameters[name]
            if parameter.option is None:
                continue
            if name == "random_state":
                value = seed
                if value == parameter.default:
                    continue
            elif _is_default(value, parameter.default):
                continue
            elif name == "class_weight":
                value = _class_weights(value, classes or [])
            out[parameter.option] = value
        return out

    def _validates(self, options: dict[str, Any]) -> bool:
        """Whether validation items are held out where none are given."""
        if options.get("conformal", 0) or str(options.get("nu")) == "auto":
            return True
        closed = options.get("exact", False) or options.get("landmarks", False)
        return not closed and options.get("inference") != "paper" and options.get("select") != "elbo"

    # ---- predictions
    def _data_of(self, graph: Any) -> Any:
        """The core's data set of a graph: for the training graph, the one that was trained on."""
        if self._given is None or graph is not self.graph_:
            return graph._data
        if getattr(self, "_training_data", None) is None:
            self._training_data = self._given.dataset()
        return self._training_data

    def _graph_and_items(self, X: Any) -> tuple[Any, np.ndarray | None]:
        """The graph that is meant, and which of its items; None for all."""
        check_is_fitted(self)
        if isinstance(X, Graph):
            return X, None
        if self.graph_ is None:
            raise InputError("the model was loaded from a file and has no graph; give one")
        return self.graph_, None if X is None else as_items(X, self.graph_.n_items, "X")

    def _predictions(self, graph: Any) -> dict[str, Any]:
        """What the core predicts for all items of a graph; items that preprocessing leaves out have nan."""
        if self._cache is not None and self._cache[0] is graph:
            return self._cache[1]
        out = self.model_.predict(self._data_of(graph))
        for remark in out["remarks"] if graph is not self.graph_ else []:
            warn(remark)
        kept = kept_items(graph, out["names"], len(out["values"]))
        if kept is not None:
            values = np.full((graph.n_items, out["values"].shape[1]), np.nan)
            values[kept] = out["values"]
            label = np.full(graph.n_items, -1, np.int32)
            label[kept] = out["label"] if len(out["label"]) else -1
            out = {**out, "values": values, "label": label}
        self._cache = (graph, out)
        return out

    def _values(self, X: Any) -> np.ndarray:
        graph, items = self._graph_and_items(X)
        values = self._predictions(graph)["values"]
        return values.copy() if items is None else values[items]

    # ---- files, pickles, notebooks
    def save(self, path: Any) -> None:
        """Writes the model as the command line does; :func:`gdkm.load_model` and ``gdkm predict`` read it.

        Exact models are not saved to files; they pickle, with their data.
        """
        check_is_fitted(self)
        self.model_.save(path)

    def __getstate__(self) -> dict[str, Any]:
        state = dict(super().__getstate__())
        for name in ("_cache", "_training_data"):
            state.pop(name, None)
        if "model_" in state:
            state["model_"] = self.model_.state()
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        state = dict(state)
        saved = state.pop("model_", None)
        super().__setstate__(state)
        if saved is None:
            return
        self._cache = self._training_data = None
        if self.card_["options"].get("exact", False):
            self.model_ = _core.restore_exact(self._given.dataset(), self._given.split(), self._model,
                                              self._options_used, saved)
        else:
            self.model_ = _core.model_from_state(saved, str(self.device), int(self.threads))  # type: ignore[attr-defined]

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "model_")  # lambda_ is a parameter, and no sign of it

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.two_d_array = False
        tags.input_tags.one_d_array = True
        return tags

    def _repr_html_inner(self) -> str:
        return model_html(self, super()._repr_html_inner())

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, str]:
        out = super()._repr_mimebundle_(**kwargs)
        if "text/html" in out:
            out["text/html"] = model_html(self, out["text/html"])
        return out


def _class_array(classes: list) -> np.ndarray:
    plain = [each.item() if isinstance(each, np.generic) else each for each in classes]
    out = np.array(plain)
    if out.ndim == 1 and all(type(a) is type(b) for a, b in zip(out.tolist(), plain)):
        return out
    out = np.empty(len(classes), object)
    out[:] = classes
    return out


def _class_weights(value: Any, classes: list) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, dict):
        unknown = [key for key in value if key not in classes]
        if unknown:
            raise InputError(f"class_weight: {unknown[0]!r} is not one of the classes {classes}")
        value = [value.get(each, 1.0) for each in classes]
    return ",".join(repr(float(each)) for each in value)


def _feature_names(data: Any) -> np.ndarray | None:
    """The names of a table's columns; None where features are mere numbers."""
    columns = json.loads(data.columns or "{}")
    if columns.get("kind") != "table":
        return None
    return np.array([each["name"] for each in columns["columns"]], object)


__all__ = ["GraphEstimator", "seed_of"]
