"""Reads a CycloneDX bill from stdin and the lock file named as argument; fails when a package in the bill has a licence
that is not allowed, or one in the lock file has no checksum or comes from elsewhere than the public registry."""

import json
import sys
from pathlib import Path

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


def is_allowed(expression):
    """An expression offers a choice with OR; anything more than that is for a person to read."""
    return any(choice.strip("( )") in ALLOWED for choice in expression.split(" OR "))


def sources(lock):
    """What is wrong with where packages come from. The lock file may name no address: then the checksum tells."""
    for path, package in lock["packages"].items():
        resolved = package.get("resolved", REGISTRY)
        if path and not path.startswith("node_modules/"):
            yield f"{path}: a folder outside the registry"
        elif package.get("link") or not resolved.startswith(REGISTRY):
            yield f"{path}: from {resolved}"
        elif path and not package.get("integrity", "").startswith("sha512-"):
            yield f"{path}: no sha512 checksum"


def main():
    lock = json.loads(Path(sys.argv[1]).read_text())
    if wrong := list(sources(lock)):
        sys.exit("sources not allowed:\n" + "\n".join(wrong))
    components = json.load(sys.stdin)["components"]
    refused = []
    for component in components:
        found = list(licences(component))
        if not found or not all(map(is_allowed, found)):
            named = ", ".join(found) or "no licence named"
            refused.append(f"{component['name']} {component['version']}: {named}")
    if refused:
        sys.exit("licences not allowed:\n" + "\n".join(refused))
    print(f"npm licences and sources ok ({len(components)} packages)")


main()
