"""`tso.py`: sets itself up without a network, repairs what is broken, says what is wrong in one sentence."""

import ast
import hashlib
import os
import re
import runpy
import shutil
import subprocess
import sys
import zipfile
from base64 import urlsafe_b64encode
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from config import set_up

ROOT = Path(__file__).resolve().parents[2]
PARTS = ["Scripts", "Lib"] if os.name == "nt" else ["bin", "lib"]
WHERE = "import django, sys; print(sys.prefix)"
PROGRAM = "import os, sys\nprint('running', *sys.argv[1:], sep='|')\n"


def make_wheel(folder: Path, name: str, version: str) -> None:
    """A package that holds nothing, ready to install."""
    about = f"{name}-{version}.dist-info"
    files = {
        f"{name}/__init__.py": "",
        f"{about}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n",
        f"{about}/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    folder.mkdir(exist_ok=True)
    with zipfile.ZipFile(folder / f"{name}-{version}-py3-none-any.whl", "w") as wheel:
        record = ""
        for path, text in files.items():
            digest = urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).decode().rstrip("=")
            record += f"{path},sha256={digest},{len(text)}\n"
            wheel.writestr(path, text)
        wheel.writestr(f"{about}/RECORD", f"{record}{about}/RECORD,,\n")


def without_ensurepip(folder: Path) -> str:
    """A Python as Debian ships it: it cannot put pip into a new environment. On Windows this Python."""
    if os.name == "nt":
        return sys.executable
    script = folder / "python-without-ensurepip"
    script.write_text(
        '#!/bin/sh\ncase "$*" in\n'
        "*--without-pip*) ;;\n"
        '"-m venv"*) echo "ensurepip is not available"; exit 1;;\n'
        f'esac\nexec "{sys.executable}" "$@"\n'
    )
    script.chmod(0o700)
    return str(script)


class Laptop:
    """A folder with the start file, a program that only says that it runs, and its packages as wheels.

    `first` is how the first run of one in use went.
    """

    first: subprocess.CompletedProcess[str]

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        shutil.copy(ROOT / "tso.py", folder)
        (folder / "config").mkdir()
        shutil.copy(ROOT / "config/set_up.py", folder / "config")
        (folder / "manage.py").write_text(PROGRAM)
        (folder / "requirements.txt").write_text("django==0.1\n")
        make_wheel(folder / "wheels", "django", "0.1")

    def run(self, *arguments: str, python: str = "") -> subprocess.CompletedProcess[str]:
        """Start the file as a user does; `python` is what it takes itself to be run by.

        Without one it is a Python as Debian ships it, where there is a shell: an environment is made four times as
        quickly without a pip of its own.
        """
        python = python or without_ensurepip(self.folder)
        code = (
            f"import runpy, sys; sys.executable = {python!r}; sys.path.insert(0, ''); "
            "runpy.run_path('tso.py', run_name='__main__')"
        )
        words = [sys.executable, "-c", code, *arguments]
        environment = {**os.environ, "PYTHONUTF8": "1", "PIP_NO_CACHE_DIR": "1"}
        return subprocess.run(words, cwd=self.folder, env=environment, capture_output=True, text=True, check=False)

    @property
    def python(self) -> Path:
        return self.folder / set_up.PYTHON.relative_to(set_up.ROOT)


@pytest.fixture
def laptop(tmp_path: Path) -> Laptop:
    return Laptop(tmp_path)


@pytest.fixture(scope="module")
def laptop_in_use(tmp_path_factory: pytest.TempPathFactory) -> Laptop:
    """One that has been set up; tests leave it working."""
    laptop = Laptop(tmp_path_factory.mktemp("laptop"))
    laptop.first = laptop.run("--lan", "--port", "8080")
    assert laptop.first.returncode == 0, laptop.first.stdout + laptop.first.stderr
    return laptop


FIRST_RUN = [
    "Das Programm wird eingerichtet (nur beim ersten Mal) …",
    "Setting the program up (only the first time) …",
    "Het programma wordt ingericht (alleen de eerste keer) …",
    "  django",
    "  Fast fertig …",
    "  Nearly done …",
    "  Bijna klaar …",
    "running|start|--lan|--port|8080",
]


@pytest.mark.long
def test_first_run_sets_up(laptop: Laptop) -> None:
    result = laptop.run("--lan", "--port", "8080", python=sys.executable)

    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout.splitlines() == FIRST_RUN


@pytest.mark.long
def test_first_run_sets_up_without_ensurepip(laptop_in_use: Laptop) -> None:
    assert laptop_in_use.first.stderr == ""
    assert laptop_in_use.first.stdout.splitlines() == FIRST_RUN


@pytest.mark.long
def test_second_run_only_starts(laptop_in_use: Laptop) -> None:
    result = laptop_in_use.run()

    assert (result.returncode, result.stdout) == (0, "running|start\n")


@pytest.mark.parametrize("arguments", [("demo",), ("standings", "herbst-cup", "--format", "json")])
def test_command_passed_on(laptop_in_use: Laptop, arguments: tuple[str, ...]) -> None:
    result = laptop_in_use.run(*arguments)

    assert result.stdout == "|".join(["running", *arguments]) + "\n"


def test_status_passed_on(laptop_in_use: Laptop) -> None:
    program = laptop_in_use.folder / "manage.py"
    program.write_text("import sys\nsys.exit(7)\n")

    result = laptop_in_use.run("publish")

    program.write_text(PROGRAM)
    assert result.returncode == 7


@pytest.mark.long
def test_changed_requirements_installed(laptop_in_use: Laptop) -> None:
    make_wheel(laptop_in_use.folder / "wheels", "added", "2.0")
    with (laptop_in_use.folder / "requirements.txt").open("a") as file:
        file.write("added==2.0\n")

    result = laptop_in_use.run()

    assert "  added\n" in result.stdout
    assert result.stdout.endswith("running|start\n")


@pytest.mark.long
@pytest.mark.parametrize("lost", [*PARTS, "installed.txt", "pyvenv.cfg"])
def test_broken_environment_repaired(laptop_in_use: Laptop, lost: str) -> None:
    path = laptop_in_use.folder / ".venv" / lost
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink()

    result = laptop_in_use.run()
    home = subprocess.run([laptop_in_use.python, "-c", WHERE], capture_output=True, text=True, check=True).stdout

    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout.endswith("running|start\n")
    assert Path(home.strip()) == laptop_in_use.folder / ".venv"


@pytest.mark.long
def test_wheel_missing(laptop: Laptop) -> None:
    make_wheel(laptop.folder / "wheels", "other", "1.0")
    (laptop.folder / "wheels" / "django-0.1-py3-none-any.whl").unlink()

    failed = laptop.run()
    make_wheel(laptop.folder / "wheels", "django", "0.1")
    again = laptop.run()

    assert failed.returncode == 1
    assert len(failed.stderr.splitlines()) == 3
    assert failed.stderr.startswith(f"Im Ordner {laptop.folder / 'wheels'} fehlt etwas (ERROR: ")
    assert "django==0.1" in failed.stderr
    assert again.stdout.endswith("running|start\n")


def test_wheel_missing_is_told(
    laptop: Laptop, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(set_up, "WHEELS", laptop.folder / "wheels")

    with pytest.raises(SystemExit):
        set_up.explain_failure("Processing ./wheels/other\nERROR: No matching distribution found for django==0.1")

    told = capsys.readouterr().err
    assert told.startswith(f"Im Ordner {set_up.WHEELS} fehlt etwas (ERROR: No matching distribution found for django")
    assert len(told.splitlines()) == 3


@pytest.mark.skipif(os.name == "nt", reason="needs a shell script in the place of Python")
def test_without_venv(laptop: Laptop) -> None:
    script = laptop.folder / "bare-python"
    script.write_text('#!/bin/sh\necho "No module named venv" >&2\nexit 1\n')
    script.chmod(0o700)

    result = laptop.run(python=str(script))

    assert result.returncode == 1
    assert "(No module named venv). Unter Debian und Ubuntu hilft: sudo apt install python3-venv" in result.stderr
    assert "Traceback" not in result.stderr


@pytest.mark.long
@pytest.mark.skipif(os.name == "nt", reason="needs a shell script in the place of Python")
def test_left_without_pip_by_a_first_try(laptop: Laptop) -> None:
    bare = laptop.folder / "python-without-pip"
    bare.write_text(
        '#!/bin/sh\ncase "$*" in\n*--without-pip*) ;;\n"-m venv"*|"-m pip"*) exit 1;;\nesac\n'
        f'exec "{sys.executable}" "$@"\n'
    )
    bare.chmod(0o700)

    refused = laptop.run(python=str(bare))
    result = laptop.run(python=sys.executable)  # python3-venv has been installed

    assert refused.returncode == 1
    assert "Hier fehlt pip. Unter Debian und Ubuntu hilft: sudo apt install python3-venv\n" in refused.stderr
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout.endswith("running|start\n")


@pytest.mark.skipif(os.name == "nt", reason="Windows locks another file")
def test_second_start_finds_the_folder_locked(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(set_up, "ROOT", tmp_path)
    place = os.open(tmp_path, os.O_RDONLY)

    with set_up.lock_folder():
        assert not set_up.take_lock(place, wait=False)

    assert set_up.take_lock(place, wait=False)
    os.close(place)


@pytest.mark.long
def test_two_first_starts_at_once(laptop: Laptop) -> None:
    with ThreadPoolExecutor(2) as starts:
        results = list(starts.map(lambda _number: laptop.run(), range(2)))

    assert [(result.returncode, result.stderr) for result in results] == [(0, ""), (0, "")]
    assert all(result.stdout.endswith("running|start\n") for result in results)
    assert sum("Das Programm wird gerade schon eingerichtet" in result.stdout for result in results) == 1


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="this user may write everywhere")
def test_folder_that_cannot_be_written(laptop: Laptop) -> None:
    laptop.folder.chmod(0o500)

    result = laptop.run(python=sys.executable)

    laptop.folder.chmod(0o700)
    assert result.returncode == 1
    assert result.stderr.startswith(f"Der Ordner {laptop.folder / '.venv'} lässt sich nicht einrichten (")
    assert "Permission denied" in result.stderr


@pytest.mark.parametrize("stopped", [KeyboardInterrupt(), BrokenPipeError(32, "Broken pipe")])
def test_set_up_that_is_stopped_blames_no_folder(
    stopped: BaseException, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def stop() -> None:
        raise stopped

    monkeypatch.setattr(set_up, "VENV", tmp_path / ".venv")
    monkeypatch.setattr(set_up, "prepare", stop)

    with pytest.raises(SystemExit):
        set_up.main([])

    assert capsys.readouterr().err.startswith("Abgebrochen; der nächste Start macht weiter.\n")


@pytest.mark.parametrize(
    "complaint",
    [
        "ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device",
        "ERROR: Could not install packages due to an OSError: [Errno 13] Permission denied: '/srv/tso/.venv/lib'",
    ],
)
def test_installation_that_the_disk_ends(complaint: str) -> None:
    with pytest.raises(OSError, match=re.escape(complaint)):
        set_up.explain_failure(f"Collecting django\n{complaint}")


def test_untrusted_certificate_called_by_its_name(capsys: pytest.CaptureFixture[str]) -> None:
    output = (
        "WARNING: Retrying (Retry(total=0)) after connection broken by 'SSLError(SSLCertVerificationError(1, '[SSL: "
        "CERTIFICATE_VERIFY_FAILED] certificate verify failed: self-signed certificate in certificate chain "
        "(_ssl.c:992)'))': /simple/django/\nERROR: No matching distribution found for django==5.2.19"
    )

    with pytest.raises(SystemExit):
        set_up.explain_failure(output)

    said = capsys.readouterr().err
    assert "nicht getraut (self-signed certificate in certificate chain)" in said
    assert "Internetverbindung" not in said


def test_file_in_the_way(laptop: Laptop) -> None:
    (laptop.folder / ".venv").touch()

    result = laptop.run()

    assert result.returncode == 1
    assert len(result.stderr.splitlines()) == 3
    assert str(laptop.folder / ".venv") in result.stderr


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("Collecting django-htmx==1.29.0 (from -r requirements.txt (line 6))", "django-htmx"),
        ("Processing ./wheels/et_xmlfile-2.0.0-py3-none-any.whl", "et_xmlfile"),
        ("Processing c:\\tso\\wheels\\numpy-2.4.6-cp311-cp311-win_amd64.whl (from -r requirements.txt)", "numpy"),
    ],
)
def test_package_named_while_it_comes(line: str, expected: str) -> None:
    assert set_up.package(line) == expected


def test_tests_run_in_their_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)

    words = set_up.command(["test", "-x", "tests/scoring"])

    assert words == [str(set_up.PYTHON), "-m", "pytest", "-x", "tests/scoring"]
    assert Path.cwd() == ROOT


@pytest.mark.parametrize(
    ("arguments", "added"),
    [
        (["test"], ["-m", "not long", "--assert=plain", "--showlocals"]),
        (["test", "--all"], []),
        (["test", "--all", "-x"], ["-x"]),
    ],
)
def test_tests_run_on_all_cores(
    arguments: list[str], added: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)

    assert set_up.command(arguments) == [str(set_up.PYTHON), "-m", "pytest", "-q", "-n", "auto", *added]


def test_old_python_told_what_it_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "version_info", (3, 8, 18))

    with pytest.raises(SystemExit) as end:
        runpy.run_path(str(ROOT / "tso.py"), run_name="__main__")

    assert end.value.code == (
        "Dieses Programm braucht Python 3.11 oder neuer, hier läuft 3.8: bitte von python.org installieren.\n"
        "This program needs Python 3.11 or newer, this is 3.8: please install it from python.org.\n"
        "Dit programma heeft Python 3.11 of nieuwer nodig, dit is 3.8: installeer het van python.org."
    )


def test_readable_for_an_old_python() -> None:
    source = (ROOT / "tso.py").read_text(encoding="utf-8")
    tree = ast.parse(source, feature_version=(3, 4))
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]

    assert "coding: utf-8" in source.splitlines()[1]  # Python 2 reads ASCII otherwise
    assert functions == []
    assert not any(isinstance(node, ast.JoinedStr | ast.AnnAssign | ast.NamedExpr) for node in ast.walk(tree))
