"""The knock-out as a whole: announced, seeded from the table, taken back. `knockout_games` handles its games."""

from collections.abc import Collection, Sequence

from django.utils.translation import gettext_lazy as _

from scoring.knockout import Form, Match, MatchCriterion, WaitsFor
from scoring.rulesets import Ruleset
from tournament import limits
from tournament.models import Division, Entry, Knockout, MatchLot, NotRecorded, Result, Round, Seed
from tournament.models.choices import FORMS
from tournament.operations import knockout_games, rounds
from tournament.operations.change import Actor, Change, change
from tournament.operations.seen import draws_of, results_of
from tournament.operations.setup import require_pairs
from tournament.pairing import lots
from tournament.plan.knockout import KnockoutPlan
from tournament.queries import league
from tournament.queries.knockout import knockout_state, stored_knockout
from tournament.refusals import Refusal, Refusals, out_of_range
from tournament.words import round_names
from tournament.words.clauses import bracketed
from tournament.words.knockout_plan import CRITERIA

FOR_THIRD_PLACE = 4
"""So many players at least play for third place: below that there are no two who lost a semi-final."""


class FormUnknown(Refusal):
    code = "form_unknown"
    message = _("“%(value)s” is no form of a knock-out match%(clause)s. Possible are: %(allowed)s.")
    field = "form"


class SeriesNotOdd(Refusal):
    code = "series_not_odd"
    message = _("Best of %(value)s is not possible: N is odd, from 1 to %(high)s%(clause)s.")
    field = "best_of"


class SeriesWithoutForm(Refusal):
    code = "series_without_form"
    message = _("A number of games (%(value)s) is only for the form “best of N”%(clause)s; leave it empty here.")
    field = "best_of"


class CriterionUnknown(Refusal):
    code = "criterion_unknown"
    message = _("“%(value)s” is no criterion of %(rules)s. Possible are: %(allowed)s.")
    field = "criteria"


class CriterionTwice(Refusal):
    code = "criterion_twice"
    message = _("A criterion is in the order twice: %(value)s. Name each one once.")
    field = "criteria"


class NoThirdPlace(Refusal):
    code = "no_third_place"
    message = _("A match for third place needs %(least)s players in the knock-out; %(size)s are announced.")
    field = "third_place"


class NotAnnounced(Refusal):
    code = "not_announced"
    message = _("Division %(division)s has no knock-out. Announce one first.")


class SeedsConfirmed(Refusal):
    code = "seeds_confirmed"
    message = _("The seeding of the knock-out is confirmed. Take it back first, as long as nothing is played.")


class SeedsNotConfirmed(Refusal):
    code = "seeds_not_confirmed"
    message = _("The seeding of the knock-out is not confirmed.")


class DraftOpen(Refusal):
    code = "draft_open"
    message = _("Round %(number)s is still a draft. Publish and play it, or throw it away; then seed the knock-out.")


class LeagueUnfinished(Refusal):
    """A question: the table may still change; with `accept_missing` the knock-out is seeded all the same."""

    code = "league_unfinished"
    message = _(
        "The table is not complete: %(missing)s result(s) missing, %(published)s of %(planned)s planned round(s) "
        "published. Enter what is missing, or say that the seeding is to stand all the same."
    )
    field = "accept_missing"


class SeedsMissing(Refusal):
    code = "seeds_missing"
    message = _("The knock-out is for %(size)s players; %(given)s are seeded.")
    field = "seeds"


class FaultySeed(Refusal):
    """Somebody cannot be seeded as that number; the field that is blamed is called after it."""

    def __init__(self, number: int, **figures: object) -> None:
        super().__init__(**figures)
        self.field = f"seed_{number}"


class SeedOfAnother(FaultySeed):
    code = "seed_of_another"
    message = _("%(name)s does not play in division %(division)s and cannot be seeded there.")


class SeedTwice(FaultySeed):
    code = "seed_twice"
    message = _("%(name)s is in the seeding twice, as number %(one)s and as number %(other)s.")


class SeedWithdrawn(FaultySeed):
    code = "seed_withdrawn"
    message = _("%(name)s has withdrawn. Let them play again first, or seed somebody else.")


class KnockoutPlayed(Refusal):
    code = "knockout_played"
    message = _("The knock-out has %(results)s result(s) already. Withdraw them first to take the seeding back.")


class NoLotDue(Refusal):
    code = "no_lot_due"
    message = _("%(match)s does not wait for lots: lots are drawn when every criterion leaves it level.")


class LotWinnerUnknown(Refusal):
    code = "lot_winner"
    message = _("%(name)s does not play in %(match)s.")
    field = "winner"


def problems(plan: KnockoutPlan, rules: Ruleset) -> list[Refusal]:
    """Everything that is wrong with what is to be announced."""
    clauses = rules.clauses.knockout
    series = bracketed(clauses.best_of)
    found = out_of_range("size", plan.size, limits.KNOCKOUT_SIZE)
    if plan.form not in list(Form):
        allowed = ", ".join(map(str, FORMS.values()))
        found.append(FormUnknown(value=plan.form, clause=bracketed(clauses.forms), allowed=allowed))
    elif plan.form == Form.BEST_OF:
        if plan.best_of is None or not limits.BEST_OF.holds(plan.best_of) or plan.best_of % 2 == 0:
            shown = "–" if plan.best_of is None else plan.best_of
            found.append(SeriesNotOdd(value=shown, high=limits.BEST_OF.high, clause=series))
    elif plan.best_of is not None:
        found.append(SeriesWithoutForm(value=plan.best_of, clause=series))
    found += _criteria_problems(plan.criteria, rules)
    if plan.third_place and plan.size < FOR_THIRD_PLACE:
        found.append(NoThirdPlace(least=FOR_THIRD_PLACE, size=plan.size))
    return found


def _criteria_problems(criteria: Sequence[str], rules: Ruleset) -> list[Refusal]:
    allowed = ", ".join(str(name) for name in CRITERIA.values())
    book = rules.clauses.knockout.level or rules.name
    found: list[Refusal] = [
        CriterionUnknown(value=name, rules=book, allowed=allowed)
        for name in criteria
        if name not in list(MatchCriterion)
    ]
    twice = sorted({name for name in criteria if criteria.count(name) > 1})
    if twice and not found:
        found.append(CriterionTwice(value=", ".join(str(CRITERIA[MatchCriterion(name)]) for name in twice)))
    return found


def announce_knockout(division: Division, *, plan: KnockoutPlan, actor: Actor) -> Knockout:
    """Announce a division's knock-out, or change the announcement as long as its seeds are not confirmed.

    Raises `Refusals` with all faults, `NobodyPaired` or `SeedsConfirmed`.
    """
    require_pairs(division.tournament)
    if faults := problems(plan, division.tournament.rules):
        raise Refusals(faults)
    about = {"division": division.name, "size": plan.size}
    with change(division.tournament, actor=actor, verb="announce_knockout", **about) as log:
        return write_plan(log, division, plan)


def write_plan(log: Change, division: Division, plan: KnockoutPlan) -> Knockout:
    """`announce_knockout` within a change that is open, for a plan without faults."""
    knockout = stored_knockout(division)
    if knockout is None:
        return log.create(Knockout(division=division, **plan.fields()))
    if knockout.seeds.exists():
        raise SeedsConfirmed
    if KnockoutPlan.of(knockout) != plan:
        log.save(knockout, **plan.fields())
    return knockout


def proposed_seeds(table: league.Table) -> list[Entry]:
    """Everybody who can be seeded, in the order of a table: withdrawn players are left out. No query."""
    return [row.entry for row in table.rows if not row.entry.is_withdrawn]


def confirm_seeds(
    division: Division, *, actor: Actor, seeds: Sequence[Entry] | None = None, accept_missing: bool = False
) -> Knockout:
    """Seed the knock-out, best first, and lay out its first games; without `seeds`, in the order of the table.

    Raises `NotAnnounced`, `SeedsConfirmed`, `DraftOpen`, or `Refusals` with everything that is wrong with the seeds,
    `LeagueUnfinished` among it unless that is accepted.
    """
    with change(division.tournament, actor=actor, verb="confirm_seeds", division=division.name) as log:
        log.rely_on(*results_of(division))
        knockout = _required(division)
        if knockout.seeds.exists():
            raise SeedsConfirmed
        unfinished = _unfinished(division, accept_missing=accept_missing)
        given = list(seeds) if seeds is not None else _first_of_table(knockout)
        stored = {entry.pk: entry for entry in Entry.objects.filter(pk__in=[e.pk for e in given]).with_names()}
        faults = _seed_problems(knockout, [stored[entry.pk] for entry in given if entry.pk in stored])
        if faults or unfinished:
            raise Refusals([*unfinished, *faults])
        log.tell(names=[entry.name for entry in given])
        log.create_all(Seed(knockout=knockout, number=number, entry=entry) for number, entry in enumerate(given, 1))
        rounds.close_complete(log, division)
        knockout_games.settle(log, knockout)
        return knockout


def _required(division: Division) -> Knockout:
    knockout = stored_knockout(division)
    if knockout is None:
        raise NotAnnounced(division=division.name)
    return knockout


def _first_of_table(knockout: Knockout) -> list[Entry]:
    return proposed_seeds(league.table(knockout.division))[: knockout.size]


def _unfinished(division: Division, *, accept_missing: bool) -> list[Refusal]:
    """The question whether to seed although the table may still change. Raises `DraftOpen`."""
    if draft := Round.objects.league().filter(division=division, state=Round.State.DRAFT).first():
        raise DraftOpen(number=draft.number)
    missing, published = league_missing(division), league.last_round(division)
    planned = max(league.planned_rounds(division), published)
    if accept_missing or not (missing or published < planned):
        return []
    return [LeagueUnfinished(missing=missing, published=published, planned=planned)]


def league_missing(division: Division) -> int:
    """How many games of the published league rounds have no result. One query."""
    return sum(progress.missing for progress in league.rounds(division))


def _seed_problems(knockout: Knockout, given: Sequence[Entry]) -> list[Refusal]:
    found: list[Refusal] = []
    if len(given) != knockout.size:
        found.append(SeedsMissing(size=knockout.size, given=len(given)))
    places: dict[int, int] = {}
    for number, entry in enumerate(given, 1):
        if entry.division_id != knockout.division_id:
            found.append(SeedOfAnother(number, name=entry.name, division=knockout.division.name))
        elif entry.is_withdrawn:
            found.append(SeedWithdrawn(number, name=entry.name))
        if entry.pk in places:
            found.append(SeedTwice(number, name=entry.name, one=places[entry.pk], other=number))
        places.setdefault(entry.pk, number)
    return found


def take_back_seeds(division: Division, *, actor: Actor) -> None:
    """Take the seeding back with the games that were laid out. Raises `SeedsNotConfirmed` or `KnockoutPlayed`."""
    with change(division.tournament, actor=actor, verb="take_back_seeds", division=division.name) as log:
        knockout = _required(division)
        if not knockout.seeds.exists():
            raise SeedsNotConfirmed
        _clear(log, knockout)


def cancel_knockout(division: Division, *, actor: Actor) -> None:
    """Take back the whole knock-out, its announcement too. Raises `NotAnnounced` or `KnockoutPlayed`."""
    with change(division.tournament, actor=actor, verb="cancel_knockout", division=division.name) as log:
        knockout = _required(division)
        _clear(log, knockout)
        log.delete(knockout)


def _clear(log: Change, knockout: Knockout) -> None:
    """Delete seeds, lots and open games, as long as no game has an official result."""
    played = Result.objects.filter(
        official=True, pairing__round__division=knockout.division_id, pairing__round__stage__isnull=False
    )
    if count := played.count():
        raise KnockoutPlayed(results=count)
    knockout_games.clear(log, knockout)
    log.delete_all(list(NotRecorded.objects.filter(knockout=knockout).order_by("pk")))
    log.delete_all(list(MatchLot.objects.filter(knockout=knockout).order_by("pk")))
    log.delete_all(list(Seed.objects.filter(knockout=knockout).order_by("number")))


def draw_match_lot(
    division: Division,
    *,
    stage: int,
    position: int,
    actor: Actor,
    winner: Entry | None = None,
    seed: int | None = None,
) -> MatchLot:
    """Decide by lot a match that every criterion leaves level: `winner` was drawn, or the program draws with `seed`.

    Raises `NoLotDue`, or `LotWinnerUnknown` if the winner does not play that match.
    """
    about = {"division": division.name, "seed": seed}
    with change(division.tournament, actor=actor, verb="draw_match_lot", **about) as log:
        log.rely_on(*draws_of(division.rounds.filter(stage=stage)))
        knockout = _required(division)
        match = _match(knockout, stage, position)
        name = round_names.match_name(knockout, stage, position) if match else f"{stage}/{position}"
        if match is None or match.waits_for != WaitsFor.LOT:
            raise NoLotDue(match=name)
        players = list(Entry.objects.filter(pk__in=[key for key in match.players if key is not None]).with_names())
        if seed is not None:
            winner = min(players, key=lambda entry: lots.player(seed, entry.pk))
        if winner not in players:
            raise LotWinnerUnknown(name=winner.name if winner else "–", match=name)
        log.tell(name=winner.name, knockout=round_names.stored_match(knockout, stage, position))
        lot = log.create(MatchLot(knockout=knockout, stage=stage, position=position, winner=winner))
        knockout_games.settle(log, knockout)
        return lot


def _match(knockout: Knockout, stage: int, position: int) -> Match | None:
    """The match at a place in its current state; None where there is none."""
    state = knockout_state(knockout.division)
    matches = state.bracket.matches if state else ()
    return next((match for match in matches if match.place == (stage, position)), None)


def discard_match_lot(lot: MatchLot, *, actor: Actor, disturb: Collection[int] = ()) -> None:
    """Take the lot of a match back. Raises `DisturbsLater` unless `disturb` names the results that would be lost."""
    knockout = lot.knockout
    about = {"division": knockout.division.name, "name": lot.winner.name}
    with change(knockout.division.tournament, actor=actor, verb="discard_match_lot", **about) as log:
        log.tell(knockout=round_names.stored_match(knockout, lot.stage, lot.position))
        log.delete_all(list(MatchLot.objects.filter(pk=lot.pk)))
        knockout_games.settle(log, knockout, disturb=disturb)
