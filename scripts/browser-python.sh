#!/usr/bin/env bash
# Python that drives headless Chromium (Debian) by Playwright, with the rules of axe-core (both PyPI); installs them. Arguments go to it.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/setup.sh chromium
environment=$(scripts/python-environment.sh browser 'playwright>=1.40,<2' 'axe-playwright-python>=0.1.4,<0.2')
exec "$environment/bin/python" "$@"
