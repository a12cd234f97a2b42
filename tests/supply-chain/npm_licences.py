"""Reads a CycloneDX bill from stdin; fails when a package in it has a licence that is not allowed."""

import json
import sys

ALLOWED = {"0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "ISC", "MIT"}
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


def main():
    components = json.load(sys.stdin)["components"]
    refused = []
    for component in components:
        found = list(licences(component))
        if not found or not all(map(is_allowed, found)):
            named = ", ".join(found) or "no licence named"
            refused.append(f"{component['name']} {component['version']}: {named}")
    if refused:
        sys.exit("licences not allowed:\n" + "\n".join(refused))
    print(f"npm licences ok ({len(components)} packages)")


main()
