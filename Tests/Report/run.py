#!/usr/bin/env python3
"""Runs tests and prints what a reader needs: progress, then what was skipped, what failed and why,
the totals, and the command that repeats the failures.

Usage: run.py NAME COMMAND [ARGUMENT...]

All that the tests print is in .build/tests/NAME.log, the totals are in NAME.total; if every test ended
and a few failed, NAME.failed has a pattern of their names. If the tests crash, those that had not ended and the last lines are printed, too, and so is what a sanitizer
found, which fails no test. The exit code is that of the command, or 128 plus the number of the
signal that ended it.
"""
import pathlib, re, resource, subprocess, sys, time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
LOGS = ROOT / ".build/tests"
# The test runner repeats the arguments of tests, some of which are long.
COLUMNS = 400
LAST_LINES = 40
FINDINGS, FINDING_LINES = 3, 60
# More failures than these have a cause that is not the other processes of the machine.
MAX_REPEATED = 3
PROGRESS_SECONDS = 60

STYLE = re.compile(r"\x1b\[[0-9;]*m")
STARTED = re.compile(r"^◇ Test (?:\"(.*)\"|(\S+)) started\.$")
ENDED = re.compile(
    r"^(✔|✘) Test (?:\"(.*)\"|(\S+))(?: with \d+ test cases?)? (passed|failed) after ([\d.]+) s")
SKIPPED = re.compile(r"^➜ Test (?:\"(.*)\"|(\S+)) skipped(?:: \"(.*)\")?")
ISSUE = re.compile(r"^✘ Test .* recorded an issue")
TOTAL = re.compile(r"^[✔✘] Test run with (\d+) tests?")
OF_RUNNER = re.compile(r"^(◇|✔|✘|➜|↳) ")
FINDING = re.compile(r"(WARNING|ERROR): \w+Sanitizer: ")


def name(match, first):
    return match.group(first) or match.group(first + 1)


class Report:
    """What the lines of a run say."""

    def __init__(self):
        self.running, self.failed, self.skipped = {}, {}, []
        self.passed = 0
        self.slowest = []
        self.other = []
        self.findings, self.is_in_finding = [], False
        self.issue = None
        self.total = None

    def read(self, line):
        """Takes one line of the test runner, or of what it runs."""
        line = STYLE.sub("", line.rstrip("\n"))
        if match := STARTED.match(line):
            test = name(match, 1)
            self.running[test] = self.running.get(test, 0) + 1
        elif match := ENDED.match(line):
            self.end(name(match, 2), match.group(4) == "passed", float(match.group(5)))
        elif match := SKIPPED.match(line):
            self.skipped.append((name(match, 1), match.group(3) or "no reason"))
        elif ISSUE.match(line):
            self.issue = [line]
            test = re.match(r"^✘ Test (?:\"(.*?)\"|(\S+)) ", line)
            self.failed.setdefault(name(test, 1), []).append(self.issue)
            return
        elif match := TOTAL.match(line):
            self.total = int(match.group(1))
        elif self.issue is not None and re.match(r"^(↳|  )", line):
            self.issue.append(line)
            return
        elif not OF_RUNNER.match(line):
            self.read_other(line)
        self.issue = None

    def read_other(self, line):
        """Takes a line that is not the test runner's: a finding of a sanitizer, or anything else."""
        self.other = (self.other + [line])[-LAST_LINES:]
        if FINDING.search(line):
            self.findings.append([])
            self.is_in_finding = True
        if self.is_in_finding:
            self.findings[-1].append(line)
            self.is_in_finding = (
                not line.startswith("SUMMARY: ") and len(self.findings[-1]) < FINDING_LINES)

    def end(self, test, has_passed, seconds):
        count = self.running.get(test, 0) - 1
        if count > 0:
            self.running[test] = count
        else:
            self.running.pop(test, None)
        if has_passed:
            self.passed += 1
        else:
            self.failed.setdefault(test, [])
        self.slowest = sorted(self.slowest + [(seconds, test)], reverse=True)[:5]

    def lines(self, title, code, took, command):
        """The report on a run that has ended."""
        reasons = {}
        for test, reason in self.skipped:
            reasons.setdefault(reason, []).append(test)
        for reason, tests in reasons.items():
            what = tests[0] if len(tests) == 1 else f"{len(tests)} tests"
            yield f"skipped: {what}: {reason}"
        for test, issues in self.failed.items():
            yield f"FAILED: {test}"
            for issue in issues[:5]:
                yield from ("  " + shorten(line) for line in issue[:20])
            if len(issues) > 5:
                yield f"  and {len(issues) - 5} more"
        yield from self.found()
        if code and self.total is None:
            yield f"The tests ended early, with the exit code {code}. Not ended:"
            yield from (f"  {test}" for test in list(self.running)[:40])
            yield from self.last_lines()
        elif code and not self.failed and not self.findings:
            yield f"No test failed, but the exit code is {code}."
            yield from self.last_lines()
        if "--no-parallel" in command:
            # Side by side, a test's time is mostly that of others.
            yield from (f"took {time:.0f} s: {test}" for time, test in self.slowest if time >= 10)
        yield self.totals(title, took)
        if self.failed:
            yield f"Repeat them: {repetition(command)} --filter '{self.pattern()}'"

    def pattern(self):
        return "|".join(re.escape(test) for test in self.failed)

    def can_be_repeated(self):
        """Whether all tests ended, and so few failed that other processes may be the cause."""
        has_ended = self.total is not None and not self.findings
        return has_ended and 0 < len(self.failed) <= MAX_REPEATED

    def found(self):
        """What sanitizers found."""
        for finding in self.findings[:FINDINGS]:
            yield from ("  " + shorten(line) for line in finding[:FINDING_LINES])
        if len(self.findings) > FINDINGS:
            yield f"  and {len(self.findings) - FINDINGS} findings more"

    def last_lines(self):
        yield "The last lines:"
        yield from ("  " + shorten(line) for line in self.other)

    def totals(self, title, took):
        """The last line of the report, with the seconds by the clock and of processor time. Several
        threads write the log, so that lines may be lost."""
        others = len(self.failed) + len(self.skipped)
        passed = self.passed if self.total is None else self.total - others
        return (
            f"{title}: {passed} passed, {len(self.failed)} failed, {len(self.skipped)} skipped"
            f" in {took[0]:.0f} s, {took[1]:.0f} s of processor time")


def repetition(command):
    """The command without its own filters."""
    kept, skips = [], False
    for word in command:
        if not skips and word not in ("--filter", "--skip"):
            kept.append(word)
        skips = not skips and word in ("--filter", "--skip")
    return " ".join(kept)


def shorten(line):
    return line if len(line) <= COLUMNS else line[: COLUMNS - 1] + "…"


def processor_seconds():
    """Of the tests and of the processes whose end they awaited."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def run(title, command):
    LOGS.mkdir(parents=True, exist_ok=True)
    failed = LOGS / f"{title}.failed"
    # Of an earlier run, it must not stand for this one, which may end before it writes its own.
    failed.unlink(missing_ok=True)
    report, start = Report(), time.monotonic()
    next_line = start + PROGRESS_SECONDS
    with (LOGS / f"{title}.log").open("w", errors="replace") as log:
        tests = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
        for line in tests.stdout:
            log.write(line)
            report.read(line)
            if time.monotonic() >= next_line:
                print(f"{title}: {report.passed} passed, {len(report.failed)} failed", flush=True)
                next_line = time.monotonic() + PROGRESS_SECONDS
        code = tests.wait()
    took = time.monotonic() - start, processor_seconds()
    code = 128 - code if code < 0 else code
    (LOGS / f"{title}.total").write_text(report.totals(title, took) + "\n")
    if report.can_be_repeated():
        failed.write_text(report.pattern())
    for line in report.lines(title, code, took, command):
        print(line)
    sys.stdout.flush()
    return code


if __name__ == "__main__":
    if len(sys.argv) < 3:
        print(__doc__.strip(), file=sys.stderr)
        sys.exit(64)
    sys.exit(run(sys.argv[1], sys.argv[2:]))
