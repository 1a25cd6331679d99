"""Shards of runs on a real Slurm cluster and on ssh hosts, and the Kubernetes manifest. Requires root."""

import contextlib
import json
import os
import pathlib
import re
import signal
import subprocess
import tempfile
import unittest

from desk import REPOSITORY, SLUICE, Desk
from processes import wait_until
from slurm import Slurm
from ssh_hosts import SSHHosts, fill, full_folder, make_room

HOUR = 3600

SHORT = """\
name: Short
apps:
  a: { bundle: org.example.a }
  b: { bundle: org.example.b }
cases:
""" + "".join(
    f"""\
  - name: item {number} arrives
    steps:
      - launch: [a, b]
      - share: {{ from: a, to: b, text: Hi }}
        expect: {{ verdict: {"blocked" if number == 3 else "allowed"} }}
"""
    for number in range(6)
)
# Four cases that take long enough to be interrupted.
LONG = """\
name: Long
apps:
  a: { bundle: org.example.a }
  b: { bundle: org.example.b }
cases:
""" + "".join(
    f"""\
  - name: many items arrive {number}
    steps:
      - launch: [a, b]
      - share: {{ from: a, to: b, text: Hi }}
        repeat: 10000
"""
    for number in range(4)
)


def timeless(report):
    """Returns a JSON report without times."""
    return re.sub(r'"milliseconds":\d+', '"milliseconds":0', report)


def processes_that_name(text):
    """Returns the command lines of processes that contain the text."""
    lines = []
    for path in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            lines.append(path.read_bytes().replace(b"\0", b" ").decode(errors="replace"))
    return [line for line in lines if text in line]


class JobDesk(Desk):
    """A folder from which jobs are submitted."""

    def __init__(self, folder, environment):
        super().__init__(folder, environment)
        (self.folder / "short.yaml").write_text(SHORT)
        (self.folder / "long.yaml").write_text(LONG)

    def parts(self, ending):
        """Returns the files of jobs with this extension."""
        return sorted(self.folder.glob(f"sluice-jobs/*/*{ending}"))

    def wait_for_parts(self, count):
        """Waits for this number of running shards."""
        wait_until(lambda: len(self.parts(".part")) >= count, f"{count} parts that run")


class ShardTests(unittest.TestCase):
    """Tests shared by all executors."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.desk = JobDesk(folder.name, self.environment)

    def assert_whole(self, elsewhere, scenario, status):
        """The report of all shards equals that of one run."""
        here = self.desk.sluice("run", scenario, "--format", "json")
        self.assertEqual(elsewhere.returncode, status, elsewhere.stderr)
        self.assertEqual(here.returncode, status, here.stderr)
        self.assertEqual(timeless(elsewhere.stdout), timeless(here.stdout))


class SlurmTests(ShardTests):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.slurm = cls.enterClassContext(Slurm(folder.name))
        cls.environment = cls.slurm.environment

    def setUp(self):
        super().setUp()
        self.slurm.nodes_ready()

    def jobs(self):
        """Returns the unfinished jobs in Slurm."""
        return self.slurm.run("squeue", "--noheader", "--format", "%i").split()

    def finished(self, process, status):
        """Waits for a started command, and returns its exit status and output."""
        output, errors = process.communicate(timeout=600)
        self.assertEqual(process.returncode, status, errors)
        return subprocess.CompletedProcess(process.args, process.returncode, output, errors)

    def test_the_report_is_that_of_one_run(self):
        self.assert_whole(
            self.desk.sluice("run", "short.yaml", "--executor", "slurm", "--shards", "4", "--format", "json"), "short.yaml", 1)

    def test_criteria_are_one_certificate(self):
        words = ["criteria", "--filter", "SEND-1", "SEND-2", "PRINT-1", "--format", "json"]
        elsewhere = self.desk.sluice(*words, "--executor", "slurm", "--shards", "3")
        here = self.desk.sluice(*words)
        self.assertEqual([elsewhere.returncode, here.returncode], [0, 0], elsewhere.stderr)
        self.assertEqual(timeless(elsewhere.stdout), timeless(here.stdout))

    def test_a_part_whose_node_dies_is_done_on_another(self):
        process = self.desk.start("run", "long.yaml", "--executor", "slurm", "--shards", "2", "--format", "json")
        self.desk.wait_for_parts(1)
        running = self.slurm.run("squeue", "--noheader", "--states", "running", "--format", "%N").split()
        self.slurm.kill_node(running[0])
        self.addCleanup(self.slurm.start_node, running[0])
        self.assert_whole(self.finished(process, 0), "long.yaml", 0)
        job = self.slurm.run("scontrol", "--oneliner", "show", "job", self.job())
        self.assertIn("Restarts=1", job)

    def job(self):
        """The number of the only job of this desk."""
        [folder] = (self.desk.folder / "sluice-jobs").iterdir()
        return folder.name.removeprefix("slurm-")

    def test_ctrl_c_cancels_the_job(self):
        process = self.desk.start("run", "long.yaml", "--executor", "slurm", "--shards", "4")
        self.desk.wait_for_parts(1)
        process.send_signal(signal.SIGINT)
        ended = self.finished(process, -signal.SIGINT)
        self.assertIn("is cancelled", ended.stderr)
        wait_until(lambda: not self.jobs(), "the end of the job")
        self.assertEqual(self.desk.parts(".blob"), [])

    def test_a_job_goes_on_where_its_submitter_has_died(self):
        process = self.desk.start("run", "long.yaml", "--executor", "slurm", "--shards", "2")
        self.desk.wait_for_parts(1)
        process.kill()
        process.communicate()
        merged = self.desk.sluice("merge", "--resume", f"slurm-{self.job()}", "--format", "json")
        self.assert_whole(merged, "long.yaml", 0)
        again = self.desk.sluice("merge", "--resume", f"slurm-{self.job()}", "--format", "json")
        self.assertEqual(again.stdout, merged.stdout)

    def test_a_job_that_is_not_here_is_named(self):
        ended = self.desk.sluice("merge", "--resume", "slurm-4711")
        self.assertEqual(ended.returncode, 2)
        self.assertIn("no job is called `slurm-4711` in ./sluice-jobs", ended.stderr)

    def test_parts_that_leave_nothing_are_named(self):
        words = ["run", "short.yaml", "--syscalls", "strict", "--durations", "report.json", "--executor", "slurm"]
        ended = self.desk.sluice(*words, "--shards", "2")
        self.assertEqual(ended.returncode, 2)
        for shard in ["1", "2"]:
            self.assertRegex(
                ended.stderr, rf"shard {shard} has no result; it ended with status 2 on node\d: report.json:.*no such file")

    def test_a_shared_folder_that_is_full_loses_nothing_silently(self):
        with full_folder() as folder:
            make_room(folder)
            desk = JobDesk(folder, self.environment)
            self.slurm.run("scontrol", "update", "nodename=ALL", "state=drain", "reason=test")
            process = desk.start("run", "short.yaml", "--executor", "slurm", "--shards", "2")
            wait_until(lambda: desk.parts("job.json"), "the job")
            fill(folder)
            self.slurm.run("scontrol", "update", "nodename=ALL", "state=resume")
            ended = self.finished(process, 2)
            for shard in ["1", "2"]:
                self.assertRegex(ended.stderr, rf"shard {shard} has no result; it ended .*")
            self.assertEqual(desk.parts(".blob"), [])
            refused = desk.sluice("run", "short.yaml", "--executor", "slurm", "--shards", "2")
            self.assertEqual(refused.returncode, 2)
            self.assertIn("cannot be written: no space left on device", refused.stderr)
            wait_until(lambda: not self.jobs(), "no job that nobody waits for")

    def test_a_node_whose_clock_is_off_is_told_of_and_does_nothing(self):
        self.slurm.kill_node("node2")
        self.slurm.start_node("node2", clock=HOUR)
        try:
            wait_until(lambda: "*" in self.slurm.states()["node2"], "a node that does not respond")
            wait_until(lambda: "Not responding" in self.slurm.run("sinfo", "--list-reasons"), "the reason")
            ended = self.desk.sluice("run", "short.yaml", "--executor", "slurm", "--shards", "4", "--format", "json")
            self.assert_whole(ended, "short.yaml", 1)
            self.assertIn("node2: Not responding; check that the node is running, and its clock, because munge rejects a wrong time", ended.stderr)
            refused = self.desk.sluice(
                "run", "short.yaml", "--executor", "slurm", "--shards", "4", environment=self.slurm.environment_of("node2"))
            self.assertEqual(refused.returncode, 2)
            self.assertIn("check this machine's clock, because munge rejects a wrong time", refused.stderr)
        finally:
            self.slurm.kill_node("node2")
            self.slurm.start_node("node2")

    def test_a_controller_that_is_away_for_a_time_is_waited_for(self):
        process = self.desk.start("run", "long.yaml", "--executor", "slurm", "--shards", "2", "--format", "json")
        self.desk.wait_for_parts(1)
        self.slurm.stop_controller()
        self.slurm.start_controller()
        self.assert_whole(self.finished(process, 0), "long.yaml", 0)


class SSHTests(ShardTests):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.hosts = cls.enterClassContext(SSHHosts(folder.name))
        # GNU parallel stores its data about hosts in a home folder.
        cls.environment = os.environ | {
            "PARALLEL_SSH": f"ssh -F {folder.name}/config", "HOME": folder.name, "PARALLEL_HOME": f"{folder.name}/parallel"}

    def test_the_report_is_that_of_one_run(self):
        ended = self.desk.sluice("run", "short.yaml", "--executor", "ssh:h1,h2,h3", "--shards", "5", "--format", "json")
        self.assert_whole(ended, "short.yaml", 1)

    def test_a_part_whose_host_dies_is_done_on_another(self):
        process = self.desk.start("run", "long.yaml", "--executor", "ssh:h1,h2", "--shards", "4", "--format", "json")
        self.desk.wait_for_parts(2)
        self.hosts.kill_host("h1")
        self.addCleanup(self.hosts.start_host, "h1")
        output, errors = process.communicate(timeout=600)
        self.assertEqual(process.returncode, 0, errors)
        self.assert_whole(subprocess.CompletedProcess([], 0, output, errors), "long.yaml", 0)

    def test_ctrl_c_ends_what_runs_on_hosts(self):
        process = self.desk.start("run", "long.yaml", "--executor", "ssh:h2,h3", "--shards", "2")
        self.desk.wait_for_parts(2)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=600)
        self.assertEqual(process.returncode, -signal.SIGINT, errors)
        [job] = (self.desk.folder / "sluice-jobs").iterdir()
        wait_until(lambda: not processes_that_name(f"--blob sluice-jobs/{job.name}/"), "the end of the parts")
        self.assertEqual(self.desk.parts(".blob"), [])

    def test_hosts_that_are_not_there_are_named(self):
        ended = self.desk.sluice("run", "short.yaml", "--executor", "ssh:nohost.invalid", "--shards", "1")
        self.assertEqual(ended.returncode, 2)
        self.assertRegex(ended.stderr, "shard 1 has no result; it ended .*nohost.invalid")


class KubernetesTests(unittest.TestCase):
    """The manifest, validated against the API schema by `kubernetes-validate`."""

    def setUp(self):
        import kubernetes_validate
        import yaml

        self.validate, self.load = kubernetes_validate.validate, yaml.safe_load

        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.desk = JobDesk(folder.name, os.environ)

    def manifest(self, *words):
        printed = self.desk.sluice("run", *words, "--executor", "kubernetes", "--print")
        self.assertEqual(printed.returncode, 0, printed.stderr)
        return self.load(printed.stdout)

    def test_the_manifest_is_one_of_an_indexed_job(self):
        (self.desk.folder / "it's 1.yaml").write_text(SHORT)
        manifest = self.manifest("it's 1.yaml", "--shards", "12", "--image", "registry.example/a'b:1", "--claim", "c")
        for version in ["1.28", "1.31"]:
            self.validate(manifest, version, strict=True)
        spec = manifest["spec"]
        self.assertEqual([spec["completionMode"], spec["completions"]], ["Indexed", 12])
        [container] = spec["template"]["spec"]["containers"]
        self.assertEqual(container["image"], "registry.example/a'b:1")

    def test_the_pod_does_its_part(self):
        manifest = self.manifest("short.yaml", "--shards", "2")
        [container] = manifest["spec"]["template"]["spec"]["containers"]
        for index in ["0", "1"]:
            environment = os.environ | {
                "JOB_COMPLETION_INDEX": index, "JOB_NAME": "sluice-x", "PATH": f"{SLUICE.parent}:{os.environ['PATH']}"}
            # Kubernetes interprets `$$` as `$`.
            command = [word.replace("$$", "$") for word in container["command"]]
            subprocess.run(command, cwd=self.desk.folder, env=environment, check=True)
        merged = self.desk.sluice("merge", "sluice-jobs/kubernetes-sluice-x", "--format", "json")
        self.assertEqual(merged.returncode, 1, merged.stderr)
        self.assertEqual(len(json.loads(merged.stdout)["suites"][0]["cases"]), 6)


if __name__ == "__main__":
    unittest.main()
