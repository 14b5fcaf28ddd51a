"""Estimators in the manner of scikit-learn."""

from __future__ import annotations

from typing import Any

from . import _core
from ._classifier import GraphClassifier
from ._options import with_parameters
from ._regressor import GraphRegressor

__all__ = ["GCNClassifier", "GraphDKMClassifier", "GraphDKMRegressor", "GraphNNGPClassifier", "GraphNNGPRegressor", "load_model"]


@with_parameters
class GraphDKMClassifier(GraphClassifier):
    """A graph convolutional deep kernel machine that predicts classes of nodes or graphs.

    It is an infinitely wide graph network that learns its kernels; ``nu`` says how strongly they are held to those
    of the network at its start (the NNGP). Parameters are the options of ``gdkm train``, with the same defaults.

    <parameters>

    Attributes
    ----------
    classes_ : array
        The classes, in the order of columns of ``predict_proba``.
    history_ : dict of arrays
        ``loss`` of every epoch; of models that validate, ``val_epoch``, ``val_loss`` and ``val_score``.
    n_epochs_, best_epoch_, converged_
        Epochs that were trained, those that the kept parameters have seen, and whether training had converged.
    scores_ : dict
        Scores of the parts of the split, as the command line prints them.
    mixing_ : dict or None
        With several relations: the weights of each, by layer.
    nu_ : float or list
        The value that was given or, with ``nu='auto'``, chosen.
    graph_ : Graph
        The graph that it was trained on.
    train_, val_ : arrays of int
        The items that trained, and those that validated.
    card_ : dict
        Everything that the model says about itself.

    Examples
    --------
    >>> import gdkm
    >>> graph = gdkm.generate("csbm", n=300, classes=3, signal=8)
    >>> train, val, test = graph.splits["public"][0]
    >>> model = gdkm.GraphDKMClassifier(nu=1.0, inducing=30, epochs=50).fit(graph, train=train, val=val)
    >>> model.predict_proba(test).shape == (len(test), 3)
    True
    >>> model.score(test) > 0.5
    True
    """

    _model = "dkm"


@with_parameters
class GraphDKMRegressor(GraphRegressor):
    """A graph convolutional deep kernel machine that predicts numbers of nodes or graphs.

    <parameters>

    Attributes
    ----------
    history_, n_epochs_, best_epoch_, converged_, scores_, mixing_, nu_, graph_, card_
        See :class:`GraphDKMClassifier`.

    Examples
    --------
    >>> import gdkm, numpy as np
    >>> graph = gdkm.generate("csbm", n=200, classes=2, signal=4)
    >>> y = np.asarray(graph._data.label) + 0.5
    >>> model = gdkm.GraphDKMRegressor(inducing=20, epochs=30).fit(graph, y)
    >>> mean, deviation = model.predict([0, 1, 2], return_std=True)
    >>> mean.shape, bool((deviation > 0).all())
    ((3,), True)
    """

    _model = "dkm"


@with_parameters
class GraphNNGPClassifier(GraphClassifier):
    """The Gaussian process of an infinitely wide graph network, for classes of nodes or graphs.

    Kernels are those of the network at its start, and nothing of them is learned. ``exact=True`` is GP regression
    on one-hot labels with the closed-form kernel, for graphs of a few thousand nodes; ``landmarks=True`` is the same
    with inducing points as landmarks, for large graphs.

    <parameters>

    Attributes
    ----------
    classes_, history_, n_epochs_, best_epoch_, converged_, scores_, mixing_, graph_, card_
        See :class:`GraphDKMClassifier`.

    Examples
    --------
    >>> import gdkm
    >>> graph = gdkm.generate("csbm", n=300, classes=3, signal=8)
    >>> train, val, test = graph.splits["public"][0]
    >>> model = gdkm.GraphNNGPClassifier(exact=True).fit(graph, train=train, val=val)
    >>> model.kernel(rows=[0, 1], columns=[0, 1, 2]).shape
    (2, 3)
    """

    _model = "nngp"


@with_parameters
class GraphNNGPRegressor(GraphRegressor):
    """The Gaussian process of an infinitely wide graph network, for numbers of nodes or graphs.

    <parameters>

    Attributes
    ----------
    history_, n_epochs_, best_epoch_, converged_, scores_, mixing_, graph_, card_
        See :class:`GraphDKMClassifier`.
    """

    _model = "nngp"


@with_parameters
class GCNClassifier(GraphClassifier):
    """The graph convolutional network of finite width that the others are compared with.

    <parameters>

    Attributes
    ----------
    classes_, history_, n_epochs_, best_epoch_, converged_, scores_, graph_, card_
        See :class:`GraphDKMClassifier`.
    """

    _model = "gcn"


_CLASSES = {("dkm", False): GraphDKMClassifier, ("dkm", True): GraphDKMRegressor, ("nngp", False): GraphNNGPClassifier,
            ("nngp", True): GraphNNGPRegressor, ("gcn", False): GCNClassifier}


def load_model(path: Any, *, device: str = "cpu", threads: int = 0) -> Any:
    """Reads a model that :meth:`save`, or ``gdkm train --save``, has written.

    Returns
    -------
    estimator
        Of the class that fits the model, with its parameters set. Its ``graph_`` is None: give a graph to
        ``predict`` and the like. ``classes_`` are texts, as files have them, or numbers where classes have no names.

    Examples
    --------
    >>> import gdkm, tempfile, os
    >>> graph = gdkm.generate("csbm", n=200, classes=2, signal=8)
    >>> path = os.path.join(tempfile.mkdtemp(), "model.safetensors")
    >>> gdkm.GCNClassifier(epochs=20).fit(graph).save(path)
    >>> gdkm.load_model(path).predict_proba(graph).shape
    (200, 2)
    """
    model = _core.load_model(path, device, threads)
    import json

    card = json.loads(model.card())
    cls = _CLASSES[card["model"], card["regression"]]
    options = model.options()
    values = {each.name: options[each.option] for each in cls._parameters.values() if each.option is not None}
    values["device"], values["threads"] = device, threads
    if values.get("class_weight") == "none":
        values["class_weight"] = None
    out = cls(**values)
    out.graph_, out._given, out._options_used = None, None, {}
    out.train_, out.val_ = model.train_items, model.val_items
    out.history_ = {}
    out._adopt(model, None if card["regression"] else card["class_names"] or list(range(card["classes"])))
    return out
