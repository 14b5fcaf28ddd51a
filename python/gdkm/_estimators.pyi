"""Estimators in the manner of scikit-learn."""

# Written by scripts/python_stubs.py from the table of options.

from collections.abc import Sequence
from typing import Any

import numpy as np

from ._classifier import GraphClassifier
from ._graph import Graph
from ._regressor import GraphRegressor


class GCNClassifier(GraphClassifier):
    layers: int
    arch: str
    pool: str
    lambda_: float
    relations: str
    members: str
    width: int
    dropout: float
    batch_norm: bool
    row_normalise: bool
    weight_decay: float
    inference: str
    patience: int
    select: str
    class_weight: dict | Sequence[float] | str | None
    epochs: int | str
    lr: float
    batches: int
    partition: str
    batch_size: int
    normalise: str
    directed: bool
    ignore_weights: bool
    keep_self_loops: bool
    largest_component: bool
    degree_features: bool
    wl_features: int
    structure_features: bool
    diffuse: int
    pool_features: str
    random_state: int | np.random.RandomState | np.random.Generator | None
    conformal: float
    precision: str
    device: str
    math: str
    tf32: bool
    threads: int
    graph: Graph | None
    validation_fraction: float
    verbose: int
    def __init__(
        self,
        *,
        layers: int = 2,
        arch: str = 'kipf',
        pool: str = 'mean',
        lambda_: float = 0.0,
        relations: str = 'gcn',
        members: str = '',
        width: int = 64,
        dropout: float = 0.5,
        batch_norm: bool = False,
        row_normalise: bool = False,
        weight_decay: float = 0.0005,
        inference: str = 'natural',
        patience: int = 100,
        select: str = 'accuracy',
        class_weight: dict | Sequence[float] | str | None = None,
        epochs: int | str = 300,
        lr: float = 0.01,
        batches: int = 1,
        partition: str = 'metis',
        batch_size: int = 1024,
        normalise: str = 'auto',
        directed: bool = False,
        ignore_weights: bool = False,
        keep_self_loops: bool = False,
        largest_component: bool = False,
        degree_features: bool = False,
        wl_features: int = 0,
        structure_features: bool = False,
        diffuse: int = 0,
        pool_features: str = 'none',
        random_state: int | np.random.RandomState | np.random.Generator | None = 0,
        conformal: float = 0.0,
        precision: str = 'float32',
        device: str = 'cpu',
        math: str = 'auto',
        tf32: bool = False,
        threads: int = 0,
        graph: Graph | None = None,
        validation_fraction: float = 0.2,
        verbose: int = 0,
    ) -> None: ...


class GraphDKMClassifier(GraphClassifier):
    nu: float | str | Sequence[float]
    scheme: str
    inducing: int
    layers: int
    arch: str
    center: bool
    affine: bool
    pool: str
    lambda_: float
    relations: str
    fixed_relations: bool
    kernel_: str
    exact: bool
    members: str
    noise: float
    inference: str
    patience: int
    select: str
    class_weight: dict | Sequence[float] | str | None
    epochs: int | str
    lr: float
    batches: int
    partition: str
    batch_size: int
    samples: int
    sampling: str
    temper_w: float
    fixed_scale: bool
    bias: bool
    init: str
    fixed_inducing: bool
    jitter: float
    normalise: str
    directed: bool
    ignore_weights: bool
    keep_self_loops: bool
    largest_component: bool
    degree_features: bool
    wl_features: int
    structure_features: bool
    diffuse: int
    pool_features: str
    random_state: int | np.random.RandomState | np.random.Generator | None
    conformal: float
    precision: str
    device: str
    math: str
    tf32: bool
    recompute: bool
    threads: int
    graph: Graph | None
    validation_fraction: float
    verbose: int
    def __init__(
        self,
        *,
        nu: float | str | Sequence[float] = 1.0,
        scheme: str = 'inter',
        inducing: int = 200,
        layers: int = 2,
        arch: str = 'kipf',
        center: bool = False,
        affine: bool = False,
        pool: str = 'mean',
        lambda_: float = 0.0,
        relations: str = 'gcn',
        fixed_relations: bool = False,
        kernel_: str = 'arccos',
        exact: bool = False,
        members: str = '',
        noise: float = 0.1,
        inference: str = 'natural',
        patience: int = 100,
        select: str = 'accuracy',
        class_weight: dict | Sequence[float] | str | None = None,
        epochs: int | str = 300,
        lr: float = 0.01,
        batches: int = 1,
        partition: str = 'metis',
        batch_size: int = 1024,
        samples: int = 4,
        sampling: str = 'node',
        temper_w: float = 1.0,
        fixed_scale: bool = False,
        bias: bool = False,
        init: str = 'kmeans',
        fixed_inducing: bool = False,
        jitter: float = 1e-05,
        normalise: str = 'auto',
        directed: bool = False,
        ignore_weights: bool = False,
        keep_self_loops: bool = False,
        largest_component: bool = False,
        degree_features: bool = False,
        wl_features: int = 0,
        structure_features: bool = False,
        diffuse: int = 0,
        pool_features: str = 'none',
        random_state: int | np.random.RandomState | np.random.Generator | None = 0,
        conformal: float = 0.0,
        precision: str = 'float32',
        device: str = 'cpu',
        math: str = 'auto',
        tf32: bool = False,
        recompute: bool = False,
        threads: int = 0,
        graph: Graph | None = None,
        validation_fraction: float = 0.2,
        verbose: int = 0,
    ) -> None: ...


class GraphDKMRegressor(GraphRegressor):
    nu: float | str | Sequence[float]
    scheme: str
    inducing: int
    layers: int
    arch: str
    center: bool
    affine: bool
    pool: str
    lambda_: float
    relations: str
    fixed_relations: bool
    kernel_: str
    exact: bool
    members: str
    noise: float
    inference: str
    patience: int
    select: str
    epochs: int | str
    lr: float
    batches: int
    partition: str
    batch_size: int
    sampling: str
    temper_w: float
    fixed_scale: bool
    init: str
    fixed_inducing: bool
    jitter: float
    normalise: str
    directed: bool
    ignore_weights: bool
    keep_self_loops: bool
    largest_component: bool
    degree_features: bool
    wl_features: int
    structure_features: bool
    diffuse: int
    pool_features: str
    random_state: int | np.random.RandomState | np.random.Generator | None
    conformal: float
    precision: str
    device: str
    math: str
    tf32: bool
    recompute: bool
    threads: int
    graph: Graph | None
    validation_fraction: float
    verbose: int
    def __init__(
        self,
        *,
        nu: float | str | Sequence[float] = 1.0,
        scheme: str = 'inter',
        inducing: int = 200,
        layers: int = 2,
        arch: str = 'kipf',
        center: bool = False,
        affine: bool = False,
        pool: str = 'mean',
        lambda_: float = 0.0,
        relations: str = 'gcn',
        fixed_relations: bool = False,
        kernel_: str = 'arccos',
        exact: bool = False,
        members: str = '',
        noise: float = 0.1,
        inference: str = 'natural',
        patience: int = 100,
        select: str = 'accuracy',
        epochs: int | str = 300,
        lr: float = 0.01,
        batches: int = 1,
        partition: str = 'metis',
        batch_size: int = 1024,
        sampling: str = 'node',
        temper_w: float = 1.0,
        fixed_scale: bool = False,
        init: str = 'kmeans',
        fixed_inducing: bool = False,
        jitter: float = 1e-05,
        normalise: str = 'auto',
        directed: bool = False,
        ignore_weights: bool = False,
        keep_self_loops: bool = False,
        largest_component: bool = False,
        degree_features: bool = False,
        wl_features: int = 0,
        structure_features: bool = False,
        diffuse: int = 0,
        pool_features: str = 'none',
        random_state: int | np.random.RandomState | np.random.Generator | None = 0,
        conformal: float = 0.0,
        precision: str = 'float32',
        device: str = 'cpu',
        math: str = 'auto',
        tf32: bool = False,
        recompute: bool = False,
        threads: int = 0,
        graph: Graph | None = None,
        validation_fraction: float = 0.2,
        verbose: int = 0,
    ) -> None: ...


class GraphNNGPClassifier(GraphClassifier):
    scheme: str
    inducing: int
    layers: int
    arch: str
    center: bool
    affine: bool
    pool: str
    lambda_: float
    relations: str
    fixed_relations: bool
    kernel_: str
    exact: bool
    landmarks: bool
    members: str
    network: str
    inference: str
    patience: int
    select: str
    class_weight: dict | Sequence[float] | str | None
    epochs: int | str
    lr: float
    batches: int
    partition: str
    batch_size: int
    samples: int
    sampling: str
    temper_w: float
    fixed_scale: bool
    bias: bool
    init: str
    fixed_inducing: bool
    jitter: float
    normalise: str
    directed: bool
    ignore_weights: bool
    keep_self_loops: bool
    largest_component: bool
    degree_features: bool
    wl_features: int
    structure_features: bool
    diffuse: int
    pool_features: str
    random_state: int | np.random.RandomState | np.random.Generator | None
    conformal: float
    precision: str
    device: str
    math: str
    tf32: bool
    recompute: bool
    threads: int
    graph: Graph | None
    validation_fraction: float
    verbose: int
    def __init__(
        self,
        *,
        scheme: str = 'inter',
        inducing: int = 200,
        layers: int = 2,
        arch: str = 'kipf',
        center: bool = False,
        affine: bool = False,
        pool: str = 'mean',
        lambda_: float = 0.0,
        relations: str = 'gcn',
        fixed_relations: bool = False,
        kernel_: str = 'arccos',
        exact: bool = False,
        landmarks: bool = False,
        members: str = '',
        network: str = 'gcn',
        inference: str = 'natural',
        patience: int = 100,
        select: str = 'accuracy',
        class_weight: dict | Sequence[float] | str | None = None,
        epochs: int | str = 300,
        lr: float = 0.01,
        batches: int = 1,
        partition: str = 'metis',
        batch_size: int = 1024,
        samples: int = 4,
        sampling: str = 'node',
        temper_w: float = 1.0,
        fixed_scale: bool = False,
        bias: bool = False,
        init: str = 'kmeans',
        fixed_inducing: bool = False,
        jitter: float = 1e-05,
        normalise: str = 'auto',
        directed: bool = False,
        ignore_weights: bool = False,
        keep_self_loops: bool = False,
        largest_component: bool = False,
        degree_features: bool = False,
        wl_features: int = 0,
        structure_features: bool = False,
        diffuse: int = 0,
        pool_features: str = 'none',
        random_state: int | np.random.RandomState | np.random.Generator | None = 0,
        conformal: float = 0.0,
        precision: str = 'float32',
        device: str = 'cpu',
        math: str = 'auto',
        tf32: bool = False,
        recompute: bool = False,
        threads: int = 0,
        graph: Graph | None = None,
        validation_fraction: float = 0.2,
        verbose: int = 0,
    ) -> None: ...


class GraphNNGPRegressor(GraphRegressor):
    scheme: str
    inducing: int
    layers: int
    arch: str
    center: bool
    affine: bool
    pool: str
    lambda_: float
    relations: str
    fixed_relations: bool
    kernel_: str
    exact: bool
    landmarks: bool
    members: str
    network: str
    inference: str
    patience: int
    select: str
    epochs: int | str
    lr: float
    batches: int
    partition: str
    batch_size: int
    sampling: str
    temper_w: float
    fixed_scale: bool
    init: str
    fixed_inducing: bool
    jitter: float
    normalise: str
    directed: bool
    ignore_weights: bool
    keep_self_loops: bool
    largest_component: bool
    degree_features: bool
    wl_features: int
    structure_features: bool
    diffuse: int
    pool_features: str
    random_state: int | np.random.RandomState | np.random.Generator | None
    conformal: float
    precision: str
    device: str
    math: str
    tf32: bool
    recompute: bool
    threads: int
    graph: Graph | None
    validation_fraction: float
    verbose: int
    def __init__(
        self,
        *,
        scheme: str = 'inter',
        inducing: int = 200,
        layers: int = 2,
        arch: str = 'kipf',
        center: bool = False,
        affine: bool = False,
        pool: str = 'mean',
        lambda_: float = 0.0,
        relations: str = 'gcn',
        fixed_relations: bool = False,
        kernel_: str = 'arccos',
        exact: bool = False,
        landmarks: bool = False,
        members: str = '',
        network: str = 'gcn',
        inference: str = 'natural',
        patience: int = 100,
        select: str = 'accuracy',
        epochs: int | str = 300,
        lr: float = 0.01,
        batches: int = 1,
        partition: str = 'metis',
        batch_size: int = 1024,
        sampling: str = 'node',
        temper_w: float = 1.0,
        fixed_scale: bool = False,
        init: str = 'kmeans',
        fixed_inducing: bool = False,
        jitter: float = 1e-05,
        normalise: str = 'auto',
        directed: bool = False,
        ignore_weights: bool = False,
        keep_self_loops: bool = False,
        largest_component: bool = False,
        degree_features: bool = False,
        wl_features: int = 0,
        structure_features: bool = False,
        diffuse: int = 0,
        pool_features: str = 'none',
        random_state: int | np.random.RandomState | np.random.Generator | None = 0,
        conformal: float = 0.0,
        precision: str = 'float32',
        device: str = 'cpu',
        math: str = 'auto',
        tf32: bool = False,
        recompute: bool = False,
        threads: int = 0,
        graph: Graph | None = None,
        validation_fraction: float = 0.2,
        verbose: int = 0,
    ) -> None: ...


def load_model(path: Any, *, device: str = "cpu", threads: int = 0) -> Any: ...
