#!/usr/bin/env bash
# Reads the output of `sluice export` with the packages that define each format (PyPI), and Graphviz (Debian). Needs a
# built `bin/sluice`.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/setup.sh graphviz
environment=$(scripts/python-environment.sh export \
  'perfetto>=0.16,<1' 'opentelemetry-proto>=1.30,<2' 'allure-python-commons>=2.13,<3')
exec "$environment/bin/python" -m unittest discover -s Tests/Export -v
