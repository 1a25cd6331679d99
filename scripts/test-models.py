#!/usr/bin/env python3
"""Has SPIN and Rumur search what `sluice leaks` searches, and compares states, ways and places.

`sluice leaks` leaves out what classes of apps alike make superfluous; the models that it writes leave out nothing.
"""
import json
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SLUICE = os.path.join(ROOT, "bin/sluice")
WORLDS = [
    "lineage", "clipboard", "identities", "os-sharing", "both-flags", "mdm-exceptions", "other-organisation",
    "extensions", "incoming-org-data", "accounts", "storage-of-another-account", "sdk-versions", "share-sheets",
    "specific-apps",
]
# What apps do, and who signs in to them.
CHOICES = [
    ("honest", "stated"), ("careless", "stated"), ("honest", "any"), ("hostile", "any"),
]
# With all sign-ins, these have more moves than SPIN has memory for.
LARGE = ["identities", "accounts", "eight"]

MANY = """\
name: Eight apps of three people
accounts:
  anna: { upn: anna@contoso.com }
  ben: { upn: ben@contoso.com }
  carl: { upn: carl@fabrikam.com }
  private: { upn: anna@example.org }
policies:
  open: { json: { displayName: Open, allowedOutboundDataTransferDestinations: allApps }, assign: [{ account: carl, apps: [APPS] }] }
  closed:
    json:
      displayName: Closed
      allowedOutboundDataTransferDestinations: managedApps
      allowedInboundDataTransferSources: managedApps
      allowedOutboundClipboardSharingLevel: managedAppsWithPasteIn
    assign: [{ account: anna, apps: [APPS] }, { account: ben, apps: [APPS] }]
apps:
"""


def many():
    """A world in which several apps are alike."""
    bundles = [f"com.contoso.app{number}" for number in range(8)]
    people = [["anna"], ["anna", "private"], ["ben"], ["carl"], ["ben", "private"], ["anna"], ["carl", "private"], ["ben"]]
    lines = MANY.replace("APPS", ", ".join(bundles))
    for number, (bundle, accounts) in enumerate(zip(bundles, people)):
        multi = ", multiIdentity: true" if len(accounts) > 1 else ""
        lines += f"  app{number}: {{ bundle: {bundle}, sdk: true{multi}, signedIn: [{', '.join(accounts)}] }}\n"
    return lines + "  viewer: { bundle: org.example.viewer }\nsteps:\n  - launch: app0\n"


def run(*command, folder, accepted=(0,)):
    ended = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    if ended.returncode not in accepted:
        sys.exit(f"{' '.join(command)} ended with {ended.returncode}\n{ended.stdout}{ended.stderr}")
    return ended.stdout


def leaks(world, choice, *options):
    behaviour, sign_ins = choice
    return run(
        SLUICE, "leaks", world, "--behaviour", behaviour, "--sign-ins", sign_ins, *options, folder=ROOT, accepted=(0, 1))


def number(pattern, text):
    found = re.search(pattern, text)
    if not found:
        sys.exit(f"`{pattern}` is not in\n{text}")
    return int(found.group(1))


def spin(model, folder):
    """States without the first, where data have not begun, the places that are reached, and the moves of the longest way."""
    with open(os.path.join(folder, "model.pml"), "w") as file:
        file.write(model)
    run("spin", "-a", "model.pml", folder=folder)
    run("gcc", "-w", "-DSAFETY", "-DBFS", "-DPRINTF", "-o", "pan", "pan.c", folder=folder)
    text = run("./pan", "-n", folder=folder)
    reached = {int(place) for place in re.findall(r"leak (\d+)", text)}
    return number(r"(\d+) states, stored", text) - 1, reached, number(r"depth reached (\d+)", text)


def rumur(model, folder):
    with open(os.path.join(folder, "model.m"), "w") as file:
        file.write(model)
    run("rumur", "--deadlock-detection", "off", "--output", "model.c", "model.m", folder=folder)
    run("gcc", "-w", "-march=native", "-o", "model", "model.c", "-lpthread", "-latomic", folder=folder)
    # A place that is out of reach is an error to Rumur.
    text = run("./model", folder=folder, accepted=(0, 1))
    reached = {int(place) for place in re.findall(r'cover "leak (\d+)" hit', text)}
    return number(r"(\d+) states", text) - 1, reached


def compare(world, choice, folder):
    report = json.loads(leaks(world, choice, "--format", "json"))
    search = report["search"]
    promela = leaks(world, choice, "--emit", "promela")
    murphi = leaks(world, choice, "--emit", "murphi")
    words = {int(place): words for place, words in re.findall(r'cover "leak (\d+)" at = \d+; -- (.*)', murphi)}
    states, places, depth = spin(promela, folder)
    others, same = rumur(murphi, folder)
    found = sorted(leak["sink"] for leak in report["leaks"])
    expected = search["states"] + len(report["leaks"])
    name = f"{os.path.basename(world)}, {choice[0]}, sign-ins {choice[1]}"
    for what, ours, theirs in [
        ("states of SPIN", expected, states), ("states of Rumur", expected, others),
        ("places of SPIN", found, sorted(words[place] for place in places)),
        ("places of Rumur", found, sorted(words[place] for place in same)),
        ("longest way", search["depth"] + 1, depth),
    ]:
        if ours != theirs:
            sys.exit(f"{name}: {what} are {theirs}, of sluice {ours}")
    print(f"{name}: {search['states']} states, {len(found)} leaks, ways of up to {search['depth']} hops: "
          "SPIN and Rumur agree")


def main():
    with tempfile.TemporaryDirectory() as folder:
        large = os.path.join(folder, "eight.yaml")
        with open(large, "w") as file:
            file.write(many())
        worlds = [os.path.join(ROOT, f"scenarios/{name}.yaml") for name in WORLDS] + [large]
        for world in worlds:
            is_large = os.path.basename(world).removesuffix(".yaml") in LARGE
            for choice in CHOICES:
                if choice[1] == "stated" or not is_large:
                    compare(world, choice, folder)


main()
