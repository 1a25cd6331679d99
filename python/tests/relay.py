#!/usr/bin/python3
"""Passes on each item that arrives, and provides the outcome as a text to the next import."""
import sluice_guest

guest = sluice_guest.Guest()
report = "nothing yet"


@guest.on_receive
def receive(item, sender):
    global report
    if item.is_encrypted:
        report = f"ciphertext of {len(item.data)} bytes"
        return
    if item.text == "fall over":
        raise RuntimeError("as it was told")
    outcome = guest.share(item, to="org.example.viewer")
    rules = ",".join(reason.rule for reason in outcome.reasons)
    report = f"{outcome.verdict} {outcome.end} {rules} {item.owner}"


@guest.on_open
def open_url(url, sender):
    global report
    guest.copy("from the pasteboard")
    report = f"{url} {sender} {guest.paste().items[0].text}"


@guest.on_provide
def provide(requester):
    return report


guest.run()
