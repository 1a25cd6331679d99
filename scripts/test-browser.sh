#!/usr/bin/env bash
# Opens the pages that Sluice writes and serves in a real browser. Needs a built `bin/sluice`.
set -euo pipefail
exec "$(dirname "$0")/browser-python.sh" -m unittest discover -s Tests/Browser -v
