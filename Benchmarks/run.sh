#!/usr/bin/env bash
# Runs all benchmarks and prints a table. Runs alternate between Sluice and its references. The table has
# medians of rates, and of the ratios of consecutive runs.
# Usage: ./run.sh [policy|store|smoke] [ROUNDS]   (7 by default)
# `policy` measures only the policy engine, and `store` identities, keychain and wipes. `smoke` runs every row
# once and briefly, to check that it works. SLUICE_BENCH names another build of sluice-bench.
set -euo pipefail
cd "$(dirname "$0")"
part=all
case ${1:-} in policy | store | smoke) part=$1; shift ;; esac
rounds=${1:-7}
if [[ $part == smoke ]]; then rounds=1; fi
bench=$(realpath "${SLUICE_BENCH:-../.build/release/sluice-bench}")
export SLUICE_BENCH=$bench
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# n COUNT BRIEFLY: prints a count, which is smaller in a smoke run.
n() { if [[ $part == smoke ]]; then echo "$2"; else echo "$1"; fi; }
# value KEY < a RESULT line
value() { grep -o "$1=[0-9.]*" | head -1 | cut -d= -f2; }
median() { sort -g | awk '{ v[NR] = $1 } END { print (NR % 2) ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'; }
ratio() { paste "$work/$1" "$work/$2" | awk '$2 > 0 { print $1 / $2 }' | median; }
row() { printf '| %-46s | %12s | %-34s | %8s | %10s |\n' "$@"; }
heading() {
  row what figure 'against, in this run' ratio 'to reach'
  row --- --- --- --- ---
}

# The policy engine, without a device or guest.
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

# The storage of a device: one guest, many requests.
measure_store() {
  $bench switching "$(n 20000 2000)" | value ratio >> "$work/switching"
  $bench keychain --items "$(n 100000 2000)" "$(n 20000 2000)" | value extra_us >> "$work/keychain"
  $bench wiping "$(n 20000 1000)" | value s >> "$work/wiping"
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

# Round trips and one-way messages of one kind, and their labels in the table.
trips=$(n 20000 500)
large=$(n 1000 30)
largest=$(n 200 5)
posts=$(n 500000 5000)
fleet=$(n 1000 50)
crowd=$(n 10000 100)
reference() { build/broker build/peer "$@" 2> /dev/null; }

if [[ $part == smoke ]]; then
  dbus=$(reference/dbus.sh 64 "$trips")
else
  dbus=$(reference/dbus.sh 64 2000 2> /dev/null || true)
fi
for ((round = 1; round <= rounds; round++)); do
  echo "round $round of $rounds" >&2
  reference rt 64 "$trips" | value rt_s >> "$work/c-rt"
  $bench broker rt 64 "$trips" | value rt_s >> "$work/rt"
  $bench broker rt 64 "$trips" --journal | value rt_s >> "$work/rt-journal"
  reference rt 64 "$trips" | value rt_s >> "$work/c-rt2"
  reference rt 1048576 "$large" | value rt_s >> "$work/c-large"
  $bench broker rt 1048576 "$large" | value rt_s >> "$work/large"
  $bench broker rt 1048576 "$large" --inline | value rt_s >> "$work/inline"
  $bench broker rt 8388608 "$largest" | value rt_s >> "$work/largest"
  if [[ $dbus == RESULT* ]]; then
    reference/dbus.sh 64 "$(n 10000 500)" | value rt_s >> "$work/dbus"
    reference/dbus.sh 1048576 "$large" | value rt_s >> "$work/dbus-large"
    reference/dbus.sh 8388608 "$largest" | value rt_s >> "$work/dbus-largest"
    reference/dbus.sh 1048576 "$large" memfd | value rt_s >> "$work/dbus-large-memfd"
    reference/dbus.sh 8388608 "$largest" memfd | value rt_s >> "$work/dbus-largest-memfd"
  fi
  reference tp 64 "$posts" | value msg_s >> "$work/c-tp"
  $bench broker tp 64 "$posts" | value msg_s >> "$work/tp"
  build/spawn-reference build/minimal-child "$fleet" 2> /dev/null > "$work/line"
  value ready_ms < "$work/line" >> "$work/c-spawn"
  { build/crowd-reference "$crowd" 2> /dev/null | value ms || true; } >> "$work/c-crowd"
  $bench crowd "$crowd" > "$work/line"
  { value ms < "$work/line" || true; } >> "$work/crowd"
  { value each_kib < "$work/line" || true; } >> "$work/crowd-each"
  { value host_rss_mib < "$work/line" || true; } >> "$work/crowd-host"
  $bench fleet "$fleet" > "$work/line"
  value ms < "$work/line" >> "$work/spawn"
  value pss_kib < "$work/line" >> "$work/pss"
  $bench scripts "$(n 50 5)" | value extra_kib >> "$work/scripts"
  $bench first-message | value p50_us >> "$work/first"
  measure_policy
  if [[ $part == smoke ]]; then measure_store; fi
done

count() {
  reference/instructions.sh --strip "$bench" "$(n 20000 100)" "$(n 60000 300)" "$bench" broker tp 64 @N@ --no-poll "$@" \
    | value per_message
}
routed=$(count --bare)
decided=$(count)

if [[ $part == smoke ]]; then echo 'Every row, briefly: these figures say nothing.'; fi
heading
row 'round trip 64 B, decided once, sealed, per s' "$(median < "$work/rt")" 'C broker, no policy' "$(ratio rt c-rt)" '>= 1.0'
row 'the same, journal written' "$(median < "$work/rt-journal")" 'C broker, no policy' "$(ratio rt-journal c-rt2)" '>= 0.8'
if [[ -s $work/dbus ]]; then
  row 'round trip 64 B, decided once, sealed' "$(median < "$work/rt")" 'dbus-broker with a policy' "$(ratio rt dbus)" '>= 1.5'
else
  row 'round trip 64 B' '' "${dbus:-dbus-broker was skipped}" '' '>= 1.5'
fi
row 'one-way 64 B, decided once, sealed, per s' "$(median < "$work/tp")" 'C broker, no policy' "$(ratio tp c-tp)" '>= 0.6'
row 'round trip 1 MiB, decided once, sealed, per s' "$(median < "$work/large")" 'C broker, no policy' "$(ratio large c-large)" ''
row 'the same, in the messages' "$(median < "$work/inline")" 'C broker, no policy' "$(ratio inline c-large)" ''
if [[ -s $work/dbus ]]; then
  row 'round trip 1 MiB, decided once, sealed' "$(median < "$work/large")" 'dbus-broker with a policy' "$(ratio large dbus-large)" '>= 1.2'
  row 'the same' '' 'dbus-broker, a memfd passed' "$(ratio large dbus-large-memfd)" ''
  row 'round trip 8 MiB, decided once, sealed, per s' "$(median < "$work/largest")" 'dbus-broker with a policy' "$(ratio largest dbus-largest)" '>= 1.2'
  row 'the same' '' 'dbus-broker, a memfd passed' "$(ratio largest dbus-largest-memfd)" ''
else
  row 'round trip 1 MiB, 8 MiB' "$(median < "$work/largest")" "${dbus:-dbus-broker was skipped}" '' '>= 1.2'
fi
row 'instructions per routed message' "$routed" 'callgrind' '' '<= 4500'
row 'the same, decided once, sealed' "$decided" 'callgrind' '' '<= 16000'
row "$fleet guests, start to all ready, ms" "$(median < "$work/spawn")" "$fleet minimal C children" "$(ratio spawn c-spawn)" '<= 0.5'
row "$crowd guests up, answering, down, ms" "$(median < "$work/crowd")" "$crowd bare children by clone3" "$(ratio crowd c-crowd)" '<= 2.5'
row 'memory of each, KiB, of what is available' "$(median < "$work/crowd-each")" '' '' '<= 100'
row 'memory of their host, MiB' "$(median < "$work/crowd-host")" '' '' '<= 300'
row 'memory of each, KiB (PSS)' "$(median < "$work/pss")" '' '' '<= 200'
row 'a script in Lua adds, KiB (PSS)' "$(median < "$work/scripts")" '50 guests without one' '' '<= 150'
row 'first message of a guest, us' "$(median < "$work/first")" '' '' '<= 400'
policy_rows
if [[ $part == smoke ]]; then store_rows; fi
echo
reference/policy/compare.sh "$rounds"
