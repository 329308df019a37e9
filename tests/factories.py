"""Events to test with, made through the operations as the program makes them.

Doris directs them unless a test says otherwise; the players have names from many countries.
"""

from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime
from typing import Any

from django.contrib.auth import get_user_model
from django.contrib.auth.models import User
from django.db.models import F
from django.test import Client
from django.utils import timezone

from scoring.awards import AWARDED_OUTCOMES, AwardReason, Outcome
from tournament.accounts.operations import add_organiser, get_or_create_organiser
from tournament.core.change import TERMINAL_ACTOR, Actor, change
from tournament.core.fees import FeeKind, FeeTerms
from tournament.core.reports import PlayerReport, Report
from tournament.entries.operations.entries import EntryDetails, NewEntry, enter_player, enter_players
from tournament.entries.operations.register import MayBeKnown, Person, Register, SeveralPlayersKnown
from tournament.events.operations import create_tournament
from tournament.events.presets import PRESETS, Preset
from tournament.knockout.operations import announce_knockout, confirm_seeds
from tournament.knockout.plan import KnockoutPlan
from tournament.models import Division, Entry, Member, Organiser, Pairing, Result, Role, Round, Seat, Tournament
from tournament.models.event import list_named_entries
from tournament.pairing.values import Method
from tournament.results.operations import record_result
from tournament.rounds.operations import publish_round
from tournament.rounds.plan import PlanSegment

PEOPLE = (
    ("Aumann, Klara", "SC Fulda", 1712),
    ("Dvořák, Jana", "Praha", 1688),
    ("Müller-Lüdenscheidt, Ann-Kathrin", "SC Fulda", 1650),
    ("Öztürk, Cem", "Berliner Buchstaben", 1611),
    ("Fuchs, Emil", "", 1580),
    ("Eriksen, Åse", "Hamburg", 1544),
    ("Kowalczyk, Żaneta", "Berliner Buchstaben", 1510),
    ("Baum, Peter", "Hamburg", None),
    ("Nguyễn, Linh", "Köln", 1432),
    ("Řezníček, Tomáš", "Praha", 1400),
    ("Bianchi, Ugo", "", 1377),
    ("Çelik, Deniz", "Köln", None),
)
"""Name, club and rating of those who come first."""


FEES = FeeTerms((FeeKind("K1", "Mitglied", 1500), FeeKind("K2", "Gast", 2000), FeeKind("K3", "Jugend", 750)))


def user(name: str) -> User:
    """An account; its password is its name."""
    return get_user_model().objects.create_user(name, password=name)


def organiser(name: str = "") -> Organiser:
    """The organiser of that name, made if there is none; without a name the first one."""
    if name:
        return Organiser.objects.filter(name=name).first() or add_organiser(name=name, actor=TERMINAL_ACTOR)
    return Organiser.objects.order_by("pk").first() or get_or_create_organiser(TERMINAL_ACTOR)


def member(who: User, role: Role = Role.OWNER, of: Organiser | None = None) -> Actor:
    """An account as a member of an organiser, by default of the first."""
    organiser_acted_for = of or organiser()
    Member.objects.get_or_create(user=who, organiser=organiser_acted_for, defaults={"role": role})
    return Actor(user=who, organiser=organiser_acted_for)


def director(name: str = "doris", of: Organiser | None = None) -> Actor:
    """Somebody with an account who makes tournaments and looks after an organiser, by default the first."""
    first: Any = of or Organiser.objects.order_by("pk").values("pk")[:1]
    known = Member.objects.filter(user__username=name, organiser=first).select_related("user", "organiser")
    for membership in known:
        return Actor(user=membership.user, organiser=membership.organiser)
    account = get_user_model().objects.filter(username=name).first()
    return member(account or user(name), of=of)


def sign_in(client: Client, who: Actor | None = None) -> None:
    """Sign somebody in, Doris unless said otherwise."""
    user = (who or director()).user
    assert user is not None
    client.force_login(user)


def event(
    name: str = "Herbst-Cup",
    *,
    players: int = 4,
    by: Actor | None = None,
    rounds: int = 7,
    preset: Preset = PRESETS["empty"],
    **values: Any,
) -> Division:
    """A public tournament with one division and so many entries; `rounds` planned by the Swiss method."""
    actor = by or director()
    made = create_tournament(actor=actor, name=name, preset=preset, **{"is_public": True, **values})
    first = made.divisions.get()
    first.plan = [PlanSegment(1, rounds).stored()] if rounds else []
    first.save(update_fields=["plan"])
    _enter_next(first, players, by=actor)
    return fresh(first)


def fresh(division: Division) -> Division:
    """The division and its tournament as they stand in the database now."""
    return Division.objects.select_related("tournament").get(pk=division.pk)


def person(number: int) -> Person:
    """The person of that number, counted from 0; the first dozen has real names, the others have numbers."""
    if number < len(PEOPLE):
        name, club, rating = PEOPLE[number]
        return Person(name, club, rating, games=10 * number)
    return Person(f"Gast, Nummer {number:03d}", f"Club {number % 9}", 1400 - number, games=number)


def tell_apart(tournament: Tournament, people: Sequence[Person]) -> dict[int, None]:
    """The places of those who are like somebody in the register, and are somebody else."""
    register, others = Register(tournament.organiser_id, people), dict[int, None]()
    for place, one in enumerate(people):
        with suppress(SeveralPlayersKnown):
            try:
                register.find(one)
            except MayBeKnown:
                others[place] = None
    return others


def enter(division: Division, players: int, *, by: Actor | None = None) -> list[Entry]:
    """Enter so many more people, in the order of `person`; all that are entered."""
    there = Entry.objects.filter(tournament=division.tournament_id).count()
    _enter_next(division, players, there=there, by=by or director())
    return list(Entry.objects.filter(division=division).with_names().in_order())


def _enter_next(division: Division, players: int, *, by: Actor, there: int = 0) -> None:
    people = [person(number) for number in range(there, there + players)]
    if people:
        newcomers = [NewEntry(one, division) for one in people]
        try:
            enter_players(division.tournament, newcomers=newcomers, actor=by)
        except MayBeKnown:
            decided = tell_apart(division.tournament, people)
            enter_players(division.tournament, newcomers=newcomers, decided=decided, actor=by)


def entry(division: Division, name: str, **details: Any) -> Entry:
    """Enter one person by name, whoever else has a name like it."""
    details_stated = EntryDetails(**details)
    return enter_player(division, person=Person(name), actor=director(), details=details_stated, anyway=True)


Pair = tuple[Entry, Entry | None]
"""Who starts and who replies; None for a bye."""


def draft(division: Division, pairs: Sequence[Pair] = (), *, by: Actor | None = None) -> Round:
    """A draft of the next round with these pairs at tables 1, 2 …; without any, neighbours in order of entry."""
    field = list(list_named_entries().filter(division=division, withdrawn_after=None).in_order())
    chosen = pairs or list(zip(field[::2], [*field[1::2], None], strict=False))
    number = (division.rounds.filter(stage=None).order_by("-number").values_list("number", flat=True).first() or 0) + 1
    with change(division.tournament, actor=by or director(), verb="draft_round") as log:
        made = log.create(Round(division=division, number=number, method=Method.MANUAL))
        pairings = log.create_all(
            Pairing(round=made, kind=Pairing.Kind.BYE)
            if second is None
            else Pairing(round=made, kind=Pairing.Kind.GAME, table=table)
            for table, (_first, second) in enumerate(chosen, 1)
        )
        log.create_all(
            Seat(pairing=pairing, round=made, entry=entry, side=side)
            for pairing, pair in zip(pairings, chosen, strict=True)
            for side, entry in zip((Seat.FIRST, Seat.SECOND), pair, strict=True)
            if entry is not None
        )
    return made


def published(division: Division, pairs: Sequence[Pair] = (), *, by: Actor | None = None) -> Round:
    """The next round, with these pairs, published."""
    actor = by or director()
    made = draft(division, pairs, by=actor)
    publish_round(made, actor=actor)
    return Round.objects.select_related("division__tournament").get(pk=made.pk)


def result(
    round: Round,
    table: int,
    first: int | None,
    second: int | None,
    outcome: Outcome = Outcome.PLAYED,
    *,
    by: Actor | None = None,
) -> Result:
    """The official result of a table; a forfeit is by overtime, or a no-show where there is no score."""
    pairing = Pairing.objects.select_related("round__division__tournament").get(round=round, table=table)
    forfeit = outcome in AWARDED_OUTCOMES
    reason = None if not forfeit else AwardReason.NO_SHOW if first is None else AwardReason.OVERTIME
    report = Report(outcome, PlayerReport(points=first), PlayerReport(points=second), reason=reason)
    return record_result(pairing, report=report, actor=by or director(), expected_version=None)


def played(division: Division, *scores: tuple[int, int], pairs: Sequence[Pair] = ()) -> Round:
    """The next round, published, with these scores at tables 1, 2 …; tables beyond them are won 420 : 380."""
    actor = director()
    made = published(division, pairs, by=actor)
    games = made.pairings.filter(kind=Pairing.Kind.GAME).order_by("table")
    for table in filter(None, games.values_list("table", flat=True)):
        first, second = scores[table - 1] if table <= len(scores) else (420, 380)
        result(made, table, first, second, by=actor)
    return made


def write_scores(round: Round, *scores: tuple[int, int]) -> None:
    """These scores at tables 1, 2 … of a published round, written past the operations for speed."""
    games = round.pairings.filter(kind=Pairing.Kind.GAME).order_by("table")
    Result.objects.bulk_create(
        Result(
            pairing=game, version=1, outcome=Outcome.PLAYED, first_points=first, second_points=second, at=timezone.now()
        )
        for game, (first, second) in zip(games, scores, strict=False)
    )
    Tournament.objects.filter(divisions__rounds=round).update(revision=F("revision") + 1)


def public_cup() -> Division:
    """The Herbst-Cup with four players: two rounds played, the third published with one result of two."""
    division = event(players=4)
    anna, bert, cora, dora = enter(division, 0)
    played(division, (420, 380), (390, 410), pairs=[(anna, bert), (cora, dora)])
    played(division, (400, 400), (500, 300), pairs=[(anna, cora), (bert, dora)])
    result(published(division, pairs=[(dora, anna), (cora, bert)]), 1, 350, 450)
    return fresh(division)


def season(division: Division, rounds: int) -> None:
    """So many closed rounds with varied results and ever other opponents, written past the operations for speed."""
    field = list(Entry.objects.filter(division=division).in_order())
    now = timezone.now()
    for number in range(1, rounds + 1):
        made = Round.objects.create(division=division, number=number, method="swiss", state=Round.State.CLOSED)
        circle = [field[0], *field[number:], *field[1:number]] if len(field) > number else field
        half = len(circle) // 2
        pairs: list[Pair] = list(zip(circle[:half], reversed(circle[-half:]), strict=True)) if half else []
        if len(circle) % 2:
            pairs.append((circle[half], None))
        _write_games(made, pairs, [_vary_scores(number, table) for table in range(1, len(pairs) + 1)], at=now)
    Tournament.objects.filter(pk=division.tournament_id).update(revision=F("revision") + 1)


def evening(division: Division, pairs: Sequence[Pair], scores: Sequence[tuple[int, int]]) -> Round:
    """The only round, published, with these pairs and scores, written past the operations for speed."""
    now = timezone.now()
    made = Round.objects.create(division=division, number=1, state=Round.State.PUBLISHED, published_at=now)
    _write_games(made, pairs, scores, at=now)
    Tournament.objects.filter(pk=division.tournament_id).update(revision=F("revision") + 1)
    return made


def _write_games(made: Round, pairs: Sequence[Pair], scores: Sequence[tuple[int, int]], *, at: datetime) -> None:
    """The games of a round, with their results."""
    pairings = Pairing.objects.bulk_create(
        Pairing(round=made, kind="bye" if second is None else "game", table=None if second is None else table)
        for table, (_first, second) in enumerate(pairs, 1)
    )
    Seat.objects.bulk_create(
        Seat(pairing=pairing, round=made, entry=entry, side=side)
        for pairing, pair in zip(pairings, pairs, strict=True)
        for side, entry in enumerate(pair, 1)
        if entry is not None
    )
    Result.objects.bulk_create(
        Result(pairing=pairing, version=1, outcome=Outcome.BYE, how=Result.How.PAIRING, at=at)
        if second is None
        else Result(pairing=pairing, version=1, outcome=Outcome.PLAYED, first_points=own, second_points=other, at=at)
        for pairing, (_first, second), (own, other) in zip(pairings, pairs, scores, strict=True)
    )


def _vary_scores(number: int, table: int) -> tuple[int, int]:
    """Scores that differ from table to table and from round to round."""
    return 340 + (37 * number + 53 * table) % 190, 330 + (61 * number + 29 * table) % 180


def knockout(division: Division, size: int = 4, **announced: Any) -> Division:
    """A knock-out of the first `size` by entry, announced and seeded; its first games are laid out."""
    field = list(Entry.objects.filter(division=division).with_names().in_order())[:size]
    announce_knockout(division, plan=KnockoutPlan(size, **announced), actor=director())
    confirm_seeds(fresh(division), seeds=field, actor=director(), accept_missing=True)
    return fresh(division)


def knockout_game(
    division: Division,
    place: tuple[int, int, int],
    first: int | None,
    second: int | None,
    outcome: Outcome = Outcome.PLAYED,
) -> Result:
    """The official result of a knock-out game: stage, position of its match, number in its match."""
    stage, position, game = place
    return result(Round.objects.get(division=division, stage=stage, game=game), position, first, second, outcome)


def knockout_games(division: Division, games: int) -> int:
    """Play so many open games of the knock-out, stage by stage, with varied results; how many there were to play."""
    for played in range(games):
        waiting = Pairing.objects.filter(round__division=division, round__stage__isnull=False, results=None)
        following = waiting.order_by("round__stage", "round__game", "table").first()
        if following is None or following.table is None:
            return played
        points = 340 + 37 * played % 190, 330 + 61 * played % 180
        result(following.round, following.table, points[0], points[1] + (points[0] == points[1]))
    return games
