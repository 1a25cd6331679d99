"""A private Slurm cluster on one machine, for tests."""

import ctypes
import os
import pathlib
import re
import secrets
import socket
import time

from processes import (
    ClusterError,
    KeptProcess,
    end_of,
    is_listened_at,
    kill,
    program,
    reserve_ports,
    run,
    succeeds,
    wait_until,
)

ADDRESS = "127.0.0.1"
# Environment variables of Slurm's programs, which refer to another Slurm.
FOREIGN = ("SLURM", "SBATCH_", "SALLOC_", "SRUN_", "SQUEUE_", "SCANCEL_", "SINFO_", "SCONTROL_", "MUNGE_")
READY = {"idle", "mixed", "allocated", "completing"}
SHARED_MEMORY = pathlib.Path("/dev/shm")
# The longest path of a socket, sun_path of unix(7), less the characters that slurmd appends to its folder.
LONGEST_FOLDER = 107 - len("/node10/spool/node10_4294967295.4294967295")

# While a node does not answer, Slurm processes the answers of all nodes only after MessageTimeout plus a second.
# If SlurmdTimeout is not well above that, Slurm 24.11 also marks running nodes as down.
CONFIGURATION = """\
ClusterName=test
SlurmctldHost={host}({address})
SlurmctldPort={port}
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={socket},cred_expire={credential_seconds}
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
SchedulerParameters=batch_sched_delay=0,sched_interval=1
ReturnToService=2
SlurmdTimeout=10
MessageTimeout=4
InactiveLimit=30
KillWait=2
JobRequeue=1
MailProg={mail}
DebugFlags=NO_CONF_HASH
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/%n/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/%n/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/%n/slurmd.log
{nodes}
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""


class Slurm:
    """A controller, nodes of one CPU each, and munge, all as processes of root on this machine.

    It does not depend on systemd, control groups, the user `munge` or an installed Slurm's configuration. Slurm
    requires an IPv4 address in addition to the loopback address. It listens on all addresses; munge rejects other
    clients. All nodes see the files of the machine, and all jobs its host name; `SLURMD_NODENAME` is a job's node.
    Clients need `environment`.

    Slurm marks a failed node as down after 15 to 25 seconds. Its jobs restart at least `credential_seconds` plus
    one second later; Slurm accepts no value below 5. munge rejects a node whose clock is wrong by more than 300 s.
    A node whose clock is ahead by more than `credential_seconds` accepts jobs of sbatch, but not steps of srun.
    """

    def __init__(self, folder, nodes=4, credential_seconds=5):
        self.folder = pathlib.Path(folder).resolve()
        self.names = [f"node{number}" for number in range(1, nodes + 1)]
        self.credential_seconds = credential_seconds
        self.configuration = self.folder / "slurm.conf"
        self.environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith(FOREIGN)},
            "SLURM_CONF": str(self.configuration),
        }
        self.munge = self.controller = None
        self.nodes = {name: [] for name in self.names}
        # Start times of slurmd: that of the previous one according to the controller, and the earliest of the last.
        self.replaced_start = {}
        self.earliest_start = {}
        self.clocks = []
        self.ports, self.reservations = [], []

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.stop()

    def start(self):
        """Starts the cluster, and waits until it accepts jobs."""
        try:
            self.prepare()
            self.munge = self.start_munge("munge")
            self.start_controller()
            for name in self.names:
                self.start_slurmd(name)
            self.nodes_ready()
        except BaseException:
            self.stop()
            raise

    def stop(self):
        """Stops all its processes and those of its jobs. Its files remain."""
        processes = [process for node in self.nodes.values() for process in node]
        try:
            kill([*processes, *(process for process in (self.controller, self.munge) if process)])
        finally:
            self.munge = self.controller = None
            self.nodes = {name: [] for name in self.names}
            for clock in self.clocks:
                clock.remove()
            for reservation in self.reservations:
                reservation.give_back()
            self.clocks, self.reservations = [], []

    def run(self, *command, seconds=60):
        """Returns the standard output of a Slurm client, without the last line feed."""
        return run(*command, environment=self.environment, seconds=seconds).rstrip("\n")

    def states(self):
        """Returns the state of each node from sinfo; a trailing `*` means that the node does not respond."""
        lines = self.run("sinfo", "--Node", "--noheader", "--format", "%N %T").splitlines()
        return dict(line.split() for line in lines)

    def nodes_ready(self, names=None, seconds=60):
        """Waits until the nodes, by default all, accept jobs."""
        names = names or self.names
        what = f"{', '.join(names)}: ready"
        wait_until(lambda: self.are_ready(names), what, seconds, lambda: self.told(names))

    def kill_node(self, name):
        """Kills a node: slurmd, its steps and their jobs, without notice."""
        kill(self.nodes[name])
        self.nodes[name] = []

    def start_node(self, name, clock=0):
        """Starts a stopped node and waits until slurmd listens. Its clock is ahead by this many seconds.

        If the clock differs, slurmd, its own munge and the node's jobs run under libfaketime. They see the real
        times of files.
        """
        if clock:
            wrong = Clock(clock, f"test-cluster-{os.getpid()}-{self.ports[0]}-{name}-{len(self.clocks)}")
            self.clocks.append(wrong)
            self.nodes[name].append(self.start_munge(f"{name}/munge", wrong.prefix))
            self.start_slurmd(name, wrong)
        else:
            self.start_slurmd(name)
        slurmd, port = self.nodes[name][-1], self.ports[1 + self.names.index(name)]
        what = f"{slurmd.name}: listens"
        wait_until(lambda: slurmd.check() or is_listened_at(port), what, told=lambda: self.told([name]))

    def environment_of(self, name):
        """Returns the environment of clients on a node with its own clock."""
        return {**self.environment, "SLURM_CONF": str(self.folder / f"slurm-{name}.conf")}

    def stop_controller(self):
        """Stops the controller. Jobs continue."""
        self.run("scontrol", "shutdown", "slurmctld")
        self.controller.wait()
        self.controller = None

    def start_controller(self):
        """Starts the controller and waits until it answers. It resumes its jobs."""
        if self.controller and self.controller.is_running():
            raise ClusterError("slurmctld: is running")
        log = self.folder / "slurmctld.out"
        self.controller = KeptProcess("slurmctld", ["slurmctld", "-D"], log, self.environment)
        wait_until(self.controller_answers, "slurmctld: answers", told=lambda: end_of(log))

    def prepare(self):
        """Creates the folders, the key and the configuration."""
        if len(str(self.folder)) > LONGEST_FOLDER:
            raise ClusterError(
                f"{self.folder}: more than {LONGEST_FOLDER} characters: too long for sockets in it"
            )
        for folder in ["state", *(f"{name}/spool" for name in self.names)]:
            (self.folder / folder).mkdir(parents=True, exist_ok=True)
        self.ports, self.reservations = reserve_ports(1 + len(self.names))
        key = self.folder / "munge.key"
        key.touch(mode=0o600)
        key.write_bytes(secrets.token_bytes(128))
        # slurmd requires a plugin for control groups. This one uses neither control groups nor systemd.
        (self.folder / "cgroup.conf").write_text("CgroupPlugin=cgroup/v1\n")
        self.write_configuration(self.configuration, self.folder / "munge.socket")

    def write_configuration(self, path, munge, more=""):
        """Writes the slurm.conf of the programs with this munge."""
        host = socket.gethostname().partition(".")[0]
        text = CONFIGURATION.format(
            host=host,
            address=ADDRESS,
            port=self.ports[0],
            socket=munge,
            credential_seconds=self.credential_seconds,
            mail=program("true"),
            folder=self.folder,
            nodes="\n".join(
                f"NodeName={name} NodeHostname={host} NodeAddr={ADDRESS} Port={port} CPUs=1 RealMemory=4096"
                for name, port in zip(self.names, self.ports[1:])
            ),
        )
        path.write_text(text + more)

    def write_configuration_of_node(self, name, clock):
        """Writes the slurm.conf of a node with its own munge and clock, which its jobs also use. Returns its path."""
        prolog = self.folder / name / "prolog.sh"
        exports = [f"echo 'export {assignment}'" for assignment in clock.assignments]
        prolog.write_text("\n".join(["#!/bin/sh", *exports, ""]))
        prolog.chmod(0o755)
        path = self.folder / f"slurm-{name}.conf"
        self.write_configuration(path, self.folder / name / "munge.socket", f"TaskProlog={prolog}\n")
        return path

    def start_munge(self, name, prefix=()):
        """Starts a munged under a command prefix, and waits until it issues credentials."""
        files = {kind: self.folder / f"{name}.{kind}" for kind in ("socket", "pid", "seed", "log")}
        files["socket"].unlink(missing_ok=True)
        command = [
            *prefix,
            program("munged"),
            "--foreground",
            # It rejects a socket in a folder that is not accessible to all users, such as a temporary folder.
            "--force",
            f"--origin={ADDRESS}",
            f"--key-file={self.folder / 'munge.key'}",
            f"--socket={files['socket']}",
            f"--pid-file={files['pid']}",
            f"--seed-file={files['seed']}",
        ]
        munged = KeptProcess(f"munged of {name}", command, files["log"], self.environment)
        try:
            wait_until(
                lambda: munged.check() or succeeds("munge", "--no-input", f"--socket={files['socket']}"),
                f"{munged.name}: issues credentials",
                told=lambda: end_of(files["log"]),
            )
        except BaseException:
            munged.kill()
            raise
        return munged

    def start_slurmd(self, name, clock=None):
        """Starts the slurmd of a node with this clock."""
        slurmd = f"slurmd of {name}"
        if any(process.is_running() for process in self.nodes[name] if process.name == slurmd):
            raise ClusterError(f"{name}: is running")
        configuration, seconds, prefix = self.configuration, 0, []
        if clock:
            configuration = self.write_configuration_of_node(name, clock)
            seconds, prefix = clock.seconds, clock.prefix
        replaced = self.replaced_start[name] = self.known_start(name)
        # The time has a resolution of seconds, and two starts of a node must differ.
        wait_until(lambda: int(time.time()) + seconds != replaced, f"{name}: the next second")
        self.earliest_start[name] = int(time.time()) + seconds
        environment = {**self.environment, "SLURM_CONF": str(configuration)}
        command = [*prefix, program("slurmd"), "-D", "-N", name]
        self.nodes[name].append(KeptProcess(slurmd, command, self.folder / name / "slurmd.out", environment))

    def controller_answers(self):
        """Whether the controller runs and answers."""
        self.controller.check()
        return is_listened_at(self.ports[0]) and succeeds("scontrol", "ping", environment=self.environment)

    def are_ready(self, names):
        """Whether the nodes are running, have registered since their start, and accept jobs."""
        if not self.controller:
            raise ClusterError("slurmctld: is not running")
        for process in [self.controller, *(process for name in names for process in self.nodes[name])]:
            process.check()
        states = self.states()
        return all(states.get(name) in READY and self.has_registered(name) for name in names)

    def has_registered(self, name):
        """Whether the last started slurmd has registered with the controller."""
        known = self.known_start(name)
        return known is not None and known >= self.earliest_start[name] and known != self.replaced_start[name]

    def known_start(self, name):
        """Returns the start time of the slurmd that the controller knows, by its own clock, in seconds since 1970."""
        environment = {**self.environment, "SLURM_TIME_FORMAT": "%s"}
        try:
            told = run("scontrol", "--oneliner", "show", "node", name, environment=environment)
        except ClusterError:
            return None
        found = re.search(r" SlurmdStartTime=(\d+)", told)
        return found and int(found[1])

    def told(self, names):
        """Describes the nodes that are not ready."""
        try:
            states = f"states: {self.states()}"
        except ClusterError as error:
            states = str(error)
        logs = [self.folder / "slurmctld.log", *(self.folder / name / "slurmd.log" for name in names)]
        return "\n".join([states, *map(end_of, logs)])


class Clock:
    """A clock that is wrong by some seconds, for processes with `assignments` in their environment.

    By default, each process under libfaketime creates a semaphore and shared memory, and leaves them if it is
    killed. So all share one pair. The semaphore's value admits all of them at once, so a process that is killed
    while it holds the semaphore blocks no other.
    """

    def __init__(self, seconds, name):
        self.seconds, self.name = seconds, name
        libc = ctypes.CDLL(None, use_errno=True)
        libc.sem_open.restype = ctypes.c_void_p
        self.remove()
        if not libc.sem_open(f"/{name}".encode(), os.O_CREAT | os.O_EXCL, 0o600, 1 << 20):
            raise ClusterError(f"sem_open: {name}: {os.strerror(ctypes.get_errno())}")
        # struct ft_shared_s of libfaketime, with ticks and index 0 and unset times.
        self.memory.write_bytes(bytes(16) + b"\xff" * 4080)
        self.assignments = [
            f"LD_PRELOAD={libfaketime()}",
            f"FAKETIME={seconds:+d}",
            "FAKETIME_DONT_FAKE_MONOTONIC=1",
            f"FAKETIME_SHARED=/{name} /{name}",
            "NO_FAKE_STAT=1",
        ]
        self.prefix = [program("env"), *self.assignments]

    @property
    def memory(self):
        """The shared memory."""
        return SHARED_MEMORY / self.name

    def remove(self):
        """Removes the shared memory."""
        for path in (self.memory, SHARED_MEMORY / f"sem.{self.name}"):
            path.unlink(missing_ok=True)


def libfaketime():
    """Returns the path of the library for programs with threads."""
    for pattern in ("lib/*/faketime/libfaketimeMT.so.1", "lib*/faketime/libfaketimeMT.so.1"):
        for path in sorted(pathlib.Path("/usr").glob(pattern)):
            return path
    raise ClusterError("libfaketimeMT.so.1: not found in /usr/lib")
