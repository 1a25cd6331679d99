"""Background processes of tests, which are all killed at the end, and reserved resources of the machine."""

import contextlib
import ctypes
import itertools
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time

SYSTEM_PATH = os.environ.get("PATH", "/usr/bin:/bin") + ":/usr/local/sbin:/usr/sbin:/sbin"
# prctl(2)
PR_SET_CHILD_SUBREAPER = 36


class ClusterError(Exception):
    """A test cluster failed to start, change or stop."""


class KeptProcess:
    """A background process and all its descendants.

    All descendants stay below a keeper process, even if they create a session and their parent ends. The keeper
    kills them all on request, and when the process that started it ends for any reason.
    """

    def __init__(self, name, command, log, environment=None):
        self.name = name
        self.log = pathlib.Path(log)
        with open(self.log, "ab") as output:
            self.keeper = subprocess.Popen(
                [sys.executable, "-I", "-S", __file__, program(command[0]), *map(str, command[1:])],
                stdin=subprocess.PIPE,
                stdout=output,
                stderr=subprocess.STDOUT,
                env=environment,
                cwd="/",
                start_new_session=True,
            )

    def is_running(self):
        """Whether the process or a descendant is running."""
        return self.keeper.poll() is None

    def check(self):
        """Raises an error if no process is running."""
        if not self.is_running():
            raise ClusterError(f"{self.name} ended with status {self.keeper.returncode}\n{end_of(self.log)}")

    def kill(self):
        """Kills all processes with SIGKILL."""
        kill([self])

    def wait(self, seconds=30):
        """Waits until the process and its descendants have ended."""
        try:
            self.keeper.wait(seconds)
        except subprocess.TimeoutExpired:
            raise ClusterError(f"{self.name} did not end in {seconds} s\n{end_of(self.log)}") from None
        self.keeper.stdin.close()


def kill(processes):
    """Kills all these processes and their descendants with SIGKILL."""
    for process in processes:
        process.keeper.stdin.close()
    failures = []
    for process in processes:
        try:
            process.wait()
        except ClusterError as error:
            failures.append(str(error))
    if failures:
        raise ClusterError("\n".join(failures))


class Reservation:
    """A name that one process of this machine reserves, until it releases the name or exits.

    It is the name of an abstract socket (unix(7)), which belongs to a network namespace, as ports do.
    """

    def __init__(self, name):
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        try:
            self.socket.bind(f"\0{name}")
        except OSError:
            self.socket.close()
            raise

    def give_back(self):
        """Releases the reservation."""
        self.socket.close()


def reserve(name, numbers, is_free=lambda number: True):
    """Returns the first free number, and its reservation under the name."""
    for number in numbers:
        try:
            reservation = Reservation(f"{name}-{number}")
        except OSError:
            continue
        if is_free(number):
            return number, reservation
        reservation.give_back()
    raise ClusterError(f"{name}: none is free")


def reserve_ports(count):
    """Returns free ports of 127.0.0.1, and their reservations.

    If possible, they are below the range for outgoing connections, so they are still free when a process is
    restarted.
    """
    first, last = 10000, lowest_port_of_connections()
    if last < first + 1000:
        last = 65536
    begin = first + os.getpid() * 64 % (last - first)
    numbers = itertools.chain(range(begin, last), range(first, begin))
    found = [reserve("test-cluster-port", numbers, port_is_free) for _ in range(count)]
    return [port for port, _ in found], [reservation for _, reservation in found]


def lowest_port_of_connections():
    """Returns the lowest port of the range for outgoing connections."""
    return int(pathlib.Path("/proc/sys/net/ipv4/ip_local_port_range").read_text().split()[0])


def port_is_free(port):
    """Whether no process listens on the port at any address."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("", port))
        except OSError:
            return False
    return True


def is_listened_at(port):
    """Whether a process listens on the IPv4 port, without connecting to it."""
    # proc(5): local addresses as ADDRESS:PORT in hexadecimal digits, and 0A for TCP_LISTEN.
    lines = pathlib.Path("/proc/net/tcp").read_text().splitlines()[1:]
    return any(line.split()[1].endswith(f":{port:04X}") and line.split()[3] == "0A" for line in lines)


def program(name):
    """Returns the path of a program, including those in the sbin folders."""
    path = shutil.which(name, path=SYSTEM_PATH)
    if not path:
        raise ClusterError(f"{name}: not found in {SYSTEM_PATH}")
    return path


def run(*command, environment=None, seconds=60):
    """Returns the standard output of the command. Raises an error if it fails."""
    told = " ".join(map(str, command))
    try:
        ended = subprocess.run(
            [program(command[0]), *map(str, command[1:])],
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=seconds,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise ClusterError(f"{told}: no end in {seconds} s") from None
    if ended.returncode:
        raise ClusterError(f"{told}: status {ended.returncode}\n{ended.stderr[-4000:].rstrip()}")
    return ended.stdout


def succeeds(*command, environment=None, seconds=60):
    """Whether the command exits with status 0."""
    try:
        run(*command, environment=environment, seconds=seconds)
    except ClusterError:
        return False
    return True


def wait_until(condition, what, seconds=60, told=lambda: ""):
    """Waits for the first true value of the condition. The failure text is computed only when needed."""
    deadline = time.monotonic() + seconds
    while not (value := condition()):
        if time.monotonic() > deadline:
            raise ClusterError(f"{what}: not in {seconds} s\n{told()}".rstrip())
        time.sleep(0.05)
    return value


def end_of(log, lines=20):
    """Returns the last lines of a log, with its path."""
    try:
        text = pathlib.Path(log).read_text(errors="replace")
    except OSError as error:
        return f"{log}: {error.strerror}"
    return "\n".join([f"{log}:", *text.splitlines()[-lines:]])


def keep(command):
    """Returns the command's status, once all its descendants have exited. Runs in the keeper."""
    if ctypes.CDLL(None, use_errno=True).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0):
        raise OSError(ctypes.get_errno(), "prctl: PR_SET_CHILD_SUBREAPER")
    nothing = (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0)
    first = os.posix_spawn(command[0], command, os.environ, file_actions=[nothing])
    threading.Thread(target=kill_when_told, daemon=True).start()
    status = 0
    while True:
        try:
            pid, ended = os.wait()
        except ChildProcessError:
            return os.waitstatus_to_exitcode(status) % 256
        if pid == first:
            status = ended


def kill_when_told():
    """Kills all processes below the keeper, once its standard input has ended.

    All are stopped first, parents before children. As when a host fails, no process sees another end.
    """
    os.read(0, 1)
    stopped = set()
    while found := [pid for pid in beneath(os.getpid()) if pid not in stopped]:
        send(signal.SIGSTOP, found)
        stopped.update(found)
    while found := beneath(os.getpid()):
        send(signal.SIGKILL, found)
        time.sleep(0.005)


def send(number, pids):
    """Sends the signal to the processes that are still running."""
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, number)


def beneath(ancestor):
    """Returns the process ids of all running descendants, parents before children."""
    children = {}
    for pid in filter(str.isdecimal, os.listdir("/proc")):
        # proc(5): the name is in parentheses and may hold any character.
        with contextlib.suppress(OSError):
            text = pathlib.Path("/proc", pid, "stat").read_text(errors="replace")
            state, parent = text.rpartition(")")[2].split()[:2]
            if state not in "ZX":
                children.setdefault(int(parent), []).append(int(pid))
    found = [ancestor]
    for pid in found:
        found += children.get(pid, [])
    return found[1:]


if __name__ == "__main__":
    sys.exit(keep(sys.argv[1:]))
