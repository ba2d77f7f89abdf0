#!/usr/bin/env python3
"""Makes what a release publishes, in .build/releases/VERSION; `make release` calls this.

  deploy/packaging/artefacts.py -- VERSION PROGRAM

The program must have been built from the current commit of a clean tree. A folder of that release which exists
already is replaced once everything is there. Times in the files are SOURCE_DATE_EPOCH, or that of the commit, so
that the same commit gives the same bytes.
"""

import argparse
import gzip
import hashlib
import io
import json
import os
import re
import shutil
import sys
import tarfile
import tempfile

import deb
from sbom import ROOT, Problem

# What the tarball has of the repository, besides the program.
TEXTS = ["LICENSE", "README.md", "CHANGELOG.md", "SECURITY.md"]
FOLDERS = ["connectors", "deploy/grafana", "deploy/kubernetes", "deploy/prometheus", "deploy/systemd"]
# What the Dockerfile copies, and what it reads.
CONTEXT = ["Dockerfile", ".dockerignore", "Package.swift", "Sources", "Tests", "Benchmarks"]
REVISION = "ARG REVISION=unknown"


def git(*arguments):
    return deb.run("git", "-C", ROOT, *arguments)


def check(program, version, commit):
    """Whether the program says that it is this release of this commit."""
    try:
        said = json.loads(deb.run(program, "version", "--format", "json"))
    except ValueError:
        raise Problem(f"{program}: this is not apns-bridge: 'version' prints no JSON") from None
    for name, expected in {"apns-bridge": version, "commit": commit, "tree": "clean"}.items():
        if said.get(name) != expected:
            raise Problem(f"{program}: its {name} is {said.get(name)}, not {expected}: build it again with make release")


class Tar:
    """A compressed archive in which the order, the owner and the times say nothing about this machine."""

    def __init__(self, top, time):
        self.top, self.time, self.files = top, time, {}

    def add(self, path, data, is_program=False):
        self.files[path] = (data, 0o755 if is_program else 0o644)

    def add_tracked(self, paths):
        """Adds files of the current commit."""
        archive = git("archive", "--format=tar", "HEAD", "--", *paths)
        with tarfile.open(fileobj=io.BytesIO(archive)) as source:
            for member in source.getmembers():
                if member.isfile():
                    self.add(member.name, source.extractfile(member).read(), bool(member.mode & 0o100))

    def bytes(self):
        plain = io.BytesIO()
        with tarfile.open(fileobj=plain, mode="w", format=tarfile.PAX_FORMAT) as archive:
            for path, (data, mode) in sorted(self.files.items()):
                member = tarfile.TarInfo(os.path.join(self.top, path))
                member.size, member.mode, member.mtime = len(data), mode, self.time
                archive.addfile(member, io.BytesIO(data))
        compressed = io.BytesIO()
        with gzip.GzipFile(filename="", mode="wb", fileobj=compressed, mtime=self.time) as file:
            file.write(plain.getvalue())
        return compressed.getvalue()


def tarball(name, program, document, time, strips):
    """The program with all that belongs to it, for systems without packages of Debian."""
    tar = Tar(name, time)
    with tempfile.TemporaryDirectory() as root:
        deb.stage(program, root)
        if strips:
            deb.run("strip", "--strip-unneeded", os.path.join(root, "usr/bin/apns-bridge"))
        for part, place in [("usr/bin", "bin"), ("usr/share", "share")]:
            for folder, _, names in os.walk(os.path.join(root, part)):
                for file in names:
                    path = os.path.join(folder, file)
                    inside = os.path.join(place, os.path.relpath(path, os.path.join(root, part)))
                    if inside.startswith("share/doc/"):
                        continue
                    with open(path, "rb") as source:
                        tar.add(inside, source.read(), place == "bin")
    tar.add_tracked(TEXTS + FOLDERS)
    tar.add("copyright", deb.COPYRIGHT.encode())
    tar.add("apns-bridge.cdx.json", document)
    return tar.bytes()


def context(name, commit, time):
    """What `docker build -` takes, with the commit in the Dockerfile: there is no git in it."""
    tar = Tar("", time)
    tar.add_tracked(CONTEXT)
    dockerfile = tar.files["Dockerfile"][0].decode()
    if dockerfile.count(REVISION + "\n") != 1:
        raise Problem(f"Dockerfile: no line like: {REVISION}")
    tar.add("Dockerfile", dockerfile.replace(REVISION, f"ARG REVISION={commit}").encode())
    return tar.bytes()


def components(environment):
    """The list of what the program contains."""
    script = os.path.join(ROOT, "deploy/packaging/sbom.py")
    return deb.run(sys.executable, "-B", script, env=environment)


def build(version, program, folder, document=None, depends=None):
    """Writes all artefacts and their checksums to a folder. Without `depends`, the program is stripped and asked
    what it links."""
    program = os.path.abspath(program)
    commit = git("rev-parse", "HEAD").decode().strip()
    check(program, version, commit)
    epoch = os.environ.get("SOURCE_DATE_EPOCH") or git("log", "-1", "--format=%ct").decode().strip()
    if not re.fullmatch(r"\d+", epoch):
        raise Problem(f"SOURCE_DATE_EPOCH={epoch}: write seconds since 1970, such as 1767261600")
    environment = {**os.environ, "SOURCE_DATE_EPOCH": epoch}
    document = document or components(environment)
    architecture = deb.run("dpkg", "--print-architecture").decode().strip()
    name = f"apns-bridge-{version}"
    files = {
        f"{name}-linux-{architecture}.tar.gz":
            tarball(name, program, document, int(epoch), depends is None),
        f"{name}-image.tar.gz": context(name, commit, int(epoch)),
        f"{name}.cdx.json": document,
    }
    for path, data in files.items():
        with open(os.path.join(folder, path), "wb") as file:
            file.write(data)
    os.environ["SOURCE_DATE_EPOCH"] = epoch
    deb.build(program, folder, depends)
    sums = "".join(f"{digest(os.path.join(folder, file))}  {file}\n" for file in sorted(os.listdir(folder)))
    with open(os.path.join(folder, "SHA256SUMS"), "w", encoding="ascii") as file:
        file.write(sums)


def digest(path):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def publish(version, program, place, **options):
    """Builds beside the place, and moves everything there at once."""
    os.makedirs(os.path.dirname(place), exist_ok=True)
    folder = tempfile.mkdtemp(dir=os.path.dirname(place))
    try:
        os.chmod(folder, 0o755)
        build(version, program, folder, **options)
        shutil.rmtree(place, ignore_errors=True)
        os.rename(folder, place)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0], allow_abbrev=False)
    parser.add_argument("version", help="three numbers, as in 1.0.0")
    parser.add_argument("program", help="executable with the Swift runtime inside")
    options = parser.parse_args()
    place = os.path.join(ROOT, ".build/releases", options.version)
    try:
        publish(options.version, options.program, place)
    except Problem as problem:
        sys.exit(f"artefacts.py: {problem}")
    except OSError as error:
        sys.exit(f"artefacts.py: {error.filename}: {error.strerror}")
    with open(os.path.join(place, "SHA256SUMS"), encoding="ascii") as file:
        print(file.read(), end="")
    print(place)


if __name__ == "__main__":
    main()
