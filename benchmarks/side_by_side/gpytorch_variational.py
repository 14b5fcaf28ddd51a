import gpytorch
import torch
from graph_kernel import GraphKernel, graph_kernel


class GraphGP(gpytorch.models.ApproximateGP):
    def __init__(self, nodes, classes, matrix):
        batch = torch.Size([classes])
        distribution = gpytorch.variational.CholeskyVariationalDistribution(len(nodes), batch_shape=batch)
        strategy = gpytorch.variational.VariationalStrategy(self, nodes, distribution, learn_inducing_locations=False)
        super().__init__(gpytorch.variational.IndependentMultitaskVariationalStrategy(strategy, num_tasks=classes))
        self.mean_module = gpytorch.means.ConstantMean(batch_shape=batch)
        self.covar_module = gpytorch.kernels.ScaleKernel(GraphKernel(matrix))

    def forward(self, nodes):
        return gpytorch.distributions.MultivariateNormal(self.mean_module(nodes), self.covar_module(nodes))


def probabilities(x, edges, y, train, val, seed, layers=2, epochs=300, lr=0.05, inducing=400):
    torch.manual_seed(seed)
    matrix = graph_kernel(x, edges, layers)
    nodes = torch.arange(len(x), dtype=torch.float64)[:, None]
    chosen = train[torch.randperm(len(train))[:inducing].numpy()]
    classes = int(y.max()) + 1
    model = GraphGP(nodes[chosen], classes, matrix).double()
    likelihood = gpytorch.likelihoods.SoftmaxLikelihood(num_classes=classes, mixing_weights=False)
    optimizer = torch.optim.Adam(model.parameters(), lr=lr)
    objective = gpytorch.mlls.VariationalELBO(likelihood, model, num_data=len(train))
    target = torch.from_numpy(y[train])
    model.train()
    for _ in range(epochs):
        optimizer.zero_grad()
        loss = -objective(model(nodes[train]), target)
        loss.backward()
        optimizer.step()
    model.eval()
    with torch.no_grad(), gpytorch.settings.num_likelihood_samples(256):
        return likelihood(model(nodes)).probs.mean(0).numpy()
