#!/usr/bin/env bash
# Runs Python with the given arguments, after installing headless Chromium (Debian), Playwright and axe-core's rules (both PyPI).
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/setup.sh chromium
environment=$(scripts/python-environment.sh browser 'playwright>=1.40,<2' 'axe-playwright-python>=0.1.4,<0.2')
exec "$environment/bin/python" "$@"
