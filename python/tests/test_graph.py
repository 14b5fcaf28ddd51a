"""gdkm.Graph: what goes in comes out, and what does not fit is said."""

import copy
import pickle

import numpy as np
import pytest
import scipy.sparse as sp

import gdkm

EDGES = np.array([[0, 1, 2], [1, 2, 3]])


def small(**changes):
    given = dict(x=np.arange(8, dtype=np.float32).reshape(4, 2), edge_index=EDGES, y=[0, 1, 0, 1])
    given.update(changes)
    return gdkm.Graph(**given)


@pytest.mark.parametrize("dtype", ["float32", "float64", "float16", "int64", "uint8", "bool", ">f4", "int16"])
def test_features_of_any_type_become_float32(dtype):
    x = (np.arange(8).reshape(4, 2) % 2).astype(dtype)
    graph = small(x=x)
    assert graph.x.dtype == np.float32
    np.testing.assert_array_equal(graph.x, x.astype(np.float32))


def test_features_of_any_layout_are_the_same():
    x = np.arange(24, dtype=np.float32).reshape(4, 6)
    for given in (np.asfortranarray(x), np.concatenate([x, x], axis=1)[:, :6], x[::-1][::-1], x.T.copy().T):
        np.testing.assert_array_equal(small(x=given).x, x)


def test_one_column_of_features_may_be_flat():
    assert small(x=np.arange(4.0)).x.shape == (4, 1)


@pytest.mark.parametrize("kind", ["csr", "csc", "coo", "lil"])
def test_sparse_features_stay_sparse_in_any_format(kind):
    x = sp.random_array((4, 9), density=0.3, rng=np.random.default_rng(0)).asformat(kind)
    graph = small(x=x)
    assert sp.issparse(graph.x) and graph.x.shape == (4, 9)
    np.testing.assert_allclose(graph.x.toarray(), x.toarray())


def test_repeated_sparse_entries_are_summed_and_the_given_matrix_stays():
    x = sp.coo_array(([1.0, 2.0, 3.0], ([0, 0, 3], [1, 1, 0])), shape=(4, 2))
    assert small(x=x).x.toarray()[0, 1] == 3
    unsorted = sp.csr_array(([1.0, 2.0], [1, 0], [0, 2, 2, 2, 2]), shape=(4, 2))
    assert small(x=unsorted).x.toarray()[0].tolist() == [2, 1]
    assert unsorted.indices.tolist() == [1, 0]


def test_buffers_and_dlpack_are_read():
    x = np.arange(8, dtype=np.float32).reshape(4, 2)

    class Dlpack:
        def __dlpack__(self, **options):
            return x.__dlpack__(**options)

        def __dlpack_device__(self):
            return x.__dlpack_device__()

    for given in (memoryview(x), Dlpack(), x.tolist()):
        np.testing.assert_array_equal(small(x=given).x, x)


@pytest.mark.parametrize("dtype", ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"])
def test_edges_of_any_integer_type(dtype):
    graph = small(edge_index=EDGES.astype(dtype))
    np.testing.assert_array_equal(graph.edge_index, EDGES)
    np.testing.assert_array_equal(small(edge_index=None, edges=EDGES.T.astype(dtype)).edge_index, EDGES)


def test_an_adjacency_matrix_gives_edges_and_weights():
    plain = sp.csr_array(np.array([[0, 1, 0], [1, 0, 1], [0, 1, 0]]))
    graph = gdkm.Graph(np.eye(3), plain)
    assert (graph.edge_index.shape, graph.edge_weight, graph.is_directed) == ((2, 2), None, False)
    weighted = sp.csr_array(np.array([[0, 2.5, 0], [0, 0, 1], [0, 0, 0]]))
    graph = gdkm.Graph(np.eye(3), weighted)
    assert graph.is_directed and graph.edge_weight.tolist() == [2.5, 1]
    np.testing.assert_array_equal(graph.to_scipy().toarray(), weighted.toarray())


def test_types_of_edges_are_any_labels_in_natural_order():
    graph = small(edge_type=["r10", "r2", "r10"])
    assert graph.edge_type_names == ["r2", "r10"]
    assert graph.edge_type.tolist() == [1, 0, 1]
    assert small(edge_type=np.array([7, 7, 3])).edge_type_names == ["3", "7"]


def test_weights_of_one_are_none():
    assert small(edge_weight=np.ones(3)).edge_weight is None
    assert small(edge_weight=[1, 2, 3]).edge_weight.tolist() == [1, 2, 3]


@pytest.mark.parametrize(
    "y, classes, labels, values",
    [
        (["b", "a", "b", None], ["a", "b"], [1, 0, 1, -1], ["b", "a", "b", None]),
        ([5, 3, 5, -1], [3, 5], [1, 0, 1, -1], [5, 3, 5, -1]),
        ([1.0, np.nan, 0.0, 1.0], [0, 1], [1, -1, 0, 1], [1, -1, 0, 1]),
        ([True, False, True, True], [False, True], [1, 0, 1, 1], [True, False, True, True]),
        (np.eye(3)[[2, 0, 1, 1]], [0, 1, 2], [2, 0, 1, 1], [2, 0, 1, 1]),
    ],
)
def test_classes_of_any_type(y, classes, labels, values):
    graph = small(y=y)
    assert graph.classes == classes
    assert graph.labels.tolist() == labels
    assert graph.y.tolist() == values


def test_a_categorical_keeps_the_order_of_its_categories():
    pd = pytest.importorskip("pandas")
    values = pd.Categorical(["low", "high", None, "low"], categories=["low", "mid", "high"])
    for y in (values, pd.Series(values)):
        graph = small(y=y)
        assert graph.classes == ["low", "mid", "high"]
        assert graph.labels.tolist() == [0, 2, -1, 0]


def test_listed_classes_may_have_minus_one():
    with pytest.warns(UserWarning, match="-1 means unknown"):
        assert small(y=[-1, 1, 1, -1]).classes == [1]
    graph = small(y=[-1, 1, 1, -1], classes=[-1, 1])
    assert graph.labels.tolist() == [0, 1, 1, 0] and graph.y.tolist() == [-1, 1, 1, -1]


def test_numbers_to_predict():
    y = np.array([0.5, np.nan, 2.5, 1.0])
    for graph in (small(y=y, regression=True), small(y=None, targets=y)):
        assert graph.is_regression and graph.classes == []
        np.testing.assert_array_equal(graph.y, y.astype(np.float32))
        assert graph.labels.tolist() == [0, -1, 0, 0]
    assert small(y=np.ones((4, 3)), regression=True).y.shape == (4, 3)


def test_splits_in_every_form():
    expected = [[0, 1], [2], [3]]
    masks = [np.isin(np.arange(4), part) for part in expected]
    forms = [
        {"splits": {"public": [tuple(expected)]}},
        {"splits": [tuple(map(np.array, expected))]},
        {"splits": expected},
        {"splits": masks},
        dict(zip(("train_mask", "val_mask", "test_mask"), masks)),
        dict(zip(("train_mask", "val_mask", "test_mask"), (m[:, None] for m in masks))),
    ]
    for form in forms:
        found = small(**form).splits["public"]
        assert [part.tolist() for part in found[0]] == expected
    two = small(train_mask=np.array([[1, 0], [0, 1], [0, 0], [0, 0]], bool), test_mask=masks[2])
    assert [[p.tolist() for p in s] for s in two.splits["public"]] == [[[0], [], [3]], [[1], [], [3]]]
    assert small().with_splits({"mine": expected}).splits["mine"][0][0].tolist() == [0, 1]


def test_nodes_without_features_get_the_importers():
    graph = gdkm.Graph(None, EDGES, [0, 1, 0, 1])
    np.testing.assert_array_equal(graph.x.toarray(), np.eye(4))
    assert "each gets one of its own" in graph.remarks[0]
    assert gdkm.Graph("degree", EDGES).x.toarray().argmax(1).tolist() == [1, 2, 2, 1]
    assert gdkm.Graph("ones", EDGES).x.tolist() == [[1]] * 4
    many = gdkm.Graph(None, np.stack([np.arange(20_000), np.arange(1, 20_001)]))
    assert many.n_nodes == 20_001 and many.n_features == 3
    assert "more than 20000" in many.remarks[0]


def test_random_splits_are_those_of_the_command_line():
    graph = gdkm.generate("csbm", n=100, classes=4)
    train, val, test = graph.split("60/20/20", random_state=3)
    assert sorted(np.concatenate([train, val, test]).tolist()) == list(range(100))
    assert np.bincount(graph.labels[train]).tolist() == [15] * 4
    for given in ((60, 20, 20), (0.6, 0.2, 0.2)):
        np.testing.assert_array_equal(graph.split(*given, random_state=3)[0], train)
    masks = graph.split("60/20/20", random_state=3, masks=True)
    np.testing.assert_array_equal(np.flatnonzero(masks[0]), train)
    several = graph.split("per-class=5,val=20", n_splits=3)
    assert [len(s[0]) for s in several] == [20] * 3


def test_arrays_are_views_and_read_only():
    graph = small(edge_weight=[1, 2, 3], y=["a", "b", "a", "b"])
    assert np.shares_memory(graph.x, graph.x)
    for array in (graph.x, graph.edge_index, graph.edge_weight, graph.labels, graph.y,
                  graph.with_splits([[0], [1], [2]]).splits["public"][0][0]):
        with pytest.raises(ValueError):
            array[...] = 0
    x = graph.x
    del graph
    assert x[3, 1] == 7  # the array keeps the graph alive


def test_copies_share_and_pickles_are_equal():
    graph = small(y=["a", "b", None, "b"], edge_weight=[1, 2, 3], edge_type=["u", "v", "u"], directed=True,
                  node_names="wxyz", splits=[[0], [1], []], name="tiny")
    assert copy.copy(graph) is graph and copy.deepcopy([graph])[0] is graph
    again = pickle.loads(pickle.dumps(graph))
    assert again == graph and hash(again) == hash(graph)
    assert repr(again) == repr(graph) and again.node_names == list("wxyz") and again.y.tolist() == graph.y.tolist()
    assert graph != small() and graph != "graph"
    sparse = small(x=sp.eye_array(4, format="csr"))
    assert pickle.loads(pickle.dumps(sparse)) == sparse
    numbers = small(y=[0.5, 1.5, np.nan, 2], regression=True)
    assert pickle.loads(pickle.dumps(numbers)) == numbers


def test_save_and_load_are_inverse(tmp_path):
    graph = small(y=[3, 5, -1, 3], splits=[[0], [1], [3]], node_names="wxyz", directed=True)
    graph.save(tmp_path / "g.npz")
    again = gdkm.load(tmp_path / "g.npz")
    assert again == graph
    assert again.classes == [3, 5] and again.node_names == list("wxyz") and again.is_directed
    with pytest.raises(gdkm.InputError, match="ends in .npz"):
        graph.save(tmp_path / "g.csv")


def test_describe_counts():
    facts = small(splits=[[0], [1], [3]]).describe()
    assert (facts["nodes"], facts["edges"], facts["classes"], facts["class_count"]) == (4, 3, 2, [2, 2])
    assert facts["homophily"] == 0 and facts["splits"]["public"]["train"] == 1


def test_html_names_everything_and_escapes():
    graph = small(y=["<b>", "a", "a", None], name="<x>", splits=[[0], [1], [2]])
    html = graph._repr_html_()
    for text in ("&lt;x&gt;", "&lt;b&gt;", "nodes", "edges", "features", "classes", "homophily", "1 train, 1 val, 1 test"):
        assert text in html
    assert "<b>" not in html and "<x>" not in html


@pytest.mark.parametrize(
    "changes, words",
    [
        ({"x": np.zeros((3, 2)), "y": None}, ["edge 2: node 3 is not there"]),
        ({"x": np.zeros((3, 2))}, ["4 entries for 3 items"]),
        ({"x": np.zeros((4, 2, 2))}, ["(4, 2, 2)", "shape (n, d)"]),
        ({"x": np.zeros((4, 0))}, ["no columns"]),
        ({"x": np.full((4, 1), np.nan)}, ["node 0, column 0 is nan"]),
        ({"x": np.array([["a"]] * 4)}, ["x: expected numbers"]),
        ({"x": np.zeros((4, 1), complex)}, ["complex"]),
        ({"x": "nonsense"}, ["degree, identity and ones"]),
        ({"edge_index": EDGES.T}, ["(3, 2)", "shape (2, E)", "edges="]),
        ({"edge_index": EDGES.astype(float)}, ["whole numbers", "float64"]),
        ({"edge_index": [[0], [9]]}, ["edge 0: node 9", "nodes 0 to 3"]),
        ({"edge_index": [[0], [-1]]}, ["edge 0: node -1"]),
        ({"edge_index": [[0], [2**40]]}, ["edge 0", "not there"]),
        ({"edges": [[0, 1]]}, ["two forms of the same"]),
        ({"edge_index": None, "edges": EDGES}, ["(2, 3)", "shape (E, 2)"]),
        ({"edge_index": sp.csr_array((2, 3))}, ["(2, 3)", "square"]),
        ({"edge_weight": [1, 2]}, ["(2,)", "3 edges"]),
        ({"edge_weight": [1, 2, 0]}, ["edge 2: the weight is 0"]),
        ({"edge_type": ["a"]}, ["edge_type", "3 edges"]),
        ({"y": [0, 1]}, ["2 entries for 4 items"]),
        ({"y": [0.5, 1, 2, 3]}, ["0.5", "regression=True"]),
        ({"y": [0, -2, 1, 1]}, ["class -2"]),
        ({"y": [[1, 1], [0, 1], [1, 0], [0, 0]]}, ["row 0 is not one-hot"]),
        ({"y": ["a", 1, "b", 2]}, ["several types"]),
        ({"y": ["a", 1, "b", 2], "classes": ["a", "b"]}, ["class 1 is not in the list"]),
        ({"y": [1, np.inf, 2, 3], "regression": True}, ["item 1 is infinite"]),
        ({"splits": [[0], [0], [1]]}, ["item 0 twice"]),
        ({"splits": [[0], [1], [7]]}, ["item 7", "there are 4"]),
        ({"train_mask": np.ones(3, bool)}, ["train_mask", "(3,)", "4 items"]),
        ({"test_mask": np.ones(4, bool)}, ["train_mask is missing"]),
        ({"node_names": ["a"]}, ["names of nodes", "got 1"]),
        ({"batch": [0, 1, 0, 1]}, ["do not ascend"]),
    ],
)
def test_bad_input_is_refused_with_what_was_received(changes, words):
    with pytest.raises(gdkm.InputError) as error:
        small(**changes)
    assert isinstance(error.value, ValueError)
    for word in words:
        assert word in str(error.value), str(error.value)
    assert "\n" not in str(error.value)


def test_generators_and_names():
    assert gdkm.generate("csbm", n=50, random_state=1) == gdkm.load("csbm:n=50,seed=1")
    assert gdkm.generate("csbm", n=50, random_state=1) != gdkm.generate("csbm", n=50, random_state=2)
    known = {each["name"]: each for each in gdkm.list_datasets()}
    assert known["cora"]["task"] == "node" and known["MUTAG"]["task"] == "graph"
    with pytest.raises(gdkm.InputError, match="csbm"):
        gdkm.generate("csbm", nodes=5)
