"""Hosts with SSH servers in network namespaces of one machine, and a full folder, for tests."""

import contextlib
import errno
import os
import pathlib
import pwd
import tempfile

from processes import ClusterError, KeptProcess, end_of, kill, program, reserve, run, succeeds, wait_until

# 198.18.0.0/15 is reserved for benchmarks of network devices (RFC 2544). Each cluster uses a /24 of it.
NETWORKS = range(512)
NAMESPACES = pathlib.Path("/run/netns")
# The folder that confines sshd before authentication. Debian's sshd has the path compiled in.
PRIVILEGE_SEPARATION = pathlib.Path("/run/sshd")

SERVER = """\
AddressFamily inet
ListenAddress {address}
HostKey {folder}/{name}/host_key
PidFile none
AuthorizedKeysFile {folder}/client_key.pub
StrictModes no
UsePAM no
PermitRootLogin prohibit-password
PasswordAuthentication no
KbdInteractiveAuthentication no
MaxStartups 1000
MaxSessions 1000
PrintMotd no
PrintLastLog no
Subsystem sftp internal-sftp
"""
CLIENT_OF_HOST = """\
Host {name}
    HostName {address}
"""
CLIENT = """\
Host *
    User {user}
    IdentityFile {folder}/client_key
    IdentitiesOnly yes
    UserKnownHostsFile {folder}/known_hosts
    GlobalKnownHostsFile none
    StrictHostKeyChecking yes
    BatchMode yes
    ConnectTimeout 5
    ServerAliveInterval 2
    ServerAliveCountMax 2
"""


class SSHHosts:
    """Hosts `h1`, `h2` and so on, each with its own sshd, network namespace and host name.

    A bridge of this machine connects their namespaces, and they see all its files. `ssh -F CONFIG h1`, where
    CONFIG is `config`, connects to a host. With this configuration, ssh gives up on a failed host after 4 to 6
    seconds. With `-o ServerAliveInterval=0`, it waits until TCP gives up.
    """

    def __init__(self, folder, count=3):
        self.folder = pathlib.Path(folder).resolve()
        self.names = [f"h{number}" for number in range(1, count + 1)]
        self.config = self.folder / "config"
        self.hosts = {}
        self.network = self.reservation = None

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.stop()

    def start(self):
        """Starts all hosts, and waits until each accepts clients."""
        try:
            self.network, self.reservation = reserve("test-cluster-network", NETWORKS, network_is_free)
            self.remove_network()
            self.write_files()
            self.make_bridge()
            for name in self.names:
                self.make_namespace(name)
                self.start_sshd(name)
            for name in self.names:
                self.host_ready(name)
        except BaseException:
            self.stop()
            raise

    def stop(self):
        """Stops all processes of the hosts, and removes the namespaces and links. The files remain."""
        try:
            kill(self.hosts.values())
        finally:
            self.hosts = {}
            if self.reservation:
                self.remove_network()
                self.reservation.give_back()
            self.network = self.reservation = None

    def host_ready(self, name, seconds=60):
        """Waits until a started host accepts clients."""
        sshd = self.hosts[name]
        wait_until(
            lambda: sshd.check() or succeeds("ssh", "-F", self.config, name, "true"),
            f"{name}: accepts a client",
            seconds,
            lambda: end_of(sshd.log),
        )

    def kill_host(self, name):
        """Kills a host without notice: its link goes down, and then all its processes are killed."""
        if name not in self.hosts:
            raise ClusterError(f"{name}: is not running")
        run("ip", "link", "set", self.device(name), "down")
        self.hosts.pop(name).kill()

    def start_host(self, name):
        """Restarts a killed host and waits until it accepts clients."""
        if name in self.hosts:
            raise ClusterError(f"{name}: is running")
        run("ip", "link", "set", self.device(name), "up")
        self.start_sshd(name)
        self.host_ready(name)

    def run(self, name, command, seconds=60):
        """Returns the standard output of a shell command on the host, without the last line feed."""
        return run("ssh", "-F", self.config, name, command, seconds=seconds).rstrip("\n")

    def address(self, number):
        """Returns an address of the network. The bridge has number 1."""
        return f"{prefix(self.network)}.{number}"

    def address_of(self, name):
        """Returns the address of a host."""
        return self.address(2 + self.names.index(name))

    def device(self, name):
        """Returns the name of a namespace and its link; for `br`, that of the bridge.

        A link's name has at most 15 characters.
        """
        return device(self.network, name)

    def make_bridge(self):
        """Creates the bridge."""
        bridge = self.device("br")
        run("ip", "link", "add", bridge, "type", "bridge")
        run("ip", "address", "add", f"{self.address(1)}/24", "dev", bridge)
        run("ip", "link", "set", bridge, "up")

    def make_namespace(self, name):
        """Creates the namespace of a host, and links it to the bridge."""
        namespace = link = self.device(name)
        run("ip", "netns", "add", namespace)
        run("ip", "link", "add", link, "type", "veth", "peer", "name", "eth0", "netns", namespace)
        run("ip", "link", "set", link, "master", self.device("br"), "up")
        inside = enter(namespace)
        run(*inside, "ip", "address", "add", f"{self.address_of(name)}/24", "dev", "eth0")
        for device in ("lo", "eth0"):
            run(*inside, "ip", "link", "set", device, "up")

    def remove_network(self):
        """Removes the namespaces and links of the network, including those of a killed process."""
        ours = device(self.network, "")
        for namespace in NAMESPACES.glob(f"{ours}*"):
            run("ip", "netns", "delete", namespace.name)
        for link in sorted(links()):
            if link.startswith(ours):
                # The links of a deleted namespace disappear some time later.
                succeeds("ip", "link", "delete", link)

    def write_files(self):
        """Writes the keys, and the configurations of the servers and the client."""
        PRIVILEGE_SEPARATION.mkdir(mode=0o755, exist_ok=True)
        self.folder.mkdir(parents=True, exist_ok=True)
        make_key(self.folder / "client_key")
        known, config = [], []
        for name in self.names:
            address = self.address_of(name)
            (self.folder / name).mkdir(exist_ok=True)
            key = make_key(self.folder / name / "host_key")
            server = SERVER.format(address=address, folder=self.folder, name=name)
            (self.folder / name / "sshd_config").write_text(server)
            known.append(f"{address} {key}")
            config.append(CLIENT_OF_HOST.format(name=name, address=address))
        (self.folder / "known_hosts").write_text("".join(known))
        user = pwd.getpwuid(os.getuid()).pw_name
        self.config.write_text("".join([*config, CLIENT.format(user=user, folder=self.folder)]))

    def start_sshd(self, name):
        """Starts the sshd of a host, and sets the host's name."""
        folder = self.folder / name
        script = 'hostname "$1" && exec "$2" -D -e -f "$3"'
        sshd = ["sh", "-c", script, "sh", name, program("sshd"), folder / "sshd_config"]
        command = [*enter(self.device(name)), "unshare", "--uts", *sshd]
        self.hosts[name] = KeptProcess(f"sshd of {name}", command, folder / "sshd.log")


def enter(namespace):
    """Returns the prefix of a command in the namespace.

    `ip netns exec` and `ip -n` would also create a mount namespace, which hides later mounts.
    """
    return ["nsenter", f"--net={NAMESPACES / namespace}"]


def device(network, name):
    """Returns the name of a namespace or link of the network."""
    return f"sshtest{network}-{name}"


def prefix(network):
    """Returns the first three numbers of the network's addresses."""
    return f"198.{18 + network // 256}.{network % 256}"


def links():
    """Returns the names of the links in this machine's network namespace."""
    return os.listdir("/sys/class/net")


def network_is_free(network):
    """Whether no link has an address of the network, except those of a killed process."""
    ours = device(network, "")
    lines = run("ip", "-oneline", "-4", "address", "show").splitlines()
    return not any(f" {prefix(network)}." in line and not line.split()[1].startswith(ours) for line in lines)


def make_key(path):
    """Creates a key pair. Returns the public key as one line."""
    public = path.with_suffix(".pub")
    for old in (path, public):
        old.unlink(missing_ok=True)
    run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", path.stem, "-f", path)
    return public.read_text()


@contextlib.contextmanager
def full_folder(size=2 << 20):
    """A full folder of a limited size; `make_room` and `fill` change its free space."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="full-folder-"))
    try:
        run("mount", "-t", "tmpfs", "-o", f"size={size},mode=0755", "full-folder", folder)
        try:
            fill(folder)
            yield folder
        finally:
            # The mount is removed immediately, and its files once no process has them open.
            run("umount", "--lazy", folder)
    finally:
        folder.rmdir()


def fill(folder):
    """Fills a folder: a file uses the remaining space."""
    with open(filling(folder), "ab", buffering=0) as file:
        try:
            while True:
                file.write(bytes(1 << 12))
        except OSError as error:
            if error.errno != errno.ENOSPC:
                raise


def make_room(folder):
    """Frees the space in a filled folder."""
    filling(folder).unlink()


def filling(folder):
    """Returns the path of the file that uses the remaining space."""
    return pathlib.Path(folder) / ".filling"
