#!/usr/bin/env python3
"""Checks the targets of Package.swift, read as `swift package dump-package` prints them on standard input.

Usage: swift package dump-package | targets.py [--write]

A target imports targets of its own floor, or of floors below. Each has a README.md, whose first paragraph stands in the tables of
docs/architecture.md. `--write` writes these tables; otherwise a table that differs is a fault.
"""

import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
DOCUMENT = ROOT / "docs/architecture.md"

# What each floor may import beside its own.
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
    """The names of the targets of this package that a target depends on."""
    return [(dependency.get("byName") or [None])[0] for dependency in target["dependencies"]]


def floors(targets):
    """The floor of each target in Sources."""
    found = {}
    for target in targets:
        parts = (target.get("path") or "").split("/")
        if len(parts) == 3 and parts[0] == "Sources":
            found[target["name"]] = parts[1]
    return found


def purpose(path):
    """The first paragraph of a target's README, on one line; None without one."""
    readme = ROOT / path / "README.md"
    if not readme.exists():
        return None
    paragraphs = readme.read_text(encoding="utf-8").split("\n\n")
    return " ".join(paragraphs[1].split()) if len(paragraphs) > 1 else None


def table(targets, floor, floors):
    lines = ["| target | what it is | imports, of this package |", "| --- | --- | --- |"]
    for target in targets:
        if floors.get(target["name"]) == floor:
            names = ", ".join(sorted(name for name in imports(target) if name in floors))
            lines.append(f"| [`{target['name']}`](../{target['path']}) | {purpose(target['path'])} | {names} |".replace("|  |", "| |"))
    return "\n".join(lines) + "\n"


def document(targets, floors):
    text = DOCUMENT.read_text(encoding="utf-8")
    for floor in BELOW:
        made = f"<!-- made of Package.swift: {floor} -->\n"
        pattern = re.escape(made) + r"(\|.*\n)*"
        assert re.search(pattern, text), f"docs/architecture.md has no table of {floor}"
        text = re.sub(pattern, lambda _: made + table(targets, floor, floors), text)
    return text


def main():
    targets = json.load(sys.stdin)["targets"]
    floor_of = floors(targets)
    faults = [
        f"{target['name']} ({floor}) imports {name} ({floor_of[name]})"
        for target in targets
        if (floor := floor_of.get(target["name"]))
        for name in imports(target)
        if name in floor_of and floor_of[name] != floor and floor_of[name] not in BELOW[floor]
    ]
    faults += [f"{target['path']} has no README.md" for target in targets if target["name"] in floor_of and not purpose(target["path"])]
    faults += ["no target is on a floor"] if not floor_of else []
    if not faults:
        made = document(targets, floor_of)
        if "--write" in sys.argv:
            DOCUMENT.write_text(made, encoding="utf-8")
        elif made != DOCUMENT.read_text(encoding="utf-8"):
            faults.append("tables in docs/architecture.md are out of date: `swift package dump-package | scripts/targets.py --write`")
    for fault in faults:
        print(fault, file=sys.stderr)
    return 1 if faults else 0


sys.exit(main())
