"""The turns of a session for several clubs: typed line by line, filled in by the program, and checked."""

from dataclasses import dataclass
from random import Random

from django.utils.translation import gettext_lazy as _

from games.duplicate.operations.sessions import SessionPlan
from games.duplicate.operations.turns import find_draw_problems, fit_play_to_draw
from games.duplicate.words import LACKING_NAMES
from games.models import WordList
from games.plays.search import find_best_plays
from scoring import board as boards
from scoring import duplicate, sealed
from scoring.board import RACK_SIZE, Board
from scoring.letters import LETTER_SETS
from scoring.plays import Play
from scoring.sealed import FixedTurn
from tournament.basics.limits import QUOTED_TEXT
from tournament.basics.refusals import Refusal, Refusals

MAX_DRAW_TRIES = 50
"""How often a draw with which the list allows no play is put back; then the session ends there."""


class FaultyTurn(Refusal):
    code = "turn_at_fault"
    message = _("Turn %(number)s: %(fault)s")
    field = "turns"


class DrawLacksLetters(Refusal):
    code = "draw_lacks"
    message = _("“%(draw)s” has no %(lacking)s, but a draw holds a vowel and a consonant.")


class MasterWordMissing(Refusal):
    code = "master_missing"
    message = _("the master word is missing behind %(draw)s.")


class MasterWordNotWanted(Refusal):
    code = "master_not_wanted"
    message = _("“%(text)s” is more than a draw; master words are not fixed in this session.")


class TooManyTurnLines(Refusal):
    code = "too_many_lines"
    message = _("%(found)s turns are more than %(limit)s, which is the most that is stated.")
    field = "turns"


class NoTurnsPrepared(Refusal):
    code = "no_turns"
    message = _("There is no turn yet; type one, or let the program fill them in.")
    field = "turns"


class WordListNeeded(Refusal):
    code = "needs_list"
    message = _("The program finds master words in a word list only; choose one, or type them.")
    field = "words"


@dataclass(frozen=True, slots=True)
class SealedPlan(SessionPlan):
    """What a session for several clubs is prepared with.

    `turns`: a line a turn, the draw and, where the master words are fixed (`masters`), the word.
    """

    name: str = ""
    masters: bool = True
    turns: str = ""

    @property
    def lines(self) -> list[str]:
        """The lines that say something."""
        return [line for line in self.turns.upper().splitlines() if line.strip()]


def parse_fixed_turns(plan: SealedPlan) -> tuple[FixedTurn, ...]:
    """The turns as they are typed.

    Raises `Refusals` with what is wrong with the lines; where master words are fixed, the first fault only, because
    later boards need earlier words.
    """
    if len(plan.lines) > plan.max_turns:
        raise Refusals([TooManyTurnLines(found=len(plan.lines), limit=plan.max_turns)])
    board = Board(LETTER_SETS[plan.letters])
    found: list[FixedTurn] = []
    faults: list[Refusal] = []
    for number, line in enumerate(plan.lines, 1):
        try:
            turn = _parse_turn(line, board, number, plan)
        except Refusal as fault:
            faults.append(FaultyTurn(number=number, fault=str(fault)))
            if plan.masters:
                break
        else:
            found.append(turn)
            board = duplicate.lay_master_word(board, turn.master) if turn.master else board
    if faults:
        raise Refusals(faults)
    return tuple(found)


def _parse_turn(line: str, board: Board, number: int, plan: SealedPlan) -> FixedTurn:
    """A turn out of its line. Raises the first `Refusal` about it."""
    draw, *rest = line.split()
    if fault := next(iter(find_draw_problems(draw, board.unseen())), None):
        raise fault
    if lacking := duplicate.lacking_kind(draw):
        raise DrawLacksLetters(draw=draw, lacking=LACKING_NAMES[lacking])
    if plan.masters:
        if not rest:
            raise MasterWordMissing(draw=draw)
        return FixedTurn(draw, master=fit_play_to_draw(board, draw, rest[0], "".join(rest[1:]))[1])
    if rest:
        raise MasterWordNotWanted(text=line[: 2 * QUOTED_TEXT])
    return sealed.add_reserve(FixedTurn(draw), board.letters, plan.seed, number)


def fill_in_turns(plan: SealedPlan, word_list: WordList | None) -> str:
    """The lines, with what is missing drawn and proposed by the program; the same seed gives the same.

    What is typed stays, even where it is wrong. Raises `Refusals` where master words are to be found without a list.
    """
    if plan.masters and word_list is None:
        raise Refusals([WordListNeeded()])
    board = Board(LETTER_SETS[plan.letters])
    done: list[str] = []
    for number in range(1, plan.max_turns + 1):
        bag = board.unseen()
        if len(bag) < RACK_SIZE or duplicate.lacking_kind(bag):
            break
        typed = plan.lines[number - 1] if number <= len(plan.lines) else ""
        line = _complete_line(typed, board, number, plan, word_list)
        if not line:
            break
        done.append(line)
        board = _lay_line(board, line)
    return "\n".join([*done, *plan.lines[len(done) :]])


def _lay_line(board: Board, line: str) -> Board:
    """The board after a line's word; as it is where there is none, or one that cannot be laid."""
    draw, *rest = line.split()
    try:
        play = fit_play_to_draw(board, draw, rest[0], "".join(rest[1:]))[1] if rest else None
    except Refusal:
        return board
    return duplicate.lay_master_word(board, play) if play else board


def _complete_line(typed: str, board: Board, number: int, plan: SealedPlan, word_list: WordList | None) -> str:
    """A line with a draw and, where masters are fixed, a word; "" if the list allows none with any draw."""
    draw, *rest = typed.split() or [""]
    if rest or (draw and not plan.masters):
        return " ".join([draw, *rest])
    for times in range(1 if draw else MAX_DRAW_TRIES):
        drawn = draw or duplicate.draw_tiles(board.unseen(), Random(f"{plan.seed}/{number}/{times}"))[0]
        word = _find_best_word(board, drawn, word_list) if plan.masters else ""
        if word or not plan.masters:
            return f"{drawn} {word}".strip()
    return draw


def _find_best_word(board: Board, draw: str, word_list: WordList | None) -> str:
    """The best word that the list allows, of equal ones the one with the fewest new tiles; "" if there is none."""
    assert word_list is not None
    found = find_best_plays(board, draw, word_list)
    if found is None or not found.plays:
        return ""
    level = [Play.parse(each.text) for each in found.plays if each.points == found.plays[0].points]
    play = min(level, key=lambda each: len(boards.new_tiles(board, each)))
    return f"{play.position} {play.word}"
