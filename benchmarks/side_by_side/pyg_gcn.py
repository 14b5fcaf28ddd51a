import torch
import torch.nn.functional as F
from torch_geometric.data import Data
from torch_geometric.nn import GCNConv
from torch_geometric.transforms import NormalizeFeatures
from torch_geometric.utils import to_undirected


class GCN(torch.nn.Module):
    def __init__(self, inputs, width, classes, dropout):
        super().__init__()
        self.first = GCNConv(inputs, width, cached=True)
        self.second = GCNConv(width, classes, cached=True)
        self.dropout = dropout

    def forward(self, x, edge_index):
        values = F.dropout(x.values(), self.dropout, self.training)
        x = torch.sparse_csr_tensor(x.crow_indices(), x.col_indices(), values, x.shape)
        x = F.dropout(self.first(x, edge_index).relu(), self.dropout, self.training)
        return self.second(x, edge_index)


def probabilities(x, edges, y, train, val, seed, width=64, dropout=0.5, weight_decay=5e-4, epochs=200):
    torch.manual_seed(seed)
    data = Data(x=torch.from_numpy(x), edge_index=to_undirected(torch.from_numpy(edges.T)), y=torch.from_numpy(y))
    data = NormalizeFeatures()(data)
    data.x = data.x.to_sparse_csr()
    model = GCN(x.shape[1], width, int(y.max()) + 1, dropout)
    optimizer = torch.optim.Adam([{"params": model.first.parameters(), "weight_decay": weight_decay},
                                  {"params": model.second.parameters()}], lr=0.01)
    best, kept = -1.0, None
    for _ in range(epochs):
        model.train()
        optimizer.zero_grad()
        F.cross_entropy(model(data.x, data.edge_index)[train], data.y[train]).backward()
        optimizer.step()
        model.eval()
        with torch.no_grad():
            logits = model(data.x, data.edge_index)
        accuracy = (logits[val].argmax(1) == data.y[val]).float().mean().item()
        if accuracy > best:
            best, kept = accuracy, logits.softmax(1)
    return kept.numpy()
