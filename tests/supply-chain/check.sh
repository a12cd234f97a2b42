#!/usr/bin/env bash
# What the program is made of, and whether it may be.
#
#   check.sh rules       licences, crates and sources against deny.toml, and faults that were known when
#                        known_faults.json was written; licences of the packages that the front end ships, and that
#                        all packages come from the public registry with their checksums
#   check.sh advisories  faults of crates and packages known today. Needs the network: the databases are fetched.
#                        When they cannot be, it says so and fails: "not checked" is never taken for "clean".
#   check.sh sbom        bills of materials (CycloneDX) into artifacts/sbom
#
# The programs that the last two need are built once, at the versions below, into .tools; ui/node_modules must be
# there.
set -euo pipefail

deny_version=0.20.2
cyclonedx_version=0.5.9

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
bin=$root/.tools/bin
config=$here/deny.toml
cd "$root"

program() { # NAME VERSION
  if ! "$bin/$1" --version 2>/dev/null | grep -qF "$2" && ! "$bin/$1" "${1#cargo-}" --version 2>/dev/null | grep -qF "$2"; then
    echo "building $1 $2 into .tools"
    cargo install --quiet --locked --root .tools --version "$2" "$1"
  fi
}

case ${1:-} in
rules)
  python3 "$here/rules.py"
  (cd ui && npm sbom --sbom-format cyclonedx --omit dev) | python3 "$here/npm_licences.py" \
    ui/package-lock.json src-tauri/setup/bundling/package-lock.json
  ;;
advisories)
  program cargo-deny "$deny_version"
  failed=
  "$bin/cargo-deny" --locked --config "$config" check advisories || failed="crates"
  (cd ui && npm audit --omit dev) || failed="$failed packages"
  [ -z "$failed" ] || { echo "advisories: not clean or not checked: $failed" >&2; exit 1; }
  ;;
sbom)
  program cargo-cyclonedx "$cyclonedx_version"
  mkdir -p artifacts/sbom
  for package in warranty-desk:. warranty-cli:src-tauri/crates/cli; do
    name=${package%%:*}
    folder=${package#*:}
    "$bin/cargo-cyclonedx" cyclonedx --quiet --format json --spec-version 1.5 --all --no-build-deps \
      --manifest-path "$folder/Cargo.toml" --override-filename "$name.cdx"
    mv "$folder/$name.cdx.json" "artifacts/sbom/$name.cdx.json"
    # It describes every crate of the workspace beside its manifest; two of them are handed out.
    find src-tauri/crates tests . -maxdepth 2 -name "$name.cdx.json" -not -path './artifacts/*' -delete
  done
  (cd ui && npm sbom --sbom-format cyclonedx --omit dev) >artifacts/sbom/ui.cdx.json
  python3 "$here/bill.py" artifacts/sbom/*.cdx.json
  ;;
*)
  sed -n '2,/^set/p' "${BASH_SOURCE[0]}" | sed '$d; s/^# \{0,1\}//' >&2
  exit 2
  ;;
esac
