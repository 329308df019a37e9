"""Word lists: the text of one is read and checked, and words that somebody types are looked up in the list in use. A
list has one word a line. Blank lines and lines that begin with # do not count; what stands after a tab or a semicolon
is another column and is left out. Words are kept in capitals, `ß` as `SS`, letters with marks composed (NFC)."""

import codecs
import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, BinaryIO

from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from games import limits
from games.judge.store import OpenWordList, WordListMissing, open_list_file
from games.models import WordList
from scoring.letters import BLANK, LetterSet
from tournament.basics.limits import QUOTED_TEXT
from tournament.basics.names import compose_marks
from tournament.basics.refusals import Refusal, Refusals
from tournament.models import Organiser

FAULTS_SHOWN = 50  # how many faulty lines are quoted; the others are only counted

LONGEST_LINE = 1000  # characters of a line that are looked at; no word is longer, however it is written

CHUNK = 1 << 16  # how much is looked at in one go: a million words one by one would take twice the time

SAMPLE = 512

SEPARATORS = re.compile(r"[\s,;/+]+")

UTF_8, LATIN_1 = "UTF-8", "Latin-1"
# Without the mark that Windows' editors put before UTF-8: it would be part of the first word.
CODECS = {UTF_8: "utf-8-sig", LATIN_1: "cp1252"}
"""Windows' code page 1252 is Latin-1 with a few more marks; our letters are the same in both."""


class WrongEncoding(Refusal, code="wrong_encoding", field="file"):
    message = _("The file is written in UTF-16, which Windows calls “Unicode”. Please save it as UTF-8 and try again.")


class NotATextFile(Refusal, code="not_text", field="file"):
    message = _("This is not a text file. A word list has one word a line, in UTF-8 or Latin-1.")


@dataclass(slots=True)
class ReadingReport:
    """What reading a list has found, complete once its words have been read to the end. `words`: those read, duplicates
    included; `faults`: the first `FAULTS_SHOWN` of the faulty lines, each with its number (`line`, from 1) and its
    `text`."""

    letters: LetterSet
    encoding: str
    words: int = 0
    faulty: int = 0
    faults: list[dict[str, Any]] = field(default_factory=list)
    too_short: int = 0
    too_long: int = 0
    first: str = ""
    last: str = ""
    longest: str = ""

    def count(self, words: list[str]) -> list[str]:
        """Count words and return those that fit on the board and are kept."""
        lengths = list(map(len, words))
        low, high = limits.WORD_LENGTH.low, limits.WORD_LENGTH.high
        if words and (min(lengths) < low or max(lengths) > high):
            self.too_long += sum(length > high for length in lengths)
            self.too_short += sum(length < low for length in lengths)
            words = [word for word in words if low <= len(word) <= high]
        if words:
            self.first = self.first or words[0]
            self.words += len(words)
            self.last = words[-1]
            self.longest = max(self.longest, max(words, key=len), key=len)
        return words

    def blame(self, line: int, text: str) -> None:
        """Count a faulty line, and quote it while there is room."""
        self.faulty += 1
        if self.faulty <= FAULTS_SHOWN:
            excerpt = text if len(text) <= QUOTED_TEXT else f"{text[:QUOTED_TEXT]}…"
            text = "".join(mark if mark.isprintable() else "�" for mark in excerpt)
            self.faults.append({"line": line, "text": text})


def start_reading_report(source: BinaryIO, letters: LetterSet, *, most_lines: int | None = None) -> ReadingReport:
    """An empty report on a list, with its encoding. Raises `file_too_large`, `WrongEncoding`, `NotATextFile` or
    `too_many_lines`."""
    size = source.seek(0, io.SEEK_END)
    if size > limits.WORD_LIST_BYTES:
        raise Refusal(
            "file_too_large",
            _("The file has %(size)s MB; at most %(limit)s MB are allowed. A million words take about 12 MB."),
            field="file",
            # Rounded up: a file that is a little too large would otherwise be said to have just as many MB as are
            # allowed.
            size=-(-size // 1024**2),
            limit=limits.WORD_LIST_BYTES // 1024**2,
        )
    return ReadingReport(letters, _detect_encoding(source, most_lines))


def read_list_words(source: BinaryIO, report: ReadingReport) -> Iterator[str]:
    """The words of a list in their order, folded, one by one; `report` grows as they are read."""
    for text in read_word_blocks(source, report):
        yield from text.split("\n")


def read_word_blocks(source: BinaryIO, report: ReadingReport) -> Iterator[str]:
    """The same as texts of many words, one a line, which is ten times as fast; `report` grows with each text."""
    source.seek(0)
    bare = getattr(source, "file", source)  # the wrapper of an upload asks at each line whether it is open
    # A byte that has no character in the code page makes its line a faulty one, which is quoted; it does not stop the
    # reading.
    text = io.TextIOWrapper(bare, encoding=CODECS[report.encoding], errors="replace")
    plain = {*_list_letters(report.letters), "\n"}
    number = 0
    try:
        # Up to the end of a line, so that no word is cut in two.
        while block := text.read(CHUNK) + text.readline():
            lines = block.removesuffix("\n").split("\n")
            # Most lists are nothing but words; the others are looked at line by line.
            is_plain = plain.issuperset(block)
            written = list(filter(None, lines)) if is_plain else _extract_words(lines, report, number)
            number += len(lines)
            if words := report.count(fold_word("\n".join(written)).split("\n") if written else []):
                yield "\n".join(words)
    finally:
        # Left to itself the wrapper would close the file when it goes, and that is the caller's.
        text.detach()


def _extract_words(lines: list[str], report: ReadingReport, number: int) -> list[str]:
    """The words in the first column of the lines after line `number`; the report counts what cannot be a word."""
    columns = [line.strip()[:LONGEST_LINE].partition("\t")[0].partition(";")[0].strip() for line in lines]
    written = compose_word_text("\n".join(columns)).split("\n")
    is_word = _compile_word_pattern(_list_letters(report.letters)).fullmatch
    words = []
    for line, text in enumerate(written, number + 1):
        if is_word(text):
            words.append(text)
        elif text and text[0] != "#":
            report.blame(line, text)
    return words


def compose_word_text(text: str) -> str:
    """Letters with their marks as one character each: Ä, not A and two dots (NFC)."""
    return text if text.isascii() else compose_marks(text)


def fold_word(word: str) -> str:
    """A word as lists keep it: capitals, `ß` as `SS`. Takes composed text."""
    # `upper` makes SS of ß and leaves ẞ, its capital, as it is.
    capitals = word.upper()
    return capitals if capitals.isascii() else capitals.replace("ẞ", "SS")


def _list_letters(letters: LetterSet) -> str:
    """The letters of a composed word: those of the set, small and capital, and `ß` where the set is German."""
    capitals = "".join(tile.letter for tile in letters.tiles if tile.letter != BLANK)
    return f"{capitals}{capitals.lower()}{'ßẞ' if letters.key == 'de' else ''}"


@cache
def _compile_word_pattern(letters: str) -> re.Pattern[str]:
    return re.compile(f"[{letters}]+")


def _detect_encoding(source: BinaryIO, most_lines: int | None) -> str:
    """UTF-8 where the whole file can be read as that, else Latin-1."""
    source.seek(0)
    _check_is_text(source.read(SAMPLE))
    # To its end, whatever its beginning says: one Ä far down decides, and zeros and lines are counted in the same go.
    source.seek(0)
    decoder = codecs.getincrementaldecoder("utf-8")()
    is_utf_8, feeds, returns = True, 0, 0
    is_at_end = False
    while not is_at_end:
        chunk = source.read(CHUNK)
        is_at_end = not chunk
        if b"\0" in chunk:
            raise NotATextFile
        feeds += chunk.count(b"\n")
        returns += chunk.count(b"\r")
        try:
            is_utf_8 and decoder.decode(chunk, final=is_at_end)
        except UnicodeDecodeError:
            is_utf_8 = False
    # Line ends of Windows have both: added up, each line would count twice.
    lines = max(feeds, returns)
    if most_lines is not None and lines > most_lines:
        raise Refusal(
            "too_many_lines",
            _(
                "The file has %(count)s lines. Through the browser at most %(limit)s are read; the command "
                "load_words reads more."
            ),
            field="file",
            count=lines,
            limit=most_lines,
        )
    return UTF_8 if is_utf_8 else LATIN_1


def _check_is_text(sample: bytes) -> None:
    if sample.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise WrongEncoding
    half = len(sample) // 2
    # UTF-16 without its mark at the beginning: of our letters every other byte is zero. Told apart from other files
    # with zeros, since whoever saved it can do something about it.
    if half and max(sample[::2].count(0), sample[1::2].count(0)) > half // 2:
        raise WrongEncoding
    # Files of word processors and PDFs by their first bytes: not each of them has a zero in it, by which the others are
    # known.
    if sample.startswith((b"PK\x03\x04", b"%PDF", b"\xd0\xcf\x11\xe0")):
        raise NotATextFile


class NoWordList(Refusal, code="no_list"):
    message = _("No word list is loaded for this tournament’s letters, so no word can be judged.")


@dataclass(frozen=True, slots=True)
class Judgement:
    """Each word with whether it is in the list, and by which list. One bad word withdraws the play (TSO 3.1.4)."""

    words: tuple[tuple[str, bool], ...]
    word_list: WordList

    @property
    def stands(self) -> bool:
        return all(good for _word, good in self.words)


def parse_typed_words(text: str, letters: LetterSet) -> tuple[str, ...]:
    """The words that somebody typed, in their order, as lists keep them; blanks, commas or line ends between them. A
    word typed twice stands twice, as it may on the board. Raises `Refusals` with all that is wrong."""
    typed_words = [word for word in SEPARATORS.split(compose_word_text(text)) if word]
    message = _("Type the words that are challenged.")
    faults = [] if typed_words else [Refusal("nothing_asked", message, field="words")]
    most = limits.CHALLENGED_WORDS.high
    if len(typed_words) > most:
        message = _("That is %(count)s words; a play makes at most %(limit)s. Ask about one play at a time.")
        faults.append(Refusal("too_many_asked", message, field="words", count=len(typed_words), limit=most))
    # Of a whole page that was pasted by mistake only the beginning is looked at: each word could have a fault of its
    # own.
    faults += [fault for word in dict.fromkeys(typed_words[: 2 * most]) if (fault := _find_word_fault(word, letters))]
    if faults:
        raise Refusals(faults)
    return tuple(map(fold_word, typed_words))


def _find_word_fault(word: str, letters: LetterSet) -> Refusal | None:
    excerpt = word if len(word) <= QUOTED_TEXT else f"{word[:QUOTED_TEXT]}…"
    if not _compile_word_pattern(_list_letters(letters)).fullmatch(word):
        excerpt = "".join(mark if mark.isprintable() else "�" for mark in excerpt)
        # The letters in short, for the reader: A–Z, then those with marks.
        marked = [tile.letter for tile in letters.tiles if tile.letter.isalpha() and not tile.letter.isascii()]
        message = _("“%(word)s” cannot be a word: use only the letters %(letters)s.")
        return Refusal("no_word", message, field="words", word=excerpt, letters=" ".join(["A–Z", *marked]))
    count = len(fold_word(word))
    if not limits.WORD_LENGTH.holds(count):
        message = _("“%(word)s” cannot be a word: words on the board have %(low)s to %(high)s letters, not %(count)s.")
        return Refusal("no_length", message, field="words", word=excerpt, count=count, **limits.WORD_LENGTH.ends)
    return None


def list_word_lists(organiser: Organiser) -> QuerySet[WordList]:
    """An organiser's lists by letter set, the one in use first. One query."""
    return WordList.objects.filter(organiser=organiser).order_by("letters", "-in_use", "title", "pk")


def get_word_list_in_use(organiser_id: int, letters: str = "de") -> WordList | None:
    """The list that an organiser uses for a letter set. One query."""
    return WordList.objects.filter(organiser=organiser_id, letters=letters, in_use=True).first()


def look_up_words(words: Sequence[str], organiser_id: int, *, letters: str = "de") -> Judgement:
    """Look words up in the list that the organiser uses; they are folded first (`ß` is `SS`). One query. Raises
    `NoWordList`, or `WordListMissing` or `WordListDamaged` where the list's file cannot be trusted."""
    word_list = get_word_list_in_use(organiser_id, letters)
    if word_list is None:
        raise NoWordList
    lexicon = open_word_list(word_list)
    folded_words = [fold_word(compose_word_text(word)) for word in words]
    try:
        return Judgement(tuple((word, lexicon.holds(word)) for word in folded_words), word_list)
    except ValueError as closed:  # somebody has deleted the list at this very moment
        raise WordListMissing(title=word_list.title) from closed


def open_word_list(word_list: WordList) -> OpenWordList:
    """A list's words. Raises `WordListMissing` or `WordListDamaged`."""
    return open_list_file(word_list.name, sha256=word_list.sha256, title=word_list.title)
