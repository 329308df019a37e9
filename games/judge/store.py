"""Word lists on disk: the words of one list, sorted, each with a line end, in one file of the data folder. One byte a
letter (Latin-1), so that a place in the file gives the place in the list: a look-up halves the file some twenty times
and reads nothing else, through a memory map that takes next to no memory."""

import hashlib
import mmap
import os
import threading
import time
import uuid
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from django.conf import settings
from django.utils.translation import gettext_lazy as _

from games.limits import WORD_LENGTH
from tournament.basics.refusals import Refusal

ENCODING = "latin-1"
MOST_WORDS = 3_000_000
AT_ONCE = 10_000  # words that are written at a time

STALE_SECONDS = 3600


class WordListMissing(Refusal, code="list_missing"):
    message = _(
        "The file of the word list “%(title)s” is missing from the data folder, so nothing is judged by it. Please "
        "delete the list and load it again."
    )


class WordListDamaged(Refusal, code="list_damaged"):
    message = _(
        "The file of the word list “%(title)s” was changed or damaged, so nothing is judged by it. Please delete the "
        "list and load it again."
    )


@dataclass(frozen=True, slots=True)
class StoredWordList:
    """A list that was written: the file's name, how many words, how many stood more than once, and the fingerprint."""

    name: str
    count: int
    twice: int
    sha256: str


def get_or_create_words_folder() -> Path:
    """The data folder's `words`; made if it is missing."""
    folder = Path(settings.DATA_DIR) / "words"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def write_list_file(texts: Iterable[str]) -> StoredWordList:
    """Sort the words of some texts, one a line, into a new file, each once; the same words give the same fingerprint.
    Raises `too_many_words`, or what iterating over the texts raises; whatever goes wrong, no file is left."""
    name = f"{uuid.uuid4().hex}.txt"
    path = get_or_create_words_folder() / name
    for leftover in path.parent.glob("*.new"):  # by a load during which the machine went down
        # Only what is old: another process may be loading a list at this moment.
        if time.time() - leftover.stat().st_mtime > STALE_SECONDS:
            leftover.unlink(missing_ok=True)
    words, read = _sort_words(texts)
    beside = path.with_suffix(".new")
    digest = hashlib.sha256()
    try:
        with beside.open("wb") as out:
            for start in range(0, len(words), AT_ONCE):
                text = b"".join([word + b"\n" for word in words[start : start + AT_ONCE].tolist()])
                digest.update(text)
                out.write(text)
            out.flush()
            # On the disk before it gets its name: a power cut must leave no list that is cut short.
            os.fsync(out.fileno())
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)
    return StoredWordList(name, len(words), read - len(words), digest.hexdigest())


def _sort_words(texts: Iterable[str]) -> tuple[np.ndarray, int]:
    """The words in their order, each once, and how many there were. Sixteen bytes a word: three million take 50 MB."""
    parts = [np.empty(0, "S1")]
    count = 0
    for text in texts:
        parts.append(np.array(text.encode(ENCODING).split(b"\n")))
        count += len(parts[-1])
        if count > MOST_WORDS:
            raise Refusal(
                "too_many_words",
                _("The list has more than %(limit)s words; longer lists cannot be loaded."),
                field="file",
                limit=MOST_WORDS,
            )
    # By bytes, as look-ups compare them; in the alphabet's order Ä would stand where no look-up finds it.
    words = np.concatenate(parts)
    words.sort()
    return words[np.append(True, words[1:] != words[:-1])] if count else words, count


def remove_list_file(name: str) -> None:
    """Remove a list's file, if it is there."""
    with _LOCK:
        opened = _OPENED.pop(name, None)
        if opened is not None:
            # Windows deletes no file that is mapped.
            opened.data.close()
        (get_or_create_words_folder() / name).unlink(missing_ok=True)


@dataclass(frozen=True, slots=True)
class OpenWordList:
    """A list's file, open for look-ups; by its `stamp` it is known whether the file is still the one checked."""

    data: mmap.mmap
    stamp: tuple[int, int, int]

    def holds(self, word: str) -> bool:
        """Whether the list has this word, written as lists keep it."""
        try:
            sought_word = word.encode(ENCODING)
        except UnicodeEncodeError:
            return False
        low, high = 0, len(self.data)
        while low < high:
            # The middle falls somewhere into a word: it begins behind the line end before, or, where there is none in
            # this part, with the part itself.
            middle = (low + high) // 2
            start = max(low, self.data.rfind(b"\n", low, middle) + 1)
            end = self.data.find(b"\n", middle)
            stored_word = self.data[start:end]
            if stored_word == sought_word:
                return True
            if stored_word < sought_word:
                low = end + 1
            else:
                high = start
        return False

    def ends(self, count: int) -> tuple[list[str], list[str]]:
        """The first and the last words of the list, `count` of each."""
        room = count * (WORD_LENGTH.high + 1)
        first = self.data[:room].decode(ENCODING).splitlines()[:count]
        # As many bytes as so many words can take: the first word in them may be cut, and is then none of the last ones.
        return first, self.data[-room:].decode(ENCODING).splitlines()[-count:]


_OPENED: dict[str, OpenWordList] = {}
_LOCK = threading.Lock()


def open_list_file(name: str, *, sha256: str, title: str) -> OpenWordList:
    """A list's file, checked against its fingerprint when it is first opened or has changed since. Raises
    `WordListMissing` or `WordListDamaged`, which name the list by its title."""
    path = get_or_create_words_folder() / name
    try:
        status = path.stat()
    except FileNotFoundError:
        raise WordListMissing(title=title) from None
    # Taken before the file is opened: one that is replaced in between does not fit its stamp, and is checked again.
    stamp = (status.st_size, status.st_mtime_ns, status.st_ino)
    open_list = _OPENED.get(name)
    if open_list is not None and open_list.stamp == stamp:
        return open_list
    with _LOCK, path.open("rb") as file:
        if hashlib.file_digest(file, "sha256").hexdigest() != sha256:
            raise WordListDamaged(title=title)
        # Whoever still reads an older map keeps it; it goes when they have finished.
        _OPENED[name] = OpenWordList(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ), stamp)
        return _OPENED[name]
