#!/usr/bin/env python3
"""Writes the manual pages of every command, and completions for bash, zsh and fish.

Usage: manual.py GENERATE-MANUAL SLUICE FOLDER

The pages come from swift-argument-parser's generate-manual. This script corrects the errors that `mandoc -T lint` reports
in them. They are named like git's, such as `sluice-run.1`, and dated by SOURCE_DATE_EPOCH, or today.
"""

import datetime
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

COMPLETIONS = {
    "bash": "share/bash-completion/completions/sluice",
    "zsh": "share/zsh/site-functions/_sluice",
    "fish": "share/fish/vendor_completions.d/sluice.fish",
}

DOCUMENTS = pathlib.Path(__file__).parent.parent / "docs"


def name(page):
    """The file name of a page that the generator calls, for example, sluice.run."""
    return page.replace(".", "-")


def sentences(line):
    """Yields a line's sentences, each on its own line, broken at 79 columns if possible."""
    for sentence in re.split(r"(?<=[A-Za-z0-9)`][.?!]) (?=[A-Z`-])", line):
        while len(sentence) > 79 and (end := sentence.rfind(" ", 0, 79)) > 0:
            # A line must not begin like a macro.
            if sentence[end + 1] in ".'":
                break
            yield sentence[:end]
            sentence = sentence[end + 1 :]
        yield sentence


def remarks(command, page):
    """Returns options' values and defaults, which the generator leaves out, keyed by the command's page and the option's name."""
    found = {page: {}}
    for argument in command.get("arguments", []):
        values, usual = argument.get("allValues"), argument.get("defaultValue")
        said = [f"Values: {', '.join(values)}"] if values else []
        said += [f"default: {usual}" if said else f"Default: {usual}"] if usual and argument["kind"] == "option" else []
        for one in argument.get("names", []):
            if said:
                found[page][one["name"]] = "; ".join(said) + "."
    for inner in command.get("subcommands", []):
        found |= remarks(inner, f"{page}.{inner['commandName']}")
    return found


def commands(command, page):
    """Returns the pages and abstracts of subcommands, keyed by the command's page."""
    inner = command.get("subcommands", [])
    found = {page: [(f"{page}.{one['commandName']}", one.get("abstract", "")) for one in inner]}
    for one in inner:
        found |= commands(one, f"{page}.{one['commandName']}")
    return found


def section(commands):
    """Returns the section of a page that lists the subcommands."""
    lines = [".Sh COMMANDS", ".Bl -tag -width Ds"]
    for page, abstract in commands:
        lines += [f".It Xr {name(page)} 1", *sentences(abstract)]
    return lines + [".El"]


def examples(pages):
    """Returns example calls from the documents, keyed by the command's page: the shortest first, then those with further options."""
    said = {page: set() for page in pages}
    for document in sorted(DOCUMENTS.rglob("*.md")):
        for line in re.findall(r"(?m)^\$ (sluice [^\\\n]*)$", document.read_text()):
            words = line.split()
            depth = next(end for end in range(len(words), 0, -1) if ".".join(words[:end]) in said)
            said[".".join(words[:depth])].add(line.strip())
    return {page: list(varied(sorted(lines, key=lambda line: (len(line), line)))) for page, lines in said.items()}


def varied(lines):
    """Yields the first line, and each line with an option that no earlier line has."""
    known = None
    for line in lines:
        options = set(re.findall(r"(?<!\S)--?[a-z][\w-]*", line))
        if known is None or options - known:
            yield line
        known = (known or set()) | options


def literal(lines):
    """Returns a section of lines to type."""
    return [".Sh EXAMPLES", ".Bd -literal -offset indent", *(f"$ {line}" for line in lines), ".Ed"]


def mended(page, text, remarks, commands, examples):
    lines, remark = [], None
    statuses = re.search(r"(?m)^Exit status: (.*)\n", text)
    if statuses:
        text = text.replace(statuses[0], "").replace(".Ex -std", statuses[1])
    for line in text.splitlines():
        if option := re.match(r"\.It .*?Fl -([\w-]+)", line):
            remark = remarks.get(option[1])
        elif remark and line and not line.startswith("."):
            line, remark = f"{line} {remark}", None
        if line.startswith(".Dt"):
            line = f".Dt {name(page).upper()} 1"
        elif line.startswith(".Nm"):
            # The head has the page's name, the other sections the command.
            line = f".Nm {name(page)}" if lines[-1] == ".Sh NAME" else f'.Nm "{page.replace(".", " ")}"'
        elif line.startswith(".Nd"):
            line = re.sub(r'^\.Nd "?(.*?)\.?"?$', r".Nd \1", line)
        elif line.startswith(".Xr"):
            line = re.sub(r"^\.Xr (\S+)", lambda found: f".Xr {name(found[1])}", line)
        elif line == '.Sh "EXIT STATUS"' and commands:
            lines += section(commands)
        elif line.startswith((".Sh AUTHORS", '.Sh "SEE ALSO"')) and examples:
            lines += literal(examples)
            examples = []
        if not line:
            line = ".Pp"
        if line.startswith((".It", ".El", ".Sh", ".Bl")) and lines and lines[-1] == ".Pp":
            lines.pop()
        if line == ".Pp" and lines and lines[-1].startswith((".Pp", ".Sh", ".Bl")):
            continue
        lines += [line] if line.startswith(".") else sentences(line)
    while lines[-1] == ".Pp":
        lines.pop()
    if examples:
        lines += literal(examples)
    return "\n".join(lines) + "\n"


# Bash treats a completion that ends in = as a complete word, and quotes the =.
BASH_KEYS = """
__sluice_with_keys() {
    _sluice "$@"
    [[ ${COMP_WORDS[1]} == ctl ]] || return
    compopt +o filenames
    local word
    for word in "${COMPREPLY[@]}"; do [[ $word == *= ]] || return; done
    compopt -o nospace
}
complete -o filenames -F __sluice_with_keys sluice
"""


def main():
    generator, sluice, folder = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
    moment = int(os.environ.get("SOURCE_DATE_EPOCH", datetime.datetime.now().timestamp()))
    date = datetime.datetime.fromtimestamp(moment, datetime.timezone.utc).date()
    pages = folder / "share/man/man1"
    pages.mkdir(parents=True, exist_ok=True)
    dump = subprocess.run([sluice, "--experimental-dump-help"], check=True, capture_output=True).stdout
    root = json.loads(dump)["command"]
    said, inner = remarks(root, "sluice"), commands(root, "sluice")
    shown = examples(inner)
    with tempfile.TemporaryDirectory() as raw:
        subprocess.run([generator, sluice, "--multi-page", "--date", str(date), "--output-directory", raw], check=True)
        for path in sorted(pathlib.Path(raw).iterdir()):
            page = path.stem
            parts = [known.get(page, []) for known in (inner, shown)]
            (pages / f"{name(page)}.1").write_text(mended(page, path.read_text(), said.get(page, {}), *parts))
    for shell, path in COMPLETIONS.items():
        script = subprocess.run([sluice, "--generate-completion-script", shell], check=True, capture_output=True).stdout
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        if shell == "bash":
            # Bash sources the file, so it needs no interpreter line.
            script = script.removeprefix(b"#!/bin/bash\n").lstrip() + BASH_KEYS.encode()
        (folder / path).write_bytes(script)


if __name__ == "__main__":
    main()
