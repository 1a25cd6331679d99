"""A guest: an app or extension that a device runs as a process."""
import os
import plistlib
import sys
import traceback
from typing import BinaryIO, Callable, List, Optional, Union

from . import sluice_pb2 as wire
from .frames import ProtocolError, read_frame, write_frame
from .items import Item, Outcome
from .shares import ShareRequest

TRANSPORT = 1
APPLICATION = 2

Shareable = Union[Item, str]


class Refused(Exception):
    """The device refused this guest; the message has the reason."""


class Stopped(SystemExit):
    """The device asked this process to stop, or has exited. Like SystemExit, `except Exception` does not catch it."""


class Guest:
    """The connection to the device, and the callbacks of this guest.

    Everything runs on one thread. A call such as `share` returns once the device has answered. Messages that arrive
    earlier are handled first, so one callback can run while another waits. If the device requests a stop, the waiting
    call raises `Stopped`.
    """

    def __init__(self, connection: Optional[BinaryIO] = None, output: Optional[BinaryIO] = None):
        """Performs the handshake over descriptor 3, or over the given streams. Raises Refused."""
        self._input = connection or os.fdopen(3, "rb", closefd=False)
        self._output = output or os.fdopen(os.dup(3), "wb")
        self._last_request = 0
        self._outcomes: dict = {}
        self._receive: Callable[[Item, str], None] = lambda item, sender: None
        self._open: Callable[[str, str], None] = lambda url, sender: None
        self._provide: Callable[[str], Optional[Shareable]] = lambda requester: None
        self._requested: Optional[Callable[[ShareRequest], None]] = None
        self._send(0, hello=wire.Hello(transport=TRANSPORT, application=APPLICATION))
        answer = self._next()
        if answer.WhichOneof("body") == "rejected":
            raise Refused(answer.rejected.reason)
        if answer.WhichOneof("body") != "welcome":
            raise ProtocolError("the device did not answer the handshake")
        #: The guest's name on the device, its bundle id, and the device's name.
        self.name: str = answer.welcome.guest
        self.app: str = answer.welcome.app
        self.device: str = answer.welcome.device
        #: The seed for random numbers that are equal in every run.
        self.seed: int = answer.welcome.seed
        #: The device's virtual clock, in seconds since 1970.
        self.time: int = answer.welcome.time
        #: The UPN of the account that this guest acts for: "" is an unknown account, None no account.
        self.account: Optional[str] = None
        #: Whether a policy applies to that account.
        self.is_managed: bool = False
        #: Object ids of the registered and of the enrolled accounts; UPNs of accounts without an object id.
        self.registered_accounts: List[str] = []
        self.enrolled_accounts: List[str] = []
        self._enrolled: Callable[[str, str, int], None] = lambda request, account, status: None

    # ---- callbacks

    def on_receive(self, callback):
        """Called with each item that arrives, and the bundle id of its sender."""
        self._receive = callback
        return callback

    def on_open(self, callback):
        """Called with each URL that this app is to open, and the bundle id of the app that opened it."""
        self._open = callback
        return callback

    def on_provide(self, callback):
        """Called with the bundle id of an app that imports from this one; returns an item, a text, or None."""
        self._provide = callback
        return callback

    def on_share(self, callback):
        """Called in an extension with its ShareRequest.

        If the callback does not end the request, its result does: None or items complete the request, and an exception
        cancels it with the exception's text.
        """
        self._requested = callback
        return callback

    def on_enrollment(self, callback):
        """Called with each answer of the service: `enrollment`, `policy` or `unenrollment`, the UPN, and the status."""
        self._enrolled = callback
        return callback

    # ---- requests

    def share(self, item: Shareable, to: str, via_system: bool = False) -> Outcome:
        """Offers a copy to an app or extension, by guest name or bundle id."""
        path = wire.PATH_OS if via_system else wire.PATH_SDK
        share = wire.Share(destination=to, item=_item(item)._written(), path=path)
        return self._ask(share=share)

    def import_from(self, source: str, via_system: bool = False) -> Outcome:
        """Imports an item from another app. The outcome contains it."""
        path = wire.PATH_OS if via_system else wire.PATH_SDK
        return self._ask(**{"import": wire.Import(source=source, path=path)})

    def copy(self, item: Shareable) -> Outcome:
        """Puts an item on the pasteboard."""
        return self._ask(copy=wire.Copy(item=_item(item)._written()))

    def paste(self) -> Outcome:
        """Pastes the pasteboard's item. The outcome contains it."""
        return self._ask(paste=wire.Paste())

    def open_url(self, url: str) -> Outcome:
        """Opens a URL in the app that claims it."""
        return self._ask(open_url=wire.OpenURL(url=url))

    def sign_in(self, account: str) -> Outcome:
        """Signs an account in to this app, by UPN or object id."""
        return self._ask(sign_in=wire.SignIn(account=account))

    def sign_out(self, account: str) -> Outcome:
        """Signs an account out of this app, and deletes its data."""
        return self._ask(sign_out=wire.SignOut(account=account))

    def enroll(self, account: str) -> Outcome:
        """Registers an account with the SDK, which enrolls it with the service."""
        return self._ask(enroll=wire.Enroll(account=account))

    def managed_configuration(self) -> dict:
        """MDM's configuration of this app: `com.apple.configuration.managed` of the user defaults."""
        asked = wire.ManagedApp(kind=wire.ManagedApp.KIND_LEGACY_CONFIGURATION)
        items = self._ask(managed_app=asked).items
        return plistlib.loads(items[0].data) if items else {}

    def act_for(self, account: Optional[str], window: str = "") -> Outcome:
        """Acts for an account in a window: "" is the unknown account, None no account."""
        switch = wire.SwitchIdentity(account=account or "", unset=account is None, window=window)
        return self._ask(switch_identity=switch)

    def request(self, name: str, **fields) -> Outcome:
        """Sends any request that the device answers, by its name and fields in `proto/sluice.proto`.

        A part is a dictionary of its fields, an `Item` or, for an item, a text. An enumeration's value is its name.
        Raises ValueError for an unknown name, and TypeError for a value of another type.
        """
        body = wire.GuestMessage.DESCRIPTOR.oneofs_by_name["body"]
        found = [field for field in body.fields if field.name == name]
        if not found:
            raise ValueError(f"the protocol has no request `{name}`")
        for field in found[0].message_type.fields:
            if field.message_type is wire.Item.DESCRIPTOR and isinstance(fields.get(field.name), (Item, str)):
                fields[field.name] = _item(fields[field.name])._written()
        return self._ask(**{name: getattr(wire, found[0].message_type.name)(**fields)})

    def log(self, text: str) -> None:
        """Writes a line to the device's trace."""
        self._send(0, log=wire.Log(text=text))

    # ---- running

    def run(self) -> None:
        """Handles messages until the device sends stop; the process then exits with status 0.

        An uncaught exception in a callback ends the guest: its traceback is on standard error, its text in the journal.
        """
        try:
            while True:
                self._serve(self._next())
        except Stopped:
            return
        except Exception as error:
            traceback.print_exc()
            self._send(0, failed=wire.Failed(why=_sentence(error)))
            sys.exit(1)

    # ---- the connection

    def _ask(self, **body) -> Outcome:
        return self._outcome(self._begin(**body))

    def _begin(self, **body) -> int:
        self._last_request += 1
        self._send(self._last_request, **body)
        return self._last_request

    def _outcome(self, request: int) -> Outcome:
        while request not in self._outcomes:
            self._serve(self._next())
        return self._outcomes.pop(request)

    def _send(self, request: int, **body) -> None:
        try:
            write_frame(self._output, wire.GuestMessage(request=request, **body).SerializeToString())
        except BrokenPipeError:
            raise Stopped(0) from None

    def _next(self) -> wire.HostMessage:
        content = read_frame(self._input)
        if content is None:
            raise Stopped(0)
        return wire.HostMessage.FromString(content)

    def _serve(self, message: wire.HostMessage) -> None:
        body = message.WhichOneof("body")
        if body == "outcome":
            self._outcomes[message.request] = Outcome._read(message.outcome)
        elif body == "stop":
            raise Stopped(0)
        elif body == "delivery":
            item = Item._read(message.delivery.item, message.delivery.encrypted)
            self._receive(item, message.delivery.sender)
            self._acknowledge(message.delivery.sequence)
        elif body == "opened_url":
            self._open(message.opened_url.url, message.opened_url.sender)
            self._acknowledge(message.opened_url.sequence)
        elif body == "extension_request":
            self._serve_extension(message.extension_request)
        elif body == "identity_changed":
            self._note(message.identity_changed)
        elif body == "enrolled_accounts":
            self.registered_accounts = list(message.enrolled_accounts.registered)
            self.enrolled_accounts = list(message.enrolled_accounts.enrolled)
        elif body == "enrollment_notice":
            notice = message.enrollment_notice
            self._enrolled(notice.request, notice.account, notice.status)
        elif body == "clock_advanced":
            self.time = message.clock_advanced.time
        else:
            self._answer(body, message)

    def _acknowledge(self, sequence: int) -> None:
        self._send(0, acknowledge=wire.Acknowledge(through=sequence))

    def _note(self, change: wire.IdentityChanged) -> None:
        if change.window or change.process:
            return
        self.account = None if change.unset else change.account
        self.is_managed = change.managed

    def _serve_extension(self, content: wire.ExtensionRequest) -> None:
        request = ShareRequest(self, content)
        if self._requested is None:
            return request.cancel("the extension has no callback for what is shared")
        try:
            result = self._requested(request)
        except Exception as error:
            traceback.print_exc()
            return request.cancel(_sentence(error))
        if request.is_open:
            request.complete(*_items(result))

    def _answer(self, body: Optional[str], message: wire.HostMessage) -> None:
        """Answers calls, and declines those that this guest does not support."""
        if body == "provide_item":
            provided = wire.Provided(ask=message.provide_item.ask)
            found = self._provide(message.provide_item.requester)
            if found is not None:
                provided.item.CopyFrom(_item(found)._written())
            self._send(0, provided=provided)
        elif body == "provide_representation":
            self._send(0, provided=wire.Provided(ask=message.provide_representation.ask))
        elif body == "identity_switch_required":
            ask = message.identity_switch_required.ask
            self._send(0, identity_switch_answer=wire.IdentitySwitchAnswer(ask=ask))
        elif body == "delegate_call":
            self._send(0, delegate_answer=wire.DelegateAnswer(ask=message.delegate_call.ask))
        elif body == "perform":
            why = "a program of its own takes no instructions"
            self._send(0, performed=wire.Performed(ask=message.perform.ask, failure=why))


def _item(item: Shareable) -> Item:
    return Item.of_text(item) if isinstance(item, str) else item


def _items(result) -> List[Item]:
    if result is None:
        return []
    return [_item(one) for one in (result if isinstance(result, (list, tuple)) else [result])]


def _sentence(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"[:1000]
