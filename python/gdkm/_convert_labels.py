"""Classes of any type, numbers to predict, and splits."""

from __future__ import annotations

import warnings
from typing import Any, Mapping, NamedTuple, Sequence

import numpy as np

from ._convert_arrays import as_array, as_numbers, shape_text
from ._core import InputError


class Labels(NamedTuple):
    """The classes of items, or their targets."""

    label: np.ndarray | None  # int32 class numbers, -1 for unknown
    classes: list  # the user's own values, in the order of their numbers
    target: np.ndarray | None  # (items, targets); nan for unknown


def as_targets(values: Any, items: int) -> Labels:
    """Numbers to predict: one per item, or several."""
    out = as_numbers(values, "y")
    out = out[:, None] if out.ndim == 1 else out
    if out.ndim != 2 or out.shape[0] != items or out.shape[1] == 0:
        raise InputError(f"y: has shape {shape_text(np.shape(values))} for {items} items; give one number for "
                         "each, shape (n,), or several, (n, k)")
    return Labels(None, [], out)


def as_classes(y: Any, items: int, classes: Sequence | None) -> Labels:
    """Classes of any type. ``None``, ``nan`` and -1 are unknown, unless ``classes`` lists them."""
    if hasattr(y, "cat") and hasattr(y, "dtype"):  # a pandas Series of a categorical type
        y = y.cat
    if hasattr(y, "categories") and hasattr(y, "codes"):
        if classes is None:
            return _checked(np.asarray(y.codes), [_plain(c) for c in y.categories], items)
        y = np.asarray(y)
    if isinstance(y, (list, tuple)) and any(isinstance(c, str) for c in y):
        values = np.array(y, object)  # so that 1 and "1" stay what they are
    else:
        values = as_array(y, "y")
    if values.ndim == 2 and values.shape[1] == 1:
        values = values[:, 0]
    if values.ndim == 2:
        values = _hot_columns(values)
    if values.ndim != 1:
        raise InputError(f"y: has shape {shape_text(values.shape)}; give one class per item, shape (n,)")
    if classes is not None:
        return _checked(_places(values, list(classes)), list(classes), items)
    if values.dtype.kind == "f":
        values = _whole_classes(values)
    if values.dtype.kind in "iu":
        return _numbered(values, items)
    known = np.array([not _is_unknown(v) for v in values.tolist()], bool)
    present = values[known]
    try:
        found, code = np.unique(present, return_inverse=True)
    except TypeError as error:
        raise InputError("y: has classes of several types, which have no order; give all as texts, or list "
                         "them in classes=") from error
    label = np.full(len(values), -1, np.int32)
    label[known] = code
    return _checked(label, [_plain(c) for c in found], items)


def _numbered(values: np.ndarray, items: int) -> Labels:
    found, code = np.unique(values, return_inverse=True)
    if found.size and found[0] < -1:
        raise InputError(f"y: has the class {found[0]}; use -1 for unknown, or list the classes in classes=")
    first = int(found.size > 0 and found[0] == -1)
    if first and found.size == 2:
        warnings.warn(f"y: -1 means unknown, so {found[1]} is the only class; give classes=[-1, {found[1]}] if "
                      "-1 is a class", stacklevel=4)
    return _checked(code.reshape(-1) - first, [int(c) for c in found[first:]], items)


def _checked(label: np.ndarray, classes: list, items: int) -> Labels:
    if len(label) != items:
        raise InputError(f"y: has {len(label)} entries for {items} items; give one class for each")
    return Labels(label.astype(np.int32, copy=False), classes, None)


def _plain(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value


def _is_unknown(value: Any) -> bool:
    """None, nan, pandas' NA and NaT, and -1."""
    if value is None:
        return True
    if isinstance(value, str):
        return False
    try:
        return value == -1 or bool(value != value)
    except TypeError:  # NA is neither
        return True


def _whole_classes(values: np.ndarray) -> np.ndarray:
    """Whole numbers with nan, as pandas has them where some are missing."""
    known = ~np.isnan(values)
    broken = known & (values != np.floor(values))
    if broken.any():
        raise InputError(f"y: has numbers such as {values[broken][0]:g}, which are not classes; use "
                         "regression=True to predict them")
    return np.where(known, values, -1).astype(np.int64)


def _hot_columns(values: np.ndarray) -> np.ndarray:
    ones = values == 1
    rows = ones.sum(axis=1)
    wrong = np.flatnonzero((rows > 1) | ((values != 0) & ~ones).any(axis=1))
    if wrong.size:
        raise InputError(f"y: row {wrong[0]} is not one-hot; give one class per item, shape (n,), -1 for unknown")
    return np.where(rows == 1, ones.argmax(axis=1), -1)


def _places(values: np.ndarray, classes: list) -> np.ndarray:
    number = {c: k for k, c in enumerate(classes)}
    if len(number) != len(classes):
        raise InputError("classes: a class is listed twice; list each class once")
    out = np.empty(len(values), np.int32)
    for k, value in enumerate(values.tolist()):
        place = number.get(value)
        if place is None and not _is_unknown(value):
            raise InputError(f"y: class {value!r} is not in the list of classes; add it there")
        out[k] = -1 if place is None else place
    return out


def class_names(classes: Sequence) -> list[str] | None:
    """Names as the core keeps them: none where classes are just 0, 1, 2, …"""
    names = [str(c) for c in classes]
    if len(set(names)) != len(names):
        raise InputError("y: two classes have the same text; give classes that differ as text")
    return None if names == [str(k) for k in range(len(names))] else names


def class_values(names: Sequence[str], count: int) -> list:
    """The classes of a data set that was read: whole numbers where all names are."""
    if not names:
        return list(range(count))
    try:
        numbers = [int(name) for name in names]
    except ValueError:
        return list(names)
    return numbers if [str(n) for n in numbers] == list(names) else list(names)


def as_items(part: Any, items: int, what: str) -> np.ndarray:
    """Numbers of items, from numbers or from a mask."""
    out = as_array([] if part is None else part, what)
    if out.dtype == bool:
        if out.shape != (items,):
            raise InputError(f"{what}: the mask has shape {shape_text(out.shape)}; expected ({items},)")
        return np.flatnonzero(out).astype(np.int32)
    if out.size == 0:
        return np.zeros(0, np.int32)
    if out.ndim != 1 or out.dtype.kind not in "iu":
        raise InputError(f"{what}: expected a mask or the numbers of items, got {out.dtype} of shape "
                         f"{shape_text(out.shape)}")
    if out.min() < 0 or out.max() >= items:
        raise InputError(f"{what}: names item {int(out.min() if out.min() < 0 else out.max())}, and there are "
                         f"{items}")
    return np.ascontiguousarray(out, np.int32)


def as_splits(splits: Any, items: int) -> dict[str, list[tuple]]:
    """Sets of splits by name, from a dict of lists of triples, one list, or one triple."""
    if splits is None or len(splits) == 0:
        return {}
    if not isinstance(splits, Mapping):
        splits = {"public": splits}
    out: dict[str, list[tuple]] = {}
    for name, triples in splits.items():
        if len(triples) > 0 and _is_triple(triples):
            triples = [triples]
        out[str(name)] = [_triple(triple, items, f"split {s} of '{name}'") for s, triple in enumerate(triples)]
    return out


def _is_triple(splits: Any) -> bool:
    """Whether these are the parts of one split: lists of items and not of lists."""
    first = splits[0]
    return first is None or len(first) == 0 or np.ndim(first[0]) == 0


def _triple(triple: Any, items: int, what: str) -> tuple:
    if len(triple) not in (2, 3):
        raise InputError(f"{what}: has {len(triple)} parts; give train, val and test")
    parts = list(triple) if len(triple) == 3 else [triple[0], None, triple[1]]
    return tuple(as_items(p, items, f"{what}, {n}") for p, n in zip(parts, ("train", "val", "test")))


def mask_splits(train: Any, val: Any, test: Any, items: int) -> list[tuple]:
    """The splits of masks (n,) or (n, splits), as PyTorch Geometric has them."""
    masks = {}
    for name, given in (("train_mask", train), ("val_mask", val), ("test_mask", test)):
        if given is None:
            continue
        mask = as_array(given, name)
        if mask.ndim not in (1, 2) or mask.shape[0] != items or mask.size == 0:
            raise InputError(f"{name}: has shape {shape_text(mask.shape)}, but there are {items} items; give "
                             "shape (n,) or (n, splits)")
        masks[name] = mask.astype(bool).reshape(items, -1)
    if not masks:
        return []
    if "train_mask" not in masks:
        raise InputError("train_mask is missing, but other masks are given; give it")
    count = max(m.shape[1] for m in masks.values())
    for name, mask in masks.items():
        if mask.shape[1] not in (1, count):
            raise InputError(f"{name}: has {mask.shape[1]} splits, but another mask has {count}; give the same "
                             "number of each")
    none = np.zeros((items, 1), bool)
    parts = [masks.get(name, none) for name in ("train_mask", "val_mask", "test_mask")]
    return [tuple(np.flatnonzero(m[:, min(s, m.shape[1] - 1)]).astype(np.int32) for m in parts)
            for s in range(count)]
