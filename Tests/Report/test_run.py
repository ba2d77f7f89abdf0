"""Tests of the report on tests."""
import pathlib, subprocess, sys, unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import run


def report_on(text, code=0, command=("tests", "--filter", "^A[.]", "--skip", "slow")):
    report = run.Report()
    for line in text.splitlines():
        report.read(line + "\n")
    return list(report.lines("Tests", code, (3, 2), list(command)))


class ReportTests(unittest.TestCase):
    @classmethod
    def tearDownClass(cls):
        for file in run.LOGS.glob("selftest.*"):
            file.unlink()

    def test_counts_what_passed_and_does_not_list_it(self):
        lines = report_on(
            '◇ Test "adds" started.\n✔ Test "adds" passed after 0.1 seconds.\n'
            '✔ Test "adds all" with 3 test cases passed after 0.1 seconds.\n'
            "✔ Test run with 2 tests in 1 suite passed after 0.2 seconds.")
        self.assertEqual(lines, ["Tests: 2 passed, 0 failed, 0 skipped in 3 s, 2 s of processor time"])

    def test_shows_what_failed_with_its_issues_and_how_to_repeat_it(self):
        lines = report_on(
            '\x1b[91m✘\x1b[0m Test "adds (twice)" recorded an issue at A.swift:1:2: Expectation failed\n'
            "↳ because\n  of this\nother\n"
            '✘ Test "adds (twice)" failed after 0.1 seconds with 1 issue.\n'
            "✘ Test run with 1 tests in 1 suite failed after 0.2 seconds.", code=1)
        self.assertEqual(lines[0], "FAILED: adds (twice)")
        self.assertEqual(
            lines[1:4],
            ['  ✘ Test "adds (twice)" recorded an issue at A.swift:1:2: Expectation failed',
             "  ↳ because", "    of this"])
        self.assertEqual(lines[4], "Tests: 0 passed, 1 failed, 0 skipped in 3 s, 2 s of processor time")
        self.assertEqual(lines[5], r"Repeat them: tests --filter 'adds\ \(twice\)'")

    def test_names_the_tests_that_had_not_ended_when_the_process_crashed(self):
        lines = report_on(
            '◇ Test "ends" started.\n◇ Test "crashes" started.\n'
            '✔ Test "ends" passed after 0.1 seconds.\nAddressSanitizer: use after free', code=139)
        self.assertIn("The tests ended early, with the exit code 139. Not ended:", lines)
        self.assertIn("  crashes", lines)
        self.assertNotIn("  ends", lines)
        self.assertIn("  AddressSanitizer: use after free", lines)

    def test_shows_what_a_sanitizer_found_although_every_test_passed(self):
        lines = report_on(
            "==================\nWARNING: ThreadSanitizer: data race (pid=7)\n  Write of size 8\n"
            '✔ Test "adds" passed after 0.1 seconds.\n  Previous read\n'
            "SUMMARY: ThreadSanitizer: data race A.swift:3 in add()\n==================\nother\n"
            "✔ Test run with 1 tests in 1 suite passed after 0.2 seconds.", code=66)
        self.assertEqual(
            lines[:4],
            ["  WARNING: ThreadSanitizer: data race (pid=7)", "    Write of size 8",
             "    Previous read", "  SUMMARY: ThreadSanitizer: data race A.swift:3 in add()"])
        self.assertEqual(lines[4], "Tests: 1 passed, 0 failed, 0 skipped in 3 s, 2 s of processor time")

    def test_shows_the_last_lines_when_the_command_fails_but_no_test_does(self):
        lines = report_on(
            "✔ Test run with 1 tests in 1 suite passed after 0.2 seconds.\ncannot exit", code=1)
        self.assertEqual(
            lines[:3], ["No test failed, but the exit code is 1.", "The last lines:", "  cannot exit"])

    def test_shows_what_was_skipped_and_why(self):
        lines = report_on('➜ Test "asks Kafka" skipped: "set KAFKA_HOME"')
        self.assertEqual(lines[0], "skipped: asks Kafka: set KAFKA_HOME")

    def test_counts_those_that_were_skipped_for_the_same_reason(self):
        lines = report_on('➜ Test "a" skipped: "no Kafka"\n➜ Test b() skipped: "no Kafka"')
        self.assertEqual(lines[0], "skipped: 2 tests: no Kafka")

    def test_cuts_lines_that_are_too_long(self):
        text = f'✘ Test "a" recorded an issue at A.swift:1:2: {"x" * 9000}'
        self.assertTrue(all(len(line) <= run.COLUMNS + 2 for line in report_on(text, 1)))

    def test_ends_with_the_code_of_the_command_and_with_that_of_a_signal(self):
        for script, code in [("exit 3", 3), ("kill -9 $$", 137), ("true", 0)]:
            ended = subprocess.run(
                [sys.executable, HERE / "run.py", "selftest", "bash", "-c", script],
                capture_output=True)
            self.assertEqual(ended.returncode, code)

    def test_leaves_the_names_of_a_few_failed_tests_to_be_repeated(self):
        failures = "".join(f'✘ Test "fails (x{n})" failed after 0.1 seconds.\n' for n in range(3))
        total = "✘ Test run with 9 tests in 1 suite failed after 0.2 seconds.\n"
        finding = "ERROR: AddressSanitizer: use after free\n"
        more = '✘ Test "too" failed after 0.1 seconds.\n'
        for text, expected in [
            (failures + total, r"fails\ \(x0\)|fails\ \(x1\)|fails\ \(x2\)"),
            (failures + more + total, None), (failures, None), (failures + finding + total, None),
            (total, None),
        ]:
            subprocess.run(
                [sys.executable, HERE / "run.py", "selftest", "printf", "%s", text],
                capture_output=True)
            pattern = run.LOGS / "selftest.failed"
            self.assertEqual(pattern.read_text() if pattern.exists() else None, expected)

    def test_leaves_no_names_of_an_earlier_run_when_it_does_not_end(self):
        run.LOGS.mkdir(parents=True, exist_ok=True)
        pattern = run.LOGS / "selftest.failed"
        pattern.write_text("earlier")
        subprocess.run(
            [sys.executable, HERE / "run.py", "selftest", "/no/such/program"], capture_output=True)
        self.assertFalse(pattern.exists())


if __name__ == "__main__":
    unittest.main()
