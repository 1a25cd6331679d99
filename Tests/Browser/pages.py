"""Shared code of page tests: a real browser, headless Chromium, driven by Playwright."""

import os
import pathlib
import unittest

from playwright.sync_api import sync_playwright

ROOT = pathlib.Path(__file__).resolve().parents[2]
SLUICE = ROOT / "bin" / "sluice"
PICTURES = pathlib.Path(os.environ.get("SLUICE_PICTURES", ROOT / "docs"))


class PageTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        driver = sync_playwright().start()
        cls.addClassCleanup(driver.stop)
        cls.browser = driver.chromium.launch(
            executable_path=os.environ.get("CHROMIUM", "/usr/bin/chromium"), args=["--no-sandbox"]
        )
        cls.addClassCleanup(cls.browser.close)

    def setUp(self):
        self.trouble = []

    def tearDown(self):
        self.assertEqual(self.trouble, [])

    def new_page(self, **options):
        """Returns an empty page; its errors are test failures."""
        context = self.browser.new_context(**{"viewport": {"width": 1280, "height": 900}, **options})
        self.addCleanup(context.close)
        page = context.new_page()
        page.on("console", lambda message: message.type == "error" and self.trouble.append(message.text))
        page.on("pageerror", lambda error: self.trouble.append(str(error)))
        return page
