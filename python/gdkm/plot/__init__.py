"""Pictures of models, on matplotlib axes.

Every function takes ``ax``, the axes to draw on, makes a figure of its own without one, and returns the axes. What it is
given may be a fitted model, or plain arrays of the same meaning, so that models of other libraries fit into the same
figure. Colours are those of gdkm's reports: colour-blind readers can tell them apart.

matplotlib is imported when something is drawn: ``pip install gdkm[plot]`` installs it.

>>> import gdkm, gdkm.plot
>>> graph = gdkm.generate("csbm", n=300, classes=3, signal=2)
>>> train, val, test = graph.splits["public"][0]
>>> model = gdkm.GraphDKMClassifier(nu=1.0, inducing=30, epochs=20).fit(graph, train=train, val=val)
>>> ax = gdkm.plot.learning_curve(model)
>>> ax.get_xlabel()
'epoch'
"""

from ._confusion import confusion_matrix
from ._embedding import embedding_scatter
from ._kernel import kernel_heatmap
from ._learning import learning_curve
from ._nu import nu_curve
from ._reliability import reliability_diagram
from ._style import RAMP, SERIES

__all__ = [
    "RAMP",
    "SERIES",
    "confusion_matrix",
    "embedding_scatter",
    "kernel_heatmap",
    "learning_curve",
    "nu_curve",
    "reliability_diagram",
]
