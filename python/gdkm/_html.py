"""How a graph shows itself in a notebook."""

from __future__ import annotations

from html import escape
from typing import Any

# Colours of the notebook itself, with a hint of them behind the heading: so light and dark pages both suit.
_STYLE = """
.gdkm-table {border-collapse: collapse; color: inherit; font-size: 13px; line-height: 1.45; margin: 4px 0}
.gdkm-table caption {caption-side: top; text-align: left; font-weight: 600; padding: 2px 0 6px; color: inherit}
.gdkm-table th, .gdkm-table td {padding: 2px 14px 2px 0; text-align: left; vertical-align: top;
  border: none; border-top: 1px solid rgba(128, 128, 128, 0.28); background: transparent; color: inherit;
  white-space: normal}
.gdkm-table th {font-weight: 400; opacity: 0.68; white-space: nowrap}
.gdkm-table td {font-variant-numeric: tabular-nums}
.gdkm-bar {display: inline-block; height: 8px; background: #3b7dd8; border-radius: 1px; margin-right: 6px;
  vertical-align: baseline}
.gdkm-note {font-size: 12px; opacity: 0.68; margin: 2px 0 4px}
"""
_MOST_CLASSES = 8


def table(title: str, rows: list[tuple[str, str]], notes: list[str] | None = None) -> str:
    """A small table of two columns. Titles, names and notes are escaped; values are HTML."""
    body = "".join(f"<tr><th scope='row'>{escape(name)}</th><td>{value}</td></tr>" for name, value in rows)
    lines = "".join(f"<div class='gdkm-note'>{escape(note)}</div>" for note in notes or [])
    return (f"<div><style>{_STYLE}</style><table class='gdkm-table'><caption>{escape(title)}</caption>"
            f"<tbody>{body}</tbody></table>{lines}</div>")


def graph_table(graph: Any) -> str:
    facts = graph.describe()
    rows = []
    if graph.task == "graph":
        least, most = facts["graph_nodes_min"], facts["graph_nodes_max"]
        sizes = f"{most:,}" if least == most else f"{least:,} to {most:,}"
        rows.append(("graphs", f"{graph.n_items:,}, of {sizes} nodes"))
    rows.append(("nodes", f"{facts['nodes']:,}" + (f", {facts['isolated']:,} isolated" if facts["isolated"] else "")))
    rows.append(("edges", _edges(facts)))
    rows.append(("features", _features(graph, facts)))
    if graph.is_regression:
        rows.append(("targets", f"{facts['targets']:,}"))
    elif graph.n_classes:
        rows.append(("classes", _classes(graph, facts)))
    if facts["unlabelled"]:
        rows.append(("unlabelled", f"{facts['unlabelled']:,}"))
    if facts["homophily"] is not None:
        what = "of edges join nodes of the same " + ("class" if graph.task == "node" else "kind")
        rows.append(("homophily", f"{facts['homophily']:.2f} <span style='opacity:.68'>{what}</span>"))
    for name, set_ in facts["splits"].items():
        many = "" if set_["splits"] == 1 else f"{set_['splits']:,} × "
        sizes = f"{set_['train']:,} train, {set_['val']:,} val, {set_['test']:,} test"
        rows.append((f"splits '{name}'" if name != "public" else "splits",
                     many + sizes + ("" if set_["same_sizes"] else " (the first)")))
    return table(f"gdkm.Graph '{graph.name}'", rows, graph.remarks)


def _edges(facts: dict[str, Any]) -> str:
    out = f"{facts['edges']:,}" + (", directed" if facts["directed"] else "")
    if facts["weighted"]:
        out += ", weighted"
    if facts["edge_types"]:
        shown = [f"{escape(name)} {count:,}" for name, count in list(facts["edge_types"].items())[:_MOST_CLASSES]]
        out += f", {len(facts['edge_types'])} types (" + ", ".join(shown) + (", …" if len(facts["edge_types"]) >
                                                                              _MOST_CLASSES else "") + ")"
    return out + f"; degree {facts['degree_mean']:.1f} on average, at most {facts['degree_max']:,}"


def _features(graph: Any, facts: dict[str, Any]) -> str:
    out = f"{facts['features']:,}"
    if facts["sparse_features"]:
        out += f", sparse ({100 * facts['feature_density']:.2g} % not zero)"
    columns = graph.columns if graph.columns and len(graph.columns) > 1 else []
    if columns:
        shown = ", ".join(f"{escape(c['name'])} ({escape(c['type'])})" for c in columns[:_MOST_CLASSES])
        out += f", from {len(columns)} columns: {shown}" + (", …" if len(columns) > _MOST_CLASSES else "")
    return out


def _classes(graph: Any, facts: dict[str, Any]) -> str:
    count = facts["class_count"]
    most = max(count) or 1
    lines = [f"<span class='gdkm-bar' style='width:{max(1, round(90 * n / most))}px'></span>{escape(str(c))} "
             f"<span style='opacity:.68'>{n:,}</span>" for c, n in list(zip(graph.classes, count))[:_MOST_CLASSES]]
    if len(count) > _MOST_CLASSES:
        lines.append(f"<span style='opacity:.68'>and {len(count) - _MOST_CLASSES:,} more</span>")
    return f"{len(count):,}<br>" + "<br>".join(lines)
