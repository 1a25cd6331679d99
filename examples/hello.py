#!/usr/bin/python3
"""A guest without a library: it shares a text whenever it receives an item, and returns the same text to importers.

docs/protocol.md describes the messages on descriptor 3; the field numbers are those of proto/sluice.proto.
"""
import struct

TEXT = "Hello from Python"
DESTINATION = "org.example.notekeeper"


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
    """Decodes a message into a dictionary of field numbers and values, with texts and messages as bytes."""
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
            result[key >> 3] = number()
        else:
            length = {1: 8, 2: None, 5: 4}[key & 7] or number()
            result[key >> 3] = data[at : at + length]
            at += length
    return result


def send(**fields):
    data = message(**fields)
    output.write(struct.pack("<I", len(data)) + data)


def receive():
    """Reads the next message of the host; returns None if the host is gone."""
    output.flush()
    head = input.read(4)
    return fields(input.read(*struct.unpack("<I", head))) if head else None


with open(3, "rb") as input, open(3, "wb", closefd=False) as output:
    item = message(_1="public.utf8-plain-text", _3=TEXT)
    request = 0
    send(_2=message(_1=1, _2=2))  # Hello: transport 1, application 2
    assert 2 in receive()  # Welcome
    while (received := receive()) and 11 not in received:  # until Stop
        if delivery := received.get(5) or received.get(6):  # Delivery, OpenedURL
            request += 1
            send(_1=request, _4=message(_1=DESTINATION, _2=item))  # Share
            send(_3=message(_1=fields(delivery)[1]))  # Acknowledge
        elif ask := received.get(7):  # ProvideItem
            send(_17=message(_1=fields(ask)[1], _2=item))  # Provided
        elif ask := received.get(8):  # IdentitySwitchRequired
            send(_18=message(_1=fields(ask)[1], _2=0))  # IdentitySwitchAnswer: no
        elif ask := received.get(10):  # Perform
            send(_19=message(_1=fields(ask)[1], _2="hello does not support instructions"))  # Performed
