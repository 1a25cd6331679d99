#!/usr/bin/env bash
# Checks the sources without running them: format, import fences, generated code, links.
set -euo pipefail
cd "$(dirname "$0")/.."
status=0
complain() { echo "lint: $*" >&2; status=1; }

swift format lint --strict --recursive --parallel Package.swift Sources Tests plugins examples \
  Benchmarks ios-modules source-tools || status=1

# Only these targets may import C modules.
fence() {
  local module=$1 allowed=$2 found
  found=$(git grep -lE "import $module\$" -- '*.swift' | grep -vE "$allowed" || true)
  [ -z "$found" ] || complain "only targets in the list of scripts/lint.sh may import $module, but these files do: $found"
}
fence 'C(UV|Spawn|SharedMemory)' '^(Sources/System/EventLoop/|Tests/Support/StartedProgram)'
fence CZygote '^(Sources/System/EventLoop/|Sources/Programs/sluice-guest/)'
fence 'C(Messages|ProtobufC)' '^Sources/(Model/Wire|Tools/Distribution)/'
fence 'C(Crypto|OpenSSL)' '^(Sources/(System/Cryptography|Model/Secrets)|Tests/CryptographyTests)/'
fence CExpat '^Sources/Rules/Bundle/'
fence CZlib '^Sources/Tools/Reports/'
fence CYaml '^Sources/Tools/Scenario/YAML/YAMLEvents'
fence CEdit '^Sources/Programs/sluice/'
fence CInterruption '^Sources/Programs/sluice/'
fence 'C(Lua|Script)' '^Sources/Guest/Scripting/'
fence CConfinement '^(Sources/(Device/Host|Programs/sluice-guest|Programs/sluice-server)|plugins|examples)/'
fence 'NIO[A-Za-z0-9]*' '^(Sources/(Guest/ManagedAppTLS|Programs/sluice-(link|server))/|examples/Landmarks.app/|Tests/|Benchmarks/Sources/link-bench/)'
# These fences keep guests small, pure targets without Foundation, and the rules out of guests.
fence 'Foundation' '^(Package\.swift$|(Sources/(Device/Host|Rules/(Bundle|Declarations)|Guest/(ManagedApp|ManagedAppTLS|SluiceDispatch)|Tools/(Conformance|DeviceClient|DeviceControl|Distribution|Replay|Simulation|SluiceTesting)|Programs/sluice)|examples/(Landmarks.app|mail)|Tests|Benchmarks|ios-modules|source-tools)/)'
fence 'Enrollment' '^(Sources/(Device/Host|Tools/(DeviceControl|Simulation|Tenants)|Programs/sluice)|Tests|Benchmarks)/'
fence 'Policy' '^(Sources/(Tools/(Analysis|Conformance|FieldKit|Leaks|Replay|Simulation|Studio|Tenants)|Device/Host|Programs/sluice)|Tests|Benchmarks)/'

# A layer imports only itself and layers below it, and docs/architecture.md lists the targets of each.
swift package dump-package | python3 scripts/targets.py || complain "Package.swift has invalid targets"

# Links between documents are valid, and the picture is up to date.
python3 scripts/links.py || complain 'a link is broken'
python3 scripts/picture.py
git diff --exit-code --stat -- docs/sluice.svg || complain 'docs/sluice.svg is out of date; commit what scripts/picture.py writes'

# The tables of rules, channels and events have a row for each case, and no text is read as a case that it does not name.
if grep -q 'default:' Sources/Model/Model/{RuleRow,Channel,JournalEvent}.swift; then
  complain 'RuleRow, Channel and JournalEvent must not have a `default:`, so a case without a row does not compile'
fi
# Without `default:`, the compiler reports a case that a switch over our own enum misses. In an open domain, a comment names the rest.
found=$(git grep -nE '^\s*(@unknown )?default:' -- '*.swift' | grep -vF '// open: ' || true)
[ -z "$found" ] || complain "a switch has \`default:\` without a comment \`// open: …\`: $found"
found=$(git grep -nE '\(rawValue: .*\) *\?\? *\.' -- Sources | grep -vE '\?\? \.(unknown|internal)\b' || true)
[ -z "$found" ] || complain "unknown text must not become a case: $found"

# Without `commandName`, the name is derived from the type, which costs milliseconds at every start of `sluice`.
found=$(git grep -hA1 'CommandConfiguration($' -- Sources | grep -vE '^--$|CommandConfiguration\(|commandName: ' || true)
[ -z "$found" ] || complain "a command lacks \`commandName\`: $found"

if command -v protoc-c >/dev/null && command -v protoc >/dev/null; then
  scripts/generate-messages.sh
  git diff --exit-code --stat -- Sources/System/CMessages python/sluice_guest/sluice_pb2.py \
    || complain 'Sources/System/CMessages or sluice_pb2.py is out of date; commit what scripts/generate-messages.sh writes'
fi
exit "$status"
