"""Reads a Dockerfile: its stages, each with its steps."""

import json
import re

KNOWN = ["FROM", "ARG", "RUN", "COPY", "USER", "WORKDIR", "ENTRYPOINT", "CMD"]


class Problem(Exception):
    """What cannot be replayed; one line."""


class Stage:
    """The steps between one FROM and the next: pairs of an instruction and its text."""

    def __init__(self, base, name):
        self.base = base
        self.name = name
        self.steps = []

    def every(self, instruction):
        return [text for word, text in self.steps if word == instruction]

    def last(self, instruction):
        return (self.every(instruction) or [None])[-1]

    def words(self, instruction):
        """The words of an ENTRYPOINT or CMD, which must be a list."""
        text = self.last(instruction)
        try:
            return json.loads(text)
        except (TypeError, ValueError):
            raise Problem(f"{instruction} is not a list of words: {text}") from None


def copy(text):
    """What a COPY names: the stage that it copies from (None: the build's folder), what, where."""
    found = re.fullmatch(r"(?:--from=(\S+) )?(\S+) (\S+)", text)
    if not found:
        raise Problem(f"COPY of something other than one path: {text}")
    return found.groups()


def stages(text):
    """All stages of a Dockerfile; a problem if it has an instruction that is not known here."""
    text = re.sub(r"^\s*#.*\n", "", text, flags=re.MULTILINE)
    found = []
    for line in re.sub(r"\s*\\\n\s*", " ", text).splitlines():
        if not line.strip():
            continue
        word, _, rest = line.strip().partition(" ")
        if word not in KNOWN:
            raise Problem(f"{word} is not known: {line}")
        if word == "FROM":
            base, _, name = rest.partition(" AS ")
            found.append(Stage(base, name or None))
        elif found:
            found[-1].steps.append((word, rest.strip()))
        else:
            raise Problem(f"{word} stands before FROM")
    return found
