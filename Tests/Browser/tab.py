#!/usr/bin/env python3
"""A tab of a headless Chromium that does what each line of standard input says.

    tab.py CHROMIUM ADDRESS

A line is a JSON object: {"press": "Tab"}, {"type": "text"}, {"evaluate": "an expression"},
{"await": "a condition"}, {"look": {"dark": true, "width": 390}} or {"picture": "file.png"}. The answer is one line of
JSON. Keys are pressed as a person presses them. The browser is reached through two pipes, without a port.
"""

import base64
import fcntl
import itertools
import json
import os
import shutil
import subprocess
import sys
import tempfile

TIMEOUT = 60_000
KEYS = {"Tab": (9, ""), "Enter": (13, "\r"), "Escape": (27, ""), " ": (32, " ")}


class Browser:
    """The browser, and the messages to and from it, each ended by a zero."""

    def __init__(self, path):
        self.profile = tempfile.mkdtemp(prefix="chromium-")
        theirs, self.orders = pipe()
        self.replies, answers = pipe()

        def connect():
            os.dup2(theirs, 3)
            os.dup2(answers, 4)

        self.process = subprocess.Popen(
            [path, "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--hide-scrollbars",
             "--disable-dev-shm-usage", "--force-device-scale-factor=2", f"--user-data-dir={self.profile}",
             "--remote-debugging-pipe", "about:blank"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            preexec_fn=connect, pass_fds=(3, 4))
        os.close(theirs)
        os.close(answers)
        self.numbers = itertools.count(1)
        self.read = b""
        self.session = None
        self.events = set()

    def ask(self, method, **parameters):
        """Sends a command and returns its result."""
        number = next(self.numbers)
        message = {"id": number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.orders, json.dumps(message).encode() + b"\0")
        while True:
            reply = self.next()
            if "method" in reply:
                self.events.add(reply["method"])
            if reply.get("id") == number:
                if "error" in reply:
                    raise RuntimeError(f"{method}: {reply['error']}")
                return reply["result"]

    def await_event(self, name):
        """Waits until something has happened, if it has not yet."""
        while name not in self.events:
            self.events.add(self.next().get("method"))

    def next(self):
        while b"\0" not in self.read:
            more = os.read(self.replies, 65_536)
            if not more:
                raise RuntimeError("the browser has ended")
            self.read += more
        line, self.read = self.read.split(b"\0", 1)
        return json.loads(line)

    def end(self):
        self.process.kill()
        self.process.wait()
        shutil.rmtree(self.profile, ignore_errors=True)


def pipe():
    """A pipe whose ends are not the descriptors that Chromium expects."""
    ends = os.pipe()
    high = [fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 10) for end in ends]
    for end in ends:
        os.close(end)
    return high


class Tab:
    def __init__(self, browser, address):
        self.browser = browser
        target = browser.ask("Target.createTarget", url="about:blank")["targetId"]
        browser.session = browser.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        browser.ask("Page.enable")
        self.look({})
        browser.ask("Page.navigate", url=address)
        self.await_load()

    def await_load(self):
        while True:
            self.browser.events.discard("Page.loadEventFired")
            if self.evaluate("document.URL !== 'about:blank' && document.readyState === 'complete'"):
                return
            self.browser.await_event("Page.loadEventFired")

    def look(self, wishes):
        self.browser.ask(
            "Emulation.setDeviceMetricsOverride", width=wishes.get("width", 1100), height=wishes.get("height", 900),
            deviceScaleFactor=2, mobile=False)
        scheme = "dark" if wishes.get("dark") else "light"
        self.browser.ask(
            "Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        return True

    def press(self, key):
        code, text = KEYS[key]
        fields = {"key": key, "code": key if key != " " else "Space", "windowsVirtualKeyCode": code}
        down = {"type": "keyDown", "text": text} if text else {"type": "rawKeyDown"}
        self.browser.ask("Input.dispatchKeyEvent", **down, **fields)
        self.browser.ask("Input.dispatchKeyEvent", type="keyUp", **fields)
        return True

    def type(self, text):
        self.browser.ask("Input.insertText", text=text)
        return True

    def evaluate(self, expression):
        result = self.browser.ask("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in result:
            raise RuntimeError(f"{expression}: {result['exceptionDetails']}")
        return result["result"].get("value")

    def wait(self, condition):
        """Looks before each frame whether the condition holds; false if it does not in a minute."""
        return self.evaluate(f"""new Promise(resolve => {{
            const end = performance.now() + {TIMEOUT};
            const look = () => ({condition}) ? resolve(true)
              : performance.now() > end ? resolve(false) : requestAnimationFrame(look);
            look();
        }})""")

    def picture(self, path):
        data = self.browser.ask("Page.captureScreenshot", format="png")["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))
        return True


def main():
    browser = Browser(sys.argv[1])
    try:
        tab = Tab(browser, sys.argv[2])
        work = {"press": tab.press, "type": tab.type, "evaluate": tab.evaluate, "await": tab.wait, "look": tab.look,
                "picture": tab.picture}
        for line in sys.stdin:
            (name, argument), = json.loads(line).items()
            print(json.dumps(work[name](argument)), flush=True)
    finally:
        browser.end()


if __name__ == "__main__":
    main()
