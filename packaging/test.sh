#!/usr/bin/env bash
# Tests the packages in a folder: in minimal systems, and as a container image.
# Usage: packaging/test.sh FOLDER [TEST]…   Needs root.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/setup.sh debootstrap lintian buildah uidmap
exec python3 packaging/test_packages.py "$@"
