"""A client of a running device's control socket (docs/running-device.md, "The control socket")."""
import json
import socket
from typing import Any, Iterator, Mapping, Optional, Union

from .places import only_socket


class DeviceError(Exception):
    """The device rejected a request: unknown method, invalid parameters, or shutdown."""

    def __init__(self, code: int, message: str, data: Optional[Mapping[str, Any]] = None):
        super().__init__(message)
        #: The JSON-RPC error code, such as -32602.
        self.code = code
        self.message = message
        #: For invalid parameters, `line`, `column`, `rule` and any `others`; otherwise empty.
        self.data = dict(data or {})


class HungUp(Exception):
    """The device has closed the connection: it shut down, or has too many clients."""


class Device:
    """A connection to a running device. One thread at a time may use it; it is a context manager."""

    def __init__(self, path: Optional[str] = None):
        """Connects to a socket, by default that of the only running device. Raises NoDevice, OSError."""
        self.socket_path = path or only_socket()
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            self._socket.connect(self.socket_path)
        except OSError:
            self._socket.close()
            raise
        self._lines = self._socket.makefile("r", encoding="utf-8", newline="\n")
        self._last_id = 0

    def close(self) -> None:
        """Closes the connection. The device keeps running."""
        self._lines.close()
        self._socket.close()

    def __enter__(self) -> "Device":
        return self

    def __exit__(self, *_) -> None:
        self.close()

    def call(self, method: str, parameters: Union[Mapping[str, Any], list, None] = None) -> Any:
        """Calls a method and returns its result. Raises DeviceError, HungUp."""
        self._last_id += 1
        request = {"jsonrpc": "2.0", "id": self._last_id, "method": method}
        if parameters is not None:
            request["params"] = parameters
        self._socket.sendall(json.dumps(request).encode() + b"\n")
        while True:
            answer = self._next()
            # A notification, or the answer to an interrupted call.
            if "method" in answer or answer.get("id") != self._last_id:
                continue
            if "error" in answer:
                error = answer["error"]
                raise DeviceError(error["code"], error["message"], error.get("data"))
            return answer["result"]

    def step(self, step: Union[str, Mapping[str, Any]]) -> Mapping[str, Any]:
        """Carries out a step, given as YAML text or as its keys. A failed step raises no exception: its `holds` is false."""
        return self.call("step", [step] if isinstance(step, str) else dict(step))

    def launch(self, *apps: str) -> Mapping[str, Any]:
        return self.call("launch", [list(apps)])

    def share(self, sender: str, receiver: str, text: str, **keys: Any) -> Mapping[str, Any]:
        """Makes an app share a text; `keys` are further keys of the step, such as `via="os"`."""
        return self.step({"share": {"from": sender, "to": receiver, "text": text, **keys}})

    def status(self) -> Mapping[str, Any]:
        return self.call("status")

    def apps(self) -> list:
        return self.call("apps")["apps"]

    def accounts(self) -> list:
        return self.call("accounts")["accounts"]

    def journal(self, limit: int = 100) -> list:
        """Returns the last events of the journal."""
        return self.call("journal", {"limit": limit})["events"]

    def follow(self) -> Iterator[Mapping[str, Any]]:
        """Yields new events until the device shuts down. The connection cannot be used for anything else afterwards."""
        self.call("journal", {"limit": 0, "follow": True})
        return self._events()

    def _events(self) -> Iterator[Mapping[str, Any]]:
        while True:
            try:
                message = self._next()
            except HungUp:
                return
            if message.get("method") == "journal":
                yield message["params"]

    def down(self) -> Mapping[str, Any]:
        """Shuts the device down and waits. Returns the guests that were running and those that were killed."""
        return self.call("down")

    def _next(self) -> Mapping[str, Any]:
        try:
            line = self._lines.readline()
        except ConnectionError:
            line = ""
        if not line.endswith("\n"):
            raise HungUp("the device has hung up")
        return json.loads(line)
