#!/usr/bin/env python3
"""Builds the documentation as a website that any file server can serve.

    build.py FOLDER

The pages are README, the articles of the DocC catalogue, the decisions, the connectors and the other
Markdown files of the repository. Their links are rewritten for the site; Sphinx does the rest. A link that
leads nowhere on the site is an error with its file and line.
"""

import os
import posixpath
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.normpath(os.path.join(HERE, "..", ".."))
CATALOGUE = "Sources/Bridge/Documentation.docc"
PICTURES = CATALOGUE + "/Resources"

# Files outside the catalogue, and their pages.
OTHERS = {
    "README.md": "index",
    "CONTRIBUTING.md": "Contributing",
    "SECURITY.md": "Security",
    "CHANGELOG.md": "Changes",
    "Sources/APNsSimulator/README.md": "Simulator",
    "Benchmarks/README.md": "Benchmarks",
}
PROJECT = ["Bridge", "Simulator", "Connectors", "Contributing", "Security", "Changes", "Benchmarks", "Decisions"]

# Languages that only the tests know, as ones that Pygments knows.
LANGUAGES = {"template": "text", "record": "text", "clickhouse": "sql", "jsonl": "text"}

DOC = re.compile(r"<doc:([A-Za-z0-9-]+)(?:#([^>\s]+))?>")
LINK = re.compile(r"(?<=\]\()([^)\s]+)(?=\))")
PICTURE = re.compile(
    r"!\[(?P<text>[^\]]*)\]\((?P<target>[^)\s]+)\)|<picture>.*?</picture>|<img [^>]*>", re.DOTALL)


class BadLink(Exception):
    """A link that leads nowhere on the site; the text names file and line."""


class Site:
    """The pages of a repository, and the Markdown of each."""

    def __init__(self, root):
        self.root = root
        self.pages = {path: page for path, page in OTHERS.items() if os.path.exists(os.path.join(root, path))}
        for folder in ["", "/Decisions"]:
            for name in sorted(os.listdir(os.path.join(root, CATALOGUE + folder))):
                if name.endswith(".md"):
                    page = folder.lstrip("/") + "/" + name[:-3] if folder else name[:-3]
                    self.pages[f"{CATALOGUE}{folder}/{name}"] = page
        self.articles = {posixpath.basename(page): page for path, page in self.pages.items()
                         if path.startswith(CATALOGUE)}

    def text(self, path):
        with open(os.path.join(self.root, path), encoding="utf-8") as file:
            return file.read()

    def written(self):
        """Yields each page and its Markdown."""
        groups = topics(self.text(CATALOGUE + "/Bridge.md"))
        for path, page in self.pages.items():
            text = self.converted(path)
            if page == "index":
                text += "\n" + self.contents(groups)
            yield page, text
        yield "Connectors", self.connectors()
        yield "Decisions", self.decisions(groups)

    def converted(self, path):
        """A file as a page of the site."""
        text = self.text(path)
        if path.endswith("/Bridge.md"):
            text = text.replace("# ``Bridge``", "# Architecture", 1).replace("## Overview\n", "", 1)
            text = text.split("\n## Topics", 1)[0] + "\n"
        parts = re.split(r"(^ *```.*?^ *```)", text, flags=re.DOTALL | re.MULTILINE)
        line = 1
        for index, part in enumerate(parts):
            parts[index] = fence(part) if index % 2 else self.prose(path, part, line)
            line += part.count("\n")
        return "".join(parts)

    def prose(self, path, text, line):
        """Text outside code, with links and pictures as the site has them."""
        def at(match):
            return f"{path}:{line + text[:match.start()].count(chr(10))}"

        page = self.pages[path]
        steps = [
            (PICTURE, lambda match: self.picture(match, at(match))),
            (DOC, lambda match: self.article(page, match[1], match[2], at(match))),
            (LINK, lambda match: self.link(path, page, match.group(1), at(match))),
        ]
        for pattern, step in steps:
            text = pattern.sub(step, text)
        return text

    def article(self, page, name, heading, where):
        """A link to an article, or to one of its headings as DocC writes it: words between hyphens."""
        if name not in self.articles:
            raise BadLink(f"{where}: <doc:{name}>: there is no such article in {CATALOGUE}")
        target = self.articles[name]
        if not heading:
            return f"[]({relative(page, target)}.md)"
        if heading not in headings(self.text(f"{CATALOGUE}/{target}.md")):
            raise BadLink(f"{where}: <doc:{name}#{heading}>: there is no such heading in {CATALOGUE}/{target}.md")
        return f"[]({relative(page, target)}.md#{heading.lower()})"

    def link(self, path, page, target, where):
        """A link between files of the repository as one between pages."""
        if re.match(r"[a-z]+:|#", target) or target.startswith("/pictures/"):
            return target
        file, _, fragment = target.partition("#")
        if posixpath.normpath(file) in [posixpath.normpath(relative(page, known)) + ".md"
                                        for known in self.pages.values()]:
            return target
        found = posixpath.normpath(posixpath.join(posixpath.dirname(path), file))
        if found in self.pages:
            return relative(page, self.pages[found]) + ".md" + ("#" + fragment if fragment else "")
        if found == "connectors" or found.startswith("connectors/") and os.path.exists(
                os.path.join(self.root, found)):
            name = posixpath.basename(found).split(".")[0] if found != "connectors" else ""
            return relative(page, "Connectors") + ".md" + ("#" + name if name else "")
        raise BadLink(f"{where}: {target} is no page of the site: "
                      "link to a Markdown file, to connectors, or write the path as code")

    def picture(self, match, where):
        """A picture of Markdown, or of HTML where README gives its width."""
        if match["target"]:
            return self.shown(match["text"], match["target"], "", where)
        html = match.group(0)
        source = re.search(r'<img [^>]*src="([^"]+)"', html, re.DOTALL)
        text = re.search(r'alt="([^"]*)"', html, re.DOTALL)
        if source is None or text is None:
            raise BadLink(f"{where}: a picture needs src and alt")
        width = re.search(r'width="(\d+)"', html)
        return self.shown(text[1], source[1], f" width={width[1]}px" if width else "", where)

    def shown(self, text, target, wish, where):
        """A picture, with another one for the dark if there is one."""
        name = posixpath.basename(target)
        if posixpath.splitext(name)[1] == "":
            name += ".svg"
        if not os.path.exists(os.path.join(self.root, PICTURES, name)):
            raise BadLink(f"{where}: there is no picture {PICTURES}/{name}")
        stem, ending = posixpath.splitext(name)
        dark = f"{stem}~dark{ending}"
        text = " ".join(text.split())
        if not os.path.exists(os.path.join(self.root, PICTURES, dark)):
            return f"![{text}](/pictures/{name}){{.on-white{wish}}}"
        return (f"![{text}](/pictures/{name}){{.only-light{wish}}}\n"
                f"![{text}](/pictures/{dark}){{.only-dark{wish}}}")

    def contents(self, groups):
        """The tables of contents beside every page."""
        lists = [(title, [self.page(name) for name in names]) for title, names in groups
                 if not title.startswith("Decisions")]
        lists.append(("The project", PROJECT))
        return "\n".join(toctree(pages, f":hidden:\n:caption: {title}") for title, pages in lists)

    def decisions(self, groups):
        lists = [(title, [self.page(name) for name in names]) for title, names in groups
                 if title.startswith("Decisions")]
        parts = ["# Decisions\n\nWhy the bridge is built as it is, one page for each decision.\n"]
        for title, pages in lists:
            parts.append(f"## {title.removeprefix('Decisions ').capitalize()}\n\n" + toctree(pages, ":maxdepth: 1"))
        return "\n".join(parts)

    def page(self, name):
        if name not in self.articles:
            raise BadLink(f"{CATALOGUE}/Bridge.md: <doc:{name}>: there is no such article in {CATALOGUE}")
        return self.articles[name]

    def connectors(self):
        """The connectors of the repository, each with its example event and its tests."""
        folder = os.path.join(self.root, "connectors")
        files = sorted(os.listdir(folder))
        parts = ["# Connectors\n\nThe examples of the repository. `apns-bridge test connectors` runs their tests.\n"]
        for stem in sorted({name.split(".")[0] for name in files}):
            parts.append(f"## {stem}\n")
            mine = [name for name in files if name.split(".")[0] == stem]
            for name in sorted(mine, key=lambda name: name != stem + ".yaml"):
                language = "json" if name.endswith(".json") else "yaml"
                code = self.text(f"connectors/{name}").rstrip("\n")
                parts.append(f"`connectors/{name}`\n\n````{language}\n{code}\n````\n")
        return "\n".join(parts)


def topics(text):
    """The groups of the catalogue's index: titles, and the names of their articles."""
    sections = text.split("\n## Topics", 1)[1].split("\n### ")[1:]
    return [(section.split("\n", 1)[0].strip(), [name for name, _ in DOC.findall(section)]) for section in sections]


def headings(text):
    """The headings of an article, as links to them are written."""
    text = re.sub(r"^ *```.*?^ *```", "", text, flags=re.DOTALL | re.MULTILINE)
    titles = re.findall(r"^##+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w -]", "", title).strip().replace(" ", "-") for title in titles}


def toctree(pages, options):
    return "```{toctree}\n" + options + "\n\n" + "\n".join(f"/{page}" for page in pages) + "\n```\n"


def fence(code):
    """A block of code with a language that Pygments knows."""
    return re.sub(r"^( *```)([a-z]+)", lambda match: match[1] + LANGUAGES.get(match[2], match[2]), code)


def relative(page, target):
    return posixpath.relpath(target, posixpath.dirname(page) or ".")


def stage(root, folder):
    """Writes the sources of the site into an empty folder."""
    for page, text in Site(root).written():
        path = os.path.join(folder, page + ".md")
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    shutil.copytree(os.path.join(root, PICTURES), os.path.join(folder, "pictures"))


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: build.py FOLDER")
    output = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as work:
        sources = os.path.join(work, "sources")
        os.mkdir(sources)
        try:
            stage(ROOT, sources)
        except BadLink as error:
            sys.exit(str(error))
        shutil.rmtree(output, ignore_errors=True)
        run = subprocess.run(
            [sys.executable, "-m", "sphinx", "--quiet", "--fail-on-warning", "--keep-going", "--builder", "html",
             "--conf-dir", HERE, "--doctree-dir", os.path.join(work, "doctrees"), sources, output],
            check=False)
    if run.returncode != 0:
        sys.exit(run.returncode)
    for name in [".buildinfo", "objects.inv"]:
        os.remove(os.path.join(output, name))


if __name__ == "__main__":
    main()
