"""Tests completions in bash, zsh and fish, each in its own terminal.

Usage: test-completions.py FOLDER, the output of `scripts/manual.py`. `sluice` must be in PATH.
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

# The text typed before Tab, and the completed last word.
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
            assert cls.device.poll() is None, "the device did not start"
            time.sleep(0.1)

    @classmethod
    def tearDownClass(cls):
        cls.device.terminate()
        cls.device.wait()
        cls.folder.cleanup()

    def tearDown(self):
        self.assertFalse((self.path / "harm").exists(), "a file name was executed")

    def shown(self, shell, typed, expected):
        program, begin = SHELLS[shell]
        terminal = pexpect.spawn(
            program[0], program[1:], env=self.environment, cwd=str(self.path), encoding="utf-8", dimensions=(50, 200), timeout=60
        )
        try:
            # The typed text does not contain the output.
            terminal.sendline(f"{begin}; echo beg''un")
            terminal.expect_exact("begun")
            # The completed line is printed instead of executed.
            terminal.send(typed + "\t\x01echo \n")
            terminal.expect_exact(f"{typed.rsplit(' ', 1)[0]} {expected}")
            # All files in the folder are candidates, whatever their names.
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
