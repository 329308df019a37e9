"""What the answers are made of, read inside the tournament's public view, so that nothing else is told. The number of
queries grows with the divisions, never with players or rounds. What has no answer is said in English."""

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from django.db.models import F
from django.http import Http404
from django.urls import reverse

from scoring.awards import Outcome
from scoring.statistics import Feat
from scoring.teams import TeamRule
from tournament.chances.files import build_chances_json
from tournament.chances.queries import RUNS, load_chances, simulate_shares
from tournament.core.public_view import build_results_filter, build_rounds_filter
from tournament.core.records import list_divisions
from tournament.knockout.files import build_bracket_json
from tournament.models import Division, Organiser, Pairing, Round, Tournament
from tournament.results.knockout_state import get_stored_knockout, load_knockout_state
from tournament.rounds.team_matches import load_team_matches
from tournament.seasons.words import convert_fraction
from tournament.table.files import build_table_rows
from tournament.table.league import (
    RoundProgress,
    count_planned_rounds,
    list_knockout_rounds,
    list_league_rounds,
    load_table,
)
from tournament.table.public_table import find_current_round_number
from tournament.table.statistics import Statistics, load_statistics
from tournament.teams.files import build_matches_json, build_teams_json
from tournament.teams.team_table import load_team_table

JSONObject = dict[str, Any]


def choose_division(tournament: Tournament, name: str | None) -> Division:
    """The division of that name, by default the first. Raises Http404 naming those that there are. One query."""
    return choose_divisions(tournament, name)[0]


def choose_divisions(tournament: Tournament, name: str | None) -> list[Division]:
    """The division of that name, by default all. Raises Http404 naming those that there are. One query."""
    divisions = list_divisions(tournament)
    divisions_named = [division for division in divisions if name in (None, division.name)]
    if not divisions_named:
        names = ", ".join(division.name for division in divisions)
        raise Http404(f"There is no division “{name or ''}”. Known: {names}.")
    # Each row would fetch its tournament by itself as soon as its rules are asked for: a query for each division.
    for division in divisions_named:
        division.tournament = tournament
    return divisions_named


def choose_paired_division(tournament: Tournament, name: str | None) -> Division:
    """As `choose_division`; Http404 as well where nobody is paired, so that there is no table of wins."""
    if not tournament.rules.is_paired:
        raise Http404("Nobody is paired in this event: it is a duplicate session.")
    return choose_division(tournament, name)


def list_missing_answers(tournament: Tournament) -> frozenset[str]:
    """The operations that are a 404 for this event's first division, by name. Two queries."""
    if not tournament.rules.is_paired:
        return frozenset(("table", "bracket", "statistics", "chances", "teams", "team_matches"))
    # Links to these would end in a 404: a program that follows what it is offered is not to be led there.
    missing = {"teams"} if tournament.team_rule == TeamRule.NONE else set()
    if get_stored_knockout(choose_division(tournament, None)) is None:
        missing.add("bracket")
    return frozenset(missing)


def build_organiser(organiser: Organiser) -> JSONObject:
    return {"slug": organiser.slug, "name": organiser.name}


def build_event(tournament: Tournament, state: str) -> JSONObject:
    """A public tournament with its `entered` players."""
    return {
        "slug": tournament.slug,
        "name": tournament.name,
        "place": tournament.place or None,
        "starts_on": tournament.starts_on,
        "ends_on": tournament.ends_on,
        "organiser": build_organiser(tournament.organiser),
        "ruleset": tournament.ruleset,
        "state": state,
        "players": tournament.entered,  # type: ignore[attr-defined]  # annotated by `group_public_tournaments`
        "page": reverse("public:tournament", args=[tournament.slug]),
    }


def build_event_details(tournament: Tournament) -> JSONObject:
    """What the event adds to `build_event`. Two queries, and one for each division."""
    divisions = choose_divisions(tournament, None)
    # Divisions without entries are told, too, with 0.
    counted = dict.fromkeys((division.pk for division in divisions), 0)
    for division in tournament.entries.values_list("division_id", flat=True):
        counted[division] += 1
    ranking = tournament.ranking
    return {
        "minutes": tournament.minutes,
        "ranked_by": ranking.basis,
        "criteria": list(ranking.criteria),
        "starts": tournament.starts,
        "divisions": [_build_division(division, counted[division.pk]) for division in divisions],
    }


def _build_division(division: Division, players: int) -> JSONObject:
    progress = list_league_rounds(division)
    return {
        "name": division.name,
        "players": players,
        "planned_rounds": count_planned_rounds(division),
        "round": progress[-1].round.number if progress else 0,
        "table_after": find_current_round_number(progress),
        "has_knockout": hasattr(division, "knockout"),
    }


def build_entry_list(tournament: Tournament, divisions: Iterable[Division]) -> list[JSONObject]:
    """The entries of divisions in the order in which they were made. One query."""
    names = {division.pk: division.name for division in divisions}
    entries = tournament.entries.filter(division__in=names).with_names().in_order()
    return [
        {
            "id": entry.key,
            "name": entry.name,
            "club": entry.club.name if entry.club else None,
            "rating": entry.rating,
            "games": entry.games,
            "division": names[entry.division_id],
            "first_round": entry.first_round,
            "withdrawn_after": entry.withdrawn_after,
            "guest": entry.guest,
        }
        for entry in entries
    ]


def build_round_list(divisions: Iterable[Division]) -> list[JSONObject]:
    """The rounds whose pairings are shown, the league's before the knock-out's. Two queries for each division, eight
    where the knock-out has games that nobody plays any more."""
    return [
        _build_round(division, progress)
        for division in divisions
        for progress in (*list_league_rounds(division), *list_knockout_rounds(division))
    ]


def _build_round(division: Division, progress: RoundProgress) -> JSONObject:
    round, sight = progress.round, progress.sight
    return {
        "division": division.name,
        "number": round.number,
        "stage": round.stage,
        "game": round.game,
        "method": round.method,
        "games": progress.games,
        "results": progress.done,
        "results_shown": sight.results,
        "table_shown": sight.table,
    }


def build_result_list(
    divisions: Iterable[Division], number: int | None, start: int, end: int
) -> tuple[int, list[JSONObject]]:
    """How many pairings are shown of divisions, or of their round of that number, and these of them: by divisions,
    rounds and tables. Six queries, and seven for each knock-out."""
    divisions_by_pk = {division.pk: division for division in divisions}
    states = (load_knockout_state(division) for division in divisions_by_pk.values() if hasattr(division, "knockout"))
    # Games of a match that is decided without them: to a program they would be open for ever.
    idle = [pairing for state in states if state for pairing in state.not_played]
    pairings = Pairing.objects.filter(build_rounds_filter("round"), round__division__in=divisions_by_pk).exclude(
        pk__in=idle
    )
    pairings = pairings.exclude(round__state=Round.State.DRAFT)
    if number is not None:
        pairings = pairings.filter(round__number=number)
    # Byes have no table. Left to itself SQLite has NULL first and PostgreSQL last: whoever pages through the list would
    # find other items on page two, depending on who serves it.
    by_table = F("table").asc(nulls_last=True)
    listed = pairings.order_by("round__division__position", "round__division", "round__number", by_table, "pk")
    # Cut before the players are fetched: a program may ask for ten of a thousand.
    part = listed.select_related("round").with_players().with_results(build_results_filter())[start:end]
    # The prefetched seats come by a query of their own. A round drawn anew between the two leaves a pairing without
    # seats, and to ask who is first there would be a server's error.
    seated = [pairing for pairing in part if pairing.seats.all()]
    return pairings.count(), [
        _build_result(pairing, divisions_by_pk[pairing.round.division_id].name) for pairing in seated
    ]


def _build_result(pairing: Pairing, division: str) -> JSONObject:
    first, second, result = pairing.first, pairing.second, pairing.result
    usual = Outcome.OPEN if pairing.kind == Pairing.Kind.GAME else Outcome(pairing.kind)
    return {
        "division": division,
        "round": pairing.round.number,
        "stage": pairing.round.stage,
        "game": pairing.round.game,
        "table": pairing.table,
        "first": first.key,
        "first_name": first.name,
        "second": second.key if second else None,
        "second_name": second.name if second else None,
        "outcome": result.outcome if result else usual,
        "reason": (result.reason or None) if result else None,
        "second_reason": (result.second_reason or None) if result else None,
        "first_points": result.first_points if result else None,
        "second_points": result.second_points if result else None,
    }


def build_table(division: Division, after: int | None) -> tuple[JSONObject, list[JSONObject]]:
    """The table after a round, by default the last one whose table is shown, and its rows. Raises Http404 for a round
    whose table is not shown. Seven queries."""
    progress = list_league_rounds(division)
    current = find_current_round_number(progress)
    # The current table may be that of round 0, before the first: it is there, and no round has that number.
    if after not in (None, current) and after not in [
        round_progress.round.number for round_progress in progress if round_progress.sight.table
    ]:
        raise Http404(f"There is no table after round {after}.")
    table = load_table(division, after=current if after is None else after)
    missing = sum(round_progress.missing for round_progress in progress if round_progress.round.number <= table.after)
    rows = [
        {**row, "club": line.entry.club.name if line.entry.club else None, "withdrawn": line.standing.withdrawn}
        for row, line in zip(build_table_rows(table), table.rows, strict=True)
    ]
    return {"division": division.name, "after": table.after, "missing": missing}, rows


def build_bracket(division: Division) -> JSONObject:
    """The knock-out. Raises Http404 where none is announced. Eight queries."""
    state = load_knockout_state(division)
    if state is None:
        raise Http404(f"Division {division.name} has no knock-out.")
    names: dict[str | None, str | None] = {entry.key: entry.name for entry in state.entries.values()}
    names[None] = None
    bracket = build_bracket_json(state)
    # The file of the bracket may grow by new keys, version 1 may not: its schemas forbid keys that they do not know, so
    # that one left in here makes the answer an error instead of a promise that nobody has given.
    del bracket["system"]
    for match in (match for stage in bracket["stages"] for match in stage):
        for key in ("part", "part_round", "needless"):
            del match[key]
        match["names"] = [names[player] for player in match["players"]]
        # The file leaves out what a match does not have; here each has all keys, and null says that there is nothing.
        match.setdefault("criterion", None)
        match.setdefault("waits_for", None)
    return {"division": division.name, **bracket, "champion_name": names[bracket["champion"]]}


def build_statistics(division: Division) -> JSONObject:
    """Records and upsets. Four queries."""
    statistics = load_statistics(division)
    return {
        "division": division.name,
        "games": statistics.games,
        "games_with_plays": statistics.with_moves,
        "games_with_bingos": statistics.with_bingos,
        "records": [
            {
                "kind": record.kind,
                "value": convert_fraction(Fraction(record.value)),
                "holders": [_build_feat(statistics, feat) for feat in record.feats],
            }
            for record in statistics.records
        ],
        "upsets": [{**_build_feat(statistics, feat), "difference": int(feat.value)} for feat in statistics.upsets],
    }


def _build_feat(statistics: Statistics, feat: Feat) -> JSONObject:
    game, entry = feat.game, statistics.entries[feat.player]
    columns: JSONObject = {"player": entry.key, "name": entry.name, "games": feat.games}
    if game is None:
        return {**columns, **dict.fromkeys(("opponent", "opponent_name", "round", "points", "opponent_points"))}
    own, other = game.halves if game.first.player == feat.player else reversed(game.halves)
    opponent = statistics.entries[other.player]
    return {
        **columns,
        "opponent": opponent.key,
        "opponent_name": opponent.name,
        "round": statistics.rounds[game.key].number,
        "points": own.points,
        "opponent_points": other.points,
    }


def build_chances(division: Division) -> tuple[JSONObject, list[JSONObject]]:
    """What can still happen, and to whom. Eight queries."""
    chances = load_chances(division)
    shares = simulate_shares(chances)
    names = {entry.key: entry.name for entry in chances.entries.values()}
    chances_object = build_chances_json(chances, shares, {"runs": RUNS if shares else 0})
    rows = [{**row, "name": names[row["player"]]} for row in chances_object.pop("players")]
    return {"division": division.name, **chances_object}, rows


def build_teams(division: Division) -> tuple[JSONObject, list[JSONObject]]:
    """The table of teams and its rows. Raises Http404 where none is announced. Seven queries at most."""
    table = load_team_table(division)
    if table is None and division.tournament.team_rule != TeamRule.MATCHES:
        raise Http404(f"Division {division.name} has no table of teams.")
    teams_object = build_teams_json(table) if table else build_matches_json(load_team_matches(division))
    about = {"division": division.name, "rule": teams_object["rule"], "best": division.tournament.team_best}
    # Each rule has figures of its own. All keys stand in every answer, null where the rule has none.
    unknown = dict.fromkeys(("place_points", "wins", "played", "match_points", "board_points"))
    rows = [_leave_out({**unknown, "players": [], **row}, "withdrawn") for row in teams_object["teams"]]
    return {**about, "after": teams_object["after"]}, rows


def build_team_matches(division: Division) -> tuple[JSONObject, list[JSONObject]]:
    """The matches of teams, none where they meet in no matches. Four queries."""
    has_matches = division.tournament.team_rule == TeamRule.MATCHES
    matches = build_matches_json(load_team_matches(division))["matches"] if has_matches else []
    return {"division": division.name}, [_leave_out(match, "struck") for match in matches]


def _leave_out(row: JSONObject, later_key: str) -> JSONObject:
    """The row without a key that the files have got since; version 1 of this interface is never changed."""
    return {key: value for key, value in row.items() if key != later_key}
