#!/usr/bin/env bash
# Python that drives headless Chromium (Debian) by Playwright (PyPI); installs both. Arguments go to it.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/setup.sh chromium python3-venv
environment=.build/browser-venv
if [[ ! -x $environment/bin/python ]] || ! "$environment/bin/python" -c 'import playwright' 2>/dev/null; then
  python3 -m venv "$environment"
  "$environment/bin/pip" install --quiet --disable-pip-version-check 'playwright>=1.40,<2'
fi
exec "$environment/bin/python" "$@"
