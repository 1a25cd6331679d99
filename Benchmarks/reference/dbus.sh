#!/usr/bin/env bash
# Measures dbus-broker, a message bus with a policy, on the equivalent of a brokered transfer: a request of SIZE
# bytes between two processes and its reply. Prints its RESULT line, or the reason for skipping. With `memfd`,
# the bytes are in a sealed memory file, whose descriptor the request passes.
#
# usage: dbus.sh [SIZE [COUNT [memfd]]]
set -euo pipefail

size=${1:-64}
count=${2:-20000}
way=${3:-}
here=$(cd "$(dirname "$0")" && pwd)

skip() {
  echo "dbus-broker was skipped: $1"
  exit 0
}

[ "$(id -u)" = 0 ] || skip "it needs root, for a mount namespace of its own"
command -v dbus-broker-launch > /dev/null || skip "dbus-broker is not installed"
command -v systemd-socket-activate > /dev/null || skip "systemd-socket-activate is not installed"
command -v python3 > /dev/null || skip "python3 is not installed"
command -v cc > /dev/null || skip "a C compiler is not installed"
pkg-config --exists libsystemd || skip "libsystemd-dev is not installed"

make --no-print-directory -C "$here" dbus > /dev/null
work=$(mktemp -d)
broker=
finish() {
  if [ -n "$broker" ]; then kill -- "-$broker" 2> /dev/null || true; fi
  rm -rf "$work"
}
trap finish EXIT
sed "s|@SOCKET@|$work/bus|" "$here/dbus.conf.in" > "$work/bus.conf"

# The broker's launcher expects systemd: an inherited socket and a journal. systemd-socket-activate provides the
# socket; an unread socket in a private /run replaces the journal.
cat > "$work/broker.sh" << 'SCRIPT'
set -eu
work=$1
mount -t tmpfs none /run
mkdir -p /run/systemd/journal
python3 - << 'JOURNAL' &
import socket
journal = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
journal.bind("/run/systemd/journal/socket")
while True:
    journal.recv(1 << 16)
JOURNAL
while [ ! -S /run/systemd/journal/socket ]; do sleep 0.01; done
export DBUS_SESSION_BUS_ADDRESS=unix:path=$work/bus
exec systemd-socket-activate -E DBUS_SESSION_BUS_ADDRESS --listen="$work/bus" \
  dbus-broker-launch --scope user --config-file="$work/bus.conf"
SCRIPT
setsid unshare -m bash "$work/broker.sh" "$work" > "$work/log" 2>&1 &
broker=$!

for ((tries = 0; tries < 500; tries++)); do
  if [ -S "$work/bus" ]; then break; fi
  sleep 0.02
done
if ! "$here/../build/dbus-peer" "unix:path=$work/bus" "$size" "$count" ${way:+"$way"}; then
  cat "$work/log" >&2
  exit 1
fi
