"""Trying answers of `sluice studio` on a running device with real processes, in headless Chromium, driven by Playwright."""

import http.client
import json
import pathlib
import subprocess
import tempfile
import unittest
import urllib.parse

from pages import SLUICE, PageTests

POLICY = """\
{
  "displayName": "Org data stays",
  "allowedOutboundDataTransferDestinations": "managedApps"
}
"""
WORLD = """\
device: { name: tried }
accounts:
  anna: { upn: anna@contoso.com }
  private: { upn: anna@example.org }
policies:
  base:
    file: base.json
    assign: [{ account: anna, apps: [com.contoso.mail, com.contoso.notes] }]
  second:
    json: { displayName: No printing, printBlocked: true }
apps:
  mail: { bundle: com.contoso.mail, sdk: true, multiIdentity: true, signedIn: [anna, private] }
  notes: { bundle: com.contoso.notes, sdk: true, signedIn: [anna] }
  viewer: { bundle: org.example.viewer }
cases:
  - name: none
    steps: [{ launch: mail }]
"""
SEND = "#setting-allowedOutboundDataTransferDestinations"
SHARE = "Share, by the SDK, managed → unmanaged"
TRY = 'dialog button:text-is("Try it on the device")'
RULES = (pathlib.Path(__file__).parent / "studio_rules.js").read_text()


class StudioDeviceTests(PageTests):
    def setUp(self):
        super().setUp()
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.socket = self.folder / "socket"
        (self.folder / "base.json").write_text(POLICY)

    def start(self, *words):
        """Starts a command, and waits for its first line."""
        process = subprocess.Popen([SLUICE, *words], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.terminate)
        return process.stdout.readline().strip()

    def up(self, world=WORLD):
        (self.folder / "world.yaml").write_text(world)
        self.assertIn("is up", self.start("up", "world.yaml", "--socket", self.socket))

    def ctl(self, *words):
        return subprocess.run(
            [SLUICE, "ctl", "--socket", self.socket, *words], cwd=self.folder, capture_output=True, text=True, check=True
        ).stdout

    def studio(self, *words):
        return self.start("studio", "base.json", "--device", self.socket, *words)

    def open(self, address):
        page = self.new_page()
        page.goto(address)
        page.wait_for_selector(".line")
        return page

    def explain(self, page, label):
        page.locator(f'td button[aria-label^="{label}"]').click()
        page.wait_for_selector("dialog .try h3")

    def close(self, page):
        page.click('dialog button:text-is("Close")')
        page.wait_for_selector("dialog", state="detached")

    def cell(self, page, label):
        return page.locator(f'td button[aria-label^="{label}"]').inner_text()

    def saved(self):
        return json.loads(self.ctl("policies", "--format", "json"))["policies"][0].get("saved")

    def test_the_draft_is_tried_and_the_devices_policy_put_back(self):
        self.up()
        page = self.open(self.studio())
        self.assertIn("Device tried", page.inner_text("header"))
        page.select_option(SEND, "All apps")
        page.wait_for_selector(".line.changed")
        self.explain(page, SHARE)
        effects = page.inner_text("#try-effects")
        for text in ["Its policy base becomes the draft", "It starts mail.", "It starts viewer.", "mail then acts for anna.", "share: {"]:
            self.assertIn(text, effects)
        self.assertEqual(page.evaluate(RULES), [])
        page.click(TRY)
        page.wait_for_selector('#try-result:has-text("as computed")')
        self.assertIn("✓ allowed", page.inner_text("#try-result"))
        self.assertIn("sendAllApps", page.inner_text("#try-result"))
        self.assertEqual(page.evaluate(RULES), [])
        self.close(page)
        self.assertIn("device: ✓ allowed", self.cell(page, SHARE))
        viewer = next(line for line in self.ctl("apps").splitlines() if line.startswith("viewer"))
        self.assertIn("running", viewer)
        self.assertTrue(self.saved().endswith("/1-base.json"))
        # The file of the draft is not the saved one.
        self.assertEqual((self.folder / "base.json").read_text(), POLICY)
        page.click("button:text-is(\"Put the device's policy back\")")
        page.wait_for_selector('#message:has-text("the device has its policy again")')
        self.assertIsNone(self.saved())
        self.assertIn("blocked", self.ctl("share", "from=mail", "to=viewer", "text=Figures"))

    def test_a_verdict_of_the_device_that_differs_is_marked(self):
        self.up(WORLD.replace("printBlocked: true }", "printBlocked: true }\n    assign: [{ account: anna, apps: [com.contoso.mail] }]"))
        page = self.open(self.studio())
        self.explain(page, "Print, managed account")
        self.assertEqual(page.input_value("dialog .try select"), "base")
        page.click(TRY)
        page.wait_for_selector('#try-result:has-text("The workbench computed allowed")')
        self.assertIn("✗ blocked", page.inner_text("#try-result"))
        self.close(page)
        self.assertIn("≠ device: ✗ blocked", self.cell(page, "Print, managed account"))
        self.assertEqual(page.locator(".tried.differs").count(), 1)
        # The device's answer is about the settings that it got.
        page.select_option("#setting-printBlocked", "Block")
        page.wait_for_selector(".tried", state="detached")
        page.click('button:text-is("Undo")')
        page.wait_for_selector(".tried.differs")

    def test_only_what_the_devices_apps_can_carry_out_is_offered(self):
        self.up(WORLD.replace("  viewer: { bundle: org.example.viewer }\n", ""))
        page = self.open(self.studio())
        self.explain(page, SHARE)
        self.assertIn("It cannot be tried: the device has no unmanaged app.", page.inner_text("dialog .try"))
        self.assertEqual(page.locator(TRY).count(), 0)

    def test_a_device_that_goes_down_is_reported(self):
        self.up()
        page = self.open(self.studio())
        self.explain(page, SHARE)
        self.ctl("down")
        page.click(TRY)
        page.wait_for_selector('#try-result:has-text("the device tried does not answer")')
        self.close(page)
        self.assertNotIn("device:", self.cell(page, SHARE))

    def ask(self, url, path, method="POST", **headers):
        address = urllib.parse.urlsplit(url)
        connection = http.client.HTTPConnection(address.hostname, address.port)
        self.addCleanup(connection.close)
        body = json.dumps({"policy": 0, "revision": 0, "section": 0, "row": 0, "column": 2, "state": "unenrolled"})
        connection.request(method, address.path + path, body, {"Content-Type": "application/json", **headers})
        answer = connection.getresponse()
        return answer.status, answer.read()

    def test_other_pages_and_users_cannot_use_the_device(self):
        self.up()
        url = self.studio()
        port = urllib.parse.urlsplit(url).port
        for path in ["device", "try", "putBack"]:
            self.assertEqual(self.ask(url, path, Host=f"sluice.example:{port}")[0], 421)
            self.assertEqual(self.ask(url, path, Origin="http://sluice.example")[0], 421)
            self.assertEqual(self.ask(url, path, **{"Content-Type": "text/plain"})[0], 400)
            self.assertEqual(self.ask(url, path, method="GET")[0], 405)
            self.assertEqual(self.ask(f"http://127.0.0.1:{port}/", path)[0], 404)
            self.assertEqual(self.ask(f"http://127.0.0.1:{port}/{32 * '0'}/", path)[0], 404)
        self.assertEqual(json.loads(self.ctl("status", "--format", "json"))["steps"], 0)
        self.assertIsNone(self.saved())
        without = self.start("studio", "base.json")
        self.assertEqual(self.ask(without, "try")[0], 404)
        self.assertEqual(json.loads(self.ask(url, "try")[1])["outcome"], "blocked")


if __name__ == "__main__":
    unittest.main()
