#!/usr/bin/env bash
# Carries out action.yml, and runs the hooks of .pre-commit-hooks.yaml by pre-commit (PyPI). Needs a built `bin/sluice`.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/setup.sh git python3-venv
environment=.build/action-venv
if ! "$environment/bin/python" -c 'import check_jsonschema, pre_commit, yaml' 2>/dev/null; then
  python3 -m venv "$environment"
  "$environment/bin/pip" install --quiet --disable-pip-version-check \
    'check-jsonschema>=0.30,<1' 'pre-commit>=3.5,<5' 'pyyaml>=6,<7'
fi
exec "$environment/bin/python" scripts/test-action.py -v "$@"
