#!/usr/bin/env python3
"""Prints what the program and its container image contain, as a CycloneDX 1.5 document.

  deploy/packaging/sbom.py [--image IMAGE] [--output FILE]

With --image, `docker run` lists every Debian package of that image. Without it, the packages are
those that the runtime stage of the Dockerfile installs, with all that they depend on, in the
versions of this machine: what a program that was built here runs with.

SOURCE_DATE_EPOCH sets the time in the document, so that two runs give the same bytes.
"""

import argparse
import datetime
import json
import os
import re
import subprocess
import sys
import urllib.parse
import uuid

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))

# Prints a line for each package, and the lines of copyright files that name a licence.
LISTING = r"""
. /etc/os-release; printf 'D\t%s\t%s\n' "$ID" "$VERSION_ID"
dpkg-query -W -f 'P\t${db:Status-Abbrev}\t${Package}\t${Version}\t${Architecture}\t${source:Package}\t${Depends}, ${Pre-Depends}\t${Provides}\n'
grep -is '^license: ' /usr/share/doc/*/copyright || true
"""

# Names in Debian's copyright files that SPDX spells differently.
SPDX = {
    "apache-2": "Apache-2.0", "apache-2.0": "Apache-2.0", "bsd-2-clause": "BSD-2-Clause",
    "bsd-3-clause": "BSD-3-Clause", "bsl-1.0": "BSL-1.0", "expat": "MIT", "mit": "MIT",
    "isc": "ISC", "zlib": "Zlib", "curl": "curl",
    "gpl-2": "GPL-2.0-only", "gpl-2+": "GPL-2.0-or-later",
    "gpl-2.0+": "GPL-2.0-or-later", "gpl-3": "GPL-3.0-only", "gpl-3+": "GPL-3.0-or-later",
    "gpl-3.0+": "GPL-3.0-or-later", "lgpl-2": "LGPL-2.0-only", "lgpl-2+": "LGPL-2.0-or-later",
    "lgpl-2.1": "LGPL-2.1-only", "lgpl-2.1+": "LGPL-2.1-or-later", "lgpl-3": "LGPL-3.0-only",
    "lgpl-3+": "LGPL-3.0-or-later", "mpl-2.0": "MPL-2.0",
}

# Packages whose copyright files are prose.
KNOWN = {
    "openssl": ["Apache-2.0"], "libyaml": ["MIT"], "nghttp2": ["MIT"],
    "librdkafka": ["BSD-2-Clause"], "libmicrohttpd": ["LGPL-2.1-or-later"],
    "curl": ["curl"], "cctz": ["Apache-2.0"],
    "protobuf": ["BSD-3-Clause"], "tzdata": ["public-domain"], "zlib": ["Zlib"],
}


# Packages of the image that Debian 12, where the program is built, has under other names.
EARLIER_NAMES = {
    "libcctz2.4": "libcctz2", "libcurl4t64": "libcurl4", "libmicrohttpd12t64": "libmicrohttpd12",
    "libprotobuf32t64": "libprotobuf32", "libssl3t64": "libssl3",
}


class Problem(Exception):
    """Why there is no document; one line."""


def text_of(path):
    try:
        with open(os.path.join(ROOT, path), encoding="utf-8") as file:
            return file.read()
    except OSError as error:
        raise Problem(f"{path}: {error.strerror}") from None


def product_version(source):
    found = re.search(r'static let product = "([^"]+)"', source)
    if not found:
        raise Problem('Sources/apns-bridge/VersionVerb.swift: no line like: static let product = "1.2.3"')
    return found.group(1)


def swift_version(dockerfile):
    found = re.search(r"^FROM swift:([0-9.]+)", dockerfile, re.MULTILINE)
    if not found:
        raise Problem("Dockerfile: no line like: FROM swift:6.3-bookworm AS build")
    return found.group(1)


def runtime_packages(dockerfile):
    """The packages that the last stage installs."""
    lines = dockerfile.replace("\\\n", " ").splitlines()
    last = max((n for n, line in enumerate(lines) if line.startswith("FROM ")), default=0)
    found = re.search(r"apt-get install ([^&]+)", "\n".join(lines[last:]))
    names = [word for word in found.group(1).split() if word[0] != "-"] if found else []
    if not names:
        raise Problem("Dockerfile: its last stage installs no package with apt-get install")
    return names


def listing(image):
    """What the packages of an image are, or those of this machine."""
    command = ["sh", "-c", LISTING]
    if image:
        command = ["docker", "run", "--rm", "--entrypoint", "sh", image, "-c", LISTING]
    try:
        ending = subprocess.run(command, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        raise Problem(f"{command[0]} is not installed: leave out --image") from None
    if ending.returncode != 0:
        lines = ending.stderr.strip().splitlines() or ["no output"]
        line = next((line for line in lines if line.startswith("docker: ")), lines[-1])
        raise Problem(f"cannot list the packages{' of ' + image if image else ''}: {line}")
    return ending.stdout


class Packages:
    """The installed packages of a Debian system."""

    def __init__(self, text):
        self.vendor = self.distribution = "debian"
        self.rows = {}
        self.licences = {}
        self.providers = {}
        for line in text.splitlines():
            found = re.match(r"/usr/share/doc/([^/]+)/copyright:license: *(.+)", line, re.I)
            if found:
                self.licences.setdefault(found.group(1), []).append(found.group(2))
                continue
            kind, *fields = line.split("\t")
            if kind == "D":
                self.distribution = "-".join(field for field in fields if field)
                self.vendor = fields[0]
            elif kind == "P" and fields[0].startswith("ii"):
                self._add(*fields[1:])
        if not self.rows:
            raise Problem("dpkg-query lists no installed package: this is not Debian")

    def _add(self, name, version, architecture, source, depends, provides):
        self.rows[name] = (version, architecture, source or name, depends)
        for word in provides.split(","):
            virtual = word.split("(")[0].strip()
            if virtual:
                self.providers.setdefault(virtual, name)

    def named_here(self, names):
        """The packages under the names that this system has for them."""
        return [name if name in self.rows else EARLIER_NAMES.get(name, name) for name in names]

    def needs(self, name):
        """The installed packages that a package depends on."""
        found = set()
        for alternatives in self.rows[name][3].split(","):
            for word in alternatives.split("|"):
                other = word.split("(")[0].split(":")[0].strip()
                other = other if other in self.rows else self.providers.get(other)
                if other:
                    found.add(other)
                    break
        return found - {name}

    def with_all_needs(self, names):
        missing = [name for name in names if name not in self.rows]
        if missing:
            raise Problem(
                f"not installed here: {' '.join(missing)}: install them, or use --image")
        found, rest = set(), list(names)
        while rest:
            name = rest.pop()
            if name not in found:
                found.add(name)
                rest += self.needs(name)
        return found

    def purl(self, name):
        version, architecture, _, _ = self.rows[name]
        return (f"pkg:deb/{self.vendor}/{name}@{urllib.parse.quote(version, safe='.-~')}"
                f"?arch={architecture}&distro={self.distribution}")

    def component(self, name):
        version, _, source, _ = self.rows[name]
        reference = self.purl(name)
        component = {"type": "library", "bom-ref": reference, "name": name, "version": version,
                     "purl": reference}
        licences = KNOWN.get(source) or sorted(
            {SPDX.get(word.lower(), word.strip()) for word in self.licences.get(name, [])})
        if licences:
            component["licenses"] = [licence(word) for word in licences]
        component["properties"] = [{"name": "debian:source", "value": source}]
        return component


def licence(word):
    is_known = word in SPDX.values()
    return {"license": {"id": word} if is_known else {"name": word}}


def swift_runtime(version):
    reference = f"pkg:swift/github.com/swiftlang/swift@{version}"
    return {
        "type": "library", "bom-ref": reference, "name": "swift-runtime", "version": version,
        "description": "Swift's standard library, Concurrency and FoundationEssentials,"
                       " inside the program",
        "purl": reference, "licenses": [{"expression": "Apache-2.0 WITH Swift-exception"}]}


def document(version, swift, direct, packages, is_image, time):
    """The document: `direct` are the packages that the program itself needs."""
    names = sorted(packages.rows) if is_image else sorted(packages.with_all_needs(direct))
    product = f"pkg:generic/apns-bridge@{version}"
    runtime = swift_runtime(swift)
    components = [runtime] + [packages.component(name) for name in names]
    known = set(names)
    graph = [{"ref": product, "dependsOn":
              [runtime["bom-ref"]] + [packages.purl(name) for name in sorted(direct)]},
             {"ref": runtime["bom-ref"], "dependsOn": []}]
    graph += [{"ref": packages.purl(name), "dependsOn":
               [packages.purl(other) for other in sorted(packages.needs(name) & known)]}
              for name in names]
    main = {"type": "application", "bom-ref": product, "name": "apns-bridge", "version": version,
            "purl": product, "licenses": [{"license": {"id": "Apache-2.0"}}]}
    body = json.dumps([main, components, graph])
    return {
        "$schema": "http://cyclonedx.org/schema/bom-1.5.schema.json",
        "bomFormat": "CycloneDX", "specVersion": "1.5",
        "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, body)}", "version": 1,
        "metadata": {"timestamp": time, "component": main},
        "components": components, "dependencies": graph}


def timestamp():
    seconds = os.environ.get("SOURCE_DATE_EPOCH", "")
    if seconds and not seconds.isdigit():
        raise Problem(f"SOURCE_DATE_EPOCH={seconds}: write seconds since 1970, such as 1767261600")
    now = datetime.datetime.now(datetime.timezone.utc)
    if seconds:
        now = datetime.datetime.fromtimestamp(int(seconds), datetime.timezone.utc)
    return now.strftime("%Y-%m-%dT%H:%M:%SZ")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--image", help="container image to list the packages of")
    parser.add_argument("--output", help="file to write; standard output by default")
    options = parser.parse_args()
    try:
        time = timestamp()
        dockerfile = text_of("Dockerfile")
        packages = Packages(listing(options.image))
        direct = packages.named_here(runtime_packages(dockerfile))
        packages.with_all_needs(direct)
        text = json.dumps(document(
            product_version(text_of("Sources/apns-bridge/VersionVerb.swift")),
            swift_version(dockerfile), direct, packages, bool(options.image), time),
            indent=2) + "\n"
        if not options.output:
            sys.stdout.write(text)
            return
        try:
            with open(options.output, "w", encoding="utf-8") as file:
                file.write(text)
        except OSError as error:
            raise Problem(f"{options.output}: {error.strerror}") from None
    except Problem as problem:
        sys.exit(f"sbom.py: {problem}")


if __name__ == "__main__":
    main()
