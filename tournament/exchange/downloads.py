"""A stored tournament as the files that a director saves: the tournament file, tsh's files in a zip, the tou file."""

import io
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from tournament.exchange import loading, tou, tournament_file
from tournament.exchange.tsh import writing
from tournament.exchange.values import EventData
from tournament.models import Tournament

FIRST_DAY_OF_ZIP = (1980, 1, 1, 0, 0, 0)
"""The parts of an archive carry no time of their own, so that the same event gives the same archive."""


@dataclass(frozen=True, slots=True)
class Download:
    """A file to save: its name, what it is, and its bytes."""

    name: str
    content_type: str
    content: bytes


def _tsh_zip(event: EventData) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as parts:
        for name, content in writing.write(event).items():
            parts.writestr(zipfile.ZipInfo(f"{event.slug}/{name}", FIRST_DAY_OF_ZIP), content)
    return out.getvalue()


KINDS: Mapping[str, tuple[str, str, Callable[[EventData], bytes]]] = {
    "tournament": (".json", "application/json", lambda event: tournament_file.write(event).encode("utf-8")),
    "tsh": ("-tsh.zip", "application/zip", _tsh_zip),
    "tou": (".tou", "text/plain; charset=us-ascii", tou.write),
}
"""What can be saved: how the file's name ends, its type, and who writes it."""


def make(tournament: Tournament, kind: str) -> Download:
    """The file of one of `KINDS`."""
    ending, content_type, write = KINDS[kind]
    return Download(f"{tournament.slug}{ending}", content_type, write(loading.load(tournament)))
