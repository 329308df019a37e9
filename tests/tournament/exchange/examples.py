"""Events to write and read: the contract's example, a full one that says everything, and arbitrary ones."""

import json
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from scoring import rulesets, standings
from scoring.awards import AWARDED_OUTCOMES, OUTCOMES_WITHOUT_OPPONENT, AwardReason, Outcome
from scoring.knockout_values import MatchCriterion, MatchFormat
from scoring.prizes import PrizeKind
from scoring.ratings import RatingSystem
from scoring.standings import Criterion, Ranking, RankingBasis, WithdrawnPlacement
from scoring.team_matches import LeaverMatches, TeamFormat, TeamPairing
from scoring.teams import TeamRule
from tournament.basics.names import normalise_text
from tournament.core.fees import FeeKind, FeeTerms
from tournament.ending.plan import CertificateText
from tournament.exchange.faults import FileFaults
from tournament.exchange.tournament_file import read_tournament_file
from tournament.exchange.values import (
    AbsenceData,
    AnnouncedData,
    DivisionData,
    EventData,
    GameData,
    KnockoutData,
    LotData,
    MatchData,
    MatchLotData,
    NoteData,
    PairingData,
    PlayerData,
    PrizeData,
    RoundData,
    SegmentData,
)
from tournament.models import RoundState
from tournament.pairing.values import ByePolicy, Method, NoteCode, StartPolicy

EXAMPLE = Path(__file__).with_name("example.json").read_text(encoding="utf-8")
"""The file that the contract shows, without its ellipses."""

DATA = Path(__file__).parents[4] / "shared" / "data"
"""Real tournaments and worked cases, where they are at hand."""

WHY: tuple[dict[str, Any], ...] = (
    {"code": "ranks", "first": 2, "second": None},
    {"code": "float", "half_wins": [2, 3], "because": "met", "from": 3, "above": True, "left_over": 2},
    {"code": "passed_over", "player": "P1", "who": ["P2", "P4"], "because": "met"},
    {"code": "hopeful", "place": 1, "leader": "P1", "player": "P2", "share": 0.1183, "runs": 4000, "threshold": 0.1},
    {"code": "repeat", "rounds": [1]},
    {"code": "starter", "by": "evenness", "starts": [1, 2], "replies": [2, 1]},
)
"""Why two meet, with every kind of figure."""


def league_games(division: DivisionData) -> list[standings.TableGame]:
    """The games of a division's rounds as the table counts them."""
    return [
        standings.TableGame(
            round=round.number,
            first=each.first,
            second=each.second,
            outcome=each.outcome,
            first_points=each.first_points,
            second_points=each.second_points,
            spread=each.spread,
        )
        for round in division.rounds
        for each in round.pairings
    ]


def changed(change: Callable[[dict[str, Any]], Any]) -> str:
    """The example after a change to its JSON values."""
    values = json.loads(EXAMPLE)
    change(values)
    return json.dumps(values, indent=1, ensure_ascii=False)


def found(text: str | bytes) -> list[tuple[str, str]]:
    """What is wrong with a file: path and code of each fault; nothing if it can be read."""
    try:
        read_tournament_file(text)
    except FileFaults as wrong:
        return [(fault.place.path, fault.code.name.lower()) for fault in wrong.faults]
    return []


def full_event(**more: Any) -> EventData:
    """An event in which every key of the file says something."""
    players = tuple(
        PlayerData(id=f"N{number}", name=f"Nächste, Nr {number}", division="B", present=True) for number in range(1, 3)
    )
    return EventData(
        **{
            "slug": "alles-drin",
            "name": "Alles drin <script>alert(1)</script>",
            "place": "Köln",
            "certificate": CertificateText("Ehrenurkunde", "erreichte Platz {Platz}", "{Ort}", "Ort", "Vorstand"),
            "starts_on": date(2026, 5, 1),
            "ends_on": date(2026, 5, 3),
            "ruleset": "tso-2017",
            "minutes": 25,
            "ranking": Ranking(
                basis=RankingBasis.POINTS,
                order=(Criterion.HEAD_TO_HEAD, Criterion.SPREAD),
                withdrawn=WithdrawnPlacement.UNRANKED,
                spread_cap=(100, 150),
            ),
            "starts": StartPolicy.DRAWN,
            "awards": rulesets.TSO_2017.awards.announced(bye_spread=75, bye_points=300, loss_spread=-60),
            "bye_policy": ByePolicy.GERMAN,
            "clubs_apart": 4,
            "public": False,
            "national": True,
            "rated": False,
            "knockout_rated": False,
            "rating_system": RatingSystem.NORWEGIAN,
            "ratings_public": True,
            "team_rule": TeamRule.WINS,
            "team_best": 3,
            "team_format": TeamFormat.ALL,
            "team_leavers": LeaverMatches.STRUCK,
            "team_pairing": TeamPairing.ALL_PLAY_ALL,
            "ended": True,
            "called_off_on": date(2026, 4, 20),
            "fees": FeeTerms((FeeKind("K1", "Mitglied", 1500), FeeKind("K2", "=Gast", 0)), "CHF"),
            "deviation_reasons": "Vom Vorstand genehmigt.\n25 Minuten, weil der Saal um 18 Uhr schließt.",
            "open_questions": "Wer zahlt den Kuchen?",
            "announcement": "Bitte Uhren mitbringen.\n\nEs gibt Kuchen.",
            "players": (*_players(), *players),
            "divisions": (_division(), DivisionData(name="B")),
            **more,
        }
    )


def _players() -> tuple[PlayerData, ...]:
    return (
        PlayerData(
            id="P1",
            name="Řezníček, Tomáš",
            club="SC Prag",
            rating=1700,
            games=321,
            division="A",
            guest=True,
            fee_paid=True,
            fee_kind="K2",
            paid_cents=1250,
            paid_on=date(2026, 9, 30),
            fee_waived=True,
            present=True,
            fixed_table=3,
            team="Prag I",
            board=2,
            exception="Großschrift",
        ),
        PlayerData(id="P2", name="=HYPERLINK(“x”)", division="A", withdrawn_after=1, disqualified=True),
        PlayerData(id="P3", name="Ærø, Bodil", division="A", first_round=2, rating=0),
        PlayerData(
            id="P4",
            name="Łoś, Józef",
            club="-1",
            division="A",
            absences=(AbsenceData(round=2), AbsenceData(round=3, loss=False)),
        ),
    )


def _division() -> DivisionData:
    return DivisionData(
        name="A",
        plan=(
            SegmentData(first=1, last=2, method=Method.GROUPS),
            SegmentData(first=3, last=5, method=Method.FACTOR, factor=3, behind=1, repeats=True),
        ),
        rounds=(
            RoundData(
                number=1,
                method=Method.GROUPS,
                state=RoundState.CLOSED,
                seed=4711,
                based_on=0,
                groups=(("P1", "P2"), ("P3", "P4")),
                notes=(NoteData(code=NoteCode.TABLES_DIFFER, players=("P1", "P2"), figure=3),),
                pairings=(_played(), _forfeited()),
            ),
            RoundData(
                number=2,
                state=RoundState.PUBLISHED,
                pairings=(
                    PairingData(first="P1", second="P3", table=1, flags=("repeat", "float"), why=WHY),
                    PairingData(first="P2", outcome=Outcome.BYE, spread=0, note="zu spät"),
                    PairingData(first="P4", outcome=Outcome.ABSENT, reason=AwardReason.NO_SHOW, spread=-50),
                ),
            ),
            RoundData(
                number=3,
                method=Method.FACTOR,
                state=RoundState.DRAFT,
                repeats=True,
                pairings=(
                    PairingData(first="P4", second="P1", table=2, locked=True),
                    PairingData(first="P3", outcome=Outcome.BYE),
                ),
            ),
        ),
        kept_apart=(("P1", "P4"), ("P2", "P3")),
        knockout=_knockout(),
        lots=(LotData(after=1, order=("P3", "P1")),),
        announced=AnnouncedData(round=3, seed=-4711, pairs=(("P1", "P4"), ("P3",))),
        prizes=_prizes(),
        prizes_public=True,
        tells_turning_point=False,
        ceremony_place=1,
        up=2,
        down=1,
    )


def _prizes() -> tuple[PrizeData, ...]:
    return (
        PrizeData(kind=PrizeKind.PLACE, place=1, title="Wanderpokal", award="Pokal und 50 €"),
        PrizeData(kind=PrizeKind.CLUB, club="SC Prag"),
        PrizeData(kind=PrizeKind.RATING_CLASS, lowest_rating=0, highest_rating=1200),
        PrizeData(kind=PrizeKind.HIGHEST_GAME),
        PrizeData(kind=PrizeKind.OWN, title="Schönstes Wort", winner="P3"),
    )


def _played() -> PairingData:
    return PairingData(
        first="P1",
        second="P2",
        table=3,
        outcome=Outcome.PLAYED,
        first_points=0,
        second_points=-12,
        first_penalty=20,
        second_penalty=10,
        penalty_reason="Telefon",
        first_overtime=61,
        second_overtime=0,
        first_bingos=0,
        second_bingos=2,
        first_moves=(92, 92, 30),
        second_moves=(61,),
        first_seconds=1861,
        second_seconds=1500,
        note="Säckchen gefallen",
    )


def _forfeited() -> PairingData:
    return PairingData(
        first="P3",
        second="P4",
        table=4,
        outcome=Outcome.FIRST_FORFEITS,
        reason=AwardReason.DISQUALIFIED,
        first_points=430,
        second_points=340,
    )


def _knockout() -> KnockoutData:
    game = GameData(first="P1", second="P4", outcome=Outcome.PLAYED, first_points=400, second_points=401)
    return KnockoutData(
        size=4,
        form=MatchFormat.BEST_OF,
        best_of=3,
        criteria=(MatchCriterion.MOST_BINGOS, MatchCriterion.PLAYING_TIME),
        third_place=True,
        seeds=("P1", "P2", "P3", "P4"),
        matches=(MatchData(stage=1, position=1, games=(game,)),),
        lots=(MatchLotData(stage=1, position=2, winner="P3"),),
    )


def _texts(longest: int, *, shortest: int = 1) -> st.SearchStrategy[str]:
    """Texts as they stand in a file that was written here: tidy, and of characters that can be shown."""
    letters = st.characters(exclude_categories=("C", "Z"), include_characters=" ")
    return (
        st.text(letters, min_size=shortest, max_size=longest)
        .map(normalise_text)
        .filter(lambda text: shortest <= len(text) <= longest)
    )


def _maybe(strategy: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.none() | strategy


@st.composite
def events(draw: st.DrawFn) -> EventData:
    """Arbitrary events that make sense: one or two divisions, rounds with games, byes, absences and forfeits."""
    keys = draw(st.lists(_texts(8), unique=True, max_size=9))
    named = draw(st.lists(_texts(12), unique=True, min_size=1, max_size=2))
    players = tuple(
        PlayerData(
            id=key,
            name=draw(_texts(80)),
            club=draw(_maybe(_texts(80))),
            rating=draw(_maybe(st.integers(0, 9999))),
            games=draw(st.integers(0, 99_999)),
            division=draw(st.sampled_from(named)),
            withdrawn_after=draw(_maybe(st.integers(0, 200))),
            guest=draw(st.booleans()),
            exception=draw(_texts(200, shortest=0)),
        )
        for key in keys
    )
    as_tsh = draw(st.booleans())
    order = draw(st.permutations([Criterion.SPREAD, Criterion.POINTS, Criterion.HEAD_TO_HEAD]))
    caps = st.lists(st.integers(1, 9999), max_size=4)
    return EventData(
        slug=draw(st.from_regex(r"[a-z0-9_-]{1,80}", fullmatch=True)),
        name=draw(_texts(120)),
        place=draw(_texts(120, shortest=0)),
        starts_on=draw(_maybe(st.dates())),
        ruleset=draw(st.sampled_from(["tso-2010", "tso-2017"])),
        minutes=draw(st.sampled_from([None, 25, 30])),
        ranking=Ranking(
            basis=draw(st.sampled_from(RankingBasis)),
            order=tuple(order[: draw(st.integers(0, 3))]),
            shared_ties=as_tsh,
            losses_count=as_tsh,
            withdrawn=draw(st.sampled_from(WithdrawnPlacement)),
            spread_cap=tuple(draw(caps)),
        ),
        starts=draw(st.sampled_from(StartPolicy)),
        awards=rulesets.TSO_2017.awards.announced(
            bye_spread=draw(st.integers(-999, 999)), loss_spread=draw(st.integers(-999, 999))
        ),
        clubs_apart=draw(st.integers(0, 100)),
        public=draw(st.booleans()),
        players=players,
        divisions=tuple(
            DivisionData(name=name, rounds=_rounds(draw, [each.id for each in players if each.division == name]))
            for name in named
        ),
    )


def _rounds(draw: st.DrawFn, keys: list[str]) -> tuple[RoundData, ...]:
    count = draw(st.integers(0, 3))
    return tuple(
        RoundData(
            number=number,
            method=draw(st.sampled_from(Method)),
            state=draw(st.sampled_from([RoundState.PUBLISHED, RoundState.CLOSED])),
            seed=draw(st.integers(-(2**63), 2**63 - 1)),
            pairings=_pairings(draw, draw(st.permutations(keys))),
        )
        for number in range(1, count + 1)
    )


def _pairings(draw: st.DrawFn, keys: list[str]) -> tuple[PairingData, ...]:
    points = st.integers(-999, 9999)
    pairings = []
    for table in range(1, len(keys) // 2 + 1):
        outcome = draw(st.sampled_from([each for each in Outcome if each not in OUTCOMES_WITHOUT_OPPONENT]))
        forfeit = outcome in AWARDED_OUTCOMES
        scored = outcome == Outcome.PLAYED or (forfeit and draw(st.booleans()))
        pairings.append(
            PairingData(
                first=keys[2 * table - 2],
                second=keys[2 * table - 1],
                table=table,
                outcome=outcome,
                reason=draw(_maybe(st.sampled_from(AwardReason))) if forfeit else None,
                first_points=draw(points) if scored else None,
                second_points=draw(points) if scored else None,
                note=draw(_texts(20, shortest=0)) if outcome != Outcome.OPEN else "",
            )
        )
    if len(keys) % 2:
        outcome = draw(st.sampled_from([Outcome.BYE, Outcome.ABSENT]))
        pairings.append(PairingData(first=keys[-1], outcome=outcome, spread=draw(_maybe(st.integers(-999, 999)))))
    return tuple(pairings)
