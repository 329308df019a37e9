"""What the commands that read and write files share."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tournament import limits
from tournament.exchange import faults
from tournament.exchange.faults import Code
from tournament.exchange.json_text import too_large
from tournament.management import base


class FileCommand(base.TournamentCommand):
    """A command whose file may be faulty: each fault becomes a line on standard error."""

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            super().handle(*args, **options)
        except faults.Faults as found:
            self.refuse([str(fault) for fault in found.faults])

    def print_bytes(self, content: bytes) -> None:
        """Write a file to standard output as it is, line ends and mark included."""
        binary = getattr(self.stdout, "buffer", None)
        if binary is None:
            self.stdout.write(content.decode("utf-8"), ending="")
        else:
            self.stdout.flush()
            binary.write(content)
            binary.flush()


def content(name: str, *, limit: int = limits.FILE_BYTES) -> bytes:
    """The bytes of a file. Raises `BadInput` if there is none, or if it is too large; the size is looked at first."""
    path = Path(name)
    with named_in_faults(name, Code.NOT_READABLE):
        size = path.stat().st_size
        if size > limit:
            raise too_large(size, limit)
        return path.read_bytes()


def write(name: str, content: bytes) -> None:
    """Write a file by way of another beside it, so that nobody ever finds half of it. Raises `BadInput`."""
    path = Path(name)
    beside = path.with_name(f"{path.name}.new")
    with named_in_faults(name, Code.NOT_WRITABLE):
        beside.write_bytes(content)
        beside.replace(path)


@contextmanager
def named_in_faults(name: str, code: Code) -> Iterator[None]:
    """Turn an error of the file system into a fault that names the file."""
    try:
        yield
    except OSError as error:
        missing = code == Code.NOT_READABLE and isinstance(error, FileNotFoundError)
        why = error.strerror or type(error).__name__
        raise faults.one(Code.NO_SUCH_FILE if missing else code, value=faults.named(name), why=why) from error
