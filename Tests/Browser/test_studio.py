"""The page that `sluice studio` serves, in a real browser: headless Chromium, driven by Playwright."""

import http.client
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest
import urllib.parse

from pages import PICTURES, ROOT, SLUICE, PageTests

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
RULES = (pathlib.Path(__file__).parent / "studio_rules.js").read_text()


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

    def open(self, address, **options):
        page = self.new_page(**options)
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
        share = "Share, by the SDK, managed → unmanaged"
        self.assertEqual(self.cell(page, share).inner_text(), "✗ blocked")
        self.assertEqual(self.cell(page, "Share, by the SDK, managed → other org").inner_text(), "✗ blocked?")
        page.select_option(SEND, "All apps")
        page.wait_for_selector(CHANGED_SEND)
        self.assertEqual(self.cell(page, share).inner_text(), "✓ allowed ✗ blocked")
        count = page.locator("td button.changed").count()
        self.assertGreater(count, 5)
        page.wait_for_selector(f"#tab-answers:text-is('Answers ({count} changed)')")
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
        share = "Share, by the SDK, managed → unmanaged"
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
        self.cell(page, "Share, by the SDK, managed → unmanaged").click()
        page.click('dialog button:text-is("Pin: must stay blocked")')
        page.wait_for_selector("td button.pinned")
        self.show(page, "goals")
        self.assertTrue(page.locator("button:text-is('Find the fewest changes that meet all goals')").is_disabled())
        self.assertIn("All goals are met", page.inner_text("#solve-reason"))
        page.select_option(SEND, "All apps")
        page.wait_for_selector('button[role=tab]:has-text("1 not met")')
        page.click('button[role=tab]:has-text("Goals")')
        page.click('button:text-is("Find the fewest changes that meet all goals")')
        page.wait_for_selector("dialog .proposal")
        page.locator("dialog .proposal button").first.click()
        page.wait_for_selector("td.met")

    def test_a_column_is_pinned_and_met_by_the_fewest_changes(self):
        page = self.open(self.studio())
        self.cell(page, "Share, by the SDK, managed → unmanaged").click()
        page.click('dialog button:text-is("Pin all of managed → unmanaged: must be blocked")')
        page.wait_for_selector('button[role=tab]:has-text("Goals (6 not met)")')
        self.show(page, "goals")
        self.assertEqual(page.locator("#panel tbody tr").count(), 11)
        page.click('button:text-is("Find the fewest changes that meet all goals")')
        page.wait_for_selector("dialog .proposal")
        solution = page.locator("dialog .proposal").first.inner_text()
        self.assertIn("Send org data to other apps = Policy managed apps with Open-In/Share filtering", solution)
        self.assertIn("Restrict cut, copy, and paste between other apps", solution)
        page.locator("dialog .proposal button").first.click()
        page.wait_for_selector('button[role=tab]:has-text("Goals (11)")')
        self.assertEqual(page.locator("td.unmet").count(), 0)
        page.click('button:text-is("Remove all")')
        page.wait_for_selector('button[role=tab]:has-text("Goals (0)")')

    def test_an_encrypted_answer_can_be_made_readable_or_blocked(self):
        page = self.open(self.studio())
        self.cell(page, "Share, by the system, managed → unmanaged").click()
        page.wait_for_selector("dialog .proposal")
        self.assertEqual(page.locator("dialog h3").all_inner_texts(), ["To deliver it readable:", "To block it:"])
        page.click("dialog button[aria-label='Apply: Send org data to other apps = Policy managed apps with Open-In/Share filtering']")
        page.wait_for_selector(CHANGED_SEND)
        self.assertIn("✗ blocked", self.cell(page, "Share, by the system, managed → unmanaged").inner_text())

    def test_the_address_leads_to_the_policy_and_the_panel(self):
        shutil.copytree(ROOT / "examples" / "tenant", self.folder / "exports")
        page = self.open(self.studio("exports"))
        page.select_option("header select", label="Office staff")
        page.wait_for_selector("header:has-text('Office staff.json')")
        self.show(page, "users")
        other = self.open(page.url)
        other.wait_for_selector("#tab-users[aria-selected=true]")
        self.assertIn("Office staff.json", other.inner_text("header"))
        # The browser reports the rejected request for a policy that is not open.
        unknown = self.open(page.url.split("#")[0] + "#policy=9&panel=none")
        unknown.wait_for_selector("#tab-answers[aria-selected=true]")
        self.trouble.clear()

    def test_a_search_hides_pages_without_hits(self):
        page = self.open(self.studio())
        page.fill("#search", "send org data")
        page.wait_for_function("[...document.querySelectorAll('.page')].filter((page) => !page.hidden).length === 1")
        page.fill("#search", "")
        page.wait_for_function("[...document.querySelectorAll('.page')].every((page) => !page.hidden)")

    def test_on_a_phone_a_button_leads_to_the_effects(self):
        page = self.open(self.studio(), viewport={"width": 390, "height": 844})
        page.click("[data-key=to-Effects]")
        page.wait_for_function("document.querySelector('.tabs').getBoundingClientRect().top < innerHeight / 2")

    def test_an_answer_is_pinned_as_it_must_become(self):
        page = self.open(self.studio())
        self.cell(page, "Share, by the SDK, managed → unmanaged").click()
        page.click('dialog button:text-is("Pin: must be allowed")')
        page.wait_for_selector('button[role=tab]:has-text("1 not met")')
        self.cell(page, "Share, by the SDK, managed → unmanaged").click()
        page.click('dialog button:text-is("Remove from the goals")')
        page.wait_for_selector('button[role=tab]:has-text("Goals (0)")')

    def test_settings_are_found_by_label_and_by_graphs_name(self):
        page = self.open(self.studio())
        for words, label in [("printing", "Printing Org data"), ("databackupblocked", "Backup Org data")]:
            page.fill("#search", words)
            self.assertEqual(page.locator(".line:visible").count(), 1)
            self.assertIn(label, page.inner_text(".line:visible"))
            self.assertEqual(page.inner_text("#unfound"), "")
        page.fill("#search", "no such setting")
        self.assertEqual(page.locator(".line:visible").count(), 0)
        self.assertEqual(page.inner_text("#unfound"), "Nothing found.")

    def test_a_value_that_the_setting_cannot_have_stays_beside_its_error_and_changes_nothing(self):
        page = self.open(self.studio())
        field, error = "#setting-minimumRequiredOsVersion", "#setting-minimumRequiredOsVersion-error"
        page.fill(field, "seventeen")
        page.press(field, "Enter")
        page.wait_for_selector(error)
        self.assertIn("seventeen is not a value of Min OS version", page.inner_text(error))
        self.assertEqual(page.locator(".line.changed").count(), 0)
        self.assertEqual(page.input_value(field), "seventeen")
        self.assertEqual(page.get_attribute(field, "aria-describedby"), error[1:])
        self.assertEqual(page.evaluate(RULES), [])
        # Another change leaves the text in its field.
        page.select_option("#setting-printBlocked", "Allow")
        page.wait_for_selector(".line.changed:has(#setting-printBlocked)")
        self.assertEqual(page.input_value(field), "seventeen")
        page.fill(field, "17")
        page.press(field, "Enter")
        page.wait_for_selector(f".line.changed:has({field})")
        self.assertEqual(page.locator(error).count(), 0)
        self.assertEqual(page.input_value(field), "17.0")

    def test_a_period_is_typed_in_the_unit_of_the_admin_centre_or_in_its_own(self):
        page = self.open(self.studio())
        field = "#setting-periodOfflineBeforeAccessCheck"
        self.assertIn("A number alone means minutes", page.inner_text(f".line:has({field})"))
        for text, words in [("100", "100 minutes"), ("720 min", "12 hours"), ("90 days", "90 days"), ("", "none")]:
            page.fill(field, text)
            page.press(field, "Enter")
            page.wait_for_function("([field, words]) => document.querySelector(field).value === words", arg=[field, words])
        self.assertEqual(page.locator(".line.changed").count(), 0)

    def test_terms_are_explained_under_the_pointer_and_with_the_focus(self):
        page = self.open(self.studio())
        column = page.locator("thead .term:text-is('managed → unmanaged')").first
        column.hover()
        page.wait_for_selector("#tip:has-text('an app or account that no policy protects')")
        page.mouse.move(2, 2)
        page.wait_for_selector("#tip", state="hidden")
        page.locator("tbody .term:text-is('Paste')").focus()
        page.wait_for_selector("#tip:has-text('copies in one app and pastes in another')")
        self.assertEqual(page.evaluate(RULES), [])
        inside = page.evaluate("(() => { const box = tip.getBoundingClientRect(); return box.left >= 0 && box.top >= 0 && box.right <= innerWidth && box.bottom <= innerHeight; })()")
        self.assertTrue(inside)
        page.keyboard.press("Escape")
        page.wait_for_selector("#tip", state="hidden")

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
            if content:
                page.click('dialog button:text-is("Close")')
            self.assertEqual(self.file.read_text() if self.file.exists() else None, content)
            self.assertEqual(page.locator(CHANGED_SEND).count(), 1)
        self.file.write_text(other)
        page.click('button:text-is("Reload")')
        page.click('dialog button:text-is("Discard the changes and load it")')
        page.wait_for_selector(CHANGED_SEND, state="detached")
        self.assertEqual(page.input_value("#setting-printBlocked"), "Allow")

    def test_a_change_of_the_file_is_reported_before_the_draft_is_saved(self):
        page = self.open(self.studio())
        self.assertEqual(page.inner_text("#disk"), "")
        self.file.write_text(POLICY.replace("true", "false"))
        page.wait_for_selector("#disk:has-text('base.json has changed on disk.')")
        # Nothing is lost: the draft has no changes.
        page.click('#disk button:text-is("Load it…")')
        page.wait_for_selector("#disk:not(:has(button))", state="attached")
        self.assertEqual(page.input_value("#setting-printBlocked"), "Allow")
        page.select_option(SEND, "All apps")
        page.wait_for_selector(CHANGED_SEND)
        self.file.write_text(POLICY)
        page.click('#disk button:text-is("Load it…")')
        page.click('dialog button:text-is("Load it and keep the changes")')
        page.wait_for_selector("#disk:not(:has(button))", state="attached")
        self.assertEqual(page.input_value(SEND), "All apps")
        self.file.unlink()
        page.wait_for_selector("#disk:has-text('no longer exists')")

    def test_changes_are_applied_to_a_file_that_changed_on_disk(self):
        page = self.open(self.studio())
        page.select_option(SEND, "All apps")
        page.wait_for_selector(CHANGED_SEND)
        page.select_option("#setting-dataBackupBlocked", "Block")
        page.wait_for_selector(".line.changed:has(#setting-dataBackupBlocked)")
        other = POLICY.replace('"managedApps"', '"none"').replace("true", "false")
        self.file.write_text(other)
        page.click('button:text-is("Save…")')
        page.click('dialog button:text-is("Save")')
        page.click('dialog button:text-is("Load it and keep the changes")')
        page.wait_for_selector(".conflicts")
        page.wait_for_selector("#message:has-text('the file is loaded, with the changes of the draft; 1 setting also changed in the file')")
        self.assertTrue(page.locator('button:text-is("Save…")').is_disabled())
        self.assertEqual(page.evaluate(RULES), [])
        self.assertEqual(page.locator(".conflicts strong").all_inner_texts(), ["Send org data to other apps"])
        self.assertEqual(page.locator(".conflicts dd").all_inner_texts(), ["Policy managed apps", "None", "All apps"])
        self.assertEqual(page.input_value(SEND), "All apps")
        self.assertEqual(page.input_value("#setting-printBlocked"), "Allow")
        self.assertEqual(page.input_value("#setting-dataBackupBlocked"), "Block")
        page.click(".conflicts button:text-is(\"Take the file's\")")
        page.wait_for_selector(".conflicts", state="detached")
        self.assertEqual(page.input_value(SEND), "None")
        page.click('button:text-is("Save…")')
        page.click('dialog button:text-is("Save")')
        page.wait_for_selector('#message:has-text("saved base.json")')
        saved = json.loads(self.file.read_text())
        self.assertEqual(saved, {**json.loads(other), "dataBackupBlocked": True})

    def test_conflicts_are_scrolled_into_view_and_block_saving_from_every_policy_of_the_file(self):
        policies = [json.loads(POLICY), {**json.loads(POLICY), "displayName": "Other"}]
        self.file.write_text(json.dumps(policies))
        page = self.open(self.studio())
        for number in ["0", "1"]:
            page.select_option("header select", value=number)
            page.wait_for_selector(CHANGED_SEND, state="detached")
            page.select_option(SEND, "All apps")
            page.wait_for_selector(CHANGED_SEND)
        self.file.write_text(json.dumps([{**policy, "allowedOutboundDataTransferDestinations": "none"} for policy in policies]))
        page.locator("#setting-periodOfflineBeforeWipeIsEnforced").scroll_into_view_if_needed()
        page.click('button:text-is("Reload")')
        page.click('dialog button:text-is("Load it and keep the changes")')
        page.wait_for_selector("#message:has-text('2 settings also changed in the file')")
        top = "(() => { const box = document.querySelector('.conflicts').getBoundingClientRect(); return box.top >= 0 && box.top < innerHeight / 2; })()"
        self.assertTrue(page.evaluate(top))
        page.click(".conflicts button:text-is(\"Keep the draft's\")")
        page.wait_for_selector(".conflicts strong", state="detached")
        self.assertTrue(page.locator('button:text-is("Save…")').is_disabled())
        page.click(".conflicts button:has-text('1 setting of Base <b>policy</b>')")
        page.click(".conflicts button:text-is(\"Keep the draft's\")")
        page.wait_for_selector(".conflicts", state="detached")
        page.wait_for_selector('button:text-is("Save…"):enabled')

    def test_a_notice_takes_no_space_from_the_page_and_ends_with_the_panel(self):
        page = self.open(self.studio())
        page.click('button:text-is("Reload")')
        page.wait_for_selector("#message:has-text('reloaded')")
        page.evaluate("document.querySelector('#message').textContent = 'a notice of many words '.repeat(60)")
        page.wait_for_function("() => document.documentElement.scrollHeight <= innerHeight")
        self.show(page, "ways")
        self.assertEqual(page.inner_text("#message"), "")

    def test_changed_conditions_are_counted_on_their_tab_and_stated_in_the_comparison(self):
        self.file.write_text(POLICY.replace('"printBlocked"', '"periodOfflineBeforeAccessCheck": "PT12H", "printBlocked"'))
        page = self.open(self.studio())
        field = "#setting-periodOfflineBeforeAccessCheck"
        page.fill(field, "6 hours")
        page.press(field, "Enter")
        page.wait_for_selector("#tab-launch:text-is('Conditional launch (1 changed)')")
        self.show(page, "compare")
        sentence = "Offline grace period (block access): 6 hours, not 12 hours."
        self.assertEqual(page.locator("#panel p:not(.choices)").first.inner_text(), sentence)
        self.assertEqual(page.locator("#panel caption").all_inner_texts(), ["1 setting"])

    def test_undoing_a_saved_change_restores_the_bytes_of_the_file(self):
        text = POLICY.replace('"printBlocked"', '"exemptedUniversalLinks": [ ],\n\t"printBlocked"')
        self.file.write_text(text)
        page = self.open(self.studio())
        field = "#setting-exemptedUniversalLinks"
        page.fill(field, "https://contoso.com/*")
        page.dispatch_event(field, "change")
        page.wait_for_selector(f".line.changed:has({field})")
        for expected in ["https://contoso.com/*", None]:
            page.click('button:text-is("Save…")')
            page.click('dialog button:text-is("Save")')
            page.wait_for_selector('button:text-is("Save…"):disabled')
            if expected:
                self.assertIn(expected, self.file.read_text())
                page.click('button:text-is("Undo")')
                page.wait_for_selector('button:text-is("Save…"):enabled')
        self.assertEqual(self.file.read_text(), text)

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

    def show(self, page, panel):
        page.click(f"#tab-{panel}")
        page.wait_for_selector(f"#panel[aria-labelledby=tab-{panel}]")

    def test_a_way_out_that_a_change_opens_is_marked_below_the_change_that_closes_it(self):
        page = self.open(self.studio())
        self.show(page, "ways")
        printing = page.locator(".ways > li:has(strong:text-is('Print'))")
        self.assertEqual(printing.count(), 0)
        page.select_option("#setting-printBlocked", "Allow")
        printing.wait_for()
        self.assertIn("new", printing.inner_text())
        self.assertIn("To close: Printing Org data = Block", printing.inner_text())
        self.assertRegex(printing.locator(".proposal").first.inner_text(), r"changes \d+ answers? in all")
        printing.locator('button:text-is("Apply")').click()
        printing.wait_for(state="detached")
        self.assertEqual(page.input_value("#setting-printBlocked"), "Block")

    def test_ways_that_one_change_closes_are_closed_together(self):
        self.file.write_text(POLICY.replace("managedApps", "allApps"))
        page = self.open(self.studio())
        self.show(page, "ways")
        share = page.locator(".ways > li:has(strong:text-is('Share, by the SDK'))")
        count = share.locator("li").count()
        self.assertGreater(count, 5)
        share.locator("button[aria-label='Apply: Send org data to other apps = Policy managed apps']").first.click()
        share.wait_for(state="detached")
        closed = page.locator(".closed strong").all_inner_texts()
        self.assertIn("Share, by the SDK", closed)
        self.assertGreaterEqual(len(closed), count)
        page.click('button:text-is("Undo")')
        share.wait_for()

    def test_calls_and_links_are_ways_with_the_apps_that_they_assume(self):
        page = self.open(self.studio())
        self.show(page, "ways")
        titles = page.locator(".ways strong").all_inner_texts()
        for title in ["Phone call, tel:", "Message, sms:", "Web link, in a browser", "Universal link"]:
            self.assertIn(title, titles)
        assumed = page.locator("#panel p:has-text('Assumed on the device')").inner_text()
        for app in ["Phone", "Messages", "Safari", "an app that claims www.example.org"]:
            self.assertIn(app, assumed)
        page.wait_for_selector(f"#tab-ways:text-is('Ways out ({len(titles)})')")
        self.assertIn(f"{len(titles)} of ", page.locator("#panel p").first.inner_text())
        self.assertEqual(page.evaluate(RULES), [])

    def test_the_ways_out_are_those_of_sluice_leaks_and_matrix(self):
        self.file.write_text(POLICY.replace('"printBlocked"', '"appGroupType": "allApps", "printBlocked"'))
        apps = ["com.microsoft.Office.Outlook: multiIdentity", "net.whatsapp.WhatsApp: unmanaged"]
        (self.folder / "apps.txt").write_text("\n".join(apps))
        options = ["--apps", "apps.txt", "--sign-ins", "stated", "--format", "json"]
        leaks = subprocess.run([SLUICE, "leaks", "base.json", *options], cwd=self.folder, capture_output=True, text=True)
        self.assertEqual(leaks.returncode, 1, leaks.stderr)
        matrix = subprocess.run([SLUICE, "matrix", "base.json", "--format", "json"], cwd=self.folder, capture_output=True, text=True)
        body = {"policy": 0, "panel": {"name": "ways"}}
        state = json.loads(self.ask(self.studio(), "state", body)[1])

        def found(report):
            ways = report["waysOut"]
            return ways["open"], [(group["closing"], [way["title"] for way in group["ways"]]) for group in ways["groups"]]

        expected = found(json.loads(matrix.stdout)["policies"][0])
        self.assertEqual(found(json.loads(leaks.stdout)), expected)
        self.assertEqual(found(state), expected)

    def test_a_hidden_destination_is_struck_through_with_the_reason(self):
        page = self.open(self.studio())
        self.show(page, "sheet")
        hidden = page.locator(".icons li.hidden:has(del:text-is('WhatsApp'))")
        self.assertIn("Send org data to other apps = Policy managed apps", hidden.inner_text())
        self.assertEqual(page.locator(".icons li.shown .icon").first.inner_text(), "O")
        page.select_option("#sheet-sender", label="Outlook, the personal account")
        page.wait_for_selector(".icons li.shown:has-text('WhatsApp')")
        page.select_option("#sheet-sender", label="Outlook, the work account")
        hidden.wait_for()
        page.select_option(SEND, "All apps")
        page.wait_for_selector(".icons li.shown:has-text('WhatsApp')")

    def test_conditional_launch_is_in_the_order_of_severity_with_an_axis_of_time(self):
        page = self.open(self.studio())
        self.show(page, "launch")
        self.assertIn("sets no condition", page.inner_text("#panel"))
        page.fill("#setting-periodOfflineBeforeWipeIsEnforced", "90 days")
        page.press("#setting-periodOfflineBeforeWipeIsEnforced", "Enter")
        page.wait_for_selector(".axis li.wipe")
        self.assertNotIn("sets no condition", page.inner_text("#panel"))
        page.fill("#setting-minimumRequiredOsVersion", "17.0")
        page.press("#setting-minimumRequiredOsVersion", "Enter")
        page.wait_for_selector("caption.block")
        page.select_option("#setting-deviceComplianceRequired", "Wipe data")
        page.wait_for_selector("caption.wipe")
        self.assertEqual(page.locator("#panel caption").all_inner_texts(), ["Wipes the account's data", "Blocks access"])
        self.assertEqual(page.locator("#panel tr.changed").count(), 2)
        page.select_option("#setting-pinRequired", "Require")
        page.fill("#setting-maximumPinRetries", "5")
        page.press("#setting-maximumPinRetries", "Enter")
        page.wait_for_selector("caption.reset")
        self.assertEqual(page.locator("#panel caption").all_inner_texts(), ["Wipes the account's data", "Blocks access", "Asks for a new PIN"])
        page.fill("#setting-periodOfflineBeforeAccessCheck", "12 hours")
        page.press("#setting-periodOfflineBeforeAccessCheck", "Enter")
        page.wait_for_selector(".axis li.block")
        self.assertIn("After 12 hours", page.inner_text(".axis li.block"))

    def test_a_draft_is_compared_with_another_file_and_saved_as_a_page(self):
        (self.folder / "level2.json").write_text(POLICY.replace("true", "false").replace("Base <b>policy</b>", "Level 2"))
        page = self.open(self.studio("base.json", "--compare", "level2.json"))
        self.show(page, "compare")
        self.assertIn("No setting differs", page.inner_text("#panel"))
        page.select_option("#compare-other", label="Level 2 (level2.json)")
        page.wait_for_selector("#panel caption:has-text('1 setting')")
        row = page.locator("#panel tr:has(th:has-text('Printing Org data'))")
        self.assertEqual(row.locator("td").all_inner_texts(), ["Allow", "Block"])
        self.assertGreater(page.locator("#panel td.blocked").count(), 0)
        with page.expect_download() as download:
            page.click('button:text-is("Save the comparison as a page")')
        self.assertEqual(download.value.suggested_filename, "base-compared.html")
        content = pathlib.Path(download.value.path()).read_text()
        self.assertNotIn("<b>policy</b>", content)
        sent = self.new_page()
        sent.set_content(content)
        self.assertEqual(sent.inner_text("h1"), "Base <b>policy</b> (base.json): what changes")
        sentence = "With Base <b>policy</b>, Outlook can no longer pass data to a printer."
        self.assertEqual(sent.locator("header p").first.inner_text(), sentence)
        self.assertEqual(page.locator("#panel p:not(.choices)").first.inner_text(), sentence)
        self.assertEqual(sent.locator("caption").all_inner_texts()[0], "Settings that differ")
        self.assertEqual(sent.locator("table").first.locator("td").all_inner_texts(), ["Allow", "Block"])
        self.assertGreater(sent.locator("td.blocked").count(), 0)
        self.assertEqual(sent.evaluate(RULES), [])

    def test_a_draft_is_compared_with_another_open_policy(self):
        strict = POLICY.replace("Base <b>policy</b>", "iOS strict").replace("managedApps", "none")
        (self.folder / "strict.json").write_text(strict)
        page = self.open(self.studio("base.json", "strict.json"))
        self.show(page, "compare")
        page.select_option("#compare-other", label="iOS strict (strict.json)")
        page.wait_for_selector("#panel caption:has-text('1 setting')")
        heads = page.locator("#panel table").first.locator("thead th").all_inner_texts()
        self.assertEqual(heads, ["Setting", "iOS strict (strict.json)", "Base <b>policy</b> (base.json)"])
        # For the other policy, this number is its own, so it is compared with its saved file.
        page.select_option("header select", label="iOS strict")
        page.wait_for_selector("#panel:has-text('No setting differs')")
        self.assertEqual(page.locator("#compare-other option:checked").inner_text(), "the saved file")

    def run_goals(self, files):
        return subprocess.run([SLUICE, "run", *files], cwd=self.folder, capture_output=True, text=True)

    def test_goals_are_saved_as_a_scenario_that_passes_and_fails_with_the_file(self):
        page = self.open(self.studio())
        self.cell(page, "Share, by the SDK, managed → unmanaged").click()
        page.click('dialog button:text-is("Pin: must stay blocked")')
        page.wait_for_selector("td button.pinned")
        self.show(page, "goals")
        page.click('button:text-is("Save as a scenario")')
        self.assertIn("sluice run base.goals.yaml", page.inner_text("dialog"))
        page.click('dialog button:text-is("Close")')
        run = self.run_goals(["base.goals.yaml"])
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        self.file.write_text(POLICY.replace("managedApps", "allApps"))
        run = self.run_goals(["base.goals.yaml"])
        self.assertEqual(run.returncode, 1, run.stdout + run.stderr)

    def test_a_scenario_of_all_answers_passes(self):
        url = self.studio()
        state = json.loads(self.ask(url, "state", {"policy": 0})[1])
        revision = pins = 0
        for section, table in enumerate(state["sections"]):
            for row, line in enumerate(table["rows"]):
                for column, answers in enumerate(line["entries"]):
                    for answer in answers or []:
                        place = {"section": section, "row": row, "column": column, "state": answer["states"][0]}
                        self.assertEqual(self.ask(url, "pin", {"policy": 0, "revision": revision, **place})[0], 200)
                        revision += 1
                        pins += 1
        saved = json.loads(self.ask(url, "scenario", {"policy": 0, "revision": revision})[1])
        self.assertLess(len(saved["omitted"]), pins / 4)
        run = self.run_goals(saved["files"])
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        self.assertIn(f"{pins - len(saved['omitted'])} cases", run.stdout)

    def test_the_policies_of_an_export_have_the_users_whom_they_reach(self):
        shutil.copytree(ROOT / "examples" / "tenant", self.folder / "exports")
        page = self.open(self.studio("exports"))
        page.select_option("header select", label="Office staff")
        page.wait_for_selector("header:has-text('Office staff.json')")
        self.show(page, "users")
        self.assertIn("anna@contoso.com", page.inner_text("#panel"))
        self.assertEqual(page.locator("#panel h2").all_inner_texts(), ["On an unmanaged device", "On a managed device"])
        self.assertEqual(page.locator("#panel caption").all_inner_texts(), ["Reaches 3 of 6 users", "Does not reach 3 of 6 users"] * 2)
        outlook = page.locator("#panel li[title='com.microsoft.office.outlook']").first
        self.assertEqual(outlook.inner_text(), "Outlook")
        unreached = page.locator("#panel table:has(caption:has-text('Does not reach'))").first
        unreached.locator("summary").first.click()
        self.assertIn("@contoso.com", unreached.locator("li").first.inner_text())
        self.assertIn("does not apply: excluded, because ben@contoso.com is in Field staff", unreached.inner_text())

    def test_texts_have_the_labels_and_values_of_the_admin_centre(self):
        page = self.open(self.studio())
        page.select_option(SEND, "All apps")
        page.wait_for_selector(CHANGED_SEND)
        line = page.locator(".line:has(#setting-saveAsBlocked)")
        self.assertIn("Send org data to other apps is All apps", line.inner_text())
        texts = page.inner_text("section[aria-label=Policy]") + page.inner_text("#panel")
        for name in ["allApps", "cameraRoll", "oneDriveForBusiness", "is false", "allowedOutbound"]:
            self.assertNotIn(name, texts)

    def test_panels_meet_our_rules_of_accessibility(self):
        (self.folder / "level2.json").write_text(POLICY.replace("true", "false"))
        shutil.copytree(ROOT / "examples" / "tenant", self.folder / "exports")
        url = self.studio("exports", "--compare", "level2.json")
        for scheme in ["light", "dark"]:
            page = self.new_page(color_scheme=scheme)
            page.goto(url)
            page.wait_for_selector(".line")
            page.select_option("#setting-printBlocked", label="Allow")
            page.wait_for_selector(".line.changed:has(#setting-printBlocked)")
            for panel in ["answers", "ways", "sheet", "launch", "compare", "users", "goals", "findings"]:
                with self.subTest(panel=panel, scheme=scheme):
                    self.show(page, panel)
                    self.assertEqual(page.evaluate(RULES), [])
            self.show(page, "answers")
            page.locator("td button").first.click()
            page.wait_for_selector("dialog")
            self.assertEqual(page.evaluate(RULES), [])
            page.keyboard.press("Escape")
            page.click('button:text-is("Undo")')
            page.wait_for_selector(".line.changed", state="detached")

    def test_the_keyboard_reaches_every_control_with_visible_focus(self):
        page = self.open(self.studio())
        page.keyboard.press("Tab")
        seen = []
        focused = """() => {
          const element = document.activeElement, style = getComputedStyle(element);
          return [element.dataset.key ?? element.localName, style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2];
        }"""
        controls = page.locator("button:enabled:visible, input:visible, select:visible, textarea:visible, summary:visible").count()
        for _ in range(controls + 10):
            key, is_visible = page.evaluate(focused)
            if key == "body":
                break
            self.assertTrue(is_visible, key)
            seen.append(key)
            page.keyboard.press("Tab")
        for key in ["search", "reload", "setting-printBlocked", "tab-answers", "cell-0-0-0-unenrolled"]:
            self.assertIn(key, seen)
        # A tab list is one stop; arrows move in it.
        self.assertNotIn("tab-ways", seen)
        page.focus("#tab-answers")
        page.keyboard.press("ArrowRight")
        page.wait_for_selector("#panel[aria-labelledby=tab-ways]")
        page.wait_for_selector("#tab-ways:focus")
        page.keyboard.press("End")
        page.wait_for_selector("#tab-findings:focus")
        page.keyboard.press("Home")
        page.wait_for_selector("#tab-answers:focus")
        page.focus('td button[data-key="cell-0-0-2-unenrolled"]')
        page.keyboard.press("Enter")
        page.wait_for_selector("dialog .proposal")
        page.keyboard.press("Escape")
        page.wait_for_selector("dialog", state="detached")

    def test_requests_that_the_page_would_not_make_are_rejected(self):
        url = self.studio()
        port = urllib.parse.urlsplit(url).port
        self.assertEqual(self.ask(url, "state", {"policy": 0})[0], 200)
        for body in ["", "[]", "{}", {"policy": 1}, {"policy": -1}, {"policy": "0"}]:
            self.assertEqual(self.ask(url, "state", body)[0], 400, body)
        bad = [{}, {"line": "Printing org data"}, {"values": {"unknown": 1}}, {"values": []}]
        for body in bad:
            self.assertEqual(self.ask(url, "change", {"policy": 0, "revision": 0, **body})[0], 400, body)
        for panel in [1, "answers", {}, {"name": "other"}, {"name": "compare", "other": -1}, {"name": "sheet"}]:
            self.assertEqual(self.ask(url, "state", {"policy": 0, "panel": panel})[0], 400, panel)
            change = {"policy": 0, "revision": 0, "line": "Printing org data", "value": "Allow", "panel": panel}
            self.assertEqual(self.ask(url, "change", change)[0], 400, panel)
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
