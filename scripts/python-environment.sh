#!/usr/bin/env bash
# Prints the folder of a Python environment with packages from PyPI. Creates it if it is missing or has other packages.
# Usage: scripts/python-environment.sh NAME PACKAGE…
set -euo pipefail
cd "$(dirname "$0")/.."
environment=$PWD/.build/$1-venv
shift
if [[ $(cat "$environment/packages" 2>/dev/null) != "$*" ]]; then
  scripts/setup.sh python3-venv >&2
  rm -rf "$environment"
  python3 -m venv "$environment" >&2
  "$environment/bin/pip" install --quiet --disable-pip-version-check "$@" >&2
  echo "$*" > "$environment/packages"
fi
echo "$environment"
