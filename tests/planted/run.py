#!/usr/bin/env python3
"""Plants known bugs, one after the other, and shows that the tests name each of them.

    tests/planted/run.py            plant all and run their tests; exit 1 when one is not caught
    tests/planted/run.py NAME ...   only these
    tests/planted/run.py --check    only see that each still fits the sources (fast)

The bugs are in bugs.json: the rule each breaks, the edits that break it, and the test that must
fail. The sources here are never touched: a copy of the tracked files is, under the target folder.
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUGS = json.loads((ROOT / "tests/planted/bugs.json").read_text(encoding="utf-8"))
TARGET = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")).resolve()
COPY = TARGET / "planted"
# A planted bug may make something wait for ever.
LONGEST = 900


def misfits(tree):
    """What of the list does not fit the sources, one line each."""
    found = []
    for bug in BUGS:
        for edit in bug["edits"]:
            file = tree / edit["file"]
            count = file.read_text(encoding="utf-8").count(edit["old"]) if file.is_file() else 0
            if count != 1:
                found.append(f"{bug['name']}: {edit['file']} holds the old text {count} times")
    names = [bug["name"] for bug in BUGS]
    found += [f"{name}: named twice" for name in set(names) if names.count(name) > 1]
    return found


def copy_tree():
    """The tracked files as they are now, in the scratch folder."""
    tracked = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True
    ).stdout.decode()
    kept = set()
    for name in filter(None, tracked.split("\0")):
        source, copy = ROOT / name, COPY / name
        if not source.is_file():
            continue
        kept.add(copy)
        data = source.read_bytes()
        # An unchanged file keeps its time, so that nothing is built anew because of it.
        if not copy.is_file() or copy.read_bytes() != data:
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(data)
    for file in COPY.rglob("*.rs"):
        if file not in kept:
            file.unlink()


def run(test):
    """What a test came to: passes, fails, hangs, or does not build."""
    environment = dict(os.environ, CARGO_TARGET_DIR=str(TARGET), **test.get("env", {}))
    environment.pop("WARRANTY_PROVE", None)
    try:
        done = subprocess.run(
            ["cargo", "test", "--quiet", "--locked", *test["args"]],
            cwd=COPY,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=LONGEST,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return "hangs"
    output = done.stdout.decode(errors="replace")
    if done.returncode == 0:
        # A filter that names no test shows nothing.
        ran = any(
            line.startswith("test result: ok.") and not line.startswith("test result: ok. 0 passed")
            for line in output.splitlines()
        )
        return "passes" if ran else "names no test"
    if "test result: FAILED" in output:
        return "fails"
    print(output[-4000:], file=sys.stderr)
    return "does not build"


def plant(bug):
    before = {}
    for edit in bug["edits"]:
        file = COPY / edit["file"]
        text = file.read_text(encoding="utf-8")
        before.setdefault(file, text)
        file.write_text(text.replace(edit["old"], edit["new"]), encoding="utf-8")
    try:
        return run(bug["test"])
    finally:
        for file, text in before.items():
            file.write_text(text, encoding="utf-8")


def main(arguments):
    unfit = misfits(ROOT)
    for line in unfit:
        print(line, file=sys.stderr)
    if unfit:
        return 1
    if arguments == ["--check"]:
        print(f"{len(BUGS)} planted bugs fit the sources")
        return 0
    chosen = [bug for bug in BUGS if not arguments or bug["name"] in arguments]
    began = time.monotonic()
    COPY.mkdir(parents=True, exist_ok=True)
    copy_tree()
    sound = True
    for test in {json.dumps(bug["test"], sort_keys=True) for bug in chosen}:
        came_to = run(json.loads(test))
        if came_to != "passes":
            print(f"without any bug {test} {came_to}", file=sys.stderr)
            sound = False
    if not sound:
        return 1
    caught = 0
    width = max(len(bug["name"]) for bug in chosen)
    for bug in chosen:
        came_to = plant(bug)
        good = came_to in ("fails", "hangs")
        caught += good
        word = "caught" if good else f"NOT CAUGHT ({came_to})"
        print(f"{bug['name']:<{width}}  {word:<10}  {bug['rule']}", flush=True)
    seconds = time.monotonic() - began
    print(f"PROOF planted: {caught} of {len(chosen)} bugs caught, {seconds:.0f} s")
    return 0 if caught == len(chosen) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
