"""A lively example event to look at and to try things out on, run through the operations as a director would."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from random import Random

from django.db import transaction
from django.utils.translation import gettext as _

from scoring.awards import AwardReason, Outcome
from tournament.basics.languages import get_active_language
from tournament.basics.refusals import Refusal, Refusals
from tournament.core.change import Actor
from tournament.core.fees import FeeKind, FeeTerms
from tournament.core.reports import PlayerReport, Report, make_final_report
from tournament.entries.operations.attendance import check_in_entries, withdraw_entry
from tournament.entries.operations.entries import EntryDetails, LateEntry, NewEntry, enter_player, enter_players
from tournament.entries.operations.register import Person
from tournament.events.operations import create_tournament
from tournament.events.presets import PRESETS
from tournament.models import Division, Entry, Pairing, Result, Tournament
from tournament.results.operations import record_result
from tournament.rounds.drafts import DrawWish, draft_round
from tournament.rounds.operations import publish_round
from tournament.table.lots import HIGHEST_DRAW_SEED

DEMO_NAME = "Herbst-Cup"
FEWEST, MOST = 6, 500
MOST_ROUNDS = 30
AVERAGE_SCORE, STARTERS_EDGE = 390, 8
LOWEST_SCORE, HIGHEST_SCORE = 230, 570
USUAL_RATING = 1000
LATE_FOR, LEAVING_BEFORE = 2, 4  # rounds
UNFINISHED_SHARE = 0.6  # of the results of the round that is being played

CLUBS = ("SC Fulda", "Wortspieler Köln", "Buchstabensuppe Berlin", "Hamburger Wortwechsel", "Scrabble München Süd", "")
# Letters of many languages, prefixes, double and long names: what pages, paper, sorting and files have to cope with.
DEMO_PLAYERS = (
    *("Müller-Lüdenscheidt, Ann-Kathrin", "Aumann, Klara", "Bianchi, Ugo", "Çelik, Deniz", "Dvořák, Jana"),
    *("Eriksen, Åse", "Fuchs, Emil", "Öztürk, Cem", "Kowalczyk, Żaneta", "Baum, Peter", "Nguyễn, Linh"),
    *("Řezníček, Tomáš", "Großmann, Heinz-Jürgen", "von der Heide, Margarethe", "Yıldız, Ömer", "Strauß, Jördis"),
    *("Lindqvist, Björn", "Ó Súilleabháin, Gráinne", "Weiß, Günther", "Schönfelder, Käthe", "Petrović, Đorđe"),
    *("Łukaszewicz-Hohenstein, Bogusława", "Jäger, Uwe", "Köhler, Sabine"),
)
SURNAMES = (
    *("Albers", "Böhm", "Conrad", "Dörr", "Ebert", "Förster", "Günzel", "Hübner", "Imhof", "Jansen", "Krüger", "Lütje"),
    *("Möller", "Nölke", "Ott", "Pröll", "Quast", "Rößler", "Süß", "Thöne", "Ullrich", "Völker", "Würtz", "Zickler"),
)
GIVEN_NAMES = (
    *("Antje", "Bärbel", "Claus", "Dörte", "Elif", "Florian", "Gisela", "Hülya", "Ines", "Jürgen", "Kaya", "Lutz"),
    *("Miroslav", "Nele", "Olaf", "Paula", "Quirin", "Rosa", "Sören", "Traudel", "Ulf", "Vera"),
)


@dataclass(frozen=True, slots=True)
class DemoSize:
    """How big the event is: players, rounds planned and played. Everything is drawn from the seed."""

    players: int = 24
    rounds: int = 7
    played: int = 5
    seed: int = 1


def make_demo_tournament(*, actor: Actor, today: date, size: DemoSize = DemoSize()) -> Tournament:
    """Make the example event, the same for the same size, with `size.played` rounds and half of the next. Raises
    `Refusals`."""
    check_demo_size(size)
    text = _("This is an example event. Its players are invented; try everything out.\n\nThere is coffee all day.")
    # All or nothing: an example that is left half-way would stand among the director's own events.
    with transaction.atomic():
        tournament = create_tournament(
            actor=actor,
            name=DEMO_NAME,
            preset=PRESETS["weekend_cup"],
            rounds=size.rounds,
            place="Fulda",
            starts_on=today,
            ends_on=today,
            announcement=text,
            language=get_active_language(),
            fees=FeeTerms((FeeKind("K1", _("Club member"), 1500), FeeKind("K2", _("Guest"), 2000))).stored(),
        )
        division = tournament.divisions.get()
        division.tournament = tournament
        _DemoEvent(division, size, actor).run()
    # Read again: each operation has raised the revision of the stored row, not of this one.
    return Tournament.objects.get(pk=tournament.pk)


def check_demo_size(size: DemoSize) -> None:
    """Raise `Refusals` with everything that is wrong with the size."""
    message = _("%(name)s %(value)s is out of range: whole numbers from %(low)s to %(high)s are allowed.")
    faults = [
        Refusal("size", message, name=name, value=value, low=low, high=high)
        for name, value, low, high in (
            ("players", size.players, FEWEST, MOST),
            ("rounds", size.rounds, 1, MOST_ROUNDS),
            ("played", size.played, 0, MOST_ROUNDS),
        )
        if not low <= value <= high
    ]
    if size.played > size.rounds:
        message = _("Rounds played: %(played)s, but only %(rounds)s are planned.")
        faults.append(Refusal("played_too_many", message, field="played", played=size.played, rounds=size.rounds))
    if faults:
        raise Refusals(faults)


class _DemoEvent:
    """The event while it is being made; `strengths` holds how well each entry plays."""

    def __init__(self, division: Division, size: DemoSize, actor: Actor) -> None:
        self.division, self.size, self.actor = division, size, actor
        self.random = Random(size.seed)  # the seed makes everything repeatable
        self.strengths: dict[int, int] = {}

    def run(self) -> None:
        """Enter everybody, play the rounds and stop in the middle of the next one."""
        # An event of one round has no second one to come late to.
        *punctual, latecomer = self.invent_people()
        if self.size.rounds == 1:
            punctual.append(latecomer)
        entries, _entered_before = enter_players(self.division.tournament, newcomers=punctual, actor=self.actor)
        self.check_in(entries)
        for number in range(1, min(self.size.played + 1, self.size.rounds) + 1):
            if number == LATE_FOR:
                person, details, late = latecomer.person, latecomer.details, LateEntry(LATE_FOR, missed_are_losses=True)
                self.check_in(
                    [enter_player(self.division, person=person, details=details, late=late, actor=self.actor)]
                )
            if number == LEAVING_BEFORE:
                # The sixth of the list, whom `FEWEST` players have as well.
                leaving = Entry.objects.filter(division=self.division).with_names().in_order()[5]
                withdraw_entry(leaving, actor=self.actor)
            self.play(number, share=1.0 if number <= self.size.played else UNFINISHED_SHARE)

    def invent_people(self) -> list[NewEntry]:
        """The people who are going to play."""
        more = [f"{surname}, {given_name}" for surname in SURNAMES for given_name in GIVEN_NAMES]
        self.random.shuffle(more)
        return [
            NewEntry(
                Person(
                    name,
                    club=CLUBS[index % len(CLUBS)],
                    rating=900 + self.random.randrange(800) if (index + 1) % 9 else None,
                    games=self.random.randrange(400),
                ),
                self.division,
                EntryDetails(
                    guest=not (index + 1) % 11,
                    fee_kind="" if (index + 1) % 11 else "K2",
                    fee_paid=bool((index + 1) % 7),
                    fixed_table=1 if index == 1 else None,
                    exception=_("plays with large tiles") if index == 1 else "",
                ),
            )
            for index, name in enumerate([*DEMO_PLAYERS, *more][: self.size.players])
        ]

    def check_in(self, entries: Sequence[Entry]) -> None:
        """Check in those who have been entered."""
        there = {entry.pk for entry in entries}
        check_in_entries(self.division.tournament, shown=there, present=there, actor=self.actor)
        self.strengths |= {entry.pk: entry.rating or USUAL_RATING for entry in entries}

    def play(self, number: int, *, share: float) -> None:
        """Pair a round, publish it and enter that share of its results."""
        # A seed from the example's own: the program would draw a fresh one for round 1, and no two examples would be
        # the same.
        wish = DrawWish(seed=self.random.randrange(1, HIGHEST_DRAW_SEED))
        drawn = draft_round(self.division, actor=self.actor, wish=wish)
        publish_round(drawn, actor=self.actor)
        games = Pairing.objects.filter(round=drawn, kind=Pairing.Kind.GAME).with_players().by_table()
        tables = list(games.select_related("round__division__tournament"))
        for write_games in DEMO_GAME_WRITERS if number == self.size.played else ():
            write_games(tables, self.actor)
        # A game that was written down has its result from there: a second one would be refused, as it expects none.
        written = set(Result.objects.filter(pairing__round=drawn).values_list("pairing_id", flat=True))
        # A report is invented for every table, written down or not, so that all later random numbers stay the same.
        for pairing in tables[: round(len(tables) * share)]:
            # In the first round somebody exceeds the time, in the second somebody does not show up.
            if (number, pairing.table) == (2, 3):
                report = Report(Outcome.SECOND_FORFEITS, reason=AwardReason.NO_SHOW)
            else:
                first, second = (self.strengths[seat.entry_id] for seat in pairing.seats.all())
                edge = (first - second) / 24
                starter = PlayerReport(points=self.invent_score(AVERAGE_SCORE + STARTERS_EDGE + edge))
                overtime = 75 if (number, pairing.table) == (1, 2) else None
                replier = PlayerReport(points=self.invent_score(AVERAGE_SCORE - edge), overtime=overtime)
                report = make_final_report(self.division.tournament.rules, Report(Outcome.PLAYED, starter, replier))
            if pairing.pk not in written:
                record_result(pairing, report=report, actor=self.actor, expected_version=0)

    def invent_score(self, expected: float) -> int:
        """A score near the expected one, never so odd that the program would ask about it."""
        return min(max(round(self.random.gauss(expected, 48)), LOWEST_SCORE), HIGHEST_SCORE)


DEMO_GAME_WRITERS: list[Callable[[list[Pairing], Actor], None]] = []
"""What writes down games at tables of the last complete round, with their results; an app above adds it."""

DEMO_KINDS: dict[str, Callable[..., Tournament]] = {"tournament": make_demo_tournament}
"""The kinds of example events, each with what makes it; an app above adds its own."""
