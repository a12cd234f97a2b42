#!/usr/bin/env bash
# Tries the Debian and rpm packages that `make bundle` made, in a new Debian of this machine's release that is
# deleted afterwards: lintian, a signed apt repository, install, upgrade, refused downgrade, remove and purge with
# the data kept. Needs root, and the mirrors that apt uses here.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/../.."
bundle=${CARGO_TARGET_DIR:-target}/release/bundle
deb=$(ls "$bundle"/deb/*.deb)
rpm=$(ls "$bundle"/rpm/*.rpm)
work=$(mktemp -d)
trap 'GNUPGHOME=$work/keys gpgconf --kill gpg-agent; rm -rf "$work"' EXIT
root=$work/root
inside() { chroot "$root" /usr/bin/env -i PATH="$PATH" DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 "$@"; }
apt() { inside apt-get -qq -y --no-install-recommends -o APT::Sandbox::User=root -o Dpkg::Use-Pty=0 "$@"; }
step() { printf '\n== %s\n' "$*"; }
fail() { echo "FAILED: $*" >&2; exit 1; }
version() { inside dpkg-query -W -f='${Version}' warranty-desk; }

step "lintian"
lintian --fail-on error,warning "$deb"

step "what is inside"
wanted=(usr/bin/warranty-desk usr/bin/wdesk usr/share/man/man1/wdesk.1.gz usr/share/man/man1/warranty-desk.1.gz
    "usr/share/applications/Warranty Desk.desktop" usr/share/bash-completion/completions/wdesk
    usr/share/doc/warranty-desk/policies/{policy.schema.json,WarrantyDesk.admx,ja-JP/WarrantyDesk.adml}
    usr/share/doc/warranty-desk/sbom/warranty-desk.cdx.json)
dpkg-deb --fsys-tarfile "$deb" | tar -t >"$work/deb.txt"
rpm -qpl "$rpm" >"$work/rpm.txt"
for path in "${wanted[@]}"; do
    grep -qxE "(\./)?$path" "$work/deb.txt" || fail "the deb lacks $path"
    grep -qx "/$path" "$work/rpm.txt" || fail "the rpm lacks /$path"
done
stat -c '%s bytes: %n' "$deb" "$rpm"
rpm -qpi "$rpm" | grep -E '^(Name|Version|License|Size)'
rpm -K --nosignature "$rpm"

step "a signed repository with a throw-away key"
export GNUPGHOME=$work/keys
mkdir -m 700 "$GNUPGHOME"
gpg --batch --quiet --passphrase '' --quick-generate-key 'Trial <trial@example.invalid>' ed25519 sign never
repository() { # FILE...: holds these packages and nothing else
    mkdir -p "$root/srv/repository"
    rm -f "$root"/srv/repository/*
    cp "$@" "$root/srv/repository/"
    (cd "$root/srv/repository" && apt-ftparchive packages . >Packages && apt-ftparchive release . >"$work/Release" &&
        cp "$work/Release" Release && gpg --batch --quiet --clearsign --output InRelease Release)
}
newer=$work/newer.deb
dpkg-deb -R "$deb" "$work/unpacked"
present=$(dpkg-deb -f "$deb" Version)
sed -i "s/^Version: .*/Version: $present+next/" "$work/unpacked/DEBIAN/control"
dpkg-deb --root-owner-group -Zgzip -z1 -b "$work/unpacked" "$newer" >/dev/null
rm -rf "$work/unpacked"

step "a new root"
. /etc/os-release
# Only what debootstrap can read and what holds this system; without it debootstrap has a mirror of its own.
mirror=$(apt-get indextargets --format '$(ORIGIN) $(CODENAME) $(REPO_URI)' "Created-By: Packages" |
    awk -v suite="$VERSION_CODENAME" '/^(Debian|Ubuntu) / && $2 == suite && $3 ~ /^https?:/ { print $3; exit }')
debootstrap --variant=minbase "$VERSION_CODENAME" "$root" ${mirror:+"$mirror"} >"$work/debootstrap.log" ||
    { tail "$work/debootstrap.log"; fail "debootstrap"; }
cp /etc/resolv.conf /etc/hosts "$root/etc/"
mkdir -p "$root/etc/apt/keyrings"
gpg --batch --quiet --export >"$root/etc/apt/keyrings/trial.gpg"
echo "deb [signed-by=/etc/apt/keyrings/trial.gpg] file:/srv/repository ./" >"$root/etc/apt/sources.list.d/trial.list"

step "install from it"
repository "$deb"
apt update
apt install warranty-desk >"$work/install.log" 2>&1 || { tail "$work/install.log"; fail "install"; }
inside wdesk --version
inside ldd /usr/bin/warranty-desk | { ! grep 'not found'; } || fail "a library is missing"
inside useradd --create-home clerk
as_clerk() { inside runuser -u clerk -- env HOME=/home/clerk "$@"; }
as_clerk wdesk profile add trial --base-url http://127.0.0.1:9 --store-id store
data=$root/home/clerk/.local/share/warranty-desk
# A lead that is not sent; a keychain, which a sale needs, is not here.
python3 - "$data/desk.db" <<'PYTHON'
import sqlite3, sys
with sqlite3.connect(sys.argv[1]) as desk:
    desk.execute("""INSERT INTO lead (id, profile_id, state, transaction_id, product_reference_id, product_purchase_price,
        quantity, transaction_date, entered_at, entered_by)
        SELECT 'lead', id, 'queued', 't', 'r', 0, 1, '2026-11-21T10:00:00.000+09:00', 0, 'clerk' FROM profile""")
PYTHON
echo kept >"$data/sample"

step "a repository without its signature is refused"
cp "$root/srv/repository/InRelease" "$work/InRelease"
sed -i 's/^Date: .*/Date: Thu, 01 Jan 1970 00:00:00 UTC/' "$root/srv/repository/InRelease"
if apt update -o APT::Update::Error-Mode=any >"$work/unsigned.log" 2>&1; then fail "changed metadata was taken"; fi

step "upgrade"
repository "$newer"
apt update
apt install warranty-desk
[ "$(version)" = "$present+next" ] || fail "not upgraded"

step "a downgrade is refused"
cp "$deb" "$root/older.deb"
if inside dpkg -i /older.deb 2>&1 | tee "$work/downgrade.log"; then fail "downgraded"; fi
grep -q 'is installed and newer' "$work/downgrade.log" || fail "refused without a reason"
[ "$(version)" = "$present+next" ] || fail "something was changed"
inside wdesk --version

step "remove, purge"
apt remove warranty-desk 2>&1 | tee "$work/remove.log"
grep -q 'data of clerk stays.*not sent: 1$' "$work/remove.log" || fail "it did not say whose data stays and what is not sent"
[ ! -e "$root/usr/bin/wdesk" ] || fail "wdesk is still there"
apt purge warranty-desk
[ "$(cat "$data/sample")" = kept ] || fail "data was deleted"
if inside dpkg-query -W warranty-desk 2>/dev/null; then fail "not purged"; fi

printf '\nall steps passed\n'
