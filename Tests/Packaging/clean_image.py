#!/usr/bin/env python3
"""Replays the runtime stage of the Dockerfile in a clean Debian, and uses it: `make test-image`.

  Tests/Packaging/clean_image.py PROGRAM

The steps are those of the Dockerfile, one after the other; PROGRAM stands in for what its build stage
makes. Prints how much they add to the base, compressed as an image is. Needs root, debootstrap and a
mirror of Debian; without the first two it says so and passes.
"""

import io
import os
import re
import shutil
import sys
import tarfile
import tempfile

import dockerfile
from clean_system import RELEASES, CleanSystem, expect, missing

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
LIMIT = 60_000_000
# What the kernel shows, and what a container engine mounts over.
NOT_IN_IMAGES = ["proc", "sys", "dev", "tmp", "run", "etc/resolv.conf", "etc/hosts"]


def files(folder):
    """What is in a folder, each with what changes when it does."""
    found = {}
    for path, folders, names in os.walk(folder):
        here = os.path.relpath(path, folder)
        if here in NOT_IN_IMAGES:
            folders.clear()
            continue
        for name in folders + names:
            status = os.lstat(os.path.join(path, name))
            inside = os.path.normpath(os.path.join(here, name))
            if inside not in NOT_IN_IMAGES:
                folder_or_file = 0 if name in folders else status.st_ctime_ns
                found[inside] = (status.st_ino, status.st_mode, folder_or_file)
    return found


class Size:
    """Counts what is written to it."""

    def __init__(self):
        self.bytes = 0

    def write(self, data):
        self.bytes += len(data)
        return len(data)


def compressed(folder, paths):
    """The bytes of a layer with these files, as gzip makes them."""
    size = Size()
    with tarfile.open(fileobj=size, mode="w|gz", bufsize=io.DEFAULT_BUFFER_SIZE) as layer:
        for path in sorted(paths):
            layer.add(os.path.join(folder, path), arcname=path, recursive=False)
    return size.bytes


def replay(system, stage, program):
    """Takes the steps of a stage, and returns the user and the folder that the last ones set."""
    user, folder = None, "/"
    for word, text in stage.steps:
        if word == "RUN":
            system.run(f"cd {folder} && {text}", user=user)
        elif word == "WORKDIR":
            folder = os.path.join(folder, text)
            os.makedirs(system.folder + folder, exist_ok=True)
        elif word == "USER":
            user = text
        elif word == "COPY":
            source, _, place = dockerfile.copy(text)
            expect(source == "build", f"COPY from {source or 'the folder'} into the image")
            shutil.copy(program, system.folder + place)
    return user, folder


def check(system, stage, user, folder):
    """Uses the image as its user does."""
    expect(re.fullmatch(r"[1-9]\d*:[1-9]\d*", user or ""), f"the user is {user}, not two numbers")
    program = " ".join(stage.words("ENTRYPOINT"))

    def use(command, code=0):
        return system.run(f"cd {folder} && {command}", user=user, code=code)

    expect(use("id -u; id -g").split() == user.split(":"), "the program runs as somebody else")
    expect("librdkafka 2" in use(f"{program} version"), "the program has no librdkafka")
    nowhere = use(f"{program} {' '.join(stage.words('CMD'))}", code=66)
    expect("/etc/apns-bridge/connectors" in nowhere, f"without connectors it says: {nowhere}")
    delivered = use(f"{program} demo")
    expect("error" not in delivered, f"the demo failed:\n{delivered}")
    print(f"used as {user}: {delivered.strip().splitlines()[-1]}")
    own = use("find / -xdev -path /proc -prune -o -writable ! -type l -print 2>/dev/null; true")
    beyond = [path for path in own.split()
              if not path.startswith(("/tmp", "/var/tmp", "/run/lock", "/dev", "/proc"))]
    expect(beyond == ["/var/lib/apns-bridge/simulator"], f"its user may write to {beyond}")


def main():
    if len(sys.argv) != 2 or not os.path.isfile(sys.argv[1]):
        sys.exit("clean_image.py: name the program: make test-image builds one")
    if missing():
        print(f"Skipped: the image's steps in a clean Debian need {' and '.join(missing())}")
        return
    with open(os.path.join(ROOT, "Dockerfile"), encoding="utf-8") as file:
        stage = dockerfile.stages(file.read())[-1]
    base = re.match(r"debian:(\w+)-slim", stage.base)
    expect(base and base.group(1) in RELEASES, f"the image starts from {stage.base}")
    with tempfile.TemporaryDirectory() as parent, \
            CleanSystem(os.path.join(parent, "debian"), base.group(1)) as system:
        os.chmod(parent, 0o755)
        system.make(slim=True)
        before = files(system.folder)
        user, folder = replay(system, stage, sys.argv[1])
        now = files(system.folder)
        added = [path for path, state in now.items() if before.get(path) != state]
        size = compressed(system.folder, added)
        alone = compressed(system.folder, ["usr/local/bin/apns-bridge"])
        check(system, stage, user, folder)
    print(f"The image adds {size / 1e6:.1f} MB to its base, compressed, {alone / 1e6:.1f} MB of them"
          f" the program; at most {LIMIT / 1e6:.0f} MB are allowed")
    expect(size <= LIMIT, "the image is too large")


if __name__ == "__main__":
    main()
