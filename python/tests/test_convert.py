"""Graphs of pandas, NetworkX, igraph and PyTorch Geometric, in and out."""

import json
import subprocess
import sys
from types import SimpleNamespace

import numpy as np
import pytest
import scipy.sparse as sp

import gdkm

pd = pytest.importorskip("pandas")
nx = pytest.importorskip("networkx")


def people():
    nodes = pd.DataFrame(
        {
            "age": [31.5, np.nan, 47, 22, 60, 18],
            "active": [True, False, True, True, False, True],
            "team": ["red", "blue", "red", None, "blue", "red"],
            "zip": pd.Categorical([8001, 8002, 8001, 8001, 8002, 8002]),
            "size": pd.Categorical(list("SMLSML"), categories=list("SML"), ordered=True),
            "label": ["a", "b", "a", "b", "a", None],
        },
        index=pd.Index(["ann", "bob", "cid", "dan", "eve", "fay"], name="person"),
    )
    edges = pd.DataFrame({"source": ["ann", "bob", "cid"], "target": ["bob", "cid", "fay"], "weight": [1.0, 2.5, 1.0]})
    return nodes, edges


def run(*words):
    subprocess.run([sys.executable, "-m", "gdkm", *map(str, words)], check=True, capture_output=True)


def test_tables_are_what_the_command_line_imports(tmp_path):
    nodes, edges = people()
    nodes.to_csv(tmp_path / "nodes.csv")
    edges.to_csv(tmp_path / "edges.csv", index=False)
    run("data", "import", "--nodes", tmp_path / "nodes.csv", "--edges", tmp_path / "edges.csv", "--id-column", "person",
        "--categories", "zip", "--ordinal", "size=S,M,L", "-o", tmp_path / "g.npz")
    theirs, ours = gdkm.load(tmp_path / "g.npz"), gdkm.from_pandas(nodes, edges)
    assert ours == theirs
    assert ours.x.tobytes() == theirs.x.tobytes() and ours.columns == theirs.columns
    assert (ours.node_names, ours.classes) == (theirs.node_names, ["a", "b"])
    assert ours.feature_names == theirs.feature_names
    assert "age is missing" in ours.feature_names and "team=red" in ours.feature_names


def test_a_table_as_features_has_the_same_columns():
    nodes, edges = people()
    place = {name: k for k, name in enumerate(nodes.index)}
    pairs = [[place[a] for a in edges[end]] for end in ("source", "target")]
    whole = gdkm.from_pandas(nodes, edges)
    for given in ({"y": "label"}, {}):
        graph = gdkm.Graph(nodes, pairs, edge_weight=edges["weight"], **given)
        assert graph == whole and graph.node_names == whole.node_names
    apart = gdkm.Graph(nodes.drop(columns="label"), pairs, nodes["label"], edge_weight=edges["weight"])
    assert apart == whole and apart.y.tolist() == ["a", "b", "a", "b", "a", None]


def test_ids_are_the_index_or_a_column_of_ids():
    nodes, edges = people()
    plain = nodes.reset_index().rename(columns={"person": "id"})
    assert gdkm.from_pandas(plain, edges) == gdkm.from_pandas(nodes, edges)
    assert gdkm.from_pandas(plain.rename(columns={"id": "who"}), edges, id_column="who").node_names[0] == "ann"
    counted = gdkm.Graph(pd.DataFrame({"age": [1, 2, 3]}), [[0], [1]])
    assert counted.node_names == [] and counted.feature_names == ["age"]


def test_odd_texts_are_values_like_others():
    team = ['a,b', 'c;"d"', "# e", " f ", "a,b", "# e"]
    graph = gdkm.Graph(pd.DataFrame({"team, or": team}), [[0], [1]])
    assert graph.columns[0]["name"] == "team, or"
    assert sorted(graph.columns[0]["values"]) == sorted(set(team))


def test_tables_are_refused_with_the_importers_words():
    nodes, edges = people()
    with pytest.raises(gdkm.InputError, match="nodes: has no column 'kind'; use one of 'person', 'age'"):
        gdkm.from_pandas(nodes, edges, label_column="kind")
    with pytest.raises(gdkm.InputError, match="2021-03-04.*ignore_columns='day'"):
        gdkm.from_pandas(nodes.assign(day=pd.Timestamp("2021-03-04")), edges)
    with pytest.raises(gdkm.InputError, match="values are missing.*missing='refuse'"):
        gdkm.from_pandas(nodes, edges, missing="refuse")
    with pytest.raises(gdkm.InputError, match="edges: line 4.*'zoe'"):
        gdkm.from_pandas(nodes, edges.assign(target=["bob", "cid", "zoe"]))


def test_tables_with_numbers_to_predict():
    nodes, edges = people()
    graph = gdkm.from_pandas(nodes.drop(columns="label"), edges, label_column="age", regression=True)
    np.testing.assert_array_equal(graph.y, np.float32([31.5, np.nan, 47, 22, 60, 18]))


def test_networkx_is_what_the_command_line_imports(tmp_path):
    g = nx.karate_club_graph()
    nx.set_node_attributes(g, {n: float(n) / 7 for n in g}, "score")
    nx.set_node_attributes(g, {n: "xyz"[n % 3] for n in g}, "kind")
    (tmp_path / "karate.json").write_text(json.dumps(nx.node_link_data(g, edges="links")))
    run("data", "import", tmp_path / "karate.json", "-o", tmp_path / "g.npz")
    theirs, ours = gdkm.load(tmp_path / "g.npz"), gdkm.from_networkx(g)
    assert ours.x.tobytes() == theirs.x.tobytes() and ours.columns == theirs.columns
    assert ours.classes == theirs.classes == ["Mr. Hi", "Officer"]
    assert (ours.to_scipy() != theirs.to_scipy()).nnz == 0
    assert ours.edge_weight is not None


def test_networkx_features_from_attributes_and_arrays():
    g = nx.path_graph(4)
    for n in g:
        g.nodes[n].update(x=[n, n * n], z=n / 2, y="ab"[n % 2])
    assert gdkm.from_networkx(g, x="x").x.tolist() == [[n, n * n] for n in range(4)]
    assert gdkm.from_networkx(g, x=["x", "z"]).x.shape == (4, 3)
    given = gdkm.from_networkx(g, x=np.eye(4), y=[1, 0, 1, 0])
    assert given.x.tolist() == np.eye(4).tolist() and given.classes == [0, 1]
    assert gdkm.from_networkx(g, x="x").classes == ["a", "b"]
    with pytest.raises(gdkm.InputError, match="no attribute 'q'"):
        gdkm.from_networkx(g, x="q")


def test_networkx_there_and_back():
    graph = gdkm.Graph(np.arange(6.0).reshape(3, 2), [[0, 1], [1, 2]], ["a", "b", "a"], edge_weight=[2, 3], directed=True)
    g = graph.to_networkx()
    assert g.is_directed() and g.edges[0, 1]["weight"] == 2 and g.nodes[1]["y"] == "b"
    assert gdkm.from_networkx(g, x="x", label_key="y") == graph
    typed = gdkm.Graph("ones", [[0, 0], [1, 1]], edge_type=["u", "v"]).to_networkx()
    assert sorted(d["type"] for *_, d in typed.edges(data=True)) == ["u", "v"]


def test_igraph_has_names_and_attributes():
    igraph = pytest.importorskip("igraph")
    g = igraph.Graph([(0, 1), (1, 2)], directed=True)
    g.vs["name"], g.vs["age"], g.es["weight"] = ["ann", "bob", "cid"], [1.0, 2.0, 4.0], [1.0, 3.0]
    graph = gdkm.from_igraph(g, y=["u", "v", "u"])
    assert graph.node_names == ["ann", "bob", "cid"] and graph.feature_names == ["age"]
    assert graph.is_directed and graph.edge_weight.tolist() == [1, 3] and graph.classes == ["u", "v"]


def fake_data(**changes):
    """What torch_geometric's Data is to gdkm; real ones are in the tests with PyTorch."""
    given = dict(x=np.eye(3, dtype=np.float32), edge_index=np.array([[0, 1, 1, 2], [1, 0, 2, 1]]), y=np.array([0, 1, 0]))
    given.update(changes)
    return SimpleNamespace(**given)


class FakeDataset(list):
    name, num_classes = "Fake", 4


def test_pyg_data_is_undirected_where_every_edge_is_there_twice():
    graph = gdkm.from_pyg(fake_data(train_mask=np.array([1, 0, 0], bool), test_mask=np.array([0, 1, 0], bool)))
    assert not graph.is_directed and graph.edge_index.tolist() == [[0, 1], [1, 2]]
    assert [p.tolist() for p in graph.splits["public"][0]] == [[0], [], [1]]
    one_way = gdkm.from_pyg(fake_data(edge_index=np.array([[0, 1], [1, 2]]), edge_attr=np.array([[2.0], [3.0]])))
    assert one_way.is_directed and one_way.edge_weight.tolist() == [2, 3]
    uneven = gdkm.from_pyg(fake_data(edge_weight=np.array([1.0, 2.0, 1.0, 1.0])))
    assert uneven.is_directed


def test_pyg_datasets_of_one_graph_and_of_many():
    one = gdkm.from_pyg(FakeDataset([fake_data()]))
    assert (one.name, one.n_classes, one.task) == ("Fake", 4, "node")
    many = gdkm.from_pyg(FakeDataset([fake_data(y=np.array([k % 2])) for k in range(5)]))
    assert (many.task, many.n_items, many.n_nodes) == ("graph", 5, 15)
    assert many.y.tolist() == [0, 1, 0, 1, 0]
    bare = gdkm.from_pyg(FakeDataset([SimpleNamespace(edge_index=np.array([[0], [1]]), num_nodes=3, y=np.array([k]))
                                      for k in range(2)]))
    assert bare.n_nodes == 6 and bare.x.toarray().shape[1] == 2 if sp.issparse(bare.x) else bare.x.shape[1] == 2
    with pytest.raises(gdkm.InputError, match="several types of nodes"):
        gdkm.from_pyg(SimpleNamespace(node_types=["a"]))
    with pytest.raises(gdkm.InputError, match="without edge_index"):
        gdkm.from_pyg(3)


def test_lists_of_graphs_are_one_data_set():
    pairs = [(np.ones((2, 3)), [[0], [1]]), (np.zeros((3, 3)) + 2, [[0, 1], [1, 2]])]
    graph = gdkm.Graph.from_list(pairs, y=["u", "v"], splits=[[0], [], [1]])
    assert (graph.task, graph.n_items, graph.n_nodes) == ("graph", 2, 5)
    assert graph.edge_index.tolist() == [[0, 2, 3], [1, 3, 4]] and graph.batch.tolist() == [0, 0, 1, 1, 1]
    whole = gdkm.Graph(np.concatenate([p[0] for p in pairs]), graph.edge_index, ["u", "v"], batch=graph.batch,
                       splits=[[0], [], [1]])
    assert whole == graph
    again = gdkm.Graph.from_list([gdkm.Graph(*p) for p in pairs], y=["u", "v"], splits=[[0], [], [1]])
    assert again == graph
    with pytest.raises(gdkm.InputError, match="graph 1: has 2 features, and graph 0 has 3"):
        gdkm.Graph.from_list([pairs[0], (np.ones((2, 2)), [[0], [1]])])
    with pytest.raises(gdkm.InputError, match="no graphs"):
        gdkm.Graph.from_list([])
    with pytest.raises(gdkm.InputError, match="graph 0: expected a Graph"):
        gdkm.Graph.from_list([3])


def test_lists_of_networkx_graphs_share_their_columns():
    graphs = []
    for k, size in enumerate((3, 4)):
        g = nx.cycle_graph(size)
        nx.set_node_attributes(g, {n: "CNO"[(n + k) % 3] for n in g}, "element")
        g.graph["y"] = "small" if size == 3 else "large"
        graphs.append(g)
    graph = gdkm.Graph.from_list(graphs)
    assert graph.feature_names == ["element=C", "element=N", "element=O"] and graph.classes == ["large", "small"]
    bare = gdkm.Graph.from_list([nx.star_graph(3), nx.path_graph(3)], y=[0, 1])
    assert bare.n_features == 4  # degrees 0 to 3


def test_data_sets_of_many_graphs_are_not_saved_as_npz(tmp_path):
    graph = gdkm.Graph.from_list([(None, [[0], [1]])] * 2, y=[0, 1])
    with pytest.raises(gdkm.InputError, match="the npz layout holds one graph"):
        graph.save(tmp_path / "many.npz")


def test_torch_geometric_there_and_back():
    pytest.importorskip("torch")
    pytest.importorskip("torch_geometric")
    graph = gdkm.generate("csbm", n=40, classes=3)
    data = graph.to_pyg()
    assert data.is_undirected() and data.train_mask[:, 0].sum() == len(graph.splits["public"][0][0])
    again = gdkm.from_pyg(data)
    np.testing.assert_array_equal(again.x, graph.x)
    assert (again.to_scipy() != graph.to_scipy()).nnz == 0 and again.y.tolist() == graph.y.tolist()
    many = gdkm.Graph.from_list([graph, graph], y=[0, 1])
    parts = many.to_pyg()
    assert len(parts) == 2 and gdkm.Graph.from_list(parts) == gdkm.Graph.from_list(many.to_pyg())
    assert parts[1].y.item() == 1 and parts[1].num_nodes == 40
