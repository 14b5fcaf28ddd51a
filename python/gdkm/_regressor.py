"""What regressors predict."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import RegressorMixin
from sklearn.metrics import r2_score
from sklearn.utils.validation import check_is_fitted

from ._base import GraphEstimator
from ._core import InputError


class GraphRegressor(RegressorMixin, GraphEstimator):
    """Predicts numbers of nodes or graphs, with their uncertainty."""

    _regression = True

    def predict(self, X: Any = None, return_std: bool = False) -> Any:
        """The expected numbers: an array of shape (items,), or (items, k) where k numbers are predicted.

        Parameters
        ----------
        X : Graph, mask or item numbers, optional
            A graph: all its items. Numbers: items of the training graph. By default all of these.
        return_std : bool
            Whether to return the standard deviations of the predictions, noise included, too.
        """
        values = self._values(X)
        k = values.shape[1] // 2
        mean, deviation = values[:, :k], values[:, k:]
        if k == 1:
            mean, deviation = mean[:, 0], deviation[:, 0]
        return (mean, deviation) if return_std else mean

    def score(self, X: Any = None, y: Any = None, sample_weight: Any = None) -> float:
        """R² of the predictions: 1 is perfect, 0 is no better than the mean.

        Parameters
        ----------
        X : Graph, mask or item numbers, optional
            A graph: all its items with known numbers. Numbers: items of the training graph. By default those of
            its items whose numbers are known and that neither trained nor validated.
        y : array, optional
            Their numbers; by default those of the graph.
        """
        check_is_fitted(self)
        graph, items = self._graph_and_items(X)
        if y is None:
            target = np.asarray(graph._data.target, np.float64)
            if len(target) == 0:
                raise InputError("score: the graph has no numbers to predict; give y")
            if items is None:
                items = np.arange(graph.n_items)
                if graph is self.graph_ and X is None:
                    items = np.setdiff1d(items, np.concatenate([self.train_, self.val_]))
            items = items[~np.isnan(target[items]).any(axis=1)]
            if len(items) == 0:
                raise InputError("score: no item with a known number is left; name items, or give y")
            y = target[items]
        values = self._predictions(graph)["values"]
        mean = values[:, : values.shape[1] // 2]
        mean = mean if items is None else mean[items]
        return float(r2_score(np.asarray(y).reshape(mean.shape), mean, sample_weight=sample_weight))

    def intervals(self, X: Any = None, coverage: float = 0.9) -> np.ndarray:
        """Intervals that hold the true number as often as asked.

        Of a model that was fitted with ``conformal`` > 0, validation items that were kept apart set their width;
        otherwise they are those of the normal distributions that the model predicts.

        Returns
        -------
        array of shape (items, 2), or (items, k, 2) where k numbers are predicted
            Lower and upper ends.
        """
        graph, items = self._graph_and_items(X)
        out = self.model_.prediction_sets(self._data_of(graph), coverage)
        ends = np.stack([out["lower"], out["upper"]], axis=-1)
        if len(ends) != graph.n_items:
            raise InputError("intervals: largest_component=True leaves out nodes; use the component as a graph of its "
                             "own")
        ends = ends if items is None else ends[items]
        return ends[:, 0] if ends.shape[1] == 1 else ends

    def measured_coverage(self, coverage: float = 0.9, graph: Any = None) -> dict[str, float] | None:
        """How often intervals hold the truth, on items with known numbers that training did not see.

        Returns
        -------
        dict
            ``asked``, ``measured`` (a share), ``size`` (mean width), ``items`` and ``calibration_items``; None where
            no such item is known.
        """
        graph, _ = self._graph_and_items(graph)
        return self.model_.prediction_sets(self._data_of(graph), coverage).get("measured")

    def _labels_of_items(self, items: np.ndarray) -> np.ndarray:
        labels = self._given.labels if self._given is not None else None
        target = np.asarray(self.graph_._data.target if labels is None else labels.target)
        return target[items][..., 0] if target.shape[1] == 1 else target[items]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = False  # the graph has labels
        tags.target_tags.multi_output = True
        return tags
