#!/usr/bin/env bash
# Prints the commit that is checked out, in short, with + behind it where files differ; nothing outside of git.
cd "$(dirname "$0")/.."
git describe --always --abbrev=7 --exclude '*' --dirty=+ 2>/dev/null || true
