#!/usr/bin/python3
"""Connects a service and sells one contract in the real window through the accessibility tree (AT-SPI) alone.

The window is used as a screen reader uses it: a control is found by its role and its name, focused, and given
keys or its one action. The page itself is never asked. What was sold is read from the service's ledger.

Runs inside src-tauri/setup/session.sh, on the interpreter of the system, which has the AT-SPI bindings.
Programs are taken from target/debug: `cargo test --workspace --no-run` builds them.
"""

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi, GLib  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
PROGRAMS = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "debug"
TOKEN = "accessibility-sample-token"
STORE = "store-sample-001"
PRODUCT = "2000000000015"
LONGEST_WAIT = 60


def controls(below):
    """Every control below another one, in the order in which a screen reader reads them."""
    try:
        children = [below.get_child_at_index(index) for index in range(below.get_child_count())]
    except GLib.Error:
        # The page replaced it while the tree was read.
        return
    for child in children:
        if child is not None:
            yield child
            yield from controls(child)


def is_(control, state):
    return control.get_state_set().contains(state)


def find(role, name, below=None):
    """The first control of this role whose name begins so; controls without a name go by their text."""
    for control in controls(below or Atspi.get_desktop(0)):
        try:
            if control.get_role_name() == role and spoken(control).startswith(name):
                return control
        except GLib.Error:
            # It went away while the tree was read.
            continue
    return None


def spoken(control):
    name = control.get_name()
    if name or "Text" not in control.get_interfaces():
        return name
    return Atspi.Text.get_text(control, 0, -1).replace("\ufffc", "").strip()


def until(what, condition):
    """The first true result of a condition, tried again until then."""
    deadline = time.monotonic() + LONGEST_WAIT
    while time.monotonic() < deadline:
        result = condition()
        if result:
            return result
        time.sleep(0.05)
    print_tree()
    sys.exit(f"waited {LONGEST_WAIT} s for {what}")


def print_tree():
    for control in controls(Atspi.get_desktop(0)):
        try:
            name = spoken(control)
            if name:
                print(f"  {control.get_role_name()}: {name[:120]}", file=sys.stderr)
        except GLib.Error:
            continue


def wait_for(role, name):
    return until(f"{role} “{name}”", lambda: find(role, name))


def press(role, name, below=None):
    """Does the one action of a control, as Enter on it would."""
    control = until(f"{role} “{name}” that can be pressed", lambda: enabled(role, name, below))
    Atspi.Action.do_action(control, 0)


def enabled(role, name, below):
    control = find(role, name, below)
    return control if control is not None and is_(control, Atspi.StateType.ENABLED) else None


def fill(role, name, text):
    """Types into a field, which must say that it is one and that it has the focus."""
    field = wait_for(role, name)
    assert is_(field, Atspi.StateType.EDITABLE), f"{name} does not say that it can be edited"
    Atspi.Component.grab_focus(field)
    until(f"the focus in {name}", lambda: is_(field, Atspi.StateType.FOCUSED))
    Atspi.generate_keyboard_event(0, text, Atspi.KeySynthType.STRING)
    if role == "password text":
        until(f"the right number of characters in {name}", lambda: Atspi.Text.get_character_count(field) == len(text))
        assert text not in Atspi.Text.get_text(field, 0, -1), "a screen reader would say the token"
    else:
        until(f"“{text}” in {name}", lambda: Atspi.Text.get_text(field, 0, -1).replace(",", "") == text)


def connect(address):
    press("radio button", "English")
    press("push button", "Connect to a service")
    fill("entry", "Service address", address)
    fill("entry", "Store ID", STORE)
    fill("password text", "Access token", TOKEN)
    fill("entry", "Profile name", "Sample store")
    press("push button", "Connect")
    # A new server is confirmed in a dialog of the system, not of the page.
    press("push button", "Connect", below=wait_for("alert", "Warning"))


def sell():
    fill("combo box", "Product reference", PRODUCT)
    Atspi.generate_keyboard_event(0, "\r", Atspi.KeySynthType.STRING)
    press("radio button", "延長保証 5年")
    fill("entry", "Transaction ID", "T-SAMPLE-1")
    fill("entry", "Transaction total", "199290")
    fill("entry", "Customer name", "Sample Customer")

    # What is missing is said where it is missing, and nothing is sold.
    press("push button", "Register", below=wait_for("form", ""))
    email = wait_for("entry", "Email")
    until("the focus in Email", lambda: is_(email, Atspi.StateType.FOCUSED))
    assert is_(email, Atspi.StateType.INVALID_ENTRY), "Email does not say that it is wrong"
    assert email.get_description() == "Required.", email.get_description()

    fill("entry", "Email", "customer@sample.example")
    press("push button", "Register", below=wait_for("form", ""))
    return until("a confirmed receipt", receipt)


def receipt():
    """The receipt's facts by their terms, once it says that the sale is confirmed."""
    found = find("landmark", "Last registration")
    if found is None or find("status bar", "Confirmed", below=found) is None:
        return None
    facts, term = {}, None
    for control in controls(found):
        role = control.get_role_name()
        if role == "description term":
            term = spoken(control)
        elif term and spoken(control) and role != "push button":
            facts.setdefault(term, spoken(control))
    return facts


def main():
    processes = []
    folder = tempfile.TemporaryDirectory()

    def start(*command, **options):
        processes.append(subprocess.Popen(command, **options))
        return processes[-1]

    try:
        start("/usr/libexec/at-spi-bus-launcher", "--launch-immediately", "--a11y=1")
        practice = start(PROGRAMS / "wdesk", "sandbox", "serve", "--token", TOKEN, stdout=subprocess.PIPE, text=True)
        address = practice.stdout.readline().removeprefix("listening on ").strip()
        # session.sh turns the bridge off for all other tests, which wait for no accessibility bus.
        window = {name: value for name, value in os.environ.items() if name not in ("NO_AT_BRIDGE", "GTK_A11Y")}
        start(PROGRAMS / "warranty-desk", "--data-dir", folder.name, env=window)
        connect(address)
        said = sell()
        request = urllib.request.Request(f"{address}/_sandbox/ledger", headers={"X-Service-Auth-Token": TOKEN})
        with urllib.request.urlopen(request, timeout=10) as answer:
            ledger = json.load(answer)
        assert len(ledger) == 1, ledger
        sold = ledger[0]
        assert said["Contract ID"] == sold["contractId"], (said, sold)
        assert said["Inquiry code"] and said["Status at the service"], said
        assert said["Transaction ID"] == sold["transactionId"] == "T-SAMPLE-1", (said, sold)
        assert (sold["planPurchasePrice"], sold["customerEmail"]) == (9490, "customer@sample.example"), sold
        print(f"one sale, heard by a screen reader as {said['Contract ID']} and {said['Inquiry code']}")
    finally:
        for process in reversed(processes):
            process.send_signal(signal.SIGTERM)
            process.wait()
        folder.cleanup()


if __name__ == "__main__":
    main()
