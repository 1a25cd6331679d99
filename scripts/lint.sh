#!/usr/bin/env bash
# What must hold of the sources beside the tests: format, fences, generated code, no leftovers.
set -euo pipefail
cd "$(dirname "$0")/.."
status=0
complain() { echo "lint: $*" >&2; status=1; }

swift format lint --strict --recursive --parallel Package.swift Sources Tests plugins examples \
  Benchmarks ios-modules source-tools || status=1

# Only these targets may see C.
fence() {
  local module=$1 allowed=$2 found
  found=$(git grep -lE "import $module\$" -- '*.swift' | grep -vE "$allowed" || true)
  [ -z "$found" ] || complain "$module imported outside its fence: $found"
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
# Guests stay lean, pure targets stay pure, and guests cannot reach the rules.
fence 'Foundation' '^(Sources/(Device/Host|Rules/(Bundle|Declarations)|Guest/(ManagedApp|ManagedAppTLS|SluiceDispatch)|Tools/(Conformance|DeviceClient|DeviceControl|Distribution|Replay|Simulation|SluiceTesting)|Programs/sluice)|examples/(Landmarks.app|mail)|Tests|Benchmarks|ios-modules|source-tools)/'
fence 'Enrollment' '^(Sources/(Device/Host|Tools/(DeviceControl|Simulation|Tenants)|Programs/sluice)|Tests|Benchmarks)/'
fence 'Policy' '^(Sources/(Tools/(Analysis|Conformance|FieldKit|Leaks|Replay|Simulation|Studio|Tenants)|Device/Host|Programs/sluice)|Tests|Benchmarks)/'

# A layer imports layers below it, or itself, and docs/architecture.md has a list of each.
swift package dump-package | python3 scripts/targets.py || complain "the targets of Package.swift are at fault"

# Links between documents lead somewhere, and the picture is what its script draws.
python3 scripts/links.py || complain 'a link leads nowhere'
python3 scripts/picture.py
git diff --exit-code --stat -- docs/sluice.svg || complain 'docs/sluice.svg is not what scripts/picture.py draws'

# What is said of rules, channels and events is stated for each, and no text becomes a case that it does not name.
if grep -q 'default:' Sources/Model/Model/{RuleRow,Channel,JournalEvent}.swift; then
  complain 'a rule, a channel or an event of which nobody says what it is must not compile'
fi
# The compiler reports a case that a switch over an enum of ours misses. Where the domain is open, the line says what is left.
found=$(git grep -nE '^\s*(@unknown )?default:' -- '*.swift' | grep -vF '// open: ' || true)
[ -z "$found" ] || complain "a switch with \`default:\` and no \`// open: …\`: $found"
found=$(git grep -nE '\(rawValue: .*\) *\?\? *\.' -- Sources | grep -vE '\?\? \.(unknown|internal)\b' || true)
[ -z "$found" ] || complain "text that no case has becomes one: $found"

# A name that is not stated is derived from the type, by look-ups that cost every start of `sluice` milliseconds.
found=$(git grep -hA1 'CommandConfiguration($' -- Sources | grep -vE '^--$|CommandConfiguration\(|commandName: ' || true)
[ -z "$found" ] || complain "a command does not state its name: $found"

if command -v protoc-c >/dev/null && command -v protoc >/dev/null; then
  scripts/generate-messages.sh
  git diff --exit-code --stat -- Sources/System/CMessages python/sluice_guest/sluice_pb2.py \
    || complain 'Sources/System/CMessages or sluice_pb2.py is not what is made of proto/'
fi
exit "$status"
