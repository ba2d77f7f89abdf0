#!/usr/bin/env python3
"""Installs a Debian package in a clean Debian, uses it, and removes it: `make test-deb`.

  Tests/Packaging/clean_install.py PACKAGE

Needs root, debootstrap and a mirror of Debian; without the first two it says so and passes.
"""

import os
import shutil
import sys
import tempfile

from clean_system import CleanSystem, expect, missing


def check(system, package):
    name = os.path.basename(package)
    shutil.copyfile(package, f"{system.folder}/{name}")
    install = f"apt-get install -qq -y --no-install-recommends --reinstall /{name}"
    system.run(install)
    expect("librdkafka 2" in system.run("apns-bridge version"), "the program has no librdkafka")
    expect(".TH" in system.run("gzip -dc /usr/share/man/man1/apns-bridge-run.1.gz"), "no manual")
    expect("apns-bridge" in system.run("id apns-bridge"), "the user is missing")
    mode = system.run("stat -c '%U:%G %a' /etc/apns-bridge").strip()
    expect(mode == "root:apns-bridge 750", f"/etc/apns-bridge is {mode}")
    system.run("apns-bridge run /etc/apns-bridge", code=66)
    system.run("cd /etc/apns-bridge; echo key >/key; install -m 0640 -g apns-bridge /key AuthKey.p8")
    read = "cat /etc/apns-bridge/AuthKey.p8"
    expect(system.run(f"runuser -u apns-bridge -- {read}") == "key\n", "the key is not readable")
    system.run(f"runuser -u nobody -- {read}", code=1)
    system.run("rm /key /etc/apns-bridge/AuthKey.p8")
    print("installed")

    system.run("chmod 0700 /etc/apns-bridge; echo kept >/etc/apns-bridge/orders.yaml")
    system.run(install)
    mode = system.run("stat -c '%U:%G %a' /etc/apns-bridge").strip()
    expect(mode == "root:apns-bridge 700", f"after an update /etc/apns-bridge is {mode}")
    print("updated")

    delivered = system.run("apns-bridge demo")
    expect("error" not in delivered, f"the demo failed:\n{delivered}")
    print("used: " + delivered.strip().splitlines()[-1])

    system.run("apt-get purge -qq -y apns-bridge")
    expect(system.run("cat /etc/apns-bridge/orders.yaml") == "kept\n", "a connector file is gone")
    left = system.run("find / -xdev -path /proc -prune -o -name '*apns-bridge*' -print").split()
    left = [path for path in left if path not in (f"/{name}", "/etc/apns-bridge")]
    expect(not left, f"left after the removal: {left}")
    print("removed")


def main():
    if len(sys.argv) != 2 or not os.path.isfile(sys.argv[1]):
        sys.exit("clean_install.py: name a package: make test-deb builds one")
    if missing():
        print(f"Skipped: an installation in a clean Debian needs {' and '.join(missing())}")
        return
    with tempfile.TemporaryDirectory() as parent, \
            CleanSystem(os.path.join(parent, "debian")) as system:
        system.make()
        check(system, os.path.abspath(sys.argv[1]))


if __name__ == "__main__":
    main()
