"""Public games and the play of the round as a part of an event's public state: as JSON values, and back into rows. Of a
game with an unsolved play of the round nothing is told from that turn on."""

from collections import defaultdict
from typing import Any

from games.models import Line, RoundPlay, Scoresheet
from games.replay.replays import filter_public_sheets, keep_old_lines
from games.sheets.lines import ENDING_FIELDS, WrittenLine
from tournament.core.change import Change
from tournament.core.public_view import PublicView, open_public_view
from tournament.models import Pairing, Tournament
from tournament.models.play import SIDES, prefetch_official_results

ENDING_COLUMNS = (*(f"{side}_{name}" for name in ENDING_FIELDS for side in SIDES), "is_finished")
SHEET_COLUMNS = ("keeper", "shows_best", *ENDING_COLUMNS)


def load_public_games(tournament: Tournament, view: PublicView) -> list[dict[str, Any]]:
    """The public games that are seen, by round and table: the place of each, its lines and end, and the turn that
    is the play of the round. Ten queries at most."""
    with open_public_view(tournament, view.at):
        sheets = filter_public_sheets().filter(pairing__round__division__tournament=tournament)
        sheets = sheets.prefetch_related(prefetch_official_results("pairing__results"))
        listed = list(sheets.order_by("pairing__round__division", "pairing__round__number", "pairing__table", "pk"))
    lines: dict[int, list[Line]] = defaultdict(list)
    for line in Line.objects.filter(scoresheet__in=listed).order_by("number"):
        lines[line.scoresheet_id].append(line)
    for sheet in listed:
        # Of a game in progress only what streams show by now; one that has its result is told whole.
        if sheet.pairing.result is None:
            sheet.pairing.round.division.tournament = tournament
            lines[sheet.pk] = keep_old_lines(sheet, lines[sheet.pk])
    chosen = {round_play.scoresheet_id: round_play for round_play in RoundPlay.objects.filter(scoresheet__in=listed)}
    return [_make_game_json(sheet, lines[sheet.pk], chosen.get(sheet.pk)) for sheet in listed]


def _make_game_json(sheet: Scoresheet, lines: list[Line], chosen: RoundPlay | None) -> dict[str, Any]:
    round = sheet.pairing.round
    value: dict[str, Any] = {"division": round.division.name, "round": round.number, "table": sheet.pairing.table}
    value["sheet"] = {name: getattr(sheet, name) for name in SHEET_COLUMNS}
    value["lines"] = [WrittenLine.of(line).fields() for line in lines]
    # Its turn may lie behind the lines that the sheet still has: one of them was deleted after it was chosen.
    if chosen is not None and chosen.turn <= len(lines):
        value |= {"turn": chosen.turn, "is_solved": chosen.is_solved}
        if not chosen.is_solved:
            # The turn goes out as a pass, its rack in order: neither the play nor how it lay on the rack tells the
            # answer.
            unknown = dict.fromkeys(ENDING_COLUMNS) | {"is_finished": False}
            value["sheet"] |= unknown
            value["lines"] = [
                *value["lines"][: chosen.turn - 1],
                *[
                    WrittenLine(side=line.side, kind=Line.Kind.PASS, rack="".join(sorted(line.rack))).fields()
                    for line in lines[chosen.turn - 1 : chosen.turn]
                ],
            ]
    return value


def store_public_games(log: Change, games: list[dict[str, Any]]) -> None:
    """Make the public games of an event those of its public state, within an open change. Raises KeyError, TypeError or
    ValueError for what is no such state."""
    event = log.tournament
    _remove_round_plays(log, games)
    sheets = {
        (sheet.pairing_id, sheet.keeper): sheet
        for sheet in Scoresheet.objects.filter(pairing__round__division__tournament=event)
    }
    pairings = Pairing.objects.filter(round__division__tournament=event, kind=Pairing.Kind.GAME)
    rows = pairings.select_related("round__division")
    places = {(row.round.division.name, row.round.number, row.table): row for row in rows}
    games_by_place = {(places[_get_place(game)].pk, game["sheet"]["keeper"]): game for game in games}
    for key, sheet in sheets.items():
        if key not in games_by_place:
            log.delete_all(list(sheet.lines.all()))
            log.delete(sheet)
    for (pairing, keeper), game in games_by_place.items():
        _store_game(log, sheets.get((pairing, keeper)), pairing, game, places[_get_place(game)])


def _get_place(game: dict[str, Any]) -> tuple[str, int, int]:
    return game["division"], game["round"], game["table"]


def _remove_round_plays(log: Change, games: list[dict[str, Any]]) -> None:
    """Take away the plays of the round that are none any more, since they hold on to their sheets."""
    turns_kept = {(*_get_place(game), game["sheet"]["keeper"], game["turn"]) for game in games if "turn" in game}
    round_plays = RoundPlay.objects.filter(division__tournament=log.tournament)
    for round_play in round_plays.select_related("division", "scoresheet__pairing__round"):
        sheet = round_play.scoresheet
        place = (round_play.division.name, sheet.pairing.round.number, sheet.pairing.table)
        if (*place, sheet.keeper, round_play.turn) not in turns_kept:
            log.delete(round_play)


def _store_game(log: Change, sheet: Scoresheet | None, pairing: int, game: dict[str, Any], place: Pairing) -> None:
    columns = {name: game["sheet"][name] for name in SHEET_COLUMNS}
    if sheet is None:
        sheet = log.create(Scoresheet(pairing_id=pairing, is_public=True, **columns))
    elif any(getattr(sheet, name) != value for name, value in columns.items()):
        log.save(sheet, **columns)
    stored = list(Line.objects.filter(scoresheet=sheet).order_by("number"))
    lines = [{name: line[name] for name in WrittenLine.__slots__} for line in game["lines"]]
    # Written only where they differ: the whole state is sent each time, and of most games nothing has changed.
    if [WrittenLine.of(line).fields() for line in stored] != lines:
        log.delete_all(stored)
        log.create_all(Line(scoresheet=sheet, number=number, **line) for number, line in enumerate(lines, 1))
    if "turn" in game:
        round_play = RoundPlay.objects.filter(division=place.round.division_id).first()
        if round_play is None:
            log.create(
                RoundPlay(
                    division=place.round.division,
                    scoresheet=sheet,
                    turn=game["turn"],
                    is_solved=bool(game["is_solved"]),
                )
            )
        elif round_play.is_solved != game["is_solved"]:
            log.save(round_play, is_solved=bool(game["is_solved"]))
