#!/usr/bin/env bash
# Decides the same set of transfers with Sluice's engine, Cedar and Rego, on one core each, and prints a table
# of medians. The script fails if an answer differs from the engine's. It needs python3 with venv and, the first
# time, PyPI; without them, it prints a notice and succeeds.
# Usage: ./compare.sh [ROUNDS]   (5 by default)
set -euo pipefail
cd "$(dirname "$0")"
rounds=${1:-5}
bench=${SLUICE_BENCH:-../../../.build/release/sluice-bench}
environment=../../build/policy-venv
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

if [[ ! -e $environment/ready ]]; then
  if ! python3 -m venv "$environment" ||
    ! "$environment/bin/pip" install --quiet --disable-pip-version-check -r requirements.txt; then
    echo 'Cedar and Rego were skipped: python3 with venv and PyPI are needed' >&2
    exit 0
  fi
  touch "$environment/ready"
fi

value() { grep -o " $1=[0-9.]*" "$2" | cut -d= -f2; }
median() { sort -g | awk -v OFMT=%.9g '{ v[NR] = $1 + 0 } END { print (NR % 2) ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'; }
ratio() { paste "$work/sluice" "$work/$1" | awk '$2 > 0 { printf "%.1f\n", $1 / $2 }' | median; }
row() { printf '| %-28s | %12s | %16s | %24s |\n' "$@"; }

$bench requests > "$work/requests.jsonl"
for ((round = 1; round <= rounds; round++)); do
  echo "policy round $round of $rounds" >&2
  $bench decisions --transfers 2000000 > "$work/line"
  value per_s "$work/line" >> "$work/sluice"
  for engine in cedar rego; do
    "$environment/bin/python" -B "$engine.py" "$work/requests.jsonl" > "$work/line"
    value per_s "$work/line" >> "$work/$engine"
    value evaluation_per_s "$work/line" >> "$work/$engine-evaluation"
    value evaluation_share "$work/line" >> "$work/$engine-share"
  done
done

echo "$(grep -c '"outcome"' "$work/requests.jsonl") transfers, all decided alike by the three:"
row 'engine' 'decisions/s' 'share of time' 'Sluice is faster, times'
row --- --- --- ---
row 'Sluice' "$(median < "$work/sluice")" '' ''
for engine in cedar rego; do
  name=Cedar; [[ $engine == rego ]] && name=Rego
  row "$name, as called" "$(median < "$work/$engine")" 1 "$(ratio "$engine")"
  row "$name, its rules alone" "$(median < "$work/$engine-evaluation")" "$(median < "$work/$engine-share")" "$(ratio "$engine-evaluation")"
done
