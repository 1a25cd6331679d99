"""A working folder for sluice."""

import pathlib
import subprocess

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
SLUICE = REPOSITORY / "bin" / "sluice"


class Desk:
    """A working folder for sluice."""

    def __init__(self, folder, environment):
        self.folder = pathlib.Path(folder)
        self.environment = environment

    def sluice(self, *words, environment=None):
        """Returns the exit status and output of a command."""
        return subprocess.run(
            [SLUICE, *words], cwd=self.folder, env=environment or self.environment, capture_output=True, text=True,
            timeout=600)

    def start(self, *words):
        """Starts a command."""
        return subprocess.Popen(
            [SLUICE, *words], cwd=self.folder, env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            text=True)
