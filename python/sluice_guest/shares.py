"""Requests to extensions."""
from dataclasses import dataclass
from typing import TYPE_CHECKING, List, Optional

from . import sluice_pb2 as wire
from .items import Item, Outcome

if TYPE_CHECKING:
    from .guest import Guest


class LoadRefused(Exception):
    """A representation was not loaded. `outcome` has the reason."""

    def __init__(self, outcome: Outcome):
        self.outcome = outcome
        rules = ", ".join(reason.rule for reason in outcome.reasons)
        super().__init__(f"loading was {outcome.end}: {rules}")


@dataclass(frozen=True)
class Attachment:
    """A shared attachment in one or several representations (NSItemProvider)."""

    #: The suggested file name; "" if there is none.
    name: str
    #: Uniform types, the most faithful first.
    types: List[str]
    _request: "ShareRequest"
    _item: int
    _index: int

    def load(self, type: Optional[str] = None) -> Item:
        """Loads a representation, by default the first. Raises LoadRefused, and ValueError for a type that is not offered."""
        chosen = self.types[0] if type is None else type
        if chosen not in self.types:
            raise ValueError(f"`{chosen}` is not offered; there are {', '.join(self.types)}")
        load = wire.LoadItem(item=self._item, attachment=self._index, type=chosen)
        outcome = self._request._guest._ask(load_item=load)
        if not outcome.is_delivered or not outcome.items:
            raise LoadRefused(outcome)
        return outcome.items[0]


@dataclass(frozen=True)
class SharedItem:
    """An item of a share with its attachments (NSExtensionItem)."""

    title: str
    text: str
    attachments: List[Attachment]


class ShareRequest:
    """A request that an extension must complete or cancel exactly once."""

    def __init__(self, guest: "Guest", content: wire.ExtensionRequest):
        self._guest = guest
        self.is_open = True
        self.items = [
            SharedItem(
                item.title,
                item.content_text,
                [
                    Attachment(
                        attachment.suggested_name,
                        [one.type for one in attachment.representations],
                        self,
                        number,
                        index,
                    )
                    for index, attachment in enumerate(item.attachments)
                ],
            )
            for number, item in enumerate(content.items)
        ]

    @property
    def attachments(self) -> List[Attachment]:
        """The attachments of all items."""
        return [attachment for item in self.items for attachment in item.attachments]

    def complete(self, *items: Item) -> None:
        """Returns items to the sharing app, and ends the request."""
        self._end()
        written = [item._written() for item in items]
        self._guest._begin(complete_extension=wire.CompleteExtension(items=written))

    def cancel(self, why: str) -> None:
        """Ends the request without a result."""
        self._end()
        self._guest._begin(cancel_extension=wire.CancelExtension(why=why))

    def _end(self) -> None:
        if not self.is_open:
            raise RuntimeError("the request has been ended already")
        self.is_open = False
