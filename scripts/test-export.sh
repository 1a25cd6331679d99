#!/usr/bin/env bash
# Reads what `sluice export` writes by the packages that define each format (PyPI), and Graphviz (Debian). Needs a built
# `bin/sluice`.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/setup.sh graphviz python3-venv
environment=.build/export-venv
if ! "$environment/bin/python" -c 'import perfetto, opentelemetry.proto, allure_commons' 2>/dev/null; then
  python3 -m venv "$environment"
  "$environment/bin/pip" install --quiet --disable-pip-version-check \
    'perfetto>=0.16,<1' 'opentelemetry-proto>=1.30,<2' 'allure-python-commons>=2.13,<3'
fi
exec "$environment/bin/python" -m unittest discover -s Tests/Export -v
