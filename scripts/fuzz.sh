#!/usr/bin/env bash
# Feeds the decoder of guest messages with what libFuzzer makes up.
# Usage: scripts/fuzz.sh [SECONDS]   (60 by default)
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${1:-60}
swift build --product fuzz-guest-messages --scratch-path .build-fuzz \
  -Xswiftc -sanitize=fuzzer -Xswiftc -parse-as-library
mkdir -p .build-fuzz/corpus
.build-fuzz/debug/fuzz-guest-messages -max_total_time="$seconds" -max_len=4096 .build-fuzz/corpus
