"""Frames and messages, against the bytes in docs/protocol.md."""
import io
import unittest

from sluice_guest import Guest, Item, ProtocolError, Refused, wire
from sluice_guest.frames import read_frame, write_frame

HELLO = bytes.fromhex("06 00 00 00 12 04 08 01 10 02")
SHARE = bytes.fromhex(
    "36 00 00 00 08 01 22 32 0a 12 6f 72 67 2e 65 78 61 6d 70 6c 65 2e 76 69 65 77 65 72"
    "12 1c 0a 16 70 75 62 6c 69 63 2e 75 74 66 38 2d 70 6c 61 69 6e 2d 74 65 78 74 1a 02 48 69"
)
OUTCOME = bytes.fromhex(
    "1f 00 00 00 08 01 22 1b 08 02 1a 17 0a 0d 6e 6f 52 75 6c 65 41 70 70 6c 69 65 64"
    "12 06 64 65 76 69 63 65"
)


def said(*messages):
    stream = io.BytesIO()
    for message in messages:
        write_frame(stream, message.SerializeToString())
    return io.BytesIO(stream.getvalue())


WELCOME = wire.HostMessage(welcome=wire.Welcome(transport=1, application=2, guest="hello"))


class Frames(unittest.TestCase):
    def test_what_is_written_is_read(self):
        for size in (0, 1, 255, 65_536, 1 << 20):
            stream = io.BytesIO()
            write_frame(stream, b"x" * size)
            self.assertEqual(read_frame(io.BytesIO(stream.getvalue())), b"x" * size)

    def test_the_end_between_two_frames_is_the_end(self):
        self.assertIsNone(read_frame(io.BytesIO(b"")))

    def test_the_end_within_a_frame_is_an_error_wherever_it_comes(self):
        for length in range(1, len(HELLO)):
            with self.assertRaises(ProtocolError):
                read_frame(io.BytesIO(HELLO[:length]))


class Handshake(unittest.TestCase):
    def test_a_guest_says_and_understands_the_bytes_of_the_documentation(self):
        output = io.BytesIO()
        guest = Guest(io.BytesIO(said(WELCOME).getvalue() + OUTCOME), output)
        self.assertEqual(guest.name, "hello")
        outcome = guest.share("Hi", to="org.example.viewer")
        self.assertEqual(output.getvalue(), HELLO + SHARE)
        self.assertEqual((outcome.verdict, outcome.end), ("allowed", "delivered"))
        self.assertEqual([(one.rule, one.side, one.setting) for one in outcome.reasons], [("noRuleApplied", "device", None)])

    def test_a_request_by_name_has_the_same_bytes(self):
        output = io.BytesIO()
        guest = Guest(io.BytesIO(said(WELCOME).getvalue() + OUTCOME), output)
        outcome = guest.request("share", destination="org.example.viewer", item="Hi")
        self.assertEqual(output.getvalue(), HELLO + SHARE)
        self.assertEqual(outcome.end, "delivered")

    def test_a_part_and_an_enumeration_are_stated_by_name(self):
        output = io.BytesIO()
        guest = Guest(io.BytesIO(said(WELCOME).getvalue() + OUTCOME), output)
        guest.request("copy", item={"type": "public.png", "inline": b"x"}, local_only=True)
        output.seek(0)
        read_frame(output)
        sent = wire.GuestMessage.FromString(read_frame(output))
        item = wire.Item(type="public.png", inline=b"x")
        self.assertEqual(sent, wire.GuestMessage(request=1, copy=wire.Copy(item=item, local_only=True)))

    def test_an_unknown_request_or_field_is_an_error(self):
        guest = Guest(said(WELCOME), io.BytesIO())
        with self.assertRaisesRegex(ValueError, "`pste`"):
            guest.request("pste")
        with self.assertRaises(ValueError):
            guest.request("open_url", ulr="x")
        with self.assertRaises(TypeError):
            guest.request("open_url", url=1)

    def test_who_is_rejected_hears_why(self):
        answer = wire.HostMessage(rejected=wire.Rejected(reason="another version"))
        with self.assertRaisesRegex(Refused, "another version"):
            Guest(said(answer), io.BytesIO())

    def test_a_verdict_that_is_not_known_is_blocked(self):
        outcome = wire.HostMessage(request=1, outcome=wire.Outcome())
        outcome.outcome.MergeFromString(bytes([0x08, 0x63, 0x10, 0x63]))
        guest = Guest(said(WELCOME, outcome), io.BytesIO())
        answer = guest.share("Hi", to="x")
        self.assertEqual((answer.verdict, answer.end), ("blocked", "failed"))

    def test_an_item_keeps_its_tag(self):
        tag = wire.OwnershipTag(owner_upn="anna@contoso.com", managed=True, seal=b"seal")
        item = Item._read(wire.Item(type="public.data", inline=b"x", tag=tag))
        self.assertEqual(item._written().tag, tag)
        self.assertEqual((item.owner, item.is_managed), ("anna@contoso.com", True))
        self.assertFalse(Item.of_text("x")._written().HasField("tag"))


if __name__ == "__main__":
    unittest.main()
