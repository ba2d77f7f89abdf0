#!/usr/bin/env python3
"""Says what stands in the way of a release, and changes nothing.

  deploy/packaging/release.py [--tests] -- VERSION
  deploy/packaging/release.py --testing
  deploy/packaging/release.py --passed

The clone must be whole, the tree clean, the version new, CHANGELOG.md begin with it, and the program, the example
overlay and docker-compose.yml must name it. Golden files of earlier releases must be as they were: they are contracts.
With --tests git must know who tags, and all tests must have passed on this commit: `make test` notes with --testing
what it builds, and with --passed that its tests have passed.
"""

import argparse
import os
import re
import subprocess
import sys

from sbom import ROOT, Problem

# Where else the version is written: the pattern finds it.
PLACES = {
    "Sources/apns-bridge/VersionVerb.swift": r'static let product = "([^"]+)"',
    "deploy/kubernetes/overlays/example/kustomization.yaml": r"newName: \S+/apns-bridge, newTag: ([^}\s]+)",
    "docker-compose.yml": r"image: apns-bridge:(\S+)",
}
# The image of docker-compose.yml is built from the checkout, and may have no version.
OPTIONAL = {"docker-compose.yml"}
CONTRACTS = "Tests/Contracts"
# The commit that is being tested, and the one on which all tests have passed.
TESTING = ".build/tests/testing"
PASSED = ".build/tests/passed"


def git(root, *arguments):
    try:
        ending = subprocess.run(["git", "-C", root, *arguments], capture_output=True, text=True, check=False)
    except OSError as error:
        raise Problem(f"git: {error.strerror}") from None
    if ending.returncode != 0:
        raise Problem(f"git {arguments[0]}: {ending.stderr.strip() or 'failed'}")
    return ending.stdout


def number(version):
    """Numbers that compare as versions do; a pre-release is not one of ours."""
    if not re.fullmatch(r"(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)", version):
        raise Problem(f"'{version}' is not a version: write three numbers, as in VERSION=1.0.0")
    return tuple(int(part) for part in version.split("."))


def released(root):
    """The versions that have a tag, oldest first."""
    tags = git(root, "tag", "--list").split()
    return sorted((tag for tag in tags if re.fullmatch(r"\d+\.\d+\.\d+", tag)), key=number)


def line_of(text, position):
    return text.count("\n", 0, position) + 1


def changes(root):
    """A line for each file that is changed or new, however git is configured to show it."""
    return git(root, "status", "--porcelain", "--untracked-files=all").splitlines()


def about_clone(root):
    """Whether earlier releases may be missing."""
    if git(root, "rev-parse", "--is-shallow-repository").strip() == "true":
        yield "the clone is shallow, so that earlier releases are missing: run git fetch --unshallow --tags"


def about_tree(root):
    """What is changed or new, the first few files by name."""
    rows = changes(root)
    if rows:
        names = ", ".join(row[3:] for row in rows[:3]) + (", …" if len(rows) > 3 else "")
        yield f"the tree is not clean: commit or remove {names}"


def about_version(root, version):
    earlier = released(root)
    if version in earlier:
        yield f"the tag {version} exists: choose the next version"
    elif earlier and number(version) < number(earlier[-1]):
        yield f"{version} is older than the release {earlier[-1]}: choose a newer version"


def about_changelog(text, version):
    """Whether the first section of the changelog is that of the version, and says something."""
    sections = list(re.finditer(r"^## (.*)$", text, re.MULTILINE))
    first = re.sub(r"[\[\]]", "", sections[0][1]).split(" ")[0] if sections else ""
    if first != version:
        line = line_of(text, sections[0].start()) if sections else 1
        yield (f"CHANGELOG.md:{line}: the first section is "
               f"'{sections[0][1] if sections else ''}': write '## {version}' with what users notice")
        return
    end = sections[1].start() if len(sections) > 1 else len(text)
    if not text[sections[0].end():end].strip():
        yield f"CHANGELOG.md:{line_of(text, sections[0].start())}: the section {version} is empty"


def about_places(root, version):
    """Files that name another version."""
    for path, pattern in PLACES.items():
        with open(os.path.join(root, path), encoding="utf-8") as file:
            text = file.read()
        found = list(re.finditer(pattern, text))
        if not found and path not in OPTIONAL:
            yield f"{path}: it names no version: a line that matches {pattern} is missing"
        for match in found:
            if match[1] != version:
                yield f"{path}:{line_of(text, match.start())}: the version is {match[1]}: write {version}"


def about_contracts(root):
    """Golden files that are not as they were in the release that added them."""
    for tag in released(root):
        rows = git(root, "diff", "--name-status", "--no-renames", tag, "--", f"{CONTRACTS}/{tag}").splitlines()
        for row in rows:
            status, path = row.split("\t", 1)
            what = {"A": "new", "D": "gone"}.get(status, "changed")
            yield f"{path}: it is {what} since the release {tag}: golden files of a release stay as they are"


def clean_commit(root):
    """The commit, if the tree is as it says; nothing if it has changes, or without git."""
    try:
        return "" if changes(root) else git(root, "rev-parse", "HEAD")
    except Problem:
        return ""


def note(root, path, commit):
    path = os.path.join(root, path)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="ascii") as file:
        file.write(commit)


def noted(root, path):
    try:
        with open(os.path.join(root, path), encoding="ascii") as file:
            return file.read()
    except OSError:
        return ""


def note_testing(root):
    """Notes which commit is about to be built and tested, and that nothing has passed yet."""
    note(root, PASSED, "")
    note(root, TESTING, clean_commit(root))


def note_passed(root):
    """Notes on which commit the tests have passed: nothing if a file or the commit has changed since the build."""
    commit = clean_commit(root)
    note(root, PASSED, commit if commit == noted(root, TESTING) else "")


def about_tests(root):
    """Whether all tests have passed on this commit."""
    if noted(root, PASSED) != git(root, "rev-parse", "HEAD"):
        yield "the tests have not passed on this commit here: run make test first"


def about_tagger(root):
    """Whether git can write a tag, which comes last."""
    try:
        git(root, "var", "GIT_COMMITTER_IDENT")
    except Problem:
        yield "git does not know who tags: set user.name and user.email with git config"


def problems(root, version):
    number(version)
    with open(os.path.join(root, "CHANGELOG.md"), encoding="utf-8") as file:
        changelog = file.read()
    return [*about_clone(root), *about_tree(root), *about_version(root, version), *about_changelog(changelog, version),
            *about_places(root, version), *about_contracts(root)]


def take_note(root, write):
    """Notes something about tests, which have passed or not, whether or not that can be written."""
    try:
        write(root)
    except OSError as error:
        print(f"release.py: not noted for make release: {error.filename}: {error.strerror}", file=sys.stderr)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0], allow_abbrev=False)
    parser.add_argument("--tests", action="store_true", help="git must know who tags, and all tests must have passed")
    parser.add_argument("--testing", action="store_true", help="note which commit is tested, and check nothing")
    parser.add_argument("--passed", action="store_true", help="note that the tests have passed, and check nothing")
    parser.add_argument("version", nargs="?", default="", help="three numbers, as in 1.0.0")
    options = parser.parse_args()
    if options.testing or options.passed:
        take_note(ROOT, note_testing if options.testing else note_passed)
        return
    try:
        found = problems(ROOT, options.version)
        if options.tests:
            found += [*about_tests(ROOT), *about_tagger(ROOT)]
    except Problem as problem:
        found = [str(problem)]
    except OSError as error:
        found = [f"{error.filename}: {error.strerror}"]
    for text in found:
        print(f"error: {text}", file=sys.stderr)
    if found:
        sys.exit(1)
    print(f"Nothing stands in the way of release {options.version}.")


if __name__ == "__main__":
    main()
