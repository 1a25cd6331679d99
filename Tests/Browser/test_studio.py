"""The page that `sluice studio` serves, in a real browser: headless Chromium, driven by Playwright."""

import http.client
import json
import os
import pathlib
import subprocess
import tempfile
import unittest
import urllib.parse

from pages import PICTURES, SLUICE, PageTests

POLICY = """\
{
\t"@odata.type": "#microsoft.graph.iosManagedAppProtection",
\t"displayName": "Base <b>policy</b>",
\t"allowedOutboundDataTransferDestinations" : "managedApps",
\t"printBlocked": true
}
"""
SEND = "#setting-allowedOutboundDataTransferDestinations"
CHANGED_SEND = ".line.changed:has(" + SEND + ")"


class StudioTests(PageTests):
    def setUp(self):
        super().setUp()
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.file = self.folder / "base.json"
        self.file.write_text(POLICY)

    def studio(self, *paths):
        process = subprocess.Popen(
            [SLUICE, "studio", *(paths or ["base.json"])], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.terminate)
        return process.stdout.readline().strip()

    def open(self, address):
        page = self.new_page()
        page.goto(address)
        page.wait_for_selector(".line")
        return page

    def cell(self, page, label):
        return page.locator(f'td button[aria-label^="{label}"]')

    def ask(self, url, path, body, method="POST", **headers):
        address = urllib.parse.urlsplit(url)
        connection = http.client.HTTPConnection(address.hostname, address.port)
        self.addCleanup(connection.close)
        content = body if isinstance(body, str) else json.dumps(body)
        connection.request(method, address.path + path, content, {"Content-Type": "application/json", **headers})
        answer = connection.getresponse()
        return answer.status, answer.read()

    def test_a_changed_setting_marks_the_answers_that_change_and_is_what_policy_diff_says(self):
        page = self.open(self.studio())
        self.assertEqual(page.inner_text("h1"), "Base <b>policy</b>")
        share = "Share, by the SDK, managed -> unmanaged"
        self.assertIn("blocked", self.cell(page, share).inner_text())
        page.select_option(SEND, "All apps")
        page.wait_for_selector(CHANGED_SEND)
        self.assertEqual(self.cell(page, share).inner_text(), "✓ allowed ✗ blocked")
        count = page.locator("td button.changed").count()
        self.assertGreater(count, 5)
        # The saved file, compared with the original by the command line.
        (self.folder / "old.json").write_text(POLICY)
        page.click('button:text-is("Save…")')
        self.assertIn("allApps", page.inner_text("dialog pre"))
        page.click('dialog button:text-is("Save")')
        page.wait_for_selector('#message:has-text("saved base.json")')
        self.assertEqual(self.file.read_text(), POLICY.replace('"managedApps"', '"allApps"'))
        diff = subprocess.run(
            [SLUICE, "policy", "diff", "old.json", "base.json", "--format", "json"], cwd=self.folder, capture_output=True, text=True
        )
        self.assertEqual(diff.returncode, 1, diff.stderr)
        self.assertIn("allowedOutboundDataTransferDestinations", diff.stdout)
        self.assertEqual(page.locator("td button.changed").count(), 0)

    def test_a_proposal_leads_to_its_verdict_and_can_be_undone(self):
        page = self.open(self.studio())
        share = "Share, by the SDK, managed -> unmanaged"
        self.cell(page, share).click()
        page.wait_for_selector("dialog .proposal")
        self.assertIn("sendManagedAppsToUnmanaged", page.inner_text("dialog"))
        page.locator("dialog .proposal button").first.click()
        page.wait_for_selector(CHANGED_SEND)
        self.assertIn("✓ allowed", self.cell(page, share).inner_text())
        page.click('button:text-is("Undo")')
        page.wait_for_selector(CHANGED_SEND, state="detached")
        self.assertEqual(self.cell(page, share).inner_text(), "✗ blocked")
        page.click('button:text-is("Redo")')
        page.wait_for_selector(CHANGED_SEND)

    def test_a_goal_that_a_change_breaks_is_met_again_by_a_solution(self):
        page = self.open(self.studio())
        self.cell(page, "Share, by the SDK, managed -> unmanaged").click()
        page.click('dialog button:text-is("Pin as a goal")')
        page.wait_for_selector("td button.pinned")
        page.select_option(SEND, "All apps")
        page.wait_for_selector('button[role=tab]:has-text("1 not met")')
        page.click('button[role=tab]:has-text("Goals")')
        page.click('button:text-is("Find the fewest changes that meet all goals")')
        page.wait_for_selector("dialog .proposal")
        page.locator("dialog .proposal button").first.click()
        page.wait_for_selector("td.met")

    def test_settings_are_found_by_label_and_by_graphs_name(self):
        page = self.open(self.studio())
        for words, label in [("printing", "Printing Org data"), ("databackupblocked", "Backup Org data")]:
            page.fill("#search", words)
            self.assertEqual(page.locator(".line:visible").count(), 1)
            self.assertIn(label, page.inner_text(".line:visible"))

    def test_a_value_that_the_setting_cannot_have_is_reported_and_changes_nothing(self):
        page = self.open(self.studio())
        page.fill("#setting-minimumRequiredOsVersion", "seventeen")
        page.press("#setting-minimumRequiredOsVersion", "Enter")
        page.wait_for_selector("#message:not(:empty)")
        self.assertEqual(page.locator(".line.changed").count(), 0)
        self.assertEqual(page.input_value("#setting-minimumRequiredOsVersion"), "")

    def test_a_file_that_changed_on_disk_is_not_overwritten(self):
        page = self.open(self.studio())
        page.select_option(SEND, "All apps")
        page.wait_for_selector(CHANGED_SEND)
        other = POLICY.replace("true", "false")
        for content, message in [(other, "has changed on disk"), (None, "no longer exists")]:
            self.file.write_text(content) if content else self.file.unlink()
            page.click('button:text-is("Save…")')
            page.click('dialog button:text-is("Save")')
            page.wait_for_selector(f'#message:has-text("{message}")')
            self.assertEqual(self.file.read_text() if self.file.exists() else None, content)
            self.assertEqual(page.locator(CHANGED_SEND).count(), 1)
        self.file.write_text(other)
        page.click('button:text-is("Reload")')
        page.click('dialog button:text-is("Discard and reload")')
        page.wait_for_selector(CHANGED_SEND, state="detached")
        self.assertEqual(page.input_value("#setting-printBlocked"), "Allow")

    def test_a_pipe_in_place_of_the_file_blocks_no_page(self):
        url = self.studio()
        self.file.unlink()
        os.mkfifo(self.file)
        for path in ["reload", "save"]:
            status, body = self.ask(url, path, {"policy": 0, "revision": 0})
            self.assertIn("no longer exists", json.loads(body)["error"])
            self.assertEqual(status, 200)
        self.assertEqual(self.ask(url, "state", {"policy": 0})[0], 200)

    def test_values_with_other_members_write_only_the_setting(self):
        url = self.studio()
        nested = "[" * 400 + "]" * 400
        value = '{"name": "a", "value": "b", "x": ' + nested + "}"
        body = '{"policy": 0, "revision": 0, "values": {"exemptedAppProtocols": [' + value + "]}}"
        self.assertEqual(self.ask(url, "change", body)[0], 200)
        self.ask(url, "save", {"policy": 0, "revision": 1})
        self.assertEqual(json.loads(self.file.read_text())["exemptedAppProtocols"], [{"name": "b", "value": "b"}])

    def test_two_pages_share_the_draft(self):
        address = self.studio()
        one, other = self.open(address), self.open(address)
        one.select_option(SEND, "All apps")
        one.wait_for_selector(CHANGED_SEND)
        other.select_option("#setting-printBlocked", "Allow")
        other.wait_for_selector('#message:has-text("another page has changed the draft")')
        self.assertEqual(other.input_value(SEND), "All apps")
        self.assertEqual(other.input_value("#setting-printBlocked"), "Block")

    def test_policies_of_a_folder_are_chosen_by_name(self):
        (self.folder / "exports").mkdir()
        (self.folder / "exports" / "a.json").write_text(POLICY)
        (self.folder / "exports" / "b.json").write_text(POLICY.replace("Base <b>policy</b>", "Stricter"))
        page = self.open(self.studio("exports"))
        page.select_option("header select", label="Stricter")
        page.wait_for_selector('header:has-text("exports/b.json")')
        page.select_option(SEND, "None")
        page.wait_for_selector(CHANGED_SEND)
        page.click('button:text-is("Save…")')
        page.click('dialog button:text-is("Save")')
        page.wait_for_selector("#message:has-text('saved exports/b.json')")
        self.assertEqual((self.folder / "exports" / "a.json").read_text(), POLICY)

    def test_requests_that_the_page_would_not_make_are_rejected(self):
        url = self.studio()
        port = urllib.parse.urlsplit(url).port
        self.assertEqual(self.ask(url, "state", {"policy": 0})[0], 200)
        for body in ["", "[]", "{}", {"policy": 1}, {"policy": -1}, {"policy": "0"}]:
            self.assertEqual(self.ask(url, "state", body)[0], 400, body)
        bad = [{}, {"line": "Printing org data"}, {"values": {"unknown": 1}}, {"values": []}]
        for body in bad:
            self.assertEqual(self.ask(url, "change", {"policy": 0, "revision": 0, **body})[0], 400, body)
        for place in [{"section": 99}, {"row": -1}, {"state": "other"}]:
            cell = {"policy": 0, "revision": 0, "section": 0, "row": 0, "column": 0, "state": "enrolled", **place}
            self.assertEqual(self.ask(url, "explain", cell)[0], 400, place)
        self.assertEqual(self.ask(url, "state", {"policy": 0}, Host=f"sluice.example:{port}")[0], 421)
        self.assertEqual(self.ask(url, "state", {"policy": 0}, Origin="http://sluice.example")[0], 421)
        self.assertEqual(self.ask(url, "state", "", method="GET")[0], 405)
        self.assertEqual(self.ask(f"http://127.0.0.1:{port}/", "state", {"policy": 0})[0], 404)
        self.assertEqual(self.file.read_text(), POLICY)

    @unittest.skipUnless(os.environ.get("SLUICE_RECORD"), "makes the pictures of the documents")
    def test_pictures(self):
        (self.folder / "base.json").write_text(POLICY.replace("Base <b>policy</b>", "Contoso base protection"))
        page = self.open(self.studio())
        page.set_viewport_size({"width": 1280, "height": 760})
        page.select_option(SEND, "All apps")
        page.wait_for_selector(CHANGED_SEND)
        page.screenshot(path=PICTURES / "studio.png")


if __name__ == "__main__":
    unittest.main()
