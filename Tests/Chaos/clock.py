"""A wall clock of its own for one process; that of the machine stays."""

import mmap
import os
import pathlib
import subprocess

SOURCE = pathlib.Path(__file__).resolve().parent / "clock.c"


def compiled(folder):
    """The library that a process loads before the C library: it needs a C compiler."""
    library = os.path.join(folder, "clock.so")
    if not os.path.exists(library):
        subprocess.run(["cc", "-O1", "-shared", "-fPIC", "-o", library, SOURCE], check=True)
    return library


class Clock:
    """How many seconds a process's clock is ahead, in a file that the process maps."""

    def __init__(self, folder, name, ahead=0):
        self.file = os.path.join(folder, name)
        self.environment = {"LD_PRELOAD": compiled(folder), "CLOCK_FILE": self.file}
        with open(self.file, "wb") as out:
            out.write(ahead.to_bytes(8, "little", signed=True))

    def set(self, ahead):
        """Sets it, while the process runs."""
        with open(self.file, "r+b") as file, mmap.mmap(file.fileno(), 8) as memory:
            memory[:] = ahead.to_bytes(8, "little", signed=True)
