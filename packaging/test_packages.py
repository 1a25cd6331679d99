"""Tests the output of `make packages` as its users use it: in a minimal Debian 12, and as a container image.

Usage: test_packages.py FOLDER, the folder with the packages. Needs root, for mount namespaces, and debootstrap, lintian, buildah
and uidmap from Debian.
"""

import ctypes
import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
FOLDER = pathlib.Path(sys.argv.pop(1)).resolve()
MIRROR = "http://deb.debian.org/debian"
# The output of debootstrap, kept for the next run.
BARE = HERE.parent / ".build" / "bare-debian"
SCENARIO = "/usr/share/sluice/scenarios/clipboard.yaml"
POLICY = "scenarios/criteria/policies/base.json"
# A separate root: confinement of guests needs user namespaces, which a process in a chroot cannot create.
ENTER = """
set -e
mount --make-rprivate /
mount --bind "$1" "$1"
mount -t proc proc "$1/proc"
mount --rbind /sys "$1/sys"
mount --bind /dev "$1/dev"
mount -t devpts devpts "$1/dev/pts" 2>/dev/null || true
mount -t tmpfs tmpfs "$1/dev/shm" 2>/dev/null || true
cd "$1"
pivot_root . mnt
umount -l /mnt
shift
exec "$@"
"""


def one(pattern):
    found = sorted(FOLDER.glob(pattern))
    assert len(found) == 1, f"{FOLDER}: {pattern}: found {found}"
    return found[0]


def bare_debian():
    if not (BARE / "etc" / "debian_version").exists():
        shutil.rmtree(BARE, ignore_errors=True)
        unfinished = BARE.with_suffix(".unfinished")
        shutil.rmtree(unfinished, ignore_errors=True)
        # Its mounts end with its namespace.
        make = ["unshare", "--mount", "debootstrap", "--force-check-gpg", "--variant=minbase", "bookworm", unfinished, MIRROR]
        subprocess.run(make, check=True, stdout=subprocess.DEVNULL)
        unfinished.rename(BARE)
    return BARE


class System:
    """A separate minimal Debian system with an unprivileged user."""

    def __init__(self, test):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="sluice-system-"))
        test.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.root = self.folder / "root"
        subprocess.run(["cp", "-a", "--reflink=auto", bare_debian(), self.root], check=True)
        self.root.chmod(0o755)
        self.folder.chmod(0o755)
        self.test = test
        self.run("useradd", "--create-home", "--uid", "1234", "mobile")

    def command(self, words, user=None):
        as_user = ["setpriv", "--reuid", "1234", "--regid", "1234", "--clear-groups"] if user else []
        return ["unshare", "--mount", "--pid", "--fork", "--kill-child", "bash", "-c", ENTER, "enter", self.root, *as_user, *words]

    def environment(self, user, more):
        home = "/home/mobile" if user else "/root"
        return {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": home, "LC_ALL": "C.UTF-8", "DEBIAN_FRONTEND": "noninteractive", **more}

    def run(self, *words, user=None, status=0, **environment):
        ended = subprocess.run(
            self.command(words, user), env=self.environment(user, environment), capture_output=True, text=True, stdin=subprocess.DEVNULL
        )
        told = f"{' '.join(map(str, words))}: {ended.returncode}\n{ended.stdout[-2000:]}{ended.stderr[-4000:]}"
        self.test.assertEqual(ended.returncode, status, told)
        return ended.stdout + ended.stderr

    def script(self, text, **options):
        return self.run("sh", "-euc", text, **options)

    def install(self, package):
        shutil.copy(package, self.root / "root" / "sluice.deb")
        self.run("dpkg", "-i", "/root/sluice.deb")
        (self.root / "root" / "sluice.deb").unlink()

    def unpack(self, tarball, folder="opt"):
        subprocess.run(["tar", "-xzf", tarball, "-C", self.root / folder], check=True)

    def files(self):
        """Returns the names of all files except dpkg's database, caches and logs."""
        own = ("var/lib/dpkg/", "var/log/", "var/cache/", "proc/", "sys/", "dev/")
        names = (path.relative_to(self.root).as_posix() for path in self.root.rglob("*"))
        return {name for name in names if not name.startswith(own)}


class DebianPackageTests(unittest.TestCase):
    def test_lintian_finds_nothing(self):
        ended = subprocess.run(
            ["lintian", "--allow-root", "--fail-on", "error,warning", "--tag-display-limit", "0", one("*.deb")], capture_output=True, text=True
        )
        self.assertEqual((ended.returncode, ended.stdout + ended.stderr), (0, ""))

    def test_it_runs_in_a_bare_system_and_leaves_nothing(self):
        system = System(self)
        before = system.files()
        system.install(one("*.deb"))
        self.assertRegex(system.run("sluice", "--version"), r"^sluice \d+\.\d+\.\d+ \([0-9a-f]{7,}\+?\)\n$")
        for user in [None, "mobile"]:
            shown = system.run("sluice", "demo", "--policy", f"/usr/share/sluice/{POLICY}", user=user)
            self.assertIn("2 cases: 2 passed", shown)
            self.assertRegex(system.run("sluice", "doctor", user=user), r"(?m)^kept +files +Landlock")
        self.assertIn("passed", system.run("sluice", "run", SCENARIO, user="mobile"))
        self.assertIn("44 criteria: 44 passed", system.run("sluice", "criteria", user="mobile"))
        new = system.script("cd; sluice new scenario mine && head -1 mine.yaml && sluice run mine.yaml", user="mobile")
        system.run("sluice", "code", "lint", "/usr/share/sluice/examples/mail/Sources", user="mobile")
        app = "cd; sluice new app Own --from /usr/share/sluice/examples/mail/Sources/Mail && cat Own/Package.swift"
        self.assertIn('.package(path: "/usr/share/sluice/ios-modules")', system.script(app, user="mobile"))
        self.assertIn("$schema=/usr/share/sluice/schema/scenario.schema.json", new)
        system.run("dpkg", "--purge", "sluice")
        left = {name for name in system.files() - before if not name.startswith(("home/mobile/mine", "home/mobile/Own"))}
        self.assertEqual(left, set())

    def test_a_device_outlives_an_upgrade(self):
        system = System(self)
        system.install(one("*.deb"))
        newer = self.newer(system)
        shutil.copy(newer, system.root / "root" / "newer.deb")
        (system.root / "root" / "device.yaml").write_text(DEVICE)
        shown = system.script(
            """
            export XDG_RUNTIME_DIR=/run
            sluice up /root/device.yaml >/root/up.log 2>&1 &
            until sluice ctl status >/dev/null 2>&1; do kill -0 $!; sleep 0.1; done
            sluice ctl launch mail
            dpkg -i /root/newer.deb
            # Running guests, restarted guests, and requests of the new program to the old device.
            sluice ctl share from=mail to=viewer text=Figures expect.verdict=blocked
            sluice ctl kill mail
            sluice ctl launch mail
            sluice ctl share from=mail to=viewer text=Figures expect.verdict=blocked
            sluice down
            wait
            """
        )
        self.assertEqual(shown.count("blocked by sendManagedAppsToUnmanaged"), 2, shown)

    @staticmethod
    def newer(system):
        """Returns the same package with a later version number."""
        folder = system.folder / "newer"
        subprocess.run(["dpkg-deb", "--raw-extract", one("*.deb"), folder], check=True)
        control = folder / "DEBIAN" / "control"
        control.write_text(re.sub(r"(?m)^Version: .*", "Version: 99", control.read_text()))
        package = system.folder / "newer.deb"
        subprocess.run(["dpkg-deb", "--root-owner-group", "--build", folder, package], check=True, stdout=subprocess.DEVNULL)
        return package


DEVICE = """\
accounts:
  anna: { upn: anna@contoso.com }
policies:
  base:
    json: { displayName: Org data stays, allowedOutboundDataTransferDestinations: managedApps }
    assign: [{ account: anna, apps: [com.contoso.mail] }]
apps:
  mail: { bundle: com.contoso.mail, sdk: true, signedIn: [anna] }
  viewer: { bundle: org.example.viewer }
steps:
  - launch: [mail, viewer]
"""


class TarballTests(unittest.TestCase):
    def test_it_runs_where_it_lies(self):
        system = System(self)
        system.unpack(one("*.tar.gz"))
        folder = next((system.root / "opt").iterdir()).name
        system.run("mv", f"/opt/{folder}", "/opt/with space")
        shown = system.run("/opt/with space/bin/sluice", "demo", user="mobile")
        self.assertIn("2 cases: 2 passed", shown)

    def test_two_versions_stand_side_by_side(self):
        system = System(self)
        system.install(one("*.deb"))
        system.unpack(one("*.tar.gz"))
        other = f"/opt/{next((system.root / 'opt').iterdir()).name}/bin/sluice"
        (system.root / "root" / "device.yaml").write_text(DEVICE)
        shown = system.script(
            f"""
            export XDG_RUNTIME_DIR=/run
            {other} up /root/device.yaml >/root/up.log 2>&1 &
            until sluice ctl status >/dev/null 2>&1; do kill -0 $!; sleep 0.1; done
            # Each version has its own programs.
            tr '\\0' '\\n' < /proc/$!/cmdline | head -1
            sluice demo --policy /usr/share/sluice/{POLICY} | tail -1
            {other} demo | tail -1
            sluice ctl share from=mail to=viewer text=Figures expect.verdict=blocked | tail -1
            sluice down
            """
        )
        self.assertEqual(shown.count("2 cases: 2 passed"), 2, shown)

    def test_nothing_of_the_building_machine_is_in_it(self):
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run(["tar", "-xzf", one("*.tar.gz"), "-C", folder], check=True)
            here = str(HERE.parent).encode()
            for path in pathlib.Path(folder).rglob("*"):
                if path.is_file() and not path.is_symlink():
                    self.assertNotIn(here, path.read_bytes(), path)


class OwnCodeTests(unittest.TestCase):
    """A team's Swift sources, built on this machine, because the minimal system has no Swift toolchain."""

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="sluice-own-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        subprocess.run(["tar", "-xzf", one("*.tar.gz"), "-C", self.folder], check=True)
        self.sluice = next(self.folder.glob("*/bin/sluice"))

    def run_in_folder(self, *words):
        environment = {name: value for name, value in os.environ.items() if not name.startswith("SLUICE")}
        ended = subprocess.run(words, cwd=self.folder, env=environment, capture_output=True, text=True)
        self.assertEqual(ended.returncode, 0, f"{words}\n{ended.stdout[-4000:]}{ended.stderr[-4000:]}")
        return ended.stdout + ended.stderr

    def test_an_app_is_built_and_tested(self):
        self.run_in_folder(self.sluice, "new", "app", "Own", "--from", HERE.parent / "Tests" / "OwnCode")
        manifest = (self.folder / "Own" / "Package.swift").read_text()
        self.assertIn(f'.package(path: "{self.sluice.parent.parent}/share/sluice/ios-modules")', manifest)
        swift = os.environ.get("SWIFT", "swift")
        self.run_in_folder(swift, "test", "--package-path", "Own", "-debug-info-format", "none")
        self.assertIn("passed", self.run_in_folder(self.sluice, "run", "Own/Own.yaml"))

    def test_a_package_has_the_sources_that_apps_need(self):
        sources = self.sluice.parent.parent / "share" / "sluice" / "Sources"
        names = {path.name for path in sources.glob("*/*")}
        self.assertLessEqual({"SluiceKit", "SluiceTesting", "ManagedApp", "Wire"}, names)
        self.assertEqual(names & {"Host", "Policy", "Simulation", "sluice"}, set())
        size = sum(path.stat().st_size for path in sources.rglob("*") if path.is_file())
        self.assertLess(size, 4 << 20)


class OddSystemTests(unittest.TestCase):
    """Systems without kernel features for confinement: Sluice reports it, and otherwise works."""

    def setUp(self):
        self.system = System(self)
        self.system.install(one("*.deb"))

    def test_without_user_namespaces(self):
        limit = "mount -o remount,rw /proc/sys 2>/dev/null || true; echo 0 > /proc/sys/user/max_user_namespaces; "
        shown = self.system.script(
            "unshare --user --map-root-user sh -euc '" + limit + "sluice doctor || true; sluice demo | tail -1'"
        )
        self.assertRegex(shown, r"(?i)user namespaces")
        self.assertIn("2 cases: 2 passed", shown)

    def test_without_landlock(self):
        # As on a kernel without Landlock, its system calls fail.
        command = self.system.command(["sh", "-euc", "sluice doctor || true; sluice demo | tail -1"], "mobile")
        ended = subprocess.run(
            command, env=self.system.environment("mobile", {}), capture_output=True, text=True, preexec_fn=deny_landlock
        )
        shown = ended.stdout + ended.stderr
        self.assertEqual(ended.returncode, 0, shown)
        self.assertIn("Landlock", shown)
        self.assertIn("2 cases: 2 passed", shown)

    def test_with_a_home_that_cannot_be_written(self):
        shown = self.system.script(
            "mount -t tmpfs -o ro tmpfs /home/mobile; cd /home/mobile; "
            "setpriv --reuid 1234 --regid 1234 --clear-groups sh -c "
            "'sluice demo | tail -1; sluice new scenario mine; echo status $?'",
        )
        self.assertIn("2 cases: 2 passed", shown)
        self.assertRegex(shown, r"mine.*(read-only|permission)")
        self.assertIn("status 2", shown)


def deny_landlock():
    """Installs a seccomp filter that makes the system calls 444 to 446 (Landlock) fail with ENOSYS."""
    libc = ctypes.CDLL(None, use_errno=True)
    load, at_least, more, answer = 0x20, 0x35, 0x25, 0x06
    instructions = [(load, 0, 0, 0), (at_least, 0, 2, 444), (more, 1, 0, 446), (answer, 0, 0, 0x00050000 | 38), (answer, 0, 0, 0x7FFF0000)]
    code = b"".join(struct.pack("HBBI", *one) for one in instructions)
    buffer = ctypes.create_string_buffer(code)
    program = struct.pack("HxxxxxxP", len(instructions), ctypes.addressof(buffer))
    if libc.prctl(38, 1, 0, 0, 0) or libc.prctl(22, 2, program, 0, 0):
        raise OSError(ctypes.get_errno(), "no seccomp filter")


class ContainerTests(unittest.TestCase):
    """A container image, built and run by an unprivileged user."""

    USER = f"sluice-{os.getpid()}"

    def setUp(self):
        subprocess.run(["useradd", "--create-home", self.USER], check=True)
        self.addCleanup(self.remove)
        self.home = pathlib.Path(f"/home/{self.USER}")
        self.context = self.home / "context"
        self.context.mkdir()
        shutil.copy(HERE / "Containerfile", self.context)
        shutil.copy(one("*.deb"), self.context / "sluice.deb")
        subprocess.run(["tar", "-C", bare_debian(), "--one-file-system", "--exclude", "./dev/*", "-cf", self.context / "debian.tar", "."], check=True)
        subprocess.run(["chown", "-R", self.USER, self.context], check=True)

    def remove(self):
        self.buildah("rmi", "--all", "--force", check=False)
        subprocess.run(["userdel", "--remove", self.USER], capture_output=True)

    def buildah(self, *words, check=True):
        ended = subprocess.run(
            ["setpriv", "--reuid", self.USER, "--regid", self.USER, "--init-groups", "buildah", "--storage-driver", "vfs", *words],
            cwd=self.home, capture_output=True, text=True,
            env={"PATH": os.environ["PATH"], "HOME": str(self.home), "BUILDAH_ISOLATION": "chroot", "XDG_RUNTIME_DIR": str(self.home)},
        )
        if check:
            self.assertEqual(ended.returncode, 0, f"{words}\n{ended.stdout[-2000:]}{ended.stderr[-4000:]}")
        return ended.stdout + ended.stderr

    def test_guests_are_confined_as_doctor_says(self):
        self.buildah("build", "--tag", "sluice", str(self.context))
        container = self.buildah("from", "sluice").strip().splitlines()[-1]
        doctor = self.buildah("run", container, "--", "sluice", "doctor", check=False)
        self.assertRegex(doctor, r"(?m)^kept +system calls")
        self.assertRegex(doctor, r"(?m)^kept +files +Landlock")
        self.assertIn("2 cases: 2 passed", self.buildah("run", container, "--", "sluice", "demo"))
        confined = self.buildah("run", container, "--", "sluice", "run", SCENARIO, "--require-confinement", check=False)
        promises = ["network namespace", "PID and IPC namespaces", "noexec mount", "own view and /proc"]
        isFull = all(re.search(rf"(?m)^kept +{promise}", doctor) for promise in promises)
        self.assertEqual(confined.splitlines()[-1].endswith("passed") and " errored" not in confined, isFull, doctor + confined)


if __name__ == "__main__":
    unittest.main(verbosity=2)
