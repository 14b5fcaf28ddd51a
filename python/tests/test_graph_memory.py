"""Features and edges exist once in the core: what goes in is copied once, and fitting shares it."""

import os
import pickle

import numpy as np
import pytest

import gdkm

MEGABYTE = 1 << 20


def resident():
    """The memory of this process in bytes, less what the allocator keeps for later."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def address(array):
    return array.__array_interface__["data"][0]


@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="needs Linux")
def test_a_graph_takes_one_copy_of_features_and_edges():
    x = np.ones((200_000, 80), np.float32)  # 64 MB
    edges = np.stack([np.arange(4_000_000) % 200_000, np.arange(4_000_000) % 199_999])  # 64 MB in, 32 MB in the core
    before = resident()
    graph = gdkm.Graph(x, edges)
    grown = resident() - before
    needed = x.nbytes + edges.size * 4
    assert needed * 0.9 < grown < needed * 1.15, f"{grown / MEGABYTE:.0f} MB for {needed / MEGABYTE:.0f} MB"
    assert graph.n_features == 80


def test_views_and_new_splits_share_the_memory_of_the_graph():
    graph = gdkm.Graph(np.ones((50, 4), np.float32), [[0, 1], [1, 2]], np.arange(50) % 2)
    where = address(graph.x), address(graph.edge_index.T)
    assert (address(graph.x), address(graph.edge_index.T)) == where
    other = graph.with_splits([[0, 1], [2], [3]])
    assert (address(other.x), address(other.edge_index.T)) == where
    relabelled = gdkm.Graph(graph, graph.edge_index, np.zeros(50, int))
    assert address(relabelled.x) == where[0]


def test_a_pickle_can_leave_its_arrays_outside():
    graph = gdkm.Graph(np.ones((500, 40), np.float32), [[0, 1], [1, 2]])
    buffers = []
    text = pickle.dumps(graph, protocol=5, buffer_callback=buffers.append)
    assert len(text) < 10_000 and sum(b.raw().nbytes for b in buffers) > 80_000
    assert pickle.loads(text, buffers=buffers) == graph
