#!/usr/bin/env bash
# Copies the sources with which apps in Swift are built to a folder: ios-modules, and the parts of Sluice that it needs.
# Usage: packaging/sources.sh FOLDER   (share/sluice of an installation)
set -euo pipefail
cd "$(dirname "$0")/.."
folder=$1
swift=${SWIFT:-swift}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# The manifest in a folder without tests has what apps need.
mkdir "$work/sluice"
cp Package.swift "$work/sluice"

mapfile -t paths < <("$swift" package --package-path "$work/sluice" --scratch-path "$work/build" dump-package \
  | python3 -c 'import json, sys; print(*(target["path"] for target in json.load(sys.stdin)["targets"]), sep="\n")')
paths+=(ios-modules)
# Without git, as in a release's sources, all files are copied.
{ git ls-files -z -- "${paths[@]}" 2>/dev/null || find "${paths[@]}" -type f ! -path '*/.*' -print0; } \
  | tar -c --null --files-from=- | tar -x -C "$folder"
install -m 644 Package.swift "$folder/Package.swift"
