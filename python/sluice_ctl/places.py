"""The locations of the control sockets of this user's devices (docs/running-device.md, "Location of sockets")."""
import os
import socket
import stat
from pathlib import Path
from typing import List


class NoDevice(Exception):
    """No device is running, or several are; the message lists them."""


def folders() -> List[Path]:
    """Returns the folders of sockets that only this user can access."""
    user = os.geteuid()
    replacement = Path(_folder("TMPDIR") or "/tmp") / f"sluice-{user}"
    session = Path(f"/run/user/{user}")
    runtime = _folder("XDG_RUNTIME_DIR") or (session if _is_private(session) else None)
    found = [Path(runtime) / "sluice"] if runtime else []
    return found + ([replacement] if _is_private(replacement) else [])


def only_socket() -> str:
    """Returns the default socket: SLUICE_SOCKET, or that of the only running device.

    Raises NoDevice.
    """
    named = os.environ.get("SLUICE_SOCKET")
    if named:
        return named
    live = [str(path) for folder in folders() for path in sorted(folder.glob("*.sock")) if _answers(path)]
    if not live:
        raise NoDevice("no device is running; start one with `sluice up FILE`")
    if len(live) > 1:
        raise NoDevice(f"several devices are running; select one by its socket: {', '.join(live)}")
    return live[0]


def _folder(variable: str) -> str:
    value = os.environ.get(variable, "")
    return value if value.startswith("/") else ""


def _is_private(path: Path) -> bool:
    try:
        status = path.lstat()
    except OSError:
        return False
    return (
        stat.S_ISDIR(status.st_mode)
        and status.st_uid == os.geteuid()
        and not stat.S_IMODE(status.st_mode) & 0o077
    )


def _answers(path: Path) -> bool:
    with socket.socket(socket.AF_UNIX) as connection:
        try:
            connection.connect(str(path))
        except OSError:
            return False
        return True
