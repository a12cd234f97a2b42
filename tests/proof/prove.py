#!/usr/bin/env python3
"""Runs the proofs of proofs.toml in their long form and prints what each of them counted.

    prove.py [--short] [--write] [--date YYYY-MM-DD] [NAME...]

NAME     only these proofs; all without one
--short  the form that `make test` runs
--write  puts the figures into README.md beside this file, each with the day it was seen

A proof is an ordinary test. It says what it counted in lines `PROOF <name>: <figures>`; one that passes without
such a line has proved nothing and counts as failed. Ends with 1 when any failed.
"""

import argparse
import datetime
import os
import pathlib
import re
import subprocess
import sys
import time
import tomllib

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
PAGE = HERE / "README.md"
SESSION = ROOT / "src-tauri" / "setup" / "session.sh"
LINE = re.compile(r"\bPROOF ([^:]+): (.*)")


def run(proof, short):
    """Runs one proof; gives its figures, or None when it failed, and how long it took in seconds."""
    environment = dict(os.environ)
    if not short:
        environment["WARRANTY_PROVE"] = "long"
    command = ["bash", "-c", proof["command"]]
    if proof.get("session"):
        command = [str(SESSION), *command]
    started = time.monotonic()
    figures = []
    with subprocess.Popen(
        command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        errors="replace",
    ) as process:
        for line in process.stdout:
            sys.stdout.write(line)
            if found := LINE.search(line):
                figures.append(found.group(2).strip())
    # Some say the same figures more than once, for instance in each language.
    figures = list(dict.fromkeys(figures))
    passed = process.returncode == 0 and bool(figures)
    return ("; ".join(figures) if passed else None), time.monotonic() - started


def cell(text):
    return text.replace("|", "\\|").replace("\n", " ")


def write(proof, figures, day):
    """Puts the figures into the proof's row, which begins with its name in backquotes."""
    rows = []
    found = False
    for row in PAGE.read_text(encoding="utf-8").splitlines():
        cells = re.split(r"(?<!\\)\|", row)
        if len(cells) == 7 and cells[1].strip() == f"`{proof['name']}`":
            cells[4] = f" {cell(figures)} "
            cells[5] = f" {day} "
            row = "|".join(cells)
            found = True
        rows.append(row)
    if not found:
        sys.exit(f"{PAGE.name} has no row for {proof['name']}")
    PAGE.write_text("\n".join(rows) + "\n", encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--short", action="store_true")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--date", default=datetime.date.today().isoformat())
    parser.add_argument("names", nargs="*", metavar="NAME")
    asked = parser.parse_args()
    with open(HERE / "proofs.toml", "rb") as file:
        proofs = tomllib.load(file)["proof"]
    if unknown := set(asked.names) - {proof["name"] for proof in proofs}:
        parser.error(f"no such proof: {', '.join(sorted(unknown))}")
    results = []
    for proof in proofs:
        if asked.names and proof["name"] not in asked.names:
            continue
        print(f"== {proof['name']}: {proof['command']}", flush=True)
        figures, seconds = run(proof, asked.short)
        results.append((proof["name"], figures, seconds))
        if figures and asked.write:
            write(proof, figures, asked.date)
    print()
    for name, figures, seconds in results:
        print(f"{name:16} {seconds:7.0f} s  {figures or 'FAILED'}")
    if any(figures is None for _, figures, _ in results):
        sys.exit(1)


main()
