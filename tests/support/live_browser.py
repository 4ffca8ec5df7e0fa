"""A browser to click and type in: Chromium without a window, spoken to over its debugging pipe."""

import base64
import json
import os
import shutil
import subprocess
from contextlib import contextmanager

import pytest
from browser import QUIET

KEYS = {"Space": (" ", 32), "ArrowLeft": ("ArrowLeft", 37), "ArrowRight": ("ArrowRight", 39),
        "ArrowUp": ("ArrowUp", 38), "ArrowDown": ("ArrowDown", 40), "Home": ("Home", 36), "End": ("End", 35),
        "Tab": ("Tab", 9), "Enter": ("Enter", 13)}  # fmt: skip

_HERE = ("file:", "data:", "blob:")  # what is asked for without a network


class Tab:
    """A page in the browser. complaints: what its console says, and requests for anything but its own."""

    def __init__(self, to, back):
        self._to, self._back, self._number, self._rest = to, back, 0, b""
        self.complaints = []
        self._is_loaded = False
        self._session = None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def call(self, method, **parameters):
        """What a method of the Chrome DevTools Protocol answers."""
        self._number += 1
        number = self._number
        session = {} if self._session is None else {"sessionId": self._session}
        message = {"id": number, "method": method, "params": parameters, **session}
        os.write(self._to, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._read()
            if answer.get("id") == number:
                assert "error" not in answer, answer["error"]
                return dict(answer["result"])

    def _read(self):
        while b"\0" not in self._rest:
            more = os.read(self._back, 1 << 16)
            assert more, "the browser has gone"
            self._rest += more
        text, _, self._rest = self._rest.partition(b"\0")
        message = json.loads(text)
        method, about = message.get("method"), message.get("params", {})
        if method == "Page.loadEventFired":
            self._is_loaded = True
        elif method in ("Runtime.exceptionThrown", "Runtime.consoleAPICalled", "Log.entryAdded"):
            self.complaints.append(json.dumps(about))
        elif method == "Network.requestWillBeSent" and not about["request"]["url"].startswith(_HERE):
            self.complaints.append(about["request"]["url"])
        return message

    def show(self, width, height=900, **features):
        """The size of the window and media features, as in prefers_color_scheme="dark"."""
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=False,
        )
        chosen = [{"name": name.replace("_", "-"), "value": value} for name, value in features.items()]
        self.call("Emulation.setEmulatedMedia", features=chosen)

    def open(self, page):
        """Load a file and wait until it is there."""
        self.go(page.as_uri())

    def go(self, address):
        """Load a page and wait until it is there."""
        self._is_loaded = False
        self.call("Page.navigate", url=address)
        while not self._is_loaded or self.ask("[document.readyState, location.href]") != [
            "complete",
            address,
        ]:
            if not self._is_loaded:
                self._read()

    def ask(self, expression):
        """The value of an expression of JavaScript in the page; promises are waited for."""
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def click(self, selector):
        """Press the mouse in the middle of an element, where that is."""
        x, y = self.ask(
            f"(() => {{ const one = document.querySelector({json.dumps(selector)});"
            "one.scrollIntoView({block: 'center'}); const box = one.getBoundingClientRect();"
            "return [box.left + box.width / 2, box.top + box.height / 2]; })()"
        )
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def press(self, key):
        """Press a key: a letter or one of KEYS."""
        name, code = KEYS.get(key, (key, ord(key[0].upper())))
        text = {"text": "\r" if key == "Enter" else name} if len(name) == 1 or key == "Enter" else {}
        common = {"key": name, "code": key, "windowsVirtualKeyCode": code}
        self.call("Input.dispatchKeyEvent", type="keyDown", **common, **text)
        self.call("Input.dispatchKeyEvent", type="keyUp", **common)

    def screenshot(self, path, *, whole=True):
        """What is seen, as PNG; the whole page, or the window."""
        data = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=whole)["data"]
        path.write_bytes(base64.b64decode(data))


@contextmanager
def live_browser(folder):
    """A browser with one page; nothing is asked of the network, and nothing is kept."""
    program = shutil.which("chromium")
    if program is None:
        pytest.skip("chromium is not installed (apt-get install chromium)")
    (theirs_in, ours_out), (ours_in, theirs_out) = os.pipe(), os.pipe()
    # It reads from file 3 and writes to file 4, which a shell gives it.
    script = f'exec "$@" 3<&{theirs_in} 4>&{theirs_out}'
    options = [*QUIET, f"--user-data-dir={folder / 'profile'}", "--remote-debugging-pipe"]
    process = subprocess.Popen(
        ["bash", "-c", script, "bash", program, *options],
        pass_fds=(theirs_in, theirs_out),
        stderr=subprocess.DEVNULL,
    )
    os.close(theirs_in)
    os.close(theirs_out)
    try:
        yield Tab(ours_out, ours_in)
    finally:
        process.terminate()
        process.wait(timeout=60)
        os.close(ours_out)
        os.close(ours_in)
