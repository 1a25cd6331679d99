#!/usr/bin/env bash
# Checks a repository's scenarios, policies and bundles, and writes reports. action.yml calls it; you can also run it yourself, from
# any folder:
#
#   SLUICE_SCENARIOS=scenarios SLUICE_POLICIES=policies scripts/ci-checks.sh
#
# A check runs if its variable is set, even if an earlier check failed. Paths are one per line. Options are words, with quotes as in
# a shell; nothing is expanded.
#
#   SLUICE_SCENARIOS   files and folders for `sluice run`
#   SLUICE_CRITERIA    `true`, or options for `sluice criteria`
#   SLUICE_POLICIES    files and folders for `sluice policy lint`
#   SLUICE_BUNDLES     bundles for `sluice bundle lint`
#   SLUICE_LEAKS       scenario files for `sluice leaks`
#   SLUICE_SCENARIO_OPTIONS, SLUICE_POLICY_OPTIONS, SLUICE_BUNDLE_OPTIONS, SLUICE_LEAKS_OPTIONS
#   SLUICE_OUTPUT      the folder of the reports; default: sluice-results
#   SLUICE             the program; default: sluice
#
# Exit status: 0 all checks passed, 1 a check failed, 64 usage, 69 `sluice` was not found.
#
# `scripts/ci-checks.sh install` provides Sluice: the program SLUICE, or else the Debian package SLUICE_PACKAGE (a path or an https
# address), or else a build of this checkout. It passes the program's path to GitHub's runner.
set -euo pipefail

complain() { echo "ci-checks: $*" >&2; }

# Sets an output of the step if GitHub's runner runs it.
tell() { [[ -z ${GITHUB_OUTPUT-} ]] || printf '%s=%s\n' "$1" "$2" >>"$GITHUB_OUTPUT"; }

# Sets an output with a line for each file. No file can be called `END`.
tell_files() {
  local name=$1
  shift
  [[ -z ${GITHUB_OUTPUT-} ]] || (($# == 0)) || printf '%s\n' "$name<<END" "$@" END >>"$GITHUB_OUTPUT"
}

# Rejects a value with a line break: a second line would be a separate output.
one_line() {
  [[ $2 != *[$'\n\r']* ]] || {
    complain "$1 has a line break"
    exit 64
  }
}

as_root() {
  if ((EUID == 0)); then "$@"; else sudo "$@"; fi
}

install_sluice() {
  local program=${SLUICE-} package=${SLUICE_PACKAGE-} folder
  if [[ -n $program ]]; then
    :
  elif [[ -n $package ]]; then
    # The copy has a fixed name, because apt-get does not accept every path as a file.
    folder=$(mktemp -d)
    chmod 755 "$folder"
    case $package in
      https://*) curl -fsSL --proto '=https' --output "$folder/sluice.deb" -- "$package" ;;
      *) cp -- "$package" "$folder/sluice.deb" ;;
    esac
    as_root apt-get update -qq
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq "$folder/sluice.deb"
    rm -r "$folder"
    program=sluice
  else
    root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
    make -C "$root" build
    program=$root/bin/sluice
  fi
  one_line SLUICE "$program"
  program=$(command -v -- "$program") || {
    complain "there is no such program: ${SLUICE:-sluice}"
    exit 69
  }
  [[ $program == /* ]] || program=$PWD/$program
  "$program" --version
  tell sluice "$program"
}

# read_lines TEXT: sets `lines` to the text's non-empty lines, trimmed.
read_lines() {
  local line
  lines=()
  while read -r line; do
    line=${line%$'\r'}
    # Code hosts expect paths without a leading `./`.
    [[ $line != ./[!/]* ]] || line=${line#./}
    [[ -z $line ]] || lines+=("$line")
  done <<<"$1"
}

# read_words NAME TEXT: sets `words` to the words of a text, with the quotes of xargs. An unclosed quote fails the check.
read_words() {
  local text
  words=()
  text=$(xargs -r printf '%s\n' <<<"$2") || {
    record "$1" 64
    return 1
  }
  [[ -z $text ]] || mapfile -t words <<<"$text"
}

failed=() junit=() sarif=() report=()
summary=$'| check | result |\n| --- | --- |'

record() {
  if (($2 == 0)); then
    summary+=$'\n'"| $1 | passed |"
  else
    failed+=("$1")
    summary+=$'\n'"| $1 | failed, exit status $2 |"
  fi
}

# check NAME COMMAND…: runs a check. Its output goes to the log, and GitHub's runner does not interpret it as commands.
check() {
  local name=$1 status=0 token
  shift
  if [[ ${GITHUB_ACTIONS-} == true ]]; then
    token=$(</proc/sys/kernel/random/uuid)
    printf '%s\n' "::group::$name" "::stop-commands::$token"
  fi
  printf '+ sluice'
  printf ' %q' "$@"
  echo
  "$sluice" "$@" </dev/null 2>&1 || status=$?
  [[ -z ${token-} ]] || printf '\n%s\n' "::$token::" ::endgroup::
  record "$name" "$status"
}

# save NAME.EXTENSION COMMAND…: writes the command's output to a file. `check` has already reported errors.
save() {
  local name=$1 file=$output/$1
  shift
  rm -f -- "$file"
  "$sluice" "$@" </dev/null >"$file" 2>/dev/null || :
  if [[ $file == *.sarif ]]; then
    # Code scanning rejects an upload in which two runs have the same category.
    sed -i "1s/\"runs\":\[{/&\"automationDetails\":{\"id\":\"${output//[^A-Za-z0-9._-]/-}\/${name%.sarif}\/\"},/" "$file"
  fi
  keep "$file"
}

keep() {
  local file
  for file; do
    if [[ ! -s $file ]]; then
      rm -f -- "$file"
      continue
    fi
    case $file in
      *.xml) junit+=("$file") ;;
      *.sarif) sarif+=("$file") ;;
      *.html) report+=("$file") ;;
    esac
  done
}

# reported NAME COMMAND…: runs a check that writes its own reports. The paths are in `lines`.
reported() {
  local name=$1 file=$output/$1
  shift
  # An earlier run's report must not be mistaken for this one's.
  rm -f -- "$file.xml" "$file.html"
  ((${#lines[@]} == 0)) || lines=(-- "${lines[@]}")
  check "$name" "$@" "${words[@]}" --output "junit=$file.xml" --output "html=$file.html" "${lines[@]}"
  keep "$file.xml" "$file.html"
}

lint() {
  read_lines "$3"
  ((${#lines[@]})) || return 0
  read_words "$1" "$4" || return 0
  check "$1" "$2" lint "${words[@]}" -- "${lines[@]}"
  save "$1.sarif" "$2" lint "${words[@]}" --format sarif -- "${lines[@]}"
}

# A misspelled variable would count as one that is not set.
check_options() {
  local name
  for name in $(compgen -e | grep -x 'SLUICE_.*_OPTIONS'); do
    case $name in
      SLUICE_SCENARIO_OPTIONS | SLUICE_POLICY_OPTIONS | SLUICE_BUNDLE_OPTIONS | SLUICE_LEAKS_OPTIONS) ;;
      *)
        complain "unknown variable \`$name\`"
        exit 64
        ;;
    esac
  done
}

# Prepares the folder of the reports. It may be in the repository, so links out of it are rejected. This script's old SARIF files are
# removed; others are rejected, because they would count as findings.
begin_output() {
  local file plain=$output
  mkdir -p -- "$output"
  [[ $output == /* ]] || plain=$(pwd -P)/$output
  if [[ -L $output || ($output != /* && $(realpath -- "$output") != "$(realpath -sm -- "$plain")") ]]; then
    complain "\`$output\` is a link, or inside one; set SLUICE_OUTPUT to another folder"
    exit 64
  fi
  for file in "$output"/*.sarif; do
    [[ -e $file || -L $file ]] || continue
    if [[ ${file##*/} =~ ^(policies|bundles|leaks-[0-9]+)\.sarif$ ]]; then
      rm -f -- "$file"
    else
      complain "\`$file\` already exists, and would count as a finding; set SLUICE_OUTPUT to another folder"
      exit 64
    fi
  done
}

run_checks() {
  sluice=${SLUICE:-sluice}
  output=${SLUICE_OUTPUT:-sluice-results}
  one_line SLUICE_OUTPUT "$output"
  [[ $output != ?*/ ]] || output=${output%/}
  [[ $output != -* ]] || output=./$output
  command -v -- "$sluice" >/dev/null || {
    complain "there is no program \`$sluice\`; set SLUICE to its path"
    exit 69
  }
  if [[ ! ${SLUICE_SCENARIOS-}${SLUICE_CRITERIA-}${SLUICE_POLICIES-}${SLUICE_BUNDLES-}${SLUICE_LEAKS-} =~ [^[:space:]] ]]; then
    complain 'nothing to check: set SLUICE_SCENARIOS, SLUICE_CRITERIA, SLUICE_POLICIES, SLUICE_BUNDLES or SLUICE_LEAKS'
    exit 64
  fi
  check_options
  begin_output

  read_lines "${SLUICE_SCENARIOS-}"
  if ((${#lines[@]})) && read_words scenarios "${SLUICE_SCENARIO_OPTIONS-}"; then
    reported scenarios run
  fi

  read_lines "${SLUICE_CRITERIA-}"
  if ((${#lines[@]})) && [[ ${lines[*]} != false ]]; then
    [[ ${lines[*]} != true ]] || SLUICE_CRITERIA=
    lines=()
    if read_words criteria "$SLUICE_CRITERIA"; then reported criteria criteria; fi
  fi

  lint policies policy "${SLUICE_POLICIES-}" "${SLUICE_POLICY_OPTIONS-}"
  lint bundles bundle "${SLUICE_BUNDLES-}" "${SLUICE_BUNDLE_OPTIONS-}"

  read_lines "${SLUICE_LEAKS-}"
  if ((${#lines[@]})) && read_words leaks "${SLUICE_LEAKS_OPTIONS-}"; then
    for number in "${!lines[@]}"; do
      name=leaks-$((number + 1)) world=${lines[number]}
      check "$name" leaks "${words[@]}" --scenario="$world"
      save "$name.sarif" leaks "${words[@]}" --format sarif --scenario="$world"
      save "$name.xml" leaks "${words[@]}" --format junit --scenario="$world"
      save "$name.html" leaks "${words[@]}" --format html --scenario="$world"
    done
  fi

  tell folder "$output"
  tell failed "${failed[*]}"
  tell_files junit "${junit[@]}"
  tell_files sarif "${sarif[@]}"
  tell_files report "${report[@]}"
  [[ -z ${GITHUB_STEP_SUMMARY-} ]] || printf '%s\n' "$summary" '' >>"$GITHUB_STEP_SUMMARY"
  if ((${#failed[@]})); then
    complain "failed: ${failed[*]}; reports are in $output"
    exit 1
  fi
}

# The block makes bash read the whole script before it runs, and nothing after it.
{
  case ${1-} in
    '') run_checks ;;
    install) install_sluice ;;
    *)
      complain 'usage: ci-checks.sh [install]'
      exit 64
      ;;
  esac
  exit
}
