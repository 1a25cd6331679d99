"""Items, and how requests end."""
from dataclasses import dataclass, field
from typing import List, Optional

from . import sluice_pb2 as wire

PLAIN_TEXT = "public.utf8-plain-text"


@dataclass
class Item:
    """Something that apps exchange.

    An item that came from the device has a tag, by which the device knows whose it is. Handed on unchanged, it stays its
    owner's; an item without a tag belongs to the account that this guest acts for.
    """

    data: bytes = b""
    type: str = PLAIN_TEXT
    name: str = ""
    tag: Optional[wire.OwnershipTag] = field(default=None, repr=False)
    #: Whether the data are ciphertext that this guest cannot read.
    is_encrypted: bool = False

    @classmethod
    def of_text(cls, text: str, name: str = "") -> "Item":
        return cls(text.encode(), PLAIN_TEXT, name)

    @property
    def text(self) -> str:
        """The data as UTF-8. Raises UnicodeDecodeError where they are none."""
        return self.data.decode()

    @property
    def owner(self) -> Optional[str]:
        """UPN of whose it is; None where the device has not said so."""
        return self.tag.owner_upn or None if self.tag else None

    @property
    def is_managed(self) -> bool:
        """Whether a policy applies to the owner."""
        return bool(self.tag and self.tag.managed)

    @classmethod
    def _read(cls, item: wire.Item, is_encrypted: bool = False) -> "Item":
        tag = item.tag if item.HasField("tag") else None
        return cls(item.inline, item.type, item.name, tag, is_encrypted)

    def _written(self) -> wire.Item:
        return wire.Item(type=self.type, name=self.name, inline=self.data, tag=self.tag)


@dataclass(frozen=True)
class Reason:
    """A rule that had a part in a verdict."""

    rule: str
    #: `sender`, `owner`, `receiver` or `device`.
    side: str
    #: Graph's property; None where the rule reads none.
    setting: Optional[str]


def _words(enumeration) -> dict:
    """The words for the values of an enumeration by number: `END_DELIVERED_ENCRYPTED` is `deliveredEncrypted`."""
    words = {}
    for name, number in enumeration.items():
        _, first, *others = name.lower().split("_")
        words[number] = first + "".join(word.capitalize() for word in others)
    return words


_VERDICTS = _words(wire.Verdict)
_ENDS = _words(wire.End)


@dataclass(frozen=True)
class Outcome:
    """The device's answer to a request. A refusal is an answer, and no exception."""

    #: `allowed`, `encrypted` or `blocked`.
    verdict: str
    #: `delivered`, `deliveredEncrypted`, `refused`, `undeliverable` or `failed`.
    end: str
    #: In the order in which the rules spoke; at least one.
    reasons: List[Reason]
    #: A code of the SDK or the system, such as -25300; else 0. `docs/protocol.md` has those of the keychain.
    status: int
    #: What was asked for, or what an extension handed back.
    items: List[Item]

    @property
    def is_delivered(self) -> bool:
        return self.end in ("delivered", "deliveredEncrypted")

    @classmethod
    def _read(cls, outcome: wire.Outcome) -> "Outcome":
        # A value that is not known means the stricter one.
        encrypted = outcome.verdict == wire.VERDICT_ENCRYPTED
        return cls(
            _VERDICTS.get(outcome.verdict, "blocked"),
            _ENDS.get(outcome.end, "failed"),
            [Reason(one.rule, one.side, one.setting or None) for one in outcome.reasons],
            outcome.status,
            [Item._read(item, encrypted) for item in outcome.items],
        )
