import gpytorch
import numpy as np
import torch
from gpytorch.likelihoods import DirichletClassificationLikelihood


def graph_kernel(x, edges, layers):
    n = len(x)
    a = torch.eye(n, dtype=torch.float64)
    a[edges[:, 0], edges[:, 1]] = a[edges[:, 1], edges[:, 0]] = 1
    root = a.sum(1).rsqrt()
    a = root[:, None] * a * root
    x = torch.nn.functional.normalize(torch.from_numpy(x).double(), dim=1)
    k = x @ x.T
    for layer in range(layers):
        if layer > 0:
            norm = k.diagonal().clamp(min=0).sqrt()
            norm = norm[:, None] * norm
            cosine = torch.where(norm > 0, k / norm, 0).clamp(-1, 1)
            angle = cosine.arccos()
            k = norm / torch.pi * (angle.sin() + (torch.pi - angle) * cosine)
        k = a @ k @ a
    return k / k.diagonal().mean()


class GraphKernel(gpytorch.kernels.Kernel):
    def __init__(self, matrix):
        super().__init__()
        self.matrix = matrix

    def forward(self, a, b, diag=False, **_):
        a, b = a[..., 0].long(), b[..., 0].long()
        return self.matrix[a, b] if diag else self.matrix[a[..., :, None], b[..., None, :]]


class GraphGP(gpytorch.models.ExactGP):
    def __init__(self, nodes, likelihood, matrix):
        super().__init__(nodes, likelihood.transformed_targets, likelihood)
        batch = torch.Size([likelihood.num_classes])
        self.mean_module = gpytorch.means.ConstantMean(batch_shape=batch)
        self.covar_module = gpytorch.kernels.ScaleKernel(GraphKernel(matrix), batch_shape=batch)

    def forward(self, nodes):
        return gpytorch.distributions.MultivariateNormal(self.mean_module(nodes), self.covar_module(nodes))


def probabilities(x, edges, y, train, val, seed, layers=2, alpha_epsilon=0.01, epochs=100):
    torch.manual_seed(seed)
    matrix = graph_kernel(x, edges, layers)
    nodes = torch.arange(len(x), dtype=torch.float64)[:, None]
    likelihood = DirichletClassificationLikelihood(torch.from_numpy(y[train]), alpha_epsilon=alpha_epsilon,
                                                   learn_additional_noise=True, dtype=torch.float64)
    model = GraphGP(nodes[train], likelihood, matrix).double()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.1)
    objective = gpytorch.mlls.ExactMarginalLogLikelihood(likelihood, model)
    model.train(), likelihood.train()
    for _ in range(epochs):
        optimizer.zero_grad()
        loss = -objective(model(nodes[train]), likelihood.transformed_targets).sum()
        loss.backward()
        optimizer.step()
    model.eval(), likelihood.eval()
    with torch.no_grad(), gpytorch.settings.fast_pred_var():
        latent = model(nodes)
        samples = latent.mean + latent.stddev * torch.randn(256, *latent.mean.shape, dtype=torch.float64)
    return samples.softmax(1).mean(0).T.numpy()
