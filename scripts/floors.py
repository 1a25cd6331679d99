"""Reads `swift package dump-package`, and names the targets that import from above their floor."""

import json
import sys

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


def main():
    targets = json.load(sys.stdin)["targets"]
    floors = {}
    for target in targets:
        parts = (target.get("path") or "").split("/")
        if len(parts) == 3 and parts[0] == "Sources":
            floors[target["name"]] = parts[1]
    faults = [
        f"{target['name']} ({floor}) imports {name} ({floors[name]})"
        for target in targets
        if (floor := floors.get(target["name"]))
        for dependency in target["dependencies"]
        for name in [(dependency.get("byName") or [None])[0]]
        if name in floors and floors[name] != floor and floors[name] not in BELOW[floor]
    ]
    homeless = [
        target["name"]
        for target in targets
        if target["name"] not in floors and not target.get("path") and target["type"] != "test"
    ]
    for fault in faults + [f"{name} is on no floor" for name in homeless]:
        print(fault, file=sys.stderr)
    return 1 if faults or homeless or not floors else 0


sys.exit(main())
