"""The page that `sluice report` writes, in a real browser: headless Chromium, driven by Playwright."""

import json
import os
import pathlib
import subprocess
import tempfile
import unittest

from pages import PICTURES, ROOT, SLUICE, PageTests

FLEET = """\
accounts:
  anna: { upn: anna@contoso.com }
policies:
  base:
    json:
      displayName: Org data stays
      allowedOutboundDataTransferDestinations: managedApps
    assign: [{ account: anna, apps: [com.contoso.mail] }]
apps:
  mail: { bundle: com.contoso.mail, sdk: true, signedIn: [anna], count: 500 }
  viewer: { bundle: org.example.viewer, count: 500 }
steps:
  - launch: [mail, viewer]
  - share: { from: mail, to: viewer-7, text: Figures }
  - share: { from: viewer, to: mail-3, text: Figures }
"""

# Names that would be harmful if they were not escaped.
HOSTILE = """\
name: "</script><script>window.harm = 1</script>"
accounts:
  anna: { upn: "anna@%s.example" }
policies:
  base:
    json: { displayName: "<img src=x onerror='window.harm = 1'>", allowedOutboundDataTransferDestinations: managedApps }
    assign: [{ account: anna, apps: [com.contoso.mail] }]
apps:
  mail: { bundle: com.contoso.mail, sdk: true, signedIn: [anna] }
  viewer: { bundle: org.example.viewer }
cases:
  - name: "<script>window.harm = 1</script>%s"
    steps:
      - launch: [mail, viewer]
      - share: { from: mail, to: viewer, text: "<b onclick='window.harm = 1'>" }
        expect: { verdict: allowed }
""" % ("x" * 60, "long" * 2500)


# A case that fails, and one that passes.
FAILING = """\
name: Org data reaches a viewer
accounts:
  anna: { upn: anna@contoso.com }
policies:
  base:
    json: { displayName: Base, allowedOutboundDataTransferDestinations: allApps }
    assign: [{ account: anna, apps: [com.contoso.mail] }]
apps:
  mail: { bundle: com.contoso.mail, sdk: true, signedIn: [anna] }
  viewer: { bundle: org.example.viewer }
cases:
  - name: mail does not share with viewer
    steps:
      - launch: [mail, viewer]
      - share: { from: mail, to: viewer, text: Figures }
        expect: { verdict: blocked }
  - name: the other direction
    steps:
      - launch: [mail, viewer]
      - share: { from: viewer, to: mail, text: Figures }
        expect: { verdict: allowed }
"""

# The words of the page that are broken inside: between letters, not between the parts of a long word.
BROKEN_WORDS = """(() => {
  const found = [], walk = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const node = walk.currentNode;
    if (node.parentElement.closest("pre, svg, select, textarea")) continue;
    for (const { 0: word, index } of node.data.matchAll(/[\\p{L}\\d]+/gu)) {
      const range = document.createRange();
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      if (new Set([...range.getClientRects()].map((line) => Math.round(line.y))).size > 1) found.push(word);
    }
  }
  return found;
})()"""

GEOMETRY = (ROOT / "Tests" / "Browser" / "geometry.js").read_text()

# 1,000 different apps, each of which shares with the next ones.
CROWD = """\
accounts:
  anna: { upn: anna@contoso.com }
policies:
  base:
    json: { displayName: Base, allowedOutboundDataTransferDestinations: managedApps }
    assign: [{ account: anna, apps: [%s] }]
apps:
%s
steps:
%s
"""


def crowd(of, shares):
    """A scenario with `of` apps, every other one managed, and `shares` transfers."""
    bundles = [f"com.contoso.app{number}" for number in range(of)]
    apps = [
        f"  app{number}: {{ bundle: {bundle}" + (", sdk: true, signedIn: [anna] }" if number % 2 else " }") for number, bundle in enumerate(bundles)
    ]
    steps = [f"  - launch: [{', '.join(f'app{number}' for number in range(of))}]"] + [
        f"  - share: {{ from: app{number * 7 % of}, to: app{(number * 13 + 1) % of}, text: Figures }}" for number in range(shares)
    ]
    return CROWD % (", ".join(bundles[1::2]), "\n".join(apps), "\n".join(steps))


class ReportTests(PageTests):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.lineage = cls.run_scenario("scenarios/lineage.yaml", "lineage")
        cls.fleet = cls.run_text(FLEET, "fleet")
        cls.hostile = cls.run_text(HOSTILE, "hostile")

    @classmethod
    def run_text(cls, text, name):
        path = pathlib.Path(cls.folder.name) / f"{name}.yaml"
        path.write_text(text)
        return cls.run_scenario(path, name)

    @classmethod
    def run_scenario(cls, path, name, *others):
        page = pathlib.Path(cls.folder.name) / f"{name}.html"
        ended = subprocess.run(
            [SLUICE, "run", path, *others, "--output", f"html={page}"], cwd=ROOT, capture_output=True, text=True
        )
        assert ended.returncode in (0, 1), ended.stderr
        return page.as_uri()

    def open(self, address, **options):
        page = self.new_page(**options)
        page.on("request", lambda request: request.url.startswith("file:") or self.trouble.append(request.url))
        page.goto(address)
        self.settle(page)
        return page

    def settle(self, page):
        page.wait_for_selector("body[data-ready]")

    def go(self, page, act, shown):
        """Performs an action, and waits until an element matches `shown`."""
        act()
        page.wait_for_selector(shown)

    def click_edge(self, page, edge):
        """Clicks on the middle of an arrow, which is not a rectangle."""
        point = page.locator(edge + " .seen").first.evaluate(
            """(path) => {
              const middle = path.getPointAtLength(path.getTotalLength() / 2).matrixTransform(path.getScreenCTM());
              return [middle.x, middle.y];
            }"""
        )
        page.mouse.click(*point)

    def test_a_case_on_several_devices_is_one(self):
        page = self.open(self.run_scenario("scenarios/organization.yaml", "organization") + "#cases")
        self.assertEqual(page.locator("summary").count(), 8)
        self.go(page, lambda: page.locator("summary").first.click(), "details[open] ol")
        case = page.locator("details").first
        # Each step has only the requests of its own device.
        airdrops = case.locator('ol > li:has-text("by AirDrop")')
        self.assertGreater(airdrops.count(), 0)
        for step in airdrops.all():
            self.assertEqual(step.locator("a[data-request]").count(), 1)
        self.assertEqual(case.locator('a:text-is("Its flow map")').count(), 4)
        self.go(page, lambda: case.locator("a[data-request]").first.click(), "aside section")

    def test_a_case_that_expects_nothing_says_so(self):
        page = self.open(self.run_text("apps: { viewer: { bundle: org.example.viewer } }\nsteps: [launch: viewer]\n", "nothing") + "#cases")
        self.assertIn("nothing (expects nothing)", page.locator("summary").inner_text())
        self.assertIn("Passed: 1 of 1 case (1 expects nothing).", page.inner_text("header"))

    def test_cases_are_found_by_names_and_rules(self):
        page = self.open(self.lineage + "#cases")
        every = page.locator("summary[data-case]").count()
        rule = page.evaluate("D.rules[R.verdict[R.count - 1]]")
        for text, least in [("no such case", 0), (rule, 1), (page.locator("summary .name").last.inner_text().upper(), 1)]:
            page.fill("[data-keep=find]", text)
            page.wait_for_function("(text) => new URLSearchParams(location.hash.split('?')[1]).get('find') === text", arg=text)
            self.settle(page)
            page.wait_for_function("([every, least]) => { const count = document.querySelectorAll('summary[data-case]').length; return least ? count >= least && count < every : count === 0; }", arg=[every, least])

    def test_an_edge_leads_to_the_rule_and_its_line(self):
        page = self.open(self.fleet + "#map")
        self.go(page, lambda: self.click_edge(page, ".edge.blocked"), "aside h3")
        text = page.locator("aside").inner_text()
        self.assertIn("500 × sendManagedAppsToUnmanaged (documented, observed ", text)
        self.assertIn("Send org data to other apps: Policy managed apps", text)
        self.go(page, lambda: page.locator("aside a[href*='#files']").first.click(), ".marked")
        self.assertIn("allowedOutboundDataTransferDestinations", page.locator(".marked").inner_text())

    @unittest.skipUnless(os.environ.get("SLUICE_RECORD"), "makes the pictures of the documents")
    def test_pictures(self):
        page = self.open(self.lineage + "#map?journal=0", viewport={"width": 1420, "height": 620})
        self.go(page, lambda: self.click_edge(page, ".edge.blocked"), "aside h3")
        page.screenshot(path=PICTURES / "report.png")

    def test_a_thousand_apps_are_drawn(self):
        page = self.open(self.fleet + "#map")
        self.assertEqual(page.locator(".node").count(), 2)
        self.go(page, lambda: page.locator(".node.managed").click(), ".node >> nth=500")
        self.assertEqual(page.locator(".node").count(), 501)
        page.goto(self.fleet + "#map?by=guest")
        page.wait_for_selector(".node >> nth=999")
        self.assertEqual(page.locator(".node").count(), 1000)

    def geometry(self, page, address):
        """Shows the address and returns what is on the map; None if nothing has moved."""
        turn = page.evaluate("document.body.dataset.ready")
        page.evaluate("(address) => { location.hash = address; }", address)
        page.wait_for_function("(turn) => document.body.dataset.ready !== turn", arg=turn)
        return page.evaluate(GEOMETRY)

    def test_maps_of_all_scenarios_are_legible(self):
        page = self.open(self.run_scenario("scenarios", "scenarios"))
        maps = 0
        for journal in range(page.evaluate("D.journals.length")):
            found = self.geometry(page, f"#map?journal={journal}")
            if found is None:
                continue
            maps += 1
            self.assertEqual(found["faults"], [], journal)
            self.assertGreaterEqual(found["used"], 60, journal)
        self.assertGreater(maps, 100)

    def test_maps_of_a_crowd_are_legible(self):
        for number, (apps, shares) in enumerate([(200, 150), (1000, 300), (1000, 1)]):
            page = self.open(self.run_text(crowd(apps, shares), f"crowd-{number}") + "#cases")
            for address in ["#map", "#map?by=policy", "#map?by=guest&busy=1"]:
                found = self.geometry(page, address)
                self.assertEqual(found["faults"], [], address)
                self.assertGreater(found["arrows"], 0, address)

    def labels(self, page):
        """Returns the labels of all arrows, and those that do not name an operation."""
        labels = page.eval_on_selector_all(".edge", "(edges) => edges.map((edge) => edge.querySelector('text')?.textContent ?? '')")
        return labels, [label for label in labels if not any(letter.isalpha() for letter in label)]

    def test_arrows_of_a_crowded_map_name_their_operations(self):
        page = self.open(self.run_scenario("scenarios/crowd.yaml", "crowded") + "#map")
        labels, unnamed = self.labels(page)
        self.assertGreater(len(labels), 30)
        self.assertLess(len(unnamed), len(labels) / 6, labels)

    def test_all_arrows_of_a_map_with_room_name_their_operations(self):
        page = self.open(self.run_scenario("scenarios/fleet.yaml", "keychain", "scenarios/keychain.yaml") + "#map")
        labels, unnamed = self.labels(page)
        self.assertGreater(len(labels), 10)
        self.assertEqual(unnamed, [])
        self.assertEqual(page.evaluate(GEOMETRY)["faults"], [])

    def test_the_map_of_the_first_view_fits(self):
        page = self.open(self.run_scenario("scenarios/os-sharing.yaml", "os-sharing"), viewport={"width": 1440, "height": 900})
        self.assertGreater(page.locator(".node").count(), 5)
        height, content = page.eval_on_selector(".wide", "(pane) => [pane.clientHeight, pane.scrollHeight]")
        self.assertLessEqual(content, height)

    def test_the_map_of_the_first_view_has_few_arrows(self):
        page = self.open(self.run_scenario("scenarios/criteria", "criteria"))
        self.assertEqual(page.locator(".edge").count(), 48)
        self.assertRegex(page.inner_text("main"), r"The map shows 48 of \d+ flows: .* Flow map has the others\.")
        found = page.evaluate(GEOMETRY)
        self.assertEqual(found["faults"], [])

    def test_a_page_can_be_resized_before_its_data_is_read(self):
        page = self.new_page()
        page.add_init_script("addEventListener('DOMContentLoaded', () => dispatchEvent(new Event('resize')))")
        page.goto(self.lineage)
        self.settle(page)
        self.assertGreater(page.locator(".node").count(), 0)

    def test_the_map_zooms_and_fits(self):
        page = self.open(self.lineage + "#map?journal=0")
        width = "document.querySelector('svg.map').getBoundingClientRect().width"
        fitted = page.evaluate(width)
        for _ in range(3):
            page.click('button[aria-label="Zoom in"]')
        self.assertGreater(page.evaluate(width), 3 * fitted)
        # The enlarged map moves with the pointer, and stays where it is while the page draws it again.
        frame = page.locator(".map-frame").bounding_box()
        centre = (frame["x"] + frame["width"] / 2, frame["y"] + frame["height"] / 2)
        place = "[document.querySelector('.map-frame').scrollLeft, document.querySelector('.map-frame').scrollTop]"
        before = page.evaluate(place)
        page.mouse.move(*centre)
        page.mouse.down()
        page.mouse.move(centre[0] - 100, centre[1] - 60, steps=4)
        page.mouse.up()
        moved = page.evaluate(place)
        self.assertAlmostEqual(moved[0] - before[0], 100, delta=4)
        self.assertAlmostEqual(moved[1] - before[1], 60, delta=4)
        self.go(page, lambda: page.locator("[data-keep=blocked]").uncheck(), "svg.map:not(:has(.edge.blocked))")
        self.assertEqual(page.evaluate(place), moved)
        page.click('button[aria-label="Show the whole map"]')
        self.assertEqual(page.evaluate(width), fitted)

    def test_the_keyboard_is_enough(self):
        page = self.open(self.lineage + "#map?journal=0")
        edge = page.locator(".edge.blocked")
        edge.focus()
        self.go(page, lambda: page.keyboard.press("Enter"), "aside h3")
        self.assertIn("sendManagedAppsToUnmanaged", page.locator("aside").inner_text())
        # The focus remains, and Escape closes the panel.
        self.assertEqual(page.evaluate("document.activeElement.dataset.edge"), edge.get_attribute("data-edge"))
        page.keyboard.press("Escape")
        page.wait_for_selector("aside", state="hidden")

    def test_outcomes_are_told_apart_without_colour(self):
        page = self.open(self.lineage + "#map?journal=0")
        dash = "(path) => getComputedStyle(path).strokeDasharray"
        allowed = page.locator(".edge.allowed .seen").first.evaluate(dash)
        blocked = page.locator(".edge.blocked .seen").first.evaluate(dash)
        self.assertNotEqual(allowed, blocked)

    def test_filters_are_in_the_address(self):
        page = self.open(self.lineage + "#requests")
        page.select_option("[data-keep=outcome]", "blocked")
        page.wait_for_function("location.hash.includes('outcome=blocked')")
        page.wait_for_function("document.querySelectorAll('tbody tr').length === 3")
        other = self.open(page.url)
        self.assertEqual(other.locator("tbody tr").count(), 3)

    def test_a_moment_shows_what_was_by_then(self):
        page = self.open(self.lineage + "#map?journal=0")
        self.assertGreater(page.locator(".edge").count(), 1)
        page.locator("[data-keep=at]").focus()
        self.go(page, lambda: page.keyboard.press("Home"), "text=No request moved data")
        self.assertIn("at=0", page.url)

    def test_a_case_shows_its_steps_and_requests(self):
        page = self.open(self.lineage + "#cases?case=0")
        steps = page.locator("details[open] ol > li")
        self.assertGreater(steps.count(), 3)
        self.go(page, lambda: page.locator("details[open] a[data-request]").last.click(), "aside h2")
        self.assertIn("by ", page.locator("aside").inner_text())

    def test_a_case_that_has_not_ended_did_not_pass(self):
        journal = pathlib.Path(self.folder.name) / "kept" / "1" / "journal.jsonl"
        subprocess.run(
            [SLUICE, "run", "scenarios/lineage.yaml", "--output-dir", journal.parents[1]], cwd=ROOT, check=True, capture_output=True
        )
        cut = journal.with_name("cut.jsonl")
        cut.write_bytes(journal.read_bytes()[:3000])
        page = cut.with_suffix(".html")
        subprocess.run([SLUICE, "report", cut, "-o", page], check=True, capture_output=True)
        opened = self.open(page.as_uri())
        self.assertIn("Passed: 0 of 1 case; 1 errored.", opened.locator("header").inner_text())
        self.assertIn("could not be read", opened.locator("header [role=note]").inner_text())
        self.assertIn("! errored, not ended", opened.locator("summary").first.inner_text())

    def test_what_is_typed_is_found_at_once_and_back_goes_back(self):
        page = self.open(self.fleet + "#cases")
        self.go(page, lambda: page.click("nav >> text=Flow map"), ".node")
        page.locator("input[data-keep=find]").press_sequentially("mail-12")
        # Also in a box for several apps.
        page.wait_for_selector(".node.unmanaged.dim")
        self.assertEqual(page.locator(".node.managed.dim").count(), 0)
        self.assertEqual(page.evaluate("document.activeElement.dataset.keep"), "find")
        page.go_back()
        page.wait_for_function("location.hash.startsWith('#cases')")

    def test_two_directions_are_two_arrows(self):
        page = self.open(self.lineage + "#map")
        paths = page.locator(".edge .seen").evaluate_all("(all) => all.map((path) => path.getAttribute('d'))")
        numbers = page.locator(".edge text").evaluate_all("(all) => all.map((text) => `${text.getAttribute('x')} ${text.getAttribute('y')}`)")
        self.assertEqual(len(set(paths)), len(paths))
        self.assertEqual(len(set(numbers)), len(numbers))

    def test_a_request_has_its_number_in_the_address(self):
        page = self.open(self.lineage + "#requests")
        self.go(page, lambda: page.click("a[data-request='2.3']"), "tr.chosen")
        self.assertIn("request=2.3", page.url)
        self.assertIn("Request 2.3", page.locator("aside").inner_text())
        page.goto(self.fleet + "#requests?request=850")
        page.wait_for_selector("tr.chosen")
        self.assertIn("850", page.locator("tr.chosen").inner_text())

    def test_a_view_stays_with_its_case(self):
        page = self.open(self.lineage + "#map?journal=1")
        self.go(page, lambda: page.click("nav >> text=Requests"), "tbody tr")
        self.assertEqual(page.locator("tbody tr").count(), 6)
        self.go(page, lambda: page.click("nav >> text=Time"), "[data-lane]")
        self.assertEqual(page.locator("[data-lane]").count(), 3)

    def test_paper_has_all_steps(self):
        page = self.open(self.lineage + "#cases")
        self.assertEqual(page.locator("details ol").count(), 0)
        page.evaluate("dispatchEvent(new Event('beforeprint'))")
        self.assertEqual(page.locator("details ol").count(), 4)
        page.emulate_media(media="print", color_scheme="dark")
        self.assertEqual(page.evaluate("getComputedStyle(document.body).backgroundColor"), "rgb(255, 255, 255)")

    def test_an_items_lineage_is_drawn(self):
        page = self.open(self.lineage + "#requests?operation=share")
        page.locator("a[data-request]").nth(1).click()
        page.wait_for_selector("aside >> text=Where it came from")
        self.go(page, lambda: page.click("text=Its lineage on the map"), ".edge.trail")
        self.assertGreaterEqual(page.locator(".edge.trail").count(), 2)

    def test_ways_out_are_chains_with_their_rules(self):
        page = pathlib.Path(self.folder.name) / "leaks.html"
        ended = subprocess.run(
            [SLUICE, "leaks", "--scenario", "scenarios/lineage.yaml", "--format", "html"], cwd=ROOT, capture_output=True, text=True
        )
        self.assertEqual(ended.returncode, 1)
        page.write_text(ended.stdout)
        page = self.open(page.as_uri())
        self.assertRegex(page.locator("main .headline").inner_text(), r"^Org data can reach \d+ unprotected places\. 6 changes of settings stop all but 6 ")
        ways = page.locator("section:has(h2:text-is('Ways out, by the change that closes them'))")
        self.assertRegex(ways.locator("p").first.inner_text(), r"^\d+ of \d+ ways out are open, \d+ encrypted, \d+ blocked\.$")
        self.assertIn("Printing Org data = Block: Print", ways.locator("li").all_inner_texts())
        found = page.evaluate(GEOMETRY)
        self.assertEqual(found["faults"], [])
        self.assertGreater(found["arrows"], 10)
        first = page.locator("details:has([data-leak='0'])")
        self.go(page, lambda: first.locator("summary").click(), "details:has([data-leak='0']) svg")
        self.assertIn("leak=0", page.url)
        self.assertGreaterEqual(first.locator(".node").count(), 2)
        self.assertIn("made in", first.inner_text())
        arrow = page.locator(".edge.leak[aria-label*='to a printer']")
        arrow.focus()
        self.go(page, lambda: page.keyboard.press("Enter"), "text=Show all paths")
        self.assertEqual(page.locator("summary[data-leak]").count(), 1)
        self.go(page, lambda: page.click("text=Show all paths"), "summary[data-leak='10']")
        page.fill("input[data-keep=find]", "safariExtension")
        # The hops of one path are shown.
        page.wait_for_selector("details[open] a[href*='#files']")
        self.assertIn("find=safariExtension", page.url)
        self.go(page, lambda: page.locator("details[open] a[href*='#files']").first.click(), ".marked")
        self.assertIn("allowedOutboundDataTransferDestinations", page.locator(".marked").inner_text())

    def test_a_way_out_is_drawn_over_the_map_of_a_run(self):
        folder = pathlib.Path(self.folder.name)
        kept, ways, page = folder / "ways", folder / "ways.json", folder / "ways.html"
        subprocess.run([SLUICE, "run", "scenarios/lineage.yaml", "--output-dir", kept], cwd=ROOT, check=True, capture_output=True)
        found = subprocess.run([SLUICE, "leaks", "--scenario", "scenarios/lineage.yaml", "--format", "json"], cwd=ROOT, capture_output=True)
        ways.write_bytes(found.stdout)
        subprocess.run([SLUICE, "report", kept, "--leaks", ways, "-o", page], cwd=ROOT, check=True, capture_output=True)
        sinks = [leak["sink"] for leak in json.loads(found.stdout)["leaks"]]
        page = self.open(f"{page.as_uri()}#leaks?leak={sinks.index('print')}")
        self.go(page, lambda: page.click("details[open] >> text=On the map"), ".edge.way")
        # From the box of the run to a place that the run did not reach.
        self.assertEqual(page.locator(".edge.way").get_attribute("aria-label"), "hop 1, mail · anna@contoso.com to a printer")
        self.assertEqual(page.locator(".node.absent").count(), 1)
        self.assertIn("Data of anna@contoso.com reaches a printer", page.locator("aside").inner_text())
        self.go(page, lambda: page.click("aside >> text=Close"), "svg:not(:has(.way.edge))")

    def test_chains_have_a_map_and_the_names_of_cases(self):
        folder = pathlib.Path(self.folder.name)
        kept, page = folder / "chains", folder / "chains.html"
        subprocess.run([SLUICE, "run", "scenarios/lineage.yaml", "--output-dir", kept], cwd=ROOT, check=True, capture_output=True)
        subprocess.run([SLUICE, "flows", kept, "-o", page], cwd=ROOT, check=True, capture_output=True)
        narrow = self.open(page.as_uri(), viewport={"width": 360, "height": 700})
        self.assertLessEqual(narrow.evaluate("document.documentElement.scrollWidth"), 360)
        self.assertLessEqual(narrow.locator(".chains").evaluate("(one) => one.scrollWidth"), 360)
        self.assertEqual(narrow.evaluate(BROKEN_WORDS), [])
        page = self.open(page.as_uri())
        self.assertEqual(page.locator("h1").inner_text(), "Where data went: Forwarding")
        self.assertEqual(page.locator("main h2").first.inner_text(), "a tagged copy keeps its owner when another app forwards it")
        self.assertEqual(page.locator("main h2").count(), 4)
        self.assertEqual(page.locator("thead").count(), 1)
        self.assertEqual(page.evaluate(GEOMETRY)["faults"], [])
        self.assertEqual(page.locator(".chains strong.left").count(), 1)
        # A hop leads to its request, an arrow to its rules, a rule to the line of its file.
        self.go(page, lambda: page.locator(".chains a[data-request]").first.click(), "aside h2")
        self.assertIn("request=1.3", page.url)
        self.go(page, lambda: page.locator(".chains a[href*='#files']").first.click(), ".marked")
        page.go_back()
        page.wait_for_selector(".edge")
        self.go(page, lambda: page.locator(".edge").first.press("Enter"), "aside h3")

    def test_apps_are_grouped_by_team(self):
        page = self.open(self.fleet + "#map?by=team")
        self.assertEqual(page.locator(".node .name").all_text_contents(), ["TEAMMAIL × 500", "TEAMVIEWER × 500"])

    def test_rows_of_tables_have_addresses(self):
        folder = pathlib.Path(self.folder.name)
        policy = ROOT / "scenarios" / "criteria" / "policies" / "base.json"
        page = folder / "matrix.html"
        with page.open("w") as file:
            subprocess.run([SLUICE, "matrix", policy, "--format", "html"], cwd=ROOT, check=True, stdout=file)
        context = self.browser.new_context()
        self.addCleanup(context.close)
        opened = context.new_page()
        opened.goto(page.as_uri())
        names = opened.evaluate("[...document.querySelectorAll('[id]')].map((one) => one.id)")
        self.assertEqual(len(names), len(set(names)))
        row = opened.locator("tbody a.own").nth(3)
        row.click()
        self.assertEqual("#" + opened.locator("tr:target").get_attribute("id"), row.get_attribute("href"))

    def test_tables_of_policies_are_filtered_by_words_and_answers(self):
        folder = pathlib.Path(self.folder.name)
        policy = ROOT / "scenarios" / "criteria" / "policies" / "base.json"
        stricter = folder / "stricter.json"
        stricter.write_text(json.dumps({**json.loads(policy.read_text()), "displayName": "Stricter", "printBlocked": True}, indent=2))

        def written(*words):
            path = folder / "tables.html"
            with path.open("w") as file:
                subprocess.run([SLUICE, *words, "--format", "html"], cwd=ROOT, stdout=file)
            return path.as_uri()

        page = self.new_page()
        page.goto(written("matrix", policy))
        page.wait_for_selector("body[data-ready]")
        rows, answers = page.locator("tbody tr:visible"), page.locator("tbody td:visible:not(:empty)")
        whole = (rows.count(), answers.count())
        find, kind = page.get_by_label("Find"), page.get_by_label("Answers")
        # Words of a row, and then also of a column.
        find.fill("Print")
        self.assertEqual([text.split("\n")[0] for text in rows.locator("th").all_inner_texts()], ["Print"])
        find.fill("share unmanaged")
        self.assertTrue(all("Share" in text for text in rows.locator("th").all_inner_texts()))
        heads = page.locator("thead th:visible:not(:first-child)").all_inner_texts()
        self.assertEqual(heads, ["managed → unmanaged", "unmanaged → managed"])
        find.fill("")
        for outcome in ["blocked", "allowed", "doubt"]:
            kind.select_option(outcome)
            shown = answers.all_inner_texts()
            self.assertTrue(shown and all(("?" if outcome == "doubt" else outcome) in text for text in shown), shown)
            self.assertTrue(page.locator("[role=status]").inner_text().startswith(f"{len(shown)} of "))
        kind.select_option("")
        self.assertEqual((rows.count(), answers.count()), whole)
        find.fill("no such flow")
        self.assertEqual(rows.count(), 0)
        page.goto(written("policy", "diff", policy, stricter))
        page.wait_for_selector("body[data-ready]")
        kind.select_option("differs")
        compared = page.locator("table:has(.differs) tbody tr:visible")
        self.assertEqual(compared.count(), compared.filter(has=page.locator(".differs")).count())
        self.assertTrue(all("Print" in text for text in compared.locator("th").all_inner_texts()))
        # Without scripts, the page has no controls and all rows.
        plain = self.new_page(java_script_enabled=False)
        plain.goto(written("matrix", policy))
        self.assertEqual(plain.locator(".bar").count(), 0)
        self.assertEqual(plain.locator("tbody tr").count(), whole[0])

    def test_guests_of_an_app_share_a_lane_that_opens(self):
        page = self.open(self.fleet + "#time")
        self.assertEqual(page.locator("[data-lane]").evaluate_all("(all) => all.map((one) => one.dataset.lane)"), ["com.contoso.mail", "org.example.viewer"])
        self.assertIn("1,000 of 1,000 guests", page.locator(".bar").first.inner_text())
        # A bounded number of marks stands for all requests.
        marks = page.locator("[data-lane] text.tick")
        self.assertGreater(marks.count(), 0)
        self.assertLess(marks.count(), 300)
        self.assertIn("more", marks.first.locator("title").text_content())
        self.go(page, lambda: page.locator("summary.lane .label").first.click(), "[data-lane='mail-100']")
        self.assertEqual(page.locator("div.lane").count(), 100)
        self.assertIn("400 more guests", page.locator("details[open] details[open]").inner_text())
        page.fill("input[data-keep=find]", "mail-321")
        page.wait_for_selector("[data-lane='mail-321']")
        self.assertEqual(page.locator("[data-lane]").count(), 1)

    def test_cases_follow_each_other_in_time(self):
        page = self.open(self.lineage + "#time")
        cases = page.locator("details.period")
        self.assertEqual(cases.count(), 4)
        self.assertEqual(cases.first.locator("h2").inner_text(), "a tagged copy keeps its owner when another app forwards it")
        frames = [case.bounding_box() for case in cases.all()]
        for above, below in zip(frames, frames[1:]):
            self.assertLessEqual(above["y"] + above["height"], below["y"] + 1)
            self.assertEqual(above["x"], below["x"])
        # A mark of a blocked request leads to its rules.
        self.go(page, lambda: page.locator("text.tick.blocked").first.click(), "aside h2")
        self.assertIn("sendManagedAppsToUnmanaged", page.locator("aside").inner_text())

    def test_each_of_several_devices_has_a_frame(self):
        page = self.open(self.run_scenario("scenarios/organization.yaml", "framed") + "#map")
        self.assertEqual(page.locator("[data-frame]").evaluate_all("(all) => all.map((one) => one.dataset.frame)"), ["anna-phone", "anna-tablet", "ben-phone", "ben-tablet"])
        self.assertEqual(page.evaluate(GEOMETRY)["faults"], [])
        # Each box is inside one frame, and the frames do not overlap.
        loose = page.evaluate("""(() => {
          const frame = (one) => { const { x, y, width, height } = one.querySelector("rect").getBBox(); return [x, y, x + width, y + height]; };
          const frames = [...document.querySelectorAll("[data-frame]")].map(frame);
          const isInside = ([x1, y1, x2, y2], [left, top, right, bottom]) => x1 > left && y1 > top && x2 < right && y2 < bottom;
          return [...document.querySelectorAll(".node")].filter((node) => frames.filter((one) => isInside(frame(node), one)).length !== 1).length
            + frames.slice(1).filter(([, top], index) => top <= frames[index][3]).length;
        })()""")
        self.assertEqual(loose, 0)
        self.assertIn("Frames are devices.", page.inner_text(".wide"))
        # Data that arrived from another device leads to the request on that device.
        page.goto(page.url.split("#")[0] + "#requests?request=3.2")
        page.wait_for_selector("aside >> text=Where it came from")
        self.assertIn("request 1.1", page.inner_text("aside"))
        self.assertEqual(self.open(self.lineage + "#map").locator("[data-frame]").count(), 0)

    def test_arrows_show_consequences(self):
        failing = self.open(self.run_text(FAILING, "consequences") + "#map")
        wrong = failing.locator(".edge.failed")
        self.assertEqual(wrong.count(), 1)
        self.assertEqual(wrong.get_attribute("aria-label"), "1 left the protection, not as expected, mail · anna@contoso.com to viewer: share")
        self.assertEqual(wrong.locator("text").text_content(), "! ↗1 share")
        legend = failing.inner_text(".wide")
        for words in ["↗ managed data left the protection of policies: solid red arrow.", "! not as expected: thick red arrow."]:
            self.assertIn(words, legend)
        self.assertNotIn("✗ blocked", failing.inner_text(".wide > p"))
        colour = "(one) => getComputedStyle(one).color"
        red = failing.locator(".edge.left").first.evaluate(colour)
        page = self.open(self.lineage + "#map")
        self.assertNotEqual(page.locator(".edge.blocked").first.evaluate(colour), red)
        self.assertEqual(page.locator(".edge.left").first.evaluate(colour), red)
        self.assertEqual(page.locator(".edge.failed").count(), 0)
        self.go(page, lambda: page.locator("[data-keep=left]").uncheck(), "svg.map:not(:has(.edge.left))")

    def test_what_is_not_selected_is_dimmed(self):
        page = self.open(self.lineage + "#map")
        self.assertEqual(page.locator("svg .aside").count(), 0)
        self.go(page, lambda: self.click_edge(page, ".edge.blocked"), ".edge.chosen")
        self.assertEqual(page.locator(".edge:not(.aside)").count(), 1)
        self.assertEqual(page.locator(".node:not(.aside)").count(), 2)
        page.goto(self.lineage + "#map?request=2.3")
        page.wait_for_selector("aside h2")
        self.assertEqual(page.locator(".edge:not(.aside)").count(), 1)
        self.assertIn("share", page.locator(".edge:not(.aside)").get_attribute("aria-label"))

    def test_the_first_view_answers(self):
        page = self.open(self.lineage)
        self.assertEqual(page.locator("h1").inner_text(), "Forwarding")
        self.assertEqual(
            page.locator("header .headline").inner_text(),
            "Passed: 4 of 4 cases. Blocked: 3 of 31 requests. "
            "1 transfer took managed data out of the protection of policies, to a place outside all apps.",
        )
        # The results precede the map, which is also on the first screen.
        results, map = page.locator(".results").bounding_box(), page.locator("svg.map").bounding_box()
        self.assertLess(results["y"] + results["height"], map["y"])
        self.assertLess(map["y"], 420)
        self.assertRegex(page.locator("summary[data-case]").first.inner_text(), r"^✓ passed\s+a tagged copy .*\s\d+\.\d\d s$")
        self.assertEqual(page.evaluate(GEOMETRY)["faults"], [])
        self.assertEqual(page.locator("summary[data-case]").count(), 4)
        self.go(page, lambda: self.click_edge(page, ".edge.blocked"), "aside h3")
        self.assertIn("#map?edge=", page.url)

    def test_a_report_of_kept_devices_has_the_durations_of_the_run(self):
        folder = pathlib.Path(self.folder.name)
        kept, page = folder / "timed", folder / "timed.html"
        subprocess.run([SLUICE, "run", "scenarios/organization.yaml", "--output-dir", kept], cwd=ROOT, check=True, capture_output=True)
        subprocess.run([SLUICE, "report", kept, "-o", page], cwd=ROOT, check=True, capture_output=True)
        page = self.open(page.as_uri())
        texts = page.locator("summary[data-case]").all_inner_texts()
        self.assertEqual(len(texts), 8)
        for text in texts:
            self.assertRegex(text, r"\d s$")
        # Journals have the names of their cases and devices, not of their files.
        page.goto(page.url + "#requests")
        names = page.wait_for_selector("[data-keep=journal]").query_selector_all("option")
        texts = [name.inner_text() for name in names]
        self.assertIn("AirDrop delivers encrypted data on the OS path, ben-phone", texts)
        self.assertEqual([text for text in texts if "journal" in text], [])

    def test_failures_are_open_in_the_first_view(self):
        page = self.open(self.run_text(FAILING, "failing"))
        self.assertEqual(page.locator("h1").inner_text(), "Org data reaches a viewer")
        self.assertEqual(
            page.locator("header .headline").inner_text(),
            "Passed: 1 of 2 cases; 1 failed. Blocked: 0 of 3 requests. "
            "1 transfer took managed data out of the protection of policies, to an unmanaged app.",
        )
        self.assertEqual(page.locator("h2").all_inner_texts(), ["Cases that did not pass", "Other cases", "Flows between apps"])
        self.assertIn("expected verdict blocked, found verdict allowed", page.locator("details[open]").inner_text())
        self.assertIn("the other direction", page.locator("details:not([open]) summary[data-case]").inner_text())

    def test_groups_of_well_known_bundle_ids_have_the_names_of_their_apps(self):
        text = FLEET.replace("org.example.viewer, count: 500", "net.whatsapp.WhatsApp, count: 8").replace("count: 500", "count: 3")
        page = self.open(self.run_text(text, "known") + "#map?by=bundle")
        self.assertEqual(page.locator(".node .name").all_text_contents(), ["com.contoso.mail × 3", "WhatsApp × 8"])
        self.assertEqual(page.locator(".node.unmanaged title").text_content(), "WhatsApp × 8 (net.whatsapp.WhatsApp)")
        self.go(page, lambda: page.fill("[data-keep=find]", "net.whatsapp"), ".node.managed.dim")
        self.assertEqual(page.locator(".node.unmanaged.dim").count(), 0)

    def test_dark_and_narrow(self):
        page = self.open(self.lineage + "#cases", color_scheme="dark", viewport={"width": 360, "height": 700})
        colour = page.evaluate("getComputedStyle(document.body).backgroundColor")
        self.assertEqual(colour, "rgb(13, 17, 23)")
        self.assertLessEqual(page.evaluate("document.documentElement.scrollWidth"), 360)
        page.goto(self.lineage + "#requests")
        page.wait_for_selector("tbody tr")
        self.assertLessEqual(page.evaluate("document.documentElement.scrollWidth"), 360)

    def test_lines_end_between_the_parts_of_words(self):
        for width in [360, 800, 1280]:
            for view in ["overview", "requests?request=2.3", "cases?case=0", "map?request=2.3"]:
                with self.subTest(view, width=width):
                    page = self.open(f"{self.lineage}#{view}", viewport={"width": width, "height": 700})
                    self.assertEqual(page.evaluate(BROKEN_WORDS), [])
                    page.context.close()
        page = self.open(self.lineage + "#requests?operation=share")
        # A long name has places where a line may end, which are no part of the text.
        rule = page.locator("td:has(wbr)", has_text="sendManagedAppsToUnmanaged").first
        self.assertEqual(rule.inner_text(), "sendManagedAppsToUnmanaged")
        self.assertEqual(rule.locator("wbr").count(), 4)

    def test_hostile_names_do_no_harm(self):
        for view in ["overview", "cases?case=0", "map", "requests?request=1", "time", "files"]:
            page = self.open(f"{self.hostile}#{view}")
            self.assertEqual(page.evaluate("typeof window.harm"), "undefined")
            self.assertLessEqual(page.evaluate("document.documentElement.scrollWidth"), 1280)

    def test_odd_addresses_show_a_page(self):
        for address in [
            "__proto__", "constructor", "files?file=constructor", "map?by=__proto__", "map?by=toString",
            "requests?request=1.5.7", "requests?request=-1", "map?request=x&trail=1", "requests?page=-1", "time?at=abc", "map?at=1e400",
            "cases?case=x", "map?edge=a~b~2", "map?alone=nobody", "map?open=9,x",
        ]:
            page = self.open(f"{self.lineage}#{address}")
            self.assertEqual(page.locator("[role=alert]").count(), 0, address)
            self.assertGreater(page.locator("main > div > *").count(), 0, address)

    def test_no_other_script_runs(self):
        page = self.open(self.lineage)
        page.evaluate("document.body.append(Object.assign(document.createElement('script'), {textContent: 'window.harm = 1'}))")
        self.assertEqual(page.evaluate("typeof window.harm"), "undefined")
        self.assertTrue(any("Content Security Policy" in text for text in self.trouble))
        self.trouble.clear()


if __name__ == "__main__":
    unittest.main()
