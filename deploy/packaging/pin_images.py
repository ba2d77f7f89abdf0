#!/usr/bin/env python3
"""Pins the images of others that the Dockerfile and docker-compose.yml name by digest.

Usage: pin_images.py [--check] [FILE...]

Asks the registry of each image (Docker Hub unless its name begins with a host) for the digest that
its tag has now, and writes `name:tag@sha256:...`; run it again to take newer images. With `--check`,
no file changes: it ends with exit code 1 if an image has no digest, or an older one than its tag.
REGISTRY_HOST and REGISTRY_AUTH name other servers than Docker Hub's, for a mirror and for tests.
"""
import json
import os
import pathlib
import re
import sys
import urllib.error
import urllib.parse
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
FILES = ["Dockerfile", "docker-compose.yml"]
# Built from this repository.
OWN = "apns-bridge"
LINE = re.compile(
    r"^(?P<start>\s*(?:FROM\s+(?:--platform=\S+\s+)?|image:\s+[\"']?))"
    r"(?P<name>[a-z0-9][a-z0-9._/:-]*?)(?::(?P<tag>[\w.-]+))?"
    r"(?:@(?P<digest>sha256:[0-9a-f]{64}))?(?P<end>[\"']?(?:\s.*)?)$")
NAMES_IMAGE = re.compile(r"^\s*(?:from|image:)\s|^\s*copy\s.*--from=\S*[:/]", re.IGNORECASE)
DIGEST = re.compile(r"^sha256:[0-9a-f]{64}$")
# What a tag of several architectures is, then what one of a single architecture is.
KINDS = ", ".join(
    ["application/vnd.oci.image.index.v1+json",
     "application/vnd.docker.distribution.manifest.list.v2+json",
     "application/vnd.oci.image.manifest.v1+json",
     "application/vnd.docker.distribution.manifest.v2+json"])
TIMEOUT = 30


class Problem(Exception):
    """One line about what is wrong, and what to do."""


def images(text):
    """Each line that names an image of others, as its number and the match."""
    built = {"scratch"}
    for number, line in enumerate(text.splitlines()):
        found = LINE.match(line)
        if not found:
            if NAMES_IMAGE.match(line):
                raise Problem(f"line {number + 1} is not understood: {line.strip()}")
            continue
        stage = re.search(r"\sAS\s+(\S+)", line, re.IGNORECASE)
        if found["name"] not in built | {OWN}:
            yield number, found
        if stage:
            built.add(stage.group(1))


def place(name):
    """The servers of an image's registry, and its name there."""
    host, _, rest = name.partition("/")
    if rest and ("." in host or ":" in host or host == "localhost"):
        return f"https://{host}", None, rest
    registry = os.environ.get("REGISTRY_HOST", "https://registry-1.docker.io")
    login = os.environ.get("REGISTRY_AUTH", "https://auth.docker.io")
    return registry, login, name if rest else f"library/{name}"


def ask(url, method="GET", **headers):
    request = urllib.request.Request(url, method=method, headers=headers)
    try:
        with urllib.request.urlopen(request, timeout=TIMEOUT) as response:
            return response.headers, response.read(1 << 20)
    except urllib.error.HTTPError as error:
        remedy = "check the image's name and tag" if error.code == 404 else "try it again later"
        raise Problem(f"{url} responded with {error.code}: {remedy}") from None
    except OSError as error:
        reason = getattr(error, "reason", error)
        raise Problem(f"{url}: {reason}: run this where the registry can be reached") from None


def current_digest(name, tag):
    """The digest that a tag has now."""
    registry, login, path = place(name)
    headers = {"Accept": KINDS}
    if login:
        query = urllib.parse.urlencode(
            {"service": "registry.docker.io", "scope": f"repository:{path}:pull"})
        _, body = ask(f"{login}/token?{query}")
        try:
            headers["Authorization"] = f"Bearer {json.loads(body)['token']}"
        except (ValueError, KeyError, TypeError):
            raise Problem(f"{login}/token: the response contains no token") from None
    found, _ = ask(f"{registry}/v2/{path}/manifests/{tag}", "HEAD", **headers)
    digest = found.get("Docker-Content-Digest", "")
    if not DIGEST.match(digest):
        raise Problem(f"{registry}: the response for {name}:{tag} contains no digest")
    return digest


def pinned(line, digest):
    return f"{line['start']}{line['name']}:{line['tag']}@{digest}{line['end'] or ''}"


def pin(path, digests, only_checks):
    """Pins the images of a file; what is wrong if it is only checked."""
    text = path.read_text(encoding="utf-8")
    lines = text.splitlines()
    for number, line in images(text):
        if not line["tag"]:
            raise Problem(f"{path.name}:{number + 1}: {line['name']} has no tag: name a version")
        image = (line["name"], line["tag"])
        if image not in digests:
            digests[image] = current_digest(*image)
        if line["digest"] == digests[image]:
            continue
        if only_checks:
            state = "an older digest" if line["digest"] else "no digest"
            yield f"{path.name}:{number + 1}: {':'.join(image)} has {state}: make pin-images"
        lines[number] = pinned(line, digests[image])
    if not only_checks:
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def main(arguments):
    only_checks = "--check" in arguments
    unknown = [word for word in arguments if word.startswith("-") and word != "--check"]
    if unknown:
        print(f"error: unknown option {unknown[0]}: the only ones are --check and --help",
              file=sys.stderr)
        return 2
    paths = [pathlib.Path(word) for word in arguments if word != "--check"]
    digests, mistakes = {}, []
    try:
        for path in paths or [ROOT / name for name in FILES]:
            mistakes += pin(path, digests, only_checks)
    except (Problem, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    for (name, tag), digest in digests.items():
        print(f"{name}:{tag} {digest}")
    for mistake in mistakes:
        print(f"error: {mistake}", file=sys.stderr)
    return 1 if mistakes else 0


if __name__ == "__main__":
    if "--help" in sys.argv:
        print(__doc__.strip())
        sys.exit(0)
    sys.exit(main(sys.argv[1:]))
