#!/usr/bin/env bash
# Runs wdesk.exe under Wine, with an empty Windows of its own: a policy from the registry; 500 sales into a practice
# service on this machine, whose own ledger is counted; the token in the Credential Manager; one program at a time in
# a data folder; the place of that folder. What only Windows itself can show (window, installers, signatures) is not tried here.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/../.."
target=${CARGO_TARGET_DIR:-target}
exe=$target/x86_64-pc-windows-gnu/debug/wdesk.exe
here=$target/debug/wdesk
work=$(mktemp -d)
export WINEPREFIX=$work/wine WINEDEBUG=-all WINEARCH=win64 DISPLAY=
wdesk() { wine "$exe" "$@"; }
step() { printf '\n== %s\n' "$*"; }
fail() { echo "FAILED: $*" >&2; exit 1; }
service=
finish() {
    [ -z "$service" ] || kill "$service" || true
    wineserver -k || true
    rm -rf "$work"
}
trap finish EXIT

step "an empty Windows"
wineboot --init >"$work/wineboot.log" 2>&1
# Wine 8 lacks the library of Windows 10 that Rust takes random numbers from: this one asks Wine's own.
cat >"$work/random.c" <<'C'
__declspec(dllimport) unsigned char __stdcall SystemFunction036(void *, unsigned long);
__declspec(dllexport) int ProcessPrng(unsigned char *data, unsigned long long size) { return SystemFunction036(data, size); }
C
x86_64-w64-mingw32-gcc -shared -o "$WINEPREFIX/drive_c/windows/system32/bcryptprimitives.dll" "$work/random.c" -ladvapi32
wdesk --version

step "a practice service on this machine"
mkfifo "$work/listening"
# The first batch's answer takes its time, so that a second program can be tried meanwhile.
echo '[{"operations": ["bulkCreateContracts"], "action": {"slowDrip": {"chunkBytes": 1000000, "pauseMs": 8000}}, "times": 1}]' \
    >"$work/script.json"
"$here" sandbox serve --token practice --script "$work/script.json" >"$work/listening" &
service=$!
exec 3<"$work/listening"
read -r line <&3
url=${line#listening on }

step "a policy in the registry: the profile, the store of the machine, a table, and what is locked"
policies='HKLM\SOFTWARE\Policies\WarrantyDesk'
policy() { wine reg add "$policies$1" /f /v "$2" /t "$3" /d "$4" >/dev/null; }
profiles='[{"key":"trial","name":"Trial","baseUrl":"'$url'","storeId":["machine-env:STORE","table:stores.csv"],"utcOffset":"+09:00"}]'
policy '' profiles REG_SZ "$profiles"
policy '' ProfilesLocked REG_DWORD 1 # capitals do not matter there
policy '' exportAllowed REG_SZ perhaps
policy '\Recommended' language REG_SZ ja
wdesk policy show | grep -q 'never was a good one' || fail "a first policy with a mistake closes no till"
policy '' exportAllowed REG_DWORD 0
wdesk policy show | grep -q 'no source names its store' || fail "the store was told by nothing"
environment='HKLM\SYSTEM\CurrentControlSet\Control\Session Manager\Environment'
wine reg add "$environment" /f /v STORE /t REG_EXPAND_SZ /d '%KIND%-001' >/dev/null
wdesk policy show | grep -q 'made of other variables' || fail "a store was told by variables of the user"
wine reg delete "$environment" /f /v STORE >/dev/null
wine reg add "$policies\Tables" /f /v stores.csv /t REG_MULTI_SZ /d "host,store\\0$(hostname),store-sample-001" >/dev/null
wdesk policy show
code=0
wdesk --json profile add own --base-url "$url" --store-id store-1 >"$work/locked.json" 2>&1 || code=$?
grep -q '"managed"' "$work/locked.json" && [ "$code" = 2 ] || { cat "$work/locked.json"; fail "a lock of the registry let it through"; }
wdesk profile list | grep store-sample-001 || fail "the managed profile has not the store of the table"

step "the token in the Credential Manager"
printf practice | wdesk token set --profile trial
(cd "$WINEPREFIX" && find drive_c/users -ipath '*appdata/local/warranty-desk/*' -name '*.db*') | grep . ||
    fail "the data folder is not in %LOCALAPPDATA%"
wineserver -w # it writes the registry when it ends
grep -i '^\[Software\\\\Wine\\\\Credential Manager' "$WINEPREFIX/user.reg" || fail "nothing in the Credential Manager"

ledger() { # the number of sales, and of different ones
    curl -sf -H 'X-Service-Auth-Token: practice' "$url/_sandbox/ledger" | python3 -c 'import json, sys
sold = json.load(sys.stdin)
print(len(sold), len({(s["transactionId"], s["productReferenceId"], s["planId"]) for s in sold}))'
}

step "500 sales, and a second program in the same data folder meanwhile"
wdesk plans link plan-2000000000015-standard-120 EW-10Y
wdesk contracts enter tests/fixtures/sales-500.csv &
entering=$!
until [ "$(ledger)" != "0 0" ]; do kill -0 "$entering" || fail "it ended and sold nothing"; done
code=0
printf practice | wdesk --json token set >"$work/second.json" 2>&1 || code=$?
grep -q '"inUse"' "$work/second.json" && [ "$code" = 2 ] || { cat "$work/second.json"; fail "the second ended with $code"; }
wait "$entering"
[ "$(ledger)" = "500 500" ] || fail "the ledger says $(ledger)"
echo "sales in the service's ledger, different ones: $(ledger)"

step "a file with a name of 250 characters"
wdesk support bundle --out "C:\\$(printf 'a%.0s' {1..250})" >/dev/null

step "the same file again sells nothing"
wdesk contracts enter tests/fixtures/sales-500.csv
[ "$(ledger)" = "500 500" ] || fail "the ledger says $(ledger)"
wdesk outbox status

printf '\nall steps passed\n'
