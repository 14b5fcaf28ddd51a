"""Tables of pandas, read by the rules of ``gdkm data import``."""

from __future__ import annotations

import csv
from typing import Any, Mapping, Sequence

from . import _core
from ._convert_labels import Labels, class_values
from ._core import InputError
from ._graph import Graph

_IDS = ("id", "node_id", "nodeid", "node id", "node", "node_name")


def from_pandas(
    nodes: Any = None,
    edges: Any = None,
    *,
    id_column: str | None = None,
    label_column: str | None = None,
    source_column: str | None = None,
    target_column: str | None = None,
    weight_column: str | None = None,
    type_column: str | None = None,
    categories: Sequence[str] = (),
    ordinal: Mapping[str, Sequence] | None = None,
    ignore_columns: Sequence[str] = (),
    missing: str = "fill",
    regression: bool = False,
    directed: bool | None = None,
    name: str = "graph",
) -> Graph:
    """A graph from a table of nodes and a table of edges, the same as ``gdkm data import`` makes of them.

    Parameters
    ----------
    nodes : DataFrame, optional
        One row per node. Its index has the ids, unless it just counts and there is a column such as ``id`` or
        ``node``. All other columns become features: numbers, flags, categories; missing values are filled and
        marked by one more column. A pandas Categorical is a category, with an order a rank.
    edges : DataFrame, optional
        One row per edge, with the ids of its ends.
    id_column, label_column, source_column, target_column, weight_column, type_column : str, optional
        Columns by name, or ``"none"``. By default they are found by usual names (``label``, ``class``, ``y``;
        ``source``, ``from``; ``weight``; ``type``).
    categories, ordinal, ignore_columns, missing, regression, directed
        As the options of ``gdkm data import``; ``ordinal`` is a dict such as ``{"size": ["S", "M", "L"]}``.

    Examples
    --------
    >>> import pandas as pd, gdkm
    >>> people = pd.DataFrame({"age": [31, 25, 47], "team": ["red", "blue", "red"], "label": ["a", "b", "a"]},
    ...                       index=["ann", "bob", "cid"])
    >>> knows = pd.DataFrame({"source": ["ann", "bob"], "target": ["bob", "cid"]})
    >>> graph = gdkm.from_pandas(people, knows)
    >>> graph.feature_names, graph.node_names
    (['age', 'team=blue', 'team=red'], ['ann', 'bob', 'cid'])
    """
    if nodes is None and edges is None:
        raise InputError("no table is given; give nodes, edges or both")
    words = {"label": label_column, "source": source_column, "target": target_column, "weight": weight_column,
             "type": type_column}
    rules = column_rules(nodes, categories, ordinal, ignore_columns, missing)
    text = None
    if nodes is not None:
        text, words["id"] = nodes_text(nodes, id_column)
    data = _core.import_tables(text, None if edges is None else _text(edges, index=False),
                               {key: word for key, word in words.items() if word}, rules, regression, directed, name)
    return Graph._wrap(data)


def read_nodes(table: Any, y: Any, regression: bool, targets: Any, name: str) -> tuple[Any, Labels | None]:
    """The data set of a table of nodes without edges, and its labels unless they are given apart."""
    is_column = isinstance(y, str)
    is_apart = targets is not None or (y is not None and not is_column)
    text, id_column = nodes_text(table, None)
    words = {"id": id_column, "label": "none" if is_apart else y}
    data = _core.import_tables(text, None, {key: word for key, word in words.items() if word},
                               column_rules(table, (), None, (), "fill"), regression and not is_apart, None, name)
    if is_apart:
        return data, None
    target = data.target if data.targets else None
    return data, Labels(data.label, class_values(data.class_names, data.classes), target)


def nodes_text(table: Any, id_column: str | None) -> tuple[str, str]:
    """The table as CSV, and the name of the column with the ids."""
    names = [str(column) for column in table.columns]
    if id_column is not None:
        return _text(table, index=False), id_column
    index = table.index
    counts = type(index).__name__ == "RangeIndex" and (index.start, index.step) == (0, 1)
    if counts:
        for usual in _IDS:
            for column in names:
                if column.lower() == usual:
                    return _text(table, index=False), column
    label = "id" if index.name is None else str(index.name)
    while label in names:
        label = "node_" + label
    return _text(table, index=True, index_label=label), label


def column_rules(table: Any, categories: Sequence[str], ordinal: Mapping[str, Sequence] | None,
                 ignored: Sequence[str], missing: str) -> dict[str, Any]:
    """What is said about columns, and what their types in pandas say."""
    if missing not in ("fill", "refuse"):
        raise InputError(f"missing={missing!r}: expected fill or refuse")
    ordered = {str(column): [str(v) for v in values] for column, values in (ordinal or {}).items()}
    unordered = [str(column) for column in categories]
    said = {*ordered, *unordered, *map(str, ignored)}
    for column in () if table is None else table.columns:
        kind = table[column].dtype if getattr(table[column], "ndim", 1) == 1 else None
        values = getattr(kind, "categories", None)
        if values is None or str(column) in said:
            continue
        if kind.ordered:
            ordered[str(column)] = [str(v) for v in values]
        else:
            unordered.append(str(column))
    return {"categories": unordered, "ordinal": ordered, "ignore_columns": [str(c) for c in ignored],
            "refuse_missing": missing == "refuse"}


def _text(table: Any, **options: Any) -> str:
    # Texts in quotation marks are never taken for a separator or a comment.
    return table.to_csv(None, quoting=csv.QUOTE_NONNUMERIC, lineterminator="\n", **options)
