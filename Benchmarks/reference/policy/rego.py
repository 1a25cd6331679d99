"""Decides transfers with Rego, compares the answers with the engine's, and prints the speed.

Usage: rego.py REQUESTS
"""

import sys

import regopy

from facts import FOLDER, LOCATIONS, read, seconds, verify

policies, facts, outcomes = read(sys.argv[1])


def interpreter(rules):
    """Returns an interpreter and the compiled rules."""
    engine = regopy.Interpreter()
    engine.add_module("sluice", rules)
    engine.add_data({"policies": policies, "locations": LOCATIONS})
    return engine, engine.build("data.sluice.outcome")


def decide(engine, bundle, inputs):
    answers = []
    for one in inputs:
        engine.set_input(one)
        answers.append(engine.query_bundle(bundle)[0][0])
    return answers


full = interpreter((FOLDER / "transfer.rego").read_text())
trivial = interpreter('package sluice\n\noutcome := "allowed"\n')
elapsed, answers = seconds(lambda: decide(*full, facts))
verify("rego", facts, outcomes, answers)
# The same with a trivial rule: converting the input, calling the engine, and converting the answer.
overhead, _ = seconds(lambda: decide(*trivial, facts))
converting, _ = seconds(lambda: [regopy.Input(one) for one in facts])
print(
    f"RESULT rego per_s={len(facts) / elapsed:.0f}"
    f" evaluation_per_s={len(facts) / max(elapsed - overhead, 1e-9):.0f}"
    f" evaluation_share={1 - overhead / elapsed:.2f} overhead_share={overhead / elapsed:.2f}"
    f" input_share={converting / elapsed:.2f} n={len(facts)}"
)
