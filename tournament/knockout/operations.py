"""The knock-out: announced, seeded, taken back, level matches decided (games: `tournament.results.knockout_games`)."""

from collections.abc import Collection, Sequence
from dataclasses import replace

from django.utils.translation import gettext_lazy as _

from scoring.knockout_forms import SYSTEM_SIZES
from scoring.knockout_values import FactKind, KnockoutSystem, Match, MatchCriterion, MatchFormat, WaitsFor
from scoring.rulesets.values import Ruleset
from tournament.basics import limits
from tournament.basics.names import normalise_text, remove_invisible_marks
from tournament.basics.refusals import NotPrintable, Refusal, Refusals, find_length_refusals, find_range_refusals
from tournament.core.change import Actor, Change, change
from tournament.core.seen import list_draw_things, list_results_things
from tournament.core.settings import require_paired_event, require_taking_place
from tournament.core.words.figures import format_clause
from tournament.core.words.rounds import format_match_name, format_system_sizes, make_match_details
from tournament.knockout.plan import KnockoutPlan
from tournament.knockout.words import MATCH_CRITERION_NAMES, format_fact_name
from tournament.models import Division, Entry, Knockout, MatchLot, NotRecorded, Result, Round, Seed
from tournament.models.choices import KNOCKOUT_SYSTEM_LABELS, MATCH_FORMAT_LABELS
from tournament.results.knockout_games import delete_knockout_games, update_knockout_games
from tournament.results.knockout_state import get_stored_knockout, load_knockout_state
from tournament.rounds.operations import close_complete_rounds
from tournament.table.league import (
    LeagueTable,
    TableRow,
    count_planned_rounds,
    get_last_round_number,
    list_league_rounds,
    load_table,
)
from tournament.table.lots import order_by_lot

FEWEST_FOR_THIRD_PLACE = 4  # with fewer players, no two have lost a semi-final


class SeedsConfirmed(Refusal, code="seeds_confirmed"):
    message = _("The seeding of the knock-out is confirmed. Take it back first, before any knock-out game is played.")


class LeagueUnfinished(Refusal, code="league_unfinished", field="accept_missing"):
    """A question: the table may still change; with `accept_missing` the knock-out is seeded anyway."""

    message = _(
        "The table is not complete: results missing: %(missing)s; rounds published: %(published)s of %(planned)s. "
        "Enter what is missing, or say that the seeding should stand anyway."
    )


def find_knockout_problems(plan: KnockoutPlan, rules: Ruleset) -> list[Refusal]:
    """Everything that is wrong with a plan that is to be announced."""
    clauses = rules.clauses.knockout
    series = format_clause(clauses.best_of)
    # The system is asked about a possible size only: of 1,000 players it would refuse once more, with other limits.
    problems = find_range_refusals("size", plan.size, limits.KNOCKOUT_SIZE) or _find_system_problems(plan)
    if plan.form not in list(MatchFormat):
        allowed = ", ".join(map(str, MATCH_FORMAT_LABELS.values()))
        message = _("“%(value)s” is not a form of a knock-out match%(clause)s. Possible are: %(allowed)s.")
        clause = format_clause(clauses.forms)
        problems.append(Refusal("form_unknown", message, field="form", value=plan.form, clause=clause, allowed=allowed))
    elif plan.form == MatchFormat.BEST_OF:
        if plan.best_of is None or not limits.BEST_OF.holds(plan.best_of) or plan.best_of % 2 == 0:
            best_of = "–" if plan.best_of is None else plan.best_of
            message = _("Best of %(value)s is not possible: N is odd, from 1 to %(high)s%(clause)s.")
            high = limits.BEST_OF.high
            problems.append(
                Refusal("series_not_odd", message, field="best_of", value=best_of, high=high, clause=series)
            )
    elif plan.best_of is not None:
        message = _("A number of games (%(value)s) is only for the form “best of N”%(clause)s; leave it empty here.")
        problems.append(Refusal("series_without_form", message, field="best_of", value=plan.best_of, clause=series))
    problems += _find_criteria_problems(plan, rules)
    if plan.third_place and plan.system != KnockoutSystem.SINGLE and plan.system in list(KnockoutSystem):
        message = _(
            "A match for third place is announced for “%(single)s” only; “%(system)s” settles that place itself."
        )
        single, system = (
            KNOCKOUT_SYSTEM_LABELS[KnockoutSystem.SINGLE],
            KNOCKOUT_SYSTEM_LABELS[KnockoutSystem(plan.system)],
        )
        problems.append(Refusal("third_place_settled", message, field="third_place", single=single, system=system))
    elif plan.third_place and plan.size < FEWEST_FOR_THIRD_PLACE:
        message = _("A match for third place needs %(least)s players in the knock-out; %(size)s are announced.")
        problems.append(
            Refusal("no_third_place", message, field="third_place", least=FEWEST_FOR_THIRD_PLACE, size=plan.size)
        )
    return problems


def _find_system_problems(plan: KnockoutPlan) -> list[Refusal]:
    """That a system is none, or is not played by so many."""
    if plan.system not in list(KnockoutSystem):
        allowed = ", ".join(map(str, KNOCKOUT_SYSTEM_LABELS.values()))
        message = _("“%(value)s” is not a system of a knock-out. Possible are: %(allowed)s.")
        return [Refusal("system_unknown", message, field="system", value=plan.system, allowed=allowed)]
    system = KnockoutSystem(plan.system)
    if plan.size in SYSTEM_SIZES[system]:
        return []
    message = _("“%(system)s” is for %(sizes)s players, not for %(size)s.")
    figures = {"system": KNOCKOUT_SYSTEM_LABELS[system], "sizes": format_system_sizes(system), "size": plan.size}
    return [Refusal("system_size", message, field="size", **figures)]


def _find_criteria_problems(plan: KnockoutPlan, rules: Ruleset) -> list[Refusal]:
    criteria = plan.criteria
    allowed = ", ".join(str(name) for name in MATCH_CRITERION_NAMES.values())
    book = rules.clauses.knockout.level or rules.name
    if unknown := [name for name in criteria if name not in list(MatchCriterion)]:
        message = _("“%(value)s” is not a criterion of %(rules)s. Possible are: %(allowed)s.")
        figures = {"rules": book, "allowed": allowed}
        return [Refusal("criterion_unknown", message, field="criteria", value=name, **figures) for name in unknown]
    if long := find_length_refusals("own_criterion", plan.own_criterion, limits.OWN_CRITERION):
        return long
    if not plan.own_criterion.isprintable():
        return [NotPrintable(field="own_criterion", value=plan.own_criterion)]
    if (MatchCriterion.OWN in criteria) != bool(plan.own_criterion):
        message = _("Your own criterion needs a place in the order and its words.")
        return [Refusal("own_criterion", message, field="own_criterion")]
    twice = sorted({name for name in criteria if criteria.count(name) > 1})
    names = ", ".join(str(MATCH_CRITERION_NAMES[MatchCriterion(name)]) for name in twice)
    message = _("A criterion is in the order twice: %(value)s. Name each one once.")
    return [Refusal("criterion_twice", message, field="criteria", value=names)] if twice else []


def announce_knockout(division: Division, *, plan: KnockoutPlan, actor: Actor) -> Knockout:
    """Announce a knock-out or change it until seeded. Raises `Refusals`, `nobody_paired` or `SeedsConfirmed`."""
    require_paired_event(division.tournament)
    plan = replace(plan, own_criterion=normalise_text(remove_invisible_marks(plan.own_criterion)))
    if faults := find_knockout_problems(plan, division.tournament.rules):
        raise Refusals(faults)
    about = {"division": division.name, "size": plan.size}
    with change(division.tournament, actor=actor, verb="announce_knockout", **about) as log:
        return write_knockout_plan(log, division, plan)


def write_knockout_plan(log: Change, division: Division, plan: KnockoutPlan) -> Knockout:
    """`announce_knockout` within a change that is open, for a plan without faults."""
    knockout = get_stored_knockout(division)
    if knockout is None:
        return log.create(Knockout(division=division, **plan.fields()))
    if knockout.seeds.exists():
        raise SeedsConfirmed
    log.save(knockout, **plan.fields())
    return knockout


def list_rows_to_seed(table: LeagueTable) -> list[TableRow]:
    """The rows of everybody who can be seeded, those who have not withdrawn, in the order of the table; without a game
    in it the highest rating first, the unrated as they were entered. No query."""
    rows = [row for row in table.rows if not row.entry.is_withdrawn]
    if any(row.standing.games for row in rows):
        return rows
    # An event of nothing but a knock-out has a table in the order of the entries, which says nothing of strength. The
    # sort is stable, so that the unrated stay in that order.
    return sorted(rows, key=lambda row: -(row.entry.rating or 0))


def propose_seeds(table: LeagueTable) -> list[Entry]:
    """Everybody who can be seeded, as `list_rows_to_seed` has them. No query."""
    return [row.entry for row in list_rows_to_seed(table)]


def confirm_seeds(
    division: Division, *, actor: Actor, seeds: Sequence[Entry] | None = None, accept_missing: bool = False
) -> Knockout:
    """Seed the knock-out, best first, and lay out its first games; without `seeds`, in the order of the table. Raises
    `called_off`, `not_announced`, `SeedsConfirmed`, `draft_open`, or `Refusals` with everything that is wrong with the
    seeds, `LeagueUnfinished` among it unless that is accepted."""
    with change(division.tournament, actor=actor, verb="confirm_seeds", division=division.name) as log:
        # The seeding writes no result but rests on all of them: one that was corrected since the page was shown may
        # change who is seeded.
        log.rely_on(*list_results_things(division))
        require_taking_place(log.tournament)
        knockout = _require_knockout(division)
        if knockout.seeds.exists():
            raise SeedsConfirmed
        unfinished = _find_unfinished_league(division, accept_missing=accept_missing)
        chosen_seeds = list(propose_seeds(load_table(knockout.division))[: knockout.size] if seeds is None else seeds)
        # As they are now: somebody may have withdrawn or moved since the page was shown.
        stored = {entry.pk: entry for entry in Entry.objects.filter(pk__in=[e.pk for e in chosen_seeds]).with_names()}
        # Somebody who was deleted since is left out here, and missed by the count of seeds.
        faults = _find_seed_problems(knockout, [stored[entry.pk] for entry in chosen_seeds if entry.pk in stored])
        if faults or unfinished:
            raise Refusals([*unfinished, *faults])
        log.tell(names=[entry.name for entry in chosen_seeds])
        log.create_all(
            Seed(knockout=knockout, number=number, entry=entry) for number, entry in enumerate(chosen_seeds, 1)
        )
        close_complete_rounds(log, division)
        update_knockout_games(log, knockout)
        return knockout


def _require_knockout(division: Division) -> Knockout:
    knockout = get_stored_knockout(division)
    if knockout is None:
        raise Refusal(
            "not_announced", _("Division %(division)s has no knock-out. Announce one first."), division=division.name
        )
    return knockout


def _find_unfinished_league(division: Division, *, accept_missing: bool) -> list[Refusal]:
    """The question whether to seed although the table may still change. Raises `draft_open`."""
    # No question that a yes could answer: once the knock-out is seeded no further round of the league is paired, and
    # the draft would be left over.
    if draft := Round.objects.league().filter(division=division, state=Round.State.DRAFT).first():
        raise Refusal(
            "draft_open",
            _("Round %(number)s is still a draft. Publish and play it, or discard it; then seed the knock-out."),
            number=draft.number,
        )
    missing, published, planned = count_league_progress(division)
    if accept_missing or not (missing or published < planned):
        return []
    return [LeagueUnfinished(missing=missing, published=published, planned=planned)]


def count_league_progress(division: Division) -> tuple[int, int, int]:
    """How many games of the published league rounds have no result, and how many rounds are published and planned."""
    missing, published = sum(round.missing for round in list_league_rounds(division)), get_last_round_number(division)
    # A round beyond the plan counts as planned: nobody is to read “8 of 7 rounds”.
    return missing, published, max(count_planned_rounds(division), published)


def _find_seed_problems(knockout: Knockout, seeds: Sequence[Entry]) -> list[Refusal]:
    problems: list[Refusal] = []
    if len(seeds) != knockout.size:
        message = _("The knock-out is for %(size)s players; %(given)s are seeded.")
        problems.append(Refusal("seeds_missing", message, field="seeds", size=knockout.size, given=len(seeds)))
    places: dict[int, int] = {}
    for number, entry in enumerate(seeds, 1):
        field, name = f"seed_{number}", entry.name
        if entry.division_id != knockout.division_id:
            message = _("%(name)s does not play in division %(division)s and cannot be seeded there.")
            problems.append(
                Refusal("seed_of_another", message, field=field, name=name, division=knockout.division.name)
            )
        elif entry.is_withdrawn:
            message = _("%(name)s has withdrawn. Let the player back in first, or seed somebody else.")
            problems.append(Refusal("seed_withdrawn", message, field=field, name=name))
        if entry.pk in places:
            message = _("%(name)s is in the seeding twice, as number %(one)s and as number %(other)s.")
            problems.append(Refusal("seed_twice", message, field=field, name=name, one=places[entry.pk], other=number))
        places.setdefault(entry.pk, number)
    return problems


def take_back_seeds(division: Division, *, actor: Actor) -> None:
    """Take back the seeding with the games laid out. Raises `seeds_not_confirmed` or `knockout_played`."""
    with change(division.tournament, actor=actor, verb="take_back_seeds", division=division.name) as log:
        knockout = _require_knockout(division)
        if not knockout.seeds.exists():
            raise Refusal("seeds_not_confirmed", _("The seeding of the knock-out is not confirmed."))
        _clear_knockout(log, knockout)


def cancel_knockout(division: Division, *, actor: Actor) -> None:
    """Take back the whole knock-out with its announcement. Raises `not_announced` or `knockout_played`."""
    with change(division.tournament, actor=actor, verb="cancel_knockout", division=division.name) as log:
        knockout = _require_knockout(division)
        _clear_knockout(log, knockout)
        log.delete(knockout)


def _clear_knockout(log: Change, knockout: Knockout) -> None:
    """Delete seeds, lots and open games. Raises `knockout_played` if a game has an official result."""
    played = Result.objects.filter(
        official=True, pairing__round__division=knockout.division_id, pairing__round__stage__isnull=False
    )
    if count := played.count():
        raise Refusal(
            "knockout_played",
            _("The knock-out already has results (%(results)s). Withdraw them first to take the seeding back."),
            results=count,
        )
    # In an order in which nothing refers to what is gone: an undo goes backwards through it.
    delete_knockout_games(log, knockout)
    log.delete_all(list(NotRecorded.objects.filter(knockout=knockout).order_by("pk")))
    log.delete_all(list(MatchLot.objects.filter(knockout=knockout).order_by("pk")))
    log.delete_all(list(Seed.objects.filter(knockout=knockout).order_by("number")))


def draw_match_lot(
    division: Division, *, stage: int, position: int, actor: Actor, winner: Entry | None = None, seed: int | None = None
) -> MatchLot:
    """Decide a match that every criterion leaves level: `winner` was drawn by hand, or the program draws with `seed`.
    Raises `no_lot_due`, or `lot_winner` if the winner does not play that match."""
    about = {"division": division.name, "seed": seed}
    with change(division.tournament, actor=actor, verb="draw_match_lot", **about) as log:
        # The page showed who plays this match. If others do by now, nobody has asked for their lot.
        log.rely_on(*list_draw_things(division.rounds.filter(stage=stage)))
        return _enter_winner(log, division, MatchLot(stage=stage, position=position, winner=winner), seed)


def enter_match_winner(
    division: Division, *, stage: int, position: int, actor: Actor, winner: Entry | None
) -> MatchLot:
    """Decide a level match by the announcement's own criterion: `winner` won by it. Raises `no_winner_due`, or
    `lot_winner` if the winner does not play that match."""
    with change(division.tournament, actor=actor, verb="enter_match_winner", division=division.name) as log:
        log.rely_on(*list_draw_things(division.rounds.filter(stage=stage)))
        entered = MatchLot(stage=stage, position=position, winner=winner, by_own_criterion=True)
        return _enter_winner(log, division, entered)


def _enter_winner(log: Change, division: Division, lot: MatchLot, seed: int | None = None) -> MatchLot:
    """Store whom the lot, drawn here with a `seed`, or the own criterion lets win; one that did not count any more
    goes."""
    knockout, stage, position = _require_knockout(division), lot.stage, lot.position
    match = _find_match(knockout, stage, position)
    name = format_match_name(knockout, stage, position) if match else f"{stage}/{position}"
    if match is None or match.waits_for != (WaitsFor.OWN if lot.by_own_criterion else WaitsFor.LOT):
        raise (
            Refusal(
                "no_winner_due",
                _("%(match)s does not wait for a winner by the announcement’s own criterion."),
                match=name,
            )
            if lot.by_own_criterion
            else Refusal(
                "no_lot_due",
                _("%(match)s does not need lots: lots are drawn only when all other criteria are equal."),
                match=name,
            )
        )
    players = list(Entry.objects.filter(pk__in=[key for key in match.players if key is not None]).with_names())
    if seed is not None:
        lot.winner = order_by_lot(players, seed=seed)[0]
    if lot.winner not in players:
        raise Refusal(
            "lot_winner",
            _("%(name)s does not play in %(match)s."),
            field="winner",
            name=lot.winner.name if lot.winner else "–",
            match=name,
        )
    log.tell(name=lot.winner.name, knockout=make_match_details(knockout, stage, position))
    if lot.by_own_criterion:
        log.tell(why=knockout.own_criterion)
    # One that is there does not count, or the match would not wait: a correction has made it void. The database allows
    # one for each match.
    log.delete_all(list(MatchLot.objects.filter(knockout=knockout, stage=stage, position=position)))
    lot.knockout = knockout
    log.create(lot)
    update_knockout_games(log, knockout)
    return lot


def _find_match(knockout: Knockout, stage: int, position: int) -> Match | None:
    """The match at a place in its current state; None if there is none."""
    state = load_knockout_state(knockout.division)
    matches = state.bracket.matches if state else ()
    return next((match for match in matches if match.place == (stage, position)), None)


def discard_match_lot(lot: MatchLot, *, actor: Actor, disturb: Collection[int] = ()) -> None:
    """Take the lot of a match back, or the winner by the own criterion. Raises `LaterGamesDisturbed` unless `disturb`
    has the results lost by it."""
    knockout = lot.knockout
    about = {"division": knockout.division.name, "name": lot.winner.name}
    if lot.by_own_criterion:
        about["why"] = knockout.own_criterion
        opened = change(knockout.division.tournament, actor=actor, verb="take_back_match_winner", **about)
    else:
        opened = change(knockout.division.tournament, actor=actor, verb="discard_match_lot", **about)
    with opened as log:
        log.tell(knockout=make_match_details(knockout, lot.stage, lot.position))
        log.delete_all(list(MatchLot.objects.filter(pk=lot.pk)))
        update_knockout_games(log, knockout, disturb=disturb)


# What was never written down of a match or does not decide it, so that the match need not wait for it (TSO 6.2.4).


def mark_fact_not_recorded(
    division: Division, *, stage: int, position: int, fact: FactKind, actor: Actor
) -> NotRecorded:
    """Note that nobody wrote down what a match waits for, or that the own criterion does not decide; the next one does.
    Refused if the match does not wait for it."""
    with change(division.tournament, actor=actor, verb="say_not_recorded", division=division.name) as log:
        knockout = _require_knockout(division)
        match, label = _find_match(knockout, stage, position), format_fact_name(fact, knockout.own_criterion)
        if match is None or match.awaited_fact != fact:
            name = format_match_name(knockout, stage, position) if match else f"{stage}/{position}"
            raise Refusal("not_waited_for", _("%(match)s does not wait for this: %(fact)s."), match=name, fact=label)
        log.tell(name=label, knockout=make_match_details(knockout, stage, position))
        row = log.create(NotRecorded(knockout=knockout, stage=stage, position=position, fact=fact.value))
        update_knockout_games(log, knockout)
        return row


def unmark_fact_not_recorded(said: NotRecorded, *, actor: Actor, disturb: Collection[int] = ()) -> None:
    """Let the match wait for the figures again. Raises `LaterGamesDisturbed` unless `disturb` has the results lost."""
    knockout = said.knockout
    about = {"division": knockout.division.name, "name": format_fact_name(FactKind(said.fact), knockout.own_criterion)}
    with change(knockout.division.tournament, actor=actor, verb="take_back_not_recorded", **about) as log:
        log.tell(knockout=make_match_details(knockout, said.stage, said.position))
        log.delete_all(list(NotRecorded.objects.filter(pk=said.pk)))
        update_knockout_games(log, knockout, disturb=disturb)
