#!/usr/bin/env bash
# Installs the system packages that building, running and testing the window need.
#   packages.sh build   what `make run` needs on a machine with a display
#   packages.sh test    the same, and a virtual display, a keychain, the web driver, Japanese fonts and AT-SPI
#   packages.sh packages   what the trial of the Debian and rpm packages needs
#   packages.sh windows    a linker for Windows, and Wine
#   packages.sh peers   what the programs that the bench compares with are built from
# On Debian and Ubuntu by apt, with sudo where not root; elsewhere it names what is missing.
set -euo pipefail

build=(build-essential pkg-config libwebkit2gtk-4.1-dev librsvg2-dev)
test=(webkit2gtk-driver xvfb xauth xdotool dbus dbus-x11 gnome-keyring fonts-noto-cjk poppler-utils zbar-tools python3-venv
    at-spi2-core gir1.2-atspi-2.0 python3-gi)
peers=(build-essential pkg-config curl libclang-dev libcurl4-openssl-dev libssl-dev libxml2-dev python3-venv)

packages=(debootstrap apt-utils gpg lintian rpm)
windows=(gcc-mingw-w64-x86-64 wine wine64)

case "${1:-}" in
    build) wanted=("${build[@]}") ;;
    test) wanted=("${build[@]}" "${test[@]}") ;;
    peers) wanted=("${peers[@]}") ;;
    packages) wanted=("${packages[@]}") ;;
    windows) wanted=("${windows[@]}") ;;
    *)
        echo "usage: packages.sh build|test|packages|windows|peers" >&2
        exit 2
        ;;
esac

if ! command -v dpkg-query >/dev/null; then
    if pkg-config --exists webkit2gtk-4.1 librsvg-2.0 2>/dev/null || [ "$(uname)" != Linux ]; then
        exit 0
    fi
    echo "This system has no apt. Please install what these Debian packages hold: ${wanted[*]}" >&2
    exit 1
fi

missing=()
for package in "${wanted[@]}"; do
    if ! dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null | grep -qx installed; then
        missing+=("$package")
    fi
done
[ "${#missing[@]}" -eq 0 ] && exit 0

as_root=()
if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null; then
        echo "Missing, and neither root nor sudo is here to install it: ${missing[*]}" >&2
        exit 1
    fi
    as_root=(sudo)
fi
echo "installing: ${missing[*]}"
"${as_root[@]}" apt-get update -qq
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
