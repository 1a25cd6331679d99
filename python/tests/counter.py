#!/usr/bin/python3
import sluice_guest

guest = sluice_guest.Guest()


@guest.on_share
def count(request):
    words = 0
    for attachment in request.attachments:
        if attachment.name == "broken":
            raise KeyError("no such thing")
        if attachment.name == "other":
            attachment.load("public.png")
        words += len(attachment.load().text.split())
    return f"{words} words"


guest.run()
