"""The page that `sluice view` serves, in a real browser: headless Chromium, driven by Playwright."""

import http.client
import json
import os
import pathlib
import select
import subprocess
import tempfile
import unittest
import urllib.parse

from pages import PICTURES, SLUICE, PageTests

WORLD = """\
device: { name: watched }
accounts:
  anna: { upn: anna@contoso.com }
policies:
  base:
    json: { displayName: Org data stays, allowedOutboundDataTransferDestinations: managedApps }
    assign: [{ account: anna, apps: [com.contoso.mail] }]
apps:
  mail: { bundle: com.contoso.mail, sdk: true, signedIn: [anna] }
  viewer: { bundle: org.example.viewer, count: 3 }
  other: { bundle: org.example.other }
steps:
  - launch: mail
"""


class ViewTests(PageTests):
    def setUp(self):
        super().setUp()
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "world.yaml").write_text(WORLD)
        self.socket = self.folder / "socket"
        self.device = self.start("up", "world.yaml", "--socket", self.socket)

    def start(self, *words):
        """Starts a command, and waits for its first line."""
        process = subprocess.Popen([SLUICE, *words], cwd=self.folder, stdout=subprocess.PIPE, text=True)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.terminate)
        process.said = process.stdout.readline().strip()
        return process

    def ctl(self, *words):
        return subprocess.run(
            [SLUICE, "ctl", "--socket", self.socket, *words], cwd=self.folder, capture_output=True, text=True, check=True
        ).stdout

    def view(self, *words):
        return self.start("view", self.socket, *words).said

    def open(self, address):
        page = self.new_page()
        page.goto(address)
        page.wait_for_selector("nav a")
        return page

    def test_what_happens_is_on_the_map_while_it_happens(self):
        page = self.open(self.view())
        self.ctl("launch", "mail", "viewer")
        self.ctl("share", "from=mail", "to=viewer-2", "text=Figures")
        page.wait_for_selector('.edge.blocked text:text-is("✗1 share")')
        self.ctl("share", "from=mail", "to=viewer-2", "text=Figures")
        page.wait_for_selector('.edge.blocked text:text-is("✗2 share")')
        self.assertIn("2 blocked", page.inner_text("main p:not(.headline)"))
        headline = page.inner_text("main .headline")
        self.assertRegex(headline, r"^Blocked: 2 of \d+ requests\. No managed data left the protection of policies\.$")
        page.locator(".edge.blocked").press("Enter")
        page.wait_for_selector("aside section")
        self.assertIn("2 × sendManagedAppsToUnmanaged (documented, observed ", page.inner_text("aside"))
        page.click('aside a:text-is("2")')
        page.wait_for_selector('aside h2:has-text("Request 2")')
        self.assertIn("by sendManagedAppsToUnmanaged (documented, observed ", page.inner_text("aside"))
        self.assertIn("would allow it", page.inner_text("aside"))
        # The selection remains while requests arrive.
        self.ctl("launch", "other")
        self.ctl("share", "from=viewer-1", "to=other", "text=Milk")
        page.wait_for_selector(".edge.allowed")
        self.assertIn("Request 2", page.inner_text("aside"))
        self.assertIn("request=2", page.url)

    def test_the_policys_line_is_shown(self):
        page = self.open(self.view())
        self.ctl("launch", "mail", "viewer")
        self.ctl("share", "from=mail", "to=viewer-2", "text=Figures")
        page.click('nav a:text-is("Requests")')
        page.click('td a:text-is("1")')
        page.click('aside a:has-text("world.yaml")')
        page.wait_for_selector(".marked")
        self.assertIn("allowedOutboundDataTransferDestinations", page.inner_text(".marked"))

    def test_a_file_stays_under_its_name_while_others_come(self):
        policy = '{ "displayName": "Stricter", "allowedOutboundDataTransferDestinations": "none" }\n'
        # In the list, one is before the scenario and one is after it.
        for name in ["another.json", "yet-another.json"]:
            (self.folder / name).write_text(policy)
        page = self.open(self.view())
        self.ctl("launch", "mail", "viewer")
        self.ctl("share", "from=mail", "to=viewer-2", "text=Figures")
        page.click('nav a:text-is("Files")')
        page.wait_for_selector('pre:has-text("Org data stays")')
        self.assert_shows(page, "world.yaml", "Org data stays")
        for name in ["another.json", "yet-another.json"]:
            self.ctl("savePolicy", "policy=base", f"file={name}")
            self.ctl("share", "from=mail", "to=viewer-2", "text=Figures")
            page.wait_for_selector(f'option:text-is("{name}")', state="attached")
            self.assert_shows(page, "world.yaml", "Org data stays")
        # A selection, and the position of the box while the page is updated.
        page.select_option("select", "another.json")
        page.wait_for_selector('pre:has-text("Stricter")')
        page.evaluate("document.querySelector('select').value = 'world.yaml'")
        self.ctl("share", "from=mail", "to=viewer-2", "text=Figures")
        page.wait_for_selector('p:has-text("4 blocked")')
        self.assert_shows(page, "another.json", "Stricter")

    def assert_shows(self, page, name, text):
        self.assertEqual(page.input_value("select"), name)
        self.assertIn(text, page.inner_text("pre"))

    def test_the_box_names_a_file_that_the_page_does_not_have(self):
        page = self.open(self.view() + "#files?file=gone.json")
        self.ctl("launch", "mail", "viewer")
        self.ctl("share", "from=mail", "to=viewer-2", "text=Figures")
        page.wait_for_selector('option:text-is("world.yaml")', state="attached")
        self.assertEqual(page.input_value("select"), "gone.json")
        self.assertIn("does not have this file", page.inner_text("main"))

    def test_a_marked_line_is_one_of_its_file(self):
        page = self.open(self.view())
        (self.folder / "another.json").write_text('{ "displayName": "Stricter",\n\n\n\n\n\n"allowedOutboundDataTransferDestinations": "none" }\n')
        self.ctl("launch", "mail", "viewer")
        self.ctl("share", "from=mail", "to=viewer-2", "text=Figures")
        self.ctl("savePolicy", "policy=base", "file=another.json")
        self.ctl("share", "from=mail", "to=viewer-2", "text=Figures")
        page.click('nav a:text-is("Requests")')
        # The latest request is first: a row that arrives later would move the first one away from the pointer.
        page.wait_for_selector('td a:text-is("2")')
        page.click('td a:text-is("1")')
        page.click('aside a:has-text("world.yaml")')
        page.wait_for_selector(".marked")
        page.select_option("select", "another.json")
        page.wait_for_selector('pre:has-text("Stricter")')
        self.assertEqual(page.locator(".marked").count(), 0)

    def test_the_latest_request_is_first(self):
        page = self.open(self.view())
        page.click('nav a:text-is("Requests")')
        self.ctl("launch", "mail", "viewer")
        for number in range(1, 4):
            self.ctl("share", "from=mail", "to=viewer-1", "text=Figures")
            page.wait_for_selector(f'tbody tr:first-child a:text-is("{number}")')

    def test_the_cause_of_a_failed_request(self):
        page = self.open(self.view())
        page.click('nav a:text-is("Requests")')
        self.ctl("launch", "other")
        self.ctl("openURL", "from=other", "url=acme://open")
        cause = "no app on this device opens acme://open"
        page.wait_for_selector(f'tbody td:has-text("{cause}")')
        page.click('td a:text-is("1")')
        page.wait_for_selector(f'aside p:has-text("{cause}")')
        # The full state also has the cause.
        page.reload()
        page.wait_for_selector(f'tbody td:has-text("{cause}")')

    def test_guests_and_what_they_write(self):
        page = self.open(self.view())
        page.click('nav a:text-is("Guests")')
        self.ctl("launch", "mail", "viewer")
        page.wait_for_selector('tr:has-text("viewer-3"):has-text("running")')
        self.ctl("suspend", "viewer-3")
        page.wait_for_selector('tr:has-text("viewer-3"):has-text("suspended")')
        self.ctl("kill", "viewer-3")
        page.wait_for_selector('tr:has-text("viewer-3"):has-text("ended")')
        page.click('nav a:has-text("output")')
        page.wait_for_selector('p:has-text("No step is being carried out")')

    def test_a_paused_page_stands_and_is_told_all_when_it_goes_on(self):
        page = self.open(self.view())
        self.ctl("launch", "mail", "viewer")
        self.ctl("share", "from=mail", "to=viewer-2", "text=Figures")
        page.wait_for_selector(".edge.blocked")
        page.click("text=Pause")
        page.wait_for_selector("text=Paused.")
        self.ctl("share", "from=mail", "to=viewer-3", "text=Figures")
        self.assertEqual(page.locator(".edge").count(), 1)
        page.click("text=Go on")
        page.wait_for_selector(".edge >> nth=1", state="attached")

    def test_a_page_says_that_its_server_has_gone(self):
        view = self.start("view", self.socket)
        page = self.open(view.said)
        view.terminate()
        view.wait()
        page.wait_for_selector('[role=status]:has-text("The connection is lost")')
        # Another server has another secret, so the page receives nothing from it.
        again = self.start("view", self.socket, "--port", str(urllib.parse.urlsplit(view.said).port))
        self.assertNotEqual(again.said, view.said)
        page.wait_for_selector('[role=status]:has-text("This view has ended")')
        self.trouble.clear()

    def test_a_device_that_comes_in_anothers_place_is_shown(self):
        page = self.open(self.view("--control"))
        self.ctl("launch", "mail", "viewer")
        self.ctl("share", "from=mail", "to=viewer-2", "text=Figures")
        page.wait_for_selector(".edge.blocked")
        self.ctl("down")
        self.device.wait()
        page.wait_for_selector('[role=status]:has-text("The device is not up")')
        # The existing content can be inspected.
        self.assertEqual(page.locator(".edge").count(), 1)
        self.device = self.start("up", "world.yaml", "--socket", self.socket)
        page.wait_for_selector(".edge", state="detached")
        self.ctl("launch", "viewer", "other")
        self.ctl("share", "from=viewer-1", "to=other", "text=Milk")
        page.wait_for_selector(".edge.allowed")

    def test_steps_go_to_the_device_that_is_shown(self):
        folder = self.folder / "device"
        subprocess.run([SLUICE, "device", "create", folder, "--scenario", "world.yaml"], cwd=self.folder, check=True, capture_output=True)
        address = self.start("view", folder, "--control").said
        answer = json.loads(self.ask(address, "steps", "POST", '["launch: mail"]')[1])
        self.assertEqual(answer["error"]["message"], "no device answers")
        self.assertIn("stopped", self.ctl("apps"))

    def test_steps_that_nobody_waits_for_are_not_begun(self):
        address = self.view("--control")
        url = urllib.parse.urlsplit(address)
        first = http.client.HTTPConnection(url.hostname, url.port)
        self.addCleanup(first.close)
        headers = {"Content-Type": "application/json"}
        first.request("POST", url.path + "steps", '["wait: PT3S"]', headers)
        for step in ["launch: mail", "launch: viewer"]:
            gone = http.client.HTTPConnection(url.hostname, url.port)
            gone.request("POST", url.path + "steps", json.dumps([step]), headers)
            gone.close()
        while self.connections(url.port) > 1:
            if select.select([first.sock], [], [], 0.05)[0]:
                self.skipTest("the machine is too busy to see connections end before a step of 3 seconds does")
        self.assertEqual(first.getresponse().status, 200)
        answer = json.loads(self.ask(address, "steps", "POST", '["launch: other"]')[1])
        self.assertTrue(answer["result"]["holds"])
        self.assertNotIn("running", [line.split()[2] for line in self.ctl("apps").splitlines() if line.startswith(("mail", "viewer"))])

    @staticmethod
    def connections(port):
        """Returns the connections of a server, including those that the client has closed."""
        lines = [line.split() for line in pathlib.Path("/proc/net/tcp").read_text().splitlines()[1:]]
        return sum(line[1] == f"0100007F:{port:04X}" and line[3] in ("01", "08") for line in lines)

    def test_of_many_flows_the_busiest_are_drawn(self):
        journal = self.journal((f"app-{number}", f"other-{number}") for number in range(400))
        page = self.open(self.start("view", journal).said + "#map?by=guest")
        page.wait_for_selector(".edge >> nth=299", state="attached")
        self.assertEqual(page.locator(".edge").count(), 300)
        self.assertIn("The map shows 300 of 400 flows: those by which managed data left the protection of policies first, then the busiest.", page.inner_text(".wide"))

    def test_another_journal_makes_another_picture(self):
        journal = self.journal((f"app-{number}", "other") for number in range(5))
        page = self.open(self.start("view", journal).said + "#requests")
        page.wait_for_selector('td:text-is("app-4")')
        # At least the same number of bytes: only the file identity differs.
        new = self.journal(((f"new-{number}", "other") for number in range(9)), "new.jsonl")
        new.replace(journal)
        page.wait_for_selector('td:text-is("new-8")')
        self.assertEqual(page.locator("tbody tr").count(), 9)
        journal.write_text("")
        page.wait_for_selector("tbody tr", state="detached")

    def test_what_is_read_stands_still(self):
        journal = self.journal((f"app-{number}", "other") for number in range(300))
        page = self.open(self.start("view", journal).said + "#requests")
        page.hover("tbody tr:first-child")
        page.wait_for_selector('tbody tr:first-child td:text-is("app-299")')
        with journal.open("a") as file:
            file.write(self.lines([("late", "other")], 301))
        page.wait_for_selector('button:text-is("1 new")')
        self.assertEqual(page.locator('td:text-is("late")').count(), 0)
        page.click('button:text-is("1 new")')
        page.mouse.move(0, 0)
        page.wait_for_selector('tbody tr:first-child td:text-is("late")')

    @unittest.skipUnless(os.environ.get("SLUICE_RECORD"), "makes the pictures of the documents")
    def test_pictures(self):
        page = self.open(self.view("--control"))
        page.set_viewport_size({"width": 1420, "height": 560})
        self.ctl("launch", "mail", "viewer", "other")
        for words in ["from=mail to=viewer-1", "from=viewer-2 to=mail", "from=viewer-1 to=other", "from=viewer-2 to=viewer-3"]:
            self.ctl("share", *words.split(), "text=Figures")
        self.ctl('{"share": {"from": "mail", "to": "viewer-3", "text": "Figures", "via": "os"}, "repeat": 20}')
        page.wait_for_selector(".edge.encrypted")
        page.locator(".edge.blocked").first.press("Enter")
        page.wait_for_selector("aside h3")
        page.mouse.move(0, 0)
        page.screenshot(path=PICTURES / "view.png")

    def journal(self, shares, name="journal.jsonl"):
        path = self.folder / name
        path.write_text(self.lines(shares, 1))
        return path

    @staticmethod
    def lines(shares, first):
        """A journal of shares from guest to guest."""
        verdict = {"outcome": "allowed", "decidedBy": "noRuleApplied", "reasons": [{"rule": "noRuleApplied", "side": "device", "text": "nothing"}], "changes": []}
        guest = lambda name: {"guest": name, "app": "org.example", "managed": False}
        return "".join(
            json.dumps({
                "seq": number, "time": "2026-01-01T00:00:00Z", "event": "request.decided", "request": number, "operation": "share",
                "via": "sdk", "sender": guest(sender), "receiver": guest(receiver), "verdict": verdict,
            }) + "\n"
            for number, (sender, receiver) in enumerate(shares, first)
        )

    def test_steps_are_carried_out(self):
        page = self.open(self.view("--control"))
        page.click('nav a:text-is("Steps")')
        page.click('button:text-is("Launch")')
        page.wait_for_selector('section[data-holds=true] h3:has-text("launch mail")')
        page.fill("textarea", "launch: viewer")
        page.click("text=Carry out")
        page.wait_for_selector('section h3:has-text("launch viewer")')
        form = page.locator('form:has(button:text-is("Share"))')
        form.locator("select >> nth=1").select_option("viewer-2")
        form.locator("button").click()
        # In words, with a link to the request.
        page.wait_for_selector('section:has(h3:has-text("mail shares Quarterly figures with viewer-2")) li:has-text("✗ blocked by sendManagedAppsToUnmanaged, refused")')
        self.assertIn("mail · anna@contoso.com → viewer-2", page.locator("section li").first.inner_text())
        self.assertEqual(page.locator("section li a[data-request]").count(), 1)
        page.fill("textarea", "share: { from: mial, to: viewer, text: Milk }")
        page.click("text=Carry out")
        page.wait_for_selector('section[data-holds=false] p:has-text("did you mean mail?")')
        # Typed text remains while the page is updated.
        self.assertIn("mial", page.input_value("textarea"))

    def test_who_only_looks_can_have_nothing_carried_out(self):
        page = self.open(self.view())
        self.assertEqual(page.locator('nav a:text-is("Steps")').count(), 0)
        self.assertEqual(self.ask(page.url, "steps", "POST", '["launch: mail"]')[0], 404)
        self.assertEqual(self.ask(page.url, "world")[0], 404)
        self.assertIn("stopped", self.ctl("apps"))

    def test_the_server_answers_its_own_page_alone(self):
        url = self.view("--control")
        self.assertEqual(self.ask(url, "")[0], 200)
        port = urllib.parse.urlsplit(url).port
        for headers in [{"Host": f"sluice.example:{port}"}, {"Origin": "http://sluice.example"}]:
            self.assertEqual(self.ask(url, "", headers=headers)[0], 421, headers)
            self.assertEqual(self.ask(url, "steps", "POST", '["launch: mail"]', headers)[0], 421, headers)
        for path in ["", "/", "/x/", "/x/events", "/" + "0" * 32 + "/", "//", "/../"]:
            self.assertEqual(self.ask(f"http://127.0.0.1:{port}", path)[0], 404, path)
        self.assertEqual(self.ask(url, "steps", "POST", '["launch: mail"]', {"Content-Type": "text/plain"})[0], 400)
        for body in ["", "{}", "[]", "[1]", "launch: mail"]:
            self.assertEqual(self.ask(url, "steps", "POST", body)[0], 400, body)
        self.assertEqual(self.ask(url, "steps", "POST", json.dumps(["x" * 200_000]))[0], 413)
        self.assertEqual(self.ask(url, "", "DELETE")[0], 405)
        self.assertIn("stopped", self.ctl("apps"))

    def ask(self, url, path, method="GET", body=None, headers={}):
        address = urllib.parse.urlsplit(url)
        connection = http.client.HTTPConnection(address.hostname, address.port)
        self.addCleanup(connection.close)
        base = address.path or ""
        connection.request(method, (base + path) or "/", body, {"Content-Type": "application/json", **headers})
        answer = connection.getresponse()
        return answer.status, answer.read()


if __name__ == "__main__":
    unittest.main()
