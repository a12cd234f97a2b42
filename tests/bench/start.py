"""How long a window takes until its first page stands, and what it holds then.

    start.py PROGRAM [ARGUMENT...]

Starts the program on the display, looks at the screen every few milliseconds, and prints as JSON `shownMs`, from
before the start until the last change of the picture, and `pssKib`, the proportional set size of the program and of
all processes it started. A picture that stays as it is for two seconds stands; a blinking caret is no change.
"""

import json
import os
import pathlib
import subprocess
import sys
import time

import gi

gi.require_version("Gdk", "3.0")
from gi.repository import Gdk  # noqa: E402

STANDS_S = 2.0
LONGEST_S = 30.0
# Of the window, which opens at the corner of a display without a window manager.
WIDTH, HEIGHT = 1280, 800
# Of the picture's bytes; a caret has fewer.
CHANGED = 0.001
STEP = 251


def picture() -> bytes:
    root = Gdk.get_default_root_window()
    found = Gdk.pixbuf_get_from_window(root, 0, 0, WIDTH, HEIGHT)
    return found.get_pixels()


def differs(one: bytes, other: bytes) -> bool:
    if one == other:
        return False
    # Some bytes are enough to see whether much has changed; more would slow down what is measured.
    changed = sum(a != b for a, b in zip(one[::STEP], other[::STEP]))
    return changed > len(one) / STEP * CHANGED


def family(process: int) -> list[int]:
    children = pathlib.Path(f"/proc/{process}/task").glob("*/children")
    found = [int(child) for file in children for child in file.read_text().split()]
    return [process] + [one for child in found for one in family(child)]


def pss_kib(process: int) -> int:
    text = pathlib.Path(f"/proc/{process}/smaps_rollup").read_text()
    return next(int(line.split()[1]) for line in text.splitlines() if line.startswith("Pss:"))


def main() -> int:
    before = picture()
    begun = time.monotonic()
    program = subprocess.Popen(sys.argv[1:], stdin=subprocess.DEVNULL, stdout=sys.stderr)
    try:
        last, shown = before, None
        while time.monotonic() < begun + LONGEST_S:
            at = time.monotonic()
            now = picture()
            if differs(last, now):
                last, shown = now, at
            elif shown is not None and at > shown + STANDS_S:
                break
            if program.poll() is not None:
                print(f"the program ended with {program.returncode}", file=sys.stderr)
                return 1
            time.sleep(0.008)
        else:
            print("the picture does not come to rest", file=sys.stderr)
            return 1
        held = sum(pss_kib(one) for one in family(program.pid))
        print(json.dumps({"shownMs": (shown - begun) * 1000, "pssKib": held}))
        return 0
    finally:
        program.terminate()
        program.wait()


if __name__ == "__main__":
    sys.exit(main())
