"""Items and outcomes of requests."""
from dataclasses import dataclass, field
from typing import List, Optional

from . import sluice_pb2 as wire

PLAIN_TEXT = "public.utf8-plain-text"


@dataclass
class Item:
    """An item that apps exchange.

    An item from the device has a tag, which names its owner. If it is passed on unchanged, it keeps its owner. An item
    without a tag belongs to the account that this guest acts for.
    """

    data: bytes = b""
    type: str = PLAIN_TEXT
    name: str = ""
    tag: Optional[wire.OwnershipTag] = field(default=None, repr=False)
    #: Whether the data is ciphertext that this guest cannot read.
    is_encrypted: bool = False

    @classmethod
    def of_text(cls, text: str, name: str = "") -> "Item":
        return cls(text.encode(), PLAIN_TEXT, name)

    @property
    def text(self) -> str:
        """The data as UTF-8 text. Raises UnicodeDecodeError if it is not UTF-8."""
        return self.data.decode()

    @property
    def owner(self) -> Optional[str]:
        """The owner's UPN; None if the device has not stated it."""
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
    """A rule among the reasons of a verdict."""

    rule: str
    #: `sender`, `owner`, `receiver` or `device`.
    side: str
    #: The setting's property in Graph; None if the rule reads no setting.
    setting: Optional[str]


def _words(enumeration) -> dict:
    """The names of an enumeration's values, by number: `END_DELIVERED_ENCRYPTED` is `deliveredEncrypted`."""
    words = {}
    for name, number in enumeration.items():
        _, first, *others = name.lower().split("_")
        words[number] = first + "".join(word.capitalize() for word in others)
    return words


_VERDICTS = _words(wire.Verdict)
_ENDS = _words(wire.End)


@dataclass(frozen=True)
class Outcome:
    """The device's answer to a request. A refusal is an answer, not an exception."""

    #: `allowed`, `encrypted` or `blocked`.
    verdict: str
    #: `delivered`, `deliveredEncrypted`, `refused`, `undeliverable` or `failed`.
    end: str
    #: In the order of evaluation; at least one.
    reasons: List[Reason]
    #: A code of the SDK or the system, such as -25300; otherwise 0. `docs/protocol.md` has those of the keychain.
    status: int
    #: The requested items, or those that an extension returned.
    items: List[Item]

    @property
    def is_delivered(self) -> bool:
        return self.end in ("delivered", "deliveredEncrypted")

    @classmethod
    def _read(cls, outcome: wire.Outcome) -> "Outcome":
        # An unknown value counts as the strictest one.
        encrypted = outcome.verdict == wire.VERDICT_ENCRYPTED
        return cls(
            _VERDICTS.get(outcome.verdict, "blocked"),
            _ENDS.get(outcome.end, "failed"),
            [Reason(one.rule, one.side, one.setting or None) for one in outcome.reasons],
            outcome.status,
            [Item._read(item, encrypted) for item in outcome.items],
        )
