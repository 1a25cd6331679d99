#!/usr/bin/env bash
# Prints the path of swift-argument-parser's generate-manual, and builds it if it is missing.
# Usage: manual-tool.sh BUILT   (a build folder, which contains the sources)
set -euo pipefail
cd "$(dirname "$0")/.."
tool=$PWD/.build-manual/debug/generate-manual
[[ -x $tool ]] || "${SWIFT:-swift}" build --package-path "$1/checkouts/swift-argument-parser" \
  --scratch-path .build-manual --product generate-manual >&2
echo "$tool"
