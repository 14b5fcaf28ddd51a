#!/usr/bin/env python3
"""report_test.py GDKM: makes a small study and its report, and uses the page as a reader does, in Chromium.

Ends with status 77, which ctest shows as skipped, where there is no browser. GDKM_CHROMIUM names one."""

import json
import os
import re
import sqlite3
import subprocess
import sys
import tempfile
import time
import unittest

import chromium

SKIPPED = 77

SPEC = """
name = "study"
datasets = ["csbm:n=150,homophily=0.1,classes=3,seed=1", "csbm:n=150,homophily=0.9,classes=3,seed=1"]
seeds = 2
validate_every = 5
options = { epochs = 20 }
[[study]]
name = "dkm"
model = "dkm"
options = { inducing = 20, inference = "paper" }
[[study.stage]]
name = "nu"
grid = { nu = [0.1, 10, "inf"] }
[[study]]
name = "gcn"
model = "gcn"
[[study.stage]]
name = "one"
grid = { dropout = [0.5] }
"""

COPIES = 3000
TOO_WIDE = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
STROKE = "getComputedStyle(document.querySelector('#nu-curves .line')).stroke"
SLIDER = "document.getElementById('nu-slider')"
COLOURS = ("['backgroundColor', 'color'].map(k => getComputedStyle(document.body)[k])"
           ".map(c => c.match(/[0-9]+/g).map(Number))"
           ".map(v => 0.2126 * v[0] + 0.7152 * v[1] + 0.0722 * v[2])")
MESSAGE = "layer 2: K_ii is not positive definite </script><b>not markup</b>"


def gdkm(*arguments, folder):
    subprocess.run([sys.argv[1], *arguments], cwd=folder, check=True, stdout=subprocess.DEVNULL)


def enlarge(path):
    """Thousands of runs, some of which failed: copies with other seeds of one that is done."""
    with sqlite3.connect(path) as store:
        configuration, environment, result = store.execute(
            "SELECT configuration, environment, result FROM runs WHERE model = 'gcn' LIMIT 1").fetchone()
        for k in range(COPIES):
            copy = json.loads(configuration) | {"seed": 100 + k}
            failed = k % 100 == 0
            store.execute(
                "INSERT INTO runs(hash, dataset, model, seed, split, configuration, status, message, "
                "environment, result, created, started, ended) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1, 2, 3)",
                (f"copy {k}", copy["dataset"], copy["model"], copy["seed"], copy["split"], json.dumps(copy),
                 *(("failed", MESSAGE, environment, None) if failed else ("done", None, environment, result))))


class Report(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="gdkm-report-")
        folder = cls.folder.name
        with open(os.path.join(folder, "study.toml"), "w") as file:
            file.write(SPEC)
        gdkm("sweep", "study.toml", "--quiet", folder=folder)
        gdkm("report", "study.db", "--threads", "1", "--quiet", folder=folder)
        enlarge(os.path.join(folder, "study.db"))
        gdkm("report", "study.db", "-o", "large.html", "--kernel-time", "0", "--quiet", folder=folder)
        with sqlite3.connect(os.path.join(folder, "study.db")) as store:
            for table in ("stages", "datasets", "curves", "events", "runs"):
                store.execute("DELETE FROM " + table)
        gdkm("report", "study.db", "-o", "empty.html", "--quiet", folder=folder)
        cls.page = chromium.Page(chromium.find())

    @classmethod
    def tearDownClass(cls):
        cls.page.__exit__()
        cls.folder.cleanup()

    def open(self, name="study.html", width=1200, dark=False):
        self.page.problems.clear()
        self.page.window(width, 800, dark=dark)
        self.page.open(os.path.join(self.folder.name, name))

    def tearDown(self):
        self.page.value("1")  # so that what is under way has been reported
        self.assertEqual(self.page.problems, [], "errors of the console, or requests to elsewhere")

    def text(self, selector):
        return self.page.value(f"document.querySelector('{selector}').textContent")

    def count(self, selector):
        return self.page.value(f"document.querySelectorAll('{selector}').length")

    def column(self, key):
        """Texts of a column of the table of runs, as it stands."""
        return self.page.value(
            "(k => [...document.querySelectorAll('#run-table tbody tr')].map(r => r.cells[k].textContent))"
            f"(document.querySelector('[data-sort={key}]').closest('th').cellIndex)")

    def test_everything_is_drawn(self):
        self.open()
        self.assertEqual(self.count("#gains circle"), 2)
        self.assertEqual(self.count("#nu-curves svg"), 2)
        self.assertEqual(self.count("#nu-curves svg .line"), 4)
        self.assertEqual(self.count("#best tbody tr"), 4)
        self.assertEqual(self.count("#curve-plot .plot .line"), 3)
        self.assertEqual(self.count("#reliability svg"), 3)
        self.assertIn("No run failed", self.text("#failures"))
        names = self.page.value("[...document.querySelectorAll('svg .name')].map(t => t.textContent)")
        for name in "ν", "accuracy, %", "epoch", "validation accuracy, %", "confidence", "fraction right":
            self.assertIn(name, names)

    def test_a_click_on_a_title_sorts_and_another_turns_the_order(self):
        self.open()
        self.page.click("[data-sort=val]")
        down = [float(v) for v in self.column("val")]
        self.assertEqual(down, sorted(down, reverse=True))
        self.assertGreater(len(set(down)), 1)
        self.assertEqual(self.page.value("document.querySelector('[aria-sort]').textContent"), "validation")
        self.page.click("[data-sort=val]")
        self.assertEqual([float(v) for v in self.column("val")], sorted(down))
        self.page.click("[data-sort=option-nu]")
        nus = [v for v in self.column("option-nu")]
        self.assertEqual(nus, ["0.1"] * 4 + ["10"] * 4 + ["∞"] * 4 + [""] * 4, "by number, then those without")

    def test_a_search_leaves_the_runs_that_match(self):
        self.open()
        self.page.click("#run-search")
        self.page.type("nu=10 seed=1")
        self.assertEqual(self.column("option-nu"), ["10"] * 2)
        self.assertEqual(self.column("seed"), ["1"] * 2)
        self.assertEqual(self.text("#run-count"), "1–2 of 2 runs")

    def test_the_slider_changes_the_kernel_by_mouse_and_by_keys(self):
        self.open()
        picture = "document.getElementById('kernel').toDataURL()"
        caption = "document.getElementById('kernel-caption').textContent"
        last = self.page.value(picture)
        self.assertIn("ν = ∞", self.page.value(caption))
        self.page.value(SLIDER + ".focus()")
        self.page.key("ArrowLeft", 37)
        self.assertIn("ν = 10", self.page.value(caption))
        middle = self.page.value(picture)
        self.assertNotEqual(middle, last)
        self.page.click("#kernel-strip button")
        self.assertIn("ν = 0.1", self.page.value(caption))
        self.assertEqual(self.page.value(SLIDER + ".value"), "0")
        self.assertNotIn(self.page.value(picture), (middle, last))
        self.assertEqual(self.page.value(SLIDER + ".getAttribute('aria-valuetext')"), "ν = 0.1")

    def test_the_picture_shows_the_kernel_of_the_data(self):
        self.open()
        size, brown, other = self.page.value(
            "(c => { const all = c.getContext('2d').getImageData(0, 0, c.width, c.height).data;"
            " const at = (x, y) => [...all.slice(4 * (y * c.width + x), 4 * (y * c.width + x) + 4)].join();"
            " return [c.width, at(0, 0), at(0, c.height - 1)]; })(document.getElementById('kernel'))")
        self.assertEqual(size, 150)
        self.assertEqual(brown, "92,34,4,255", "a node is like itself")
        self.assertNotEqual(other, brown)

    def test_ticked_runs_are_plotted(self):
        self.open()
        self.page.click("#run-table tbody tr:nth-child(1) input")
        self.page.click("#run-table tbody tr:nth-child(2) input")
        self.assertEqual(self.count("#curve-plot .plot .line"), 2)
        self.assertEqual(self.count("#reliability svg"), 2)
        self.page.click("#run-untick")
        self.assertEqual(self.count("#curve-plot .plot .line"), 3)

    def test_a_phone_scrolls_in_one_direction(self):
        for name in ("study.html", "large.html"):
            self.open(name, width=380)
            wide = self.page.value(TOO_WIDE)
            self.assertEqual(wide, 0, name)
            out = self.page.value(
                "[...document.querySelectorAll('main > *, section > *, svg, canvas')]"
                ".filter(e => !e.closest('.scroll') && e.getBoundingClientRect().right > innerWidth + 0.5)"
                ".map(e => e.id || e.tagName)")
            self.assertEqual(out, [], name)

    def test_dark_mode_is_dark_and_can_be_read(self):
        self.open(dark=True)
        paper, ink = self.page.value(COLOURS)
        self.assertLess(paper, 60)
        self.assertGreater(ink, 180)
        line = self.page.value(STROKE)
        self.open()
        paper, ink = self.page.value(COLOURS)
        self.assertGreater(paper, 200)
        self.assertLess(ink, 80)
        self.assertNotEqual(self.page.value(STROKE), line)

    def test_thousands_of_runs_stay_quick(self):
        start = time.monotonic()
        self.open("large.html")
        opened = time.monotonic() - start
        self.assertLess(self.count("#run-table tbody tr"), 100)
        milliseconds = self.page.value(
            "(b => { const start = performance.now(); for (let k = 0; k < 10; ++k) b.click();"
            " return (performance.now() - start) / 10; })(document.querySelector('[data-sort=seed]'))")
        print(f"\n{COPIES} runs: opened in {opened:.2f} s, sorted in {milliseconds:.1f} ms", file=sys.stderr)
        self.assertLess(milliseconds, 500)
        self.page.click("[data-sort=seed]")
        seeds = [int(v) for v in self.column("seed")]
        self.assertEqual(seeds, sorted(seeds))
        self.page.click("#run-next")
        self.assertGreaterEqual(int(self.column("seed")[0]), seeds[-1])
        self.assertLess(os.path.getsize(os.path.join(self.folder.name, "large.html")), 5e6)

    def test_failures_are_there_with_their_messages(self):
        self.open("large.html")
        text = self.text("#failures")
        self.assertIn(MESSAGE, text)
        self.assertIn(f"{COPIES // 100} runs", text)
        self.assertEqual(self.count("#failures b"), 1, "no markup out of a message")

    def test_an_empty_store_has_a_page_without_errors(self):
        self.open("empty.html")
        self.assertEqual(self.text("#run-count"), "no run matches")
        self.assertTrue(self.page.value("document.getElementById('kernel-panel').hidden"))

    def test_it_prints_within_the_page_in_light_colours(self):
        self.open(dark=True)
        self.page.window(720, 1000, dark=True, media="print")
        self.assertEqual(self.page.value(TOO_WIDE), 0)
        self.assertEqual(self.page.value("getComputedStyle(document.querySelector('nav')).display"), "none")
        paper, ink = self.page.value(COLOURS)
        self.assertGreater(paper, 200)
        self.assertLess(ink, 80)
        self.page.window(1200, 800)
        self.assertGreater(len(self.page.call("Page.printToPDF")["data"]), 10000)

    def test_nothing_is_fetched(self):
        with open(os.path.join(self.folder.name, "study.html")) as file:
            text = file.read()
        text = re.sub(r"http://www\.w3\.org/2000/svg", "", text)
        self.assertNotRegex(text, r"https?://|//cdn|@import|url\((?!data:)")


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit("usage: report_test.py GDKM")
    if not chromium.find():
        print("no chromium here; the page was not tried in a browser")
        sys.exit(SKIPPED)
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]], verbosity=2)
