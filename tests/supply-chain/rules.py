"""Holds every crate of the program, for each of its systems, against deny.toml: licences, bans, sources, and the
faults that were known when known_faults.json was written. Needs no network once the crates are there.

  rules.py                 checks
  rules.py snapshot DIR    writes known_faults.json from a clone of the RustSec advisory database

`cargo deny` reads the same deny.toml for the faults known today (check.sh advisories). It takes minutes to build, so
what every test run needs is done here.
"""

import json
import re
import subprocess
import sys
import tomllib
from functools import cache
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
KNOWN_FAULTS = HERE / "known_faults.json"
CRATES_IO = "registry+https://github.com/rust-lang/crates.io-index"


def metadata(target):
    command = ["cargo", "metadata", "--locked", "--format-version", "1", "--all-features", "--filter-platform", target]
    return json.loads(subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE).stdout)


def allows(expression, allowed):
    """Whether an SPDX expression can be met with allowed licences. AND binds tighter than OR."""
    tokens = re.findall(r"[()]|[^\s()]+", expression.replace("/", " OR "))

    def choice():
        met = all_of()
        while tokens and tokens[0] == "OR":
            tokens.pop(0)
            met = all_of() or met
        return met

    def all_of():
        met = one()
        while tokens and tokens[0] == "AND":
            tokens.pop(0)
            met = one() and met
        return met

    def one():
        name = tokens.pop(0)
        if name == "(":
            met = choice()
            tokens.pop(0)
            return met
        if tokens and tokens[0] == "WITH":
            tokens.pop(0)
            name += " WITH " + tokens.pop(0)
        return name in allowed

    return choice() and not tokens


@cache
def order(version):
    """A version as it is compared: what comes before a release is lower than it."""
    numbers, _, before = version.split("+")[0].partition("-")
    numbers = [int(number) for number in numbers.split(".")]
    parts = [(0, int(part), "") if part.isdigit() else (1, 0, part) for part in before.split(".") if part]
    return (numbers + [0, 0])[:3], not before, parts


def fits(version, requirement):
    return all(fits_one(order(version), part.strip()) for part in requirement.split(","))


def fits_one(version, requirement):
    operator, wanted = re.fullmatch(r"(>=|<=|>|<|=|\^|~)?\s*([^\s]+)", requirement).groups()
    given = wanted.split("-")[0].count(".") + 1
    low = order(wanted)
    match operator:
        case ">=":
            return version >= low
        case "<=":
            return version <= low
        case ">":
            return version > low
        case "<":
            return version < low
        case "=":
            return version == low
    # The first number that is not zero stays the same, or with a tilde the one before the last.
    numbers = low[0]
    fixed = next((at for at in range(given) if numbers[at]), given - 1) if operator != "~" else min(given - 1, 1)
    high = numbers[:fixed] + [numbers[fixed] + 1] + [0, 0]
    return low <= version and version[0] < high[:3]


def rules(config, target):
    """What is wrong with the crates of one system."""
    found = metadata(target)
    packages = {package["id"]: package for package in found["packages"]}
    nodes = found["resolve"]["nodes"]
    own = set(found["workspace_members"])
    named = lambda package: f"{package['name']} {package['version']}"

    allowed = set(config["licenses"]["allow"])
    for node in nodes:
        package = packages[node["id"]]
        licence = package["license"]
        if not licence or not allows(licence, allowed):
            yield f"licence of {named(package)}: {licence or 'none named'}"
        if package["source"] != CRATES_IO and node["id"] not in own:
            yield f"source of {named(package)}: {package['source'] or 'a folder outside the workspace'}"

    wrappers = {ban["name"]: ban.get("wrappers") for ban in config["bans"]["deny"]}
    for node in nodes:
        for dependency in node["deps"]:
            banned = packages[dependency["pkg"]]["name"]
            user = packages[node["id"]]["name"]
            if banned in wrappers and user not in (wrappers[banned] or []):
                yield f"{banned} is not for {user}"
    for member in own:
        for dependency in packages[member]["dependencies"]:
            if dependency["req"] == "*" and not dependency.get("path"):
                yield f"{packages[member]['name']} takes any version of {dependency['name']}"


def faults(config):
    """Crates of the lock file with a fault that was known when the list was written."""
    known = json.loads(KNOWN_FAULTS.read_text())
    ignored = set(config["advisories"]["ignore"])
    for package in tomllib.loads((ROOT / "Cargo.lock").read_text())["package"]:
        for fault in known["faults"].get(package["name"], []):
            fine = any(fits(package["version"], good) for good in fault["good"])
            if fault["id"] not in ignored and not fine:
                yield f"{package['name']} {package['version']} has {fault['id']}"


def check():
    config = tomllib.loads((HERE / "deny.toml").read_text())
    wrong = {problem for target in config["graph"]["targets"] for problem in rules(config, target)}
    wrong |= set(faults(config))
    if wrong:
        sys.exit("not allowed:\n" + "\n".join(sorted(wrong)))
    known = json.loads(KNOWN_FAULTS.read_text())
    print(f"crates ok: licences, bans, sources, and no fault that was known on {known['as_of']}")


def snapshot(database):
    """The database reduced to what tells whether a version is affected."""
    faults = {}
    for path in sorted(Path(database).glob("crates/*/*.md")):
        head = re.search(r"```toml\n(.*?)```", path.read_text(), re.DOTALL)
        fault = tomllib.loads(head.group(1))
        advisory, versions = fault["advisory"], fault["versions"]
        if "withdrawn" in advisory or advisory.get("informational") == "notice":
            continue
        good = versions.get("patched", []) + versions.get("unaffected", [])
        faults.setdefault(advisory["package"], []).append({"id": advisory["id"], "good": good})
    git = ["git", "-C", database, "log", "-1", "--format=%cs"]
    as_of = subprocess.run(git, check=True, text=True, stdout=subprocess.PIPE).stdout.strip()
    known = {"source": "https://github.com/rustsec/advisory-db", "as_of": as_of, "faults": faults}
    lines = json.dumps(known, ensure_ascii=False, separators=(",", ":")).replace('],"', '],\n"')
    KNOWN_FAULTS.write_text(lines + "\n")


if __name__ == "__main__":
    if sys.argv[1:2] == ["snapshot"]:
        snapshot(sys.argv[2])
    else:
        check()
