"""Threads, processes and Ctrl-C."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import textwrap
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import gdkm


def a_graph():
    return gdkm.generate("csbm", n=200, classes=3, signal=6, seed=4)


def fit_once(seed=0, **more):
    graph = a_graph()
    train, val, _ = graph.splits["public"][0]
    return gdkm.GraphDKMClassifier(inducing=15, epochs=8, random_state=seed, threads=2, **more).fit(graph, train=train, val=val)


def probabilities_of_a_new_model(_=None):
    return fit_once().predict_proba()


INHERITED = None


def probabilities_of_the_parents_model(_=None):
    return INHERITED.predict_proba(a_graph())


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_processes_fit_and_predict_after_their_parent_did(method):
    global INHERITED
    INHERITED = fit_once()
    expected = INHERITED.predict_proba()
    context = multiprocessing.get_context(method)
    with context.Pool(2) as pool:
        for got in pool.map_async(probabilities_of_a_new_model, range(2)).get(timeout=90):
            assert np.array_equal(got, expected)
        if method == "fork":
            for got in pool.map_async(probabilities_of_the_parents_model, range(2)).get(timeout=90):
                assert np.array_equal(got, expected)
    assert np.array_equal(INHERITED.predict_proba(), expected)


def test_a_forked_process_may_drop_the_models_of_its_parent():
    model = fit_once()
    model.predict_proba(a_graph())  # starts the threads of the model
    pid = os.fork()
    if pid == 0:
        del model
        os._exit(0)
    deadline = threading.Timer(30, lambda: os.kill(pid, signal.SIGKILL))
    deadline.start()
    _, status = os.waitpid(pid, 0)
    deadline.cancel()
    assert os.waitstatus_to_exitcode(status) == 0


def test_models_in_threads_are_the_same_as_one_after_the_other():
    alone = [fit_once(seed).predict_proba() for seed in range(3)]
    with ThreadPoolExecutor(3) as pool:
        for a, b in zip(alone, pool.map(lambda seed: fit_once(seed).predict_proba(), range(3))):
            assert np.array_equal(a, b)


def test_exact_models_take_turns_with_others():
    graph = a_graph()
    train, val, _ = graph.splits["public"][0]

    def exact(_):
        return gdkm.GraphNNGPClassifier(exact=True).fit(graph, train=train, val=val).predict_proba()

    expected = [exact(0), probabilities_of_a_new_model()]
    with ThreadPoolExecutor(4) as pool:
        jobs = [pool.submit(exact if k % 2 == 0 else probabilities_of_a_new_model, k) for k in range(6)]
        for k, job in enumerate(jobs):
            assert np.array_equal(job.result(timeout=90), expected[k % 2])


def test_other_threads_run_while_a_model_trains():
    count, done = 0, threading.Event()

    def work():
        gdkm.GraphDKMClassifier(inducing=60, epochs=60, threads=1).fit(a_graph())
        done.set()

    thread = threading.Thread(target=work)
    thread.start()
    while not done.wait(0.001):
        count += 1
    thread.join()
    assert count > 5


def test_ctrl_c_leaves_a_usable_model():
    program = textwrap.dedent("""
        import os, signal, gdkm
        signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored where the tests run in the background
        graph = gdkm.generate("csbm", n=200, classes=3, signal=6)
        model = gdkm.GraphDKMClassifier(inducing=15, epochs=100000, patience=0, threads=1)
        calls = []
        def watch(epoch, of, loss):
            calls.append(epoch)
            if epoch == 7:
                os.kill(os.getpid(), signal.SIGINT)
        try:
            model.fit(graph, callback=watch)
        except KeyboardInterrupt:
            print("interrupted", model.n_epochs_ in (7, 8), model.predict().shape, len(model.history_["loss"]) == model.n_epochs_)
    """)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120)
    assert done.stdout.strip() == "interrupted True (200,) True", done.stderr


def test_a_callback_may_use_another_model():
    other = fit_once()
    seen = []
    graph = a_graph()
    gdkm.GCNClassifier(epochs=3, threads=1).fit(graph, callback=lambda *_: seen.append(other.predict_proba(a_graph()).shape) and None)
    assert seen == [(200, 3)] * 3
