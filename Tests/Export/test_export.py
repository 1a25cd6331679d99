"""The output of `sluice export`, read by the packages that define each format."""

import json
import pathlib
import subprocess
import tempfile
import unittest

from allure_commons.model2 import Label, Status, StatusDetails, TestResult, TestStepResult
from google.protobuf import json_format
from opentelemetry.proto.trace.v1 import trace_pb2
from perfetto.protos.perfetto.trace import perfetto_trace_pb2

ROOT = pathlib.Path(__file__).resolve().parents[2]
SLUICE = ROOT / "bin" / "sluice"

FAILING = """\
name: "Suite <&> one"
apps:
  viewer: { bundle: org.example.viewer }
cases:
  - name: it fails
    steps:
      - launch: viewer
      - share: { from: viewer, to: viewer, text: Hi }
        expect: { verdict: blocked }
"""


class ExportTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.temporary.name)
        cls.run_scenario(ROOT / "scenarios" / "lineage.yaml", "devices")
        failing = cls.folder / "failing.yaml"
        failing.write_text(FAILING)
        cls.run_scenario(failing, "failed")

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    @classmethod
    def run_scenario(cls, scenario, devices):
        ended = subprocess.run([SLUICE, "run", scenario, "--output-dir", cls.folder / devices], cwd=ROOT, capture_output=True)
        assert ended.returncode in (0, 1), ended.stderr

    def export(self, devices, name, *arguments):
        path = self.folder / name
        subprocess.run([SLUICE, "export", self.folder / devices, "-o", path, *arguments], check=True)
        return path

    def decisions(self, devices):
        lines = [
            json.loads(line)
            for journal in sorted((self.folder / devices).glob("*/journal.jsonl"))
            for line in journal.read_text().splitlines()
        ]
        return [line for line in lines if line["event"] == "request.decided"]

    def test_perfetto(self):
        trace = perfetto_trace_pb2.Trace()
        trace.ParseFromString(self.export("devices", "trace.pftrace", "--format", "perfetto").read_bytes())
        tracks = {p.track_descriptor.uuid: p.track_descriptor.name for p in trace.packet if p.HasField("track_descriptor")}
        self.assertIn("mail", tracks.values())
        events = [p for p in trace.packet if p.HasField("track_event")]
        for packet in events:
            self.assertIn(packet.track_event.track_uuid, tracks)
        # A slice begins and ends on the same track.
        depth = {}
        for packet in sorted(events, key=lambda packet: packet.timestamp):
            track, kind = packet.track_event.track_uuid, packet.track_event.type
            depth[track] = depth.get(track, 0) + {1: 1, 2: -1, 3: 0}[kind]
            self.assertGreaterEqual(depth[track], 0)
        self.assertEqual(set(depth.values()), {0})
        # A flow has a point at the sender and one at the receiver, on two tracks.
        shares = [p.track_event for p in events if p.track_event.name.startswith("share")]
        flows = {}
        for share in shares:
            for flow in share.flow_ids:
                flows.setdefault(flow, set()).add(tracks[share.track_uuid])
        self.assertIn({"mail", "notes"}, [guests & {"mail", "notes"} for guests in flows.values()])
        facts = {a.name: a.string_value for a in shares[0].debug_annotations}
        self.assertEqual(facts["sluice.rule"], "sendManagedAppsToManaged")

    def test_opentelemetry(self):
        text = self.export("devices", "traces.json", "--format", "otlp").read_text()
        # OTLP JSON has hexadecimal ids, unlike the base64 of protobuf JSON.
        data = json_format.Parse(text, trace_pb2.TracesData())
        spans = [s for r in data.resource_spans for scope in r.scope_spans for s in scope.spans]
        document = json.loads(text)
        raw = [s for r in document["resourceSpans"] for scope in r["scopeSpans"] for s in scope["spans"]]
        self.assertEqual(len(spans), len(raw))
        known = {span["spanId"] for span in raw}
        self.assertEqual(len(known), len(raw))
        for span in raw:
            self.assertRegex(span["traceId"], "^[0-9a-f]{32}$")
            self.assertRegex(span["spanId"], "^[0-9a-f]{16}$")
            self.assertLessEqual(int(span["startTimeUnixNano"]), int(span["endTimeUnixNano"]))
            if "parentSpanId" in span:
                self.assertIn(span["parentSpanId"], known)
        requests = [s for s in spans if any(a.key == "sluice.request" for a in s.attributes)]
        self.assertEqual(len(requests), len(self.decisions("devices")))

    def test_graphs(self):
        dot = self.export("devices", "map.dot", "--format", "dot")
        drawn = subprocess.run(["dot", "-Tplain", dot], check=True, capture_output=True, text=True).stdout
        self.assertIn("mail · anna@contoso.com", drawn)
        self.assertGreater(drawn.count("\nedge "), 3)
        mermaid = self.export("devices", "map.mmd", "--format", "mermaid").read_text()
        self.assertTrue(mermaid.startswith("flowchart LR\n"))
        self.assertIn("blocked", mermaid)

    def test_allure(self):
        folder = self.export("failed", "allure", "--format", "allure")
        results = [json.loads(path.read_text()) for path in folder.iterdir()]
        self.assertEqual(len(results), 1)
        result = self.allure(results[0], TestResult)
        self.assertEqual((result.name, result.status), ("it fails", Status.FAILED))
        self.assertIn("expected verdict blocked", result.statusDetails.message)
        self.assertEqual([step.status for step in result.steps], [Status.PASSED, Status.FAILED])
        self.assertIn(Label(name="suite", value="Suite <&> one"), result.labels)
        self.assertLessEqual(result.start, result.stop)
        passed = self.export("devices", "passed", "--format", "allure")
        self.assertEqual({json.loads(path.read_text())["status"] for path in passed.iterdir()}, {"passed"})

    def allure(self, members, kind):
        """Reads a result with its model; an unknown member is an error."""
        members = dict(members)
        members["steps"] = [self.allure(step, TestStepResult) for step in members["steps"]]
        if "statusDetails" in members:
            members["statusDetails"] = StatusDetails(**members["statusDetails"])
        if "labels" in members:
            members["labels"] = [Label(**label) for label in members["labels"]]
        return kind(**members)

    def test_a_cut_journal_is_what_is_left(self):
        journal = (self.folder / "devices" / "1" / "journal.jsonl").read_bytes()
        (self.folder / "cut.jsonl").write_bytes(journal[:3000])
        folder = self.export("cut.jsonl", "cut", "--format", "allure")
        (result,) = [json.loads(path.read_text()) for path in folder.iterdir()]
        self.assertEqual(result["status"], "broken")
        self.assertIn("the journal ends before the case ends", result["statusDetails"]["message"])

    def test_several_devices(self):
        self.run_scenario(ROOT / "scenarios" / "organization.yaml", "organization")
        results = [json.loads(path.read_text()) for path in self.export("organization", "several", "--format", "allure").iterdir()]
        self.assertEqual(len(results), 8)
        for result in results:
            self.assertEqual(result["status"], "passed")
            for step in result["steps"]:
                self.assertLessEqual(step["start"], step["stop"])
        traces = json_format.Parse(self.export("organization", "several.json", "--format", "otlp").read_text(), trace_pb2.TracesData())
        spans = [span for resource in traces.resource_spans for scope in resource.scope_spans for span in scope.spans]
        known = {span.span_id for span in spans}
        self.assertTrue(all(span.parent_span_id in known for span in spans if span.parent_span_id))
        # One root for each case.
        self.assertEqual(len({span.trace_id for span in spans if not span.parent_span_id}), 8)
        self.assertEqual(sum(not span.parent_span_id for span in spans), 8)

    def test_far_times(self):
        journal = (self.folder / "devices" / "1" / "journal.jsonl").read_text()
        far = self.folder / "far.jsonl"
        far.write_text(journal.replace("2026-01-01T00:00:00Z", "9999-12-31T23:59:59Z"))
        for format in ["perfetto", "otlp"]:
            path = self.folder / f"far.{format}"
            subprocess.run([SLUICE, "export", far, "-o", path, "--format", format], check=True)

    def test_what_cannot_be(self):
        def run(*arguments):
            return subprocess.run([SLUICE, "export", *arguments], capture_output=True, text=True, cwd=self.folder)

        self.assertEqual(run("devices", "--format", "perfetto").returncode, 64)
        self.assertEqual(run("nowhere.jsonl", "--format", "otlp").returncode, 2)
        self.assertEqual(run("devices", "--format", "allure", "-o", ".").returncode, 2)
        journal = "devices/1/journal.jsonl"
        self.assertEqual(run(journal, "--format", "otlp", "-o", journal).returncode, 2)


if __name__ == "__main__":
    unittest.main()
