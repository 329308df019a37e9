"""When tiles may be exchanged, and what a pass means if passing is not allowed (TSO 3.2; SBNL III-7, III-8). It depends
on the bag and on the player's own earlier turns; `own` are the kinds of those turns, in order."""

from collections.abc import Sequence

from scoring.rulesets.values import ExchangeRules, Ruleset
from scoring.sheet_values import LineKind, ScoreSheetLine, SheetFault, SheetProblem


def is_declined(ruleset: Ruleset, line: ScoreSheetLine) -> bool:
    """Whether a pass costs a penalty: the jury saw a word, and the player found none (Wedstrijdscrabble III-8)."""
    # A sheet may say so by the jury's mark, or only by the points that it takes off.
    refused = line.jury or line.points == -ruleset.declined_penalty
    return bool(ruleset.declined_penalty) and refused


def can_exchange(ruleset: Ruleset, own: Sequence[LineKind], in_bag: int | None) -> bool:
    """Whether a player who lays nothing could exchange instead, if need be with the jury's consent. `in_bag`: the tiles
    in the bag; None (unknown) counts as enough."""
    rules = ruleset.exchanges
    if rules is None:
        return True
    is_enough = in_bag is None or in_bag >= rules.in_bag
    return is_enough and (rules.by_consent or _turn_problem(rules, own) is None)


def problems(
    rules: ExchangeRules, line: ScoreSheetLine, own: Sequence[LineKind], in_bag: int | None
) -> tuple[SheetProblem, ...]:
    """Why this exchange was not allowed."""
    # The large-letter rules ask for one tile in the bag, yet nobody can draw five out of three.
    needed = max(rules.in_bag, len(line.tiles))
    sheet_problems = []
    if in_bag is not None and in_bag < needed:
        sheet_problems.append(SheetProblem(None, SheetFault.BAG_TOO_SMALL, needed=needed, found=in_bag))
    if not (line.jury and rules.by_consent) and (of_turns := _turn_problem(rules, own)):
        sheet_problems.append(of_turns)
    return tuple(sheet_problems)


def _turn_problem(rules: ExchangeRules, own: Sequence[LineKind]) -> SheetProblem | None:
    """What in the player's earlier turns forbids an exchange."""
    # A play that was taken back has placed no tile: it neither ends the opening nor allows an exchange after it.
    if rules.before_first_word is not None and LineKind.PLAY not in own:
        number, most = own.count(LineKind.EXCHANGE) + 1, rules.before_first_word
        if number > most:
            fault = SheetFault.TOO_OFTEN_BEFORE_WORD
            return SheetProblem(None, fault, needed=most, found=number, by_consent=rules.by_consent)
    elif rules.after_a_play and own[-1:] != [LineKind.PLAY]:
        return SheetProblem(None, SheetFault.NO_TILE_BEFORE, by_consent=rules.by_consent)
    return None
