import re
from collections.abc import Iterator
from functools import partial
from typing import Any

from django.core.management.base import CommandParser
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring import awards
from scoring.awards import AwardReason, Outcome
from tournament.basics import limits
from tournament.core.change import TERMINAL_ACTOR
from tournament.core.reports import PlayerReport, Report
from tournament.core.words.figures import format_meeting, name_both_players
from tournament.core.words.outcomes import format_short_report
from tournament.management.base import BadInput, DivisionCommand, get_round_by_number, make_unknown_name_fault
from tournament.models import Pairing, Result
from tournament.results.knockout_games import LaterGamesDisturbed
from tournament.results.operations import record_result

NO_SCORE = "-"  # stands for the points of a game that never began

OUTCOME_WORDS = [outcome.value for outcome in awards.TWO_PLAYER_OUTCOMES]
REASON_WORDS = [reason.value for reason in AwardReason]
NOT_A_NUMBER = {
    "round": gettext_lazy("“%(text)s” is not a round: enter a whole number."),
    "table": gettext_lazy("“%(text)s” is not a table: enter a whole number."),
}


class Command(DivisionCommand):
    help = (
        "Make a result official; one that is there already stays on record as an earlier version. "
        "Points are final scores, beside a forfeit the score when the game stopped, or - if it never began."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("round", help="of the knock-out 1000 + 100 times the stage + the game: 1201")
        parser.add_argument("table", help="in the knock-out the match's position from the top")
        parser.add_argument("first_points", help="of the player who starts")
        parser.add_argument("second_points", help="of the opponent")
        parser.add_argument("--outcome", default=Outcome.PLAYED.value, help=", ".join(OUTCOME_WORDS))
        parser.add_argument(
            "--disturb", action="store_true", help="although games of the knock-out that were played no longer count"
        )
        parser.add_argument("--reason", default="", help=f"of a forfeit: {', '.join(REASON_WORDS)}")

    def run(self, **options: Any) -> None:
        division = self.get_division(options)
        report = _parse_report(options)
        number = int(options["round"])
        table = int(options["table"])
        round = get_round_by_number(division, number)
        games = Pairing.objects.filter(round=round, kind=Pairing.Kind.GAME).with_players().by_table()
        positions = {game.match_position: game for game in games}
        # A match is named by its position, as before divisions had tables of their own, or by where it is played.
        if (pairing := positions.get(table) or next((game for game in games if game.table == table), None)) is None:
            tables = [*positions]
            sentence = _("Round %(number)s has no table %(table)s. Known: %(known)s.")
            raise make_unknown_name_fault(sentence, tables, number=number, table=table)
        pairing.round = round
        saved = _record_report(pairing, report, disturb=options["disturb"])
        result = format_short_report(Report.of(saved), name_both_players(pairing))
        version = _("version %(version)s") % {"version": saved.version}
        self.stdout.write(f"{format_meeting(pairing)}: {result} ({version})")


def _record_report(pairing: Pairing, report: Report, *, disturb: bool) -> Result:
    """Make the report official; if that disturbs the knock-out, `disturb` agrees to it, else it is raised."""
    # Whatever version stands there: nobody at the terminal was shown one that could have changed since.
    record = partial(
        record_result, pairing, report=report, actor=TERMINAL_ACTOR, expected_version=None, how=Result.How.TERMINAL
    )
    try:
        return record()
    except LaterGamesDisturbed as question:
        if not disturb:
            way_out = _("Add --disturb if that is meant.")
            raise BadInput([f"{question} {way_out}"]) from question
        # With the results that the refusal named: if others would be disturbed by now, it refuses once more.
        return record(disturb=question.results)


def _parse_report(options: dict[str, Any]) -> Report:
    """The report that the arguments state. Raises `BadInput` with every argument that is no number or known word."""
    if faults := list(_find_faulty_words(options)):
        raise BadInput(faults)
    reason = AwardReason(options["reason"]) if options["reason"] else None
    points = [None if text == NO_SCORE else int(text) for text in (options["first_points"], options["second_points"])]
    # 0 : 0 of a game that never began is no score, which would count as one that was reached.
    if reason in awards.UNSTARTED_REASONS and points == [0, 0]:
        points = [None, None]
    return Report(
        Outcome(options["outcome"]), PlayerReport(points=points[0]), PlayerReport(points=points[1]), reason=reason
    )


def _find_faulty_words(options: dict[str, Any]) -> Iterator[str]:
    score = _(
        "“%(text)s” is not a score: enter a whole number from %(low)s to %(high)s, or %(none)s if the game never began."
    )
    for name, fault in NOT_A_NUMBER.items():
        if not re.fullmatch("[0-9]{1,4}", options[name]):
            yield fault % {"text": options[name]}
    for name in ("first_points", "second_points"):
        text = options[name]
        if text != NO_SCORE and not re.fullmatch("-?[0-9]{1,9}", text):
            yield score % {"text": text, **limits.POINTS.ends, "none": NO_SCORE}
    outcome, reason = options["outcome"], options["reason"]
    if outcome not in OUTCOME_WORDS:
        figures = {"text": outcome, "known": ", ".join(OUTCOME_WORDS)}
        yield _("“%(text)s” is not an outcome of a game. Choose from: %(known)s.") % figures
    if reason and reason not in REASON_WORDS:
        figures = {"text": reason, "known": ", ".join(REASON_WORDS)}
        yield _("“%(text)s” is not a reason for a forfeit. Choose from: %(known)s.") % figures
