"""Reads the transfers printed by `sluice-bench requests`, and measures decisions on them."""

import json
import pathlib
import sys
import time

FOLDER = pathlib.Path(__file__).parent
LOCATIONS = json.loads((FOLDER / "locations.json").read_text())


def read(path):
    """Returns the settings by policy, and the facts and the engine's outcome of each request."""
    policies, requests, outcomes = {}, [], []
    for line in open(path):
        facts = json.loads(line)
        if "settings" in facts:
            policies[facts["policy"]] = facts["settings"]
        else:
            outcomes.append(facts.pop("outcome"))
            requests.append(facts)
    return policies, requests, outcomes


def seconds(body):
    """Returns the time that `body` takes, in seconds, and its result."""
    start = time.perf_counter()
    result = body()
    return time.perf_counter() - start, result


def verify(name, requests, outcomes, answers):
    """Exits with an error if an answer differs from the engine's outcome."""
    wrong = [index for index, answer in enumerate(answers) if answer != outcomes[index]]
    for index in wrong[:3]:
        print(f"{name} says {answers[index]}, the engine {outcomes[index]}:", file=sys.stderr)
        print(json.dumps(requests[index]), file=sys.stderr)
    if wrong or len(answers) != len(outcomes):
        sys.exit(f"{name}: {len(wrong)} of {len(outcomes)} answers are not the engine's")
