#!/usr/bin/env bash
# Runs all tests, and prints the suites that passed and the issues; .build/test.log
# has the whole output. The failures are listed at the end, each with its location,
# in the format of a compiler. Arguments are passed to `swift test`.
set -euo pipefail
cd "$(dirname "$0")/.."
mkdir -p .build
# A backtrace would take seconds for each trap that a test expects.
export SWIFT_BACKTRACE=enable=no
SLUICE_REVISION=$(scripts/revision.sh)
export SLUICE_REVISION
log=.build/test.log

# A test's arguments may contain line breaks, and lines that look like errors.
shown='^(✘|↳|✔ (Suite|Test run)|error:|warning:|/[^ ]*: (error|warning):|.*(Fatal error|unexpected signal)|Build|\[[0-9]+/[0-9]+\] (Link|Build))'

if ! "${SWIFT:-swift}" test "$@" 2>&1 | tee "$log" | { grep -aE --line-buffered "$shown" || true; } | cut -c1-1000; then
  echo
  echo "What failed:"
  sed -En \
    -e 's/^✘ Test (.*) recorded an issue.* at ([^ ]+\.swift:[0-9]+:[0-9]+): (.*)/\2: error: \3 (\1)/p;t' \
    -e 's/^✘ Test (.*) recorded an issue.*: (.*)/error: \2 (\1)/p;t' \
    -e '/^(\/[^ ]*: |)error:|Fatal error|unexpected signal/p' \
    "$log" | cut -c1-1000 | awk 'NR <= 40'
  exit 1
fi

if ! grep -qaE 'Test run with [1-9]' "$log"; then
  echo "error: no test has run" >&2
  exit 1
fi
