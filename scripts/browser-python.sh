#!/usr/bin/env bash
# Python that drives headless Chromium (Debian) by Playwright (PyPI); installs both. Arguments go to it.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/setup.sh chromium
environment=$(scripts/python-environment.sh browser 'playwright>=1.40,<2')
exec "$environment/bin/python" "$@"
