"""What a director does beside drawing rounds and recording results, by chance; all of it can be taken back."""

from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

from django.db import models

from scoring.prizes import PrizeKind
from tests.tournament.journal.evenings import ORDERS, REFUSED, Evening
from tournament.ending import operations as ending
from tournament.ending import operations as prizes
from tournament.ending.plan import PrizePlan
from tournament.entries.operations import attendance, entries
from tournament.entries.operations.register import Person
from tournament.events import operations as tournaments
from tournament.knockout import operations as knockout
from tournament.knockout import operations as knockout_facts
from tournament.models import Absence, Division, KeptApart, Knockout, Lot, MatchLot, NotRecorded, Pairing, Prize, Round
from tournament.pairing.values import Method
from tournament.rounds import drafts as draft_edits
from tournament.rounds import operations as rounds
from tournament.rounds import plan as plans
from tournament.rounds.plan import PlanSegment
from tournament.table import league, lots

Found = TypeVar("Found", bound=models.Model)


class NothingThere(Exception):
    """There is nothing that the errand could be about."""


def run(evening: Evening) -> None:
    """Run an errand or two, as far as they are possible and allowed."""
    for errand in evening.rng.sample(ERRANDS, evening.rng.randint(1, 2)):
        evening.fresh()
        with suppress(NothingThere, *REFUSED):
            errand(evening)


def go_on(evening: Evening) -> None:
    """Let an event that was ended go on."""
    if evening.fresh().tournament.is_ended:
        ending.reopen_tournament(evening.division.tournament, actor=evening.doris)


def _one_of(evening: Evening, found: "models.QuerySet[Found]") -> Found:
    """One of these rows. Raises `NothingThere` if there are none."""
    rows = list(found.order_by("pk"))
    if not rows:
        raise NothingThere
    return evening.rng.choice(rows)


def _next(evening: Evening) -> int:
    return league.get_last_round_number(evening.division) + 1


def tick(evening: Evening) -> None:
    shown = [entry.pk for entry in evening.field()]
    some = evening.rng.sample(shown, evening.rng.randint(0, len(shown)))
    if evening.rng.random() < 0.5:
        attendance.mark_fees(evening.division.tournament, shown=shown, paid=some, actor=evening.doris)
    else:
        attendance.check_in_entries(evening.division.tournament, shown=shown, present=some, actor=evening.doris)


def leave_out(evening: Evening) -> None:
    losing = evening.rng.random() < 0.5
    attendance.leave_out_absentees(evening.division, number=_next(evening), actor=evening.doris, counts_as_loss=losing)


def withdraw_all_who_are_away(evening: Evening) -> None:
    present = [entry.pk for entry in evening.field()][:-1]
    attendance.check_in_entries(evening.division.tournament, shown=present, present=present, actor=evening.doris)
    attendance.withdraw_absentees(evening.division, actor=evening.doris)


def come_all_the_same(evening: Evening) -> None:
    away = _one_of(
        evening, Absence.objects.filter(entry__division=evening.division).select_related("entry__tournament")
    )
    attendance.remove_absence(away.entry, number=away.number, actor=evening.doris)


def let_meet(evening: Evening) -> None:
    pairs = KeptApart.objects.filter(one__division=evening.division).select_related("one__player", "other__player")
    entries.allow_to_meet(_one_of(evening, pairs), actor=evening.doris)


def edit(evening: Evening) -> None:
    entry, club = evening.rng.choice(evening.field()), evening.rng.choice(("", "Hamburg", "SC Neu"))
    person = Person(entry.name, club=club, rating=evening.rng.choice((None, 1500, 1600)))
    details = entries.EntryDetails(guest=evening.rng.random() < 0.5, fixed_table=evening.rng.choice((None, 1)))
    entries.edit_entry(entry, person=person, details=details, actor=evening.doris)


def remove(evening: Evening) -> None:
    entries.remove_entry(evening.rng.choice(evening.field()), actor=evening.doris)


def reopen_round(evening: Evening) -> None:
    closed = Round.objects.filter(division=evening.division, state="closed")
    rounds.reopen_round(evening.round(_one_of(evening, closed).pk), actor=evening.doris)


def _draft(evening: Evening) -> Round:
    drafted = Round.objects.league().filter(division=evening.division, state="draft")
    return evening.round(_one_of(evening, drafted).pk)


def change_draft(evening: Evening) -> None:
    evening.by_hand(_draft(evening))


def unlock(evening: Evening) -> None:
    locked = Pairing.objects.filter(round=_draft(evening), locked=True).select_related("round__division__tournament")
    draft_edits.set_pair_locked(_one_of(evening, locked), locked=False, actor=evening.doris)


def pair_rest_anew(evening: Evening) -> None:
    draft_edits.pair_rest_anew(_draft(evening), seed=evening.rng.randint(1, 99), actor=evening.doris)


def discard_draft(evening: Evening) -> None:
    rounds.discard_draft(_draft(evening), actor=evening.doris)


def discard_lot(evening: Evening) -> None:
    drawn = Lot.objects.filter(division=evening.division).select_related("division__tournament")
    lots.discard_lot(_one_of(evening, drawn), actor=evening.doris)


def discard_match_lot(evening: Evening) -> None:
    drawn = MatchLot.objects.filter(knockout__division=evening.division)
    lot = _one_of(evening, drawn.select_related("knockout__division__tournament", "winner__player"))
    knockout.discard_match_lot(lot, actor=evening.doris)


def find_the_record(evening: Evening) -> None:
    said = NotRecorded.objects.filter(knockout__division=evening.division)
    found = _one_of(evening, said.select_related("knockout__division__tournament"))
    knockout_facts.unmark_fact_not_recorded(found, actor=evening.doris)


def take_back_seeds(evening: Evening) -> None:
    _one_of(evening, Knockout.objects.filter(division=evening.division))
    knockout.take_back_seeds(evening.division, actor=evening.doris)
    if evening.rng.random() < 0.5:
        knockout.cancel_knockout(evening.fresh(), actor=evening.doris)


def set_up(evening: Evening) -> None:
    settings = {
        "place": ("", "Fulda", "Kassel"),
        "minutes": (25, 30),
        "order": ORDERS,
        "withdrawn": ("ranked", "unranked"),
        "spread_cap": (None, [30], [100, 200]),
        "public_reasons": (True, False),
        "bye_policy": ("lowest", "german"),
    }
    name = evening.rng.choice(sorted(settings))
    chosen = {name: evening.rng.choice(settings[name])}
    tournaments.update_settings(evening.division.tournament, actor=evening.doris, **chosen)


def plan(evening: Evening) -> None:
    longer, method = evening.rounds + evening.rng.randint(0, 1), evening.rng.choice((Method.SWISS, Method.RANDOM))
    plans.set_plan(evening.division, segments=[PlanSegment(1, longer, method)], actor=evening.doris)


def offer_prizes(evening: Evening) -> None:
    if evening.rng.random() < 0.5:
        prizes.add_usual_prizes(evening.division, actor=evening.doris)
    else:
        winner = evening.rng.choice((None, *evening.field()))
        own = PrizePlan(kind=PrizeKind.OWN, title=f"Preis {_next(evening)}", award="Duden", winner=winner)
        prizes.add_prize(evening.division, plan=own, actor=evening.doris)


def _prize(evening: Evening, **which: object) -> Prize:
    offered = Prize.objects.filter(division=evening.division, **which)
    return _one_of(evening, offered.select_related("division__tournament", "club", "winner__player"))


def edit_prize(evening: Evening) -> None:
    club = PrizePlan(
        kind=PrizeKind.CLUB, club=evening.rng.choice(("Hamburg", "SC Fulda", "Wanne-Eickel")), award="Sekt"
    )
    prizes.edit_prize(_prize(evening), plan=club, actor=evening.doris)


def give_prize(evening: Evening) -> None:
    prize = _prize(evening, kind=PrizeKind.OWN)
    own = PrizePlan(kind=PrizeKind.OWN, title=prize.title, winner=evening.rng.choice(evening.field()))
    prizes.edit_prize(prize, plan=own, actor=evening.doris)


def remove_prize(evening: Evening) -> None:
    prizes.remove_prize(_prize(evening), actor=evening.doris)


def move_prize(evening: Evening) -> None:
    prizes.move_prize_up(_prize(evening), actor=evening.doris)


def publish_prizes(evening: Evening) -> None:
    division = Division.objects.select_related("tournament").get(pk=evening.division.pk)
    prizes.publish_prizes(division, public=not division.prizes_public, actor=evening.doris)


def end(evening: Evening) -> None:
    ending.end_tournament(evening.division.tournament, actor=evening.doris, accept_open=True)
    if evening.rng.random() < 0.5:
        go_on(evening)


ERRANDS: tuple[Callable[[Evening], None], ...] = (
    tick,
    leave_out,
    withdraw_all_who_are_away,
    come_all_the_same,
    let_meet,
    edit,
    remove,
    reopen_round,
    change_draft,
    unlock,
    pair_rest_anew,
    discard_draft,
    discard_lot,
    discard_match_lot,
    find_the_record,
    take_back_seeds,
    set_up,
    plan,
    offer_prizes,
    edit_prize,
    give_prize,
    remove_prize,
    move_prize,
    publish_prizes,
    end,
)
