#!/usr/bin/env python3
"""Makes a Debian package of a program that contains the Swift runtime.

  deploy/packaging/deb.py PROGRAM FOLDER

`make deb` builds the program and calls this. The package has the program, its manual pages and
completions, the systemd unit, an example, and /etc/apns-bridge for connector files. What it depends
on is what dpkg-shlibdeps finds in the program. SOURCE_DATE_EPOCH sets all times in it.

A package that is made on Debian 12 is installed on Debian 13 as well: the libraries are the same, and
where Debian 13 renamed a package, the new one provides the old name.
"""

import argparse
import gzip
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile

from sbom import Problem, product_version, text_of

MAINTAINER = "The maintainers of apns-bridge <maintainers@apns-bridge.invalid>"
# Not linked, but read at run time: zones of dates with the library for them, which has another name
# in Debian 13, the authorities of Apple's certificates, and what the script after the installation
# calls.
READ = ["adduser", "ca-certificates", "libcctz2.4 | libcctz2", "tzdata"]
COMPLETIONS = {
    "bash": "usr/share/bash-completion/completions/apns-bridge",
    "zsh": "usr/share/zsh/vendor-completions/_apns-bridge",
    "fish": "usr/share/fish/vendor_completions.d/apns-bridge.fish",
}
EXAMPLES = ["connectors/orders.yaml", "connectors/orders.example.json"]
UNIT = "usr/lib/systemd/system/apns-bridge.service"

SCRIPTS = {
    # The unit has DynamicUser=yes, which takes a user of its name where there is one: so the
    # connector files need not be readable by everybody.
    "postinst": """#!/bin/sh
set -e
if [ "$1" = configure ]; then
  adduser --system --quiet --group --no-create-home --home /nonexistent \\
    --gecos 'Bridge from Kafka to APNs' apns-bridge
  if [ -z "$2" ]; then
    chown root:apns-bridge /etc/apns-bridge
    chmod 0750 /etc/apns-bridge
  fi
  if [ -d /run/systemd/system ]; then
    systemctl daemon-reload
    # One that failed starts, too: what another version did not understand, this one may.
    if [ -n "$2" ] && systemctl --quiet is-failed apns-bridge.service \\
      && systemctl --quiet is-enabled apns-bridge.service; then
      systemctl start apns-bridge.service || true
    elif [ -n "$2" ]; then
      systemctl try-restart apns-bridge.service || true
    fi
  fi
fi
""",
    "prerm": """#!/bin/sh
set -e
if [ "$1" = remove ] && [ -d /run/systemd/system ]; then
  systemctl --quiet disable --now apns-bridge.service || true
fi
""",
    "postrm": """#!/bin/sh
set -e
if [ -d /run/systemd/system ]; then systemctl daemon-reload; fi
""",
}

COPYRIGHT = """Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: apns-bridge

Files: *
Copyright: the authors of apns-bridge
License: Apache-2.0
 On Debian systems the whole license is in /usr/share/common-licenses/Apache-2.0.
Comment: The program contains the Swift runtime, under the same license with its runtime library
 exception.
"""


def run(*command, **options):
    """What a command prints; a problem that names it if it fails."""
    try:
        ending = subprocess.run(command, capture_output=True, check=False, **options)
    except OSError as error:
        raise Problem(f"{command[0]}: {error.strerror}") from None
    if ending.returncode != 0:
        lines = ending.stderr.decode(errors="replace").strip().splitlines() or ["no output"]
        raise Problem(f"{os.path.basename(command[0])} exited with {ending.returncode}: {lines[-1]}")
    return ending.stdout


def unit():
    """The unit, for a program that lies where packages put it."""
    text = text_of("deploy/systemd/apns-bridge.service")
    text = re.sub(r"\A(#.*\n|\n)+", "", text)
    if text.count("/usr/local/bin/") != 1:
        raise Problem("deploy/systemd/apns-bridge.service: ExecStart is not in /usr/local/bin")
    return text.replace("/usr/local/bin/", "/usr/bin/")


def stage(program, root):
    """Puts everything where it will be installed, below `root`."""
    def put(path, data, mode=0o644):
        place = os.path.join(root, path)
        os.makedirs(os.path.dirname(place), exist_ok=True)
        with open(place, "wb") as file:
            file.write(data if isinstance(data, bytes) else data.encode())
        os.chmod(place, mode)

    os.makedirs(os.path.join(root, "usr/bin"))
    shutil.copyfile(program, os.path.join(root, "usr/bin/apns-bridge"))
    os.chmod(os.path.join(root, "usr/bin/apns-bridge"), 0o755)
    pages = run(program, "man", "--list").decode().split()
    if "apns-bridge" not in pages:
        raise Problem(f"{program}: this is not apns-bridge: 'man --list' does not print its name")
    for page in pages:
        put(f"usr/share/man/man1/{page}.1.gz", gzip.compress(run(program, "man", page), mtime=0))
    for shell, path in COMPLETIONS.items():
        put(path, run(program, "completions", shell))
    put(UNIT, unit())
    documents = "usr/share/doc/apns-bridge"
    put(f"{documents}/copyright", COPYRIGHT)
    put(f"{documents}/changelog.gz", gzip.compress(text_of("CHANGELOG.md").encode(), mtime=0))
    for path in EXAMPLES:
        put(f"{documents}/examples/{os.path.basename(path)}", text_of(path))
    os.makedirs(os.path.join(root, "etc/apns-bridge"))


def needs(program):
    """The packages of the libraries that a program links, with their oldest versions."""
    with tempfile.TemporaryDirectory() as folder:
        os.mkdir(os.path.join(folder, "debian"))
        with open(os.path.join(folder, "debian/control"), "w", encoding="utf-8") as file:
            file.write("Source: apns-bridge\n\nPackage: apns-bridge\nArchitecture: any\n")
        text = run("dpkg-shlibdeps", "-O", os.path.abspath(program), cwd=folder).decode()
    found = re.search(r"^shlibs:Depends=(.+)$", text, re.MULTILINE)
    if not found:
        raise Problem(f"{program}: dpkg-shlibdeps finds no library in it")
    return found.group(1).split(", ")


def control(version, architecture, depends, size):
    return f"""Package: apns-bridge
Version: {version}
Architecture: {architecture}
Maintainer: {MAINTAINER}
Installed-Size: {size}
Depends: {", ".join(sorted(depends + READ))}
Section: net
Priority: optional
Description: bridge from Kafka to the Apple Push Notification service
 Turns Kafka records into Apple push notifications as connector files say, and
 reports the outcome of each.
"""


def seal(root, version, architecture, depends):
    """Adds what dpkg reads: the control file, the scripts, and the sums of all files."""
    files = sorted(
        os.path.relpath(os.path.join(folder, name), root)
        for folder, _, names in os.walk(root) for name in names)
    sums, size = "", 0
    for path in files:
        with open(os.path.join(root, path), "rb") as file:
            data = file.read()
        sums += f"{hashlib.md5(data).hexdigest()}  {path}\n"
        size += len(data)
    place = os.path.join(root, "DEBIAN")
    os.mkdir(place)
    texts = {"control": control(version, architecture, depends, -(-size // 1024)),
             "md5sums": sums, **SCRIPTS}
    for name, text in texts.items():
        path = os.path.join(place, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(path, 0o755 if name in SCRIPTS else 0o644)


def build(program, folder, depends=None):
    """Makes the package in a folder, and returns its path."""
    if not os.path.isfile(program):
        raise Problem(f"{program}: no such file: make deb builds it")
    if not os.path.isdir(folder):
        raise Problem(f"{folder}: no such folder")
    version = product_version(text_of("Sources/apns-bridge/VersionVerb.swift")) + "-1"
    architecture = run("dpkg", "--print-architecture").decode().strip()
    path = os.path.join(folder, f"apns-bridge_{version}_{architecture}.deb")
    with tempfile.TemporaryDirectory() as root:
        os.chmod(root, 0o755)
        os.umask(0o022)
        stage(os.path.abspath(program), root)
        # The staged copy has no symbols; dpkg-shlibdeps does not need them.
        if depends is None:
            run("strip", "--strip-unneeded", os.path.join(root, "usr/bin/apns-bridge"))
            depends = needs(os.path.join(root, "usr/bin/apns-bridge"))
        seal(root, version, architecture, depends)
        run("dpkg-deb", "--root-owner-group", "--build", root, path)
    return path


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("program", help="executable with the Swift runtime inside")
    parser.add_argument("folder", help="folder to write the package to")
    options = parser.parse_args()
    try:
        print(build(options.program, options.folder))
    except Problem as problem:
        sys.exit(f"deb.py: {problem}")


if __name__ == "__main__":
    main()
