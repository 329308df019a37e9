"""How the games without a result stand by what their players have reported, for the console."""

from collections.abc import Collection, Iterable
from typing import Any

from django.utils.translation import gettext as _

from games.models import GameReport
from games.reports.game_reports import is_same_report, list_last_reports, list_report_issues
from tournament.models import Pairing, RoundState
from tournament.table.league import list_knockout_rounds, list_league_rounds

MOST_SHOWN = 8  # open games on the console, so that what follows is in sight; the grid has them all


def list_open_games(playing: Iterable[Pairing]) -> dict[str, Any]:
    """How these games without a result stand: those `listed`, as many as the console shows, those to look at first; how
    many `more` there are; and those `to_decide`, which wait for the director. Two queries."""
    listed = list(playing)
    reports: dict[int, list[GameReport]] = {}
    for report in list_last_reports([pairing.pk for pairing in listed]):
        reports.setdefault(report.pairing_id, []).append(report)
    games = [_describe_game(pairing, reports.get(pairing.pk, [])) for pairing in listed]
    games.sort(key=lambda game: game["state"] != "look")
    # The games to decide come first and are all shown, however many: what is cut is only what goes on by itself.
    shown_games = [game for place, game in enumerate(games) if place < MOST_SHOWN or game["state"] == "look"]
    to_decide = [game["pairing"] for game in shown_games if game["state"] == "look"]
    return {"listed": shown_games, "more": len(games) - len(shown_games), "to_decide": to_decide}


def count_division_work(divisions: Collection[Any]) -> dict[int, dict[str, Any]]:
    """What waits in each of several divisions, by their ids: games of rounds in progress without a result, and games
    whose reports are contradictory. The divisions come from a list made with `counts_work`. A
    single division gets nothing, since its own pages say it. No query for a division without reports and without a
    knock-out that is being played."""
    if len(divisions) < 2:
        return {}
    return {
        division.pk: {
            "open_games": _count_open_games(division),
            "contradictory": len(list_report_issues(division)) if division.has_reports else 0,
        }
        for division in divisions
    }


def _count_open_games(division: Any) -> int:
    """The open games of a division. In a knock-out, those that need not be played any more are left out."""
    if not division.open_games or not hasattr(division, "knockout"):
        return int(division.open_games)
    rounds = [*list_league_rounds(division), *list_knockout_rounds(division)]
    return sum(item.missing for item in rounds if item.round.state == RoundState.PUBLISHED)


def _describe_game(pairing: Pairing, reports: list[GameReport]) -> dict[str, Any]:
    """A game without a result. `state`: "look" if the director has to, "on" if one player has reported, else "";
    `label` says so in words. `at`: when the last report came, if any has."""
    if len(reports) > 1:
        agree = is_same_report(*reports[:2])
        message = _("both report the same") if agree else _("the reports differ")
        return {"pairing": pairing, "state": "look", "label": message, "at": reports[-1].at}
    if reports:
        return {"pairing": pairing, "state": "on", "label": _("one report"), "at": reports[0].at}
    return {"pairing": pairing, "state": "", "label": _("still playing"), "at": None}
