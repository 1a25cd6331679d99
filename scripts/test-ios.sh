#!/usr/bin/env bash
# Tries the modules for your own Swift code, what reads such code, and the example that is written against them.
# Needs bin/sluice and bin/sluice-code. Build folders are .build-ios and .build-code. FLAGS are those of every build.
set -euo pipefail
cd "$(dirname "$0")/.."
swift=${SWIFT:-swift}
export SWIFT_BACKTRACE=enable=no
read -ra flags <<<"${FLAGS--debug-info-format none}"

"$swift" test --package-path source-tools --scratch-path .build-code "${flags[@]}"
"$swift" test --package-path ios-modules --scratch-path .build-ios "${flags[@]}"

# The example, as its tests and its scenario run it.
"$swift" test --package-path examples/mail "${flags[@]}"
bin/sluice run examples/mail --coverage --code examples/mail/Sources | tee .build-ios/coverage
grep -qE 'the code handles: [0-9]+ of 18 were made' .build-ios/coverage
grep -qE 'restartApplication\(\) +never +examples/mail/Sources/Mail/PolicyDelegate.swift:11' .build-ios/coverage
bin/sluice code lint examples/mail/Sources
bin/sluice bundle lint examples/mail/Mail.app
bin/sluice criteria --for examples/mail/Mail.app

# A package around sources that need Objective-C is built, run and tested as it was written.
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cp -R Tests/OwnCode "$folder/own"
bin/sluice new app Own --from "$folder/own" --folder "$folder"
own=(--package-path "$folder/Own" --scratch-path "$PWD/.build-ios-own" "${flags[@]}")
"$swift" build --build-tests "${own[@]}"
ln -s "$PWD/.build-ios-own" "$folder/Own/.build"
bin/sluice run "$folder/Own/Own.yaml" --trace "$folder/trace"
for line in 'window scene true' 'type com.adobe.pdf' 'managed server none'; do
  grep -q "$line" "$folder/trace" || { echo "the app did not say: $line" >&2; exit 1; }
done
"$swift" test --skip-build "${own[@]}"

# So is a package around an extension, whose Info.plist is beside its sources.
mkdir "$folder/share"
cp examples/mail/Sources/MailShare/ShareViewController.swift "$folder/share"
cp examples/mail/Mail.app/PlugIns/MailShare.appex/Info.plist "$folder/share"
bin/sluice new extension Share --from "$folder/share" --folder "$folder"
cmp "$folder/share/Info.plist" "$folder/Share/Share.appex/Info.plist"
ln -s "$PWD/.build-ios-own" "$folder/Share/.build"
"$swift" test --package-path "$folder/Share" --scratch-path "$PWD/.build-ios-own" "${flags[@]}"
bin/sluice run "$folder/Share/Share.yaml" --trace "$folder/trace"
grep -q 'a new mail with: hello' "$folder/trace" || { echo "the extension did not get the text" >&2; exit 1; }

# The app's entry point does not belong to an extension: nothing is written.
cp "$folder/own/AppDelegate.swift" "$folder/share"
! bin/sluice new extension Second --from "$folder/share" --folder "$folder"
test ! -e "$folder/Second"
