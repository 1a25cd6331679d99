#!/usr/bin/env bash
# Prints the short hash of the current commit, followed by + if files differ; prints nothing outside of git.
cd "$(dirname "$0")/.."
git describe --always --abbrev=7 --exclude '*' --dirty=+ 2>/dev/null || true
