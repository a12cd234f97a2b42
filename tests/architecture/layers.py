#!/usr/bin/env python3
"""Holds the crates' dependencies and their modules' imports against layers.toml.

Exit 1 names each dependency that breaks a layer, and each circle of imports between the modules at the
top of a crate. Imports of tests do not count.
"""

import json
import pathlib
import re
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


def paths(tree):
    """The paths of a use tree: `crate::{a::b, c}` has two."""
    opened = tree.find("{")
    if opened < 0:
        return [tree.strip()]
    start, parts, depth, part = tree[:opened].strip(), [], 0, ""
    for letter in tree[opened + 1 : tree.rindex("}")]:
        depth += (letter == "{") - (letter == "}")
        if letter == "," and depth == 0:
            parts.append(part)
            part = ""
        else:
            part += letter
    return [start + path for one in [*parts, part] if one.strip() for path in paths(one)]


def imports(source):
    """Which module at the top of a crate imports which others."""
    found = {}
    files = [file for file in source.rglob("*.rs") if not is_test(file.relative_to(source))]
    tops = {file.relative_to(source).parts[0].removesuffix(".rs") for file in files}
    named = named_by_root(source, tops)
    for file in files:
        parts = file.relative_to(source).parts
        top = parts[0].removesuffix(".rs")
        text = re.sub(r"//.*", "", file.read_text(encoding="utf-8"))
        text = text.split("#[cfg(test)]\nmod tests {")[0]
        used = [path for tree in re.findall(r"\buse ([^;]+);", text) for path in paths(tree)]
        used += re.findall(r"\b(?:crate|super)(?:::\w+)+", re.sub(r"\buse [^;]+;", "", text))
        # In a file of the top, `super` is the crate.
        roots = ("crate", "super") if len(parts) == 1 else ("crate",)
        names = [path.split("::") for path in used if path.split("::")[0] in roots]
        others = {name[1].strip() for name in names if len(name) > 1}
        others = {named.get(other, other) for other in others} & tops - {top}
        found[top] = found.get(top, set()) | others
    return found


def named_by_root(source, tops):
    """What the root of a crate imports for its modules, with the module that it comes from."""
    root = next(source / name for name in ("lib.rs", "main.rs") if (source / name).is_file())
    trees = re.findall(r"(?m)^use crate::([^;]+);", root.read_text(encoding="utf-8"))
    found = [path.split("::") for tree in trees for path in paths(tree)]
    return {path[-1].strip(): path[0] for path in found if path[0] in tops - {path[-1]}}


def is_test(file):
    """Whether a file is there for tests alone."""
    named = file.name.endswith("tests.rs") or file.name in RULES["tests"]["files"]
    return named or bool(set(file.parts[:-1]) & set(RULES["tests"]["folders"]))


def circles(graph):
    """The modules that import themselves by way of others, one set a circle."""
    reached = {}
    for start in graph:
        seen, left = set(), [start]
        while left:
            new = graph.get(left.pop(), set()) - seen
            seen |= new
            left += new
        reached[start] = seen
    found = []
    for one in sorted(graph):
        circle = {other for other in reached[one] if one in reached.get(other, ())}
        if circle and circle not in found:
            found.append(circle)
    return found


def circle_faults():
    """The circles of imports, one line each."""
    root = HERE.parents[1]
    sources = {"window": root / "src-tauri/src"}
    for folder in sorted((root / "src-tauri/crates").iterdir()):
        sources[folder.name] = folder / "src"
    for name, source in sources.items():
        for circle in circles(imports(source)):
            yield f"{name}: a circle of {', '.join(sorted(circle))}"


def main():
    """Prints the faults."""
    found = [*faults(dependencies()), *circle_faults()]
    for line in found:
        print(line, file=sys.stderr)
    if not found:
        print(f"{len(RULES['arrows'])} crates keep their layers")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
