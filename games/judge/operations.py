"""Word lists loaded, chosen and deleted, and every question to the word judge."""

from dataclasses import dataclass
from pathlib import PurePath
from typing import BinaryIO

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from games import limits
from games.judge import lists, reading, store
from games.models import Question, WordList
from scoring.letters import LETTER_SETS
from tournament import one_at_a_time, precautions
from tournament.models import Tournament
from tournament.operations.change import Actor, Log, change, register_change
from tournament.operations.organisers import acting_for
from tournament.refusals import NotPrintable, Refusal, Refusals, TextTooLong
from tournament.words.clauses import before_stop


class TitleMissing(Refusal):
    code = "title_missing"
    message = _("The list needs a name.")
    field = "title"


class FaultyLines(Refusal):
    """Lines that cannot be words; `report` names the first of them."""

    code = "faulty_lines"
    message = _(
        "Nothing was loaded. Lines that cannot be words in this letter set: %(faulty)s; words: %(words)s. Mend the "
        "lines, choose another letter set, or load the words without them."
    )
    field = "file"

    def __init__(self, report: reading.ReadingReport) -> None:
        super().__init__(faulty=report.faulty, words=report.words)
        self.report = report


class NoWords(Refusal):
    code = "no_words"
    message = _("The file holds no words of 2 to 15 letters, so nothing was loaded.")
    field = "file"


class LoadedAlready(Refusal):
    code = "loaded_already"
    message = _("These very words are loaded already, as “%(title)s”.")
    field = "file"


class KeysMissing(Refusal):
    code = "keys_missing"
    message = _("Both players have to agree that these are the words: the left and the right one.")

    def __init__(self, *, clause: str) -> None:
        super().__init__(clause=clause)

    def __str__(self) -> str:
        return before_stop(self.message, self.figures["clause"])


@dataclass(frozen=True, slots=True)
class LoadedList:
    """A list that was loaded, what was found reading it, and how many words stood in it more than once."""

    word_list: WordList
    report: reading.ReadingReport
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
) -> LoadedList:
    """Read, check and keep a word list for the organiser for whom somebody acts.

    With `use`, or as the first of its letter set, it becomes the one to judge by.

    Lines that cannot be words are left out with `leave_out`, otherwise nothing is loaded; nor is a file with more than
    `most_lines`. Raises `FaultyLines` and
    the other refusals of this module, of `reading` and of `store`, or `Busy`; then nothing is kept.
    """
    title = _checked_title(title)
    with one_at_a_time.wait_for_turn():
        report = reading.open_list(source, LETTER_SETS[letters], most_lines=most_lines)
        stored = store.write(reading.texts(source, report))
    try:
        _check(report, leave_out=leave_out)
        return LoadedList(_keep(stored, report, title, actor, use=use), report, stored.twice)
    except BaseException:
        store.remove(stored.name)
        raise


def _check(report: reading.ReadingReport, *, leave_out: bool) -> None:
    if report.faulty and not leave_out:
        raise FaultyLines(report)
    if not report.words:
        raise NoWords


def _keep(stored: store.StoredList, report: reading.ReadingReport, title: str, actor: Actor, *, use: bool) -> WordList:
    key = report.letters.key
    about = {"name": title, "letters": key, "count": stored.count, "sha256": stored.sha256}
    organiser = acting_for(actor)
    with register_change(organiser, actor=actor, verb="load_word_list", **about) as log:
        same_letters = WordList.objects.filter(organiser=organiser, letters=key)
        if twin := same_letters.filter(sha256=stored.sha256).first():
            raise LoadedAlready(title=twin.title)
        use = use or not same_letters.filter(in_use=True).exists()
        if use:
            _lay_aside(log, key)
        return log.create(
            WordList(
                organiser=organiser,
                title=title,
                letters=key,
                encoding=report.encoding,
                count=stored.count,
                sha256=stored.sha256,
                name=stored.name,
                in_use=use,
                by_name=actor.shown_name,
                at=log.now,
            )
        )


def _checked_title(title: str) -> str:
    title = " ".join(title.split())
    if not title:
        raise TitleMissing
    if len(title) > limits.LIST_TITLE:
        raise TextTooLong(field="title", value=title, limit=limits.LIST_TITLE)
    if not title.isprintable():
        raise NotPrintable(field="title", value=title)
    return title


def title_of(file_name: str) -> str:
    """A title for a list that was given none: its file's name without the ending."""
    stem = PurePath(file_name.replace("\\", "/")).stem
    return " ".join("".join(mark for mark in stem if mark.isprintable()).split())[: limits.LIST_TITLE] or "words"


def use_word_list(word_list: WordList, *, actor: Actor) -> None:
    """Judge by this list from now on; the one of the same letter set that was in use is laid aside."""
    with register_change(word_list.organiser, actor=actor, verb="use_word_list", name=word_list.title) as log:
        chosen = WordList.objects.get(pk=word_list.pk)
        if not chosen.in_use:
            _lay_aside(log, chosen.letters)
            log.save(chosen, in_use=True)


def _lay_aside(log: Log, letters: str) -> None:
    for other in WordList.objects.filter(organiser=log.organiser_id, letters=letters, in_use=True):
        log.save(other, in_use=False)


def delete_word_list(word_list: WordList, *, actor: Actor) -> None:
    """Delete a list and its file. Questions that were judged by it stay and keep its name."""
    name = word_list.title
    precautions.before("delete_word_list")
    with transaction.atomic():
        judged = Tournament.objects.filter(pk__in=word_list.questions.values("tournament")).order_by("pk")
        for tournament in judged:
            with change(tournament, actor=actor, verb="delete_word_list", name=name) as log:
                for question in Question.objects.filter(tournament=tournament, word_list=word_list).order_by("pk"):
                    log.save(question, word_list=None)
        with register_change(word_list.organiser, actor=actor, verb="delete_word_list", name=name) as log:
            doomed = WordList.objects.filter(pk=word_list.pk).first()
            if doomed is not None:
                transaction.on_commit(lambda: store.remove(doomed.name))
                log.delete(doomed)


def ask_judge(tournament: Tournament, *, text: str, left: bool, right: bool, actor: Actor) -> Question:
    """Ask whether a play with these words stands, and note question and answer for good (TSO 3.1.4 c ii).

    `left` and `right`: each player's own word that these are the words. Raises `Refusals` for what was typed,
    `KeysMissing`, or `lists.NoList` and what `lists.judge` raises where there is no list to trust.
    """
    letters = tournament.rules.letters
    if tournament.rules.folds_accents:
        text = LETTER_SETS[letters].unaccented(text)
    keys: list[Refusal] = [] if left and right else [KeysMissing(clause=tournament.rules.clauses.judge)]
    try:
        words = lists.parse(text, LETTER_SETS[letters])
    except Refusals as faulty:
        raise Refusals([*faulty.refusals, *keys]) from faulty
    if keys:
        raise keys[0]
    verdict = lists.judge(words, tournament.organiser_id, letters=letters)
    with change(tournament, actor=actor, verb="ask_judge", names=list(words), stands=verdict.stands) as log:
        return log.create(
            Question(
                tournament=log.tournament,
                word_list=verdict.word_list,
                list_title=verdict.word_list.title,
                words=list(words),
                verdicts=[stands for _word, stands in verdict.words],
                stands=verdict.stands,
                by=actor.user,
                by_name=actor.shown_name,
                at=log.now,
            )
        )
