import gpytorch
import torch


def graph_kernel(x, edges, layers):
    n = len(x)
    a = torch.eye(n, dtype=torch.float64)
    a[edges[:, 0], edges[:, 1]] = a[edges[:, 1], edges[:, 0]] = 1
    root = a.sum(1).rsqrt()
    a = (root[:, None] * a * root).to_sparse_csr()
    x = torch.nn.functional.normalize(torch.from_numpy(x).double(), dim=1)
    k = x @ x.T
    for layer in range(layers):
        if layer > 0:
            norm = k.diagonal().clamp(min=0).sqrt()
            norm = norm[:, None] * norm
            cosine = torch.where(norm > 0, k / norm, 0).clamp(-1, 1)
            angle = cosine.arccos()
            k = norm / torch.pi * (angle.sin() + (torch.pi - angle) * cosine)
        k = a @ (a @ k).T
    return k / k.diagonal().mean()


class GraphKernel(gpytorch.kernels.Kernel):
    def __init__(self, matrix):
        super().__init__()
        self.matrix = matrix

    def forward(self, a, b, diag=False, **_):
        a, b = a[..., 0].long(), b[..., 0].long()
        return self.matrix[a, b] if diag else self.matrix[a[..., :, None], b[..., None, :]]
