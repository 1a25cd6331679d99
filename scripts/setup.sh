#!/usr/bin/env bash
# Installs the missing Debian packages that Sluice needs to build and run.
# Usage: scripts/setup.sh [PACKAGE]…   (packages in addition to those that every build needs)
set -euo pipefail

needed=(make pkg-config libuv1-dev libexpat1-dev zlib1g-dev libedit-dev libprotobuf-c-dev libssl-dev libsqlite3-dev liblua5.4-dev libseccomp-dev "$@")
missing=()
for package in "${needed[@]}"; do
  dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' \
    || missing+=("$package")
done

if ((${#missing[@]})); then
  if ((EUID == 0)); then
    as_root=()
  elif command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
    as_root=(sudo)
  else
    echo "setup: these Debian packages are missing; install them as root:" >&2
    echo "  apt-get install ${missing[*]}" >&2
    exit 69
  fi
  echo "setup: installing ${missing[*]}" >&2
  "${as_root[@]}" apt-get update -qq
  DEBIAN_FRONTEND=noninteractive "${as_root[@]}" apt-get install -y -qq "${missing[@]}" >/dev/null
fi

if ! command -v swift >/dev/null; then
  echo "setup: no Swift toolchain found; install Swift 6.1 or later from https://swift.org/install" >&2
  exit 69
fi
