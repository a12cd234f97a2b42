#!/usr/bin/env bash
# The outside judges of the OpenAPI document and of what is said to follow it.
#
#   judge.sh [BIN] [document] [service] [client] [traffic FILE...]
#
# BIN        folder of the judges' programs, with the packages of requirements.txt; left out, they are installed
#            into .tools/venv
# document   openapi-spec-validator: is the document itself lawful?
# service    schemathesis: does the practice service follow the document, whatever it is asked?
# client     openapi-core: does what wdesk really sends follow it, in every operation? Needs a keychain: run it
#            through src-tauri/setup/session.sh
# traffic    openapi-core: the same for exchanges recorded elsewhere. Takes all remaining arguments.
# Without a judge's name: document, service and client.
#
# WDESK      the program to judge (default: target/debug/wdesk)
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
bin=
token=judge-$$
wdesk=${WDESK:-$root/target/debug/wdesk}
scratch=$(mktemp -d)
server=
export PYTHONDONTWRITEBYTECODE=1

finish() {
  stop_serving
  rm -rf "$scratch"
}
trap finish EXIT

fail() {
  echo "judge.sh: $*" >&2
  exit 1
}

install_judges() {
  local venv=$root/.tools/venv
  bin=$venv/bin
  if cmp -s "$here/requirements.txt" "$venv/installed.txt"; then return; fi
  python3 -m venv "$venv" || fail "the judges need Python 3 with venv (Debian: apt-get install python3-venv)"
  "$bin/pip" install --quiet --disable-pip-version-check --requirement "$here/requirements.txt" ||
    fail "the judges could not be installed; the lines above say why"
  cp "$here/requirements.txt" "$venv/installed.txt"
}

# Starts the practice service; $base is then its address. Further arguments go to it.
serve() {
  local line=
  [ -x "$wdesk" ] || fail "$wdesk is not there: build it first (cargo build -p warranty-cli)"
  coproc PRACTICE { exec "$wdesk" sandbox serve --addr 127.0.0.1:0 --token "$token" "$@"; }
  server=$PRACTICE_PID
  read -r -t 30 line <&"${PRACTICE[0]}" || true
  [[ $line == "listening on "* ]] || fail "the practice service did not start: ${line:-no answer}"
  base=${line#listening on }
}

stop_serving() {
  if [ -n "$server" ]; then
    kill "$server" 2>/dev/null || true
    wait "$server" 2>/dev/null || true
    server=
  fi
}

judge_document() {
  "$bin/openapi-spec-validator" "$here/openapi.yaml"
}

judge_service() {
  serve
  (
    # schemathesis leaves a folder of its own where it runs.
    cd "$scratch"
    JUDGE_TOKEN=$token SCHEMATHESIS_HOOKS=hooks PYTHONPATH=$here "$bin/schemathesis" run "$here/openapi.yaml" \
      --url "$base" \
      --header "X-Service-Auth-Token: $token" \
      --header "Content-Type: application/json" \
      --header "Accept: application/json" \
      --checks all --exclude-checks positive_data_acceptance \
      --max-examples 20 --generation-deterministic \
      --workers 1 --request-timeout 10 --no-color
  )
  stop_serving
}

# Every operation through wdesk, on sample data, as a store would use it.
judge_client() {
  local desk=("$wdesk" --data-dir "$scratch/desk") product=2000000000015 plan=plan-2000000000015-standard
  [ -n "${DBUS_SESSION_BUS_ADDRESS:-}" ] ||
    fail "the client keeps its token in a keychain: run this through src-tauri/setup/session.sh"
  serve --record "$scratch/exchanges.jsonl"
  cat > "$scratch/sales.csv" << CSV
transactionId,transactionTotal,transactionDate,customerName,customerEmail,productReferenceId,productPurchasePrice,planId,planPurchasePrice
T-JUDGE-1,196440,2025-06-01T13:45:10+09:00,佐藤 花子,hanako.sato@sample.example,$product,189800,$plan-36,6640
T-JUDGE-2,199290,2025-06-01T14:05:00.5+09:00,鈴木 一郎,ichiro.suzuki@sample.example,$product,189800,$plan-60,9490
CSV
  {
    "${desk[@]}" profile add judge --base-url "$base" --store-id store-sample-001
    printf '%s' "$token" | "${desk[@]}" token set
    "${desk[@]}" plans list --product "$product"
    "${desk[@]}" plans list --product "$product" --status LiveInStore
    "${desk[@]}" plans show "$plan-36"
    "${desk[@]}" plans link "$plan-120" 店-EW10
    "${desk[@]}" products put --reference-id "店内 №1/新" --title "電気ケトル 1.0L" --price 5980 \
      --image-url https://sample.invalid/images/new.jpg --category 調理家電
    "${desk[@]}" contracts enter "$scratch/sales.csv"
    "${desk[@]}" leads create --transaction-id T-JUDGE-3 --product "$product" --purchase-price 189800 --quantity 1
  } > "$scratch/words" 2>&1 || {
    cat "$scratch/words" >&2
    fail "wdesk did not get through; its words are above"
  }
  stop_serving
  judge_traffic --every-operation "$scratch/exchanges.jsonl"
}

judge_traffic() {
  "$bin/python" "$here/check_traffic.py" "$@"
}

if [ $# -gt 0 ] && [ -d "$1" ]; then
  bin=$(cd "$1" && pwd)
  shift
else
  install_judges
fi
if [ $# -eq 0 ]; then set -- document service client; fi
while [ $# -gt 0 ]; do
  case $1 in
    document) judge_document ;;
    service) judge_service ;;
    client) judge_client ;;
    traffic)
      shift
      judge_traffic "$@"
      break
      ;;
    *) fail "there is no judge '$1'; there are document, service, client and traffic" ;;
  esac
  shift
done
