"""Load, choose and delete word lists; ask the word judge."""

from dataclasses import dataclass
from pathlib import PurePath
from typing import BinaryIO

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from games import limits
from games.core.words import CitingRefusal
from games.judge.lists import ReadingReport, look_up_words, parse_typed_words, read_word_blocks, start_reading_report
from games.judge.store import StoredWordList, remove_list_file, write_list_file
from games.models import Question, WordList
from scoring.letters import LETTER_SETS
from tournament.accounts.operations import get_or_create_organiser
from tournament.basics.one_at_a_time import wait_for_turn
from tournament.basics.precautions import announce_irreversible_step
from tournament.basics.refusals import NotPrintable, Refusal, Refusals, TextTooLong
from tournament.core.change import Actor, ChangeLog, change, open_register_change
from tournament.core.errands import leave_errand
from tournament.models import Tournament


class FaultyLines(Refusal, code="faulty_lines", field="file"):
    """Lines that cannot be words; `report` names the first of them."""

    message = _(
        "Nothing was loaded. Lines that cannot be words in this letter set: %(faulty)s; words: %(words)s. Fix the "
        "lines, choose another letter set, or load the words without them."
    )

    def __init__(self, report: ReadingReport) -> None:
        super().__init__(faulty=report.faulty, words=report.words)
        self.report = report


@dataclass(frozen=True, slots=True)
class LoadedWordList:
    """A list that was loaded, what was found reading it, and how many words stood in it more than once."""

    word_list: WordList
    report: ReadingReport
    twice: int


def load_word_list(
    source: BinaryIO,
    *,
    letters: str,
    title: str,
    actor: Actor,
    leave_out: bool = False,
    use: bool = True,
    most_lines: int | None = None,
) -> LoadedWordList:
    """Read, check and keep a word list for the organiser for whom somebody acts. With `use`, or as the first of its
    letter set, it becomes the one to judge by. Lines that cannot be words are left out with `leave_out`, otherwise
    nothing is loaded; nor is a file with more than `most_lines`. Raises the refusals of this module, of `lists` and of
    `store`, or `ReadingBusy`; then nothing is kept."""
    title = _clean_title(title)
    with wait_for_turn():
        report = start_reading_report(source, LETTER_SETS[letters], most_lines=most_lines)
        stored = write_list_file(read_word_blocks(source, report))
    try:
        word_list = _store_word_list(stored, report, title, actor, leave_out=leave_out, use=use)
        return LoadedWordList(word_list, report, stored.twice)
    except BaseException:
        # Ctrl+C as well: the file would stay, and no row would ever name it.
        remove_list_file(stored.name)
        raise


def _store_word_list(
    stored: StoredWordList, report: ReadingReport, title: str, actor: Actor, *, leave_out: bool, use: bool
) -> WordList:
    # Only now, with the file written already: what is wrong with a list is known once it has been read to its end.
    if report.faulty and not leave_out:
        raise FaultyLines(report)
    if not report.words:
        raise Refusal(
            "no_words", _("The file contains no words of 2 to 15 letters, so nothing was loaded."), field="file"
        )
    key, organiser = report.letters.key, get_or_create_organiser(actor)
    columns = {"letters": key, "count": stored.count, "sha256": stored.sha256}
    with open_register_change(organiser, actor=actor, verb="load_word_list", name=title, **columns) as log:
        same_letters = WordList.objects.filter(organiser=organiser, letters=key)
        if twin := same_letters.filter(sha256=stored.sha256).first():
            raise Refusal(
                "loaded_already",
                _("The same words are already loaded, as “%(title)s”."),
                field="file",
                title=twin.title,
            )
        use = use or not same_letters.filter(in_use=True).exists()
        # The other one first: the database allows one list in use for a letter set.
        if use:
            _lay_aside_list(log, key)
        columns |= {"encoding": report.encoding, "name": stored.name, "in_use": use}
        columns |= {"by_name": actor.shown_name, "at": log.now}
        return log.create(WordList(organiser=organiser, title=title, **columns))


def _clean_title(title: str) -> str:
    title = " ".join(title.split())
    if not title:
        raise Refusal("title_missing", _("The list needs a name."), field="title")
    if len(title) > limits.LIST_TITLE:
        raise TextTooLong(field="title", value=title, limit=limits.LIST_TITLE)
    if not title.isprintable():
        raise NotPrintable(field="title", value=title)
    return title


def make_list_title(file_name: str) -> str:
    """A title for a list that was given none: its file's name without the ending."""
    # On other systems a backslash is part of a name, and a path from Windows would become the title.
    stem = PurePath(file_name.replace("\\", "/")).stem
    return " ".join("".join(mark for mark in stem if mark.isprintable()).split())[: limits.LIST_TITLE] or "words"


REMOVE_WORD_LIST = "remove_word_list"  # the errand of a list's file


def use_word_list(word_list: WordList, *, actor: Actor) -> None:
    """Judge by this list from now on, in place of the one that was in use for its letter set."""
    with open_register_change(word_list.organiser, actor=actor, verb="use_word_list", name=word_list.title) as log:
        chosen = WordList.objects.get(pk=word_list.pk)
        if not chosen.in_use:
            _lay_aside_list(log, chosen.letters)
            log.save(chosen, in_use=True)


def _lay_aside_list(log: ChangeLog, letters: str) -> None:
    for other in WordList.objects.filter(organiser=log.organiser_id, letters=letters, in_use=True):
        log.save(other, in_use=False)


def delete_word_list(word_list: WordList, *, actor: Actor) -> None:
    """Delete a list and its file. Questions that were judged by it stay and keep its name."""
    name = word_list.title
    announce_irreversible_step("delete_word_list")
    with transaction.atomic():
        # The database would empty these columns by itself with the list, but past the journal of each tournament:
        # rebuilt from that, a question would name a list that is no longer there.
        judged = Tournament.objects.filter(pk__in=word_list.questions.values("tournament")).order_by("pk")
        # In one order for everybody: each of these tournaments stays locked to the end, and two lists that are deleted
        # at once would wait for each other.
        for tournament in judged:
            with change(tournament, actor=actor, verb="delete_word_list", name=name) as log:
                for question in Question.objects.filter(tournament=tournament, word_list=word_list).order_by("pk"):
                    log.save(question, word_list=None)
        with open_register_change(word_list.organiser, actor=actor, verb="delete_word_list", name=name) as log:
            if doomed := WordList.objects.filter(pk=word_list.pk).first():
                # The file goes after the row: an errand is part of the transaction, and is done once that holds.
                leave_errand(REMOVE_WORD_LIST, name=doomed.name)
                log.delete(doomed)


def ask_judge(tournament: Tournament, *, text: str, left: bool, right: bool, actor: Actor) -> Question:
    """Ask whether a play with these words stands, and note question and answer for good (TSO 3.1.4 c ii). `left` and
    `right`: each player's consent that these are the words. Raises `Refusals` for what was typed, `keys_missing`, or
    what `look_up_words` raises."""
    letters = tournament.rules.letters
    if tournament.rules.folds_accents:
        text = LETTER_SETS[letters].unaccented(text)
    message = _("Both players have to agree on the words, the left and the right one.")
    consent = CitingRefusal("keys_missing", message, clause=tournament.rules.clauses.judge)
    missing: list[Refusal] = [] if left and right else [consent]
    try:
        words = parse_typed_words(text, LETTER_SETS[letters])
    except Refusals as faulty:
        raise Refusals([*faulty.refusals, *missing]) from faulty
    if missing:
        raise missing[0]
    # Before the lock is taken: a list that is opened for the first time is read to its end, and results are typed
    # meanwhile.
    verdict = look_up_words(words, tournament.organiser_id, letters=letters)
    answer = {"stands": verdict.stands, "verdicts": [stands for _word, stands in verdict.words]}
    source = {"word_list": verdict.word_list, "list_title": verdict.word_list.title}
    with change(tournament, actor=actor, verb="ask_judge", names=list(words), stands=verdict.stands) as log:
        by = {"by": actor.user, "by_name": actor.shown_name, "at": log.now}
        return log.create(Question(tournament=log.tournament, words=list(words), **answer, **source, **by))
