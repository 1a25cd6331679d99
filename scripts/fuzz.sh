#!/usr/bin/env bash
# Feeds generated input (libFuzzer) to the decoders of both sides. The input of a crash stays in .build-fuzz;
# `swift run fuzz-guest-messages FILE` replays it. `make fuzz` and `make test` build the program that writes the seeds.
# Usage: scripts/fuzz.sh [SECONDS]   (60 by default)
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${1:-60}
swift build -c release --product fuzz-guest-messages --scratch-path .build-fuzz \
  -Xswiftc -DFUZZING -Xswiftc -sanitize=fuzzer -Xcc -fsanitize=fuzzer-no-link
mkdir -p .build-fuzz/seeds .build-fuzz/corpus
.build/debug/fuzz-guest-messages --seeds .build-fuzz/seeds
.build-fuzz/release/fuzz-guest-messages -max_total_time="$seconds" -max_len=4096 -rss_limit_mb=512 \
  -print_final_stats=1 -artifact_prefix=.build-fuzz/ .build-fuzz/corpus .build-fuzz/seeds
