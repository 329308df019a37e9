"""A terminal over a data folder, in which the program is loaded once and forks for each command.

Loading takes a second, most commands take a tenth of one. Each command is a process of its own all the same, with its
own words, variables, output and exit status. Where processes do not fork, each command is started anew.
"""

import gc
import json
import multiprocessing
import os
import runpy
import subprocess
import sys
import tempfile
from pathlib import Path
from types import TracebackType
from typing import Any, Self

ROOT = Path(__file__).resolve().parents[1]


class Terminal:
    """Runs commands over `data` in English, of this program or a copy. Used in a `with`, whose end is the end of the
    loaded program."""

    def __init__(self, data: Path, *, program: Path = ROOT) -> None:
        self.program = program
        ours = {"DJANGO_SETTINGS_MODULE": "config.settings", "DATABASE_URL": "", "CACHE_URL": "", "TSO_DATA": str(data)}
        spoken = {"LC_ALL": "en_GB.UTF-8", "LANGUAGE": "", "PYTHONUTF8": "1"}
        self.environment = {**os.environ, **ours, **spoken, "PYTHONPATH": f"{program}{os.pathsep}{ROOT}"}
        self.loaded: subprocess.Popen[str] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.loaded:
            self.loaded.communicate()

    def run(self, *words: str, **variables: str) -> subprocess.CompletedProcess[str]:
        """Run a command, with these variables besides, and wait for its end."""
        return self._run(str(self.program / "manage.py"), *words, **variables)

    def run_code(self, code: str, *words: str) -> subprocess.CompletedProcess[str]:
        """Run Python in the place of a command."""
        return self._run("-c", code, *words)

    def _run(self, *words: str, **variables: str) -> subprocess.CompletedProcess[str]:
        if os.name == "nt":
            command, environment = [sys.executable, *words], {**self.environment, **variables}
            return subprocess.run(
                command, env=environment, capture_output=True, encoding="utf-8", stdin=subprocess.DEVNULL, check=False
            )
        if self.loaded is None:  # by the first command: the settings are read from the folder as that finds it
            loading = [sys.executable, "-m", "tests.terminal"]
            pipe = subprocess.PIPE
            self.loaded = subprocess.Popen(
                loading, cwd=self.program, env=self.environment, stdin=pipe, stdout=pipe, text=True
            )
        assert self.loaded.stdin is not None
        assert self.loaded.stdout is not None
        with tempfile.TemporaryDirectory() as folder:
            output, complaints = Path(folder, "output"), Path(folder, "complaints")
            order = {"words": words, "variables": variables, "output": str(output), "complaints": str(complaints)}
            print(json.dumps(order), file=self.loaded.stdin, flush=True)
            status = int(self.loaded.stdout.readline())
            printed, complained = (path.read_text(encoding="utf-8") for path in (output, complaints))
        return subprocess.CompletedProcess(words, status, printed, complained)


def main() -> None:
    """Load the program; run each command that standard input names, and answer with its exit status."""
    import django  # noqa: PLC0415  # needed in the loaded program alone

    gc.disable()
    django.setup()
    gc.freeze()
    fork = multiprocessing.get_context("fork")
    for line in sys.stdin:
        command = fork.Process(target=run_command, args=(json.loads(line),))
        command.start()
        command.join()
        print(command.exitcode, flush=True)  # noqa: T201  # the answer


def run_command(order: dict[str, Any]) -> None:
    """Run `manage.py` or code, as Python would with these words."""
    for path, descriptor in ((order["output"], 1), (order["complaints"], 2)):
        os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), descriptor)
    os.environ.update(order["variables"])
    match order["words"]:
        case ["-c", code, *words]:
            sys.argv = ["-c", *words]
            exec(code, {"__name__": "__main__"})  # of a test
        case [program, *words]:
            sys.argv = [program, *words]
            runpy.run_path(program, run_name="__main__")


if __name__ == "__main__":
    main()
