#!/usr/bin/env python3
"""Runs action.yml as GitHub's runner does, and the hooks with pre-commit.

Of GitHub's expressions, it supports those in action.yml; any other is an error. Steps with `uses` do not run; the tests check
what they would upload. `scripts/test-action.sh` installs the required programs.
"""

import dataclasses
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

import yaml

ROOT = pathlib.Path(__file__).resolve().parent.parent
TOOLS = pathlib.Path(sys.executable).parent
SCRIPT = ROOT / "scripts" / "ci-checks.sh"
DOCUMENT = ROOT / "docs" / "continuous-integration.md"
PATH = f"{ROOT / 'bin'}:{TOOLS}:{os.environ['PATH']}"

# No data leave the only managed app if it is honest.
TIGHT = """\
accounts:
  anna: { upn: anna@contoso.com }
policies:
  tight:
    json:
      displayName: Nothing leaves
      allowedOutboundDataTransferDestinations: none
      allowedOutboundClipboardSharingLevel: blocked
      saveAsBlocked: true
      printBlocked: true
      notificationRestriction: blockOrganizationalData
      contactSyncBlocked: true
      dataBackupBlocked: true
      thirdPartyKeyboardsBlocked: true
    assign: [{ account: anna, apps: [com.contoso.mail] }]
apps:
  mail: { bundle: com.contoso.mail, sdk: true, signedIn: [anna] }
  viewer: { bundle: org.example.viewer }
cases:
  - name: org data stay
    steps:
      - launch: [mail, viewer]
      - share: { from: mail, to: viewer, text: Minutes }
        expect: { verdict: blocked }
"""


def environment(**more):
    """Returns the environment of this process without the variables of a runner or git."""
    kept = {name: value for name, value in os.environ.items() if not re.match(r"(GITHUB|GIT|SLUICE|RUNNER|CI)(_|$)", name)}
    return kept | {"PATH": PATH} | {name: str(value) for name, value in more.items()}


def blocks(language):
    """Returns the document's code blocks in a language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", DOCUMENT.read_text(), re.MULTILINE | re.DOTALL)


# The runner


class Expressions:
    """The expressions of a composite action, with its inputs and the steps that have ended."""

    def __init__(self, inputs):
        self.inputs = inputs
        self.steps = {}
        self.failed = False

    def value(self, expression):
        if match := re.fullmatch(r"inputs\.([a-z-]+)", expression):
            return self.inputs[match[1]]
        if match := re.fullmatch(r"steps\.([a-z]+)\.outputs\.([a-z]+)", expression):
            return self.steps[match[1]].get(match[2], "")
        raise ValueError(f"unsupported expression: {expression}")

    def text(self, template):
        return re.sub(r"\$\{\{\s*(.*?)\s*\}\}", lambda match: self.value(match[1]), str(template))

    def holds(self, condition):
        """Whether a condition holds. Without `always()`, it holds only if no step has failed."""
        terms = [term.strip() for term in condition.split("&&")] if condition else []
        if "always()" not in terms and self.failed:
            return False
        return all(self.term(term) for term in terms if term != "always()")

    def term(self, term):
        if match := re.fullmatch(r"(\S+) (==|!=) '([^']*)'", term):
            return (self.value(match[1]) == match[3]) == (match[2] == "==")
        raise ValueError(f"unsupported condition: {term}")


def outputs(path):
    """Parses a file with `name=value` and `name<<END` as the runner does."""
    found = {}
    lines = iter(re.split(r"\r\n|\r|\n", path.read_text()))
    for line in lines:
        if not line:
            continue
        name, sign, rest = re.fullmatch(r"([^=<]+)(=|<<)(.*)", line).groups()
        if sign == "<<":
            value = []
            while (inner := next(lines)) != rest:
                value.append(inner)
            rest = "\n".join(value)
        found[name] = rest
    return found


def commands(log):
    """Returns the workflow commands in a log that the runner executes."""
    found, token = [], None
    for line in log.splitlines():
        match = re.match(r"\s*::([A-Za-z0-9-]+)[^:]*::(.*)", line)
        if not match:
            continue
        if token:
            token = None if match[1] == token else token
        elif match[1] == "stop-commands":
            token = match[2]
        else:
            found.append(match[1])
    return found


@dataclasses.dataclass
class Ended:
    failed: bool
    outputs: dict
    log: str
    summary: str
    uploads: list


class Action:
    def __init__(self):
        self.text = yaml.safe_load((ROOT / "action.yml").read_text())
        assert self.text["runs"]["using"] == "composite"

    def carry_out(self, workspace, path=PATH, **given):
        inputs = {name: declared.get("default", "") for name, declared in self.text["inputs"].items()}
        for name, value in given.items():
            name = name.replace("_", "-")
            assert name in inputs, name
            inputs[name] = value
        state = Expressions(inputs)
        ended = Ended(failed=False, outputs={}, log="", summary="", uploads=[])
        with tempfile.TemporaryDirectory() as folder:
            for number, step in enumerate(self.text["runs"]["steps"]):
                state.steps.setdefault(step.get("id"), {})
                if not state.holds(step.get("if")):
                    continue
                if "uses" in step:
                    with_ = {name: state.text(value) for name, value in step["with"].items()}
                    ended.uploads.append((step["uses"], with_))
                    continue
                files = {name: pathlib.Path(folder, f"{number}-{name}") for name in ("output", "summary", "script")}
                for file in files.values():
                    file.touch()
                # An expression in a script would execute any text that an input contains.
                assert "${{" not in step["run"]
                files["script"].write_text(step["run"])
                run = subprocess.run(
                    ["bash", "--noprofile", "--norc", "-eo", "pipefail", files["script"]],
                    cwd=workspace, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                    env=environment(
                        CI="true", GITHUB_ACTIONS="true", GITHUB_ACTION_PATH=ROOT, GITHUB_WORKSPACE=workspace,
                        GITHUB_OUTPUT=files["output"], GITHUB_STEP_SUMMARY=files["summary"],
                        **{name: state.text(value) for name, value in step["env"].items()},
                    ) | {"PATH": path},
                )
                ended.log += run.stdout.decode()
                ended.summary += files["summary"].read_text()
                state.steps[step.get("id")] = outputs(files["output"])
                state.failed |= run.returncode != 0
        ended.failed = state.failed
        ended.outputs = {
            name: state.text(declared["value"]) for name, declared in self.text["outputs"].items()
        }
        return ended


class Workspace(unittest.TestCase):
    """A repository with scenarios, policies and a bundle."""

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name, "workspace")
        (self.folder / "scenarios").mkdir(parents=True)
        shutil.copy(ROOT / "scenarios" / "lineage.yaml", self.folder / "scenarios")
        (self.folder / "tight.yaml").write_text(TIGHT)
        (self.folder / "policies").mkdir()
        shutil.copy(ROOT / "scenarios" / "criteria" / "policies" / "base.json", self.folder / "policies")
        shutil.copytree(ROOT / "examples" / "NoteKeeper.app", self.folder / "NoteKeeper.app")
        self.action = Action()

    def carry_out(self, **inputs):
        inputs.setdefault("sluice", "sluice")
        return self.action.carry_out(self.folder, **inputs)

    def carry_out_all(self, **other):
        return self.carry_out(**{
            "scenarios": "scenarios\ntight.yaml\n", "criteria": "--filter SEND-1", "policies": "policies",
            "bundles": "NoteKeeper.app", "leaks": "tight.yaml\n", "leaks_options": "--behaviour honest",
        } | other)

    def files(self, ended, output):
        found = [self.folder / line for line in ended.outputs[output].splitlines()]
        for file in found:
            self.assertTrue(file.is_file(), file)
        return {file.name: file for file in found}

    def junit(self, ended):
        """Returns the root element of each file, by the file's name."""
        return {
            name: xml.etree.ElementTree.parse(file).getroot() for name, file in self.files(ended, "junit").items()
        }

    def sarif(self, ended):
        """Returns the only run of each file, by the file's name. Code scanning rejects two runs with the same category."""
        runs, categories = {}, set()
        for name, file in self.files(ended, "sarif").items():
            log = json.loads(file.read_text())
            self.assertEqual(log["version"], "2.1.0")
            (runs[name],) = log["runs"]
            category = runs[name]["automationDetails"]["id"]
            self.assertTrue(category.endswith(f"/{file.stem}/"), category)
            self.assertNotIn(category, categories)
            categories.add(category)
        return runs

    def assert_uploads(self, ended, folder="sluice-results"):
        """Asserts that exactly the written files would be uploaded."""
        (artifact, findings) = ended.uploads
        self.assertTrue(artifact[0].startswith("actions/upload-artifact@"))
        self.assertEqual(artifact[1]["path"], folder)
        self.assertTrue(findings[0].startswith("github/codeql-action/upload-sarif@"))
        self.assertEqual(findings[1]["sarif_file"], folder)
        told = {name for output in ("junit", "sarif", "report") for name in self.files(ended, output)}
        self.assertEqual({file.name for file in (self.folder / folder).iterdir()}, told)

    def assert_harmless(self, ended):
        self.assertEqual(list(self.folder.parent.rglob("pwned*")), [])
        self.assertNotIn("pwned", ended.outputs.values())
        self.assertLessEqual(set(commands(ended.log)), {"group", "endgroup"})

    ALL = {"scenarios.xml", "criteria.xml", "leaks-1.xml"}
    ALL_SARIF = {"policies.sarif", "bundles.sarif", "leaks-1.sarif"}
    ALL_PAGES = {"scenarios.html", "criteria.html", "leaks-1.html"}


class ActionTests(Workspace):
    def test_where_all_is_well_every_check_passes(self):
        ended = self.carry_out_all()
        self.assertFalse(ended.failed, ended.log)
        self.assertEqual(ended.outputs["failed"], "")
        junit = self.junit(ended)
        self.assertEqual(set(junit), self.ALL)
        self.assertEqual(junit["scenarios.xml"].get("tests"), "5")
        for root in junit.values():
            self.assertEqual((root.get("failures"), root.get("errors", "0")), ("0", "0"))
        self.assertEqual(set(self.sarif(ended)), self.ALL_SARIF)
        pages = self.files(ended, "report")
        self.assertEqual(set(pages), self.ALL_PAGES)
        for page in pages.values():
            self.assertIn("<!DOCTYPE html>", page.read_text()[:200])
        self.assert_uploads(ended)
        self.assertEqual(ended.summary.count("| passed |"), 5)
        self.assertEqual(set(commands(ended.log)), {"group", "endgroup"})

    def test_a_scenario_that_fails_leaves_all_outputs(self):
        self.fail_scenario()
        ended = self.carry_out_all()
        self.assertTrue(ended.failed)
        self.assertEqual(ended.outputs["failed"], "scenarios")
        junit = self.junit(ended)
        self.assertEqual(set(junit), self.ALL)
        self.assertEqual(junit["scenarios.xml"].get("failures"), "1")
        (failure,) = junit["scenarios.xml"].iter("failure")
        self.assertRegex(failure.get("message"), r"^tight\.yaml:24:\d+: step 2: expected verdict encrypted, found verdict blocked")
        self.assertEqual(set(self.sarif(ended)), self.ALL_SARIF)
        self.assertEqual(set(self.files(ended, "report")), self.ALL_PAGES)
        self.assert_uploads(ended)
        self.assertIn("| scenarios | failed, exit status 1 |", ended.summary)
        self.assertEqual(ended.summary.count("| passed |"), 4)

    def fail_scenario(self):
        (self.folder / "tight.yaml").write_text(TIGHT.replace("verdict: blocked", "verdict: encrypted"))

    def test_every_check_runs_where_all_fail(self):
        self.fail_scenario()
        policy = self.folder / "policies" / "base.json"
        policy.write_text(re.sub(r'("maximumRequiredOsVersion": )[^,]*', r'\1"1.0"', policy.read_text()))
        (self.folder / "Broken.app").mkdir()
        (self.folder / "Broken.app" / "Info.plist").write_text("<plist>")
        ended = self.carry_out_all(
            criteria="--for NoteKeeper.app --filter COPY-1", bundles="NoteKeeper.app\nBroken.app",
            leaks="tight.yaml\nscenarios/lineage.yaml")
        self.assertTrue(ended.failed)
        self.assertEqual(ended.outputs["failed"], "scenarios criteria policies bundles leaks-2")
        junit = self.junit(ended)
        self.assertEqual(set(junit), self.ALL | {"leaks-2.xml"})
        self.assertEqual(junit["leaks-1.xml"].get("failures"), "0")
        self.assertGreater(int(junit["leaks-2.xml"].get("failures")), 0)
        runs = self.sarif(ended)
        self.assertEqual(set(runs), self.ALL_SARIF | {"leaks-2.sarif"})
        self.assertIn("noVersionLeft", {result["ruleId"] for result in runs["policies.sarif"]["results"]})
        places = {
            result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
            for result in runs["policies.sarif"]["results"]
        }
        self.assertEqual(places, {"policies/base.json"})
        self.assert_uploads(ended)

    def test_a_scenario_that_cannot_be_read_fails_and_the_others_run(self):
        (self.folder / "scenarios" / "odd.yaml").write_text("acounts: {}\n")
        ended = self.carry_out_all()
        self.assertEqual((ended.failed, ended.outputs["failed"]), (True, "scenarios"))
        self.assertIn("scenarios/odd.yaml:1:1: error: a scenario has no key `acounts`", ended.log)
        self.assertEqual(set(self.files(ended, "junit")), self.ALL - {"scenarios.xml"})
        self.assert_uploads(ended)

    def test_what_is_not_asked_for_is_not_run(self):
        ended = self.carry_out()
        self.assertEqual((ended.failed, set(ended.outputs.values()), ended.uploads), (True, {""}, []))
        self.assertNotIn("+ sluice", ended.log)
        self.assertFalse((self.folder / "sluice-results").exists())

        ended = self.carry_out(scenarios="\n  \n", criteria="false", policies="./policies")
        self.assertFalse(ended.failed, ended.log)
        self.assertEqual(re.findall(r"^\+ (.*)$", ended.log, re.MULTILINE), ["sluice policy lint -- policies"])
        self.assertEqual(set(self.files(ended, "sarif")), {"policies.sarif"})

        ended = self.carry_out(scenarios="tight.yaml", upload="false")
        self.assertEqual((ended.failed, ended.uploads), (False, []))
        ended = self.carry_out(scenarios="tight.yaml", artifact="mine")
        self.assertEqual([upload[1]["name"] for upload in ended.uploads], ["mine"])

    def test_criteria_may_be_all_of_them(self):
        stub = self.stub("sluice")
        ended = self.carry_out(sluice=str(stub / "sluice"), criteria="true")
        self.assertFalse(ended.failed, ended.log)
        self.assertEqual(
            self.calls(stub)[-1],
            ["sluice", "criteria", "--output", "junit=sluice-results/criteria.xml",
             "--output", "html=sluice-results/criteria.html"])

    def test_no_report_of_an_earlier_run_stands_for_this_one(self):
        self.carry_out(scenarios="tight.yaml")
        (self.folder / "tight.yaml").write_text("acounts: {}\n")
        ended = self.carry_out(scenarios="tight.yaml")
        self.assertEqual((ended.failed, ended.outputs["junit"]), (True, ""))
        self.assertEqual(list((self.folder / "sluice-results").iterdir()), [])

    # Malicious inputs

    HOSTILE = ["$(touch pwned)", "`touch pwned`", '"; touch pwned; "', "'; touch pwned; '", "x\ntouch pwned", "| touch pwned",
               "--output=html=pwned.html", "--output-dir=pwned", "--fail-on=never", "x\n::error::pwned\nfailed=pwned", "${{ inputs.scenarios }}"]

    def test_hostile_paths_are_paths(self):
        for text in self.HOSTILE:
            for given in (
                {"scenarios": text}, {"policies": text}, {"bundles": text}, {"leaks": text},
                {"scenarios": f"tight.yaml\n{text}"}, {"policies": f"policies\n{text}"}, {"bundles": f"NoteKeeper.app\n{text}"},
            ):
                with self.subTest(**given):
                    ended = self.carry_out(**given)
                    self.assertTrue(ended.failed, ended.log)
                    self.assert_harmless(ended)
        self.assertIn("$(touch pwned)", self.carry_out(policies="$(touch pwned)").log)

    def test_hostile_options_are_words(self):
        for text in ["; touch pwned", "$(touch pwned)", "`touch pwned`", "'unended", "\ntouch pwned\n", "&& touch pwned"]:
            for given in (
                {"criteria": text}, {"scenarios": "tight.yaml", "scenario_options": text},
                {"policies": "policies", "policy_options": text}, {"bundles": "NoteKeeper.app", "bundle_options": text},
                {"leaks": "tight.yaml", "leaks_options": text},
            ):
                with self.subTest(**given):
                    ended = self.carry_out(**given)
                    self.assertTrue(ended.failed, ended.log)
                    self.assert_harmless(ended)

    def test_hostile_programs_and_packages_are_not_run(self):
        stubs = self.stub("apt-get", "curl", "sudo", "make")
        for text in ["$(touch pwned)", "sluice; touch pwned", "sluice\nfailed=pwned", "-x"]:
            with self.subTest(text):
                for given in ({"sluice": text}, {"sluice": "", "package": text}):
                    ended = self.action.carry_out(self.folder, path=f"{stubs}:{PATH}", scenarios="tight.yaml", **given)
                    self.assertTrue(ended.failed, ended.log)
                    self.assertEqual(ended.uploads, [])
                    self.assert_harmless(ended)
        self.assertEqual(self.calls(stubs), [])

    def test_a_hostile_folder_for_reports_is_a_folder(self):
        for name in ['results "of" $(touch pwned) it\'s', "-x", "a&b\\1/c", "--output=pwned"]:
            with self.subTest(name):
                ended = self.carry_out_all(output=name)
                self.assertFalse(ended.failed, ended.log)
                self.assertEqual(set(self.files(ended, "junit")), self.ALL)
                self.assertEqual(set(self.sarif(ended)), self.ALL_SARIF)
                self.assert_uploads(ended, folder=f"./{name}" if name.startswith("-") else name)
                shutil.rmtree(self.folder / name.split("/")[0])
                self.assert_harmless(ended)
        for name in ["a\nfailed=pwned", "a\rfailed=pwned"]:
            with self.subTest(name):
                ended = self.carry_out_all(output=name)
                self.assertEqual((ended.failed, set(ended.outputs.values()), ended.uploads), (True, {""}, []))
                self.assert_harmless(ended)

    def test_paths_may_have_spaces_and_quotes(self):
        name = """my "odd" $(touch pwned) 'scenario' é.yaml"""
        shutil.copy(self.folder / "tight.yaml", self.folder / name)
        (self.folder / "two words").mkdir()
        shutil.move(self.folder / "policies" / "base.json", self.folder / "two words")
        ended = self.carry_out(
            scenarios=f"  {name}\r\n\r\n./tight.yaml", policies="two words", leaks=name, leaks_options="'--behaviour' \"honest\"")
        self.assertFalse(ended.failed, ended.log)
        self.assertEqual(self.junit(ended)["scenarios.xml"].get("tests"), "2")
        self.assert_harmless(ended)

    def test_what_is_printed_is_no_command(self):
        (self.folder / "tight.yaml").write_text(TIGHT.replace("verdict: blocked", "verdict: allowed") + 'name: "::error::pwned"\n')
        ended = self.carry_out(scenarios="tight.yaml")
        self.assertIn("\n::error::pwned (tight.yaml)\n", ended.log)
        self.assert_harmless(ended)

    # Sources of Sluice

    def stub(self, *names):
        """Returns a folder with programs that record their arguments."""
        folder = self.folder.parent / "stubs"
        folder.mkdir(exist_ok=True)
        for name in names:
            program = folder / name
            program.write_text(f"""\
#!{sys.executable}
import json, os, shutil, sys
here = os.path.dirname(os.path.abspath(__file__))
with open(os.path.join(here, "calls"), "a") as calls:
    print(json.dumps(["{name}", *sys.argv[1:]]), file=calls)
if "{name}" == "curl":
    open(sys.argv[sys.argv.index("--output") + 1], "w").write("fetched")
if "{name}" == "apt-get" and "install" in sys.argv:
    shutil.copy(sys.argv[-1], os.path.join(here, "installed"))
if "{name}" == "sudo":
    os.execvp(sys.argv[1], sys.argv[1:])
""")
            program.chmod(0o755)
        return folder

    def calls(self, folder):
        path = folder / "calls"
        return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []

    def test_without_program_and_package_the_checkout_is_built(self):
        stubs = self.stub("make")
        ended = self.action.carry_out(self.folder, path=f"{stubs}:{os.environ['PATH']}", scenarios="tight.yaml")
        self.assertFalse(ended.failed, ended.log)
        self.assertEqual(self.calls(stubs), [["make", "-C", str(ROOT), "build"]])

    def test_a_package_is_installed(self):
        stubs = self.stub("apt-get", "curl", "sudo")
        (self.folder / "a $(touch pwned) package").write_text("local")
        for package, content in [("a $(touch pwned) package", "local"), ("https://example.org/$(touch pwned)/s.deb", "fetched")]:
            with self.subTest(package):
                ended = self.action.carry_out(
                    self.folder, path=f"{stubs}:{PATH}", scenarios="tight.yaml", package=package)
                self.assertFalse(ended.failed, ended.log)
                self.assertEqual((stubs / "installed").read_text(), content)
                install = [call for call in self.calls(stubs) if call[0] == "apt-get"][-1]
                self.assertRegex(install[-1], r"^/.*/sluice\.deb$")
                (self.folder / "a $(touch pwned) package").unlink(missing_ok=True)
                self.assert_harmless(ended)
        fetched = [call for call in self.calls(stubs) if call[0] == "curl"]
        self.assertEqual([call[-2:] for call in fetched], [["--", "https://example.org/$(touch pwned)/s.deb"]])
        self.assertTrue(self.action.carry_out(
            self.folder, path=f"{stubs}:{PATH}", scenarios="tight.yaml", package="http://example.org/s.deb").failed)

    def test_a_program_may_be_a_path(self):
        (self.folder / "tools").symlink_to(ROOT / "bin")
        ended = self.action.carry_out(
            self.folder, path=os.environ["PATH"], sluice="tools/sluice", scenarios="tight.yaml")
        self.assertFalse(ended.failed, ended.log)
        ended = self.carry_out(sluice="tools/nothing", scenarios="tight.yaml")
        self.assertTrue(ended.failed)
        self.assertIn("there is no such program: tools/nothing", ended.log)


class ScriptTests(Workspace):
    """The script without GitHub's runner."""

    def run_script(self, *arguments, **variables):
        return subprocess.run(
            [SCRIPT, *arguments], cwd=self.folder, env=environment(**variables), capture_output=True, text=True)

    def test_by_hand(self):
        ended = self.run_script(SLUICE_SCENARIOS="tight.yaml", SLUICE_POLICIES="policies", SLUICE_OUTPUT="results/of it/")
        self.assertEqual(ended.returncode, 0, ended.stdout + ended.stderr)
        self.assertNotIn("::", ended.stdout)
        self.assertEqual(
            {file.name for file in (self.folder / "results" / "of it").iterdir()},
            {"scenarios.xml", "scenarios.html", "policies.sarif"})

    def test_exit_statuses(self):
        self.assertEqual(self.run_script(SLUICE_LEAKS="scenarios/lineage.yaml").returncode, 1)
        self.assertEqual(self.run_script().returncode, 64)
        self.assertEqual(self.run_script("nonsense").returncode, 64)
        self.assertEqual(self.run_script(SLUICE_POLICIES="policies", SLUICE_POLICIES_OPTIONS="--fail-on note").returncode, 64)
        self.assertEqual(self.run_script(SLUICE="no-such-program").returncode, 69)
        self.assertEqual(self.run_script(SLUICE_POLICIES="policies", SLUICE_OUTPUT="a\nb").returncode, 64)

    def test_what_a_repository_has_in_the_reports_place_stays_as_it_is(self):
        (self.folder / "elsewhere").mkdir()
        (self.folder / "elsewhere" / "kept").write_text("mine")
        # Symbolic links: the folder, its parent, and a file in it. Then a report that Sluice did not write.
        (self.folder / "link").symlink_to("elsewhere")
        for output in ["link", "link/below"]:
            self.assertEqual(self.run_script(SLUICE_POLICIES="policies", SLUICE_OUTPUT=output).returncode, 64, output)
        (self.folder / "linked").mkdir()
        (self.folder / "linked" / "policies.sarif").symlink_to("../elsewhere/kept")
        self.assertEqual(self.run_script(SLUICE_POLICIES="policies", SLUICE_OUTPUT="linked").returncode, 0)
        self.assertEqual((self.folder / "elsewhere" / "kept").read_text(), "mine")
        self.assertFalse((self.folder / "linked" / "policies.sarif").is_symlink())
        (self.folder / "linked" / "evil.sarif").write_text("{}")
        self.assertEqual(self.run_script(SLUICE_POLICIES="policies", SLUICE_OUTPUT="linked").returncode, 64)


# The files


def validate(*arguments):
    return subprocess.run([TOOLS / "check-jsonschema", *arguments], capture_output=True, text=True, env=environment())


class FileTests(unittest.TestCase):
    def assert_valid(self, *arguments):
        ended = validate(*arguments)
        self.assertEqual(ended.returncode, 0, ended.stdout + ended.stderr)

    def test_the_action_and_the_documents_examples_are_valid(self):
        self.assert_valid("--builtin-schema", "vendor.github-actions", ROOT / "action.yml")
        subprocess.run([TOOLS / "pre-commit", "validate-manifest", ROOT / ".pre-commit-hooks.yaml"], check=True, env=environment())
        kinds = []
        with tempfile.TemporaryDirectory() as folder:
            example = pathlib.Path(folder, "example.yaml")
            for text in blocks("yaml"):
                example.write_text(text)
                content = yaml.safe_load(text)
                if "jobs" in content:
                    kinds.append("workflow")
                    self.assert_valid("--builtin-schema", "vendor.github-workflows", example)
                    (step,) = [step for step in content["jobs"]["sluice"]["steps"] if step.get("id") == "sluice"]
                    self.assertLessEqual(set(step["with"]), set(Action().text["inputs"]))
                elif "repos" in content:
                    kinds.append("pre-commit")
                    subprocess.run([TOOLS / "pre-commit", "validate-config", example], check=True, env=environment())
                elif "sluice" in content:
                    kinds.append("GitLab")
                    self.assert_valid("--builtin-schema", "vendor.gitlab-ci", example)
                    self.assertLessEqual(set(content["sluice"]["variables"]), set(re.findall(r"SLUICE\w*", SCRIPT.read_text())))
                else:
                    self.fail(f"a block of another kind: {text}")
        self.assertEqual(kinds, ["workflow", "GitLab", "pre-commit", "pre-commit"])

    def test_every_input_and_output_is_described_and_every_hook_documented(self):
        action = yaml.safe_load((ROOT / "action.yml").read_text())
        for name, entry in [*action["inputs"].items(), *action["outputs"].items()]:
            self.assertTrue(entry.get("description"), name)
        items = {name for line in DOCUMENT.read_text().splitlines() for name in re.findall(r"^- `(sluice-[^`]+)`", line)}
        hooks = {hook["id"] for hook in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())}
        self.assertEqual(items, hooks)

    def test_scenarios_are_as_the_schema_says(self):
        schema = ROOT / "docs" / "schema" / "scenario.schema.json"
        scenarios = [
            path for folder in ("scenarios", "examples") for ending in ("yaml", "yml") for path in ROOT.glob(f"{folder}/**/*.{ending}")
            # Excludes the output of a build in a package.
            if not any(part.startswith(".") for part in path.relative_to(ROOT).parts)
            # Excludes the users and groups of a tenant.
            and path.stem != "directory"
        ]
        self.assertGreater(len(scenarios), 60)
        self.assert_valid("--schemafile", schema, *scenarios)
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "scenario.yaml")
            path.write_text(TIGHT)
            self.assert_valid("--schemafile", schema, path)
            for right, wrong in [("accounts:", "acounts:"), ("signedIn:", "signedin:"), ("verdict:", "verdikt:"), ("- share:", "- shere:")]:
                with self.subTest(wrong):
                    path.write_text(TIGHT.replace(right, wrong, 1))
                    ended = validate("--schemafile", schema, path)
                    self.assertEqual(ended.returncode, 1, ended.stdout + ended.stderr)
                    self.assertIn("scenario.yaml", ended.stdout + ended.stderr)


    def test_directories_are_as_the_schema_says(self):
        schema = ROOT / "docs" / "schema" / "tenant-directory.schema.json"
        directory = ROOT / "examples" / "written-tenant" / "directory.yaml"
        self.assert_valid("--schemafile", schema, directory)
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "directory.yaml")
            for right, wrong in [("users:", "user:"), ("department:", "departmant:"), ("licensed: false", "licensed: 'no'"), ("rule:", "members: [], rule:")]:
                with self.subTest(wrong):
                    path.write_text(directory.read_text().replace(right, wrong, 1))
                    ended = validate("--schemafile", schema, path)
                    self.assertEqual(ended.returncode, 1, ended.stdout + ended.stderr)


class CommandTests(Workspace):
    def test_the_documents_commands(self):
        shutil.rmtree(self.folder / "scenarios")
        (self.folder / "scenarios").mkdir()
        shutil.copy(self.folder / "tight.yaml", self.folder / "scenarios")
        (block,) = blocks("sh")
        ended = subprocess.run(
            ["bash", "-euc", block], cwd=self.folder, env=environment(), capture_output=True, text=True)
        self.assertEqual(ended.returncode, 0, ended.stdout + ended.stderr)
        self.assertTrue((self.folder / "scenarios.xml").exists())


# The hooks


class HookTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.temporary.cleanup)
        folder = pathlib.Path(cls.temporary.name)
        cls.environment = environment(
            PRE_COMMIT_HOME=folder / "cache", PRE_COMMIT_COLOR="never", GIT_CONFIG_GLOBAL="/dev/null", GIT_CONFIG_NOSYSTEM="1",
            GIT_AUTHOR_NAME="a", GIT_AUTHOR_EMAIL="a@example.org", GIT_COMMITTER_NAME="a", GIT_COMMITTER_EMAIL="a@example.org")
        cls.hooks = folder / "hooks"
        cls.hooks.mkdir()
        shutil.copy(ROOT / ".pre-commit-hooks.yaml", cls.hooks)
        cls.commit(cls.hooks)
        cls.revision = subprocess.check_output(
            ["git", "rev-parse", "HEAD"], cwd=cls.hooks, env=cls.environment, text=True).strip()

        cls.work = folder / "work"
        good = (ROOT / "scenarios" / "criteria" / "policies" / "base.json").read_text()
        cls.write("policies/good.json", good)
        cls.write("policies/bad.json", re.sub(r'("maximumRequiredOsVersion": )[^,]*', r'\1"1.0"', good))
        cls.write("App Protection/phones_iosManagedAppProtection.json", good)
        other = '{"@odata.type": "#microsoft.graph.androidManagedAppProtection"}'
        cls.write("App Protection/phones_androidManagedAppProtection.json", other)
        cls.write("settings.json", "{}")
        property_list = (ROOT / "plugins" / "Words.appex" / "Info.plist").read_text()
        cls.write("Good/Info.plist", property_list)
        cls.write("Bad/Words-Info.plist", property_list.replace("UTI-CONFORMS-TO", "UTI-CONFORMS", 1))
        cls.write("Good/App.entitlements", (ROOT / "plugins" / "SaveNote.appex" / "entitlements.plist").read_text())
        cls.write("scenarios/good.yaml", TIGHT)
        cls.write("scenarios/bad scenario.yaml", TIGHT.replace("apps:\n", "aps:\n"))
        cls.write("other.yaml", "a: b\n")
        cls.commit(cls.work)

    @classmethod
    def write(cls, name, text):
        path = cls.work / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    @classmethod
    def commit(cls, folder):
        for command in (["init", "-q", "-b", "main"], ["add", "-A"], ["commit", "-qm", "all"]):
            subprocess.run(["git", *command], cwd=folder, check=True, env=cls.environment)

    def pre_commit(self, *arguments):
        ended = subprocess.run(
            [TOOLS / "pre-commit", *arguments], cwd=self.work, env=self.environment, capture_output=True, text=True)
        return ended.returncode, ended.stdout + ended.stderr

    def hook(self, identifier, *files):
        chosen = ["--files", *files] if files else ["--all-files"]
        return self.pre_commit("try-repo", self.hooks, identifier, "--verbose", *chosen)

    def check(self, identifier, good, bad, place, code):
        status, text = self.hook(identifier, *good)
        self.assertEqual(status, 0, text)
        self.assertIn("Passed", text)
        status, text = self.hook(identifier, bad)
        self.assertEqual(status, 1, text)
        self.assertRegex(text, re.escape(bad) + place)
        self.assertIn(f"[{code}]", text)
        # With all files, the hook reports nothing about files of other kinds.
        status, text = self.hook(identifier)
        self.assertEqual(status, 1, text)
        self.assertEqual(set(re.findall(r"^(.+?):\d+:\d+: error: ", text, re.MULTILINE)), {bad}, text)

    def test_policies(self):
        self.check(
            "sluice-policy-lint", ["policies/good.json", "App Protection/phones_iosManagedAppProtection.json"],
            "policies/bad.json", r":\d+:\d+: error: ", "noVersionLeft")

    def test_property_lists(self):
        self.check(
            "sluice-bundle-lint", ["Good/Info.plist", "Good/App.entitlements"], "Bad/Words-Info.plist", r":\d+:\d+: error: ",
            "ruleInvalid")

    def test_scenarios(self):
        self.check(
            "sluice-scenario", ["scenarios/good.yaml"], "scenarios/bad scenario.yaml", r":\d+:1: error: .*`aps`; did you mean `apps`",
            "unknown-key")

    def test_other_files_are_passed_over(self):
        for identifier in ("sluice-policy-lint", "sluice-bundle-lint", "sluice-scenario"):
            status, text = self.hook(identifier, "settings.json", "other.yaml")
            self.assertEqual(status, 0, text)
            self.assertIn("(no files to check)", text)

    def test_the_documents_configurations(self):
        by_file, by_folder = [text for text in blocks("yaml") if text.startswith("repos:")]
        config = self.work.parent / "config.yaml"

        def run(text):
            config.write_text(re.sub(r"repo: .*\n( *)rev: .*", rf"repo: {self.hooks}\n\1rev: {self.revision}", text))
            return self.pre_commit("run", "--config", config, "--all-files")

        status, text = run(by_file)
        self.assertEqual(status, 1, text)
        for file in ("policies/bad.json", "Bad/Words-Info.plist", "scenarios/bad scenario.yaml"):
            self.assertIn(f"\n{file}:", text)
        # The Android policy in the folder is skipped.
        status, text = run(by_folder.replace("intune", "App Protection").replace("[Mail.app]", "[Good]"))
        self.assertEqual(status, 0, text)
        self.assertEqual(text.count("Passed"), 2, text)


if __name__ == "__main__":
    unittest.main()
