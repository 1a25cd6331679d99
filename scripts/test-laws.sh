#!/usr/bin/env bash
# Tests two to four times as many random requests, rules and worlds as the suite; with `--long`, 4 to 20 times.
# Needs the tests that `make test` builds.
set -euo pipefail
cd "$(dirname "$0")/.."
export SLUICE_WITHOUT=
# shellcheck disable=SC2086
draws() { SLUICE_DRAWS=$1 scripts/test.sh --skip-build ${FLAGS-} --filter "$2"; }
laws='^(Policy|Activation)Tests\.|(DamagedDevice|DeviceDatabaseCrash|JournalCrash)Tests'
case ${1-} in
  --long)
    draws 10 "$laws"
    draws 20 '^LeaksTests\.'
    draws 4 '(KilledDevice|LeaksCommand|Walk)Tests'
    ;;
  *)
    draws 2 "$laws"
    draws 4 '^LeaksTests\.'
    ;;
esac
