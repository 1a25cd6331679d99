"""Frames on descriptor 3 (docs/protocol.md, "Frames")."""
import struct
from typing import BinaryIO, Optional

HEAD = struct.Struct("<I")


class ProtocolError(Exception):
    """The device violated the protocol."""


def write_frame(stream: BinaryIO, content: bytes) -> None:
    """Writes a message, preceded by its length."""
    stream.write(HEAD.pack(len(content)) + content)
    stream.flush()


def read_frame(stream: BinaryIO) -> Optional[bytes]:
    """Reads the next message; None if the stream has ended between two messages.

    Raises ProtocolError if the stream ends within a message.
    """
    head = stream.read(HEAD.size)
    if not head:
        return None
    if len(head) < HEAD.size:
        raise ProtocolError("the connection ended within the length of a frame")
    (length,) = HEAD.unpack(head)
    content = stream.read(length)
    if len(content) < length:
        raise ProtocolError(f"the connection ended after {len(content)} of {length} bytes")
    return content
