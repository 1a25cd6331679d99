"""Measures the pages of `sluice report`, `sluice view` and `sluice studio` in headless Chromium.

Usage: pages.py [REQUESTS] [SECONDS]: the number of requests in the report, and the time to watch the live page.
Prints a table. Needs a built `bin/sluice`, Debian's chromium, and Playwright (`scripts/test-browser.sh` installs both).
"""

import base64
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import threading
import time

from playwright.sync_api import sync_playwright

ROOT = pathlib.Path(__file__).resolve().parents[1]
SLUICE = ROOT / "bin" / "sluice"
CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")
ARGUMENTS = ["--no-sandbox"]
APPS = 1000
RATE = 5000

FLEET = f"""\
accounts:
  anna: {{ upn: anna@contoso.com }}
policies:
  base:
    json: {{ displayName: Org data stays, allowedOutboundDataTransferDestinations: managedApps }}
    assign: [{{ account: anna, apps: [com.contoso.mail] }}]
apps:
  mail: {{ bundle: com.contoso.mail, sdk: true, signedIn: [anna], count: {APPS // 2} }}
  viewer: {{ bundle: org.example.viewer, count: {APPS // 2} }}
steps:
  - launch: [mail, viewer]
  - share: {{ from: mail, to: viewer-1, text: Figures }}
  - share: {{ from: viewer, to: mail-1, text: Figures }}
  - share: {{ from: viewer, to: viewer-1, text: Figures }}
"""


class Traffic:
    """The journal of a real fleet, extended by any number of generated requests of its apps."""

    def __init__(self, folder):
        (folder / "fleet.yaml").write_text(FLEET)
        subprocess.run([SLUICE, "run", "fleet.yaml", "--output-dir", "kept"], cwd=folder, check=True, capture_output=True)
        lines = (folder / "kept" / "1" / "journal.jsonl").read_text().splitlines()
        first = next(index for index, line in enumerate(lines) if '"request.decided"' in line)
        self.beginning = lines[:first]
        events = [json.loads(line) for line in lines[first:]]
        self.ends = {event["request"]: event for event in events if event["event"] == "request.ended"}
        self.samples = {}
        for event in events:
            if event["event"] == "request.decided" and event["operation"] == "share":
                kind = (event["sender"]["app"], event["receiver"]["app"])
                self.samples.setdefault(kind, event)
        self.random = random.Random(1)
        self.number = self.sequence = 10_000

    def request(self):
        """Returns a decision and its end. Each app shares with three others."""
        decision = self.random.choice(list(self.samples.values()))
        end = self.ends[decision["request"]]
        sender = self.random.randrange(1, APPS // 2 + 1)
        receiver = (sender * 7 + self.random.randrange(3)) % (APPS // 2) + 1
        self.number += 1
        self.sequence += 2

        def named(side, number):
            return {**decision[side], "guest": f"{decision[side]['guest'].split('-')[0]}-{number}"}

        changed = {"request": self.number, "sender": named("sender", sender), "receiver": named("receiver", receiver)}
        return [
            json.dumps({**decision, **changed, "seq": self.sequence}),
            json.dumps({**end, "request": self.number, "seq": self.sequence + 1}),
        ]


class Pages:
    def __init__(self, browser, folder, traffic):
        self.browser, self.folder, self.traffic = browser, folder, traffic

    def open(self, address):
        page = self.browser.new_page(viewport={"width": 1280, "height": 900})
        began = time.monotonic()
        page.goto(address)
        page.wait_for_selector("body[data-ready]")
        return page, time.monotonic() - began

    def report(self, count):
        journal, output = self.folder / "long.jsonl", self.folder / "report.html"
        with journal.open("w") as file:
            file.writelines(line + "\n" for line in self.traffic.beginning)
            for _ in range(count):
                file.writelines(line + "\n" for line in self.traffic.request())
        began = time.monotonic()
        subprocess.run([SLUICE, "report", journal, "-o", output], cwd=self.folder, check=True, capture_output=True)
        made = time.monotonic() - began
        row(f"report of {count:,} requests made, s", f"{made:.1f}")
        row("its size, MB", f"{output.stat().st_size / 1e6:.2f}", "<= 10")
        page, opened = self.open(output.as_uri())
        row("opened, with its map, s", f"{opened:.2f}", "<= 1")
        page.close()
        self.move(output)

    def move(self, report):
        """Measures frames while the map of all apps, one box each, is enlarged and moved.

        The browser draws as fast as it can, because frames at the screen's rate are never shorter than 16.7 ms."""
        browser = self.browser.browser_type.launch(executable_path=CHROMIUM, args=[*ARGUMENTS, "--disable-frame-rate-limit", "--disable-gpu-vsync"])
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        page.goto(f"{report.as_uri()}#map?by=guest")
        page.wait_for_selector("body[data-ready]")
        frames = sorted(page.evaluate(MOVES, 5000))
        row(f"map of {page.locator('.node').count():,} apps moved, frame, ms, p95", f"{frames[int(len(frames) * 0.95)]:.1f}", "<= 16.7")
        browser.close()

    def live(self, seconds):
        for view in ["#map", "#map?by=guest", "#requests"]:
            with Writer(self.folder, self.traffic) as journal, Server("view", journal) as viewer:
                page, _ = self.open(viewer.address + view)
                page.wait_for_selector("text=a second")
                frames = sorted(page.evaluate(FRAMES, seconds * 1000))
                row(f"{view}, frame at {RATE:,} requests a second, ms, p95", f"{frames[int(len(frames) * 0.95)]:.0f}", "<= 50")
                row("  of the server's processor, %", f"{100 * viewer.processor_time() / viewer.age():.0f}")
                if view == "#requests":
                    self.age(page, view)
                row("  its memory, MiB", f"{viewer.memory() >> 20}")
                page.close()


    def age(self, page, view):
        """Measures the memory growth of the page over a minute, because a page may stay open for days."""
        before = self.held(page)
        page.wait_for_timeout(60_000)
        after = self.held(page)
        for what in ["JSHeapUsedSize", "Nodes"]:
            row(f"  {what} after a minute more, ratio", f"{after[what] / before[what]:.2f}", "<= 1.1")

    @staticmethod
    def held(page):
        session = page.context.new_cdp_session(page)
        session.send("Performance.enable")
        session.send("HeapProfiler.collectGarbage")
        metrics = session.send("Performance.getMetrics")["metrics"]
        session.detach()
        return {metric["name"]: metric["value"] for metric in metrics}

    def studio(self, changes=100):
        """Measures how long the studio takes from a changed setting to the drawn answers."""
        policy = {"@odata.type": "#microsoft.graph.iosManagedAppProtection", "displayName": "Base"}
        (self.folder / "base.json").write_text(json.dumps({**policy, "allowedOutboundDataTransferDestinations": "managedApps"}))
        with Server("studio", self.folder / "base.json") as studio:
            page = self.browser.new_page(viewport={"width": 1440, "height": 900})
            page.goto(studio.address)
            page.wait_for_selector(".line")
            times = sorted(page.evaluate(CHANGES, changes))
            row(f"setting changed in the studio, {changes} times, ms, p95", f"{times[int(len(times) * 0.95)]:.0f}", "<= 100")
            page.close()

    def compare(self):
        """Compares new screenshots for the documents with the existing ones; fonts and browsers may differ slightly."""
        made = self.folder / "pictures"
        made.mkdir()
        subprocess.run(
            [sys.executable, "-m", "unittest", "discover", "-s", "Tests/Browser", "-k", "test_pictures"],
            cwd=ROOT, env={**os.environ, "SLUICE_RECORD": "1", "SLUICE_PICTURES": made}, check=True, capture_output=True,
        )
        page = self.browser.new_page()
        for picture in sorted(made.iterdir()):
            both = [base64.b64encode(path.read_bytes()).decode() for path in [picture, ROOT / "docs" / picture.name]]
            row(f"pixels of {picture.name} other than in docs, %", f"{100 * page.evaluate(DIFFERENCE, both):.2f}", "<= 1")
        page.close()


# The share of pixels whose colours differ by more than antialiasing explains.
DIFFERENCE = """async (both) => {
  const [one, other] = await Promise.all(both.map(async (data) => {
    const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${data}`)).blob());
    const context = new OffscreenCanvas(image.width, image.height).getContext("2d");
    context.drawImage(image, 0, 0);
    return context.getImageData(0, 0, image.width, image.height);
  }));
  if (one.width !== other.width || one.height !== other.height) return 1;
  let differing = 0;
  for (let at = 0; at < one.data.length; at += 4) {
    const step = [0, 1, 2].map((channel) => Math.abs(one.data[at + channel] - other.data[at + channel]));
    if (Math.max(...step) > 48) differing += 1;
  }
  return differing / (one.width * one.height);
}"""

# The intervals between frames, recorded for a given time.
FRAMES = """(duration) => new Promise((done) => {
  const times = [], start = performance.now();
  let last = start;
  requestAnimationFrame(function tick(now) {
    times.push(now - last);
    last = now;
    if (now - start < duration) requestAnimationFrame(tick); else done(times.slice(1));
  });
})"""


# The intervals between frames, while each frame moves the enlarged map.
MOVES = """(duration) => new Promise((done) => {
  const frame = document.querySelector(".map-frame");
  zoom.by(3);
  const times = [], start = performance.now();
  let last = start;
  requestAnimationFrame(function tick(now) {
    times.push(now - last);
    last = now;
    frame.scrollBy(8 * Math.cos((now - start) / 500), 8 * Math.sin((now - start) / 500));
    if (now - start < duration) requestAnimationFrame(tick); else done(times.slice(1));
  });
})"""


# The times from a changed setting until a cell that depends on it has changed and is drawn.
CHANGES = """async (count) => {
  const setting = document.querySelector("#setting-allowedOutboundDataTransferDestinations");
  const cell = () => document.querySelector('td button[aria-label^="Share, by the SDK, managed → unmanaged"]').textContent;
  const values = [...setting.options].map((option) => option.value);
  const original = setting.value, other = values.find((value) => value !== original && /all/i.test(value));
  const times = [];
  for (let number = 0; number < count; number += 1) {
    const before = cell(), start = performance.now();
    const field = document.querySelector("#" + setting.id);
    field.value = field.value === original ? other : original;
    field.dispatchEvent(new Event("change", { bubbles: true }));
    await new Promise((done) => requestAnimationFrame(function tick() {
      if (cell() === before) requestAnimationFrame(tick); else requestAnimationFrame(done);
    }));
    times.push(performance.now() - start);
  }
  return times;
}"""


class Writer:
    """A journal that grows as fast as that of a busy device."""

    def __init__(self, folder, traffic):
        self.path, self.traffic, self.isGoing = folder / "live.jsonl", traffic, True

    def __enter__(self):
        self.path.write_text("".join(line + "\n" for line in self.traffic.beginning))
        self.thread = threading.Thread(target=self.write)
        self.thread.start()
        return self.path

    def __exit__(self, *_):
        self.isGoing = False
        self.thread.join()

    def write(self):
        began, written = time.monotonic(), 0
        with self.path.open("a") as file:
            while self.isGoing:
                due = int((time.monotonic() - began) * RATE)
                file.write("".join(line + "\n" for _ in range(due - written) for line in self.traffic.request()))
                file.flush()
                written = due
                time.sleep(0.02)


class Server:
    """A command that serves a page."""

    def __init__(self, command, file):
        self.arguments = [command, file]

    def __enter__(self):
        self.process = subprocess.Popen([SLUICE, *self.arguments], stdout=subprocess.PIPE, text=True)
        self.began = time.monotonic()
        self.address = self.process.stdout.readline().strip()
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()

    def age(self):
        return time.monotonic() - self.began

    def processor_time(self):
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def memory(self):
        pages = int(pathlib.Path(f"/proc/{self.process.pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE")


def row(what, figure, reach=""):
    print(f"| {what:<58} | {figure:>8} | {reach:>8} |", flush=True)


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    seconds = float(sys.argv[2]) if len(sys.argv) > 2 else 10
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        folder = pathlib.Path(folder)
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        pages = Pages(browser, folder, Traffic(folder))
        row("what", "figure", "to reach")
        row("---", "---", "---")
        pages.report(count)
        pages.studio()
        pages.live(seconds)
        pages.compare()
        browser.close()


if __name__ == "__main__":
    main()
