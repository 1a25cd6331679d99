"""Apps and extensions of a Sluice device in Python.

    import sluice_guest

    guest = sluice_guest.Guest()

    @guest.on_share
    def count(request):
        words = sum(len(one.load().text.split()) for one in request.attachments)
        return f"{words} words"

    guest.run()
"""
from . import sluice_pb2 as wire
from .frames import ProtocolError
from .guest import Guest, Refused, Stopped
from .items import PLAIN_TEXT, Item, Outcome, Reason
from .shares import Attachment, LoadRefused, SharedItem, ShareRequest

__all__ = [
    "PLAIN_TEXT", "Attachment", "Guest", "Item", "LoadRefused", "Outcome", "ProtocolError", "Reason", "Refused",
    "SharedItem", "ShareRequest", "Stopped", "wire",
]
