"""What classifiers predict."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.metrics import accuracy_score
from sklearn.utils.validation import check_is_fitted

from ._base import GraphEstimator
from ._core import InputError


class GraphClassifier(ClassifierMixin, GraphEstimator):
    """Predicts classes of nodes or graphs."""

    classes_: np.ndarray

    def predict_proba(self, X: Any = None) -> np.ndarray:
        """Class probabilities, one row per item and one column per class of ``classes_``.

        Parameters
        ----------
        X : Graph, mask or item numbers, optional
            A graph: all its items. Numbers: items of the training graph. By default all of these.
        """
        return self._values(X)

    def predict_log_proba(self, X: Any = None) -> np.ndarray:
        """Logarithms of :meth:`predict_proba`."""
        return np.log(self.predict_proba(X))

    def predict(self, X: Any = None) -> np.ndarray:
        """The most probable class of each item; for ``X`` see :meth:`predict_proba`."""
        probability = self._values(X)
        if np.isnan(probability).any():
            raise InputError("largest_component=True leaves out some of these nodes; name others, or use predict_proba, "
                             "which has nan for them")
        return self.classes_[probability.argmax(axis=1)]

    def score(self, X: Any = None, y: Any = None, sample_weight: Any = None) -> float:
        """The share of items whose class is predicted.

        Parameters
        ----------
        X : Graph, mask or item numbers, optional
            A graph: all its items with a known class. Numbers: items of the training graph. By default those of
            its items whose class is known and that neither trained nor validated.
        y : array, optional
            Their classes; by default those of the graph.
        """
        check_is_fitted(self)
        if y is not None:
            return float(accuracy_score(y, self.predict(X), sample_weight=sample_weight))
        graph, items = self._graph_and_items(X)
        known = self._predictions(graph)
        label = _labels_in_model(self, graph, known["label"])
        label = np.where(np.isnan(known["values"]).any(axis=1), -1, label)  # preprocessing has left them out
        if items is None:
            items = np.flatnonzero(label >= 0)
            if graph is self.graph_ and X is None:
                items = np.setdiff1d(items, np.concatenate([self.train_, self.val_]))
        items = items[label[items] >= 0]
        if len(items) == 0:
            raise InputError("score: no item with a known class is left; name items, or give y")
        right = known["values"][items].argmax(axis=1) == label[items]
        return float(np.average(right, weights=sample_weight))

    def predict_set(self, X: Any = None, coverage: float = 0.9) -> np.ndarray:
        """Sets of classes that hold the true one as often as asked.

        Needs a model that was fitted with ``conformal`` > 0, which keeps a share of the validation items apart.

        Returns
        -------
        array of bool, of shape (items, classes)
            Which classes belong to the set of an item: ``model.classes_[row]`` lists them.
        """
        graph, items = self._graph_and_items(X)
        member = self.model_.prediction_sets(self._data_of(graph), coverage)["member"].astype(bool)
        if len(member) != graph.n_items:
            raise InputError("predict_set: largest_component=True leaves out nodes; use the component as a graph of its "
                             "own")
        return member if items is None else member[items]

    def measured_coverage(self, coverage: float = 0.9, graph: Any = None) -> dict[str, float] | None:
        """How often prediction sets hold the truth, on items with known labels that training did not see.

        Returns
        -------
        dict
            ``asked``, ``measured`` (a share), ``size`` (mean number of classes, or mean width), ``items`` and
            ``calibration_items``; None where no such item is known.
        """
        graph, _ = self._graph_and_items(graph)
        return self.model_.prediction_sets(self._data_of(graph), coverage).get("measured")

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = False  # the graph has labels
        return tags

    def _labels_of_items(self, items: np.ndarray) -> np.ndarray:
        label = self._predictions(self.graph_)["label"]
        return self.classes_[label[items]] if len(label) else np.full(items.shape, None)


def _labels_in_model(model: GraphClassifier, graph: Any, known: np.ndarray) -> np.ndarray:
    """The graph's own classes as numbers of the model's; labels that fit() was given come first."""
    given = None if model._given is None or graph is not model.graph_ else model._given.labels
    if given is None:
        return known
    number = {each: k for k, each in enumerate(model.classes_.tolist())}
    plain = [each.item() if isinstance(each, np.generic) else each for each in graph.classes]
    own = np.array([number.get(each, -1) for each in plain] + [-1], np.int32)
    return np.where(given.label >= 0, given.label, own[np.asarray(graph._data.label)] if len(own) > 1 else -1)
