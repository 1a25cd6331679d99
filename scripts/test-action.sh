#!/usr/bin/env bash
# Tests action.yml, and the hooks of .pre-commit-hooks.yaml with pre-commit (PyPI). Needs a built `bin/sluice`.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/setup.sh git
environment=$(scripts/python-environment.sh action \
  'check-jsonschema>=0.30,<1' 'pre-commit>=3.5,<5' 'pyyaml>=6,<7')
exec "$environment/bin/python" scripts/test-action.py -v "$@"
