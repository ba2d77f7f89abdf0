#!/usr/bin/env python3
"""Installs a Debian package in a clean Debian 12 and 13, uses it, upgrades it, goes back, and removes
it: `make test-deb`.

  Tests/Packaging/clean_install.py PACKAGE

Needs root, debootstrap and a mirror of Debian; without the first two it says so and passes.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile

from clean_system import RELEASES, CleanSystem, expect, missing


# The library for time zones is found when a file with a date is read.
DATED = """source: {topics: [orders], group: orders}
kafka: {bootstrap.servers: "localhost:9092"}
apns: {environment: production, key: "${file:none.p8}", key_id: ABC123DEFG, team_id: DEF123GHIJ, bundle_id: com.example.shop}
notification: {device_token: "${token}", payload: {aps: {alert: "at ${at | date('%H:%M', 'Europe/Berlin')}"}}}
results: {outcomes: a, unregistered: b, dead_letter: c}
"""
EVENT = '{"token": "%s", "at": "2026-01-01T12:00:00Z"}' % ("a1" * 32)


def package_of_next_release(package, folder):
    """The same package with a higher version."""
    content, version = os.path.join(folder, "next"), "9.9.9-1"
    subprocess.run(["dpkg-deb", "--raw-extract", package, content], check=True)
    control = os.path.join(content, "DEBIAN/control")
    with open(control, encoding="utf-8") as file:
        text = re.sub(r"^Version: .*$", f"Version: {version}", file.read(), flags=re.MULTILINE)
    with open(control, "w", encoding="utf-8") as file:
        file.write(text)
    path = os.path.join(folder, f"apns-bridge_{version}.deb")
    subprocess.run(
        ["dpkg-deb", "--root-owner-group", "--build", content, path], check=True,
        stdout=subprocess.DEVNULL)
    return path


def check_settings(system, mode, when):
    """Whether the folder of connector files is as it was left."""
    found = system.run("stat -c '%U:%G %a' /etc/apns-bridge").strip()
    expect(found == f"root:apns-bridge {mode}", f"{when} /etc/apns-bridge is {found}")


def check(system, package, next_release):
    names = [os.path.basename(path) for path in (package, next_release)]
    for path, name in zip((package, next_release), names):
        shutil.copyfile(path, f"{system.folder}/{name}")
    install = "apt-get install -qq -y --no-install-recommends"
    system.run(f"apt-get update -qq && {install} /{names[0]}")
    expect("librdkafka 2" in system.run("apns-bridge version"), "the program has no librdkafka")
    for name, text in {"dated.yaml": DATED, "event.json": EVENT}.items():
        with open(f"{system.folder}/{name}", "w", encoding="utf-8") as file:
            file.write(text)
    rendered = system.run("cd / && apns-bridge render dated.yaml event.json")
    expect("at 13:00" in rendered, f"a date in a zone is written wrongly:\n{rendered}")
    expect(".TH" in system.run("gzip -dc /usr/share/man/man1/apns-bridge-run.1.gz"), "no manual")
    expect("apns-bridge" in system.run("id apns-bridge"), "the user is missing")
    check_settings(system, 750, "after the installation")
    system.run("apns-bridge run /etc/apns-bridge", code=66)
    system.run("cd /etc/apns-bridge; echo key >/key; install -m 0640 -g apns-bridge /key AuthKey.p8")
    read = "cat /etc/apns-bridge/AuthKey.p8"
    expect(system.run(f"runuser -u apns-bridge -- {read}") == "key\n", "the key is not readable")
    system.run(f"runuser -u nobody -- {read}", code=1)
    system.run("rm /key /etc/apns-bridge/AuthKey.p8")
    print("installed")

    system.run("chmod 0700 /etc/apns-bridge; echo kept >/etc/apns-bridge/orders.yaml")
    for command, what in [(f"/{names[1]}", "upgraded"), (f"--allow-downgrades /{names[0]}", "downgraded"),
                          (f"--reinstall /{names[0]}", "installed again")]:
        system.run(f"{install} {command}")
        check_settings(system, 700, f"{what}:")
        print(what)

    delivered = system.run("apns-bridge demo")
    expect("error" not in delivered, f"the demo failed:\n{delivered}")
    print("used: " + delivered.strip().splitlines()[-1])

    system.run("apt-get purge -qq -y apns-bridge")
    expect(system.run("cat /etc/apns-bridge/orders.yaml") == "kept\n", "a connector file is gone")
    left = system.run("find / -xdev -path /proc -prune -o -name '*apns-bridge*' -print").split()
    kept = {f"/{name}" for name in names} | {"/etc/apns-bridge"}
    left = [path for path in left if path not in kept]
    expect(not left, f"left after the removal: {left}")
    print("removed")


def main():
    if len(sys.argv) != 2 or not os.path.isfile(sys.argv[1]):
        sys.exit("clean_install.py: name a package: make test-deb builds one")
    if missing():
        print(f"Skipped: an installation in a clean Debian needs {' and '.join(missing())}")
        return
    for release in RELEASES:
        print(f"Debian {release}:")
        with tempfile.TemporaryDirectory() as parent, \
                CleanSystem(os.path.join(parent, "debian"), release) as system:
            system.make()
            package = os.path.abspath(sys.argv[1])
            check(system, package, package_of_next_release(package, parent))


if __name__ == "__main__":
    main()
