"""Completions in the real shells: bash, zsh and fish, each in a terminal of its own.

Usage: test-completions.py FOLDER: what `scripts/manual.py` has written. `sluice` is found in PATH.
"""

import os
import pathlib
import subprocess
import sys
import tempfile
import time
import unittest

import pexpect

FOLDER = pathlib.Path(sys.argv.pop(1)).resolve()

DEVICE = """\
accounts:
  anna: { upn: anna@contoso.com }
apps:
  mail: { bundle: com.contoso.mail, sdk: true, signedIn: [anna] }
  viewer: { bundle: org.example.viewer }
steps:
  - launch: [mail, viewer]
"""

# What is typed before the tabulator, and what the last word is then.
CASES = [
    ("sluice polic", "policy"),
    ("sluice policy compa", "compare-log"),
    ("sluice run --form", "--format"),
    ("sluice run --format jun", "junit"),
    ("sluice run a-scen", "a-scenario.yaml"),
    ("sluice top iPh", "iPhone"),
    ("sluice ctl shareS", "shareSheet"),
    ("sluice ctl share fro", "from="),
    ("sluice ctl share from=vie", "from=viewer"),
    ("sluice ctl signIn account=an", "account=anna"),
]

SHELLS = {
    "bash": (
        ["bash", "--norc", "--noprofile", "-i"],
        f"bind 'set bell-style none'; bind 'set enable-bracketed-paste off'; . {FOLDER}/share/bash-completion/completions/sluice",
    ),
    "zsh": (["zsh", "-f", "-i"], f"fpath=({FOLDER}/share/zsh/site-functions $fpath); autoload -Uz compinit; compinit -u -D"),
    "fish": (["fish", "--no-config", "--interactive"], f"source {FOLDER}/share/fish/vendor_completions.d/sluice.fish"),
}


class CompletionTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.path = pathlib.Path(cls.folder.name)
        (cls.path / "runtime").mkdir(mode=0o700)
        (cls.path / "a-scenario.yaml").write_text(DEVICE)
        for name in ["$(touch harm)", "`touch harm`", "x;touch harm"]:
            (cls.path / name).touch()
        cls.environment = {
            **os.environ, "XDG_RUNTIME_DIR": str(cls.path / "runtime"), "HOME": str(cls.path), "TERM": "xterm", "LC_ALL": "C.UTF-8",
        }
        cls.environment.pop("SLUICE_SOCKET", None)
        options = {"cwd": cls.path, "env": cls.environment, "stdout": subprocess.DEVNULL}
        cls.device = subprocess.Popen(["sluice", "up", "a-scenario.yaml"], **options)
        while subprocess.run(["sluice", "ctl", "status"], stderr=subprocess.DEVNULL, **options).returncode:
            assert cls.device.poll() is None, "the device has not come up"
            time.sleep(0.1)

    @classmethod
    def tearDownClass(cls):
        cls.device.terminate()
        cls.device.wait()
        cls.folder.cleanup()

    def tearDown(self):
        self.assertFalse((self.path / "harm").exists(), "a file's name was run")

    def shown(self, shell, typed, expected):
        program, begin = SHELLS[shell]
        terminal = pexpect.spawn(
            program[0], program[1:], env=self.environment, cwd=str(self.path), encoding="utf-8", dimensions=(50, 200), timeout=60
        )
        try:
            # The mark is not in what is typed.
            terminal.sendline(f"{begin}; echo beg''un")
            terminal.expect_exact("begun")
            # The completed line is printed, rather than carried out.
            terminal.send(typed + "\t\x01echo \n")
            terminal.expect_exact(f"{typed.rsplit(' ', 1)[0]} {expected}")
            # All that a folder has is a candidate, whatever it is called.
            terminal.send("sluice top \t\t\x15echo en''ded\n")
            terminal.expect_exact("ended")
        finally:
            terminal.close(force=True)


def test(shell, typed, expected):
    return lambda self: self.shown(shell, typed, expected)


for shell in SHELLS:
    for number, (typed, expected) in enumerate(CASES, 1):
        setattr(CompletionTests, f"test_{shell}_{number:02}_{typed.replace(' ', '_')}", test(shell, typed, expected))


if __name__ == "__main__":
    unittest.main(verbosity=2)
