#!/usr/bin/env bash
# Installs the Python packages into a virtual environment, and tests them against `bin/sluice`.
set -euo pipefail
cd "$(dirname "$0")/.."
# Guests run with the system's Python, so packages in a bundle must be for that version.
python=/usr/bin/python3
environment=.build-python
[ -x "$environment/bin/python" ] || "$python" -m venv "$environment"
"$environment/bin/pip" install --quiet --disable-pip-version-check --upgrade ./python
rm -rf "$environment/bundle"
"$environment/bin/pip" install --quiet --disable-pip-version-check --target "$environment/bundle" ./python
rm -rf python/build python/*.egg-info
SLUICE=$PWD/bin/sluice PACKAGES=$PWD/$environment/bundle \
  "$environment/bin/python" -m unittest discover -s python/tests "$@"
