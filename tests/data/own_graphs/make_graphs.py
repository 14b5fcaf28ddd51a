"""Makes the graphs of this folder the way people make them.

    pip install networkx pandas igraph numpy
    python make_graphs.py

Each graph has its own few lines below. All have two or three groups of nodes whose columns differ, and edges
that mostly stay within a group.
"""

import json
import os

import igraph
import networkx as nx
import numpy as np
import pandas as pd


def groups(n, k, seed, inside=0.85, degree=4):
    """The group of each node, and edges of which a share stays inside a group."""
    rng = np.random.default_rng(seed)
    group = rng.integers(0, k, n)
    edges = set()
    while len(edges) < n * degree // 2:
        a = int(rng.integers(n))
        same = rng.random() < inside
        b = int(rng.choice(np.flatnonzero((group == group[a]) == same)))
        if a != b:
            edges.add((min(a, b), max(a, b)))
    return rng, group, sorted(edges)


def customers(n, seed):
    """Columns as a business has them: on scales that have nothing to do with each other."""
    rng, group, edges = groups(n, 2, seed)
    table = pd.DataFrame({
        "age": (rng.normal(38, 6, n) + 9 * group).round().astype(int),
        "income": (rng.normal(42000, 9000, n) + 15000 * group).round(2),
        "plan": np.where(rng.random(n) < 0.25 + 0.5 * group, "gold", np.where(rng.random(n) < 0.5, "basic", "plus")),
        "member": rng.random(n) < 0.3 + 0.4 * group,
    })
    return rng, np.where(group == 1, "leaves", "stays"), edges, table


def nx_graph(table, classes, edges, name):
    graph = nx.Graph()
    for i, row in table.iterrows():
        graph.add_node(f"c{i}", **{key: (value.item() if hasattr(value, "item") else value) for key, value in row.items()},
                       **{name: str(classes[i])})
    graph.add_edges_from((f"c{a}", f"c{b}") for a, b in edges)
    return graph


# 1. The example of every tutorial: no features at all.
nx.write_graphml(nx.karate_club_graph(), "karate.graphml")

# 2. NetworkX to GraphML, with text and booleans (True).
_, classes, edges, table = customers(80, 2)
nx.write_graphml(nx_graph(table, classes, edges, "class"), "customers.graphml")

# 3. NetworkX to GML.
_, classes, edges, table = customers(90, 3)
graph = nx_graph(table.drop(columns="member"), classes, edges, "group")
nx.write_gml(graph, "customers.gml")

# 4. NetworkX to GEXF.
_, classes, edges, table = customers(70, 4)
nx.write_gexf(nx_graph(table, classes, edges, "label"), "customers.gexf")

# 5. NetworkX to JSON, as d3 reads it too.
_, classes, edges, table = customers(100, 5)
with open("customers.json", "w") as file:
    json.dump(nx.node_link_data(nx_graph(table, classes, edges, "target"), edges="links"), file)

# 6. NetworkX to a list of edges, and a table of nodes without a header that anybody would guess.
rng, group, edges = groups(150, 3, 6)
graph = nx.Graph()
graph.add_edges_from((f"p{a}", f"p{b}", {"weight": round(float(rng.uniform(0.5, 2)), 2)}) for a, b in edges)
nx.write_edgelist(graph, "papers.edgelist")
pd.DataFrame({"paper": [f"p{i}" for i in range(150)], "field": np.array(["maths", "physics", "biology"])[group]}
             ).to_csv("papers.csv", index=False)

# 7. pandas, with the index that to_csv writes by default, in a folder.
rng, classes, edges, table = customers(150, 7)
os.makedirs("pandas", exist_ok=True)
table.insert(0, "user", [f"u{i:03}" for i in range(150)])
table["churn_date"] = np.where(classes == "leaves", "yes", "no")
table = table.rename(columns={"churn_date": "label"})
table.loc[rng.choice(150, 12, replace=False), "income"] = np.nan
table.rename(columns={"user": "id"}).to_csv("pandas/nodes.csv")
pd.DataFrame([(f"u{a:03}", f"u{b:03}", 2021) for a, b in edges], columns=["from_user", "to_user", "since"]
             ).to_csv("pandas/edges.csv")

# 8. igraph to GraphML: ids are n0, n1, ..., names are an attribute.
rng, group, edges = groups(80, 2, 8)
graph = igraph.Graph(n=len(group), edges=edges)
graph.vs["name"] = [f"station {i}" for i in range(len(group))]
graph.vs["height"] = (rng.normal(300, 80, len(group)) + 200 * group).round(1).tolist()
graph.vs["rain"] = (rng.normal(0.6, 0.1, len(group)) - 0.15 * group).round(3).tolist()
graph.vs["class"] = ["mountain" if g else "coast" for g in group]
graph.write_graphml("stations.graphml")

# 9. igraph to GML.
rng, group, edges = groups(90, 2, 9)
graph = igraph.Graph(n=len(group), edges=edges)
graph.vs["size"] = (rng.lognormal(8, 0.6, len(group)) * (1 + 2 * group)).round().tolist()
graph.vs["share"] = (rng.beta(2 + 3 * group, 4)).round(3).tolist()
graph.vs["club"] = [f"club {g}" for g in group]
graph.write_gml("clubs.gml")

# 10. The arrays of PyTorch Geometric.
rng, group, edges = groups(140, 3, 10)
edges = np.array(edges).T
x = (rng.random((140, 30)) < 0.08 + 0.25 * (np.arange(30)[None] // 10 == group[:, None])).astype(np.float32)
order = rng.permutation(140)
mask = lambda part: np.isin(np.arange(140), part)
np.savez_compressed("papers.npz", x=x, edge_index=np.hstack([edges, edges[::-1]]), y=group,
                    train_mask=mask(order[:70]), val_mask=mask(order[70:100]), test_mask=mask(order[100:]))

# 11. A spreadsheet in a country with decimal commas: semicolons, a byte order mark, CRLF, empty cells, a date of
# no use that its owner ignores, and ids that are not in the first column.
rng, classes, edges, table = customers(150, 11)
with open("spreadsheet-nodes.csv", "w", encoding="utf-8-sig", newline="\r\n") as file:
    file.write("Alter;Kunde;Umsatz;Tarif;seit;Gruppe\n")
    for i, row in table.iterrows():
        income = "" if i % 17 == 0 else f"{row.income / 1000:.2f}".replace(".", ",")
        file.write(f"{row.age};K-{i};{income};{row['plan']};0{1 + i % 9}.03.2021;{classes[i]}\n")
with open("spreadsheet-edges.csv", "w", encoding="utf-8-sig", newline="\r\n") as file:
    file.write("Kunde A;Kunde B;Gewicht\n")
    for a, b in edges:
        file.write(f"K-{a};K-{b};{rng.uniform(0.5, 1.5):.1f}".replace(".", ",") + "\n")

# 12. The tables of Gephi's data laboratory, in a folder.
rng, classes, edges, table = customers(150, 12)
os.makedirs("gephi", exist_ok=True)
table["plan"] = table["plan"].str.upper()
pd.DataFrame({"Id": range(150), "Label": [f"customer {i}" for i in range(150)], "timeset": "", "age": table.age,
              "income": table.income, "plan": table["plan"], "modularity_class": rng.integers(0, 4, 150),
              "class": classes}).to_csv("gephi/nodes.csv", index=False)
pd.DataFrame([(a, b, "Undirected", k, "", "", 1.0) for k, (a, b) in enumerate(edges)],
             columns=["Source", "Target", "Type", "Id", "Label", "timeset", "Weight"]
             ).to_csv("gephi/edges.csv", index=False)
