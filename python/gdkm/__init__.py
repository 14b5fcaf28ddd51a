"""Graph convolutional deep kernel machines: infinite-width graph networks that learn representations.

>>> import gdkm
>>> graph = gdkm.generate("csbm", n=300, classes=3, signal=8)
>>> train, val, test = graph.splits["public"][0]
>>> model = gdkm.GraphDKMClassifier(nu=1.0, inducing=30).fit(graph, train=train, val=val)
>>> model.predict_proba().shape
(300, 3)
"""

from ._core import InputError, NumericalError, OptionError, __version__
from ._data import generate, load
from ._estimators import GraphDKMClassifier
from ._graph import Graph

__all__ = [
    "Graph",
    "GraphDKMClassifier",
    "InputError",
    "NumericalError",
    "OptionError",
    "__version__",
    "generate",
    "load",
]
