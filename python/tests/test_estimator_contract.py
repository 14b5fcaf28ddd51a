"""scikit-learn's contract, as far as it makes sense for estimators whose samples are nodes of a graph.

Names of scikit-learn's own checks are in the docstrings. docs/python-estimators.md lists those that cannot apply,
with the reason.
"""

from __future__ import annotations

import copy
import inspect
import pickle

import numpy as np
import pytest
from sklearn.base import clone, is_classifier, is_regressor
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV, cross_val_predict, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.utils import get_tags
from sklearn.utils.validation import check_is_fitted

import gdkm

CLASSIFIERS = [gdkm.GraphDKMClassifier, gdkm.GraphNNGPClassifier, gdkm.GCNClassifier]
REGRESSORS = [gdkm.GraphDKMRegressor, gdkm.GraphNNGPRegressor]
EVERY = CLASSIFIERS + REGRESSORS


@pytest.fixture(scope="module")
def graph():
    return gdkm.generate("csbm", n=150, classes=3, signal=8, seed=2)


@pytest.fixture(scope="module")
def y(graph):
    return np.asarray(graph._data.label)


def quick(cls, **more):
    options = dict(epochs=4, threads=1, inducing=10) if cls is not gdkm.GCNClassifier else dict(epochs=4, threads=1)
    return cls(**{**options, **more})


def fitted(cls, graph, y, **more):
    labels = y if cls in CLASSIFIERS else y.astype(float)
    return quick(cls, graph=graph, **more).fit(np.arange(100), labels[:100])


@pytest.mark.parametrize("cls", EVERY)
def test_parameters_are_those_of_the_table_and_nothing_is_done_to_them(cls):
    """check_parameters_default_constructible, check_no_attributes_set_in_init, check_get_params_invariance,
    check_set_params, check_do_not_raise_errors_in_init_or_set_param"""
    model = cls()
    signature = inspect.signature(cls.__init__)
    names = [name for name in signature.parameters if name != "self"]
    assert sorted(model.get_params()) == sorted(names)
    assert vars(model) == {name: signature.parameters[name].default for name in names}
    table = {entry["parameter"]: entry for entry in gdkm._core.option_table()}
    for name in set(names) - {"graph", "validation_fraction", "verbose", "class_weight"}:
        assert signature.parameters[name].default == table[name]["default"], name
    for name in names:
        marker = object()
        assert getattr(cls(**{name: marker}), name) is marker
        assert model.set_params(**{name: marker}).get_params()[name] is marker
    with pytest.raises(ValueError, match="Invalid parameter"):
        model.set_params(no_such_option=1)
    with pytest.raises(TypeError):
        cls(no_such_option=1)


def test_models_have_their_own_options_and_no_others():
    def names(cls):
        return set(cls().get_params())

    assert "nu" not in names(gdkm.GraphNNGPClassifier) and "nu" in names(gdkm.GraphDKMClassifier)
    assert "width" in names(gdkm.GCNClassifier) and "width" not in names(gdkm.GraphDKMClassifier)
    assert "landmarks" in names(gdkm.GraphNNGPRegressor) and "landmarks" not in names(gdkm.GraphDKMRegressor)
    assert "class_weight" in names(gdkm.GCNClassifier) and "class_weight" not in names(gdkm.GraphDKMRegressor)
    assert not any({"split", "splits", "seeds", "jobs", "split_set", "seed", "lambda"} & names(cls) for cls in EVERY)


@pytest.mark.parametrize("cls", EVERY)
def test_docstrings_name_every_parameter(cls):
    """check_estimator_repr, and that documentation follows the table"""
    doc = inspect.getdoc(cls)
    for name in cls().get_params():
        assert f"\n{name} : " in doc, name
    assert "<parameters>" not in doc
    assert repr(cls()) == f"{cls.__name__}()"


@pytest.mark.parametrize("cls", EVERY)
def test_clones_are_unfitted_and_share_the_graph(cls, graph, y):
    """check_estimator_cloneable, check_estimators_overwrite_params, check_dont_overwrite_attributes"""
    model = fitted(cls, graph, y)
    before = {name: value for name, value in model.get_params().items()}
    twin = clone(model)
    assert not hasattr(twin, "model_")
    with pytest.raises(NotFittedError):
        twin.predict(np.arange(5))
    assert model.get_params() == before
    assert {k: v for k, v in twin.get_params().items() if k != "graph"} == {k: v for k, v in before.items() if k != "graph"}


@pytest.mark.parametrize("cls", EVERY)
def test_what_is_not_fitted_says_so(cls, graph):
    """check_estimators_unfitted, check_fit_check_is_fitted"""
    model = quick(cls, graph=graph)
    with pytest.raises(NotFittedError):
        check_is_fitted(model)
    for method in ("predict", "score", "features", "kernel", "cka", "explain"):
        with pytest.raises(NotFittedError):
            getattr(model, method)()
    with pytest.raises(NotFittedError):
        model.save("nowhere")


@pytest.mark.parametrize("cls", EVERY)
def test_fit_returns_self_is_repeatable_and_forgets(cls, graph, y):
    """check_estimators_fit_returns_self, check_fit_idempotent, check_fit2d_1sample (as 1-D), check_dict_unchanged,
    check_methods_sample_order_invariance, check_methods_subset_invariance, check_n_features_in"""
    labels = y if cls in CLASSIFIERS else y.astype(float)
    model = quick(cls, graph=graph)
    assert model.fit(np.arange(100), labels[:100]) is model
    first = model._values(None)
    state = dict(vars(model))
    rows = model._values(np.arange(40))
    assert np.array_equal(first[:40], rows)
    assert np.array_equal(model._values(np.arange(40)[::-1]), rows[::-1])
    assert {name for name in vars(model)} - {"_cache", "_training_data"} == set(state) - {"_cache", "_training_data"}
    model.fit(np.arange(50, 140), labels[50:140])
    assert not np.array_equal(model._values(None), first)
    model.fit(np.arange(100), labels[:100])
    assert np.array_equal(model._values(None), first)
    assert model.n_features_in_ == graph._data.feature_count


@pytest.mark.parametrize("cls", CLASSIFIERS)
def test_classes_are_those_of_y(cls, graph, y):
    """check_classifiers_classes, check_classifiers_train, check_classifiers_one_label,
    check_classifier_data_not_an_array, check_estimators_dtypes"""
    assert np.array_equal(fitted(cls, graph, y).classes_, [0, 1, 2])
    names = np.array(["z", "x", "y"])
    model = fitted(cls, graph, names[y])
    assert list(model.classes_) == ["x", "y", "z"]
    assert set(model.predict()) <= set(names)
    two = np.flatnonzero(y < 2)
    assert quick(cls, graph=graph).fit(two, y[two]).predict_proba().shape == (150, 2)
    one = quick(cls, graph=graph).fit(np.arange(30), np.full(30, "only"))
    assert set(one.predict()) == {"only"} and np.allclose(one.predict_proba(), 1)
    for X in (list(range(60)), np.arange(60, dtype=np.int64), np.arange(60, dtype=np.uint8), np.arange(60.0)):
        a = quick(cls, graph=graph).fit(X, list(y[:60]))
        assert np.array_equal(a.predict(X), a.predict(np.arange(60)))


@pytest.mark.parametrize("cls", EVERY)
def test_pickles_and_copies_predict_the_same(cls, graph, y):
    """check_estimators_pickle, check_estimator_get_tags_default_keys"""
    model = fitted(cls, graph, y)
    twin = pickle.loads(pickle.dumps(model))
    assert np.array_equal(twin._values(None), model._values(None))
    assert twin.get_params()["epochs"] == 4 and twin.n_epochs_ == model.n_epochs_
    assert np.array_equal(copy.deepcopy(model)._values(None), model._values(None))
    unfitted = pickle.loads(pickle.dumps(quick(cls, graph=graph)))
    assert not hasattr(unfitted, "model_")


@pytest.mark.parametrize("model", [
    gdkm.GraphNNGPClassifier(exact=True, threads=1),
    gdkm.GraphDKMClassifier(exact=True, epochs=3, threads=1),
    gdkm.GraphNNGPClassifier(landmarks=True, inducing=10, threads=1),
])
def test_models_that_files_do_not_keep_pickle_with_their_data(model, graph, y):
    model = clone(model).set_params(graph=graph).fit(np.arange(100), y[:100])
    twin = pickle.loads(pickle.dumps(model))
    assert np.array_equal(twin.predict_proba(), model.predict_proba())
    assert np.array_equal(twin.kernel(rows=[1, 2]), model.kernel(rows=[1, 2]))


def test_seeds_are_integers_random_states_or_drawn(graph, y):
    """check_estimator_sparse_tag aside: determinism by random_state"""
    one = fitted(gdkm.GCNClassifier, graph, y, random_state=7).predict_proba()
    assert np.array_equal(one, fitted(gdkm.GCNClassifier, graph, y, random_state=7).predict_proba())
    assert not np.array_equal(one, fitted(gdkm.GCNClassifier, graph, y, random_state=8).predict_proba())
    states = [fitted(gdkm.GCNClassifier, graph, y, random_state=np.random.RandomState(3)).predict_proba() for _ in range(2)]
    assert np.array_equal(*states)
    np.random.seed(5)
    drawn = fitted(gdkm.GCNClassifier, graph, y, random_state=None)
    np.random.seed(5)
    assert np.array_equal(drawn.predict_proba(), fitted(gdkm.GCNClassifier, graph, y, random_state=None).predict_proba())
    with pytest.raises(gdkm.OptionError, match="random_state"):
        fitted(gdkm.GCNClassifier, graph, y, random_state=-1)


@pytest.mark.parametrize("cls", EVERY)
def test_tags_say_what_an_estimator_is(cls):
    """check_estimator_tags_renamed, check_valid_tag_types"""
    tags = get_tags(cls())
    assert is_classifier(cls()) == (cls in CLASSIFIERS) and is_regressor(cls()) == (cls in REGRESSORS)
    assert not tags.input_tags.two_d_array and tags.input_tags.one_d_array
    assert not tags.target_tags.required


@pytest.mark.parametrize("cls", EVERY)
def test_bad_input_is_an_error_of_value(cls, graph, y):
    """check_estimators_nan_inf, check_estimators_empty_data_messages, check_supervised_y_no_nan,
    check_classifiers_regression_target, check_requires_y_none, check_consistent_length"""
    labels = y if cls in CLASSIFIERS else y.astype(float)
    for X, given in ((np.arange(0), labels[:0]), ([0.5, 1], labels[:2]), ([np.nan, 1], labels[:2]), ([0, 150], labels[:2]),
                     ([-1, 1], labels[:2]), (np.arange(10), labels[:9]), (np.ones((4, 3)), labels[:4])):
        with pytest.raises(ValueError):
            quick(cls, graph=graph).fit(X, given)
    with pytest.raises(ValueError):
        quick(cls, graph=graph).fit(np.arange(10), np.full(10, np.inf) if cls in REGRESSORS else np.linspace(0, 1, 10))
    model = fitted(cls, graph, y)
    for X in ([150], [-1], [0.5], np.ones((2, 2))):
        with pytest.raises(ValueError):
            model.predict(X)


@pytest.mark.parametrize("cls", EVERY)
def test_y_may_be_a_column(cls, graph, y):
    """check_supervised_y_2d"""
    labels = y if cls in CLASSIFIERS else y.astype(float)
    column = quick(cls, graph=graph).fit(np.arange(100), labels[:100, None])
    assert np.array_equal(column._values(None), fitted(cls, graph, y)._values(None))
    assert column.predict().ndim == 1


def test_grid_search_cross_validation_and_pipelines_take_nodes_as_samples(graph, y):
    items = np.arange(120)
    search = GridSearchCV(quick(gdkm.GraphDKMClassifier, graph=graph), {"nu": [0.1, 10.0], "layers": [1, 2]}, cv=3)
    search.fit(items, y[items])
    assert set(search.best_params_) == {"nu", "layers"} and 0 < search.best_score_ <= 1
    assert search.predict(np.arange(120, 150)).shape == (30,)
    scores = cross_val_score(quick(gdkm.GCNClassifier, graph=graph), items, y[items], cv=3, scoring="neg_log_loss")
    assert np.isfinite(scores).all() and len(scores) == 3
    assert cross_val_predict(quick(gdkm.GCNClassifier, graph=graph), items, y[items], cv=3, method="predict_proba").shape == (120, 3)
    pipeline = make_pipeline(FunctionTransformer(), quick(gdkm.GraphDKMClassifier, graph=graph)).fit(items, y[items])
    assert pipeline.predict(items).shape == (120,) and 0 < pipeline.score(items, y[items]) <= 1
    r2 = cross_val_score(quick(gdkm.GraphDKMRegressor, graph=graph), items, y[items].astype(float), cv=3)
    assert np.isfinite(r2).all()


def test_halving_search_over_nu_spends_epochs_or_nodes(graph, y):
    from sklearn.experimental import enable_halving_search_cv  # noqa: F401
    from sklearn.model_selection import HalvingGridSearchCV

    items = np.arange(120)
    for resource in ("epochs", "n_samples"):
        more = dict(max_resources=8) if resource == "epochs" else {}
        search = HalvingGridSearchCV(quick(gdkm.GraphDKMClassifier, graph=graph), {"nu": [0.1, 1.0, 10.0]}, cv=2,
                                     resource=resource, random_state=0, **more)
        search.fit(items, y[items])
        assert search.best_params_["nu"] in (0.1, 1.0, 10.0)


def test_no_label_of_a_test_fold_is_seen(graph, y):
    """Labels that are not given are unknown to the model: changing them changes nothing."""
    items = np.arange(100)
    other = gdkm.Graph._wrap(gdkm._core.relabelled(graph._data, np.where(np.arange(150) < 100, y, 0).astype(np.int32),
                                                   ["0", "1", "2"], None))
    a = quick(gdkm.GraphDKMClassifier, graph=graph).fit(items, y[items])
    b = quick(gdkm.GraphDKMClassifier, graph=other).fit(items, y[items])
    assert np.array_equal(a.predict_proba(), b.predict_proba())
