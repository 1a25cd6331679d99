#!/usr/bin/env bash
# Tests the modules for users' Swift code, the tools that read such code, and the example that uses them. Needs
# bin/sluice and bin/sluice-code. The build folders are .build-ios and .build-code. FLAGS are passed to every build.
set -euo pipefail
cd "$(dirname "$0")/.."
swift=${SWIFT:-swift}
export SWIFT_BACKTRACE=enable=no
read -ra flags <<<"${FLAGS--debug-info-format none}"

"$swift" test --package-path source-tools --scratch-path .build-code "${flags[@]}"
"$swift" test --package-path ios-modules --scratch-path .build-ios "${flags[@]}"

# The example, with its tests and its scenario.
"$swift" test --package-path examples/mail "${flags[@]}"
bin/sluice run examples/mail --coverage --code examples/mail/Sources | tee .build-ios/coverage
grep -qE 'the code handles: [0-9]+ of 18 were made' .build-ios/coverage
grep -qE 'restartApplication\(\) +never +examples/mail/Sources/Mail/PolicyDelegate.swift:11' .build-ios/coverage
bin/sluice code lint --fail-on note examples/mail/Sources
bin/sluice bundle lint examples/mail/Mail.app
bin/sluice criteria --for examples/mail/Mail.app

# A package made of sources that need Objective-C builds, runs and passes its tests without changes.
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cp -R Tests/OwnCode "$folder/own"
bin/sluice new app Own --from "$folder/own" --folder "$folder"
own=(--package-path "$folder/Own" --scratch-path "$PWD/.build-ios-own" "${flags[@]}")
"$swift" build --build-tests "${own[@]}"
ln -s "$PWD/.build-ios-own" "$folder/Own/.build"
bin/sluice run "$folder/Own/Own.yaml" --trace "$folder/trace"
for line in 'window scene true' 'type com.adobe.pdf' 'managed server none' 'form Form: Sign in' \
  'redirect msauth.org.example.own://auth'; do
  grep -q "$line" "$folder/trace" || { echo "the app did not say: $line" >&2; exit 1; }
done
"$swift" test --skip-build "${own[@]}"

# So does a package made of an extension whose Info.plist is beside its sources.
mkdir "$folder/share"
cp examples/mail/Sources/MailShare/ShareViewController.swift "$folder/share"
cp examples/mail/Mail.app/PlugIns/MailShare.appex/Info.plist "$folder/share"
bin/sluice new extension Share --from "$folder/share" --folder "$folder"
sed 's/\$(PRODUCT_MODULE_NAME)/Share/' "$folder/share/Info.plist" | cmp - "$folder/Share/Share.appex/Info.plist"
ln -s "$PWD/.build-ios-own" "$folder/Share/.build"
"$swift" test --package-path "$folder/Share" --scratch-path "$PWD/.build-ios-own" "${flags[@]}"
bin/sluice run "$folder/Share/Share.yaml" --trace "$folder/trace"
grep -q 'a new mail with: hello' "$folder/trace" || { echo "the extension did not get the text" >&2; exit 1; }

# An app's entry point is refused for an extension, and nothing is written.
cp "$folder/own/AppDelegate.swift" "$folder/share"
! bin/sluice new extension Second --from "$folder/share" --folder "$folder"
test ! -e "$folder/Second"
