#!/usr/bin/env bash
# Measures dbus-broker, a message bus that enforces a policy, doing what a brokered transfer does: a request of
# SIZE bytes from one process to another and its reply. Prints its RESULT line, or why it was skipped.
#
# The peers are not part of this repository: $SLUICE_DBUS_PEERS names the script that runs them; without it,
# the one beside the repository in shared/bench is taken.
#
# usage: dbus.sh [SIZE [COUNT]]
set -euo pipefail

size=${1:-64}
count=${2:-20000}
here=$(cd "$(dirname "$0")" && pwd)
peers=${SLUICE_DBUS_PEERS:-$here/../../../shared/bench/dbus-peers.sh}

skip() {
  echo "dbus-broker was skipped: $1"
  exit 0
}

[ -x "$peers" ] || skip "there is no script \`$peers\`; name another in SLUICE_DBUS_PEERS"
[ "$(id -u)" = 0 ] || skip "it needs root, for a mount namespace of its own"
command -v dbus-broker-launch > /dev/null || skip "dbus-broker is not installed"
command -v systemd-socket-activate > /dev/null || skip "systemd-socket-activate is not installed"
command -v python3 > /dev/null || skip "python3 is not installed"
command -v cc > /dev/null || skip "a C compiler is not installed"
pkg-config --exists libsystemd || skip "libsystemd-dev is not installed"

"$peers" rt "$size" "$count" broker | grep -o 'RESULT .*'
