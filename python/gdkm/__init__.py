"""Graph convolutional deep kernel machines: infinite-width graph networks that learn representations.

>>> import gdkm
>>> graph = gdkm.generate("csbm", n=300, classes=3, signal=8)
>>> train, val, test = graph.splits["public"][0]
>>> model = gdkm.GraphDKMClassifier(nu=1.0, inducing=30).fit(graph, train=train, val=val)
>>> model.predict_proba().shape
(300, 3)
"""

from . import _cuda, kernels, metrics, plot
from ._convert_attributed import from_igraph, from_networkx
from ._convert_pandas import from_pandas
from ._convert_pyg import from_pyg
from ._core import InputError, NumericalError, OptionError, __version__
from ._data import from_scipy, generate, list_datasets, load
from ._estimators import (
    GCNClassifier,
    GraphDKMClassifier,
    GraphDKMRegressor,
    GraphNNGPClassifier,
    GraphNNGPRegressor,
    load_model,
)
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
from ._warnings import GdkmWarning

for _error in (InputError, NumericalError, OptionError):
    _error.__module__ = "gdkm"  # where people catch them
del _error

_cuda.use_installed_module()

__all__ = [
    "GCNClassifier",
    "GPPosterior",
    "GdkmWarning",
    "Graph",
    "GraphDKMClassifier",
    "GraphDKMRegressor",
    "GraphNNGPClassifier",
    "GraphNNGPRegressor",
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
    "from_igraph",
    "from_networkx",
    "from_pandas",
    "from_pyg",
    "from_scipy",
    "generate",
    "gp_regression",
    "gram_matrices",
    "kernels",
    "linear_closed_form",
    "list_datasets",
    "load",
    "load_model",
    "metrics",
    "nngp_kernel",
    "plot",
    "readout_posterior",
    "sweep",
    "tune",
]
