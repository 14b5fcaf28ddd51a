#!/usr/bin/env python3
"""serve_test.py GDKM: serves a store while work goes on, and watches the page in Chromium.

Ends with status 77, which ctest shows as skipped, where there is no browser, or where gdkm was built without cpp-httplib."""

import http.client
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import unittest
import urllib.parse

import chromium

SKIPPED = 77

SPEC = """
name = "study"
datasets = ["csbm:n=150,homophily=0.1,classes=3,seed=1"]
seeds = 3
options = { epochs = 20, inducing = 20 }
[[study]]
name = "dkm"
model = "dkm"
[[study.stage]]
name = "<b>nu</b>"
grid = { nu = [0.1, 10] }
"""


def serve(folder, *options):
    """gdkm serve, and the address that it prints."""
    process = subprocess.Popen([sys.argv[1], "serve", "study.db", "--port", "0", *options], cwd=folder,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    line = process.stdout.readline()
    found = re.search(r"http://\S+", line)
    if not found:
        raise RuntimeError(process.communicate()[1])
    return process, found[0]


def end(process):
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=20)
    return process.returncode


class Serve(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="gdkm-serve-")
        with open(os.path.join(cls.folder.name, "study.toml"), "w") as file:
            file.write(SPEC)
        cls.sweep = subprocess.Popen([sys.argv[1], "sweep", "study.toml", "--plan-only", "--quiet"], cwd=cls.folder.name,
                                     stdout=subprocess.DEVNULL)
        while cls.runs("pending") < 6:
            pass
        cls.process, cls.address = serve(cls.folder.name)
        cls.page = chromium.Page(chromium.find())
        cls.page.home = cls.address

    @classmethod
    def tearDownClass(cls):
        cls.page.__exit__()
        end(cls.process)
        end(cls.sweep)
        cls.folder.cleanup()

    @classmethod
    def runs(cls, status):
        listed = subprocess.run([sys.argv[1], "runs", "export", "study.db", "--status", status, "--format", "json"],
                                cwd=cls.folder.name, capture_output=True, text=True)
        return len(json.loads(listed.stdout)) if listed.returncode == 0 else 0

    def ask(self, path, method="GET", address=None, **headers):
        place = urllib.parse.urlsplit(address or self.address)
        connection = http.client.HTTPConnection(place.hostname, place.port, timeout=20)
        connection.request(method, path, headers={name.replace("_", "-"): value for name, value in headers.items()})
        answer = connection.getresponse()
        out = answer.status, answer.read().decode(), dict(answer.getheaders())
        connection.close()
        return out

    def text(self, selector):
        return self.page.value(f"document.querySelector('{selector}').textContent")

    def test_the_page_follows_the_work(self):
        self.page.window(1200, 800)
        self.page.problems.clear()
        self.page.go(self.address)
        self.page.wait("document.getElementById('headline').textContent === '0 of 6 runs have ended'")
        self.assertIn("<b>nu</b>", self.text("#stage-table"))
        self.assertEqual(self.page.value("document.querySelectorAll('#stage-table b').length"), 0, "texts are no markup")
        self.assertEqual(self.text("#machine-table"), "No machine has taken a run.")
        self.page.wait("document.getElementById('report-frame').contentDocument.readyState === 'complete'")
        subprocess.run([sys.argv[1], "worker", "study.db", "--quiet"], cwd=self.folder.name, check=True,
                       stdout=subprocess.DEVNULL)
        self.page.wait("document.getElementById('headline').textContent === '6 of 6 runs have ended'")
        self.assertEqual(self.page.value("document.getElementById('bar').value"), 1)
        self.assertTrue(self.page.value("document.title").startswith("100 %"))
        self.assertEqual(self.page.value("[...document.querySelectorAll('#machine-table td')].slice(1, 3).map(d => d.textContent)"),
                         ["0", "6"])
        # The report in the page reads the store anew, after some seconds.
        done = ("(d => d && d.readyState === 'complete' ? JSON.parse(d.getElementById('report-data').textContent).overview.done"
                " : -1)(document.getElementById('report-frame').contentDocument)")
        self.assertEqual(self.page.value(done), 0, "it is from before")
        self.page.wait(done + " === 6", 60)
        self.assertEqual(self.page.value("document.documentElement.scrollWidth - document.documentElement.clientWidth"), 0)
        self.page.value("1")
        self.assertEqual(self.page.problems, [], "errors of the console, or requests to elsewhere")

    def test_nothing_but_the_page_can_be_asked_for(self):
        for path in ("/study.db", "/study.toml", "/../study.db", "/%2e%2e/study.db", "//etc/passwd", "/etc/passwd",
                     "/report/../study.db", "/live.json/x"):
            status, body, _ = self.ask(path)
            self.assertEqual(status, 404, path)
            self.assertLess(len(body), 100)
        for method in ("POST", "PUT", "DELETE", "PATCH", "OPTIONS"):
            self.assertEqual(self.ask("/live.json", method)[0], 405, method)
        _, _, headers = self.ask("/")
        self.assertIn("default-src 'none'", headers["Content-Security-Policy"])
        self.assertEqual(headers["Cache-Control"], "no-store")

    def test_a_name_of_another_site_is_refused(self):
        self.assertEqual(self.ask("/live.json", Host="evil.example")[0], 403)
        self.assertEqual(self.ask("/live.json", Host="localhost:1")[0], 200)

    def test_others_need_the_token(self):
        process, address = serve(self.folder.name, "--host", "0.0.0.0")
        try:
            place = urllib.parse.urlsplit(address)
            token = urllib.parse.parse_qs(place.query)["token"][0]
            self.assertEqual(len(token), 32)
            for path in ("/", "/live.json", "/report", "/nothing", "/?token=", "/?token=" + token[:-1]):
                self.assertEqual(self.ask(path, address=address)[0], 401, path)
            status, _, headers = self.ask("/?token=" + token, address=address)
            self.assertEqual(status, 200)
            self.assertIn("HttpOnly", headers["Set-Cookie"])
            self.assertEqual(self.ask("/live.json", address=address, Cookie=headers["Set-Cookie"].split(";")[0])[0], 200)
            self.assertEqual(self.ask("/live.json", address=address, Authorization="Bearer " + token)[0], 200)
        finally:
            self.assertEqual(end(process), 143)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit("usage: serve_test.py GDKM")
    sys.argv[1] = os.path.abspath(sys.argv[1])
    if not chromium.find():
        print("no chromium here; the page was not tried in a browser")
        sys.exit(SKIPPED)
    tried = subprocess.run([sys.argv[1], "serve", "none.db"], capture_output=True, text=True)
    if "without cpp-httplib" in tried.stderr:
        print("this gdkm cannot serve: " + tried.stderr.strip())
        sys.exit(SKIPPED)
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]], verbosity=2)
