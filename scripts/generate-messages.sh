#!/usr/bin/env bash
# Generates Sources/System/CMessages and python/sluice_guest/sluice_pb2.py from proto. Needs protoc-c (Debian:
# protobuf-c-compiler) and protoc (protobuf-compiler).
set -euo pipefail
cd "$(dirname "$0")/.."
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
protoc-c --proto_path=proto --c_out="$out" sluice.proto user_act.proto fleet.proto
protoc --proto_path=proto --python_out=python/sluice_guest sluice.proto
mkdir -p Sources/System/CMessages/include
mv "$out"/*.pb-c.h Sources/System/CMessages/include/
mv "$out"/*.pb-c.c Sources/System/CMessages/
