"""What estimators do on graphs: fitting, labels, predictions, features, kernels, sets, files."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import gdkm

ALL = [gdkm.GraphDKMClassifier, gdkm.GraphNNGPClassifier, gdkm.GCNClassifier]


@pytest.fixture(scope="module")
def graph():
    return gdkm.generate("csbm", n=240, classes=3, signal=8, seed=1)


@pytest.fixture(scope="module")
def split(graph):
    return graph.splits["public"][0]


def small(cls=gdkm.GraphDKMClassifier, **more):
    options = dict(epochs=25, threads=1)
    if cls is not gdkm.GCNClassifier:
        options["inducing"] = 20
    return cls(**{**options, **more})


@pytest.fixture(scope="module")
def fitted(graph, split):
    return small().fit(graph, train=split[0], val=split[1])


@pytest.mark.parametrize("cls", ALL)
def test_classifiers_learn_an_easy_graph(cls, graph, split):
    model = small(cls, epochs=60).fit(graph, train=split[0], val=split[1], test=split[2])
    probability = model.predict_proba(split[2])
    assert probability.shape == (len(split[2]), 3)
    assert np.allclose(probability.sum(axis=1), 1)
    assert model.score(split[2]) > 0.7
    assert model.scores_["test"]["accuracy"] == pytest.approx(100 * model.score(split[2]))
    assert len(model.history_["loss"]) == model.n_epochs_
    assert np.array_equal(model.predict(split[2]), model.classes_[probability.argmax(axis=1)])


def test_masks_and_numbers_are_the_same(graph, split, fitted):
    masks = [np.zeros(graph.n_nodes, bool) for _ in range(2)]
    for mask, part in zip(masks, split):
        mask[part] = True
    by_mask = small().fit(graph, train=masks[0], val=masks[1])
    assert np.array_equal(by_mask.predict_proba(), fitted.predict_proba())
    assert np.array_equal(fitted.predict_proba(masks[1]), fitted.predict_proba()[masks[1]])


def test_exact_models_have_kernels_and_no_features(graph, split):
    model = gdkm.GraphNNGPClassifier(exact=True, threads=1).fit(graph, train=split[0], val=split[1])
    kernel = model.kernel()
    assert kernel.shape == (240, 240)
    assert np.allclose(kernel, kernel.T)
    assert 0 < model.cka() <= 1
    with pytest.raises(gdkm.InputError, match="exact"):
        model.features()
    with pytest.raises(gdkm.InputError, match="exact"):
        model.save("model.safetensors")


def test_landmarks_and_full_rank_models_are_fitted(graph, split):
    landmarks = gdkm.GraphNNGPClassifier(landmarks=True, inducing=20, threads=1).fit(graph, train=split[0], val=split[1])
    assert landmarks.score(split[2]) > 0.6
    full = gdkm.GraphDKMClassifier(exact=True, epochs=5, threads=1).fit(graph, train=split[0])
    assert full.score(split[2]) > 0.4
    assert len(full._given.val) == 0  # exact models choose nothing on validation items


def test_the_kernel_is_the_product_of_features(fitted):
    rows, columns = [3, 1], [0, 5, 3]
    features = fitted.features()
    assert np.allclose(fitted.kernel(rows=rows, columns=columns), features[rows] @ features[columns].T)
    assert np.allclose(fitted.kernel(rows=rows), features[rows] @ features[rows].T)
    assert fitted.features([4, 2], layer=0).shape[0] == 2


def test_no_large_kernel_is_made_unless_it_is_asked_for():
    graph = gdkm.generate("csbm", n=5200, classes=2, features=4, signal=4)
    model = small(epochs=1, inducing=5).fit(graph, train=np.arange(50), val=np.arange(50, 60))
    with pytest.raises(gdkm.InputError, match="name rows"):
        model.kernel()
    assert model.kernel(rows=[0]).shape == (1, 1)


def test_cka_compares_with_labels_kernels_and_models(graph, split, fitted):
    assert 0 < fitted.cka() <= 1
    items = np.arange(30)
    assert fitted.cka(fitted, items=items) == pytest.approx(1)
    assert fitted.cka(fitted.kernel(rows=items), items=items) == pytest.approx(1)
    alike = graph._data.label[items][:, None] == graph._data.label[items][None, :]
    assert fitted.cka(items=items) == pytest.approx(fitted.cka(alike.astype(float), items=items))


def test_options_without_effect_are_refused_with_the_words_of_the_core(graph, split):
    with pytest.raises(gdkm.OptionError, match=r"affine.*center"):
        small(affine=True).fit(graph, train=split[0])
    with pytest.raises(gdkm.OptionError, match="inducing"):
        small(inducing=0).fit(graph, train=split[0])
    with pytest.raises(gdkm.OptionError, match="lambda_"):
        small(lambda_=2).fit(graph, train=split[0])


def test_without_validation_items_a_fraction_of_every_class_is_held_out(graph, split):
    model = small(epochs=2).fit(graph, train=split[0])
    held, label = model._given.val, np.asarray(graph._data.label)
    assert len(held) == round(0.2 * len(split[0]))
    assert set(held) <= set(split[0]) and not set(held) & set(model._given.train)
    assert set(label[model._given.train]) == set(label[split[0]])
    assert np.abs(np.bincount(label[held]) / np.bincount(label[split[0]]) - 0.2).max() < 0.1
    with pytest.warns(gdkm.GdkmWarning, match="validate"):
        none = small(epochs=2, validation_fraction=0).fit(graph, train=split[0])
    assert len(none._given.val) == 0
    with pytest.raises(gdkm.InputError, match="validation_fraction"):
        small(validation_fraction=1.0).fit(graph, train=split[0])


def test_labels_of_any_type_take_the_place_of_the_graphs(graph, split):
    names = np.array(["ham", "eggs", "spam"])[np.asarray(graph._data.label)]
    model = small().fit(graph, names, train=split[0], val=split[1])
    assert list(model.classes_) == ["eggs", "ham", "spam"]
    assert set(model.predict(split[2])) <= set(names)
    assert model.score(split[2]) > 0.7
    partly = names.astype(object)
    partly[split[2]] = None
    again = small().fit(graph, partly, train=split[0], val=split[1])
    assert np.array_equal(again.predict_proba(), model.predict_proba())
    booleans = small(epochs=2).fit(graph, np.asarray(graph._data.label) == 1, train=split[0])
    assert booleans.classes_.dtype == bool


def test_item_numbers_as_x_are_the_same_as_the_graph(graph, split):
    label = np.asarray(graph._data.label)
    by_items = small(graph=graph).fit(split[0], label[split[0]], val=split[1])
    by_graph = small().fit(graph, train=split[0], val=split[1])
    assert np.array_equal(by_items.predict_proba(), by_graph.predict_proba())
    assert by_items.score(split[2], label[split[2]]) == by_graph.score(split[2])
    column = small(graph=graph, epochs=2).fit(split[0][:, None], label[split[0]])
    assert column.predict(split[2][:, None]).shape == (len(split[2]),)


def test_parts_that_overlap_and_items_that_are_not_there_are_refused(graph, split):
    with pytest.raises(gdkm.InputError, match="disjoint"):
        small().fit(graph, train=split[0], val=split[0][:3])
    with pytest.raises(gdkm.InputError, match="no item 240"):
        small().fit(graph, train=[240])
    with pytest.raises(gdkm.InputError, match="mask has 3 entries"):
        small().fit(graph, train=[True, False, True])
    with pytest.raises(gdkm.InputError, match="no item to train on"):
        small().fit(graph, train=[])
    with pytest.raises(gdkm.InputError, match="parameter graph"):
        small().fit([0, 1, 2], [0, 1, 0])


def test_a_regressor_predicts_numbers_with_deviations_and_intervals(graph, split):
    y = 10 + 3.0 * np.asarray(graph._data.label)
    model = small(gdkm.GraphDKMRegressor, conformal=0.5).fit(graph, y, train=split[0], val=split[1])
    mean, deviation = model.predict(split[2], return_std=True)
    assert mean.shape == deviation.shape == (len(split[2]),)
    assert (deviation > 0).all()
    assert model.score(split[2], y[split[2]]) > 0.3
    ends = model.intervals(split[2], coverage=0.8)
    assert ends.shape == (len(split[2]), 2)
    assert np.mean((ends[:, 0] <= y[split[2]]) & (y[split[2]] <= ends[:, 1])) > 0.6
    two = small(gdkm.GraphDKMRegressor).fit(graph, np.column_stack([y, -y]), train=split[0], val=split[1])
    assert two.predict().shape == (240, 2)
    assert two.intervals([0, 1]).shape == (2, 2, 2)
    exact = gdkm.GraphNNGPRegressor(exact=True, threads=1).fit(graph, y, train=split[0])
    assert exact.score(split[2], y[split[2]]) > 0.3


def test_classifiers_and_regressors_say_which_data_is_theirs(graph, split):
    with pytest.raises(gdkm.InputError, match="use a classifier"):
        small(gdkm.GraphDKMRegressor).fit(graph, train=split[0])
    with pytest.raises(gdkm.InputError, match="Unknown label type"):
        small().fit(graph, np.linspace(0, 1, 240), train=split[0])


def test_prediction_sets_hold_the_truth_about_as_often_as_asked(graph, split):
    model = small(conformal=0.5).fit(graph, train=split[0], val=split[1])
    member = model.predict_set(split[2], coverage=0.8)
    assert member.dtype == bool and member.shape == (len(split[2]), 3)
    held = member[np.arange(len(split[2])), np.asarray(graph._data.label)[split[2]]].mean()
    assert held > 0.6
    assert model.measured_coverage(0.8)["asked"] == 0.8
    with pytest.raises(gdkm.OptionError, match="conformal=0.5"):
        small(epochs=2).fit(graph, train=split[0], val=split[1]).predict_set()


def test_explanations_are_training_items_with_their_labels(graph, split, fitted):
    out = fitted.explain([7, 8], count=3)
    assert out["items"].shape == out["similarity"].shape == out["y"].shape == (2, 3)
    assert set(out["items"].ravel()) <= set(split[0])
    assert (np.diff(out["similarity"], axis=1) <= 0).all()
    assert np.array_equal(out["y"], np.array(graph.classes)[np.asarray(graph._data.label)[out["items"]]])
    features = fitted.features()
    unit = features / np.linalg.norm(features, axis=1, keepdims=True)
    assert np.allclose(out["similarity"][0], unit[out["items"][0]] @ unit[7])


def test_weights_of_relations_are_told(graph, split):
    model = small(relations="self,und").fit(graph, train=split[0], val=split[1])
    assert set(model.mixing_) == {"self", "und"}
    assert model.mixing_["self"].shape == (2,)
    assert small(epochs=1).fit(graph, train=split[0], val=split[1]).mixing_ is None


def test_nu_may_be_chosen_on_validation_items(graph, split):
    model = small(nu="auto", epochs=3).fit(graph, train=split[0], val=split[1])
    assert model.nu_ in (1, 0.1, 10, "inf", 0.01, 100)
    layers = small(nu=[0.1, 1.0], epochs=2).fit(graph, train=split[0], val=split[1])
    assert layers.nu_ == [0.1, 1.0]


def test_class_weights_are_taken_in_the_order_of_classes(graph, split):
    names = np.array(["b", "c", "a"])[np.asarray(graph._data.label)]
    by_dict = small(class_weight={"c": 5.0}).fit(graph, names, train=split[0], val=split[1])
    by_list = small(class_weight=[1.0, 1.0, 5.0]).fit(graph, names, train=split[0], val=split[1])
    assert np.array_equal(by_dict.predict_proba(), by_list.predict_proba())
    assert by_dict.card_["options"]["class_weights"] == "1,1,5"
    plain = small().fit(graph, names, train=split[0], val=split[1])
    assert by_dict.predict_proba(split[2])[:, 2].mean() > plain.predict_proba(split[2])[:, 2].mean()
    with pytest.raises(gdkm.InputError, match="'d' is not one of the classes"):
        small(class_weight={"d": 2}).fit(graph, names, train=split[0])


def test_files_go_both_ways(graph, split, fitted, tmp_path):
    path = tmp_path / "model.safetensors"
    fitted.save(path)
    loaded = gdkm.load_model(path, threads=1)
    assert type(loaded) is gdkm.GraphDKMClassifier
    assert loaded.get_params()["inducing"] == 20 and loaded.get_params()["epochs"] == 25
    assert np.array_equal(loaded.predict_proba(graph), fitted.predict_proba())
    assert loaded.score(graph) == pytest.approx(np.mean(fitted.predict() == np.array(graph.classes)[graph._data.label]))
    assert (loaded.n_epochs_, loaded.best_epoch_) == (fitted.n_epochs_, fitted.best_epoch_)
    with pytest.raises(gdkm.InputError, match="give one"):
        loaded.predict()
    loaded.save(tmp_path / "again.safetensors")
    assert (tmp_path / "again.safetensors").read_bytes() == path.read_bytes()


def test_a_model_predicts_on_another_graph(fitted):
    other = gdkm.generate("csbm", n=100, classes=3, signal=8, seed=1)
    assert fitted.predict_proba(other).shape == (100, 3)
    assert fitted.features(other).shape[0] == 100


def test_nodes_outside_the_largest_component_have_no_prediction():
    x = np.eye(8, dtype=np.float32)
    graph = gdkm.Graph(x, [[0, 1, 2, 3, 5], [1, 2, 3, 4, 6]], y=[0, 1, 0, 1, 0, 1, 0, 1])
    model = gdkm.GraphDKMClassifier(largest_component=True, inducing=4, epochs=3, threads=1, validation_fraction=0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model.fit(graph, train=[0, 1, 2, 3])
    assert np.isnan(model.predict_proba()).any(axis=1).tolist() == [False] * 5 + [True] * 3
    assert model.predict([0, 4]).shape == (2,)
    with pytest.raises(gdkm.InputError, match="largest_component"):
        model.predict([5])


def test_a_callback_sees_every_epoch_and_may_stop(graph, split):
    seen = []

    def watch(epoch, of, loss):
        seen.append((epoch, of, loss))
        return epoch < 5

    model = small().fit(graph, train=split[0], val=split[1], callback=watch)
    assert [epoch for epoch, _, _ in seen] == [1, 2, 3, 4, 5]
    assert {of for _, of, _ in seen} == {25}
    assert model.n_epochs_ == 5 and not model.converged_
    assert model.predict().shape == (240,)


def test_an_exception_of_a_callback_is_raised_with_the_model_there(graph, split):
    model = small()

    def fail(epoch, of, loss):
        if epoch == 3:
            raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        model.fit(graph, train=split[0], val=split[1], callback=fail)
    assert model.n_epochs_ == 3 and model.predict().shape == (240,)


def test_progress_is_shown_when_asked_for(graph, split, capsys):
    small(verbose=1, epochs=5).fit(graph, train=split[0], val=split[1])
    shown = capsys.readouterr().err
    assert "GraphDKMClassifier" in shown and "5/5" in shown
    small(epochs=5).fit(graph, train=split[0], val=split[1])
    assert capsys.readouterr().err == ""


def test_warnings_of_the_core_are_warnings_of_python(graph, split):
    with pytest.warns(gdkm.GdkmWarning, match="lowered to 240") as caught:
        small(inducing=500, epochs=1).fit(graph, train=split[0], val=split[1])
    assert caught[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error", gdkm.GdkmWarning)
        with pytest.raises(gdkm.GdkmWarning):
            small(inducing=500, epochs=1).fit(graph, train=split[0], val=split[1])


def test_graphs_are_classified(tmp_path):
    rng = np.random.RandomState(0)
    sizes = rng.randint(5, 9, 40)
    y = np.arange(40) % 2
    start = np.concatenate([[0], np.cumsum(sizes)])
    x = rng.randn(start[-1], 3).astype(np.float32) + np.repeat(y, sizes)[:, None] * 2
    edges = np.concatenate([np.stack([np.arange(a, b - 1), np.arange(a + 1, b)], 1) for a, b in zip(start, start[1:])])
    data = gdkm._core.Dataset.from_arrays(**dataset_arguments(
        name="paths", nodes=int(start[-1]), edges=edges.astype(np.int64), features=x, label=y.astype(np.int32),
        class_names=["long", "short"], classes=2, graph_start=start.astype(np.int32)))
    graphs = gdkm.Graph._wrap(data)
    model = small(inducing=10).fit(graphs, train=np.arange(24), val=np.arange(24, 30), test=np.arange(30, 40))
    assert model.predict_proba().shape == (40, 2)
    assert model.score(np.arange(30, 40)) > 0.8
    assert model.features().shape[0] == 40
    assert model.features(of="nodes").shape[0] == start[-1]
    assert model.kernel(rows=[0, 39]).shape == (2, 2)
    rows = small(inducing=10, pool_features="mean").fit(graphs, train=np.arange(24), val=np.arange(24, 30))
    assert rows.score(np.arange(30, 40)) > 0.8
    assert rows.features().shape[0] == 40
    with pytest.raises(gdkm.InputError, match="pool_features"):
        rows.features(of="nodes")


def dataset_arguments(**given):
    import inspect

    text = gdkm._core.Dataset.from_arrays.__doc__ or ""
    defaults = dict(target=None, weight=None, type=None, type_names=None, directed=False, columns=None, node_names=None,
                    node_kind=None, splits={}, source="", graph_start=None, label=None, class_names=None, remarks=None)
    del inspect
    return {**{name: value for name, value in defaults.items() if name in text}, **given}


def test_a_fitted_model_shows_what_it_came_to(fitted):
    html = fitted._repr_html_()
    for word in ("accuracy", "epochs", "kernel", "ν"):
        assert word in html
    assert "<table class='gdkm-model'>" in fitted._repr_mimebundle_()["text/html"]
    assert "gdkm-model" not in small()._repr_html_()
    assert repr(small(nu=0.5)).startswith("GraphDKMClassifier(") and "nu=0.5" in repr(small(nu=0.5))
