#!/usr/bin/env python3
"""Numbers in the text of docs/results.md that no table shows, from the runs that are kept in experiments/stores. Each is
printed as the phrase that the page has. Nothing is trained.

    python3 experiments/claims.py             print them
    python3 experiments/claims.py --check     fail if the page does not have them
"""
import argparse
import json
import lzma
import pathlib
import sqlite3
import statistics
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
KEPT = ROOT / "experiments" / "stores" / "protocol.db.xz"
PAGE = ROOT / "docs" / "results.md"
STUDENT = {2: 12.706, 3: 4.303, 4: 3.182, 5: 2.776, 10: 2.262}  # 95 %, by the number of differences
QUERY = """select s.sweep, s.study, s.stage, s.stage_name, s.dataset, s.candidate, s.varied, r.split, r.seed, r.model,
                  r.configuration, r.result
           from stages s join runs r on r.id = s.run where r.status = 'done'
           order by s.sweep, s.study, s.stage, s.dataset, s.candidate, r.split, r.seed"""


class Settings:
    """One candidate of a stage, with its runs."""

    def __init__(self, varied, model, options):
        self.varied, self.model, self.options, self.runs = varied, model, options, []

    def mean(self, part, score="accuracy"):
        return statistics.mean(run[part][score] for run in self.runs)

    def is_like(self, **wanted):
        return all(self.varied.get(name, self.options.get(name)) == value for name, value in wanted.items())


class Stages:
    """All stages of a store. By name, a stage is the list of its settings, in the order of the sweep."""

    def __init__(self, store):
        self.all = {}
        for sweep, study, number, name, data, candidate, varied, split, seed, model, configuration, result in (
                sqlite3.connect(f"file:{store}?mode=ro", uri=True).execute(QUERY)):
            stage = self.all.setdefault((sweep, study, number, name, data), {})
            if candidate not in stage:
                stage[candidate] = Settings(json.loads(varied), model, json.loads(configuration)["options"])
            stage[candidate].runs.append(dict(json.loads(result), split=split, seed=seed))

    def of(self, sweep, study, name, data):
        found = [list(stage.values()) for key, stage in self.all.items() if (key[:2] + key[3:]) == (sweep, study, name, data)]
        if len(found) != 1:
            sys.exit(f"the store has {len(found)} stages {name} of {sweep}/{study} on {data}")
        return found[0]


def best(stage, **wanted):
    """The settings that validate best, the first of equals, of those with these options."""
    return max((each for each in stage if each.is_like(**wanted)), key=lambda each: round(each.mean("val"), 9))


def gain(ours, theirs, sign=1):
    """Mean of paired differences in test accuracy, which has this sign, and half of its 95 % interval, as in `gdkm table differences`."""
    others = {(run["split"], run["seed"]): run for run in theirs.runs}
    pairs = [(run, others[run["split"], run["seed"]]) for run in ours.runs if (run["split"], run["seed"]) in others]
    values = [a["test"]["accuracy"] - b["test"]["accuracy"] for a, b in pairs]
    items = lambda metrics: sum(row[1] for row in metrics["reliability"])
    overlap = statistics.mean(items(run["test"]) / items(run["train"]) for run, _ in pairs)
    half = STUDENT[len(values)] * statistics.stdev(values) * (1 / len(values) + overlap) ** 0.5
    if sign * statistics.mean(values) < 0:
        sys.exit(f"{ours.varied} and {theirs.varied}: the text has the difference with the other sign")
    return f"{abs(statistics.mean(values)):.1f} ± {half:.1f}"


def percent(values):
    return ", ".join(f"{value:.1f}" for value in values)


def epochs(stages):
    """Which epoch is kept."""
    def kept(data, nu, sweep="node-dkm", study="dkm"):
        runs = [each.runs for each in stages.of(sweep, study, "final", data) if each.varied["nu"] == nu]
        return [run["best_epoch"] for run in runs[0]]
    early = sum((kept(data, 0.1) for data in ("cora", "pubmed", "citeseer", "flickr")), [])
    yield f"epoch 5 or earlier in {sum(epoch <= 5 for epoch in early)} of the {len(early)} runs at ν = 0.1"
    late = sum((kept(data, 0.1) for data in ("minesweeper", "chameleon", "squirrel", "johnshopkins55", "cornell5")), [])
    yield f"the epoch is one from {min(late)} to {max(late)}"
    last = [sum(epoch >= 75 for epoch in kept(data, 0.01, "graph-dkm")) for data in ("NCI1", "NCI109", "Mutagenicity")]
    yield f"({last[0]}, {last[1]} and {last[2]} of 10)"


def first_stages(stages):
    tolokers = best(stages.of("node-dkm", "dkm", "nu and scheme", "tolokers"))
    yield (f"and on Tolokers {tolokers.mean('val'):.0f} %, where the most frequent class has "
           f"{statistics.mean(run['majority_accuracy'] for run in tolokers.runs):.0f} %")


def fixed_kernels(stages):
    """What the settings of the NNGP's own sweep gain with the paper's optimisation."""
    of = lambda name, data: stages.of("node-nngp-inference-paper", "nngp", name, data)
    centring = of("centring", "squirrel")
    yield f"from {best(centring, center=False).mean('val'):.1f} to {best(centring, affine=True).mean('val'):.1f} in validation"
    validated = lambda name, **plain: best(of(name, "chameleon")).mean("val") - best(of(name, "chameleon"), **plain).mean("val")
    yield (f"it is the scheme ({validated('scheme', scheme='inter'):.0f} points), centring "
           f"({validated('centring', center=False):.0f}) and 400 inducing points ({validated('inducing points', inducing=200):.0f})")


def depth(stages):
    def of(data, sweep="depth"):
        return {each.varied["layers"]: each for each in stages.of(sweep, "dkm", "depth", data)}
    cora = of("cora")
    yield f"({percent(each.mean('val') for each in cora.values())} with {', '.join(map(str, cora))} layers)"
    yield f"({percent(each.mean('test') for each in cora.values())})"
    two_and_eight = {data: (of(data)[2].mean("val"), of(data)[8].mean("val")) for data in ("chameleon", "squirrel", "blogcatalog")}
    instead = {data: f"{eight:.1f} instead of {two:.1f}" for data, (two, eight) in two_and_eight.items()}
    yield f"Chameleon has {instead['chameleon']} in validation, Squirrel {instead['squirrel']} and BlogCatalog {instead['blogcatalog']}"
    yield f"On Minesweeper one layer is best ({of('minesweeper')[1].mean('val'):.1f})"
    paper = {data: of(data, "depth-inference-paper") for data in ("cora", "citeseer", "chameleon")}
    falls = {data: f"from {each[2].mean('val'):.1f} to {each[8].mean('val'):.1f}" for data, each in paper.items()}
    yield f"Cora falls {falls['cora']}, Citeseer {falls['citeseer']} and Chameleon {falls['chameleon']}"
    nearly_fixed = sum(of(data)[2].options["nu"] in (1000, "inf") for data in ("cora", "citeseer", "minesweeper", "blogcatalog", "chameleon", "squirrel"))
    yield f"the chosen ν is 1000 or ∞ on {('no', 'one', 'two', 'three', 'four', 'five', 'six')[nearly_fixed]} of the six sets"


def rows(stages):
    """Graphs as rows."""
    of = lambda study, data, name="final": stages.of("beyond", study, name, data)
    sets = ("NCI1", "NCI109", "Mutagenicity")
    exact = {data: best(of("exact rows", data)) for data in sets}
    exact.update({data: best(of("exact rows of small sets", data)) for data in ("PROTEINS", "MUTAG")})
    against_colours = [gain(exact[data], best(of("colours", data))) for data in sets]
    yield f"with colours at every node by {against_colours[0]}, {against_colours[1]} and {against_colours[2]} points"
    dkm = [gain(best(of("rows", data)), best(of("colours", data)), -1 if data == "Mutagenicity" else 1) for data in sets]
    yield f"{dkm[0]} and {dkm[1]} points on NCI1 and NCI109 and behind by {dkm[2]} on Mutagenicity"
    perceptron = {data: exact[data].mean("test") - best(of("gcn rows", data)).mean("test") for data in exact}
    ahead = [perceptron[data] for data in perceptron if data != "MUTAG"]
    yield (f"is {min(ahead):.1f} to {max(ahead):.1f} points behind the exact kernel on these four sets, and "
           f"{-perceptron['MUTAG']:.1f} ahead on MUTAG")


def citations(stages):
    """Averaged features and regression on the citation graphs."""
    of = lambda study, name, data: stages.of("beyond", study, name, data)
    names = ("Cora", "Citeseer", "Pubmed")
    steps = {data: of("diffusion", "steps", data.lower()) for data in names}
    plain = {data: best(steps[data], diffuse=0) for data in names}
    averaged = {data: max((each for each in steps[data] if not each.is_like(diffuse=0)), key=lambda each: each.mean("val")) for data in names}
    yield "(two seeds): " + ", ".join(f"{data} {plain[data].mean('val'):.1f} to {averaged[data].mean('val'):.1f}" for data in names)
    yield ", ".join(f"{plain[data].mean('test'):.1f} to {averaged[data].mean('test'):.1f}" for data in names)
    falls = lambda data: f"{data} ({plain[data].mean('test', 'nll'):.3f} to {averaged[data].mean('test', 'nll'):.3f})"
    yield f"NLL falls on {falls('Cora')} and {falls('Pubmed')}"
    ranked = {data: sorted(of("exact", "network", data), key=lambda each: -round(each.mean("val"), 9)) for data in ("cora", "pubmed")}
    tests = [each.mean("test") for each in ranked["cora"][:15]]
    yield (f"Of the {len(ranked['cora'])} exact kernels the fifteen that validate best are within "
           f"{ranked['cora'][0].mean('val') - ranked['cora'][14].mean('val'):.1f} points of each other, and have {min(tests):.1f} to {max(tests):.1f} on test")
    first, tests = ranked["pubmed"], [each.mean("test") for each in ranked["pubmed"][:15]]
    yield (f"Of its {len(first)} exact kernels two validate best, with {first[0].mean('val'):.1f}, and have {first[0].mean('test'):.1f} and "
           f"{first[1].mean('test'):.1f} on test; the fifteen that validate at {first[14].mean('val'):.1f} or more have {min(tests):.1f} to {max(tests):.1f}")


def directions(stages):
    of = lambda study, name, data: stages.of("beyond", study, name, data)
    gains = [gain(best(of("directions", "final", data)), best(stages.of("node-dkm", "dkm", "final", data))) for data in ("chameleon", "squirrel")]
    yield f"gain {gains[0]} and {gains[1]} points on Chameleon and Squirrel"
    exact = [best(of("exact directions", "final", data)).mean("test") for data in ("chameleon", "squirrel")]
    yield f"Chameleon {exact[0]:.1f}, Squirrel {exact[1]:.1f} on all ten splits"
    without = [[each.mean("test") for each in of("exact directions", "relations", data) if each.is_like(structure_features=False)]
               for data in ("chameleon", "squirrel")]
    yield f"{min(without[0]):.0f} to {max(without[0]):.0f} and {min(without[1]):.0f} to {max(without[1]):.0f}"


def selection_by_likelihood(stages):
    """Stages with calibrated models, on which accuracy and NLL may choose differently."""
    accuracy, nll, differ, count, seen = {}, {}, 0, 0, set()
    for (_, _, _, _, data), stage in stages.all.items():
        # What a run's identity leaves out is "paper", or "uncalibrated" for a GCN: not calibrated either way.
        candidates = [each for each in stage.values() if each.options.get("inference") == "natural"]
        what = data, frozenset(json.dumps(each.options, sort_keys=True) for each in candidates)
        if len(candidates) < 2 or what in seen:  # several sweeps may begin alike
            continue
        seen.add(what)
        by_accuracy, by_nll = best(candidates), min(candidates, key=lambda each: each.mean("val", "nll"))
        count += 1
        differ += by_accuracy is not by_nll
        for score, into in (("accuracy", accuracy), ("nll", nll)):
            into.setdefault(data, []).append(by_nll.mean("test", score) - by_accuracy.mean("test", score))
    yield f"over the {count} stages of all sweeps with calibrated models the rules choose differently in {differ}"
    mean = lambda of: [statistics.mean(values) for values in of.values()]
    error = lambda values: statistics.stdev(values) / len(values) ** 0.5
    more, less = mean(accuracy), mean(nll)
    yield (f"is {statistics.mean(more):.2f} ± {error(more):.2f} points higher (mean over {len(more)} data sets, standard error), its NLL "
           f"{-statistics.mean(less):.3f} ± {error(less):.3f} lower")


def counts(stages):
    kinds = {}
    for (_, _, _, _, data), stage in stages.all.items():
        for each in stage.values():
            if each.model != "gcn":
                kinds.setdefault(data, set()).add(each.model + json.dumps(each.options, sort_keys=True))
    yield f"the best of {min(map(len, kinds.values()))} to {max(map(len, kinds.values()))} settings for each set"


CLAIMS = (epochs, first_stages, fixed_kernels, depth, rows, citations, directions, selection_by_likelihood, counts)


def main():
    options = argparse.ArgumentParser(description="Numbers in the text of docs/results.md, from kept runs.")
    options.add_argument("--check", action="store_true", help="fail if the page does not have them")
    arguments = options.parse_args()
    page = " ".join(PAGE.read_text().split())
    with tempfile.TemporaryDirectory() as folder:
        store = pathlib.Path(folder) / "protocol.db"
        store.write_bytes(lzma.open(KEPT).read())
        stages = Stages(store)
    missing = 0
    for claim in CLAIMS:
        for phrase in claim(stages):
            found = phrase in page
            missing += not found
            if not arguments.check or not found:
                print(f"{'' if found else 'NOT ON THE PAGE: '}{phrase}")
    if arguments.check and missing:
        sys.exit(f"{PAGE.name}: {missing} numbers of its text are not those of the kept runs; write what is printed above")


if __name__ == "__main__":
    main()
