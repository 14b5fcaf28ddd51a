"""Fitted models as functions of PyTorch.

A fitted kernel or feature map takes and returns tensors, so that it can stand in a program of PyTorch. Gradients do not
flow through it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

try:
    import torch
    from torch import nn
except ImportError as error:  # pragma: no cover
    raise ImportError("gdkm.torch needs PyTorch; install it with: pip install torch") from error

from ._graph import Graph

__all__ = ["FeatureMap", "Kernel"]


def _graph(x: Any, edge_index: Any, like: Graph) -> Graph:
    return Graph(x.detach().cpu().numpy(), edge_index.detach().cpu().numpy(), directed=like._data.directed)


class _Function(nn.Module):
    """A fitted model with its training graph; tensors go to where `like` is."""

    def __init__(self, model, layer: int = -1):
        super().__init__()
        self.model = model
        self.layer = layer

    def _tensor(self, array: np.ndarray, like: torch.Tensor | None) -> torch.Tensor:
        out = torch.from_numpy(np.ascontiguousarray(array))
        return out.to(torch.get_default_dtype()) if like is None else out.to(like.device, like.dtype)

    def extra_repr(self) -> str:
        return f"{type(self.model).__name__}, layer={self.layer}"


class FeatureMap(_Function):
    """The learned features of nodes as a module: ``map(x, edge_index)``, or ``map()`` for the training graph.

    Parameters
    ----------
    model : fitted estimator with inducing points, or GCN
    layer : int
        The Gram layer, from 0; -1 for what the readout takes.
    """

    def forward(self, x: torch.Tensor | None = None, edge_index: torch.Tensor | None = None) -> torch.Tensor:
        graph = self.model.graph_ if x is None else _graph(x, edge_index, self.model.graph_)
        values, _ = self.model.model_.features(graph._data, self.layer, False)
        return self._tensor(values, x)


class Kernel(_Function):
    """The learned kernel between nodes of a graph as a module: ``kernel(rows, columns)`` on the training graph, or with
    ``x`` and ``edge_index`` on another.

    Parameters
    ----------
    model : fitted estimator
    layer : int
        The Gram layer, from 0; -1 for the output kernel.
    """

    def forward(self, rows: torch.Tensor, columns: torch.Tensor, x: torch.Tensor | None = None,
                edge_index: torch.Tensor | None = None) -> torch.Tensor:
        graph = self.model.graph_ if x is None else _graph(x, edge_index, self.model.graph_)
        which = [np.ascontiguousarray(each.detach().cpu().numpy(), dtype=np.int32) for each in (rows, columns)]
        return self._tensor(self.model.model_.kernel(graph._data, *which, self.layer, False), x)
