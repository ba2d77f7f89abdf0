"""Checks that the flags of `make static-build` make the same program in whatever folder."""

import hashlib
import os
import shutil
import subprocess
import tempfile
import unittest

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
FILES = {
    "Package.swift": """// swift-tools-version: 6.2
import PackageDescription
let package = Package(name: "tool", targets: [
    .target(name: "CText"), .target(name: "Counting"),
    .executableTarget(name: "tool", dependencies: ["CText", "Counting"]),
])
""",
    "Sources/CText/include/text.h": "const char *file_of_text(void);\n",
    "Sources/CText/text.c": '#include "text.h"\nconst char *file_of_text(void) { return __FILE__; }\n',
    "Sources/Counting/Counter.swift": """public final class Counter {
    public private(set) var count = 0
    public init() {}
    public func add(_ number: Int) {
        precondition(number > 0, "a counter only rises")
        count += number
    }
}
""",
    "Sources/tool/main.swift": """import CText
import Counting
let counter = Counter()
counter.add(CommandLine.arguments.count)
print(counter.count, String(cString: file_of_text()))
""",
}


def flags(folder):
    """The flags for a build in a folder, one a line as the shell splits them."""
    rule = "flags-of-build: ; @printf '%s\\n' $(REPRODUCIBLE)"
    return subprocess.run(
        ["make", "--silent", f"--eval={rule}", f"CURDIR={folder}", "flags-of-build"],
        cwd=ROOT, check=True, capture_output=True, text=True).stdout.splitlines()


@unittest.skipUnless(shutil.which("swift"), "needs swift")
class Reproducible(unittest.TestCase):
    def built(self, folder):
        """The digest of a program that was built in a folder."""
        for name, text in FILES.items():
            path = os.path.join(folder, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
        ending = subprocess.run(
            ["swift", "build", "-c", "release", "--static-swift-stdlib", "--product", "tool", *flags(folder)],
            cwd=folder, check=False, capture_output=True, text=True, env={**os.environ, "TMPDIR": self.folder})
        self.assertEqual(ending.returncode, 0, ending.stdout + ending.stderr)
        with open(os.path.join(folder, ".build/release/tool"), "rb") as file:
            data = file.read()
        self.assertNotIn(folder.encode(), data)
        return hashlib.sha256(data).hexdigest()

    def test_a_program_does_not_depend_on_its_folder(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        digests = {self.built(os.path.join(self.folder, name)) for name in ("one", "a longer name")}
        self.assertEqual(len(digests), 1)


if __name__ == "__main__":
    unittest.main()
