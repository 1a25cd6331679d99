#!/usr/bin/env bash
# Many times as many random requests, rules, worlds, steps and kills as the suite draws. `make test` has built the tests.
set -euo pipefail
cd "$(dirname "$0")/.."
export SLUICE_WITHOUT=
# shellcheck disable=SC2086
draws() { SLUICE_DRAWS=$1 scripts/test.sh --skip-build ${FLAGS-} --filter "$2"; }
draws 10 '^(Policy|Activation)Tests\.|(DamagedDevice|DeviceDatabaseCrash|JournalCrash)Tests'
draws 20 '^LeaksTests\.'
draws 4 '(KilledDevice|LeaksCommand|Walk)Tests'
