"""Measures ten minutes of traffic of a fleet of simulated iPhones, on the nodes of a temporary Slurm cluster.

Usage: fleet.py [DEVICES [APPS]]. The default is 1,000 devices with 100 apps each. Needs root, the packages of
`make test-cluster`, and built `bin/sluice` and `bin/sluice-link`.
"""

import json
import pathlib
import resource
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "Tests" / "Cluster"))

from desk import Desk  # noqa: E402
from slurm import Slurm  # noqa: E402

NODES = 4
MINUTES = 10
# PAIRS pairs of apps share SHARES times a minute, so within ten minutes each of 100 apps has been in memory.
PAIRS, SHARES = 10, 3


def scenario(devices, apps):
    """Returns a scenario in which each device shares between its apps and sends one AirDrop to the desk every minute."""
    lines = [
        "name: Fleet",
        "accounts:",
        "  anna: { upn: anna@contoso.com, tenant: contoso.com }",
        "policies:",
        "  inside:",
        "    json: { displayName: Inside, appGroupType: allApps, allowedOutboundDataTransferDestinations: managedApps }",
        "    assign: [{ account: anna }]",
        "apps:",
    ]
    for number in range(apps):
        # Every second app is managed.
        managed = ", sdk: true, signedIn: [anna]" if number % 2 else ""
        lines.append(f"  app{number}: {{ bundle: org.example.app{number}{managed} }}")
    lines += [
        "links: { latency: PT1S }",
        "devices:",
        f"  phone: {{ count: {devices}, appleAccount: anna@example.org, appsInMemory: 2 }}",
        "  desk: { appleAccount: bob@example.org, appsInMemory: 2 }",
        "steps:",
    ]
    turn = 0
    for minute in range(MINUTES):
        for _ in range(PAIRS):
            sender, receiver = turn % apps, (turn + 1) % apps
            turn += 1
            lines.append(
                f"  - {{ share: {{ from: app{sender}, to: app{receiver}, text: share {turn} }}, on: phone, repeat: {SHARES} }}")
        lines.append(f"  - {{ airDrop: {{ from: app0, to: desk, text: drop {minute} }}, on: phone }}")
        lines.append("  - advance: PT1M")
    return "\n".join(lines) + "\n"


def complete(journal, devices):
    """Counts the events in the journal of all devices, and checks that no device's sequence has gaps."""
    last, decided, arrived = {}, 0, 0
    with open(journal, encoding="utf-8") as lines:
        for line in lines:
            event = json.loads(line)
            name = event["on"]
            assert event["seq"] == last.get(name, 0) + 1, f"{name} has no {last.get(name, 0) + 1}"
            last[name] = event["seq"]
            decided += event["event"] == "request.decided"
            arrived += event["event"] == "item.arrived"
    assert len(last) == devices + 1, f"{len(last)} devices have a journal"
    return sum(last.values()), decided, arrived


def main():
    devices = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    apps = int(sys.argv[2]) if len(sys.argv) > 2 else 100
    # The temporary folder stands in for the cluster's shared file system.
    with tempfile.TemporaryDirectory() as folder, Slurm(f"{folder}/slurm") as slurm:
        slurm.nodes_ready()
        desk = Desk(folder, slurm.environment)
        (desk.folder / "fleet.yaml").write_text(scenario(devices, apps))
        start = time.monotonic()
        run = desk.sluice(
            "fleet", "run", "fleet.yaml", "--executor", "slurm", "--hosts", str(NODES), "--address", "127.0.0.1", "--output-dir", "kept",
            "--output", "json=report.json")
        seconds = time.monotonic() - start
        if run.returncode != 0:
            sys.exit(run.stdout[-2000:] + run.stderr[-2000:])
        lines, decided, arrived = complete(desk.folder / "kept" / "1" / "fleet.jsonl", devices)
        assert arrived == devices * MINUTES, f"{arrived} items arrived"
        memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
        print(
            f"{(devices + 1) * apps:,} apps, {devices + 1:,} devices, {NODES} nodes: {MINUTES} minutes of the clock in"
            f" {seconds:.0f} s; {lines:,} events, {decided:,} decisions, {arrived:,} items from device to device;"
            f" largest process {memory:.0f} MiB")


if __name__ == "__main__":
    main()
