"""A clean Debian in a folder, made by debootstrap, for the tests that install something in it."""

import os
import shutil
import subprocess
import sys

MIRROR = os.environ.get("DEBIAN_MIRROR", "http://deb.debian.org/debian")

# What Debian's images set: nothing that apt fetched stays, and no documentation is unpacked but
# the licences.
SLIM = {
    "etc/apt/apt.conf.d/docker-clean": """
DPkg::Post-Invoke { "rm -f /var/cache/apt/archives/*.deb /var/cache/apt/*.bin || true"; };
APT::Update::Post-Invoke { "rm -f /var/cache/apt/archives/*.deb /var/cache/apt/*.bin || true"; };
Dir::Cache::pkgcache ""; Dir::Cache::srcpkgcache "";
""",
    "etc/apt/apt.conf.d/docker-no-languages": 'Acquire::Languages "none";\n',
    "etc/dpkg/dpkg.cfg.d/docker": """
path-exclude /usr/share/doc/*
path-include /usr/share/doc/*/copyright
path-exclude /usr/share/info/*
path-exclude /usr/share/lintian/*
path-exclude /usr/share/locale/*
path-exclude /usr/share/man/*
""",
}


# The releases of Debian that the program is used on.
RELEASES = ["bookworm", "trixie"]


def missing():
    """What this machine does not have of all that it takes."""
    return ([] if shutil.which("debootstrap") else ["debootstrap"]) + (
        [] if os.geteuid() == 0 else ["root"])


def expect(condition, words):
    if not condition:
        sys.exit(f"{os.path.basename(sys.argv[0])}: {words}")


class CleanSystem:
    """A Debian in a folder, in which nothing is installed that it does not need."""

    def __init__(self, folder, release):
        self.folder, self.release = folder, release

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.remove()

    def make(self, slim=False):
        self._run("debootstrap", "--variant=minbase", self.release, self.folder, MIRROR)
        for name in ["resolv.conf", "hosts"]:
            shutil.copyfile(f"/etc/{name}", f"{self.folder}/etc/{name}")
        self._run("mount", "-t", "proc", "proc", f"{self.folder}/proc")
        if slim:
            for path, text in SLIM.items():
                with open(os.path.join(self.folder, path), "w", encoding="utf-8") as file:
                    file.write(text.lstrip())
            self.run("apt-get clean; rm -rf /var/lib/apt/lists/*")

    def remove(self):
        subprocess.run(["umount", f"{self.folder}/proc"], check=False, capture_output=True)
        expect(not os.path.ismount(f"{self.folder}/proc"),
               f"{self.folder}/proc is still mounted: unmount it")
        if os.path.isdir(self.folder):
            shutil.rmtree(self.folder)

    def run(self, command, code=0, user=None):
        """What a shell command prints in it; `user` are numbers, as in 10001:10001."""
        environment = {"PATH": "/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
                       "DEBIAN_FRONTEND": "noninteractive"}
        environment |= {name: value for name, value in os.environ.items()
                        if name.lower().endswith("_proxy")}
        who = [f"--userspec={user}"] if user else []
        return self._run(
            "chroot", *who, self.folder, "sh", "-c", command, code=code, env=environment)

    @staticmethod
    def _run(*command, code=0, **options):
        ending = subprocess.run(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
            stdin=subprocess.DEVNULL, **options)
        expect(ending.returncode == code,
               f"{' '.join(command)} exited with {ending.returncode}, not {code}:\n{ending.stdout}")
        return ending.stdout
