#!/usr/bin/env python3
"""Tests what checks.py runs, skips, records and rejects, in temporary repositories."""

import contextlib
import importlib.util
import io
import os
import pathlib
import subprocess
import tempfile
import unittest

SCRIPTS = pathlib.Path(__file__).resolve().parent
specification = importlib.util.spec_from_file_location("checks", SCRIPTS / "checks.py")
checks = importlib.util.module_from_spec(specification)
specification.loader.exec_module(checks)


class ChecksTests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
        subprocess.run(["git", "init", "--quiet"], cwd=self.root, check=True, env=environment)
        for name in ["pages/a.js", "pages/b.js", "other/c", ".ci/run"]:
            self.write(name, name)
        (self.root / ".gitignore").write_text("ran\n*.built\n")
        self.commit()
        # Each check records that it ran by writing its name, and fails while its file `FAIL-…` exists.
        self.checks = [
            checks.Check("suite", "echo suite >>ran; ! test -e FAIL-suite"),
            checks.Check("pages", "echo pages >>ran; ! test -e FAIL-pages", ("pages",)),
            checks.Check("other", "echo other >>ran; ! test -e FAIL-other", ("other/c", "pages/b.js")),
        ]

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def commit(self):
        subprocess.run(["git", "add", "-A"], cwd=self.root, check=True)

    def run_checks(self, *arguments):
        """Returns the names of the checks that ran, the status, and the output."""
        (self.root / "ran").unlink(missing_ok=True)
        with contextlib.redirect_stdout(io.StringIO()) as output:
            status = checks.main(list(arguments), self.root, self.checks)
        ran = self.root / "ran"
        return ran.read_text().split() if ran.exists() else [], status, output.getvalue()

    def record(self):
        self.assertEqual(self.run_checks("--all", "--record")[:2], (["suite", "pages", "other"], 0))

    def test_everything_runs_without_a_record(self):
        self.assertEqual(self.run_checks()[:2], (["suite", "pages", "other"], 0))
        self.assertFalse((self.root / ".ci/passed").exists())

    def test_recorded_checks_are_skipped_by_name_and_a_check_without_inputs_never_is(self):
        self.record()
        ran, status, output = self.run_checks()
        self.assertEqual((ran, status), (["suite"], 0))
        for name in ["pages", "other"]:
            self.assertIn(f"checks: {name} is skipped", output)

    def test_a_changed_input_runs_the_checks_that_have_it(self):
        changes = {
            "content": (lambda: self.write("pages/a.js", "changed"), ["pages"]),
            "an input of two": (lambda: self.write("pages/b.js", "changed"), ["pages", "other"]),
            "a new file that is not committed": (lambda: self.write("pages/new.js", ""), ["pages"]),
            "a deleted file": (lambda: (self.root / "pages/a.js").unlink(), ["pages"]),
            "a renamed file": (lambda: (self.root / "pages/a.js").rename(self.root / "pages/z.js"), ["pages"]),
            "a file that becomes a program": (lambda: (self.root / "other/c").chmod(0o755), ["other"]),
            "a link in place of a file": (self.link, ["other"]),
            "an ignored file": (lambda: self.write("pages/a.built", ""), []),
            "a file of no check": (lambda: self.write("elsewhere", ""), []),
        }
        for name, (change, expected) in changes.items():
            with self.subTest(name):
                self.setUp()
                self.record()
                change()
                self.assertEqual(self.run_checks()[0], ["suite", *expected])

    def link(self):
        (self.root / "other/c").unlink()
        (self.root / "other/c").symlink_to("../pages/a.js")

    def test_a_changed_command_runs_its_check(self):
        self.record()
        self.checks[1] = checks.Check("pages", self.checks[1].command + " ", ("pages",))
        self.assertEqual(self.run_checks()[0], ["suite", "pages"])

    def test_a_failed_check_is_not_recorded_and_fails_the_run_and_the_next_ones_run(self):
        self.write("FAIL-pages", "")
        ran, status, output = self.run_checks("--all", "--record")
        self.assertEqual((ran, status), (["suite", "pages", "other"], 1))
        self.assertIn("checks: pages failed", output)
        (self.root / "FAIL-pages").unlink()
        self.assertEqual(self.run_checks()[0], ["suite", "pages"])

    def test_nothing_runs_behind_a_failed_suite(self):
        self.write("FAIL-suite", "")
        self.assertEqual(self.run_checks()[:2], (["suite"], 1))

    def test_inputs_that_change_while_a_check_runs_are_not_recorded(self):
        self.checks[1] = checks.Check("pages", "echo pages >>ran; date +%N >>pages/a.js", ("pages",))
        self.record()
        self.assertEqual(self.run_checks()[0], ["suite", "pages"])

    def test_all_and_names_skip_nothing(self):
        self.record()
        self.assertEqual(self.run_checks("--all")[0], ["suite", "pages", "other"])
        self.assertEqual(self.run_checks("other")[0], ["other"])

    def test_a_rare_check_runs_by_name_and_with_all(self):
        self.checks.append(checks.Check("slow", "echo slow >>ran", ("other",), rare=True))
        ran, status, output = self.run_checks()
        self.assertEqual((ran, status), (["suite", "pages", "other"], 0))
        self.assertIn("checks: slow is skipped", output)
        self.assertEqual(self.run_checks("slow")[0], ["slow"])
        self.assertEqual(self.run_checks("--all", "--record")[0], ["suite", "pages", "other", "slow"])
        self.assertIn("slow", checks.read_record(self.root))

    def test_a_list_runs_nothing(self):
        self.record()
        self.write("other/c", "changed")
        ran, status, output = self.run_checks("--list")
        self.assertEqual((ran, status), ([], 0))
        self.assertIn("checks: pages is skipped", output)
        self.assertIn("checks: other would run", output)

    def test_an_input_that_is_not_there_and_an_unknown_name_are_errors(self):
        with contextlib.redirect_stderr(io.StringIO()), self.assertRaises(SystemExit):
            self.run_checks("nothing")
        self.checks.append(checks.Check("rotten", "true", ("pages/gone.js",)))
        with self.assertRaisesRegex(SystemExit, "pages/gone.js"):
            self.run_checks()


class TableTests(unittest.TestCase):
    def test_each_input_is_in_the_repository_and_each_record_is_of_a_check(self):
        inputs = checks.Inputs(checks.ROOT)
        for check in checks.CHECKS:
            inputs.digest(check)
        with_inputs = {check.name for check in checks.CHECKS if check.inputs}
        self.assertLessEqual(set(checks.read_record(checks.ROOT)), with_inputs)

    def test_what_always_runs(self):
        always = [check.name for check in checks.CHECKS if not check.inputs]
        self.assertEqual(always, ["checks", "suite", "lint", "scenarios", "criteria"])


if __name__ == "__main__":
    unittest.main()
