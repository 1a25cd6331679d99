#!/usr/bin/env bash
# Runs all tests; what failed stands last. Arguments go to `swift test`.
set -euo pipefail
cd "$(dirname "$0")/.."
mkdir -p .build
# Traps that tests expect would each take seconds to print where they were.
export SWIFT_BACKTRACE=enable=no
log=.build/test.log

if ! "${SWIFT:-swift}" test "$@" 2>&1 | tee "$log"; then
  echo
  echo "What failed:"
  grep -aE 'recorded an issue|: error:|Fatal error|unexpected signal' "$log" | cut -c1-1000 | head -n 40 || true
  exit 1
fi
