#!/usr/bin/env bash
# Runs a command in a desktop session of its own: a session bus, an unlocked real keychain, a virtual
# display, and data, cache and runtime folders that vanish afterwards. Nothing of the user's is touched.
#   session.sh COMMAND [ARG ...]
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir -m 700 "$folder/runtime" "$folder/data" "$folder/cache" "$folder/config" "$folder/config/gtk-3.0"
# The print dialog offers no real printer, and a place for its file.
printf '[Settings]\ngtk-print-backends=file\n' >"$folder/config/gtk-3.0/settings.ini"
# shellcheck disable=SC2016 # whoever reads it expands it
printf 'XDG_DOCUMENTS_DIR="$HOME/printed"\n' >"$folder/config/user-dirs.dirs"
export XDG_RUNTIME_DIR="$folder/runtime" XDG_DATA_HOME="$folder/data"
export XDG_CACHE_HOME="$folder/cache" XDG_CONFIG_HOME="$folder/config"
# WebKitGTK on a machine without a graphics card, and without an accessibility bus to wait for. How it
# paints is left to the window; without DMA-BUF the web driver waits forever for a screenshot.
export NO_AT_BRIDGE=1 GTK_A11Y=none GDK_BACKEND=x11 LIBGL_ALWAYS_SOFTWARE=1
unset WEBKIT_DISABLE_DMABUF_RENDERER WEBKIT_DISABLE_COMPOSITING_MODE WEBKIT_FORCE_COMPOSITING_MODE

# shellcheck disable=SC2016 # expanded by the inner shell
inside='printf session | gnome-keyring-daemon --unlock --components=secrets >/dev/null && exec "$@"'
bus=$(dirname "$(readlink -f "$0")")/session-bus.conf
# Without -noreset the display starts over, and refuses windows, whenever the last one has closed.
xvfb-run -a -s "-screen 0 1600x1200x24 -noreset" dbus-run-session --config-file="$bus" -- sh -c "$inside" session "$@"
