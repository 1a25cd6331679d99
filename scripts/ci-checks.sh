#!/usr/bin/env bash
# Runs the checks of a repository that holds scenarios, policies or bundles, and leaves reports of them. action.yml calls it; it runs
# as well by hand, from any folder:
#
#   SLUICE_SCENARIOS=scenarios SLUICE_POLICIES=policies scripts/ci-checks.sh
#
# A check is run where its variable is set, also when one before has failed. Paths stand one on a line, options are words, with
# quotes as in a shell; nothing is expanded.
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
# Exit status: 0 all checks passed, 1 one failed, 64 usage, 69 there is no `sluice`.
#
# `scripts/ci-checks.sh install` puts Sluice there: SLUICE, or else the Debian package SLUICE_PACKAGE (a path or an https address),
# or else a build of this checkout. For GitHub's runner it states where the program is.
set -euo pipefail

complain() { echo "ci-checks: $*" >&2; }

# An output of the step, where GitHub's runner runs it.
tell() { [[ -z ${GITHUB_OUTPUT-} ]] || printf '%s=%s\n' "$1" "$2" >>"$GITHUB_OUTPUT"; }

# One with a line for each file, none of which can be `END`.
tell_files() {
  local name=$1
  shift
  [[ -z ${GITHUB_OUTPUT-} ]] || (($# == 0)) || printf '%s\n' "$name<<END" "$@" END >>"$GITHUB_OUTPUT"
}

# `name=value` is a line: another one would be an output of its own.
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
    # Under a name of its own: to apt-get, some names are not files.
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

# `lines`: those of a text that are not blank, without what surrounds them.
read_lines() {
  local line
  lines=()
  while read -r line; do
    line=${line%$'\r'}
    # Code hosts look a place up as it is written in the repository.
    [[ $line != ./[!/]* ]] || line=${line#./}
    [[ -z $line ]] || lines+=("$line")
  done <<<"$1"
}

# read_words NAME TEXT: `words` are those of a text, by the quotes that xargs knows. Where one does not end, the check has failed.
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

# check NAME COMMAND…: what it prints goes to the log, and is not a command to GitHub's runner.
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

# save NAME.EXTENSION COMMAND…: what it prints goes to a file; what is wrong, `check` has told.
save() {
  local name=$1 file=$output/$1
  shift
  rm -f -- "$file"
  "$sluice" "$@" </dev/null >"$file" 2>/dev/null || :
  if [[ $file == *.sarif ]]; then
    # Code scanning refuses an upload in which two runs are of one category.
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

# reported NAME COMMAND…: a check that writes its reports itself. Paths stand in `lines`.
reported() {
  local name=$1 file=$output/$1
  shift
  # So that no report of an earlier run stands for this one.
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

# A misspelt variable would pass for one that is not set.
check_options() {
  local name
  for name in $(compgen -e | grep -x 'SLUICE_.*_OPTIONS'); do
    case $name in
      SLUICE_SCENARIO_OPTIONS | SLUICE_POLICY_OPTIONS | SLUICE_BUNDLE_OPTIONS | SLUICE_LEAKS_OPTIONS) ;;
      *)
        complain "there are no $name"
        exit 64
        ;;
    esac
  done
}

# The folder of the reports, which may come with the repository: no link leads out of it, and nothing old or strange stands for a report.
begin_output() {
  local file plain=$output
  mkdir -p -- "$output"
  [[ $output == /* ]] || plain=$(pwd -P)/$output
  if [[ -L $output || ($output != /* && $(realpath -- "$output") != "$(realpath -sm -- "$plain")") ]]; then
    complain "$output is a link, or below one"
    exit 64
  fi
  for file in "$output"/*.sarif; do
    [[ -e $file || -L $file ]] || continue
    if [[ ${file##*/} =~ ^(policies|bundles|leaks-[0-9]+)\.sarif$ ]]; then
      rm -f -- "$file"
    else
      complain "$file is there already, and would be taken for a finding of ours; SLUICE_OUTPUT names another folder"
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
    complain "there is no program \`$sluice\`; SLUICE names another"
    exit 69
  }
  if [[ ! ${SLUICE_SCENARIOS-}${SLUICE_CRITERIA-}${SLUICE_POLICIES-}${SLUICE_BUNDLES-}${SLUICE_LEAKS-} =~ [^[:space:]] ]]; then
    complain 'nothing to check: none of SLUICE_SCENARIOS, SLUICE_CRITERIA, SLUICE_POLICIES, SLUICE_BUNDLES and SLUICE_LEAKS is set'
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

# Read whole before anything runs, and nothing behind it.
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
