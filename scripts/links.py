"""Reports broken links between the project's documents, and source files and types in them that do not exist."""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
DOCUMENTS = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("python/*.md"), *ROOT.glob("Sources/**/*.md"), *ROOT.glob("Tests/*.md"), *ROOT.glob("evidence/*.md")]
# Documents that name source files by the end of the path, such as `Policy/Evaluate.swift`.
FOR_CONTRIBUTORS = [ROOT / "CONTRIBUTING.md", ROOT / "docs/architecture.md", ROOT / "Sources/README.md", ROOT / "Sources/ADDING.md"]
# The maximum number of files in the table of a section of Sources/README.md.
MOST_FILES = {"A share, step by step": 25, "A file, step by step": 15}
SOURCES = ["/" + path.relative_to(ROOT).as_posix() for folder in ("Sources", "Tests") for path in (ROOT / folder).rglob("*.swift")]


def source_words():
    """All words of the sources, and the names of their files and folders."""
    words = set()
    for folder in ("Sources", "Tests", "proto", "ios-modules", "source-tools"):
        for path in (ROOT / folder).rglob("*"):
            if ".build" in path.parts:
                continue
            words.add(path.stem)
            if path.suffix in {".swift", ".proto", ".h", ".c"}:
                words.update(re.findall(r"\w+", path.read_text(encoding="utf-8")))
    return words


def anchors(document):
    headings = re.findall(r"^#+ (.*)$", document.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def fault(document, link):
    path, _, anchor = link.partition("#")
    target = (document.parent / path).resolve() if path else document
    if not target.exists():
        return "is broken: there is no such file"
    if anchor and target.suffix == ".md" and anchor not in anchors(target):
        return "is broken: there is no such heading"
    return None


def path_faults(document):
    """Yields errors in the tables of files: names that a file does not declare, or too many files."""
    for section in document.read_text(encoding="utf-8").split("\n## "):
        rows = re.findall(r"^\| [^|]* \| `([\w/-]+\.swift)` \| ([^|]*) \|$", section, re.MULTILINE)
        for name, functions in rows:
            text = "".join((ROOT / path[1:]).read_text(encoding="utf-8") for path in SOURCES if path.endswith("/" + name))
            for function in re.findall(r"`(\w+)`", functions):
                if not re.search(rf"\b(func|let|var|struct|class) {function}\b", text):
                    yield f"`{name}` declares no `{function}`"
        title = section.split("\n")[0]
        if len(rows) > MOST_FILES.get(title, 0):
            yield f"`{title}` lists {len(rows)} files; the maximum is {MOST_FILES.get(title, 0)}"


def main():
    status = 0
    words = source_words()
    for why in path_faults(ROOT / "Sources/README.md"):
        print(f"Sources/README.md: {why}", file=sys.stderr)
        status = 1
    for document in sorted(DOCUMENTS):
        lines = document.read_text(encoding="utf-8").splitlines()
        for number, line in enumerate(lines, 1):
            for link in re.findall(r"\]\(([^)\s]+)\)", line):
                if re.match(r"[a-z]+:", link):
                    continue
                why = fault(document, link)
                if why:
                    print(f"{document.relative_to(ROOT)}:{number}: `{link}` {why}", file=sys.stderr)
                    status = 1
            if document not in FOR_CONTRIBUTORS and ROOT / "Sources" not in document.parents:
                continue
            for name in re.findall(r"`([A-Z][a-z]+[A-Z]\w*(?:\.\w+)*)[`(]", line):
                if not name.endswith(".swift") and not words.issuperset(name.split(".")):
                    print(f"{document.relative_to(ROOT)}:{number}: the sources do not have `{name}`", file=sys.stderr)
                    status = 1
            for name in re.findall(r"`([\w/+.-]+\.swift)`", line):
                if not any(path.endswith("/" + name) for path in SOURCES):
                    print(f"{document.relative_to(ROOT)}:{number}: there is no file `{name}`", file=sys.stderr)
                    status = 1
    return status


sys.exit(main())
