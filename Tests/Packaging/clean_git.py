"""What tests that call git have in common."""

import os
import subprocess


def isolate(test, has_settings=False):
    """Until the test ends, git works in the folder that the test names, whatever calls these tests, such as a hook; and
    unless `has_settings`, without the settings of whoever runs them."""
    before = dict(os.environ)
    test.addCleanup(lambda: (os.environ.clear(), os.environ.update(before)))
    for name in before.keys() - environment().keys():
        del os.environ[name]
    if not has_settings:
        os.environ.update(GIT_CONFIG_GLOBAL=os.devnull, GIT_CONFIG_NOSYSTEM="1")


def environment():
    return {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}


def head(root):
    """The commit of a repository; None if there is no git, no repository, or if it is not allowed to read it."""
    if not os.path.exists(os.path.join(root, ".git")):
        return None
    try:
        ending = subprocess.run(["git", "-C", root, "rev-parse", "HEAD"], env=environment(), check=False,
                                capture_output=True, text=True)
    except OSError:
        return None
    return ending.stdout.strip() if ending.returncode == 0 else None
