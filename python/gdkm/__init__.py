"""Graph convolutional deep kernel machines: infinite-width graph networks that learn representations.

>>> import gdkm
>>> graph = gdkm.generate("csbm", n=300, classes=3, signal=8)
>>> train, val, test = graph.splits["public"][0]
>>> model = gdkm.GraphDKMClassifier(nu=1.0, inducing=30).fit(graph, train=train, val=val)
>>> model.predict_proba().shape
(300, 3)
"""

from . import _cuda, kernels, metrics
from ._core import InputError, NumericalError, OptionError, __version__
from ._data import generate, load
from ._estimators import GraphDKMClassifier
from ._fetch import catalogue, fetch
from ._graph import Graph
from ._research import (
    GPPosterior,
    Objective,
    ReadoutPosterior,
    cka,
    gp_regression,
    gram_matrices,
    linear_closed_form,
    nngp_kernel,
    readout_posterior,
)
from ._store import Store, TuneResult, sweep, tune

_cuda.use_installed_module()

__all__ = [
    "GPPosterior",
    "Graph",
    "GraphDKMClassifier",
    "InputError",
    "NumericalError",
    "Objective",
    "OptionError",
    "ReadoutPosterior",
    "Store",
    "TuneResult",
    "__version__",
    "catalogue",
    "cka",
    "fetch",
    "generate",
    "gp_regression",
    "gram_matrices",
    "kernels",
    "linear_closed_form",
    "load",
    "metrics",
    "nngp_kernel",
    "readout_posterior",
    "sweep",
    "tune",
]
