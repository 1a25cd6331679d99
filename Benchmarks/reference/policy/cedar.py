"""Decides transfers with Cedar, compares the answers with the engine's, and prints the speed.

Usage: cedar.py REQUESTS
"""

import json
import sys

import cedarpy

from facts import FOLDER, LOCATIONS, read, seconds, verify


def entity(kind, name):
    return {"__entity": {"type": kind, "id": name}}


def party(facts):
    """Converts policies and accounts to entities, and leaves other facts unchanged."""
    facts = dict(facts)
    if "policy" in facts:
        facts["policy"] = entity("Policy", facts["policy"])
    return facts


def request(facts):
    context = {
        "via": facts["via"],
        "sender": party(facts["sender"]),
        "owner": party(facts["owner"]),
        "receiver": party(facts["receiver"]),
        "device": facts["device"],
    }
    if "characters" in facts:
        context["characters"] = facts["characters"]
    if "location" in facts:
        context["location"] = entity("Location", facts["location"])
    return {
        "principal": {"type": "App", "id": facts["sender"]["app"]},
        "action": {"type": "Action", "id": facts["channel"]},
        "resource": {"type": "App", "id": facts["receiver"]["app"]},
        "context": context,
    }


def outcome(result):
    """Returns the outcome of the rules that forbid the transfer. The prefix of a rule's id is its effect."""
    if result.diagnostics.errors:
        sys.exit(f"cedar: {result.diagnostics.errors[0]}")
    if result.allowed:
        return "allowed"
    names = result.diagnostics.id_annotations_by_reason.values()
    return "blocked" if any(name.startswith("block") for name in names) else "encrypted"


def entities(policies):
    found = [("Policy", name, settings) for name, settings in policies.items()]
    found += [("Location", name, traits) for name, traits in LOCATIONS.items()]
    return [
        {"uid": {"type": kind, "id": name}, "attrs": attributes, "parents": []}
        for kind, name, attributes in found
    ]


policies, facts, outcomes = read(sys.argv[1])
requests = [request(one) for one in facts]
stored = cedarpy.Entities.from_json_str(json.dumps(entities(policies)))
rules = cedarpy.PolicySet.from_str((FOLDER / "transfer.cedar").read_text())


def decide():
    return cedarpy.is_authorized_batch(requests, rules, stored)


def inside(results, name):
    """Returns the time that Cedar reports, in seconds."""
    return sum(result.metrics[name] for result in results) / 1e6


verify("cedar", facts, outcomes, [outcome(result) for result in decide()])
elapsed, results = seconds(decide)
# Cedar reports whole microseconds, rounded down, so half a microsecond is added for each request.
evaluating = inside(results, "authz_duration_micros") + 0.5e-6 * len(results)
building = inside(results, "build_request_duration_micros") + 0.5e-6 * len(results)
print(
    f"RESULT cedar per_s={len(requests) / elapsed:.0f}"
    f" evaluation_per_s={len(requests) / evaluating:.0f}"
    f" evaluation_share={evaluating / elapsed:.2f} request_share={building / elapsed:.2f}"
    f" python_share={1 - (evaluating + building) / elapsed:.2f} n={len(requests)}"
)
