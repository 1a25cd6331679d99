#!/usr/bin/env python3
"""Breaks each decision of the policy, enrollment and activation rules, one at a time, and counts the mutants that tests detect.

Usage: test-mutants.py [--jobs N] [--module NAME…] [--only NUMBER…] [--minimum PERCENT]

A copy of the repository is built once, in `.build-mutants`; an environment variable selects a mutant. Survivors are printed
with their files and lines. A survivor is accepted if `Tests/Mutants/accepted.txt` states why it changes nothing.
"""

import argparse
import concurrent.futures
import dataclasses
import os
import pathlib
import shutil
import subprocess
import sys
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = ROOT / ".build-mutants"
COPY = BUILD / "copy"
ACCEPTED = ROOT / "Tests/Mutants/accepted.txt"



@dataclasses.dataclass(frozen=True)
class Module:
    """A module with mutants, the target of its tests, and the tests that run last."""

    folder: str
    tests: str
    files: tuple
    slow: str = ""

    @property
    def name(self):
        return pathlib.Path(self.folder).name

    @property
    def sources(self):
        return [f"{self.folder}/{name}.swift" for name in self.files]


# The files with decisions. Slow tests run only if the others detect nothing.
SLOW_OF_POLICY = "NaiveStorageTests|NaiveSystemTests|NaiveLinkTests|NaiveComparisonTests|NaiveRandomTests|LaunchRandomTests|LawTests"
MODULES = [
    Module(
        "Sources/Rules/Policy", "PolicyTests",
        (
            "ClipboardRules", "Evaluate", "EvaluateLaunch", "FileRequest", "FunctionRules", "KeychainGroups", "ManagedOpenInRules",
            "MergeRule", "PIN", "SDKFeature", "SignIn", "StorageRules", "URLOpeners", "URLRules", "WebLink",
        ),
        SLOW_OF_POLICY,
    ),
    Module("Sources/Model/Model", "PolicyTests", ("RuleRow",), SLOW_OF_POLICY),
    Module(
        "Sources/Rules/Enrollment", "EnrollmentTests",
        ("AccessToken", "AccountEnrollment", "Compliance", "ConditionalAccess", "DeviceFilter", "EnrollmentService"),
    ),
    Module(
        "Sources/Rules/Activation", "ActivationTests",
        (
            "ActivationRule", "AttachmentKinds", "Comparison", "DictionaryRule", "Evaluator", "Predicate", "SharedItem",
            "TypeAliasRewriter",
        ),
        "FuzzTests|LawTests|RealRulesTests",
    ),
]
TESTS = sorted({module.tests for module in MODULES})

SUPPORT = """
#if canImport(Glibc)
  internal import Glibc
#endif

private let activeMutant = getenv("SLUICE_MUTANT").flatMap { Int(String(cString: $0)) } ?? 0

func isMutant(_ number: Int) -> Bool { activeMutant == number }

func mutantCondition(_ number: Int, _ value: Bool) -> Bool {
  isMutant(number) ? !value : isMutant(number + 1) || value
}
func mutantNegated(_ number: Int, _ value: Bool) -> Bool { value != isMutant(number) }
func mutantTrue(_ number: Int, _ value: Bool) -> Bool { value || isMutant(number) }
func mutantFalse(_ number: Int, _ value: Bool) -> Bool { value && !isMutant(number) }
func mutantLess<Value: Comparable>(_ number: Int, _ left: Value, _ right: Value) -> Bool {
  isMutant(number) ? left <= right : left < right
}
func mutantLessOrEqual<Value: Comparable>(_ number: Int, _ left: Value, _ right: Value) -> Bool {
  isMutant(number) ? left < right : left <= right
}
func mutantGreater<Value: Comparable>(_ number: Int, _ left: Value, _ right: Value) -> Bool {
  isMutant(number) ? left >= right : left > right
}
func mutantGreaterOrEqual<Value: Comparable>(_ number: Int, _ left: Value, _ right: Value) -> Bool {
  isMutant(number) ? left > right : left >= right
}
func mutantNext<Value: ExpressibleByIntegerLiteral & AdditiveArithmetic>(_ number: Int, _ value: Value) -> Value {
  isMutant(number) ? value + 1 : value
}
"""
EFFECT = """
func mutantEffect(_ number: Int, _ effect: Rule.Consequence) -> Rule.Consequence {
  guard isMutant(number) else { return effect }
  return effect == .allows || effect == .warns ? .blocks : .allows
}
"""


class Mutant:
    def __init__(self, line, module):
        self.module = module
        number, self.file, self.line, self.kind, self.code = line.split("\t", 4)
        self.number = int(number)

    def __str__(self):
        return f"{self.file}:{self.line}: {self.kind}: {self.code}"

    @property
    def name(self):
        """The mutant without its line number, which other changes can move."""
        return f"{self.file}: {self.kind}: {self.code}"


def run(*command, **options):
    return subprocess.run(command, check=True, **options)


def prepare():
    """Copies the repository, mutates the copy and builds its tests. Returns the mutants."""
    swift = os.environ.get("SWIFT", "swift")
    tool = ["--package-path", str(ROOT / "Tests/Mutants"), "--scratch-path", str(BUILD / "tool")]
    run(swift, "build", *tool, "--product", "rule-mutants", "-debug-info-format", "none")
    bin_path = run(swift, "build", *tool, "--show-bin-path", capture_output=True, text=True).stdout.strip()
    files = run("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", cwd=ROOT, capture_output=True).stdout
    copy({os.fsdecode(name) for name in files.split(b"\0") if name})
    mutants = []
    for module in MODULES:
        table = run(
            f"{bin_path}/rule-mutants", "--first", str(len(mutants) + 1), *module.sources, cwd=COPY, capture_output=True, text=True
        ).stdout
        mutants += [Mutant(line, module) for line in table.splitlines()]
        (COPY / module.folder / "Mutants.swift").write_text(SUPPORT + (EFFECT if module.folder.endswith("/Model") else ""))
    environment = dict(os.environ, SLUICE_WITHOUT="tls,benchmarks", SLUICE_ONLY=",".join(TESTS))
    run(
        swift, "build", "--build-tests", "-debug-info-format", "none", "--scratch-path", str(BUILD / "build"), cwd=COPY, env=environment
    )
    return mutants


def copy(names):
    """Copies files that have changed since the last run, and deletes those that are gone."""
    mutated = {name for module in MODULES for name in module.sources}
    for path in COPY.rglob("*"):
        if path.is_file() and str(path.relative_to(COPY)) not in names:
            path.unlink()
    for name in names:
        source, target = ROOT / name, COPY / name
        if not source.is_file():
            continue
        if name in mutated or not target.exists() or source.stat().st_mtime != target.stat().st_mtime:
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, target)


def notices(number, filters, timeout=3600):
    """Whether a test fails, traps or runs longer than `timeout` seconds under a mutant; the first failure ends the run."""
    bundle = BUILD / "build/debug/sluicePackageTests.xctest"
    environment = dict(os.environ, SLUICE_MUTANT=str(number), SWIFT_BACKTRACE="enable=no", SLUICE_WITHOUT="tls,benchmarks")
    with subprocess.Popen(
        [bundle, "--testing-library", "swift-testing", *filters], cwd=COPY, env=environment, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, text=True, errors="replace",
    ) as tests:
        timer = threading.Timer(timeout, tests.kill)
        timer.start()
        try:
            for line in tests.stdout:
                if "recorded an issue" in line:
                    tests.kill()
                    return True
            return tests.wait() != 0
        finally:
            timer.cancel()


def is_killed(mutant, timeout):
    tests, slow = mutant.module.tests, mutant.module.slow
    if not slow:
        return notices(mutant.number, ["--filter", rf"^{tests}\."], timeout)
    return notices(mutant.number, ["--filter", rf"^{tests}\.", "--skip", slow], timeout) or notices(
        mutant.number, ["--filter", rf"^{tests}\..*({slow})"], timeout
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="number of mutants tested at the same time")
    parser.add_argument(
        "--module", nargs="+", metavar="NAME", choices=[module.name for module in MODULES], help="test only the mutants of these modules"
    )
    parser.add_argument("--only", type=int, nargs="+", metavar="NUMBER", help="test only these mutants")
    parser.add_argument("--minimum", type=float, default=98, metavar="PERCENT", help="minimum share of mutants that tests must detect")
    options = parser.parse_args()

    mutants = prepare()
    began = time.monotonic()
    if notices(0, []):
        sys.exit("mutants: the tests fail without any mutant")
    # The limit for all tests is ten times their duration without a mutant, at least a minute, so endless loops are detected.
    timeout = max(60, 10 * (time.monotonic() - began))
    accepted = {line.split("\t")[0] for line in ACCEPTED.read_text().splitlines() if line and not line.startswith("#")}
    tried = [
        mutant for mutant in mutants
        if (not options.only or mutant.number in options.only)
        and (not options.module or mutant.module.name in options.module)
    ]
    began, survivors = time.monotonic(), []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for count, (mutant, killed) in enumerate(zip(tried, pool.map(lambda mutant: is_killed(mutant, timeout), tried)), 1):
            if not killed and mutant.name not in accepted:
                survivors.append(mutant)
                print(f"mutants: {mutant.number} survives: {mutant}", flush=True)
            if count % 100 == 0:
                print(f"mutants: {count} of {len(tried)}, {time.monotonic() - began:.0f} s", flush=True)
    unknown = accepted - {mutant.name for mutant in mutants}
    for name in sorted(unknown):
        print(f"mutants: {ACCEPTED.name} names a mutant that does not exist: {name}")
    failed = bool(unknown) and not options.only
    for module in MODULES:
        of_module = [mutant for mutant in tried if mutant.module is module]
        if not of_module:
            continue
        noticed = len(of_module) - sum(mutant.module is module for mutant in survivors)
        share = 100 * noticed / len(of_module)
        failed = failed or share < options.minimum
        print(f"mutants: {module.folder}: {noticed} of {len(of_module)} detected or accepted ({share:.1f} %)")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
