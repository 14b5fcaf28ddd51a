#!/usr/bin/env python3
"""Known labels of neighbours as features: writes a graph on which a model is trained and scored that way. Needs NumPy.

    python3 experiments/label_features.py minesweeper.npz --split 0 --folds 4 -o labels.npz
    gdkm train labels.npz --relations self,und:row,hop2 --model nngp --inducing 400

A node's own label must not be among what predicts it. So the training nodes are dealt into folds, and the graph is there once
for every fold, with one-hot labels of the training nodes outside the fold as features; the fold's nodes are what is learned
there. In one more copy all training labels are features, and its validation and test nodes are scored. --folds 0 writes
the graph as it is, for comparison.
"""
import argparse

import numpy as np


def dense_rows(data):
    if "node_features" in data:
        return data["node_features"].astype(np.float32)
    out = np.zeros(tuple(data["feat_shape"]), np.float32)
    starts = data["feat_indptr"]
    for row in range(len(out)):
        here = slice(starts[row], starts[row + 1])
        out[row, data["feat_indices"][here]] = data["feat_data"][here]
    return out


def copies(train, folds, random):
    """For each copy: which labels are features, and which nodes are learned; the last one learns none."""
    if folds == 0:
        return [(np.zeros_like(train), train)]
    order = random.permutation(np.flatnonzero(train))
    out = []
    for fold in np.array_split(order, folds):
        learned = np.zeros_like(train)
        learned[fold] = True
        out.append((train & ~learned, learned))
    return out + [(train, np.zeros_like(train))]


def main():
    options = argparse.ArgumentParser(description="Known labels of neighbours as features.")
    options.add_argument("data", help="a graph in the npz layout of docs/data.md")
    options.add_argument("--split", type=int, default=0)
    options.add_argument("--folds", type=int, default=4)
    options.add_argument("-o", "--output", required=True)
    arguments = options.parse_args()
    if arguments.folds < 0 or arguments.folds == 1:
        options.error(f"--folds {arguments.folds}: give 2 or more, or 0 for a graph without labels as features")
    data = np.load(arguments.data)
    features, label = dense_rows(data), data["node_labels"]
    features /= np.maximum(np.linalg.norm(features, axis=1, keepdims=True), 1e-12)
    train, val, test = (data[f"{part}_masks"][arguments.split] for part in ("train", "val", "test"))
    made = copies(train, arguments.folds, np.random.default_rng(0))
    rows, none = [], np.zeros_like(train)
    for visible, _ in made:
        one_hot = np.zeros((len(label), label.max() + 1), np.float32)
        one_hot[visible, label[visible]] = 1
        rows.append(np.hstack([features, one_hot]) if arguments.folds else features)
    last = len(made) - 1
    np.savez_compressed(
        arguments.output, node_features=np.vstack(rows), node_labels=np.tile(label, len(made)),
        edges=np.vstack([data["edges"] + k * len(label) for k in range(len(made))]),
        train_masks=np.concatenate([learned for _, learned in made])[None],
        val_masks=np.concatenate([val if k == last else none for k in range(len(made))])[None],
        test_masks=np.concatenate([test if k == last else none for k in range(len(made))])[None])


if __name__ == "__main__":
    main()
