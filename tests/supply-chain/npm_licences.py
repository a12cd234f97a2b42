"""Reads a CycloneDX bill from stdin and the lock files named as arguments; fails when a package in the bill has a licence
that is not allowed, or one in a lock file has no checksum or comes from elsewhere than the public registry."""

import json
import sys
from pathlib import Path

from rules import allows

ALLOWED = {"0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "ISC", "MIT"}
REGISTRY = "https://registry.npmjs.org/"
# Its package.json names none; the LICENSE file beside it is MIT.
READ_BY_A_PERSON = {"svelte-toolbelt": "MIT"}


def licences(component):
    for entry in component.get("licenses", []):
        licence = entry.get("license", {})
        yield licence.get("id") or licence.get("name") or entry.get("expression") or "unknown"
    if component["name"] in READ_BY_A_PERSON:
        yield READ_BY_A_PERSON[component["name"]]


def sources(path):
    """What is wrong with where packages come from. A lock file may name no address; what is asked for must then be a
    version, for npm fetches any address or folder that stands in its place."""
    if path.with_name("npm-shrinkwrap.json").exists():
        yield f"{path.parent}: npm-shrinkwrap.json counts in place of the lock file"
    for name, package in json.loads(path.read_text())["packages"].items():
        resolved = package.get("resolved", REGISTRY)
        if name and not name.startswith("node_modules/"):
            yield f"{name}: a folder outside the registry"
        elif package.get("link") or not resolved.startswith(REGISTRY):
            yield f"{name}: from {resolved}"
        elif name and not package.get("integrity", "").startswith("sha512-"):
            yield f"{name}: no sha512 checksum"
        yield from addresses(name, package)
    yield from addresses("package.json", json.loads(path.with_name("package.json").read_text()))


def addresses(name, package):
    for kind in ("dependencies", "devDependencies", "optionalDependencies", "peerDependencies"):
        for wanted, version in package.get(kind, {}).items():
            if ":" in version or "/" in version:
                yield f"{name or 'lock file'}: {wanted} from {version}"


def main():
    if wrong := [problem for path in sys.argv[1:] for problem in sources(Path(path))]:
        sys.exit("sources not allowed:\n" + "\n".join(wrong))
    components = json.load(sys.stdin)["components"]
    refused = []
    for component in components:
        found = list(licences(component))
        if not found or not all(allows(licence, ALLOWED) for licence in found):
            named = ", ".join(found) or "no licence named"
            refused.append(f"{component['name']} {component['version']}: {named}")
    if refused:
        sys.exit("licences not allowed:\n" + "\n".join(refused))
    print(f"npm licences and sources ok ({len(components)} packages)")


main()
