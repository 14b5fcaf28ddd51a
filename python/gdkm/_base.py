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
from ._model_html import model_html
from ._options import Parameter
from ._progress import Callback, Progress
from ._warnings import warn

_MOST_KERNEL_ROWS = 5000


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


class GraphEstimator(BaseEstimator):
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
        """Whether anything is chosen, or kept apart, on validation items."""
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
        kept = _kept(graph, out["names"], len(out["values"]))
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

    # ---- what the model has learned
    def features(self, graph: Any = None, layer: int = -1, *, of: str = "items") -> np.ndarray:
        """The features of a layer: one row per node, or per graph of a graph task.

        Parameters
        ----------
        graph : Graph, mask or item numbers, optional
            By default all items of the training graph.
        layer : int
            The Gram layer (or hidden layer of a GCN), counted from 0; −1: what the readout takes.
        of : 'items' or 'nodes'
            Of a graph task: rows of graphs, pooled as the readout does, or rows of nodes.
        """
        graph, items = self._graph_and_items(graph)
        values, names = self.model_.features(self._data_of(graph), layer, _of_items(of))
        kept = _kept(graph, names, len(values)) if of == "items" or graph._data.task == "node" else None
        if kept is not None:
            every = np.full((graph.n_items, values.shape[1]), np.nan)
            every[kept] = values
            values = every
        return values if items is None else values[items]

    def kernel(self, graph: Any = None, rows: Any = None, columns: Any = None, layer: int = -1, *,
               of: str = "items") -> np.ndarray:
        """A block of the kernel of a layer between items (or nodes) of a graph.

        Parameters
        ----------
        graph : Graph, optional
            By default the training graph.
        rows, columns : masks or item numbers, optional
            By default ``columns`` are ``rows``. Without both, the kernel over all items, if they are at most 5,000.
        layer : int
            See :meth:`features`; exact models have −1 alone.
        of : 'items' or 'nodes'
            See :meth:`features`.
        """
        graph, items = self._graph_and_items(graph)
        count = graph.n_items if _of_items(of) else graph._data.nodes
        if items is not None:
            raise InputError("graph: expected a graph; items are named by rows and columns")
        if rows is None and columns is None and count > _MOST_KERNEL_ROWS:
            raise InputError(f"the kernel over all {count} items would take {8e-9 * count * count:.1f} GB; name rows, or "
                             "rows and columns, or use features(), whose products it is")
        everything = np.arange(count, dtype=np.int32)
        rows = everything if rows is None else as_items(rows, count, "rows")
        columns = (rows if columns is None else as_items(columns, count, "columns"))
        kept = self._kept_numbers(graph)
        if kept is not None:
            number = np.full(count, -1, np.int32)
            number[kept] = np.arange(len(kept))
            rows, columns = number[rows], number[columns]
            if min(rows.min(initial=0), columns.min(initial=0)) < 0:
                raise InputError("rows and columns: some are outside the largest component, which largest_component=True leaves out")
        return self.model_.kernel(self._data_of(graph), np.ascontiguousarray(rows, np.int32),
                                  np.ascontiguousarray(columns, np.int32), layer, _of_items(of))

    def _kept_numbers(self, graph: Any) -> np.ndarray | None:
        if not self.card_["options"].get("largest_component", False):
            return None
        out = self.model_.predict(self._data_of(graph))
        return _kept(graph, out["names"], len(out["values"]))

    def cka(self, other: Any = None, *, items: Any = None, layer: int = -1) -> float:
        """Centred kernel alignment of the model's kernel, between 0 and 1.

        Parameters
        ----------
        other : kernel matrix or fitted estimator, optional
            What the kernel is compared with; by default the kernel of the labels (items of a class are alike, all
            others are not).
        items : mask or item numbers, optional
            Of the training graph; by default all, or with labels all that have one.
        layer : int
            See :meth:`features`.
        """
        graph, _ = self._graph_and_items(None)
        numbers = np.arange(graph.n_items, dtype=np.int32) if items is None else as_items(items, graph.n_items, "items")
        if other is None:
            return self._cka_with_labels(graph, numbers, layer)
        own = self.kernel(rows=numbers, layer=layer)
        if isinstance(other, GraphEstimator):
            other = other.kernel(graph if other.graph_ is not graph else None, rows=numbers, layer=layer)
        return _core.cka(own, np.ascontiguousarray(other, np.float64))

    def _cka_with_labels(self, graph: Any, numbers: np.ndarray, layer: int) -> float:
        if self._regression:
            raise InputError("cka: numbers to predict have no classes; give another kernel")
        label = self._predictions(graph)["label"]
        numbers = numbers[label[numbers] >= 0]
        if self.card_["options"].get("exact", False):
            alike = label[numbers][:, None] == label[numbers][None, :]
            return _core.cka(self.kernel(rows=numbers), np.ascontiguousarray(alike, np.float64))
        rows = np.ascontiguousarray(self.features(numbers, layer), np.float64)
        return _core.cka_with_labels(rows, np.ascontiguousarray(label[numbers], np.int32), len(self.classes_))  # type: ignore[attr-defined]

    def explain(self, nodes: Any = None, *, count: int = 5, graph: Any = None) -> dict[str, np.ndarray]:
        """The training items that the model finds most similar.

        Parameters
        ----------
        nodes : mask or item numbers, optional
            By default all.
        count : int
            How many training items for each.
        graph : Graph, optional
            The graph of ``nodes``; by default the training graph.

        Returns
        -------
        dict
            ``items`` (numbers of training items, nearest first), ``similarity`` (the learned kernel, 1 for equal
            items) and ``y`` (their labels), each an array with a row for each of ``nodes``.
        """
        check_is_fitted(self)
        if self.graph_ is None:
            raise InputError("the model was loaded from a file and has no training graph; set graph_ to the graph it was trained on")
        there = self.graph_ if graph is None else graph
        out = self.model_.nearest(self._data_of(there), self._data_of(self.graph_), count)
        item, similarity = out["item"], out["similarity"]
        own = self._kept_numbers(self.graph_)
        item = item if own is None else own[item]
        kept = self._kept_numbers(there)
        if nodes is not None:
            numbers = as_items(nodes, there.n_items, "nodes")
            if kept is not None:
                number = np.full(there.n_items, -1)
                number[kept] = np.arange(len(kept))
                numbers = number[numbers]
                if (numbers < 0).any():
                    raise InputError("nodes: some are outside the largest component, which largest_component=True leaves out")
            item, similarity = item[numbers], similarity[numbers]
        return {"items": item, "similarity": similarity, "y": self._labels_of_items(item)}

    def _labels_of_items(self, items: np.ndarray) -> np.ndarray:
        raise NotImplementedError

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


def _of_items(of: str) -> bool:
    if of not in ("items", "nodes"):
        raise InputError(f"of={of!r}: expected 'items' or 'nodes'")
    return of == "items"


def _class_array(classes: list) -> np.ndarray:
    out = np.array(classes)
    if out.ndim == 1 and all(type(a) is type(b) for a, b in zip(out.tolist(), [getattr(c, "item", lambda c=c: c)() for c in classes])):
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


def _kept(graph: Any, names: list[str], count: int) -> np.ndarray | None:
    """The numbers of the items that preprocessing has kept; None where it kept all."""
    if count == graph.n_items:
        return None
    own = graph._data.node_names
    if not own:
        return np.array([int(name) for name in names], np.int64)
    number = {name: k for k, name in enumerate(own)}
    return np.array([number[name] for name in names], np.int64)


__all__ = ["GraphEstimator", "seed_of"]
