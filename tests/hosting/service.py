"""A hosted service on this machine, started by the steps that hosts take: PostgreSQL, Redis, two processes, nginx.

Everything lies in one folder and goes with it. PostgreSQL and Redis are the machine's own programs, on ports of their
own; only what was started here is stopped.
"""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
NOT_COPIED = shutil.ignore_patterns(".*", "data", "tests", "benchmarks", "__pycache__")
DATABASE_PROGRAMS = Path("/usr/lib/postgresql")
NAME, TOKEN = "tso.example.org", "a-token-of-some-length"


def missing() -> list[str]:
    """What this machine lacks to run a service."""
    lacking = [name for name in ("redis-server", "nginx", "openssl") if shutil.which(name) is None]
    if not list(DATABASE_PROGRAMS.glob("*/bin/initdb")):
        lacking.append("postgresql")
    if not (Path(sys.prefix) / "bin" / "gunicorn").exists():
        lacking.append("requirements-hosted.txt")
    return lacking


def free_port() -> int:
    """A port that nobody uses just now."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


class Service:
    """The service; `start` puts it up, `stop` takes it down."""

    def __init__(self, folder: Path, *, hosts: tuple[str, ...] = (NAME,)) -> None:
        self.folder, self.hosts = folder, hosts
        self.program = folder / "program"
        self.database, self.cache, self.port = free_port(), free_port(), free_port()
        self.processes: dict[int, subprocess.Popen[bytes]] = {free_port(): None, free_port(): None}  # type: ignore[dict-item]  # not yet
        self.others: list[subprocess.Popen[bytes]] = []
        self.log = (folder / "log").open("ab")

    @property
    def settings(self) -> dict[str, str]:
        """The environment of every step."""
        own = {name: text for name, text in os.environ.items() if name in ("PATH", "HOME", "LANG")}
        return own | {
            "DATABASE_URL": f"postgres://tso@127.0.0.1:{self.database}/postgres",
            "CACHE_URL": f"redis://127.0.0.1:{self.cache}",
            "TSO_DATA": str(self.folder / "data"),
            "TSO_HOSTS": ",".join(self.hosts),
            "TSO_HTTPS": "1",
            "TSO_LOGS": "json",
            "TSO_METRICS": TOKEN,
            "TSO_VENV": os.environ.get("TSO_HOSTED_VENV", sys.prefix),
            "TSO_CERTIFICATE": str(self.folder / "certificate.pem"),
            "TSO_CERTIFICATE_KEY": str(self.folder / "key.pem"),
        }

    def start(self) -> None:
        """Everything, in the order of docs/hosting.md."""
        shutil.copytree(ROOT, self.program, ignore=NOT_COPIED)
        self.folder.chmod(0o711)  # PostgreSQL and nginx have users of their own
        self._make_certificate()
        self._make_database()
        self.start_database()
        self.start_cache()
        self.step("prepare")
        for port in self.processes:
            self.serve(port)
        for port in self.processes:
            self.step("ready", f"127.0.0.1:{port}")
        addresses = [f"127.0.0.1:{port}" for port in self.processes]
        self.others.append(self.beside("proxy", str(self.folder / "proxy"), str(self.port), *addresses))
        until(lambda: _listens(self.port), "nginx")

    def stop(self) -> None:
        """Take down what was started here."""
        for running in (*self.processes.values(), *self.others):
            if running is not None and running.poll() is None:
                running.terminate()
        for running in (*self.processes.values(), *self.others):
            if running is not None:
                running.wait(timeout=70)
        with suppress(subprocess.CalledProcessError):
            self._database_step("stop", "-m", "immediate")
        self.log.close()

    def step(self, *words: str) -> None:
        """Take a step and wait for its end. Raises `CalledProcessError`."""
        self._run([str(self.program / "config/hosting/steps.sh"), *words])

    def beside(self, *words: str) -> "subprocess.Popen[bytes]":
        """Take a step that goes on until it is told to stop."""
        command = [str(self.program / "config/hosting/steps.sh"), *words]
        return subprocess.Popen(
            command, cwd=self.folder, env=self.settings, stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log
        )

    def python(self, *words: str) -> Any:
        """What a Python program prints as JSON that runs on the service's settings, in the program's folder."""
        command = [f"{self.settings['TSO_VENV']}/bin/python", *words]
        settings = self.settings | {"TSO_LOGS": "files"}  # nothing else on standard output
        done = subprocess.run(
            command, cwd=self.program, env=settings, stdout=subprocess.PIPE, stderr=self.log, check=True
        )
        return json.loads(done.stdout)

    def asked(self, view: str) -> int:
        """How often the processes have answered with this view, as their lines say."""
        return (self.folder / "log").read_text(encoding="utf-8").count(f'"view": "{view}"')

    def serve(self, port: int) -> None:
        """Start the process of this port."""
        self.processes[port] = self.beside("serve", f"127.0.0.1:{port}")

    def restart(self, port: int) -> None:
        """One turn of a rolling restart: out of the proxy, down, up, back into the proxy."""
        address, proxy = f"127.0.0.1:{port}", str(self.folder / "proxy")
        self.step("leave", proxy, address)
        self.processes[port].send_signal(signal.SIGTERM)
        self.processes[port].wait(timeout=70)
        self.serve(port)
        self.step("ready", address)
        self.step("join", proxy, address)

    # The services beside it

    def start_database(self) -> None:
        """PostgreSQL, answering; as careful as it is out of the box."""
        listen = f"-p {self.database} -k {self.folder}/postgres -c listen_addresses=127.0.0.1 -c max_connections=100"
        self._database_step("-o", listen, "-l", str(self.folder / "postgres" / "log"), "start")

    def kill_database(self) -> None:
        """Stop PostgreSQL as a crash does: nobody is waited for, nothing is tidied up."""
        self._database_step("stop", "-m", "immediate")

    def start_cache(self) -> None:
        """Redis, answering."""
        words = ["--port", str(self.cache), "--bind", "127.0.0.1", "--save", "", "--dir", str(self.folder)]
        running = subprocess.Popen(["redis-server", *words], stdout=self.log, stderr=self.log)
        self.others.append(running)
        until(lambda: _listens(self.cache), "Redis")

    def kill_cache(self) -> None:
        """Stop Redis as a crash does."""
        running = self.others.pop(next(at for at, each in enumerate(self.others) if "redis-server" in str(each.args)))
        running.kill()
        running.wait()

    def _make_database(self) -> None:
        home = self.folder / "postgres"
        home.mkdir()
        if os.getuid() == 0:
            shutil.chown(home, "postgres")
        self._run(
            [*_as_postgres(), str(_programs() / "initdb"), "-D", str(home / "data"), "-U", "tso", "--auth=trust",
             "--encoding=UTF8", "--no-locale", "--no-sync"]
        )  # fmt: skip

    def _database_step(self, *words: str) -> None:
        command = [str(_programs() / "pg_ctl"), "-D", str(self.folder / "postgres" / "data"), "-w", *words]
        self._run([*_as_postgres(), *command])

    def _make_certificate(self) -> None:
        key, certificate = self.settings["TSO_CERTIFICATE_KEY"], self.settings["TSO_CERTIFICATE"]
        words = [
            "req",
            "-x509",
            "-newkey",
            "ec",
            "-pkeyopt",
            "ec_paramgen_curve:prime256v1",
            "-nodes",
            "-days",
            "2",
            "-batch",
            "-subj",
        ]
        names = ["-addext", f"subjectAltName=DNS:{NAME},IP:127.0.0.1"]
        self._run(["openssl", *words, f"/CN={NAME}", *names, "-keyout", key, "-out", certificate])

    def _run(self, command: list[str]) -> None:
        self.log.flush()
        subprocess.run(
            command, cwd=self.folder, env=self.settings, stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log,
            check=True,
        )  # fmt: skip


def until(holds: Callable[[], object], what: str, seconds: float = 30) -> None:
    """Wait until this holds. Raises `TimeoutError`."""
    end = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > end:
            raise TimeoutError(f"{what}: not within {seconds} seconds")
        time.sleep(0.05)


def _listens(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), timeout=1).close()
    except OSError:
        return False
    return True


def _programs() -> Path:
    return max(DATABASE_PROGRAMS.glob("*/bin"))


def _as_postgres() -> list[str]:
    return ["runuser", "-u", "postgres", "--"] if os.getuid() == 0 else []
