#!/usr/bin/env bash
# Tries the packages in a folder: in bare systems, as a container image, and their completions in the real shells.
# Usage: packaging/test.sh FOLDER [TEST]…   Needs root.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/setup.sh debootstrap lintian mandoc buildah uidmap bash-completion zsh fish
folder=$1
shift
environment=$(scripts/python-environment.sh shell 'pexpect>=4.8,<5')
unpacked=$(mktemp -d)
trap 'rm -rf "$unpacked"' EXIT
tar -xzf "$folder"/sluice-*.tar.gz -C "$unpacked" --strip-components 1
PATH=$unpacked/bin:$PATH "$environment/bin/python" scripts/test-completions.py "$unpacked"
python3 packaging/test_packages.py "$folder" "$@"
