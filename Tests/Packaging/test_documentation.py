"""Checks the website of the documentation: its links from the sources, and every page in a browser."""

import functools
import http.server
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import unittest
import urllib.parse

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.normpath(os.path.join(HERE, "..", ".."))
sys.path.insert(0, os.path.join(ROOT, "deploy/documentation"))
sys.path.insert(0, os.path.join(ROOT, "Tests/Browser"))

import build  # noqa: E402
import tab  # noqa: E402

TOOLS = os.path.join(ROOT, ".build/documentation-tools/bin/python3")
LOOKS = [{"width": width, "dark": dark} for width in [390, 1280] for dark in [False, True]]
# Sphinx hides the marks of a search with a script.
SCHEMES = ["http", "https", "javascript"]

# What a page shows: its links and anchors, and what sticks out of the window.
LINKS = "[...document.querySelectorAll('a[href]')].map(a => a.href)"
ANCHORS = "[...document.querySelectorAll('[id]')].map(e => e.id)"
TOO_WIDE = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
BROKEN = "[...document.images].filter(i => i.complete && !i.naturalWidth).map(i => i.src)"
SHOWN_DARK = "[...document.images].filter(i => i.checkVisibility() && /~dark/.test(i.src)).length"
# Names in tables that a line ends within, between the places where they may break.
CUT = """[...document.querySelectorAll('td code .pre')].flatMap(e => [...e.childNodes])
  .filter(e => e.nodeType === Node.TEXT_NODE && /^[\\w.]+$/.test(e.data)).filter(e => {
    const range = document.createRange();
    range.selectNodeContents(e);
    return range.getClientRects().length > 1;
  }).map(e => e.data)"""
BRIGHTNESS = "getComputedStyle(document.body).backgroundColor.match(/\\d+/g).slice(0, 3).map(Number)"


class Sources(unittest.TestCase):
    def setUp(self):
        self.root = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.root)
        self.write("README.md", "# A\n")
        self.write(build.CATALOGUE + "/Bridge.md", "# ``Bridge``\n\n## Topics\n\n### Essentials\n\n- <doc:Running>\n")
        self.write(build.CATALOGUE + "/Running.md", "# Running\n")
        self.write(build.CATALOGUE + "/Decisions/D0001-Own.md", "# Own\n")
        self.write(build.PICTURES + "/map.svg", "<svg/>")
        self.write("connectors/orders.yaml", "source: {}\n")

    def write(self, path, text):
        path = os.path.join(self.root, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    def page(self, name):
        return dict(build.Site(self.root).written())[name]

    def check_error(self, path, text, message):
        self.write(path, text)
        with self.assertRaises(build.BadLink) as caught:
            dict(build.Site(self.root).written())
        self.assertEqual(str(caught.exception), message)

    def test_with_a_link_to_no_page_name_its_file_and_line(self):
        self.check_error(
            "README.md", "# A\n\n```sh\nls\n```\n\nSee [this](Makefile).\n",
            "README.md:7: Makefile is no page of the site: "
            "link to a Markdown file, to connectors, or write the path as code")

    def test_with_a_link_to_no_article_name_its_file_and_line(self):
        self.check_error(
            build.CATALOGUE + "/Running.md", "# Running\n\n<doc:Walking>\n",
            f"{build.CATALOGUE}/Running.md:3: <doc:Walking>: there is no such article in {build.CATALOGUE}")

    def test_with_a_link_to_no_heading_name_its_file_and_line(self):
        self.check_error(
            build.CATALOGUE + "/Running.md", "# Running\n\n```\n## Scaling up\n```\n<doc:Running#Scaling-up>\n",
            f"{build.CATALOGUE}/Running.md:6: <doc:Running#Scaling-up>: "
            f"there is no such heading in {build.CATALOGUE}/Running.md")

    def test_with_a_picture_that_is_not_there_name_its_file_and_line(self):
        self.check_error(
            "README.md", "# A\n![A plan](plan)\n",
            f"README.md:2: there is no picture {build.PICTURES}/plan.svg")

    def test_link_to_pages_as_the_repository_does_to_files(self):
        self.write("README.md", f"[a]({build.CATALOGUE}/Running.md) [b](connectors/orders.yaml) [c](connectors)\n")
        self.assertTrue(self.page("index").startswith("[a](Running.md) [b](Connectors.md#orders) [c](Connectors.md)\n"))

    def test_link_from_a_decision_to_an_article(self):
        self.write(build.CATALOGUE + "/Decisions/D0001-Own.md", "<doc:Running>\n")
        self.assertEqual(self.page("Decisions/D0001-Own"), "[](../Running.md)\n")

    def test_link_to_a_heading_of_an_article(self):
        self.write(build.CATALOGUE + "/Running.md", "# Running\n\n## Topics, by pattern\n")
        self.write(build.CATALOGUE + "/Decisions/D0001-Own.md", "<doc:Running#Topics-by-pattern>\n")
        self.assertEqual(self.page("Decisions/D0001-Own"), "[](../Running.md#topics-by-pattern)\n")

    def test_leave_code_as_it_is(self):
        code = "```text\n[a](Makefile) <doc:Walking>\n```\n"
        self.write(build.CATALOGUE + "/Running.md", code)
        self.assertEqual(self.page("Running"), code)

    def test_keep_the_width_of_a_picture(self):
        self.write("README.md", f'<img src="{build.PICTURES}/map.svg" width="240"\n  alt="A map">\n')
        self.assertTrue(self.page("index").startswith("![A map](/pictures/map.svg){.on-white width=240px}\n"))

    def test_show_the_dark_picture_in_the_dark(self):
        self.write(build.PICTURES + "/map~dark.svg", "<svg/>")
        self.write(build.CATALOGUE + "/Running.md", "![A map](map)\n")
        self.assertEqual(
            self.page("Running"),
            "![A map](/pictures/map.svg){.only-light}\n![A map](/pictures/map~dark.svg){.only-dark}\n")


class Tab(tab.Browser):
    """A browser that keeps what pages report and request."""

    def __init__(self, path):
        self.reports = []
        self.requests = set()
        super().__init__(path)

    def next(self):
        message = super().next()
        method, parameters = message.get("method"), message.get("params", {})
        if method == "Network.requestWillBeSent":
            self.requests.add(parameters["request"]["url"])
        elif method in ["Runtime.exceptionThrown", "Log.entryAdded", "Network.loadingFailed"]:
            self.reports.append(parameters)
        elif method == "Runtime.consoleAPICalled" and parameters["type"] in ["error", "warning"]:
            self.reports.append(parameters)
        return message


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, format, *arguments):  # pylint: disable=redefined-builtin
        pass


@unittest.skipUnless(os.path.exists(TOOLS), "needs Sphinx: make documentation-tools installs it")
@unittest.skipUnless(shutil.which("chromium"), "needs chromium: make test-dependencies installs it")
class Website(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        parent = tempfile.mkdtemp()
        cls.addClassCleanup(shutil.rmtree, parent)
        cls.folder = os.path.join(parent, "site")
        script = os.path.join(ROOT, "deploy/documentation/build.py")
        subprocess.run([TOOLS, "-B", script, cls.folder], check=True)
        server = http.server.ThreadingHTTPServer(
            ("127.0.0.1", 0), functools.partial(Quiet, directory=cls.folder))
        threading.Thread(target=server.serve_forever, daemon=True).start()
        cls.addClassCleanup(server.server_close)
        cls.addClassCleanup(server.shutdown)
        cls.address = f"http://127.0.0.1:{server.server_port}/"
        cls.browser = Tab(shutil.which("chromium"))
        cls.addClassCleanup(cls.browser.end)
        cls.tab = tab.Tab(cls.browser, cls.address + "index.html")
        for domain in ["Network", "Runtime", "Log"]:
            cls.browser.ask(f"{domain}.enable")

    def open(self, page):
        self.browser.ask("Page.navigate", url=self.address + page)
        self.tab.await_load()

    def test_shows_every_page_and_link_light_and_dark_narrow_and_wide(self):
        anchors, links, waiting = {}, {}, ["search.html", "index.html"]
        while waiting:
            page = waiting.pop()
            self.open(page)
            anchors[page] = set(self.tab.evaluate(ANCHORS))
            targets = self.tab.evaluate(LINKS)
            links[page] = {link[len(self.address):] for link in targets if link.startswith(self.address)}
            with self.subTest(page=page):
                self.assertEqual([link for link in targets if link.partition(":")[0] not in SCHEMES], [])
            for link in links[page]:
                path = link.partition("#")[0]
                if path.endswith(".html") and path not in anchors and path not in waiting:
                    waiting.append(path)
            with self.subTest(page=page):
                self.check_looks()
        for page, targets in links.items():
            for link in targets:
                path, _, fragment = link.partition("#")
                with self.subTest(page=page, link=link):
                    self.assertTrue(os.path.exists(os.path.join(self.folder, urllib.parse.unquote(path))))
                    if fragment and path in anchors:
                        self.assertIn(urllib.parse.unquote(fragment), anchors[path])
        files = {os.path.relpath(os.path.join(parent, name), self.folder)
                 for parent, _, names in os.walk(self.folder) for name in names if name.endswith(".html")}
        self.assertEqual(files - set(anchors), set())
        self.assertEqual(self.browser.reports, [])
        foreign = {url for url in self.browser.requests
                   if not url.startswith((self.address, "data:", "about:"))}
        self.assertEqual(foreign, set())

    def check_looks(self):
        self.assertEqual(self.tab.evaluate(BROKEN), [])
        for look in LOOKS:
            self.tab.look(look)
            self.assertLessEqual(self.tab.evaluate(TOO_WIDE), 0, look)
            self.assertEqual(self.tab.evaluate(CUT), [], look)
            dark = sum(self.tab.evaluate(BRIGHTNESS)) < 3 * 64
            self.assertEqual(dark, look["dark"])
            if not dark:
                self.assertEqual(self.tab.evaluate(SHOWN_DARK), 0)

    def test_finds_the_article_for_a_word(self):
        self.open("search.html?q=mass-invalidation")
        found = "[...document.querySelectorAll('#search-results li a')].some(a => /SuspendedSending/.test(a.href))"
        self.assertTrue(self.tab.wait(found))


if __name__ == "__main__":
    unittest.main()
