"""Whether words are in the list that a tournament judges by. What somebody types is checked here first."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from games import limits
from games.judge import reading, store
from games.models import WordList
from scoring.letters import LetterSet
from tournament.limits import QUOTED
from tournament.models import Organiser
from tournament.refusals import Refusal, Refusals

SEPARATORS = re.compile(r"[\s,;/+]+")


class NothingAsked(Refusal):
    code = "nothing_asked"
    message = _("Type the words that are challenged.")
    field = "words"


class TooManyAsked(Refusal):
    code = "too_many_asked"
    message = _("These are %(count)s words; a play makes at most %(limit)s. Ask about one play at a time.")
    field = "words"


class NoWord(Refusal):
    code = "no_word"
    message = _("“%(word)s” cannot be a word: only the letters %(letters)s are allowed.")
    field = "words"


class NoLengthOfWord(Refusal):
    code = "no_length"
    message = _("“%(word)s” cannot be a word: words on the board have %(low)s to %(high)s letters, not %(count)s.")
    field = "words"


class NoList(Refusal):
    code = "no_list"
    message = _("No word list for this tournament’s letters is loaded, so nothing can be judged.")


@dataclass(frozen=True, slots=True)
class Judgement:
    """Each word with whether it is in the list, and by which list. One bad word withdraws the play (TSO 3.1.4)."""

    words: tuple[tuple[str, bool], ...]
    word_list: WordList

    @property
    def stands(self) -> bool:
        return all(good for _word, good in self.words)


def parse(text: str, letters: LetterSet) -> tuple[str, ...]:
    """The words that somebody typed, in their order, as lists keep them; blanks, commas or line ends between them.

    A word typed twice stands twice, as it may on the board. Raises `Refusals` with all that is wrong.
    """
    typed = [word for word in SEPARATORS.split(reading.composed(text)) if word]
    faults: list[Refusal] = []
    if not typed:
        faults.append(NothingAsked())
    most = limits.CHALLENGED_WORDS.high
    if len(typed) > most:
        faults.append(TooManyAsked(count=len(typed), limit=most))
    faults += [fault for word in dict.fromkeys(typed[: 2 * most]) if (fault := _fault(word, letters))]
    if faults:
        raise Refusals(faults)
    return tuple(map(reading.folded, typed))


def _fault(word: str, letters: LetterSet) -> Refusal | None:
    shown = word if len(word) <= QUOTED else f"{word[:QUOTED]}…"
    if not reading.is_possible(word, letters):
        shown = "".join(mark if mark.isprintable() else "�" for mark in shown)
        return NoWord(word=shown, letters=_alphabet(letters))
    count = len(reading.folded(word))
    if not limits.WORD_LENGTH.holds(count):
        return NoLengthOfWord(word=shown, count=count, **limits.WORD_LENGTH.ends)
    return None


def _alphabet(letters: LetterSet) -> str:
    """The letters in short, for the reader: A–Z, then those with marks."""
    marked = " ".join(tile.letter for tile in letters.tiles if tile.letter.isalpha() and not tile.letter.isascii())
    return f"A–Z {marked}".strip()


def of(organiser: Organiser) -> QuerySet[WordList]:
    """An organiser's lists by letter set, the one in use first. One query."""
    return WordList.objects.filter(organiser=organiser).order_by("letters", "-in_use", "title", "pk")


def in_use(organiser_id: int, letters: str = "de") -> WordList | None:
    """The list that an organiser uses for a letter set. One query."""
    return WordList.objects.filter(organiser=organiser_id, letters=letters, in_use=True).first()


def judge(words: Sequence[str], organiser_id: int, *, letters: str = "de") -> Judgement:
    """Look words up in the list that the organiser uses; they are folded first (`ß` is `SS`). One query.

    Raises `NoList`, or `store.ListMissing` or `store.ListDamaged` where the list's file cannot be trusted.
    """
    word_list = in_use(organiser_id, letters)
    if word_list is None:
        raise NoList
    found = look_into(word_list)
    asked = [reading.folded(reading.composed(word)) for word in words]
    try:
        return Judgement(tuple((word, found.holds(word)) for word in asked), word_list)
    except ValueError as closed:  # Somebody has deleted the list at this very moment.
        raise store.ListMissing(title=word_list.title) from closed


def look_into(word_list: WordList) -> store.OpenList:
    """A list's words. Raises `store.ListMissing` or `store.ListDamaged`."""
    return store.opened(word_list.name, sha256=word_list.sha256, title=word_list.title)
