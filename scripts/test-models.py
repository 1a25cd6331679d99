#!/usr/bin/env python3
"""Searches the worlds of `sluice leaks` with SPIN and Rumur, and compares states, paths and places.

`sluice leaks` uses classes of equivalent apps to reduce its search. The models that it writes are not reduced.
"""
import concurrent.futures
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
# The behaviour of apps, and the accounts that sign in.
CHOICES = [
    ("honest", "stated"), ("careless", "stated"), ("honest", "any"), ("hostile", "any"),
]
# With all sign-ins, the moves of these worlds exceed SPIN's memory.
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
    """Returns a scenario in which several apps are equivalent."""
    bundles = [f"com.contoso.app{number}" for number in range(8)]
    people = [["anna"], ["anna", "private"], ["ben"], ["carl"], ["ben", "private"], ["anna"], ["carl", "private"], ["ben"]]
    lines = MANY.replace("APPS", ", ".join(bundles))
    for number, (bundle, accounts) in enumerate(zip(bundles, people)):
        multi = ", multiIdentity: true" if len(accounts) > 1 else ""
        lines += f"  app{number}: {{ bundle: {bundle}, sdk: true{multi}, signedIn: [{', '.join(accounts)}] }}\n"
    return lines + "  viewer: { bundle: org.example.viewer }\nsteps:\n  - launch: app0\n"


def run(*command, folder, accepted=(0,), **environment):
    ended = subprocess.run(command, cwd=folder, capture_output=True, text=True, env={**os.environ, **environment})
    if ended.returncode not in accepted:
        raise Disagreement(f"{' '.join(command)} ended with {ended.returncode}\n{ended.stdout}{ended.stderr}")
    return ended.stdout


def leaks(world, choice, *options):
    behaviour, sign_ins = choice
    return run(
        SLUICE, "leaks", "--scenario", world, "--behaviour", behaviour, "--sign-ins", sign_ins, *options, folder=ROOT, accepted=(0, 1))


def number(pattern, text):
    found = re.search(pattern, text)
    if not found:
        raise Disagreement(f"`{pattern}` is not in\n{text}")
    return int(found.group(1))


# C code that reads the moves of a world from a file when the search begins. SPIN's program takes seconds to compile, and
# worlds differ only in their tables.
TABLE = """#include <stdio.h>
#include <stdlib.h>

static short *leaks, (*moves)[OPTIONS];

// Runs before `main`, because an expression in SPIN may not call a function.
__attribute__((constructor)) static void read_table(void) {
  int places, from, is_leak, count;
  FILE *file = fopen(getenv("TABLE"), "r");
  if (!file || fscanf(file, "%d", &places) != 1) abort();
  moves = calloc(places + 1, sizeof *moves);
  leaks = calloc(places + 1, sizeof *leaks);
  while (fscanf(file, "%d %d %d", &from, &is_leak, &count) == 3) {
    if (from > places || count > OPTIONS) abort();
    leaks[from] = is_leak;
    for (int k = 0; k < count; k++)
      if (fscanf(file, "%hd", &moves[from][k]) != 1) abort();
  }
  fclose(file);
}
"""


class Spin:
    """SPIN's search, compiled once and used for all worlds."""

    def __init__(self, folder, options):
        self.program = os.path.join(folder, "pan")
        with open(os.path.join(folder, "table.h"), "w") as file:
            file.write(f"#define OPTIONS {options}\n{TABLE}")
        with open(os.path.join(folder, "model.pml"), "w") as file:
            file.write('c_decl {\n\\#include "table.h"\n}\nshort at = 0;\nactive proctype data() {\nend:\n  do\n')
            for k in range(options):
                file.write(f"  :: d_step {{ c_expr {{ moves[now.at][{k}] }} -> c_code {{ now.at = moves[now.at][{k}]; }} }}\n")
            file.write('  :: d_step { c_expr { leaks[now.at] } -> c_code { printf("leak %d\\n", now.at); } }\n  od\n}\n')
        compile_spin(folder)

    def search(self, moves, leaks, folder):
        table = os.path.join(folder, "table")
        with open(table, "w") as file:
            file.write(f"{max(max(moves), *map(max, moves.values()))}\n")
            for place, reached in moves.items():
                file.write(f"{place} {int(place in leaks)} {len(reached)} {' '.join(map(str, reached))}\n")
            for place in leaks - set(moves):
                file.write(f"{place} 1 0\n")
        return spin_found(run(self.program, "-n", folder=folder, TABLE=table))


def moves_of(promela):
    """Returns the moves and leaks of a Promela model."""
    moves, leaks = {}, set()
    for line in promela.split("  do\n")[1].split("  od\n")[0].splitlines():
        if found := re.fullmatch(r"  :: d_step \{ at == (\d+) -> at = (\d+) \} /\* .* \*/", line):
            moves.setdefault(int(found[1]), []).append(int(found[2]))
        elif found := re.fullmatch(r'  :: d_step \{ at == (\d+) -> printf\("leak \1\\n"\) \} /\* .* \*/', line):
            leaks.add(int(found[1]))
        else:
            raise Disagreement(f"a model in Promela has the line `{line}`")
    return moves, leaks


def compile_spin(folder):
    run("spin", "-a", "model.pml", folder=folder)
    run("gcc", "-w", "-DSAFETY", "-DBFS", "-DPRINTF", "-I.", "-o", "pan", "pan.c", folder=folder)


def spin_found(text):
    """Returns the number of states without the first, the places reached, and the number of moves of the longest path."""
    reached = {int(place) for place in re.findall(r"leak (\d+)", text)}
    return number(r"(\d+) states, stored", text) - 1, reached, number(r"depth reached (\d+)", text)


def spin_as_written(promela, folder):
    """Returns SPIN's results for the model that `sluice leaks` writes."""
    with open(os.path.join(folder, "model.pml"), "w") as file:
        file.write(promela)
    compile_spin(folder)
    return spin_found(run("./pan", "-n", folder=folder))


def rumur(model, folder):
    with open(os.path.join(folder, "model.m"), "w") as file:
        file.write(model)
    run("rumur", "--deadlock-detection", "off", "--output", "model.c", "model.m", folder=folder)
    run("gcc", "-w", "-march=native", "-o", "model", "model.c", "-lpthread", "-latomic", folder=folder)
    # Rumur treats an unreachable place as an error.
    text = run("./model", folder=folder, accepted=(0, 1))
    reached = {int(place) for place in re.findall(r'cover "leak (\d+)" hit', text)}
    return number(r"(\d+) states", text) - 1, reached


class Disagreement(Exception):
    """Two searches differ, or one failed."""


class World:
    """A world with the behaviour and sign-ins of its apps, and the models that `sluice leaks` writes of it."""

    def __init__(self, world, choice):
        self.name = f"{os.path.basename(world)}, {choice[0]}, sign-ins {choice[1]}"
        self.report = json.loads(leaks(world, choice, "--format", "json"))
        self.promela = leaks(world, choice, "--emit", "promela")
        self.murphi = leaks(world, choice, "--emit", "murphi")
        self.moves, self.leaks = moves_of(self.promela)

    def compare(self, compiled, as_written):
        """Compares the searches. Returns a summary if they agree."""
        search = self.report["search"]
        words = {int(place): words for place, words in re.findall(r'cover "leak (\d+)" at = \d+; -- (.*)', self.murphi)}
        with tempfile.TemporaryDirectory() as folder:
            searches = [("SPIN", compiled.search(self.moves, self.leaks, folder))]
            if as_written:
                searches.append(("SPIN of the model as written", spin_as_written(self.promela, folder)))
            searches.append(("Rumur", (*rumur(self.murphi, folder), search["depth"] + 1)))
        found = sorted(leak["sink"] for leak in self.report["leaks"])
        expected = search["states"] + len(self.report["leaks"])
        for checker, (states, places, depth) in searches:
            for what, ours, theirs in [
                ("states", expected, states), ("places", found, sorted(words[place] for place in places)),
                ("longest path", search["depth"] + 1, depth),
            ]:
                if ours != theirs:
                    raise Disagreement(f"{self.name}: {what} of {checker} are {theirs}, of sluice {ours}")
        checkers = ", ".join(checker for checker, _ in searches)
        return f"{self.name}: {search['states']} states, {len(found)} leaks, paths of up to {search['depth']} hops: {checkers} agree"


def main():
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        large = os.path.join(folder, "eight.yaml")
        with open(large, "w") as file:
            file.write(many())
        paths = [os.path.join(ROOT, f"scenarios/{name}.yaml") for name in WORLDS] + [large]
        asked = [
            (path, choice) for path in paths for choice in CHOICES
            if choice[1] == "stated" or os.path.basename(path).removesuffix(".yaml") not in LARGE
        ]
        worlds = list(pool.map(lambda pair: World(*pair), asked))
        compiled = Spin(folder, max(len(reached) for world in worlds for reached in world.moves.values()))
        # For the first world, SPIN also reads the models as written.
        for line in pool.map(lambda each: each[1].compare(compiled, each[0] < len(CHOICES)), enumerate(worlds)):
            print(line, flush=True)


if __name__ == "__main__":
    try:
        main()
    except Disagreement as disagreement:
        sys.exit(str(disagreement))
