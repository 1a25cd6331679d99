"""Devices of one organisation on the nodes of a real Slurm. It needs root."""

import hashlib
import json
import pathlib
import random
import signal
import tempfile
import unittest

from desk import Desk
from processes import wait_until
from slurm import Slurm

DEVICES = 8
WORLD = """\
name: Traffic
accounts:
  anna: { upn: anna@contoso.com, tenant: contoso.com }
policies:
  inside:
    json:
      displayName: Inside
      appGroupType: allApps
      saveAsBlocked: true
      allowedDataStorageLocations: [oneDriveForBusiness]
    assign: [{ account: anna }]
apps:
  mail: { bundle: com.contoso.mail, sdk: true, signedIn: [anna] }
  viewer: { bundle: org.example.viewer }
links: { latency: PT2S }
devices:
  phone: { count: %d, appleAccount: anna@example.org }
steps:
  - { launch: [mail, viewer], on: phone }
""" % DEVICES


def traffic(steps):
    """Returns a scenario with this number of equal steps."""
    chance = random.Random(4711)
    lines = [WORLD]
    for step in range(steps):
        here, there = chance.sample(range(1, DEVICES + 1), 2)
        what = chance.choice(
            [
                f"airDrop: {{ from: viewer, to: phone-{there}, text: drop {step} }}",
                f"use: {{ app: mail, feature: mailComposer, text: mail {step}, to: phone-{there} }}",
                "openReceived: { into: viewer, from: airDrop }",
                "openReceived: { into: mail, from: mail }",
                f"copy: {{ app: viewer, text: copy {step} }}",
                "paste: { app: viewer }",
                f"saveTo: {{ from: mail, location: oneDriveForBusiness, account: anna, text: file {step} }}",
                "openFrom: { into: mail, location: oneDriveForBusiness, account: anna }",
            ])
        lines.append(f"  - {{ {what}, on: phone-{here} }}\n")
        if step % 5 == 4:
            lines.append("  - advance: PT1S\n")
    return "".join(lines)


class FleetTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.slurm = cls.enterClassContext(Slurm(folder.name))

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.desk = Desk(folder.name, self.slurm.environment)
        self.slurm.nodes_ready()

    def fleet(self, *words):
        return ["fleet", "run", "traffic.yaml", "--address", "127.0.0.1", *words]

    def journal(self, kept):
        return (self.desk.folder / kept / "1" / "fleet.jsonl").read_bytes()

    def test_the_journal_is_the_same_for_any_number_of_nodes(self):
        (self.desk.folder / "traffic.yaml").write_text(traffic(200))
        digests = set()
        for count in (1, 2, 4):
            run = self.desk.sluice(
                *self.fleet("--executor", "slurm", "--hosts", str(count), "--output-dir", f"kept-{count}"))
            self.assertEqual(run.returncode, 0, run.stderr)
            digests.add(hashlib.sha256(self.journal(f"kept-{count}")).hexdigest())
        self.assertEqual(len(digests), 1)
        alone = self.desk.sluice("run", "traffic.yaml", "--output-dir", "kept")
        self.assertEqual(alone.returncode, 0, alone.stderr)
        for number in range(1, DEVICES + 1):
            name = pathlib.Path("1") / f"phone-{number}" / "journal.jsonl"
            self.assertEqual(
                (self.desk.folder / "kept" / name).read_bytes(),
                (self.desk.folder / "kept-4" / name).read_bytes(), name)

    def test_devices_of_a_node_that_dies_come_up_again_on_others(self):
        (self.desk.folder / "traffic.yaml").write_text(traffic(4000))
        running = self.desk.start(*self.fleet("--executor", "slurm", "--hosts", "4", "--output-dir", "kept"))
        journals = [
            self.desk.folder / "kept" / "1" / f"phone-{number}" / "journal.jsonl" for number in range(1, DEVICES + 1)
        ]
        wait_until(
            lambda: all(path.exists() and b"request.decided" in path.read_bytes() for path in journals),
            "devices that decide")
        self.slurm.kill_node("node3")
        try:
            output, errors = running.communicate(timeout=600)
        finally:
            running.kill()
            self.slurm.start_node("node3")
        self.assertIn("is lost; 2 devices restart on the other hosts", errors)
        # Their apps ended with the node, and steps of apps that are not running fail.
        self.assertEqual(running.returncode, 1, output + errors)
        ups = 0
        for path in journals:
            events = [json.loads(line) for line in path.read_text().splitlines()]
            ups += sum(event["event"] == "device.started" for event in events)
            # Each continued to the end of the case, without a gap in the numbers.
            self.assertEqual(events[-1]["event"], "device.stopped")
            self.assertEqual([event["seq"] for event in events], list(range(1, len(events) + 1)))
            self.assertEqual(sum(event["event"] == "case.ended" for event in events), 1)
        self.assertEqual(ups, DEVICES + 2)
        # Every arrived item was decided on the sending device.
        sent, arrived = set(), set()
        for path in journals:
            for event in map(json.loads, path.read_text().splitlines()):
                if event["event"] == "request.decided":
                    sent.add((path.parent.name, event["request"]))
                elif event["event"] == "item.arrived":
                    arrived.add((event["device"], event["request"]))
        self.assertTrue(arrived)
        self.assertLessEqual(arrived, sent)

    def test_an_interruption_ends_the_hosts_and_leaves_no_job(self):
        (self.desk.folder / "traffic.yaml").write_text(traffic(4000))
        for count, state in (("4", "RUNNING"), ("5", "PENDING")):
            running = self.desk.start(*self.fleet("--executor", "slurm", "--hosts", count))
            try:
                wait_until(
                    lambda: state in self.slurm.run("squeue", "--noheader", "--format", "%T"), f"a job that is {state}")
                running.send_signal(signal.SIGINT)
                _, errors = running.communicate(timeout=60)
                self.assertEqual(running.returncode, -signal.SIGINT, errors)
            finally:
                running.kill()
            wait_until(lambda: not self.slurm.run("squeue", "--noheader"), "no job")
            self.assertEqual(sorted(path.name for path in self.desk.folder.iterdir()), ["traffic.yaml"])


if __name__ == "__main__":
    unittest.main()
