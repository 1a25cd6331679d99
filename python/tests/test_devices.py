"""Tests guests in Python and a client on real devices. SLUICE is the command; PACKAGES is a folder of packages for bundles."""
import os
import random
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from sluice_ctl import Device, DeviceError, HungUp, NoDevice, only_socket

SLUICE = os.environ["SLUICE"]
PACKAGES = Path(os.environ["PACKAGES"])
HERE = Path(__file__).parent

SCENARIO = """
name: Guests in Python
accounts:
  anna: { upn: anna@contoso.com }
policies:
  base:
    json: { "displayName": "Base", "allowedOutboundDataTransferDestinations": "managedApps" }
    assign: [{ account: anna, apps: [com.contoso.mail, org.example.relay] }]
apps:
  mail: { bundle: com.contoso.mail, sdk: true, signedIn: [anna] }
  viewer: { bundle: org.example.viewer }
  relay: { bundle: org.example.relay, executable: bundle/relay.py, sdk: true, signedIn: [anna], schemes: [relay] }
  host: { bundle: org.example.host }
  counter: { bundle: org.example.host.counter, extension: share, containingApp: host, executable: bundle/counter.py }
cases:
  - name: an extension returns the number of words
    steps:
      - launch: [viewer]
      - share: { from: viewer, to: counter, text: to be or not to be }
        expect: { end: delivered, returned: { verdict: allowed, received: 6 words } }
  - name: an extension that raises an error cancels with the error
    steps:
      - launch: [viewer]
      - share:
          from: viewer
          to: counter
          items: [{ attachments: [{ name: broken, representations: { public.plain-text: x } }] }]
        expect: { verdict: allowed }
      - share:
          from: viewer
          to: counter
          items: [{ attachments: [{ name: other, representations: { public.plain-text: x } }] }]
        expect: { verdict: allowed }
  - name: an item that an app forwards keeps its owner
    steps:
      - launch: [mail, viewer, relay]
      - share: { from: mail, to: relay, text: Quarterly figures }
        expect: { verdict: allowed, end: delivered }
      - import: { into: mail, from: relay }
        expect: { received: "blocked refused sendManagedAppsToUnmanaged,unmanagedReceiver anna@contoso.com" }
"""


ACCOUNTS = """
name: Accounts in Python
device: { mdm: { enrolled: true } }
accounts:
  anna: { upn: anna@contoso.com, objectId: 0f8fad5b-d9cb-469f-a165-70867728950e, tenant: contoso.com }
  ben: { upn: ben@example.org }
policies:
  base:
    json: { displayName: Base, allowedOutboundDataTransferDestinations: allApps }
    assign: [{ account: anna, apps: [org.example.asked] }]
apps:
  asked:
    bundle: org.example.asked
    executable: bundle/asked.py
    sdk: true
    multiIdentity: true
    mdmManaged: true
    schemes: [asked]
  other: { bundle: org.example.other }
steps:
  - launch: [asked, other]
"""


class OnADevice(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="sluice-python-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        shutil.copytree(PACKAGES, self.folder / "bundle")
        for name in ("asked.py", "counter.py", "relay.py"):
            shutil.copy(HERE / name, self.folder / "bundle")
            (self.folder / "bundle" / name).chmod(0o755)
        (self.folder / "scenario.yaml").write_text(SCENARIO)
        run = self.folder / "run"
        run.mkdir(mode=0o700)
        self.environment = {**os.environ, "XDG_RUNTIME_DIR": str(run), "TMPDIR": str(self.folder)}

    def sluice(self, *arguments):
        return subprocess.run(
            [SLUICE, *arguments], cwd=self.folder, env=self.environment, text=True, capture_output=True
        )


class Guests(OnADevice):
    def test_the_scenario_holds(self):
        ended = self.sluice("run", "scenario.yaml", "--output-dir", "kept", "--trace", "-")
        self.assertEqual(ended.returncode, 0, ended.stdout + ended.stderr)
        journal = (self.folder / "kept" / "2" / "journal.jsonl").read_text()
        self.assertIn("KeyError: 'no such thing'", journal)
        self.assertIn("ValueError: `public.png` is not offered; there are public.plain-text", journal)
        self.assertIn("Traceback (most recent call last)", ended.stderr)


class Accounts(OnADevice):
    """The device and a guest in Python agree about accounts."""

    ANNA = "0f8fad5b-d9cb-469f-a165-70867728950e"

    def test_the_lists_are_the_devices(self):
        numbers = random.Random(47)
        steps, enrolled, registered = [], set(), set()
        look = "  - import: { into: other, from: asked }\n    expect: { received: '%s' }\n"
        for _ in range(30):
            name, account = numbers.choice([("anna@contoso.com", self.ANNA), ("ben@example.org", "ben@example.org")])
            call = numbers.choice(["sign_in", "sign_out", "enroll"])
            steps.append(f"  - openURL: {{ from: other, url: 'asked:{call}/{name}' }}\n")
            if call == "sign_out":
                registered.discard(account)
                enrolled.discard(account)
            elif account == self.ANNA:
                registered.add(account)
                enrolled.add(account)
            elif call == "enroll":
                registered.add(account)
            steps.append(look % f"{','.join(sorted(registered))};{','.join(sorted(enrolled))}")
        (self.folder / "scenario.yaml").write_text(ACCOUNTS + "".join(steps))
        ended = self.sluice("run", "scenario.yaml")
        self.assertEqual(ended.returncode, 0, ended.stdout + ended.stderr)

    def test_a_configuration_by_mdm_is_read(self):
        (self.folder / "scenario.yaml").write_text(
            ACCOUNTS
            + "  - configure: { app: asked, configuration: { server: example.org } }\n"
            + "  - openURL: { from: other, url: 'asked:configuration' }\n"
            + "  - import: { into: other, from: asked }\n    expect: { received: example.org }\n"
        )
        ended = self.sluice("run", "scenario.yaml")
        self.assertEqual(ended.returncode, 0, ended.stdout + ended.stderr)


class Begun(OnADevice):
    def test_what_is_begun_runs_with_the_packages(self):
        begun = [["app", "Echo"], ["extension", "Clip"]] + [
            ["extension", kind.title(), "--kind", kind] for kind in ("action", "keyboard", "notificationService")
        ]
        for words in begun:
            ended = self.sluice("new", *words, "--language", "python")
            self.assertEqual(ended.returncode, 0, ended.stderr)
            name = words[1]
            bundle = f"{name}.{'app' if words[0] == 'app' else 'appex'}"
            self.assertIn(f"--target {bundle} ", ended.stderr)
            shutil.copytree(PACKAGES, self.folder / bundle, dirs_exist_ok=True)
            ran = self.sluice("run", f"{name}.yaml", "--trace", "-")
            self.assertEqual(ran.returncode, 0, ran.stdout + ran.stderr)


class Clients(OnADevice):
    def setUp(self):
        super().setUp()
        self.up = subprocess.Popen(
            [SLUICE, "up", "scenario.yaml"], cwd=self.folder, env=self.environment, text=True, stdout=subprocess.PIPE
        )
        self.addCleanup(self.up.stdout.close)
        self.addCleanup(self.up.wait)
        self.addCleanup(self.up.kill)
        said = self.up.stdout.readline()
        self.assertIn("is up", said)
        self.path = said.strip().split("control socket is ")[1]

    def test_steps_are_carried_out_and_mistakes_raised(self):
        with Device(self.path) as device:
            self.assertTrue(device.launch("mail", "viewer", "relay")["holds"])
            result = device.share("mail", "viewer", "Quarterly figures")
            self.assertEqual(result["observed"][0]["verdict"], "blocked")
            encrypted = device.share("mail", "viewer", "Quarterly figures", via="os")
            self.assertEqual(encrypted["observed"][0]["verdict"], "encrypted")
            opened = device.step("openURL: { from: viewer, url: 'relay:hello' }")
            self.assertTrue(opened["holds"], opened)
            got = device.step({"import": {"into": "mail", "from": "relay"}})
            self.assertEqual(got["observed"][0]["received"], "relay:hello org.example.viewer from the pasteboard")
            with self.assertRaises(DeviceError) as raised:
                device.step("launch: mial")
            self.assertEqual(raised.exception.code, -32602)
            self.assertIn("did you mean `mail`?", raised.exception.message)
            self.assertEqual(raised.exception.data["rule"], "unknown-name")
            self.assertIn("request.ended", [event["event"] for event in device.journal()])
            self.assertEqual([app["name"] for app in device.apps() if app["state"] == "running"], ["mail", "viewer", "relay"])
            self.assertEqual(device.accounts()[0]["upn"], "anna@contoso.com")

    def test_a_call_that_follows_an_interrupted_one_gets_its_own_answer(self):
        with Device(self.path) as device:
            with mock.patch.object(device, "_next", side_effect=KeyboardInterrupt):
                with self.assertRaises(KeyboardInterrupt):
                    device.launch("viewer")
            self.assertIn("suspend", device.step("suspend: viewer")["text"])

    def test_a_guest_that_raises_ends_alone_and_says_why(self):
        with Device(self.path) as device:
            device.launch("viewer", "relay")
            device.share("viewer", "relay", "fall over")
            exits = [event for event in device.journal() if event["event"] == "guest.exited"]
            self.assertIn("RuntimeError: as it was told", exits[0]["text"])
            self.assertTrue(device.launch("relay")["holds"])

    def test_who_follows_hears_until_the_device_is_down(self):
        with Device(self.path) as follower, Device(self.path) as device:
            events = follower.follow()
            device.launch("viewer")
            heard = next(event for event in events if event["event"] == "guest.started")
            self.assertEqual(heard["guest"], "viewer")
            self.assertEqual(device.down()["guests"], ["viewer"])
            self.assertEqual([event["event"] for event in events][-1], "device.stopped")
            with self.assertRaises((HungUp, BrokenPipeError)):
                device.status()

    def test_the_only_device_is_found(self):
        before = dict(os.environ)
        self.addCleanup(os.environ.update, before)
        os.environ.update(XDG_RUNTIME_DIR=self.environment["XDG_RUNTIME_DIR"], TMPDIR=str(self.folder))
        os.environ.pop("SLUICE_SOCKET", None)
        self.assertEqual(only_socket(), self.path)
        with Device() as device:
            device.down()
        with self.assertRaisesRegex(NoDevice, "no device is running"):
            only_socket()


if __name__ == "__main__":
    unittest.main()
