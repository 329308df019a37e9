"""Values to print and the means to read what was printed."""

import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import zip_longest
from typing import Any

import pytest

from scoring import awards, rulesets
from scoring.awards import Outcome
from scoring.clauses import Clauses
from scoring.final_ranking import FinalPlace, PlacedBy
from scoring.rulesets.values import ChallengeRules, ExchangeRules, LeftoversRule, PenaltyUnit, Ruleset
from scoring.standings import ComparedFigures, Criterion, Ranking, Standing
from tournament.ending.final_ranking import FinalRow
from tournament.events.paper import AnnouncementSection
from tournament.models import Club, Division, Entry, Pairing, Player, Round, Tournament
from tournament.pairing.values import ReasonCode
from tournament.paper.sheet import PaperHeader
from tournament.table.league import TableRow
from tournament.table.paper import CrossSheet
from tournament.table.public_table import CrossRow, PublicTable
from tournament.table.published_games import PlayerRound

HEADER = PaperHeader(
    event="Herbst-Cup 2026",
    printed_at=datetime(2026, 10, 3, 12, 5, tzinfo=UTC),
    division="A",
    place="Fulda",
    dates="3–4 October 2026",
)
BARE_RULES = Ruleset("bare", "Bare", "", "bare", "de")
RULES = replace(
    BARE_RULES,
    overtime_points=10,
    challenges=ChallengeRules(10, PenaltyUnit.WORD),
    exchanges=ExchangeRules(7),
    passes_to_end=3,
    clauses=Clauses(signing="TSO 5.4"),
    leftovers=LeftoversRule.TO_WHO_WENT_OUT,
)
SIXTY = "Papadopoulou-Wittelsbacher-Schnepfenthal, Maximiliane Theres"
NAMES = (
    "Müller-Lüdenscheidt, Ann-Kathrin",
    "Żółkiewska, Łucja",
    "Nguyễn, Thị Hương",
    "Иванова, Мария",
    "Παπαδόπουλος, Γιώργος",
    "Kőszegi, Ferenc",
    "Křížová, Zoë",
    "GROẞ, ÅSE",
    SIXTY,
)


def name(number: int) -> str:
    """A name of its own for each number."""
    return NAMES[number] if number < len(NAMES) else f"Beispiel {number:03d}, Jörg"


def entry(name: str, club: str = "", **columns: Any) -> Entry:
    """Somebody entered, of nothing that is stored; nobody has a namesake."""
    made = Entry(player=Player(name=name), club=Club(name=club) if club else None, **columns)
    made.mark = ""
    return made


def pairings(players: Sequence[str], *, draft: bool = False, **announced: Any) -> list[Pairing]:
    """Round 5 of an event, of nothing that is stored: neighbours meet, paired on their ranks; the last player of an
    odd field has a bye."""
    tournament = Tournament(**{"ruleset": "tso-2017", "minutes": 30, **announced})
    state = Round.State.DRAFT if draft else Round.State.PUBLISHED
    paired = Round(division=Division(tournament=tournament), number=5, state=state)
    entries = [entry(name) for name in players]
    listed = []
    for table, (first, second) in enumerate(zip_longest(entries[::2], entries[1::2]), 1):
        ranks = {"code": ReasonCode.RANKS, "first": 2 * table - 1, "second": 2 * table}
        kind = Pairing.Kind.GAME if second else Pairing.Kind.BYE
        pairing = Pairing(round=paired, kind=kind, table=table if second else None, why=[ranks])
        pairing.seat_entries(first, second)
        pairing.official_results = []  # type: ignore[attr-defined]  # as `with_results` sets it
        listed.append(pairing)
    return listed


def round_pairings(players: int, **announced: Any) -> list[Pairing]:
    """The same with so many players."""
    return pairings([name(number) for number in range(players)], **announced)


def final_row(
    place: int | None,
    name: str,
    club: str = "",
    half_wins: int | None = None,
    spread: int = 0,
    *,
    by: PlacedBy | None = PlacedBy.TABLE,
    **columns: Any,
) -> FinalRow:
    """A row of the final ranking, made of nothing that is stored; without half wins the player is in no table."""
    key = place or 0
    standing = None if half_wins is None else Standing(place, key, half_wins, spread)
    return FinalRow(FinalPlace(key, place, by), entry(name, club, pk=key, **columns), standing)


def table_row(
    standing: Standing, name: str, club: str = "", *, above: Standing | None = None, **columns: Any
) -> TableRow:
    """A row of the table, made of nothing that is stored; nobody has a namesake."""
    return TableRow(standing, entry(name, club, **columns), above)


def public_table(players: int, **details: Any) -> PublicTable:
    """A table in which everybody has a club; the third has withdrawn."""
    decided = Criterion.HIGHEST_GAME, ComparedFigures(512, 498)
    lines = [
        table_row(
            Standing(number + 1, number, max(0, 11 - number), 310 - 7 * number, 2901 - number, 7, 512, *decided),
            name(number),
            "Scrabblefreunde Nordrhein-Westfalen",
            above=Standing(number, number) if number else None,
            withdrawn_after=3 if number == 2 else None,
        )
        for number in range(players)
    ]
    figures = {"ranking": Ranking(), "after": 7, "lines": tuple(lines), "games": 0, "done": 0, "earlier": 0}
    return PublicTable(**{**figures, **details})


def meeting(
    number: int,
    pair: tuple[int, int | None],
    scores: tuple[int, int] | None = None,
    outcome: Outcome = Outcome.PLAYED,
    *,
    spread: int | None = None,
    first: bool = False,
) -> PlayerRound:
    """A round of the first of two players, as their row of a cross table tells it."""
    own, other = scores or (None, None)
    rules = rulesets.get("tso-2017").awards
    credits = awards.credit(outcome, *((own, other) if first else (other, own)), rules, spread=spread)
    credit = credits[0 if first or pair[1] is None else 1]
    return PlayerRound(number, 1, *pair, first, outcome, "", own, other, credit)


def cross_row(
    standing: Standing, name: str, meetings: Sequence[PlayerRound] = (), missed: Sequence[int] = (), **columns: Any
) -> CrossRow:
    """A row of the cross table, made of nothing that is stored."""
    line = table_row(standing, name, pk=standing.player, **columns)
    return CrossRow(line, {played.round: played for played in meetings}, tuple(missed))


def cross_sheet(players: int, rounds: int, **details: Any) -> CrossSheet:
    """A cross table by rounds: the players circle, the last of an odd field has a bye."""
    meetings: list[list[PlayerRound]] = [[] for _player in range(players)]
    for number in range(1, rounds + 1):
        order = [(place + number) % players for place in range(players)]
        for one, other in zip(order[::2], order[1::2], strict=False):
            scores = (400 + number, 380) if number % 2 else (380, 400 + number)
            meetings[one].append(meeting(number, (one, other), scores, first=True))
            meetings[other].append(meeting(number, (other, one), scores[::-1]))
        if players % 2:
            meetings[order[-1]].append(meeting(number, (order[-1], None), outcome=Outcome.BYE, first=True))
    rows = [cross_row(Standing(place + 1, place, 7, -12), name(place), played) for place, played in enumerate(meetings)]
    return CrossSheet(**{"after": rounds, "rows": rows, **details})


def sections(exceptions: int) -> tuple[AnnouncementSection, ...]:
    """An announcement with running text, facts, and so many exceptions of two lines each."""
    wish = "needs large letters and a quiet table near the door, since the hall is loud on Saturdays"
    return (
        AnnouncementSection("", (("", "Welcome to Fulda.\n\nThe fee is paid at the door."),)),
        AnnouncementSection(
            "How it is played", (("Ruleset", "Turnierspielordnung"), ("Time per player", "30 minutes"))
        ),
        AnnouncementSection("Exceptions", tuple((name(number), f"{number}: {wish}") for number in range(exceptions))),
    )


def reader(pdf: bytes) -> Any:
    """The document as pypdf reads it."""
    pypdf = pytest.importorskip("pypdf", reason="pypdf is needed to read what was printed (requirements-dev.txt)")
    return pypdf.PdfReader(io.BytesIO(pdf))


def pages(pdf: bytes) -> list[str]:
    """The text of each page, runs of white space made one blank."""
    return [" ".join(page.extract_text().split()) for page in reader(pdf).pages]


@dataclass(frozen=True, slots=True)
class Drawn:
    """A line of text as it was drawn: where it begins on the baseline, how wide it is, how large."""

    page: int
    x: float
    y: float
    width: float
    size: float
    text: str

    def overlaps(self, other: "Drawn") -> bool:
        """Whether the two would be printed over each other."""
        across = min(self.x + self.width, other.x + other.width) - max(self.x, other.x)
        down = min(self.y + 0.73 * self.size, other.y + 0.73 * other.size) - max(self.y, other.y)
        return across > 0.3 and down > 0.3


def overlapping(drawn: list[Drawn]) -> Iterator[tuple[str, str]]:
    """The texts that are printed over each other."""
    for number, one in enumerate(drawn):
        for other in drawn[number + 1 :]:
            if one.page == other.page and one.overlaps(other):
                yield one.text, other.text
