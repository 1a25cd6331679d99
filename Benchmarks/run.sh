#!/usr/bin/env bash
# Measures everything in one run and prints a table. Runs alternate between Sluice and its references, and
# the table has medians: of rates, and of the ratios of runs that followed one another.
# Usage: ./run.sh [policy|store] [ROUNDS]   (7 by default; `policy` measures the policy engine alone, `store`
# what identities, keychain and wipes cost)
set -euo pipefail
cd "$(dirname "$0")"
part=all
if [[ ${1:-} == policy || ${1:-} == store ]]; then part=$1; shift; fi
rounds=${1:-7}
bench=.build/release/sluice-bench
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# value KEY < a RESULT line
value() { grep -o "$1=[0-9.]*" | head -1 | cut -d= -f2; }
median() { sort -g | awk '{ v[NR] = $1 } END { print (NR % 2) ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'; }
ratio() { paste "$work/$1" "$work/$2" | awk '$2 > 0 { print $1 / $2 }' | median; }
row() { printf '| %-46s | %12s | %-34s | %8s | %10s |\n' "$@"; }
heading() {
  row what figure 'against, in this run' ratio 'to reach'
  row --- --- --- --- ---
}

# The policy engine, which needs no device and no guest.
measure_policy() {
  $bench decisions | value per_s >> "$work/decisions"
  $bench explain | head -1 > "$work/line"
  value mean_us < "$work/line" >> "$work/explain-mean"
  value p99_us < "$work/line" >> "$work/explain-p99"
  $bench parse | value ms >> "$work/parse"
  $bench matrix | value ms >> "$work/matrix"
  $bench diff | value s >> "$work/diff"
}
policy_rows() {
  row 'decisions per s, one core, all channels' "$(median < "$work/decisions")" '' '' '>= 1000000'
  row 'a decision explained, us, mean' "$(median < "$work/explain-mean")" '' '' '<= 1000'
  row 'the same, us, p99' "$(median < "$work/explain-p99")" '' '' '<= 1000'
  row '250 KiB of policies read, ms' "$(median < "$work/parse")" '' '' '<= 20'
  row 'the whole matrix of a policy, ms' "$(median < "$work/matrix")" '' '' '<= 50'
  row 'two policies compared with witnesses, s' "$(median < "$work/diff")" '' '' '<= 1'
}

# What a device stores: one guest, many requests.
measure_store() {
  $bench switching | value ratio >> "$work/switching"
  $bench keychain | value extra_us >> "$work/keychain"
  $bench wiping | value s >> "$work/wiping"
  $bench enrolling | value s >> "$work/enrolling"
}
store_rows() {
  row 'switching identity without prompts' '' 'a bare brokered round trip' "$(median < "$work/switching")" '<= 1.3'
  row 'keychain query among 100,000 items, us' "$(median < "$work/keychain")" 'beyond the shortest request' '' '<= 100'
  row 'wipe of 10,000 files among 20,000, s' "$(median < "$work/wiping")" '' '' '<= 2'
  row 'enrolling 500 apps, s' "$(median < "$work/enrolling")" '' '' '<= 1'
}

if [[ $part == store ]]; then
  for ((round = 1; round <= rounds; round++)); do
    echo "round $round of $rounds" >&2
    measure_store
  done
  heading
  store_rows
  exit
fi

if [[ $part == policy ]]; then
  for ((round = 1; round <= rounds; round++)); do
    echo "round $round of $rounds" >&2
    measure_policy
  done
  heading
  policy_rows
  echo
  reference/policy/compare.sh "$rounds"
  exit
fi

dbus=$(reference/dbus.sh 64 2000 2>/dev/null || true)
for ((round = 1; round <= rounds; round++)); do
  echo "round $round of $rounds" >&2
  build/broker build/peer rt 64 20000 2>/dev/null | value rt_s >> "$work/c-rt"
  $bench broker rt 64 20000 | value rt_s >> "$work/rt"
  $bench broker rt 64 20000 --journal | value rt_s >> "$work/rt-journal"
  build/broker build/peer rt 64 20000 2>/dev/null | value rt_s >> "$work/c-rt2"
  if [[ $dbus == RESULT* ]]; then reference/dbus.sh 64 10000 | value rt_s >> "$work/dbus"; fi
  build/broker build/peer tp 64 500000 2>/dev/null | value msg_s >> "$work/c-tp"
  $bench broker tp 64 500000 | value msg_s >> "$work/tp"
  build/spawn-reference build/minimal-child 1000 2>/dev/null > "$work/line"
  value ready_ms < "$work/line" >> "$work/c-spawn"
  $bench fleet 1000 > "$work/line"
  value ms < "$work/line" >> "$work/spawn"
  value pss_kib < "$work/line" >> "$work/pss"
  $bench scripts 50 | value extra_kib >> "$work/scripts"
  $bench first-message | value p50_us >> "$work/first"
  measure_policy
done

count() { reference/instructions.sh --strip $bench 20000 60000 $bench broker tp 64 @N@ "$@" | value per_message; }

heading
row 'round trip 64 B, decided and sealed, per s' "$(median < "$work/rt")" 'C broker, no policy' "$(ratio rt c-rt)" '>= 0.9'
row 'the same, journal written' "$(median < "$work/rt-journal")" 'C broker, no policy' "$(ratio rt-journal c-rt2)" '>= 0.8'
if [[ -s $work/dbus ]]; then
  row 'round trip 64 B, decided and sealed' "$(median < "$work/rt")" 'dbus-broker with a policy' "$(ratio rt dbus)" '>= 1.2'
else
  row 'round trip 64 B' '' "${dbus:-dbus-broker was skipped}" '' '>= 1.2'
fi
row 'one-way 64 B, decided and sealed, per s' "$(median < "$work/tp")" 'C broker, no policy' "$(ratio tp c-tp)" '>= 0.3'
row 'instructions per routed message' "$(count --bare)" 'callgrind' '' '<= 4500'
row 'the same, decided and sealed' "$(count)" 'callgrind' '' '<= 16000'
row '1,000 guests, start to all ready, ms' "$(median < "$work/spawn")" '1,000 minimal C children' "$(ratio spawn c-spawn)" '<= 1.5'
row 'memory of each, KiB (PSS)' "$(median < "$work/pss")" '' '' '<= 200'
row 'a script in Lua adds, KiB (PSS)' "$(median < "$work/scripts")" '50 guests without one' '' '<= 150'
row 'first message of a guest, us' "$(median < "$work/first")" '' '' '<= 1200'
policy_rows
echo
reference/policy/compare.sh "$rounds"
