#!/usr/bin/env bash
# Builds the current commit's packages a second time, from a clone in another folder, and compares the bytes.
# Usage: packaging/reproduce.sh FOLDER   (the folder of the first packages)
set -euo pipefail
cd "$(dirname "$0")/.."
first=$(realpath "$1")
elsewhere=$(mktemp -d)/a-folder-of-another-name
trap 'rm -rf "$(dirname "$elsewhere")"' EXIT
git clone --quiet . "$elsewhere"
make -C "$elsewhere" packages PACKAGES="$elsewhere/.build-packages"
status=0
for package in "$first"/*; do
  if cmp "$package" "$elsewhere/.build-packages/$(basename "$package")"; then
    echo "the same bytes: $(basename "$package")"
  else
    status=1
  fi
done
exit $status
