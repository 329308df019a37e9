"""Pack a commit as the zip that users unpack.

    python -m tests.releases.build                            # tso-1.0.zip, from HEAD
    python -m tests.releases.build --commit v1.0 --folder out

It holds what the commit holds, compiled translations and tests included, and nothing else of this folder. From one
commit comes the same file, byte for byte, on every machine: so nothing in it is compressed, as compressors differ, and
every time in it is the commit's. Prints the file and its SHA-256. Needs nothing but Python and Git.
"""

import argparse
import hashlib
import io
import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from datetime import UTC, datetime
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LEFT_OUT = (".gitignore", ".gitattributes")
UNIX = 3


class NotReady(Exception):
    """The commit cannot be released as it is; the text says why."""


def main() -> None:
    """Pack what the arguments name."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--commit", default="HEAD")
    parser.add_argument("--folder", type=Path, default=Path())
    options = parser.parse_args()
    try:
        made = build(options.commit, options.folder)
    except NotReady as fault:
        sys.exit(str(fault))
    print(f"{hashlib.sha256(made.read_bytes()).hexdigest()}  {made}")


def build(commit: str, folder: Path) -> Path:
    """Write the commit's zip into the folder and return it. Raises `NotReady`."""
    files = committed(commit)
    version = version_in(files)
    require_entry(files, version)
    folder.mkdir(parents=True, exist_ok=True)
    target = folder / f"tso-{version}.zip"
    target.write_bytes(packed(files, f"tso-{version}", time_of(commit)))
    return target


def committed(commit: str) -> dict[str, tuple[bytes, bool]]:
    """Each file of a commit: its content, and whether it can be run."""
    with tarfile.open(fileobj=io.BytesIO(git("archive", "--format=tar", commit))) as archive:
        return {
            member.name: (content.read(), bool(member.mode & 0o100))
            for member in archive
            if member.name not in LEFT_OUT and (content := archive.extractfile(member)) is not None
        }


def version_in(files: dict[str, tuple[bytes, bool]]) -> str:
    """The version as the commit's project states it."""
    return str(tomllib.loads(files["pyproject.toml"][0].decode())["project"]["version"])


def require_entry(files: dict[str, tuple[bytes, bool]], version: str) -> None:
    """Raise `NotReady` if the commit's changelog says nothing about its version."""
    changes = files["CHANGELOG.md"][0].decode()
    if not re.search(rf"^## \[{re.escape(version)}\] - \d{{4}}-\d\d-\d\d$", changes, re.MULTILINE):
        raise NotReady(f"CHANGELOG.md has no entry “## [{version}] - …” with its date.")


def time_of(commit: str) -> datetime:
    """When the commit was made."""
    return datetime.fromtimestamp(int(git("show", "--no-patch", "--format=%ct", f"{commit}^{{commit}}")), UTC)


def packed(files: dict[str, tuple[bytes, bool]], folder: str, at: datetime) -> bytes:
    """A zip with these files in a folder, all of one time."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as made:
        for name, (data, can_run) in sorted(files.items()):
            entry = zipfile.ZipInfo(f"{folder}/{name}", at.timetuple()[:6])
            entry.create_system = UNIX
            entry.external_attr = (0o100755 if can_run else 0o100644) << 16
            made.writestr(entry, data)
    return content.getvalue()


def git(*words: str) -> bytes:
    """What Git prints. Raises `NotReady` with its complaint."""
    done = subprocess.run(["git", "-c", "safe.directory=*", "-C", str(ROOT), *words], capture_output=True, check=False)
    if done.returncode:
        raise NotReady(done.stderr.decode(errors="replace").strip())
    return done.stdout


if __name__ == "__main__":
    main()
