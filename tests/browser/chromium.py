"""A headless Chromium, driven by its DevTools protocol over two pipes; the standard library is enough."""

import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time


def find():
    """The browser's program, or None."""
    named = os.environ.get("GDKM_CHROMIUM")
    names = [named] if named else ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]
    return next((path for path in map(shutil.which, names) if path), None)


class Page:
    """One page of one browser, which ends with it."""

    def __init__(self, program):
        self._profile = tempfile.mkdtemp(prefix="gdkm-browser-")
        commands, self._commands = os.pipe()
        self._answers, answers = os.pipe()

        def place():  # the protocol reads from 3 and writes to 4; copies first, lest one dup2 closes the other
            a, b = os.dup(commands), os.dup(answers)
            os.dup2(a, 3)
            os.dup2(b, 4)
            os.set_inheritable(3, True)
            os.set_inheritable(4, True)

        self._process = subprocess.Popen(
            [program, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
             "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync",
             "--remote-debugging-pipe", "--user-data-dir=" + self._profile, "about:blank"],
            preexec_fn=place, close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(commands)
        os.close(answers)
        self._buffer, self._number, self._session = b"", 0, None
        self.home = "file:"  # the address that a page may ask, beside files
        self.problems = []  # errors of the console, exceptions, and requests that leave the file
        targets = self.call("Target.getTargets")["targetInfos"]
        page = next(t for t in targets if t["type"] == "page")
        attached = self.call("Target.attachToTarget", targetId=page["targetId"], flatten=True)
        self._session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(domain + ".enable")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:  # its own way of ending waits for its children, which write into the profile
            self._session = None
            self.call("Browser.close")
            self._process.wait(10)
        except (OSError, EOFError, RuntimeError, subprocess.TimeoutExpired):
            self._process.kill()
            self._process.wait()
        os.close(self._commands)
        os.close(self._answers)
        shutil.rmtree(self._profile, ignore_errors=True)

    def _message(self, seconds):
        end = time.monotonic() + seconds
        while b"\0" not in self._buffer:
            if not select.select([self._answers], [], [], max(0, end - time.monotonic()))[0]:
                raise TimeoutError("the browser does not answer")
            bytes_ = os.read(self._answers, 1 << 16)
            if not bytes_:
                raise EOFError("the browser has ended")
            self._buffer += bytes_
        text, _, self._buffer = self._buffer.partition(b"\0")
        return json.loads(text)

    def _note(self, message):
        method, params = message.get("method"), message.get("params", {})
        if method == "Runtime.exceptionThrown":
            details = params["exceptionDetails"]
            self.problems.append(details.get("exception", {}).get("description", details["text"]))
        elif method == "Runtime.consoleAPICalled" and params["type"] in ("error", "warning", "assert"):
            words = [a.get("value", a.get("description")) for a in params["args"]]
            self.problems.append(f"console: {words}")
        elif method == "Log.entryAdded" and params["entry"]["level"] in ("error", "warning"):
            self.problems.append("log: " + params["entry"]["text"])
        elif method == "Network.requestWillBeSent":
            address = params["request"]["url"]
            if not address.startswith(("file:", "data:", "about:", self.home)):
                self.problems.append("request: " + address)

    def call(self, method, **params):
        self._number += 1
        message = {"id": self._number, "method": method, "params": params}
        if self._session:
            message["sessionId"] = self._session
        text = json.dumps(message).encode() + b"\0"
        while text:
            text = text[os.write(self._commands, text):]
        while True:
            answer = self._message(60)
            if answer.get("id") == self._number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return answer.get("result", {})
            self._note(answer)

    def window(self, width, height, dark=False, media="screen"):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1,
                  mobile=False)
        scheme = "dark" if dark else "light"
        self.call("Emulation.setEmulatedMedia", media=media,
                  features=[{"name": "prefers-color-scheme", "value": scheme}])

    def open(self, path):
        self.go("file://" + os.path.abspath(path))

    def go(self, address):
        self.call("Page.navigate", url=address)
        self.wait("document.readyState === 'complete'")

    def value(self, expression):
        """What a JavaScript expression comes to; two frames later, so that what was set off is drawn."""
        source = ("(async () => { for (let k = 0; k < 2; ++k) await new Promise(requestAnimationFrame);"
                  f" return ({expression}); }})()")
        out = self.call("Runtime.evaluate", expression=source, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in out:
            thrown = out["exceptionDetails"].get("exception", {})
            raise RuntimeError(f"{expression}: {thrown.get('description')}")
        return out["result"].get("value")

    def wait(self, expression, seconds=20):
        end = time.monotonic() + seconds
        while not self.value(expression):
            if time.monotonic() > end:
                raise TimeoutError(expression + " does not come true")
            time.sleep(0.05)

    def click(self, selector):
        """By the mouse, in the middle of the element."""
        name = json.dumps(selector)
        x, y = self.value(
            "(e => { e.scrollIntoView({block: 'center', inline: 'center'}); const r = e.getBoundingClientRect();"
            f" return [r.x + r.width / 2, r.y + r.height / 2]; }})(document.querySelector({name}))")
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def key(self, name, code):
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=name, code=name, windowsVirtualKeyCode=code)

    def type(self, text):
        self.call("Input.insertText", text=text)

    def screenshot(self, path, whole=True):
        """Of the whole page, or of what the window shows."""
        extra = {}
        if whole:
            size = self.call("Page.getLayoutMetrics")["cssContentSize"]
            extra = {"captureBeyondViewport": True,
                     "clip": {"x": 0, "y": 0, "width": size["width"], "height": size["height"], "scale": 1}}
        picture = self.call("Page.captureScreenshot", format="png", **extra)["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(picture))
