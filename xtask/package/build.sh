#!/bin/sh
# Makes the packages of one release from its binary: a Debian package, an archive for other
# distributions, a container's recipe, and their checksums. `cargo xtask package` calls it.
#
#   build.sh BINARY VERSION FOLDER
#
# SOURCE_DATE_EPOCH  time of all files, seconds since 1970: the same commit gives the same bytes
# SBOM               bill of materials to add; none by default
# FAST               not empty: compress little, for tests
set -eu

binary=$1 version=$2 out=$3
: "${SOURCE_DATE_EPOCH:?give the time of the commit}"
export SOURCE_DATE_EPOCH LC_ALL=C TZ=UTC
# More threads compress to other bytes.
export DPKG_DEB_THREADS_MAX=1
here=$(cd "$(dirname "$0")" && pwd)
root=$here/../..
# Debian 12 has this version; Debian 13 and Ubuntu 24.04 have newer ones.
max_glibc=2.36

fail() {
    echo "package: $*" >&2
    exit 1
}

for tool in dpkg-deb tar gzip xz strip objdump sha256sum; do
    command -v "$tool" >/dev/null || fail "$tool is missing: apt-get install dpkg tar gzip xz-utils binutils"
done
case $(uname -m) in
    x86_64) arch=amd64 ;;
    aarch64) arch=arm64 ;;
    *) fail "no package for $(uname -m)" ;;
esac
name=presstime-$version-$(uname -m)-linux

umask 022
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tree=$work/presstime-$version
deb=$work/deb

# Fills in what a template leaves open.
fill() {
    sed -e "s/@VERSION@/$version/g" -e "s/@NAME@/$name/g" -e "s/@ARCH@/$arch/g" \
        -e "s/@GLIBC@/${glibc:-}/g" -e "s/@SIZE@/${size:-}/g" "$1"
}

# Puts a file into a package: mode, source, target.
put() { install -D -m "$1" "$2" "$3"; }

# The archive.
put 755 "$binary" "$tree/bin/presstime"
strip --strip-all "$tree/bin/presstime"
glibc=$(objdump -T "$tree/bin/presstime" | sed -n 's/.*GLIBC_\([0-9.]*\).*/\1/p' | sort -V | tail -n 1)
glibc=${glibc:-2.17}
if [ "$(printf '%s\n' "$glibc" $max_glibc | sort -V | tail -n 1)" != $max_glibc ]; then
    fail "the binary needs glibc $glibc, Debian 12 has $max_glibc: build it on Debian 12"
fi
found=$("$tree/bin/presstime" -V)
[ "$found" = "presstime $version" ] || fail "$binary is $found, not version $version: cargo xtask build --release"
"$tree/bin/presstime" manual "$work/manual"
for page in "$work"/manual/*.1; do put 644 "$page" "$tree/man/${page##*/}"; done
for shell in presstime.bash _presstime presstime.fish; do
    put 644 "$work/manual/$shell" "$tree/completions/$shell"
done
put 644 "$here/presstime.service" "$tree/systemd/presstime.service"
# A second desk on the machine: the same unit with its own settings and data.
sed -e 's|/etc/presstime/presstime.toml|/etc/presstime/%i.toml --data /var/lib/presstime-%i|' \
    -e 's|^StateDirectory=presstime$|StateDirectory=presstime-%i|' \
    -e 's|^Description=.*|&: %i|' "$here/presstime.service" >"$tree/systemd/presstime@.service"
put 644 "$here/sysusers.conf" "$tree/systemd/sysusers.conf"
put 644 "$here/presstime.toml" "$tree/presstime.toml"
put 755 "$here/install.sh" "$tree/install.sh"
put 644 "$root/LICENSE" "$tree/LICENSE"
put 644 "$root/CHANGELOG.md" "$tree/CHANGELOG.md"
put 644 "$root/docs/INSTALL.md" "$tree/INSTALL.md"
put 644 "$root/docs/UPGRADE.md" "$tree/UPGRADE.md"
put 644 "$root/docs/BACKUP.md" "$tree/BACKUP.md"
if [ -n "${SBOM:-}" ]; then put 644 "$SBOM" "$tree/presstime.cdx.json"; fi

# The Debian package.
put 755 "$tree/bin/presstime" "$deb/usr/bin/presstime"
install -d -m 750 "$deb/etc/presstime"
put 640 "$tree/presstime.toml" "$deb/etc/presstime/presstime.toml"
for unit in presstime.service presstime@.service; do
    put 644 "$tree/systemd/$unit" "$deb/usr/lib/systemd/system/$unit"
done
put 644 "$tree/systemd/sysusers.conf" "$deb/usr/lib/sysusers.d/presstime.conf"
for page in "$tree"/man/*.1; do put 644 "$page" "$deb/usr/share/man/man1/${page##*/}"; done
put 644 "$tree/completions/presstime.bash" "$deb/usr/share/bash-completion/completions/presstime"
put 644 "$tree/completions/_presstime" "$deb/usr/share/zsh/vendor-completions/_presstime"
put 644 "$tree/completions/presstime.fish" "$deb/usr/share/fish/vendor_completions.d/presstime.fish"
put 644 "$root/LICENSE" "$deb/usr/share/doc/presstime/copyright"
put 644 "$tree/INSTALL.md" "$deb/usr/share/doc/presstime/INSTALL.md"
put 644 "$tree/UPGRADE.md" "$deb/usr/share/doc/presstime/UPGRADE.md"
put 644 "$tree/BACKUP.md" "$deb/usr/share/doc/presstime/BACKUP.md"
{
    echo "presstime ($version) unstable; urgency=medium"
    echo
    echo "  * Release $version: see CHANGELOG.md of the source."
    echo
    echo " -- The Presstime contributors <presstime@localhost>  $(date -R -d "@$SOURCE_DATE_EPOCH")"
} >"$deb/usr/share/doc/presstime/changelog"
gzip -9n "$deb"/usr/share/man/man1/*.1 "$deb/usr/share/doc/presstime/changelog"
size=$(find "$deb" -type f -printf '%s\n' | awk '{ sum += $1 } END { print int(sum / 1024) + 1 }')
install -d -m 755 "$deb/DEBIAN"
fill "$here/debian/control" >"$deb/DEBIAN/control"
echo /etc/presstime/presstime.toml >"$deb/DEBIAN/conffiles"
put 644 "$here/debian/templates" "$deb/DEBIAN/templates"
for script in config postinst prerm postrm; do put 755 "$here/debian/$script" "$deb/DEBIAN/$script"; done
(cd "$deb" && find usr -type f | sort | xargs md5sum) >"$deb/DEBIAN/md5sums"

# The same times everywhere.
find "$tree" "$deb" -exec touch --no-dereference --date "@$SOURCE_DATE_EPOCH" {} +
mkdir -p "$out"
rm -f "$out"/presstime* "$out/Containerfile" "$out/SHA256SUMS"
if [ -n "${FAST:-}" ]; then compression='-Zgzip -z1' level=1; else compression=-Zxz level=9; fi
# shellcheck disable=SC2086
dpkg-deb --root-owner-group $compression --build "$deb" "$out/presstime_${version}_$arch.deb" >"$work/log"
tar --create --directory "$work" --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner \
    --format=ustar "presstime-$version" | gzip -n "-$level" >"$out/$name.tar.gz"
fill "$here/Containerfile" >"$out/Containerfile"
if [ -n "${SBOM:-}" ]; then put 644 "$SBOM" "$out/presstime-$version.cdx.json"; fi
(cd "$out" && sha256sum presstime* Containerfile) >"$work/sums"
mv "$work/sums" "$out/SHA256SUMS"
