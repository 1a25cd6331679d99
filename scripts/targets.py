#!/usr/bin/env python3
"""Checks the targets of Package.swift, read as `swift package dump-package` prints them on standard input.

Usage: swift package dump-package | targets.py [--write]

A target imports targets of its own layer and of the layers below. Each has a README.md that begins with its purpose, and is listed
under its layer in docs/architecture.md. `--write` writes these lists; without it, a list that differs is an error.
"""

import json
import pathlib
import re
import sys
import textwrap

ROOT = pathlib.Path(__file__).resolve().parent.parent
DOCUMENT = ROOT / "docs/architecture.md"

# The layers that each layer may import in addition to itself.
BELOW = {
    "Foundations": [],
    "System": ["Foundations"],
    "Model": ["Foundations", "System"],
    "Rules": ["Foundations", "System", "Model"],
    "Device": ["Foundations", "System", "Model", "Rules"],
    "Guest": ["Foundations", "System", "Model"],
    "Tools": ["Foundations", "System", "Model", "Rules", "Device"],
    "Programs": ["Foundations", "System", "Model", "Rules", "Device", "Guest", "Tools"],
}


def imports(target):
    """Returns the names of the targets of this package that a target depends on."""
    return [(dependency.get("byName") or [None])[0] for dependency in target["dependencies"]]


def layers(targets):
    """Returns the layer of each target in Sources."""
    found = {}
    for target in targets:
        parts = (target.get("path") or "").split("/")
        if len(parts) == 3 and parts[0] == "Sources":
            found[target["name"]] = parts[1]
    return found


def purpose(path):
    """Returns the first paragraph of a target's README, on one line; None without one."""
    readme = ROOT / path / "README.md"
    if not readme.exists():
        return None
    paragraphs = readme.read_text(encoding="utf-8").split("\n\n")
    return " ".join(paragraphs[1].split()) if len(paragraphs) > 1 else None


def entries(targets, layer, layers):
    """Returns the list of a layer's targets, wrapped at 118 columns."""
    links = [f"[`{target['name']}`](../{target['path']})" for target in targets if layers.get(target["name"]) == layer]
    text = "- " + ", ".join(links)
    return "\n".join(textwrap.wrap(text, 118, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)) + "\n"


def document(targets, layers):
    text = DOCUMENT.read_text(encoding="utf-8")
    for layer in BELOW:
        made = f"<!-- made of Package.swift: {layer} -->\n"
        pattern = re.escape(made) + r"((- |  ).*\n)*"
        assert re.search(pattern, text), f"docs/architecture.md has no list of {layer}"
        text = re.sub(pattern, lambda _: made + entries(targets, layer, layers), text)
    return text


def main():
    targets = json.load(sys.stdin)["targets"]
    layer_of = layers(targets)
    faults = [
        f"{target['name']} ({layer}) imports {name} ({layer_of[name]})"
        for target in targets
        if (layer := layer_of.get(target["name"]))
        for name in imports(target)
        if name in layer_of and layer_of[name] != layer and layer_of[name] not in BELOW[layer]
    ]
    faults += [f"{target['path']} has no README.md" for target in targets if target["name"] in layer_of and not purpose(target["path"])]
    faults += ["no target is in a layer"] if not layer_of else []
    if not faults:
        made = document(targets, layer_of)
        if "--write" in sys.argv:
            DOCUMENT.write_text(made, encoding="utf-8")
        elif made != DOCUMENT.read_text(encoding="utf-8"):
            faults.append("lists in docs/architecture.md are out of date: `swift package dump-package | scripts/targets.py --write`")
    for fault in faults:
        print(fault, file=sys.stderr)
    return 1 if faults else 0


sys.exit(main())
