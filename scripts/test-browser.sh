#!/usr/bin/env bash
# Opens the pages that Sluice writes in headless Chromium (Debian), driven by Playwright (PyPI). Needs a built `bin/sluice`.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/setup.sh chromium python3-venv
environment=.build/browser-venv
if [[ ! -x $environment/bin/python ]] || ! "$environment/bin/python" -c 'import playwright' 2>/dev/null; then
  python3 -m venv "$environment"
  "$environment/bin/pip" install --quiet --disable-pip-version-check 'playwright>=1.40,<2'
fi
exec "$environment/bin/python" -m unittest discover -s Tests/Browser -v
