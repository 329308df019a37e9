"""The states of a round: draft, published, closed, and the way back; and what the director shows of it."""

from collections.abc import Sequence
from datetime import date

from django.utils.translation import gettext_lazy as _

from scoring.awards import Outcome
from tournament.basics.refusals import Refusal
from tournament.basics.showing import SHOWING_STEPS, SHOWN_AT_ONCE, SHOWN_BY_HAND, ShowingRule, ShowingStep
from tournament.core.change import Actor, Change, change
from tournament.core.records import has_game_records
from tournament.core.reports import Report
from tournament.core.second_entries import count_unsettled_results
from tournament.core.settings import require_taking_place
from tournament.core.words.rounds import format_round_name
from tournament.models import Division, Entry, Pairing, Result, Round, RoundState, Seat, Seed, Tournament
from tournament.pairing.values import Method
from tournament.results.knockout_games import update_knockout_of_round
from tournament.results.operations import GamesOpen, mark_round_open, store_result_version
from tournament.rounds.drafts import delete_draft_pairings, identify_round
from tournament.rounds.draw_request import list_present_and_charged
from tournament.rounds.team_matches import list_line_ups
from tournament.table.league import count_missing_results, list_league_rounds


class RoundStateWrong(Refusal, code="round_state"):
    message = _("Round %(number)s is “%(state)s”; this is not possible now.")


class ResultsNotSettled(Refusal, code="not_settled"):
    """A question: with `accept_unsettled` the round is closed all the same."""

    message = _(
        "Results of round %(number)s not typed a second time, or different: %(count)s. Settle them first, or close "
        "the round anyway."
    )


def publish_round(round: Round, *, actor: Actor) -> None:
    """Show a draft to the players, with results for byes and absences, and close earlier rounds that are complete.
    Publishing twice changes nothing. Raises `called_off`, `not_paired` while somebody has no opponent, and
    `attendance_changed` if a seated player no longer takes part, or one marked absent does."""
    with change(round.division.tournament, actor=actor, verb="publish_round", **identify_round(round)) as log:
        # Asked of the database, now that the event is locked: pressed on two machines the button publishes once.
        if Round.objects.get(pk=round.pk).is_draft:
            publish_draft(log, round, actor=actor)


def publish_draft(log: Change, round: Round, *, actor: Actor, due_on: date | None = None) -> None:
    """`publish_round` within a change that is open, for a round that is a draft; `due_on`: by when it is played."""
    require_taking_place(log.tournament)
    due = _list_due_entries(round)
    # Asked within the lock, although the page has shown it: between the two somebody may have been withdrawn.
    if refusals := list_publishing_refusals(round, due):
        raise refusals[0]
    # Copied into the round: a rule that is changed later holds for rounds to come, and takes back nothing that hangs on
    # the wall.
    columns = ShowingRule.of(log.tournament).columns
    log.save(round, state=Round.State.PUBLISHED, published_at=log.now, due_on=due_on or round.due_on, **columns)
    for entry in due:  # that somebody plays who missed the last game was said of this round alone
        if entry.present and entry.expected:
            log.save(entry, expected=False)
    for pairing in Pairing.objects.filter(round=round).exclude(kind=Pairing.Kind.GAME).order_by("pk"):
        store_result_version(log, pairing, Report(Outcome(pairing.kind)), [], actor=actor, how=Result.How.PAIRING)
    close_complete_rounds(log, round.division, before=round.number)
    update_knockout_of_round(log, round)


def list_publishing_refusals(round: Round, due: Sequence[Entry] | None = None) -> list[Refusal]:
    """Why a draft cannot be published now (`not_paired`, `attendance_changed`); `due`: the entries that should play,
    where they have been listed. Two queries; where they have not, four more."""
    refusals = []
    if names := [entry.name for entry in list_unpaired_entries(round, due)]:
        refusal = Refusal(
            "not_paired",
            _("Round %(number)s cannot be published: %(names)s have no opponent and no bye yet."),
            number=round.number,
            names="; ".join(names),
        )
        refusals.append(refusal)
    # Drafts are drawn in the morning: whoever was withdrawn over coffee still sits in them, and whoever came after
    # all stands as absent.
    if names := [entry.name for entry in list_misplaced_entries(round, due)]:
        refusal = Refusal(
            "attendance_changed",
            _(
                "Round %(number)s cannot be published: since it was drafted, something has changed for "
                "%(names)s (withdrawn, absent or back again). Pair the rest anew."
            ),
            number=round.number,
            names="; ".join(names),
        )
        refusals.append(refusal)
    return refusals


def list_unpaired_entries(round: Round, due: Sequence[Entry] | None = None) -> list[Entry]:
    """The entries that should play in a draft (`due`, where they have been listed) and have no seat in it. One query,
    two more where they have not."""
    seated = set(Seat.objects.filter(round=round).values_list("entry_id", flat=True))
    return [entry for entry in (_list_due_entries(round) if due is None else due) if entry.pk not in seated]


def _list_due_entries(round: Round) -> list[Entry]:
    """Who is to be paired in a draft: in team matches those who line up. Two queries."""
    present, _charged = list_present_and_charged(round.division, round.number)
    if round.method != Method.TEAMS:
        return present
    line_ups = list_line_ups(present, round.division.tournament.team_best)
    return [entry for boards in line_ups.values() for entry in boards]


def list_misplaced_entries(round: Round, due: Sequence[Entry] | None = None) -> list[Entry]:
    """The entries at a table of a draft who no longer take part, and those marked absent who do; `due` as above. One
    query, another one for their names where there are some, two more where `due` is not given."""
    playing = {entry.pk for entry in (_list_due_entries(round) if due is None else due)}
    seats = Seat.objects.filter(round=round).order_by("pk").values_list("entry_id", "pairing__kind")
    # Out of place is who sits and does not play, and who is marked absent and does: in both cases the two answers are
    # the same.
    misplaced = [entry for entry, kind in seats if (entry in playing) == (kind == Pairing.Kind.ABSENT)]
    entries = Entry.objects.with_names().in_bulk(misplaced) if misplaced else {}
    return [entries[entry] for entry in misplaced]


def close_complete_rounds(log: Change, division: Division, *, before: int | None = None) -> None:
    """Close the published rounds (those before round `before`) that lack no result, within a change that is open. One
    with results that are not settled stays open until somebody closes it."""
    for progress in list_league_rounds(division):
        round = progress.round
        # The object at hand, with its event: read by the round itself both would be fetched once for each round.
        round.division = division
        is_asked = before is None or round.number < before
        is_complete = round.state == Round.State.PUBLISHED and not progress.missing
        if is_asked and is_complete and not count_unsettled_results(round):
            log.save(round, state=Round.State.CLOSED, closed_at=log.now)


def close_round(round: Round, *, actor: Actor, accept_unsettled: bool = False) -> None:
    """Close a round: later changes are corrections. Raises `GamesOpen`, or `ResultsNotSettled` unless accepted."""
    with change(round.division.tournament, actor=actor, verb="close_round", **identify_round(round)) as log:
        _require_round_state(round, Round.State.PUBLISHED)
        # Missing results first: of those typed only once the director may say that they are enough, of a missing one
        # nobody.
        if missing := count_missing_results(round.division, round.number):
            raise GamesOpen(number=round.number, missing=missing)
        if (unsettled := count_unsettled_results(round)) and not accept_unsettled:
            raise ResultsNotSettled(number=round.number, count=unsettled)
        log.save(round, state=Round.State.CLOSED, closed_at=log.now)


def reopen_round(round: Round, *, actor: Actor) -> None:
    """Open a closed round for results again. What the public has seen since it was closed stays seen."""
    with change(round.division.tournament, actor=actor, verb="reopen_round", **identify_round(round)) as log:
        _require_round_state(round, Round.State.CLOSED)
        mark_round_open(log, round)


def unpublish_round(round: Round, *, actor: Actor) -> None:
    """Make the last published round a draft again, as long as no result and no record of its games exists."""
    with change(round.division.tournament, actor=actor, verb="unpublish_round", **identify_round(round)) as log:
        _require_round_state(round, Round.State.PUBLISHED)
        later = Round.objects.league().filter(division=round.division, number__gt=round.number).order_by("number")
        if following := later.first():
            raise Refusal(
                "later_round",
                _("Round %(later)s follows round %(number)s. Only the last round can be taken back."),
                number=round.number,
                later=following.number,
            )
        # The seeding is a copy of this round's table. As a draft again the round may be drawn otherwise, and the
        # bracket would stand on games that were never played.
        if Seed.objects.filter(knockout__division=round.division).exists():
            raise Refusal(
                "seeded_from_table",
                _(
                    "The knock-out is seeded from the table including round %(number)s. Take the seeding "
                    "back first, before any knock-out game is played."
                ),
                number=round.number,
            )
        typed_results = Result.objects.filter(pairing__round=round).exclude(how=Result.How.PAIRING)
        # Withdrawn versions count as well: they stay on record, and a draft has no games that they could be of.
        if count := typed_results.filter(official=True).count() or typed_results.count():
            raise Refusal(
                "has_results",
                _("Round %(number)s already has results (%(results)s). Withdraw them first to take the pairings back."),
                number=round.number,
                results=count,
            )
        if has_game_records(round):
            raise Refusal(
                "has_records",
                _(
                    "Round %(number)s stays published: its games have score sheets, photos or referee's "
                    "notes, which would be lost with the pairings."
                ),
                number=round.number,
            )
        # Those of byes and absences, which publishing wrote and will write again: by then somebody else may have the
        # bye.
        log.delete_all(list(Result.objects.filter(pairing__round=round).order_by("pk")))
        log.save(round, state=Round.State.DRAFT, published_at=None)


def discard_draft(round: Round, *, actor: Actor) -> None:
    """Throw a draft away."""
    with change(round.division.tournament, actor=actor, verb="discard_draft", **identify_round(round)) as log:
        _require_round_state(round, Round.State.DRAFT)
        delete_draft_pairings(log, round)
        log.delete(round)


def _require_round_state(round: Round, state: RoundState) -> None:
    """Refuse unless the round, now that the tournament is locked, is in that state and not of the knock-out."""
    stored = Round.objects.filter(pk=round.pk).first()
    if stored is not None and stored.is_knockout:
        raise Refusal(
            "round_of_knockout",
            _("“%(name)s” belongs to the knock-out: its games follow from the results; take those back instead."),
            name=format_round_name(round),
        )
    if stored is None or stored.state != state:
        raise RoundStateWrong(number=round.number, state=stored.get_state_display() if stored else "–")


# What the director shows of a round, or holds back, where it is not what the tournament's rule says.
# What is seen contains all before it: whoever shows the table shows results and pairings, whoever holds the pairings
# back holds back everything.


def show_round_step(round: Round, step: ShowingStep, *, actor: Actor) -> None:
    """Show this of a round now, and all before it. Raises `RoundStateWrong` for a draft."""
    steps = SHOWING_STEPS[: SHOWING_STEPS.index(step) + 1]
    details = {"step": step.value, **identify_round(round)}
    with change(round.division.tournament, actor=actor, verb="show_round", **details) as log:
        _save_shown_steps(log, round, {step.column: SHOWN_AT_ONCE for step in steps})


def hold_back_round_step(round: Round, step: ShowingStep, *, actor: Actor) -> None:
    """Hide this of a round, and all behind it, until it is shown by hand. Raises `RoundStateWrong` for a draft."""
    steps = SHOWING_STEPS[SHOWING_STEPS.index(step) :]
    details = {"step": step.value, **identify_round(round)}
    with change(round.division.tournament, actor=actor, verb="hold_back", **details) as log:
        _save_shown_steps(log, round, {step.column: SHOWN_BY_HAND for step in steps})


def show_all_rounds(tournament: Tournament, *, actor: Actor) -> None:
    """Show everything of all public rounds of an event now."""
    with change(tournament, actor=actor, verb="show_all_rounds") as log:
        for round in Round.objects.public().filter(division__tournament=log.tournament).order_by("pk"):
            _save_shown_steps(log, round, {step.column: SHOWN_AT_ONCE for step in SHOWING_STEPS})


def show_round_as_usual(round: Round, *, actor: Actor) -> None:
    """Let the tournament's rule say what is seen of a round. Raises `RoundStateWrong` for a draft."""
    with change(round.division.tournament, actor=actor, verb="show_as_usual", **identify_round(round)) as log:
        _save_shown_steps(log, round, ShowingRule.of(log.tournament).columns)


def _save_shown_steps(log: Change, round: Round, columns: dict[str, str]) -> None:
    stored = Round.objects.get(pk=round.pk)
    if stored.is_draft:
        raise RoundStateWrong(number=round.number, state=stored.get_state_display())
    log.save(stored, **columns)
