#!/usr/bin/env bash
# Counts the instructions that a host executes per message. Runs COMMAND under callgrind with N1 and with N2
# messages, and divides the difference in instructions by the difference in messages. Start, warm-up and
# shutdown cancel out. Only COMMAND itself is counted, not its child processes.
#
# Every @N@ in COMMAND is replaced with the number of messages. valgrind 3.19 cannot read the DWARF 5 that Swift
# writes. With --strip, the words of COMMAND that equal PROGRAM are replaced with a stripped copy of it. The
# copy is beside the program, which may look for other files there, and is removed afterwards.
#
# usage: instructions.sh [--strip PROGRAM] N1 N2 COMMAND...
# example: instructions.sh 100000 300000 ../build/broker ../build/peer tp 64 @N@
set -euo pipefail

usage() {
  sed -n 's/^# usage: /usage: /p' "$0" >&2
  exit 64
}

work=$(mktemp -d)
stripped=
trap 'rm -rf "$work" ${stripped:+"$stripped"}' EXIT

program=
if [ "${1:-}" = --strip ]; then
  [ $# -ge 2 ] || usage
  program=$2
  shift 2
  stripped=$(mktemp "$program.stripped.XXXXXX")
  cp "$program" "$stripped"
  strip -g "$stripped"
  chmod 755 "$stripped"
fi

[ $# -ge 3 ] || usage
few=$1 many=$2
shift 2
[[ $few =~ ^[0-9]+$ && $many =~ ^[0-9]+$ && $few -lt $many ]] || usage
[[ "$*" == *@N@* ]] || usage

# Prints the instructions of a command, given after the number of messages.
instructions() {
  local messages=$1 words=() word
  shift
  for word in "$@"; do
    [ -n "$program" ] && [ "$word" = "$program" ] && word=$stripped
    words+=("${word//@N@/$messages}")
  done
  if ! valgrind --tool=callgrind --trace-children=no --callgrind-out-file="$work/$messages" \
    --log-file="$work/log" "${words[@]}" > "$work/output" 2>&1; then
    cat "$work/output" "$work/log" >&2
    echo "instructions.sh: the command failed with $messages messages" >&2
    return 1
  fi
  awk '/^(totals|summary):/ { total = $2 } END { print total }' "$work/$messages"
}

at_few=$(instructions "$few" "$@")
at_many=$(instructions "$many" "$@")
echo "RESULT instructions per_message=$(((at_many - at_few) / (many - few))) n1=$few i1=$at_few n2=$many i2=$at_many"
