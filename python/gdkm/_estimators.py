"""Estimators in the manner of scikit-learn."""

from __future__ import annotations

import json

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin

from . import _core

_OPTIONS = {entry["parameter"]: entry for entry in _core.option_table()}


class _GraphEstimator(BaseEstimator):
    _model = "dkm"

    def fit(self, graph, y=None, *, train, val=None):
        parts = [np.asarray([] if part is None else part) for part in (train, val)]
        parts = [np.flatnonzero(p) if p.dtype == bool else p for p in parts]
        split = [np.ascontiguousarray(p, np.int32) for p in parts] + [np.zeros(0, np.int32)]
        options = {}
        for name, value in self.get_params(deep=False).items():
            entry = _OPTIONS.get(name)
            if entry is not None and value != entry["default"]:
                options[entry["name"]] = value
        self.model_, losses, raised = _core.fit(graph._data, split, self._model, options, None, None)
        self.history_ = {"loss": losses}
        self.classes_ = np.asarray(graph.classes)
        self.graph_ = graph
        self.card_ = json.loads(self.model_.card())
        if raised is not None:
            raise raised
        return self

    def predict_proba(self, graph=None):
        graph = self.graph_ if graph is None else graph
        return self.model_.predict(graph._data)["values"]


class GraphDKMClassifier(ClassifierMixin, _GraphEstimator):
    """A graph convolutional deep kernel machine."""

    def __init__(self, nu=1.0, inducing=200, random_state=0, epochs=300):
        self.nu = nu
        self.inducing = inducing
        self.random_state = random_state
        self.epochs = epochs

    def predict(self, graph=None):
        return self.classes_[self.predict_proba(graph).argmax(axis=1)]
