"""Word lists as tables in which plays are looked for: made once, kept in the data folder, read through a memory map."""

from functools import lru_cache
from pathlib import Path

from django.conf import settings

from games.judge import lists, store
from games.models import WordList
from scoring.letters import LETTER_SETS
from scoring.lexicon import Lexicon, NoLexicon

SUFFIX = ".tables"


def folder() -> Path:
    """Where the tables are; no backup needs them, since they are made anew from the lists."""
    found = Path(settings.DATA_DIR) / "word-tables"
    found.mkdir(parents=True, exist_ok=True)
    return found


def of(word_list: WordList) -> Lexicon:
    """The tables of a list. Raises `store.ListMissing` or `store.ListDamaged`."""
    lists.look_into(word_list)
    return _tables(word_list.name, word_list.sha256, word_list.letters)


@lru_cache(maxsize=2)
def _tables(name: str, sha256: str, letters: str) -> Lexicon:
    path = (folder() / name).with_suffix(SUFFIX)
    try:
        return Lexicon.load(path, source=sha256)
    except NoLexicon:
        _make(path, name, sha256, letters)
    return Lexicon.load(path, source=sha256)


def _make(path: Path, name: str, sha256: str, letters: str) -> None:
    """Write the tables of a list, and remove those of lists that are gone."""
    words = store.opened(name, sha256=sha256, title=name).data[:].decode(store.ENCODING).splitlines()
    beside = path.with_suffix(".new")
    try:
        Lexicon.of(LETTER_SETS[letters], words).save(beside, source=sha256)
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)
    known = {Path(each).stem for each in WordList.objects.values_list("name", flat=True)}
    for old in folder().glob(f"*{SUFFIX}"):
        if old.stem not in known:
            old.unlink(missing_ok=True)
