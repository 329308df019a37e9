"""The files that a journal's rows name: kept anew under names of their own, and removed if nothing comes of it."""

import hashlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from django.db import models

from tournament import records
from tournament.exchange.archive.survey import Survey

Read = Callable[[type[models.Model], str], bytes | None]
"""The content of the file that a table's row names; None where it is not to be had."""


class Kept:
    """The files of a journal, each kept under a new name; `gone` are the new names of those that are not to be had.

    Files are written before the rows that name them, as uploads are: a crash in between leaves a file that nothing
    refers to, never a row without its picture.
    """

    def __init__(self, survey: Survey, read: Read) -> None:
        self.names: dict[type[models.Model], dict[str, str]] = {}
        self.gone: dict[type[models.Model], set[str]] = {}
        self._written: list[tuple[records.Files, str]] = []
        try:
            for model, found in survey.files.items():
                self._keep(model, found, read)
        except BaseException:
            self.remove()
            raise

    def _keep(self, model: type[models.Model], found: Mapping[str, Mapping[str, Any]], read: Read) -> None:
        files = records.FILES[model]
        names, gone = self.names.setdefault(model, {}), self.gone.setdefault(model, set())
        for name, state in found.items():
            content = read(model, name)
            if content is None or hashlib.sha256(content).hexdigest() != state[files.digest]:
                names[name] = files.drawn_name()
                gone.add(names[name])
                continue
            names[name] = files.keep(state, content)
            self._written.append((files, names[name]))

    @property
    def count(self) -> int:
        """How many files were kept."""
        return len(self._written)

    @property
    def count_gone(self) -> int:
        """How many files are not to be had."""
        return sum(len(names) for names in self.gone.values())

    def remove(self) -> None:
        """Take away what was written: nothing came of the rows."""
        for files, name in self._written:
            files.remove(name)
        self._written.clear()


@contextmanager
def keeping(survey: Survey, read: Read) -> Iterator[Kept]:
    """Keep a journal's files; if what is done with them fails, they are removed."""
    kept = Kept(survey, read)
    try:
        yield kept
    except BaseException:
        kept.remove()
        raise


def stored(model: type[models.Model], name: str) -> bytes | None:
    """A file of this program's own data folder."""
    try:
        return records.FILES[model].path(name).read_bytes()
    except (OSError, ValueError):
        return None
