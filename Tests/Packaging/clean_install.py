#!/usr/bin/env python3
"""Installs a Debian package in a clean Debian, uses it, and removes it: `make test-deb`.

  Tests/Packaging/clean_install.py PACKAGE

Needs root, debootstrap and a mirror of Debian; without the first two it says so and passes.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile

MIRROR = os.environ.get("DEBIAN_MIRROR", "http://deb.debian.org/debian")


def release():
    """The name of this machine's release: the package depends on its libraries."""
    with open("/etc/os-release", encoding="utf-8") as file:
        return re.search(r"^VERSION_CODENAME=(\S+)", file.read(), re.MULTILINE).group(1)


class CleanSystem:
    """A Debian in a folder, in which nothing is installed that it does not need."""

    def __init__(self, folder):
        self.folder = folder

    def make(self):
        self._run("debootstrap", "--variant=minbase", release(), self.folder, MIRROR)
        for name in ["resolv.conf", "hosts"]:
            shutil.copyfile(f"/etc/{name}", f"{self.folder}/etc/{name}")
        self._run("mount", "-t", "proc", "proc", f"{self.folder}/proc")

    def remove(self):
        subprocess.run(["umount", f"{self.folder}/proc"], check=False, capture_output=True)
        if os.path.ismount(f"{self.folder}/proc"):
            sys.exit(f"clean_install.py: {self.folder}/proc is still mounted: unmount it")
        shutil.rmtree(self.folder)

    def run(self, command, code=0):
        """What a shell command prints in it."""
        environment = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "DEBIAN_FRONTEND": "noninteractive"}
        environment |= {name: value for name, value in os.environ.items()
                        if name.lower().endswith("_proxy")}
        return self._run("chroot", self.folder, "sh", "-c", command, code=code, env=environment)

    @staticmethod
    def _run(*command, code=0, **options):
        ending = subprocess.run(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
            **options)
        if ending.returncode != code:
            sys.exit(f"clean_install.py: {' '.join(command)} exited with {ending.returncode},"
                     f" not {code}:\n{ending.stdout}")
        return ending.stdout


def expect(condition, words):
    if not condition:
        sys.exit(f"clean_install.py: {words}")


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
    missing = [] if shutil.which("debootstrap") else ["debootstrap"]
    missing += [] if os.geteuid() == 0 else ["root"]
    if missing:
        print(f"Skipped: an installation in a clean Debian needs {' and '.join(missing)}")
        return
    with tempfile.TemporaryDirectory() as parent:
        system = CleanSystem(os.path.join(parent, "debian"))
        try:
            system.make()
            check(system, os.path.abspath(sys.argv[1]))
        finally:
            system.remove()


if __name__ == "__main__":
    main()
