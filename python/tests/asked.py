#!/usr/bin/python3
"""Calls the SDK on request, and returns the SDK's accounts or MDM's configuration."""
import sluice_guest

guest = sluice_guest.Guest()
configured = None


@guest.on_open
def open_url(url, sender):
    global configured
    call, _, account = url.partition(":")[2].partition("/")
    if account:
        getattr(guest, call)(account)
        return
    configured = guest.managed_configuration().get("server", "nothing")


@guest.on_provide
def provide(requester):
    if configured is not None:
        return configured
    return f"{','.join(sorted(guest.registered_accounts))};{','.join(sorted(guest.enrolled_accounts))}"


guest.run()
