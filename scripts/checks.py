#!/usr/bin/env python3
"""Runs the project's checks, and skips those whose inputs have not changed since they last passed.

Usage: checks.py [--all] [--record] [--list] [CHECK]…

Without names, a check runs if it lists no inputs, or if its inputs have changed since it last passed; rare checks are skipped. `--all` runs
every check. `--record` writes a hash of the inputs of each check that passes to `.ci/passed`, which is committed. `--list` prints the checks
that would run. A named check always runs.
"""

import argparse
import dataclasses
import hashlib
import os
import pathlib
import signal
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
RECORD = ".ci/passed"


@dataclasses.dataclass(frozen=True)
class Check:
    """A shell command, and the files and folders that can break it. Without inputs, any file can.

    A rare check takes long and rarely fails. It runs only by name or with `--all`.
    """

    name: str
    command: str
    inputs: tuple = ()
    rare: bool = False


PACKAGING = ("packaging", "scripts/manual.py", "scripts/manual-tool.sh", "Makefile", "Package.swift", "ios-modules/Package.swift",
             "source-tools/Package.swift")

LAWS = (
    "scripts/test-laws.sh", "Sources/Foundations", "Sources/Model", "Sources/Rules/Activation", "Sources/Rules/Policy",
    "Sources/Device/Host/Audit", "Sources/Device/Host/Storage", "Sources/Tools/Leaks", "Sources/Tools/Conformance/Walk",
    "Tests/ActivationTests", "Tests/LeaksTests", "Tests/PolicyTests",
)

# In order of execution: the suite builds the programs that the other checks use.
CHECKS = [
    Check("checks", "python3 scripts/test-checks.py"),
    Check("suite", "make test SLUICE_WITHOUT="),
    Check("lint", "scripts/lint.sh"),
    Check("scenarios", "bin/sluice run scenarios --output junit=.build/junit.xml"),
    Check("criteria", "bin/sluice criteria"),
    Check("laws", "make test-laws", LAWS),
    Check(
        "own-code", "make test-ios",
        (
            "scripts/test-ios.sh", "ios-modules", "share", "source-tools", "examples/mail", "Tests/OwnCode", "Sources/Guest", "Sources/Model/Wire",
            "Sources/Model/UniformTypes", "Sources/Foundations/Output", "Sources/Programs/sluice/New.swift",
            "Sources/Tools/DeviceClient", "Sources/Tools/Simulation/Scaffold", "Sources/Tools/SluiceTesting",
        ),
    ),
    Check("models", "scripts/setup.sh spin rumur gcc && scripts/test-models.py", ("scripts/test-models.py", "Sources/Tools/Leaks")),
    Check(
        "browser", "scripts/test-browser.sh",
        (
            "scripts/test-browser.sh", "scripts/browser-python.sh", "Tests/Browser", "Sources/Foundations/Output", "Sources/Tools/DeviceControl", "Sources/Tools/PageServer",
            "Sources/Tools/Reports", "Sources/Tools/Analysis", "Sources/Tools/Specification",
            "Sources/Tools/Studio", "Sources/Tools/FieldKit", "Sources/Tools/Leaks", "Sources/Tools/Tenants", "examples/tenant",
        ),
    ),
    Check("export", "scripts/test-export.sh", ("scripts/test-export.sh", "Tests/Export", "Sources/Tools/Reports")),
    Check(
        "action", "scripts/test-action.sh",
        (
            "scripts/test-action.sh", "scripts/test-action.py", "scripts/ci-checks.sh", "action.yml", ".pre-commit-hooks.yaml",
            "docs/continuous-integration.md", "docs/schema/tenant-directory.schema.json", "examples/written-tenant",
        ),
    ),
    Check(
        "cluster", "scripts/test-cluster.sh",
        (
            "scripts/test-cluster.sh", "Tests/Cluster", "Sources/Tools/Distribution",
            "Sources/Programs/sluice-link",
        ),
    ),
    Check(
        "fuzz", "scripts/fuzz.sh 30",
        ("scripts/fuzz.sh", "Tests/Fuzz", "Sources/Model/Wire", "Sources/System/CMessages", "proto"),
    ),
    # Every benchmark runs; the results are not compared with limits.
    Check("benchmarks", "timeout 900 make -C Benchmarks smoke", ("Benchmarks",)),
    Check(
        "manual", "scripts/test-manual.sh",
        ("scripts/test-manual.sh", "scripts/manual.py", "scripts/test-completions.py", "Sources/Programs/sluice"),
    ),
    # The packages, installed in minimal systems.
    Check("packages", "make test-packages", PACKAGING),
    # Half an hour of random cases.
    Check("long-laws", "make test-laws LAWS=--long", LAWS, rare=True),
    # An hour of mutants: decisions that are made wrong, one at a time.
    Check(
        "mutants", "scripts/test-mutants.py",
        (
            "scripts/test-mutants.py", "Tests/ActivationTests", "Tests/EnrollmentTests", "Tests/Mutants", "Tests/PolicyTests",
            "Sources/Model/Model", "Sources/Rules/Activation", "Sources/Rules/Enrollment", "Sources/Rules/Policy",
        ),
        rare=True,
    ),
    # A build in a clone in another folder has the same bytes.
    Check("reproducible", "make packages && packaging/reproduce.sh .build-packages", PACKAGING, rare=True),
]


class Inputs:
    """The files of a repository in their current state, whether committed or not."""

    def __init__(self, root):
        self.root = root
        listed = subprocess.run(
            ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=root, capture_output=True, check=True
        )
        self.files = sorted({os.fsdecode(name) for name in listed.stdout.split(b"\0") if name})

    def digest(self, check):
        """A hash of a check's command and of the name, kind and content of each of its files. A missing input is an error."""
        digest = hashlib.sha256()

        def add(text):
            digest.update(f"{len(text)}:".encode() + text)

        add(check.command.encode())
        for name in sorted({name for given in check.inputs for name in self.below(given, check)}):
            path = self.root / name
            if path.is_symlink():
                kind, content = b"link", os.fsencode(os.readlink(path))
            elif path.is_file():
                kind, content = b"program" if os.access(path, os.X_OK) else b"file", path.read_bytes()
            else:
                continue  # Deleted, but still in the index.
            for text in (os.fsencode(name), kind, content):
                add(text)
        return digest.hexdigest()

    def below(self, given, check):
        found = [name for name in self.files if name == given or name.startswith(given + "/")]
        if not found:
            sys.exit(f"checks: `{given}`, an input of the check {check.name}, is not in the repository")
        return found


def read_record(root):
    path = root / RECORD
    if not path.exists():
        return {}
    return dict(line.split() for line in path.read_text().splitlines() if line and not line.startswith("#"))


def write_record(root, passed):
    lines = [f"{name} {digest}\n" for name, digest in sorted(passed.items())]
    head = "# The inputs with which each check last passed; `make check-all` writes this file.\n"
    unfinished = root / (RECORD + ".unfinished")
    unfinished.write_text(head + "".join(lines))
    unfinished.replace(root / RECORD)


def run(checks, root, record):
    """Runs checks one after the other. Returns the seconds that each took, and the names of those that failed."""
    seconds, failed = {}, []
    for check in checks:
        before = Inputs(root).digest(check) if check.inputs else None
        print(f"checks: {check.name}: {check.command}", flush=True)
        began = time.monotonic()
        status = subprocess.run(["bash", "-euo", "pipefail", "-c", check.command], cwd=root, stdin=subprocess.DEVNULL).returncode
        seconds[check.name] = time.monotonic() - began
        if status:
            failed.append(check.name)
            print(f"checks: {check.name} failed with status {status}", flush=True)
            # The other checks need its programs, and would fail too.
            if check.name == "suite":
                break
        elif record and before and before == Inputs(root).digest(check):
            # The record is read again, because another run may have changed it meanwhile.
            write_record(root, read_record(root) | {check.name: before})
    return seconds, failed


def main(arguments=None, root=ROOT, checks=CHECKS):
    # A shell starts background commands with SIGINT ignored, but checks that interrupt programs need the default.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--all", action="store_true", help="skip none")
    parser.add_argument("--record", action="store_true", help=f"write to {RECORD} which inputs passed")
    parser.add_argument("--list", action="store_true", help="print what would run and what would be skipped")
    parser.add_argument("names", nargs="*", metavar="CHECK", help=", ".join(check.name for check in checks))
    options = parser.parse_args(arguments)
    unknown = set(options.names) - {check.name for check in checks}
    if unknown:
        parser.error(f"no such check: {', '.join(sorted(unknown))}")

    inputs, passed = Inputs(root), read_record(root)
    chosen = [check for check in checks if check.name in options.names] if options.names else checks
    running = []
    for check in chosen:
        if options.all or options.names or not check.inputs:
            running.append(check)
        elif passed.get(check.name) == inputs.digest(check):
            print(f"checks: {check.name} is skipped: its inputs are those that it passed with")
        elif check.rare:
            print(f"checks: {check.name} is skipped: `make check-all` runs it")
        else:
            running.append(check)
    if options.list:
        for check in running:
            print(f"checks: {check.name} would run: {check.command}")
        return 0

    seconds, failed = run(running, root, options.record)
    for name, taken in seconds.items():
        print(f"checks: {name} took {taken:.0f} s{', and failed' if name in failed else ''}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
