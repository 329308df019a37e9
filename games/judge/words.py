"""What loading a list has found, who may ask the jury, and what it answered, in sentences."""

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.judge.jury import Asker
from games.judge.operations import LoadedWordList
from games.limits import WORD_LENGTH
from games.models import JuryQuestion
from tournament.core.words.figures import format_points
from tournament.core.words.rounds import format_table_name


def describe_loaded_list(loaded_list: LoadedWordList) -> str:
    """What was loaded: how many words, in which encoding, the file's first, last and longest word."""
    figures = {name: getattr(loaded_list.report, name) for name in ("encoding", "first", "last", "longest")}
    count, title = loaded_list.word_list.count, loaded_list.word_list.title
    return ngettext(
        "“%(title)s” is loaded: %(count)s word, read as %(encoding)s. First in the file: %(first)s, last: %(last)s, "
        "longest: %(longest)s.",
        "“%(title)s” is loaded: %(count)s words, read as %(encoding)s. First in the file: %(first)s, last: %(last)s, "
        "longest: %(longest)s.",
        count,
    ) % {**figures, "title": title, "count": format_points(count)}


def describe_asker(asker: Asker) -> str:
    """A player in a game as a form offers them: the table, the name, and how many words they have asked about."""
    words = {"where": format_table_name(asker.pairing), "name": asker.entry.name, "asked": len(asker.questions)}
    if (limit := asker.pairing.round.division.tournament.question_limit) is None:
        return _("%(where)s: %(name)s (%(asked)s)") % words
    return _("%(where)s: %(name)s (%(asked)s of %(limit)s)") % {**words, "limit": limit}


def describe_jury_answer(question: JuryQuestion, asker: Asker) -> str:
    """What the jury answered, and which of this player's questions in this game it was: the first, the second."""
    message = _("“%(word)s” is good.") if question.stands else _("“%(word)s” is not good.")
    count = len(asker.questions) + 1  # what they had asked when the page was read, and this one
    words = {"name": asker.entry.name, "asked": count}
    if (limit := asker.pairing.round.division.tournament.question_limit) is None:
        without_limit = ngettext(
            "%(name)s has asked about %(asked)s word in this game.",
            "%(name)s has asked about %(asked)s words in this game.",
            count,
        )
        counted = without_limit % words
    else:
        counted = ngettext(
            "%(name)s has asked about %(asked)s of %(limit)s word in this game.",
            "%(name)s has asked about %(asked)s of %(limit)s words in this game.",
            limit,
        ) % {**words, "limit": limit}
    return f"{message % {'word': question.word}} {counted}"


def describe_needed_list(title: str) -> str:
    """That the event's word list has yet to be loaded here."""
    return _(
        "The word judge of this event uses “%(title)s”. Lists are not free and are not included; load it here under "
        "word lists before the next challenge."
    ) % {"title": title}


def describe_left_out_lines(loaded_list: LoadedWordList) -> list[str]:
    """What was not loaded and why, a sentence for each reason."""
    report = loaded_list.report
    twice = ngettext(
        "%(count)s word was in the file more than once; it is kept once.",
        "%(count)s words were in the file more than once; each is kept once.",
        loaded_list.twice,
    )
    too_long = ngettext(
        "%(count)s word has more than %(limit)s letters, does not fit on the board and is left out.",
        "%(count)s words have more than %(limit)s letters, do not fit on the board and are left out.",
        report.too_long,
    )
    too_short = ngettext(
        "%(count)s word has fewer than %(limit)s letters and is left out.",
        "%(count)s words have fewer than %(limit)s letters and are left out.",
        report.too_short,
    )
    faulty = ngettext(
        "%(count)s line cannot be a word and is left out: line %(line)s, “%(text)s”.",
        "%(count)s lines cannot be words and are left out, the first of them line %(line)s, “%(text)s”.",
        report.faulty,
    )
    first = report.faults[0] if report.faults else {}
    omissions: tuple[tuple[int, str, dict[str, Any]], ...] = (
        (loaded_list.twice, twice, {}),
        (report.too_long, too_long, {"limit": WORD_LENGTH.high}),
        (report.too_short, too_short, {"limit": WORD_LENGTH.low}),
        (report.faulty, faulty, first),
    )
    return [text % {"count": format_points(count), **more} for count, text, more in omissions if count]
