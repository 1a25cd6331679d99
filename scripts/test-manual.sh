#!/usr/bin/env bash
# Writes the manual pages and completions of `bin/sluice`, checks the pages with mandoc, and tests completion in real shells.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/setup.sh mandoc bash-completion zsh fish
environment=$(scripts/python-environment.sh shell 'pexpect>=4.8,<5')
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
scripts/manual.py "$(scripts/manual-tool.sh .build)" bin/sluice "$folder"
makewhatis "$folder/share/man"
MANPATH=$folder/share/man mandoc -T lint -W style "$folder"/share/man/man1/*.1
grep -q '^\$ sluice run .*--output-dir' "$folder/share/man/man1/sluice-run.1"
PATH=$PWD/bin:$PATH "$environment/bin/python" scripts/test-completions.py "$folder"
