import re
from collections.abc import Iterator
from typing import Any

from django.core.management.base import CommandParser
from django.utils.translation import gettext as _

from scoring.awards import Outcome
from tournament.core.change import TERMINAL_ACTOR
from tournament.core.reports import PlayerReport, Report
from tournament.core.words.figures import format_half_wins, name_both_players
from tournament.core.words.outcomes import format_short_report
from tournament.management.base import BadInput, DivisionCommand, get_round_by_number, make_unknown_name_fault
from tournament.models import Pairing, Result, Round
from tournament.pairing.values import Method
from tournament.rounds.round_matches import RoundMatch, list_round_matches
from tournament.teams.operations import award_match, record_match

AS_IT_IS = "-"  # stands for a board whose result is not changed


class Command(DivisionCommand):
    help = "Show a match of teams, enter all its results in one step, or award what is open of it."
    formats = ("table", "json")

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("round", type=int)
        parser.add_argument("team", help="one of the two")
        parser.add_argument(
            "scores", nargs="*", help="412:380 for each game by table, this team's points first; - as is"
        )
        parser.add_argument("--walkover", choices=("own", "other", "both"), help="who did not show up")

    def run(self, **options: Any) -> None:
        division = self.get_division(options, paired=True)
        round = get_round_by_number(division, options["round"])
        match = _find_match(round, options["team"])
        if options["scores"] and options["walkover"]:
            raise BadInput([_("%(name)s does not go with %(other)s.") % {"name": "--walkover", "other": "scores"}])
        if options["scores"]:
            reports = _parse_scores(match, options["team"], options["scores"])
            record_match(match, reports=reports, actor=TERMINAL_ACTOR, how=Result.How.TERMINAL)
        elif options["walkover"]:
            teams = {match.home, match.away or ""}
            at_fault = {"own": {options["team"]}, "other": teams - {options["team"]}, "both": teams}
            award_match(match, at_fault=at_fault[options["walkover"]], actor=TERMINAL_ACTOR, how=Result.How.TERMINAL)
        # Read again, with what has just been written.
        match = _find_match(round, options["team"])
        boards = []
        for board in match.boards:
            result = board.pairing.result
            boards.append(
                {
                    "table": board.pairing.table,
                    "home": board.home.key if board.home else None,
                    "away": board.away.key if board.away else None,
                    "outcome": result.outcome if result else None,
                    "points": list(board.order(result.first_points, result.second_points)) if result else [None, None],
                }
            )
        round_match_json = {
            "round": match.round.number,
            "home": match.home,
            "away": match.away,
            "board_points": [half_wins / 2 for half_wins in match.half_wins],
            "open": len(match.open_games),
            "boards": boards,
        }
        self.print_answer(options["format"], round_match_json, _format_lines(match))


def _find_match(round: Round, team: str) -> RoundMatch:
    """The match of a team in the round. Raises `BadInput` with the teams that play there."""
    matches = list_round_matches(round) if round.method == Method.TEAMS else []
    match = next((match for match in matches if team in (match.home, match.away)), None)
    if match is None:
        teams = [name for match in matches for name in (match.home, match.away) if name]
        sentence = _("In round %(number)s no team “%(team)s” plays. Known: %(known)s.")
        raise make_unknown_name_fault(sentence, teams, number=round.number, team=team)
    return match


def _parse_scores(match: RoundMatch, team: str, texts: list[str]) -> dict[int, Report]:
    """The results of the games of a match, in this team's order. Raises `BadInput` with every fault."""
    games = [board for board in match.boards if board.pairing.kind == Pairing.Kind.GAME]
    if len(texts) != len(games):
        sentence = _("Games of the match: %(games)s, scores given: %(scores)s. Write - for a game to be left as it is.")
        raise BadInput([sentence % {"games": len(games), "scores": len(texts)}])
    faults = [text for text in texts if text != AS_IT_IS and not re.fullmatch("-?[0-9]{1,9}:-?[0-9]{1,9}", text)]
    if faults:
        sentence = _("“%(text)s” is not a result: write 412:380, or - for a game to be left as it is.")
        raise BadInput([sentence % {"text": text} for text in faults])
    reports = {}
    for board, text in zip(games, texts, strict=True):
        if text != AS_IT_IS:
            own, other = map(int, text.split(":"))
            # Typed from the side of the team that was named; a board is told by home and away, and says itself who
            # starts there.
            points = (own, other) if team == match.home else (other, own)
            first, second = board.order(*points)
            reports[board.pairing.pk] = Report(Outcome.PLAYED, PlayerReport(first), PlayerReport(second))
    return reports


def _format_lines(match: RoundMatch) -> Iterator[str]:
    score = " : ".join(map(format_half_wins, match.half_wins))
    yield f"{match.home} – {match.away or '–'}  {score}"
    for board in match.boards:
        result, names = board.pairing.result, name_both_players(board.pairing)
        result_text = format_short_report(Report.of(result), names) if result else "–"
        yield f"{board.pairing.table or '–':>4}  {' – '.join(filter(None, names))}: {result_text}"
