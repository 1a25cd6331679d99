"""Measures sharded runs: the work of four shards and their merge compared with one run, and the merge of 100 blobs.

Usage: shards.py [ROUNDS]. Prints the medians of all rounds. Needs a built `bin/sluice`.
"""

import hashlib
import json
import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
SLUICE = ROOT / "bin" / "sluice"
PARTS = 4


def work(*words, folder):
    """Returns the processor time of a command and its children, and its wall-clock time, in seconds."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    subprocess.run([SLUICE, *words], cwd=folder, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, time.monotonic() - start


def parts_against_whole(folder):
    """Returns the work of all shards and their merge, as a ratio to one run."""
    scenarios = str(ROOT / "scenarios")
    whole, _ = work("run", scenarios, "--output", "durations=durations.json", folder=folder)
    parts = [
        work(
            "run", scenarios, "--shard", f"{number}/{PARTS}", "--blob", f"{number}.blob", "--durations", "durations.json",
            folder=folder)[0]
        for number in range(1, PARTS + 1)
    ]
    merge, _ = work("merge", *(f"{number}.blob" for number in range(1, PARTS + 1)), folder=folder)
    return (sum(parts) + merge) / whole


class Results:
    """Results of real cases, from which any number of blobs is generated."""

    def __init__(self, folder):
        self.plan, self.results = None, []
        for number in range(1, PARTS + 1):
            lines = (folder / f"{number}.blob").read_bytes().split(b"\n")
            self.plan = json.loads(lines[0])
            index = 2
            while index < len(lines):
                line, index = lines[index], index + 1
                if line.startswith(b'{"piece"'):
                    result = json.loads(line)
                    self.results.append((result, lines[index:index + result["events"]]))
                    index += result["events"]

    def write(self, folder, blobs, cases):
        """Writes `blobs` blobs with `cases` cases in total."""
        names = [self.plan["pieces"][result["piece"]][1] for result, _ in self.results]
        pieces = [[f"{number // 10}.yaml", names[number % len(names)], 3] for number in range(cases)]
        plan = self.line(self.plan | {"pieces": pieces})
        for blob in range(blobs):
            pieces = list(range(blob, cases, blobs))
            lines = [plan, self.line({"shard": f"{blob + 1}/{blobs}", "pieces": pieces})]
            for piece in pieces:
                result, events = self.results[piece % len(self.results)]
                lines += [self.line(result | {"piece": piece}), *events]
            text = b"\n".join(lines) + b"\n"
            end = self.line({"end": len(pieces), "digest": hashlib.sha256(text).hexdigest()})
            (folder / f"{blob + 1}.blob").write_bytes(text + end + b"\n")

    @staticmethod
    def line(value):
        return json.dumps(value, separators=(",", ":")).encode()


def merge_of_many(results, blobs, cases):
    """Returns the wall-clock time of a merge, in seconds."""
    with tempfile.TemporaryDirectory() as folder:
        results.write(pathlib.Path(folder), blobs, cases)
        return work("merge", ".", "--output", "junit=junit.xml", folder=folder)[1]


def main():
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    ratios, merges = [], []
    for _ in range(rounds):
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            ratios.append(parts_against_whole(folder))
            merges.append(merge_of_many(Results(folder), 100, 1_000))
    print(f"{'shards_work_ratio':28} {statistics.median(ratios):8.2f}   <= 1.1")
    print(f"{'merge_100_blobs_s':28} {statistics.median(merges):8.2f}   <= 2")


if __name__ == "__main__":
    main()
