"""Make the folder that starts by a double click on one system, as a zip.

    python -m config.packing.folder --system windows-x64
    python -m config.packing.folder --system linux-x64 --python 3.12 --folder out
    python -m config.packing.folder --system macos-arm64 --with-python cpython-3.13-install_only.tar.gz

It holds the program and its packages as wheels, for each Python that may be there already, the runner `uv`, and the
start files. With an archive of a standalone Python that lies in it too, and nothing is ever fetched. Wheels come by pip
for the system that is named, whatever system this is. Prints the zip's SHA-256, its path and its size.
"""

import argparse
import hashlib
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from packaging.requirements import Requirement

from config.packing.dependencies import read_requirements
from tournament.basics.program import PLACE_FILE
from tournament.basics.version import get_version

ROOT = Path(__file__).resolve().parents[2]
BESIDE = Path(__file__).with_name("beside")
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
"""For these there are wheels of all packages."""
LICENCES = ("LICENSE", "docs/THIRD_PARTY.md")
RUNNER = "uv"  # in the version of requirements-dev.txt
PLAIN_ADDRESS = r"(https?://[\w./:~-]+)?"
GUIDE = "Lies mich - Read me - Lees mij.txt"
CAN_RUN = 0o755


@dataclass(frozen=True)
class System:
    """A kind of machine: its name, what Python calls it, and which wheels it takes, by pip's names and by uv's."""

    name: str
    platform: str  # sys.platform
    machine: str  # platform.machine()
    wheels: tuple[str, ...]
    triple: str
    ending: str  # of the start files
    runner: str = "uv"

    @property
    def newline(self) -> str:
        return "\r\n" if self.ending == "cmd" else "\n"


SYSTEMS = {
    "windows-x64": System(
        "Windows (x64)", "win32", "AMD64", ("win_amd64",), "x86_64-pc-windows-msvc", "cmd", runner="uv.exe"
    ),
    "macos-arm64": System(
        "macOS 11+ (Apple M)", "darwin", "arm64", ("macosx_11_0_arm64",), "aarch64-apple-darwin", "command"
    ),
    "macos-x64": System(
        "macOS 11+ (Intel)", "darwin", "x86_64", ("macosx_11_0_x86_64",), "x86_64-apple-darwin", "command"
    ),
    # glibc 2.28: Debian 10, Ubuntu 20.04, and younger
    "linux-x64": System(
        "Linux (x64)",
        "linux",
        "x86_64",
        tuple(f"manylinux_2_{minor}_x86_64" for minor in range(28, 11, -1)),
        "x86_64-manylinux_2_28",
        "sh",
    ),
}


class NotPacked(Exception):
    """No folder can be made; the text says why."""


def main() -> None:
    """Make what the arguments name."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--system", choices=SYSTEMS, required=True)
    parser.add_argument("--python", action="append", choices=PYTHONS, help="only for this Python; may be repeated")
    parser.add_argument("--with-python", type=Path, metavar="ARCHIVE", help="a standalone Python as .tar.gz or .zip")
    parser.add_argument("--releases", default="", help="the address where the window asks for a newer version")
    parser.add_argument("--folder", type=Path, default=Path())
    options = parser.parse_args()
    try:
        pythons = options.python or PYTHONS
        archive = make_folder(options.system, pythons, options.with_python, options.folder, options.releases)
    except (NotPacked, OSError) as fault:
        sys.exit(str(fault))
    digest = hashlib.sha256(archive.read_bytes()).hexdigest()
    sys.stdout.write(f"{digest}  {archive}  ({archive.stat().st_size / 1e6:.0f} MB)\n")


def make_folder(
    key: str, pythons: tuple[str, ...] | list[str], archive: Path | None, target: Path, releases: str = ""
) -> Path:
    """Write the zip of a system's folder into `target` and return it. `releases`: where its window asks for a newer
    version. Raises `NotPacked` or `OSError`."""
    if not re.fullmatch(PLAIN_ADDRESS, releases):
        raise NotPacked(
            f"{releases}: only letters, figures and ./:~_- may stand in the address, for every shell's sake."
        )
    system = SYSTEMS[key]
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch, f"tso-{get_version()}-{key}{'-whole' if archive else ''}")
        program = folder / "program"
        program.mkdir(parents=True)
        if archive is not None:
            pythons = [unpack_python(archive, program / "python")]
        fetch_wheels(system, pythons, program / "wheels")
        fetch_runner(system, program)
        copy_licences(program)
        write_start_files(system, pythons, folder, releases)
        target.mkdir(parents=True, exist_ok=True)
        zip_path = target / f"{folder.name}.zip"
        pack_folder(folder, zip_path)
    return zip_path


def fetch_wheels(system: System, pythons: tuple[str, ...] | list[str], wheels: Path) -> None:
    """The program's own wheel, and every package that it needs on this system, in the exact versions that are tested.
    Raises `NotPacked`."""
    run_pip("wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", str(wheels), str(ROOT))
    for version in pythons:
        needed = list_needed(system, version)
        run_pip(
            "download", "--no-deps", "--dest", str(wheels), *name_target(system), "--python-version", version, *needed
        )
        require_all_wheels(system, version, wheels)


def list_needed(system: System, version: str) -> list[str]:
    """The exact versions that this system needs with this Python. They are worked out here, since pip would decide by
    the machine that it runs on."""
    target = {"sys_platform": system.platform, "platform_machine": system.machine, "python_version": version}
    needed = map(Requirement, read_requirements(ROOT / "requirements.txt"))
    return [
        f"{requirement.name}{requirement.specifier}"
        for requirement in needed
        if requirement.marker is None or requirement.marker.evaluate(target)
    ]


def require_all_wheels(system: System, version: str, wheels: Path) -> None:
    """Raise `NotPacked` if a wheel is missing. `uv` resolves the whole program for that system from these wheels
    alone."""
    words = ["--dry-run", "--no-index", "--find-links", str(wheels), "--target", str(wheels / "nowhere")]
    words += ["--python-platform", system.triple, "--python-version", version, "tso"]
    run_command(str(Path(sys.executable).with_name(RUNNER)), "pip", "install", "--quiet", "--no-config", *words)


def fetch_runner(system: System, program: Path) -> None:
    """Take the runner's program out of its wheel. Raises `NotPacked`."""
    with tempfile.TemporaryDirectory() as scratch:
        runner = f"{RUNNER}=={metadata.version(RUNNER)}"
        run_pip("download", "--dest", scratch, "--no-deps", *name_target(system), runner)
        (wheel,) = Path(scratch).glob("*.whl")
        with zipfile.ZipFile(wheel) as opened:
            (name,) = (name for name in opened.namelist() if name.endswith(f"/scripts/{system.runner}"))
            (program / system.runner).write_bytes(opened.read(name))
    (program / system.runner).chmod(CAN_RUN)


def copy_licences(program: Path) -> None:
    """The program's licence, and whose the packages are, where a reader finds them without opening a wheel."""
    for name in LICENCES:
        shutil.copy(ROOT / name, program)


def name_target(system: System) -> list[str]:
    """What tells pip for which system it downloads."""
    return ["--only-binary=:all:", *(f"--platform={platform}" for platform in system.wheels)]


def run_pip(*words: str) -> None:
    """Raises `NotPacked` with pip's complaint."""
    run_command(sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", "--no-input", *words)


def run_command(*words: str) -> None:
    """Raises `NotPacked` with the complaint."""
    process = subprocess.run(words, capture_output=True, text=True, check=False)  # noqa: S603  # our own words
    if process.returncode:
        raise NotPacked(process.stderr.strip())


def unpack_python(archive: Path, target: Path) -> str:
    """Unpack a standalone Python and return its version, as “3.13”. Links become files, since a stick has none; of the
    many names of the program itself one stays. Raises `NotPacked` if the archive holds no such Python."""
    with tempfile.TemporaryDirectory() as scratch:
        if zipfile.is_zipfile(archive):
            with zipfile.ZipFile(archive) as packed:
                packed.extractall(scratch)  # noqa: S202  # leaves `..` and absolute paths out by itself
        else:
            with tarfile.open(archive) as opened:
                extract_members(opened, Path(scratch))
        home = next((place for place in [Path(scratch), *sorted(Path(scratch).iterdir())] if find_program(place)), None)
        if home is None:
            raise NotPacked(f"{archive} holds no bin/python3 and no python.exe.")
        shutil.copytree(home, target, ignore=ignore_other_names)
    # By its own files, not by running it: it is another system's. Two versions, or none, are no Python of ours.
    names = [path.name for path in [*target.glob("lib/python3.*"), *target.glob("python3*.dll")]]
    versions = {f"3.{match[1]}" for name in names if (match := re.fullmatch(r"python3\.?(\d\d)(?:\.dll)?", name))}
    if len(versions) != 1 or not versions <= set(PYTHONS):
        raise NotPacked(
            f"{archive} holds Python {', '.join(sorted(versions)) or '?'}, not one of {', '.join(PYTHONS)}."
        )
    return versions.pop()


def extract_members(archive: tarfile.TarFile, target: Path) -> None:
    """Extract what an archive holds into a folder. Raises `NotPacked` for a name that leads out of it.

    Python has a filter for that since 3.11.4 only, and Debian 12 has 3.11.2.
    """
    leads_out = [name for name in archive.getnames() if name.startswith("/") or ".." in Path(name).parts]
    if leads_out:
        raise NotPacked(f"{archive.name!s} leads out of its folder: {leads_out[0]}")
    if hasattr(tarfile, "data_filter"):
        archive.extraction_filter = tarfile.data_filter
    archive.extractall(target)  # noqa: S202  # looked at above


def find_program(home: Path) -> bool:
    """Whether a folder is a standalone Python's."""
    return (home / "bin/python3").exists() or (home / "python.exe").exists()


def ignore_other_names(folder: str, names: list[str]) -> list[str]:
    """What to leave out of a Python's folder: what somebody has installed into it, compiled files, and links in `bin`
    beside `python3`."""
    here = Path(folder)
    links = [name for name in names if here.name == "bin" and (here / name).is_symlink() and name != "python3"]
    twin = (here / "python3").resolve().name if "python3" in names and here.name == "bin" else ""
    return [*links, *({twin, "__pycache__", "site-packages", "dist-packages", "test"} - {"python3", ""})]


def write_start_files(system: System, pythons: tuple[str, ...] | list[str], folder: Path, releases: str = "") -> None:
    """The start files of this system and what lies beside them, with what only this folder knows filled in."""
    minors = sorted(int(version.removeprefix("3.")) for version in pythons)
    digest = hashlib.sha256()
    for path in list_files(folder):
        digest.update(f"{path.relative_to(folder).as_posix()} {path.stat().st_size}".encode())
    # Name and size are enough for packages in fixed versions; our own wheel may change within one, so its content
    # counts.
    for path in sorted(folder.glob("program/wheels/tso-*.whl")):
        digest.update(path.read_bytes())
    words = {
        "NAME": f"{get_version()}-{digest.hexdigest()[:8]}",
        "VERSION": get_version(),
        "SYSTEM": system.name,
        "PYTHON": f">=3.{minors[0]},<3.{minors[-1] + 1}",
        "NEWEST": f"3.{minors[-1]}",
        "RELEASES": releases,
        "ENDING": system.ending,
        "START": f"TSO starten.{system.ending}",
        "LAN": f"TSO starten mit Telefonen.{system.ending}",
    }
    source = "cmd" if system.ending == "cmd" else "sh"
    for path in [*sorted(BESIDE.glob(f"*.{source}")), BESIDE / GUIDE, BESIDE / PLACE_FILE]:
        text = re.sub("@([A-Z]+)@", lambda place: words[place[1]], path.read_text(encoding="utf-8"))
        target = folder / (f"{path.stem}.{system.ending}" if path.suffix == f".{source}" else path.name)
        target.write_bytes(text.replace("\n", system.newline).encode())
        if path.suffix == f".{source}":
            target.chmod(CAN_RUN)


def list_files(folder: Path) -> Iterator[Path]:
    return (path for path in sorted(folder.rglob("*")) if path.is_file())


def pack_folder(folder: Path, made: Path) -> None:
    """Write the folder as a zip in which programs can still be run."""
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as packed:
        for path in list_files(folder):
            stored = path.suffix in {".whl", ".gz"}  # compressed already
            packed.write(path, path.relative_to(folder.parent), zipfile.ZIP_STORED if stored else zipfile.ZIP_DEFLATED)


if __name__ == "__main__":
    main()
