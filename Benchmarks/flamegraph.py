#!/usr/bin/env python3
"""Draws where the threads of a program spend their time, as an SVG file.

  perf record -e cpu-clock -F 999 --call-graph fp -o FILE .build/release/apns-bridge bench --rate 0
  perf script -i FILE -F comm,ip,sym | Benchmarks/flamegraph.py [--thread bench-0] >out.svg

Each box is a function; what it calls stands on it, and its width is its share of the samples. With
--thread only the threads whose names begin like that are counted. Functions of libraries that keep
no frame pointers stand on the nearest caller that does.
"""

import argparse
import html
import sys

from instructions import module_of_symbol, plain

WIDTH, ROW, MARGIN, FONT = 1200, 17, 10, 11
SMALLEST = 0.001  # the share of a box that is still drawn
COLOURS = {  # by the module of Swift, or by what else a function belongs to
    "JSON": "#d98c5f", "Mapping": "#e0b15a", "Engine": "#7fa86b", "HTTP2": "#6a9fb5",
    "APNs": "#8f8fc7", "TLS": "#b583a8", "Kafka": "#c9a66b", "Delivery": "#9bb56a",
    "Bridge": "#83a598", "kernel": "#a89984", "C": "#b8b8b8", "Swift": "#d3a17e",
}


class Node:
    """A function with all that it called, in one place of the stack."""

    def __init__(self):
        self.count = 0
        self.children = {}

    def child(self, name):
        return self.children.setdefault(name, Node())


def stacks(lines, thread):
    """The samples of `perf script`, outermost function first."""
    name, frames = None, []
    for line in lines:
        if not line.strip():
            if name is not None and name.startswith(thread) and frames:
                yield frames[::-1]
            name, frames = None, []
        elif not line.startswith((" ", "\t")):
            name = line.strip()
        else:
            frames.append(line.strip().split(" ", 1)[-1])
    if name is not None and name.startswith(thread) and frames:
        yield frames[::-1]


def fold(samples):
    root = Node()
    for frames in samples:
        root.count += 1
        node = root
        for frame in frames:
            node = node.child(frame)
            node.count += 1
    return root


def names_of(node, found):
    for name, child in node.children.items():
        found.add(name)
        names_of(child, found)
    return found


def colour(symbol):
    if symbol.startswith(("swift_", "$s")):
        return COLOURS.get(module_of_symbol(symbol), COLOURS["Swift"])
    kernel = ("entry_", "do_syscall", "__x64_sys", "tcp_", "sock_", "ksys_", "asm_", "ip_", "net_")
    return COLOURS["kernel"] if symbol.startswith(kernel) else COLOURS["C"]


def depth(node, least):
    below = [depth(child, least) for child in node.children.values() if child.count >= least]
    return 1 + max(below, default=0)


def boxes(node, x, level, scale, least, height, titles):
    for name, child in sorted(node.children.items()):
        width = child.count * scale
        if child.count >= least:
            y = height - MARGIN - (level + 1) * ROW
            share = f"{child.count / titles['']:.1%}"
            title = titles.get(name, name)
            yield (f'<g><title>{html.escape(title)} ({share})</title>'
                   f'<rect x="{x:.1f}" y="{y}" width="{max(width - 0.5, 0.5):.1f}" '
                   f'height="{ROW - 1}" fill="{colour(name)}"/>')
            room = int(width / (FONT * 0.6)) - 1
            if room >= 3:
                short = title if len(title) <= room else title[:room - 1] + "…"
                yield f'<text x="{x + 3:.1f}" y="{y + 12}">{html.escape(short)}</text>'
            yield "</g>"
            yield from boxes(child, x, level + 1, scale, least, height, titles)
        x += width


def draw(root, title):
    least = max(1, root.count * SMALLEST)
    height = (depth(root, least) + 1) * ROW + 3 * MARGIN
    titles = plain(sorted(names_of(root, set()))) | {"": root.count}
    scale = (WIDTH - 2 * MARGIN) / root.count
    yield (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" '
           f'font-family="ui-monospace, monospace" font-size="{FONT}">')
    yield f'<rect width="{WIDTH}" height="{height}" fill="#fbf9f4"/>'
    yield f'<text x="{MARGIN}" y="{MARGIN + 10}">{html.escape(title)}</text>'
    yield from boxes(root, MARGIN, 0, scale, least, height, titles)
    yield "</svg>"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--thread", default="", help="the beginning of the threads' names")
    parser.add_argument("--title", default="")
    options = parser.parse_args()
    root = fold(stacks(sys.stdin, options.thread))
    if root.count == 0:
        raise SystemExit("no sample of such a thread: see the names with perf report --sort comm")
    print("\n".join(draw(root, options.title)))


if __name__ == "__main__":
    main()
