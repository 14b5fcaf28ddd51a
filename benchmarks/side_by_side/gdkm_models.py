import gdkm
from scipy.sparse import csr_array


def probabilities(x, edges, y, train, val, seed, estimator=gdkm.GraphDKMClassifier, **settings):
    graph = gdkm.Graph(csr_array(x), edges.T, y)
    model = estimator(random_state=seed, **settings).fit(graph, train=train, val=val)
    return model.predict_proba()
