#!/usr/bin/env python3
"""Holds the crates' dependencies against layers.toml; exit 1 names every one that breaks a layer."""

import json
import pathlib
import subprocess
import sys
import tomllib

HERE = pathlib.Path(__file__).resolve().parent
RULES = tomllib.loads((HERE / "layers.toml").read_text(encoding="utf-8"))


def dependencies():
    """The dependencies of each crate of the workspace, those of tests left out."""
    command = ["cargo", "metadata", "--format-version", "1", "--no-deps", "--locked"]
    found = subprocess.run(command, cwd=HERE, check=True, capture_output=True).stdout
    return {
        package["name"]: {
            dependency["name"]
            for dependency in package["dependencies"]
            if dependency["kind"] != "dev"
        }
        for package in json.loads(found)["packages"]
        if package["name"] != "warranty-bench"
    }


def faults(crates):
    """What breaks a layer, one line each."""
    arrows = RULES["arrows"]
    owners = {name: [crate] for crate, names in RULES["fences"].items() for name in names}
    owners |= RULES["fences_shared"]
    for crate, names in sorted(crates.items()):
        if crate not in arrows:
            yield f"{crate} is in no layer: give it one in layers.toml"
            continue
        for name in sorted(names & set(crates) - set(arrows[crate])):
            yield f"{crate} must not depend on {name}"
        for name in sorted(set(arrows[crate]) - names):
            yield f"{crate} does not depend on {name}: take it out of layers.toml"
        for name in sorted(names & set(owners)):
            if crate not in owners[name]:
                yield f"{crate} must not name {name}: it belongs to {', '.join(owners[name])}"
        for name in sorted(names & set(RULES["never"].get(crate, []))):
            yield f"{crate} must not name {name} at all"
    for name, crates_of in sorted(owners.items()):
        if not any(name in crates.get(crate, ()) for crate in crates_of):
            yield f"nobody names {name}: take it out of layers.toml"


def main():
    """Prints the faults."""
    found = list(faults(dependencies()))
    for line in found:
        print(line, file=sys.stderr)
    if not found:
        print(f"{len(RULES['arrows'])} crates keep their layers")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
