"""What is wrong with a play or a sheet, and what it comes to, in the reader's language."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring import board as boards
from scoring import start_draw
from scoring.awards import Outcome
from scoring.letters import BLANK
from scoring.rulesets.values import Ruleset
from scoring.sheet_values import CountedLine, Ending, GameEnd, SheetFault, SheetProblem, Side
from tournament.core.words.figures import (
    append_clause,
    format_points,
    format_score,
    format_signed,
    name_both_players,
)
from tournament.core.words.outcomes import format_outcome_choice
from tournament.models import Pairing

PlayerNames = tuple[str, str]  # the players as a page calls them, the starter first

PLACEMENT_SENTENCES: Mapping[boards.PlayFault, str | Promise] = {
    boards.PlayFault.OFF_BOARD: gettext_lazy("The word runs off the board: %(square)s does not exist."),
    boards.PlayFault.GAP: gettext_lazy("%(square)s is empty, but a letter should be there already."),
    boards.PlayFault.TAKEN: gettext_lazy("%(square)s has %(lying)s, not %(letter)s."),
    boards.PlayFault.NO_NEW_TILE: gettext_lazy("No new tile: the whole word is on the board already."),
    boards.PlayFault.TOO_MANY: gettext_lazy("%(found)s new tiles: a rack holds %(needed)s."),
    boards.PlayFault.CENTRE_MISSED: gettext_lazy("The first play must cover the centre, %(square)s."),
    boards.PlayFault.ONE_TILE: gettext_lazy("The first play has one tile only; it needs two."),
    boards.PlayFault.NOT_JOINED: gettext_lazy("The play does not touch any tile on the board."),
    boards.PlayFault.NOT_IN_SET: gettext_lazy("There is no %(letter)s in this letter set."),
    boards.PlayFault.USED_UP: gettext_lazy(
        "%(letter)s would then lie on the board %(found)s times; there are %(needed)s."
    ),
    boards.PlayFault.NOT_ON_RACK: gettext_lazy("The play needs %(needed)s × %(letter)s; the rack has %(found)s."),
}

FAULT_SENTENCES: Mapping[SheetFault, str | Promise] = {
    SheetFault.WORD_IS_LONGER: gettext_lazy(
        "Does this mean %(other)s? With the tiles that lie there already, %(text)s is part of that word; it counts as "
        "the whole word."
    ),
    SheetFault.POINTS_DIFFER: gettext_lazy("The sheet says %(found)s, worked out %(needed)s."),
    SheetFault.POINTS_MISSING: gettext_lazy("There are no points, and nothing to work them out from."),
    SheetFault.WITHDRAWN_SCORES: gettext_lazy("A play that was withdrawn scores nothing; the sheet says %(found)s."),
    SheetFault.OUT_OF_TURN: gettext_lazy("Out of turn: it was not the turn of %(name)s."),
    SheetFault.AFTER_THE_END: gettext_lazy("The game was over after line %(found)s."),
    SheetFault.GAVE_UP_BEFORE: gettext_lazy(
        "%(name)s could not lay a tile at line %(found)s, so may no longer lay any."
    ),
    SheetFault.BAG_TOO_SMALL: gettext_lazy("An exchange needs %(needed)s tiles in the bag; there were %(found)s."),
    SheetFault.NO_TILE_BEFORE: gettext_lazy("An exchange needs a tile laid in the previous turn of %(name)s."),
    SheetFault.TOO_OFTEN_BEFORE_WORD: gettext_lazy(
        "Before the first word %(needed)s exchanges are allowed; this is number %(found)s."
    ),
    SheetFault.NO_EXCHANGES: gettext_lazy("The ruleset has no exchanges."),
    SheetFault.NO_CONSENT: gettext_lazy("The jury has no say here: the ruleset does not let it allow an exchange."),
    SheetFault.PASSING_NOT_ALLOWED: gettext_lazy("Passing is not allowed."),
    SheetFault.NO_CHALLENGES: gettext_lazy("The ruleset has no challenges."),
    SheetFault.NOTHING_TO_CHALLENGE: gettext_lazy(
        "There was no play to challenge: the opponent’s last turn was not a play."
    ),
    SheetFault.MORE_WORDS_THAN_MADE: gettext_lazy("%(found)s words challenged in vain, but the play made %(needed)s."),
    SheetFault.PENALTY_ADDS: gettext_lazy("Penalty points are taken off; these add to the score."),
    SheetFault.REASON_MISSING: gettext_lazy("Penalty points need a reason."),
    SheetFault.TOO_MANY_IN_HAND: gettext_lazy("“%(text)s” is more than a rack holds."),
    SheetFault.NOT_IN_SET: gettext_lazy("There is no %(text)s in this letter set."),
    SheetFault.NOT_ON_RACK: gettext_lazy("%(text)s was exchanged, but is not on the rack as written."),
    SheetFault.MORE_THAN_SET: gettext_lazy("Board and racks have %(found)s × %(text)s; there are %(needed)s."),
    SheetFault.MORE_THAN_HELD: gettext_lazy("Tiles laid or exchanged: %(found)s; %(name)s held %(needed)s."),
    SheetFault.SETTLEMENT_DIFFERS: gettext_lazy(
        "Leftover tiles of %(name)s: the sheet says %(found_signed)s, worked out %(needed_signed)s."
    ),
    SheetFault.SETTLEMENT_UNKNOWN: gettext_lazy(
        "The game is over, but the tiles that %(name)s had left are not written and cannot be worked out."
    ),
    SheetFault.LEFTOVERS_DIFFER: gettext_lazy("The tiles left, %(text)s, are not the unseen tiles, %(other)s."),
    SheetFault.NOT_OVER: gettext_lazy(
        "The sheet is complete, but nobody went out, and only %(found)s of the %(needed)s passes that end a game are "
        "written. That is fine if both agreed."
    ),
    SheetFault.FINAL_DIFFERS: gettext_lazy("Final score of %(name)s: the sheet says %(found)s, worked out %(needed)s."),
}

CONSENT_SENTENCES: Mapping[SheetFault, Promise] = {
    SheetFault.NO_TILE_BEFORE: gettext_lazy(
        "An exchange needs a tile laid in the previous turn of %(name)s, or the consent of the jury."
    ),
    SheetFault.TOO_OFTEN_BEFORE_WORD: gettext_lazy(
        "Exchanges before the first word: this is number %(found)s; beyond %(needed)s the jury has to consent."
    ),
    SheetFault.PASSING_NOT_ALLOWED: gettext_lazy(
        "Passing is not allowed. A player who finds no word after an exchange asks the jury; where it sees one and the "
        "player does not, the turn is lost and costs %(needed)s points."
    ),
}
"""What is said where the consent of the jury would have made it right."""

NONE_FOUND_SENTENCES: Mapping[SheetFault, Promise] = {
    SheetFault.NOT_OVER: gettext_lazy(
        "The sheet is complete, but nobody went out, and it does not end with passes. That is fine if both agreed."
    ),
    SheetFault.NOTHING_TO_CHALLENGE: gettext_lazy("There was no play to challenge: the opponent has had no turn."),
}
"""What is said where there is nothing at all of what was looked for."""

LEFTOVER_COUNT_SENTENCE = gettext_lazy(
    "Tiles left of %(name)s: the sheet has %(found)s (%(text)s), there were %(needed)s. Unseen: %(other)s."
)
"""Leftovers that are too many or too few, whichever letters they are."""

GAME_END_SENTENCES: Mapping[Ending, str | Promise] = {
    Ending.OUT: gettext_lazy("The game is over after line %(number)s: %(name)s has no tiles left."),
    Ending.PASSES: gettext_lazy("The game is over: both have passed often enough, line %(number)s."),
    Ending.STUCK: gettext_lazy("The game is over: neither can lay a tile any more, line %(number)s."),
    Ending.STATED: gettext_lazy("The game is over, as the sheet says."),
    Ending.TIME: gettext_lazy("The game is broken off: overtime beyond the limit."),
}


def name_tile(tile: str) -> str:
    """A tile as a sentence names it; the blank has no letter."""
    return _("blank") if tile == BLANK else tile


def describe_placement_fault(problem: boards.PlayProblem) -> str:
    """Why a play cannot lie where it is said to lie."""
    return str(PLACEMENT_SENTENCES[problem.fault]) % {
        "square": problem.square or "",
        "letter": name_tile(problem.letter),
        "lying": name_tile(problem.lying),
        "found": problem.found,
        "needed": problem.needed,
    }


def describe_sheet_problem(problem: SheetProblem, names: PlayerNames) -> str:
    """One thing that is wrong with a sheet, with the clause; the line's number is left to the page."""
    if problem.placement is not None:
        return append_clause(describe_placement_fault(problem.placement), problem.clause)
    is_number = problem.fault is SheetFault.LEFTOVERS_DIFFER and problem.needed is not None
    sentence = LEFTOVER_COUNT_SENTENCE if is_number else FAULT_SENTENCES[problem.fault]
    if problem.by_consent:
        sentence = CONSENT_SENTENCES[problem.fault]
    # 0 and not None: where nothing was counted there is no figure, and “only 0 passes” would be an odd thing to say.
    if problem.found == 0:
        sentence = NONE_FOUND_SENTENCES.get(problem.fault, sentence)
    problem_sentence = str(sentence) % {
        "name": name_side(problem.side, names),
        "found": format_points(problem.found),
        "needed": format_points(problem.needed),
        "found_signed": format_signed(problem.found),
        "needed_signed": format_signed(problem.needed),
        "text": name_tile(problem.text) or _("none"),
        "other": problem.other or _("none"),
    }
    return append_clause(problem_sentence, problem.clause)


def name_side(side: Side | None, names: PlayerNames) -> str:
    """What a page calls a side; both where it is nobody's in particular."""
    return " – ".join(names) if side is None else names[side - 1]


def describe_play_score(scored: boards.PlayScore) -> str:
    """What a play is made of: its words with their points, and the 50 for seven tiles."""
    parts = [f"{word.text} {word.points}" for word in scored.words]
    if scored.is_bingo:
        parts.append(_("seven tiles %(points)s") % {"points": boards.BINGO_POINTS})
    return ", ".join(parts)


def describe_longer_word(counted: CountedLine) -> str:
    """The question whether a word is meant that is longer than what is written; else the empty text."""
    if counted.line.play is None or counted.scored is None or not counted.scored.is_longer:
        return ""
    made_word = counted.scored.words[0].text
    return str(FAULT_SENTENCES[SheetFault.WORD_IS_LONGER]) % {"text": counted.line.play.word, "other": made_word}


def describe_other_result(final: tuple[int, int], pairing: Pairing) -> str:
    """That a sheet comes to another score, or another winner, than the official result; "" where it does not, or there
    is none. Reads the prefetched seats."""
    result = pairing.result
    if result is None:
        return ""
    outcome, official = Outcome(result.outcome), (result.first_points, result.second_points)
    # An award may stand without points: then only who loses by it can be held against the sheet.
    is_turned = outcome != Outcome.PLAYED and outcome.at_fault != (final[0] < final[1], final[0] > final[1])
    if not is_turned and (None in official or official == final):
        return ""
    parts = [] if None in official else [format_score(*official)]
    if outcome != Outcome.PLAYED:
        parts.append(format_outcome_choice(outcome, name_both_players(pairing)))
    figures = {"sheet": format_score(*final), "result": ", ".join(parts)}
    return _("The score sheet comes to %(sheet)s; the official result is %(result)s.") % figures


def describe_points_difference(counted: CountedLine) -> str:
    """What the sheet says of a line and what the rules make of it, where the two differ; else the empty text."""
    if not counted.difference:
        return ""
    figures = {"found": format_points(counted.line.points), "needed": format_points(counted.worked)}
    if counted.scored is not None:
        figures["words"] = describe_play_score(counted.scored)
        message = _("The sheet says %(found)s, worked out %(needed)s: %(words)s.") % figures
    else:
        message = _("The sheet says %(found)s, worked out %(needed)s.") % figures
    return append_clause(message, counted.clause)


NO_START_SENTENCES: Mapping[start_draw.StartDrawFault, str | Promise] = {
    start_draw.StartDrawFault.NOT_IN_SET: gettext_lazy(
        "“%(letter)s” is not a tile of this letter set; write ? for a blank."
    ),
    start_draw.StartDrawFault.BLANK_DRAWN: gettext_lazy("A blank does not count for the start: both draw again."),
    start_draw.StartDrawFault.EQUAL: gettext_lazy("Both have drawn %(letter)s: both draw again."),
}


def describe_undecided_start(problem: start_draw.StartDrawProblem) -> str:
    """Why the letters drawn do not say who begins."""
    tile = problem.letter if problem.fault is start_draw.StartDrawFault.NOT_IN_SET else name_tile(problem.letter)
    return str(NO_START_SENTENCES[problem.fault]) % {"letter": tile}


def describe_start_draw(letters_drawn: tuple[str, str], rules: Ruleset, names: PlayerNames) -> str:
    """Who drew what and who begins, with the clause; the empty text where nothing is written down."""
    if not all(letters_drawn) or start_draw.problems(letters_drawn, rules):
        return ""
    message = _("%(first)s drew %(one)s, %(second)s drew %(other)s: %(starter)s begins") % {
        "first": names[0],
        "second": names[1],
        "one": name_tile(letters_drawn[0]),
        "other": name_tile(letters_drawn[1]),
        "starter": names[start_draw.starting_side(letters_drawn, rules) - 1],
    }
    return append_clause(message, rules.clauses.drawn_starts)


def describe_game_end(end: GameEnd | None, names: PlayerNames) -> str:
    """How the game ended, with the clause; the empty text while it goes on."""
    if end is None:
        return ""
    sentence = str(GAME_END_SENTENCES[end.ending]) % {"name": name_side(end.out, names), "number": end.number}
    return append_clause(sentence, end.clause)
