#!/usr/bin/python3
"""A share extension without a library: counts the words of all texts that it receives, and returns the sum.

docs/protocol.md describes the messages on descriptor 3; the field numbers are those of proto/sluice.proto.
"""
import struct


def varint(number):
    head = bytearray()
    while number > 0x7F:
        head.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes(head) + bytes([number])


def message(**fields):
    """Encodes a protobuf message with the fields `_1=…`, `_2=…`: numbers, texts and other messages."""
    data = b""
    for name, value in fields.items():
        number = int(name[1:]) << 3
        if isinstance(value, int):
            data += varint(number) + varint(value)
        else:
            value = value.encode() if isinstance(value, str) else value
            data += varint(number | 2) + varint(len(value)) + value
    return data


def fields(data):
    """Decodes a message into lists of values by field number, with texts and messages as bytes."""
    result, at = {}, 0

    def number():
        nonlocal at
        value = shift = 0
        while True:
            byte = data[at]
            at += 1
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value

    while at < len(data):
        key = number()
        if key & 7 == 0:
            value = number()
        else:
            length = {1: 8, 2: None, 5: 4}[key & 7] or number()
            value = data[at : at + length]
            at += length
        result.setdefault(key >> 3, []).append(value)
    return result


requests = 0


def send(**body):
    data = message(**body)
    output.write(struct.pack("<I", len(data)) + data)


def ask(**body):
    """Sends a request and returns its number."""
    global requests
    requests += 1
    send(_1=requests, **body)
    return requests


def receive():
    """Reads the next message of the host; returns an empty dictionary if the host is gone."""
    output.flush()
    head = input.read(4)
    return fields(input.read(*struct.unpack("<I", head))) if head else {}


def text_of(outcome):
    """Returns the loaded text; empty if the load was refused or the content is encrypted."""
    delivered = outcome.get(2, [0])[0] == 0  # END_DELIVERED
    item = outcome.get(5, [None])[0]
    return fields(item).get(3, [b""])[0].decode() if delivered and item else ""


def tally(extension_request):
    words = 0
    for index, item in enumerate(fields(extension_request).get(1, [])):
        for place, attachment in enumerate(fields(item).get(3, [])):
            types = [fields(one)[1][0] for one in fields(attachment)[2]]
            load = ask(_31=message(_1=index, _2=place, _3=types[0]))  # LoadItem
            answer = receive()
            while answer.get(1) != [load]:
                answer = receive()
            words += len(text_of(fields(answer[4][0])).split())  # Outcome
    item = message(_1="public.utf8-plain-text", _3=f"{words} words")
    ask(_15=message(_1=item))  # CompleteExtension


with open(3, "rb") as input, open(3, "wb", closefd=False) as output:
    send(_2=message(_1=1, _2=2))  # Hello: transport 1, application 2
    assert 2 in receive()  # Welcome
    while (received := receive()) and 11 not in received:  # until Stop
        if 14 in received:  # ExtensionRequest
            tally(received[14][0])
