"""Checks every page of Sluice with axe-core, in light and dark colours and at a phone's size, and with the keyboard only."""

import importlib.resources
import json
import pathlib
import subprocess
import tempfile
import unittest

from pages import ROOT, SLUICE, PageTests
from test_view import WORLD

AXE = importlib.resources.files("axe_playwright_python").joinpath("axe.min.js").read_text()

# WCAG 2 A and AA (contrast of text at least 4.5), and headings in order.
RULES = """async () => {
  const found = await axe.run({ runOnly: { type: "tag", values: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"] } });
  return found.violations.flatMap(({ id, nodes }) => nodes.slice(0, 3).map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary}`));
}"""

POLICY = ROOT / "scenarios" / "criteria" / "policies" / "base.json"
SCENARIO = "scenarios/lineage.yaml"
VIEWS = ["overview", "cases?case=0", "map", "map?journal=0", "map?journal=0&edge=n2~n3~0", "requests?request=1.3", "time", "time?request=1.3", "files"]


class AccessibilityTests(PageTests):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        cls.policy = json.loads(POLICY.read_text())

    def write(self, name, *words):
        """Writes a page with a command, and returns its address."""
        page = self.folder / f"{name}.html"
        ended = subprocess.run([SLUICE, *words, "--output", f"html={page}"], cwd=ROOT, capture_output=True, text=True)
        self.assertIn(ended.returncode, (0, 1), ended.stderr)
        return page.as_uri()

    def stricter(self):
        """Returns the path of a stricter policy."""
        path = self.folder / "stricter.json"
        path.write_text(json.dumps({**self.policy, "displayName": "Stricter", "allowedOutboundDataTransferDestinations": "none", "printBlocked": True}, indent=2))
        return path

    def check(self, address):
        """Checks a page in light colours, in dark colours and at a phone's size."""
        for options in [{}, {"color_scheme": "dark"}, {"viewport": {"width": 390, "height": 800}}]:
            page = self.new_page(**options)
            page.goto(address)
            if page.locator("script").count():
                page.wait_for_selector("body[data-ready]")
            page.evaluate(AXE)
            self.assertEqual(page.evaluate(RULES), [], f"{address} {options}")
            page.context.close()

    def test_views_of_a_run(self):
        address = self.write("run", "run", SCENARIO)
        for view in VIEWS:
            with self.subTest(view):
                self.check(f"{address}#{view}")

    def test_leaks(self):
        address = self.write("leaks", "leaks", "--scenario", SCENARIO)
        for view in ["leaks", "leaks?leak=2"]:
            with self.subTest(view):
                self.check(f"{address}#{view}")

    def test_tables_of_policies(self):
        for name, words in {
            "matrix": ["matrix", POLICY],
            "compared": ["matrix", "--compare", POLICY, self.stricter()],
            "difference": ["policy", "diff", POLICY, self.stricter()],
            "kit": ["field-kit"],
        }.items():
            with self.subTest(name):
                self.check(self.write(name, *words))

    def test_flows(self):
        results = self.folder / "results"
        subprocess.run([SLUICE, "run", "scenarios/lineage.yaml", "--output-dir", results], cwd=ROOT, check=True, capture_output=True)
        self.check(self.write("flows", "flows", results))

    def test_a_share_sheet(self):
        self.check(self.write("sheet", "share-sheet", "--scenario", "scenarios/share-sheets.yaml", "--from", "mail", "--file", "figures.pdf"))
        self.check(self.write("sheet-os", "share-sheet", "--scenario", "scenarios/share-sheets.yaml", "--from", "mail", "--file", "figures.pdf", "--via", "os"))

    def test_the_page_of_a_running_device(self):
        (self.folder / "world.yaml").write_text(WORLD)
        socket = self.folder / "socket"
        started = []
        for words in [["up", "world.yaml", "--socket", socket], ["view", socket, "--control"]]:
            process = subprocess.Popen([SLUICE, *words], cwd=self.folder, stdout=subprocess.PIPE, text=True)
            self.addCleanup(process.stdout.close)
            self.addCleanup(process.wait)
            self.addCleanup(process.terminate)
            started.append(process.stdout.readline().strip())
        for words in [["launch", "mail", "viewer"], ["share", "from=mail", "to=viewer-2", "text=Figures"]]:
            subprocess.run([SLUICE, "ctl", "--socket", socket, *words], cwd=self.folder, check=True, capture_output=True)
        for view in ["map", "requests", "guests", "output", "steps"]:
            with self.subTest(view):
                self.check(f"{started[1]}#{view}")

    def test_icons_of_a_share_sheet_have_the_colours_of_the_map(self):
        sheet = self.new_page()
        sheet.goto(self.write("sheet", "share-sheet", "--scenario", "scenarios/share-sheets.yaml", "--from", "mail", "--file", "figures.pdf"))
        icons = sheet.locator(".phone li").evaluate_all(
            """(items) => Object.fromEntries(items.filter((item) => item.querySelector(".icon")).map((item) => [
              item.querySelector("del, span:not(.icon)").textContent.replace(/^(Open in|Copy to) /, ""),
              [item.querySelector(".icon").textContent, item.querySelector(".icon").getAttribute("style")]]))"""
        )
        self.assertGreater(len(icons), 5)
        report = self.new_page()
        report.goto(self.write("run", "run", SCENARIO))
        report.wait_for_selector("body[data-ready]")
        for name, icon in icons.items():
            self.assertEqual(report.evaluate("(name) => [initial(name), `background: hsl(${hue(name)} 60% 30%)`]", name), icon, name)

    def test_glyphs_of_the_map_are_those_of_swift(self):
        # The tests of `AppGlyph` read the same table.
        table = json.loads((ROOT / "Tests" / "Browser" / "glyphs.json").read_text())
        report = self.new_page()
        report.goto(self.write("run", "run", SCENARIO))
        report.wait_for_selector("body[data-ready]")
        found = report.evaluate("(names) => names.map((name) => ({ name, initial: initial(name), hue: hue(name) }))", [row["name"] for row in table])
        self.assertEqual(found, table)

    def test_the_keyboard_reaches_every_control(self):
        page = self.new_page()
        page.goto(self.write("run", "run", SCENARIO) + "#map?journal=0")
        page.wait_for_selector("body[data-ready]")
        reached = set()
        for _ in range(100):
            page.keyboard.press("Tab")
            name = page.evaluate("document.activeElement?.dataset?.edge ?? document.activeElement?.dataset?.node ?? document.activeElement?.dataset?.keep ?? document.activeElement?.textContent")
            if name in reached:
                break
            reached.add(name)
        wanted = page.evaluate("[...document.querySelectorAll('[data-edge], .node[role=button], [data-keep]')].map((one) => one.dataset.edge ?? one.dataset.node ?? one.dataset.keep)")
        self.assertGreater(len(wanted), 10)
        self.assertEqual(set(wanted) - reached, set())


if __name__ == "__main__":
    unittest.main()
