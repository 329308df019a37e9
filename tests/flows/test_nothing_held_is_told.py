"""What the public does not see yet is told nowhere: each public answer is the same to the byte whatever it is.

Of random events at random moments, everything that is held back is replaced by something else, or taken away, and each
public address is asked again: pages, files, screens, phones; so is the public state, which leaves the hall.
`TSO_EXAMPLES=50` asks of fifty times as many events, `TSO_SEED` names the one to begin with.
"""

import json
import os
import random
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import time_machine
from django.core.cache import cache, caches
from django.db import transaction
from django.db.models import QuerySet
from django.test import Client
from django.urls import resolve
from django.utils import timezone

from games import urls as games_urls
from games.gcg import operations as annotated
from games.models import Line, RoundPlay, Scoresheet, SecondEntry
from games.reports import players_snapshot as everybody
from games.round_play import positions
from scoring.final_ranking import FinalPlace, PlacedBy
from scoring.season import SeasonRule
from tests.config.test_public_addresses import names
from tests.flows.random_event import RandomEvent
from tests.games.gcg import games
from tests.games.judge.conftest import load
from tests.games.replay.conftest import sheet_with
from tests.laws import seeds
from tournament import urls as tournament_urls
from tournament.access import codes as access_codes
from tournament.basics.refusals import Refusal
from tournament.basics.showing import SHOWING_STEPS
from tournament.core import public_view
from tournament.ending.certificate_codes import get_certificate_key, make_certificate_code
from tournament.hall import operations as hall_stream
from tournament.models import (
    Division,
    Entry,
    Lot,
    MatchLot,
    NotRecorded,
    Organiser,
    Pairing,
    Result,
    Round,
    Screen,
    Season,
    SeasonEvent,
    Seat,
    Seed,
    StreamedTable,
    Tournament,
)
from tournament.public_state import PublicState, load_public_state, make_public_state_json

STEPS_OF_AN_EVENT = 60
WAYS = ("published", "published", "published+20", "closed", "closed+20", "hand")
GAMES, TURNS = 4, 5
NOW = "2026-10-03 14:00 +0200"

OF_THIS_ANSWER = re.compile(rb'data-seen="[^"]*"|name="key" value="[^"]*"')
"""What a player's page is known by, and the key of the next report: no two answers have the same."""

WORDS = "AN AB DA DU ER ES IN JA NU OB SO UM WO ZU\n"
"""A list small enough to find the best plays of many turns by."""

NOT_ASKED = {
    "public:home_news public:organiser_news public:club_colour public:club_picture": "no event's",
    "public:season_news public:news public:programs public:openapi": "no event's",
    "public:club_calendar public:club_manifest public:club_icon": "no event's",
    "public:rating_list public:rating_list_of_day": "no event's: copies that an officer has published",
    "public:rating_list_file public:last_rating_list_file": "no event's: copies that an officer has published",
    "public:robots public:sitemap public:theme public:help public:help_chapter": "no event's",
    "public:calendar public:manifest": "nothing of a round",
    "public:language public:clock public:screens public:screen_news": "nothing of a round",
    "public:register public:register_sent public:registration public:registration_confirm": "registrations",
    "public:registration_withdraw public:registration_forget": "registrations",
    "public:push public:push_worker": "nothing; what is sent: tests/tournament/push/test_operations.py",
    "public:portrait": "its own test (tests/tournament/hall/test_views_ceremony.py)",
    "games:duplicate_public games:duplicate_hall": "their own (tests/games/duplicate/test_nothing_open_is_told.py)",
}

Answers = dict[str, tuple[int, bytes]]


def addresses(division: Division, player: Entry) -> list[str]:
    """Every public address of an event: its pages, its files, its screens, and the page of one player."""
    numbers = list(division.rounds.order_by("number").values_list("number", flat=True))
    keys = list(division.entries.order_by("pk").values_list("key", flat=True))
    screens = list(division.tournament.screens.order_by("number").values_list("number", flat=True))
    event = [
        *("", "entries/", "rounds/", "table/", "crosstable/", "crosstable/?by=opponent", "bracket/", "statistics/"),
        *("announcement/", "playing/", "?" + "&".join(f"follow={key}" for key in keys)),
        *("chances/", "chances/shares/"),
        *("ratings/", "ratings.csv", "ratings.json", "ratings.pdf"),
        *("teams/", "teams.csv", "teams.json", "teams.pdf"),
        *("share/", "embed/table/", "embed/bracket/", "embed/pairings/", "card.png", "feed.atom", "tourney.js"),
        *("table.csv", "table.json", "table.pdf", "bracket.svg", "bracket.pdf", "final.json", "final.pdf"),
        *(f"rounds/{number}/" for number in numbers),
        *(f"rounds/{number}/?by=name" for number in numbers),
        *(f"table/{number}/" for number in numbers),
        *(f"table.json?after={number}" for number in numbers),
        *(f"players/{key}/" for key in keys),
        *(f"screen/{number}/" for number in screens),
        *("play-of-the-round/", "stream/board/", *(f"stream/{table}/" for table in streamed(division))),
        *("stream/table/", "stream/pairings/"),
        *(f"game/{sheet}/{rest}" for sheet in on_sheets(division) for rest in ("", "game.gcg", *turns())),
    ]
    address = f"/t/{division.tournament.slug}/"
    first = FinalPlace(player.pk, 1, PlacedBy.TABLE)
    code = make_certificate_code(get_certificate_key(division.tournament), player, first)
    event += ["certificate/", f"certificate/?code={code}"]
    asked = [f"{address}rounds/{numbers[-1]}/?why={keys[0]}&not={keys[1]}"] if numbers else []
    seasons = [f"/seasons/{rule}{kind}" for rule in SeasonRule for kind in ("/", ".json")]
    seasons += [f"/seasons/{SeasonRule.QUALIFYING}{kind}" for kind in (".csv", ".pdf")]
    told = [
        *("", "/entries", "/rounds", "/results", "/table", "/bracket", "/statistics", "/chances"),
        *("/teams", "/team-matches"),
        *(f"/results?round={number}" for number in numbers),
        *(f"/table?after={number}" for number in numbers),
    ]
    return [
        "/",
        *("/api/v1/events", "/api/v1/seasons", *(f"/api/v1/seasons/{rule}" for rule in SeasonRule)),
        f"/api/v1/seasons/{SeasonRule.QUALIFYING}/qualified",
        *(f"/api/v1/events/{division.tournament.slug}{each}" for each in told),
        f"/organisers/{division.tournament.organiser.slug}/",
        *(address + each for each in event),
        *asked,
        f"/organisers/{division.tournament.organiser.slug}/feed.atom",
        f"/organisers/{division.tournament.organiser.slug}/players/",
        *(
            f"/organisers/{division.tournament.organiser.slug}/players/{pk}/"
            for pk in division.entries.order_by("pk").values_list("player", flat=True)
        ),
        *seasons,
        f"/me/{access_codes.make_personal_link(player)}/",
    ]


def streamed(division: Division) -> list[int]:
    return list(StreamedTable.objects.filter(division=division).order_by("table").values_list("table", flat=True))


def on_sheets(division: Division) -> list[int]:
    """The pairings whose games were put up."""
    found = Scoresheet.objects.filter(pairing__round__division=division, keeper=Scoresheet.Keeper.OTHER)
    return list(found.order_by("pairing").values_list("pairing", flat=True))


def turns() -> list[str]:
    return [f"?turn={turn}" for turn in range(TURNS + 3)]


def answers(division: Division, player: Entry) -> Answers:
    cache.clear()
    caches["attempts"].clear()
    everybody.clear_snapshots()
    found = {}
    for address in addresses(division, player):
        with without_emptied_games(division) if address.endswith("tourney.js") else nullcontext():
            answer = Client().get(address)
        found[address] = answer.status_code, OF_THIS_ANSWER.sub(b"", answer.content)
    found["public state"] = 200, json.dumps(make_public_state_json(load_state(division)), indent=1).encode()
    return found


@contextmanager
def without_emptied_games(division: Division) -> Iterator[None]:
    """The event without the games whose seats were taken away: what reads all of it expects players in each."""
    with tried():
        emptied = Pairing.objects.filter(round__division=division, seats=None)
        RoundPlay.objects.filter(scoresheet__pairing__in=emptied).delete()
        emptied.delete()
        yield


def load_state(division: Division) -> PublicState:
    """The public state."""
    with without_emptied_games(division):
        state = load_public_state(Tournament.objects.get(pk=division.tournament.pk))
    assert state is not None
    return state


@contextmanager
def tried() -> Iterator[None]:
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def hide_some(rng: random.Random, division: Division) -> None:
    """Let each public round have its own moments, some of them past."""
    for round in Round.objects.filter(division=division).public():
        for step in SHOWING_STEPS:
            setattr(round, step.column, rng.choice(WAYS))
        round.published_at = timezone.now() - timedelta(minutes=rng.randint(0, 40))
        if round.closed_at is not None:
            round.closed_at = timezone.now() - timedelta(minutes=rng.randint(0, 40))
        round.save()


def type_some_twice(rng: random.Random, division: Division) -> None:
    """Let results be typed twice: of those in rounds being played some have been typed once, some twice."""
    Tournament.objects.filter(pk=division.tournament.pk).update(results_twice=True)
    division.tournament.refresh_from_db()
    for round in Round.objects.filter(division=division, state=Round.State.CLOSED).order_by("-number")[:1]:
        Round.objects.filter(pk=round.pk).update(state=Round.State.PUBLISHED, closed_at=None)
    playing = Result.objects.filter(official=True, pairing__round__division=division, outcome="played")
    for result in playing.filter(pairing__round__state=Round.State.PUBLISHED):
        Result.objects.filter(pk=result.pk).update(how=Result.How.TYPED)
        if (points := rng.choice((None, result.first_points, 123))) is not None:
            figures = {"first_points": points, "second_points": result.second_points}
            SecondEntry.objects.create(pairing=result.pairing, at=timezone.now(), **figures)


def put_screens_up(division: Division) -> None:
    """A screen for each thing that can be shown, but the ceremony: its slides are shown by hand."""
    shown = [each for each in Screen.Shows if each not in (Screen.Shows.CEREMONY, Screen.Shows.IN_TURN)]
    for number, shows in enumerate(shown, 1):
        Screen.objects.create(tournament=division.tournament, number=number, shows=shows)


def count_in_seasons(division: Division) -> None:
    """A public season of each kind in which the event counts as it stands; profiles of the players are public."""
    Organiser.objects.filter(pk=division.tournament.organiser_id).update(profiles_public=True)
    for rule in SeasonRule:
        shown = {"rule": rule, "is_public": True, "with_running": True}
        season = Season.objects.create(organiser=division.tournament.organiser, slug=rule, name=rule, **shown)
        SeasonEvent.objects.create(season=season, division=division)


def put_games_up(rng: random.Random, event: RandomEvent) -> None:
    """Whole games on some sheets, one of a game that is played and all others public; two tables for cameras."""
    load(WORDS.replace(" ", "\n"), title=f"Liste {event.seed}")
    found = Pairing.objects.filter(round__division=event.division, kind=Pairing.Kind.GAME)
    found = found.exclude(round__state=Round.State.DRAFT).select_related("round__division__tournament").with_players()
    played = list(found.filter(results__official=True))
    open_games = list(found.exclude(results__official=True))
    for number, pairing in enumerate(rng.sample(played, min(GAMES, len(played))) + open_games[:1]):
        sheet = sheet_with(pairing, games.format_game(games.dealt(rng.randint(1, 99), turns=TURNS)))
        if number:
            annotated.publish_game(sheet, actor=event.actor, best=rng.random() < 0.5)
    for table in (1, 2):
        hall_stream.stream_table(event.division, table=table, actor=event.actor)


def choose_position(rng: random.Random, event: RandomEvent) -> None:
    """Let everybody think about a turn, if there is one; about one that is seen, if there is one."""
    with public_view.open_public_view(event.tournament):
        seen = list(positions.filter_finished_public_sheets(event.division))
    possible = [
        (sheet, turn)
        for sheet in seen or positions.filter_finished_public_sheets(event.division)
        for turn in range(1, TURNS + 1)
        if positions.can_show_position(sheet, turn)
    ]
    if possible:
        sheet, turn = rng.choice(possible)
        positions.choose_round_play(event.division, scoresheet=sheet, turn=turn, actor=event.actor)


def replace_sheets(division: Division) -> int:
    """Make something else of what is written of games and not told; how many positions have another answer.

    Of a game that is not public nothing is, but the board of a streamed table; of a public one everything, up to the
    turn that is thought about.
    """
    view, changed = public_view.get_public_view(division.tournament), 0
    chosen = RoundPlay.objects.filter(division=division).first()
    for sheet in Scoresheet.objects.filter(pairing__round__division=division).select_related("pairing__round"):
        round = sheet.pairing.round
        lines = Line.objects.filter(scoresheet=sheet)
        if sheet.is_public and round.state != Round.State.DRAFT and view.sight(round.pk).results:
            if chosen and chosen.scoresheet_id == sheet.pk and not chosen.is_solved:
                changed += 1
                replace_answer(lines, chosen.turn)
        elif sheet.pairing.table in streamed(division):
            lines.update(rack="", tiles="")
        else:
            lines.delete()
    return changed


def replace_answer(lines: QuerySet[Line], turn: int) -> None:
    """Let another word be laid there, and nothing more happen."""
    lines.filter(number__gt=turn).delete()
    line = lines.get(number=turn)
    laid = [letter for letter in line.word if letter != "."]
    line.word = "".join(letter if letter == "." else laid.pop() for letter in line.word)
    line.points, line.note = (line.points or 0) + 7, "?"
    line.save()
    Scoresheet.objects.filter(pk=line.scoresheet_id).update(first_left=None, second_left=None, is_finished=False)


def replace_what_is_held(rng: random.Random, division: Division, player: Entry) -> int:
    """Make everything else of what the public does not see yet; how many results have become others.

    The player's own games stay: they know what came of them. What has been typed once nobody knows.
    """
    view = public_view.get_public_view(division.tournament)
    own = set(Seat.objects.filter(entry=player).values_list("pairing_id", flat=True))
    changed = 0
    for round in Round.objects.filter(division=division).public():
        sight = view.sight(round.pk)
        if not sight.reasons:
            Pairing.objects.filter(round=round).update(why=[])
            Round.objects.filter(pk=round.pk).update(notes=[])
        if not sight.table:
            Lot.objects.filter(division=division, after__gte=round.number).delete()
        if not sight.results and round.stage is not None:
            MatchLot.objects.filter(knockout__division=division, stage=round.stage).delete()
            NotRecorded.objects.filter(knockout__division=division, stage=round.stage).delete()
        if not sight.results:
            changed += replace_results(rng, round, own)
        if round.is_knockout and not sight.pairings:
            forget(round, own)
    for pairing in sorted(view.unconfirmed or ()):
        changed += 1
        if pairing in on_sheets(division):  # a game that is public is shown while nothing has been typed of it
            Result.objects.filter(pairing=pairing, official=True).update(first_points=7, second_points=8)
        else:
            SecondEntry.objects.filter(pairing=pairing).delete()
            Result.objects.filter(pairing=pairing).delete()
    if not all(view.sight(each.pk).table for each in Round.objects.league().public().filter(division=division)):
        Seed.objects.filter(knockout__division=division).delete()
    return changed


def replace_results(rng: random.Random, round: Round, own: set[int]) -> int:
    """Give the games of a round other results, or none where nobody waits for the last one."""
    games = Result.objects.filter(pairing__round=round, pairing__kind=Pairing.Kind.GAME, official=True)
    waits = any(getattr(round, step.column).startswith("closed") for step in SHOWING_STEPS)
    changed = 0
    for result in games.exclude(pairing__in=own):
        changed += 1
        if rng.random() < 0.5 and not (round.is_knockout and waits):
            Result.objects.filter(pairing=result.pairing_id).delete()
        else:
            points = {"first_points": rng.randint(200, 300), "second_points": rng.randint(500, 600)}
            Result.objects.filter(pk=result.pk).update(outcome="played", reason="", second_reason="", **points)
    return changed


def forget(round: Round, own: set[int]) -> None:
    """Take away games of the knock-out that nobody sees."""
    gone = Pairing.objects.filter(round=round).exclude(pk__in=own)
    Result.objects.filter(pairing__in=gone).delete()
    Seat.objects.filter(pairing__in=gone).delete()


def require_nothing_told(seed: int, hide: Callable[[random.Random, Division], None]) -> tuple[int, int]:
    """One event: `hide` some of it, ask, replace what is held back, ask again; how many results and answers have become
    others. Where no result is held back, nobody is asked: all would be told the same."""
    event = RandomEvent(seed)
    for _step in range(STEPS_OF_AN_EVENT):
        event.step()
    division, rng = event.division, random.Random(seed)
    player = event.entry()
    with suppress(Refusal):  # the event may be over
        put_games_up(rng, event)
    Tournament.objects.filter(pk=division.tournament.pk).update(ratings_public=True, team_rule="places", team_best=1)
    put_screens_up(division)
    count_in_seasons(division)
    with time_machine.travel(NOW, tick=False):
        hide(rng, division)
        with suppress(Refusal):
            choose_position(rng, event)
        with tried():
            if not replace_what_is_held(random.Random(seed), division, player):
                return 0, 0
        before = answers(division, player)
        with tried():
            changed = replace_what_is_held(random.Random(seed), division, player), replace_sheets(division)
            after = answers(division, player)
    told = [address for address, answer in before.items() if after.get(address) != answer]
    assert told == []
    return changed


MORE = 9
"""So many events more are tried at most until one holds back a result, and one the answer of a play of the round: about
every second one does, and which ones depends on the keys that the database gives."""


@pytest.mark.long
@pytest.mark.django_db
def test_nothing_that_is_held_back_is_told(settings: Any, tmp_path: Path) -> None:
    settings.DATA_DIR = tmp_path
    begin = int(os.environ.get("TSO_SEED", "1"))
    results = answers = 0
    for turn in range(seeds(1).stop + MORE):
        if turn >= seeds(1).stop and results and answers:
            break
        print(f"TSO_SEED={begin + turn}")  # noqa: T201  # shown where the test fails
        with tried():
            changed = require_nothing_told(begin + turn, hide_some)
        results, answers = results + changed[0], answers + changed[1]

    assert results
    assert answers


@pytest.mark.long
@pytest.mark.django_db
def test_nothing_that_is_typed_once_is_told(settings: Any, tmp_path: Path) -> None:
    settings.DATA_DIR = tmp_path
    begin, results = int(os.environ.get("TSO_SEED", "1")), 0
    for turn in range(seeds(1).stop + MORE):
        if turn >= seeds(1).stop and results:
            break
        print(f"TSO_SEED={begin + turn}")  # noqa: T201  # shown where the test fails
        with tried():
            results += require_nothing_told(begin + turn, type_some_twice)[0]

    assert results


@pytest.mark.long
@pytest.mark.django_db
def test_every_public_address_of_an_event_is_asked(settings: Any, tmp_path: Path) -> None:
    settings.DATA_DIR = tmp_path
    event = RandomEvent(2)
    for _step in range(STEPS_OF_AN_EVENT):
        event.step()
    put_games_up(random.Random(2), event)
    put_screens_up(event.division)
    count_in_seasons(event.division)

    asked = {resolve(each.partition("?")[0]).view_name for each in addresses(event.division, event.entry())}

    every = {f"public:{name}" for name in names(tournament_urls.public_urls)}
    every |= {f"games:{name}" for name in names(games_urls.urlpatterns)}
    assert every - asked == {name for each in NOT_ASKED for name in each.split()}
