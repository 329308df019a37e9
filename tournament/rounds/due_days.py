"""A league over weeks: all rounds of an all-play-all published in one act, and the days by which they are played."""

from collections.abc import Mapping
from datetime import date, timedelta

from django.utils.translation import gettext_lazy as _

from tournament.basics.refusals import Refusal
from tournament.core.change import Actor, change
from tournament.core.settings import require_paired_event, require_taking_place
from tournament.models import Division, Round
from tournament.pairing.values import Method
from tournament.rounds.drafts import draw_next_round
from tournament.rounds.operations import publish_draft
from tournament.rounds.plan import find_segment, read_round_plan
from tournament.table.league import count_planned_rounds, get_last_round_number

DAYS_BETWEEN = 7  # from one due day to the next, unless somebody says otherwise


def list_rounds_to_publish(division: Division) -> range:
    """The numbers of the planned rounds that are not published, as long as all of them are of an all-play-all; none
    otherwise. One query."""
    segments, last = read_round_plan(division.plan), count_planned_rounds(division)
    numbers = range(get_last_round_number(division) + 1, last + 1)
    fixed_methods = {Method.ROUND_ROBIN, *([Method.TEAMS] if division.tournament.teams_play_all else [])}
    is_fixed = all(find_segment(segments, number).method in fixed_methods for number in numbers)
    return numbers if is_fixed else range(0)


def publish_all_rounds(
    division: Division, *, actor: Actor, first_due_on: date | None = None, days: int = DAYS_BETWEEN
) -> int:
    """Pair and publish every round of an all-play-all that is still to come, and count them; a draft is published as it
    is. With `first_due_on` the first of them is played by that day, and each further one `days` later. Raises
    `rounds_not_fixed` where a round to come is paired by results, or none is to come, and as `draft_round` and
    `publish_round` do; then nothing is published."""
    require_paired_event(division.tournament)
    with change(division.tournament, actor=actor, verb="publish_all_rounds", division=division.name) as log:
        require_taking_place(log.tournament)
        numbers = list_rounds_to_publish(division)
        if not numbers:
            raise Refusal(
                "rounds_not_fixed",
                _(
                    "Only the rounds of a round robin can be published together. Division %(division)s has none to "
                    "come, or the plan pairs some of them by results."
                ),
                division=division.name,
            )
        log.tell(rounds=[numbers[0], numbers[-1]])
        due_days = _list_due_days(first_due_on, days, len(numbers)) if first_due_on else [None] * len(numbers)
        draft = Round.objects.league().filter(division=division, state=Round.State.DRAFT).first()
        for number, due_on in zip(numbers, due_days, strict=True):
            # A draft is published as it stands: somebody may have changed it by hand.
            round = draft if draft is not None and draft.number == number else draw_next_round(log, division)
            round.division = division
            publish_draft(log, round, actor=actor, due_on=due_on)
        return len(numbers)


def _list_due_days(first: date, days: int, count: int) -> list[date]:
    # Days and rounds are limited, the first day is not: 31 December 9999 is a date, a week later there is none.
    try:
        return [first + timedelta(days=days * rounds_later) for rounds_later in range(count)]
    except OverflowError as beyond:
        message = _("“%(day)s” is too late: the last round would be played after the year 9999.")
        raise Refusal("day_too_late", message, field="first_due_on", day=first.isoformat()) from beyond


def set_due_days(division: Division, *, due_days: Mapping[int, date | None], actor: Actor) -> None:
    """Say by which day each of these rounds (by number) is played; None: by no day. Raises `due_days_reversed` if a
    round would have to be played before an earlier one."""
    with change(division.tournament, actor=actor, verb="set_due_days", division=division.name) as log:
        before: Round | None = None
        for round in Round.objects.league().filter(division=division).in_order():
            due_on = due_days.get(round.number, round.due_on)
            if due_on != round.due_on:
                log.save(round, due_on=due_on)
            # A round without a day does not part those around it: round 3 may not be before round 1 where round 2 has
            # none.
            if due_on is None:
                continue
            if before is not None and before.due_on is not None and due_on < before.due_on:
                raise Refusal(
                    "due_days_reversed",
                    _("Round %(later)s would have to be played before round %(number)s. Change one of the two days."),
                    field=f"day_{round.number}",
                    number=before.number,
                    later=round.number,
                )
            before = round
