"""Where somebody runs sluice."""

import pathlib
import subprocess

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
SLUICE = REPOSITORY / "bin" / "sluice"


class Desk:
    """A folder in which somebody runs sluice."""

    def __init__(self, folder, environment):
        self.folder = pathlib.Path(folder)
        self.environment = environment

    def sluice(self, *words, environment=None):
        """How a command ended, and what it wrote."""
        return subprocess.run(
            [SLUICE, *words], cwd=self.folder, env=environment or self.environment, capture_output=True, text=True,
            timeout=600)

    def start(self, *words):
        """A command that runs on, and what it says."""
        return subprocess.Popen(
            [SLUICE, *words], cwd=self.folder, env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            text=True)
