#!/usr/bin/env bash
# Prints prose of the repository at random, for reviewers: doc comments, sentences of the documents, error messages, or test names.
#
# Usage: sample-prose.sh comments|sentences|messages|tests [COUNT [SEED]]
#
# Equal seeds draw the same passages of the same tree. Without SEED, the seed is random; it is printed first.
set -euo pipefail
cd "$(dirname "$0")/.."
exec python3 - "$@" <<'PYTHON'
import pathlib
import random
import re
import sys

KINDS = ("comments", "sentences", "messages", "tests")
if len(sys.argv) < 2 or sys.argv[1] not in KINDS:
    sys.exit(f"usage: sample-prose.sh {'|'.join(KINDS)} [COUNT [SEED]]")
kind = sys.argv[1]
count = int(sys.argv[2]) if len(sys.argv) > 2 else 100
seed = int(sys.argv[3]) if len(sys.argv) > 3 else random.randrange(10**6)


PACKAGES = (".", "ios-modules", "source-tools")


def files(*folders, ending):
    for folder in folders:
        path = pathlib.Path(folder)
        yield from [path] if path.is_file() else sorted(path.rglob(f"*{ending}"))


def comments():
    """Each block of doc comments, with the declaration below it."""
    for path in files(*(f"{package}/Sources" for package in PACKAGES), ending=".swift"):
        lines = path.read_text(encoding="utf-8").split("\n")
        block = []
        for number, line in enumerate(lines, 1):
            if line.lstrip().startswith("///"):
                block.append(line.strip())
            elif block:
                yield f"{path}:{number}", "\n".join(block + [line.strip()])
                block = []


def sentences():
    """Each sentence outside code blocks and tables."""
    for path in files("README.md", "CONTRIBUTING.md", "docs", ending=".md"):
        text = re.sub(r"```.*?```|<!--.*?-->", "", path.read_text(encoding="utf-8"), flags=re.S)
        text = "\n".join(line for line in text.split("\n") if not re.match(r"\s*(\||#|!\[)", line))
        for paragraph in re.split(r"\n\s*\n|\n\s*[-*] |\n\d+\. ", text):
            for sentence in re.split(r"(?<=[.!?])\s+(?=[A-Z`\[])", " ".join(paragraph.split())):
                if len(sentence.split()) > 4:
                    yield str(path), sentence


def messages():
    """Each text in Swift that reads like a message: several words in lower case."""
    for path in files(*(f"{package}/Sources" for package in PACKAGES), ending=".swift"):
        for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
            if line.lstrip().startswith("//"):
                continue
            for text in re.findall(r'"((?:[^"\\]|\\.)*)"', line):
                if re.match(r"[a-z`\\]", text) and len(text.split()) > 4 and "SELECT" not in text:
                    yield f"{path}:{number}", text


def tests():
    """The name of each test."""
    for path in files(*(f"{package}/Tests" for package in PACKAGES), ending=".swift"):
        for name in re.findall(r"func `([^`]+)`", path.read_text(encoding="utf-8")):
            yield str(path), name


found = list(globals()[kind]())
print(f"# {min(count, len(found))} of {len(found)} {kind}, seed {seed}\n")
for place, text in random.Random(seed).sample(found, min(count, len(found))):
    print(f"{place}\n{text}\n")
PYTHON
