"""Attendance: who is there on the day, who misses a round, who leaves and who comes back."""

from collections.abc import Collection, Mapping
from enum import StrEnum

from django.db.models import Exists, F, OuterRef, Q
from django.utils.timezone import localdate
from django.utils.translation import gettext_lazy as _

from scoring.awards import AwardReason, Outcome
from tournament.basics import limits
from tournament.basics.refusals import NumberOutOfRange, Refusal
from tournament.core.change import Actor, Change, change
from tournament.core.fees import FeeTerms
from tournament.core.reports import Report
from tournament.core.seen import get_rounds_thing, list_presence_things
from tournament.core.words.figures import format_clause
from tournament.core.words.rounds import format_table_name
from tournament.entries.operations.entries import charge_missed_rounds, load_stored_entry
from tournament.entries.operations.waiting_list import move_up_waiting_list
from tournament.models import Absence, Division, Entry, Pairing, Result, Round, Seat, Tournament
from tournament.results.operations import store_result_version
from tournament.rounds.drafts import draw_without_absentees, update_draft_reasons
from tournament.rounds.draw_request import list_present_and_charged, map_no_shows
from tournament.rounds.overdue import require_open_game
from tournament.table.league import get_last_round_number


class AbsenteeDecision(StrEnum):
    """What becomes of a player who is not there when the check-in closes."""

    OUT = "out"  # misses the round
    WITHDRAWN = "withdrawn"
    EXPECTED = "expected"  # is paired as if they were there
    PLAYS = "plays"  # is there, also for a round after one that they did not play


class RoundBehind(Refusal, code="round_behind", field="number"):
    message = _(
        "Round %(number)s is already published. A player who did not show up there loses by forfeit; enter that result."
    )


def list_games_left(entry: Entry) -> list[Pairing]:
    """The published games of a league over weeks that a player has still to play, and the byes whose day is to come, by
    round. None where a game of the last published round is all that is open, as on the day of an event. Four
    queries."""
    official = Result.objects.filter(pairing=OuterRef("pk"), official=True)
    is_open = Q(kind=Pairing.Kind.GAME) & ~Exists(official)
    # A bye whose day has passed was theirs and stays; one to come may still become a round missed.
    is_to_come = Q(kind=Pairing.Kind.BYE, round__due_on__gte=localdate())
    pairings = Pairing.objects.filter(is_open | is_to_come, seats__entry=entry, round__stage=None).public()
    open_pairings = list(pairings.select_related("round").with_players().order_by("round__number"))
    last = get_last_round_number(entry.division) if open_pairings else 0
    return open_pairings if any(item.round.due_on or item.round.number < last for item in open_pairings) else []


def find_earliest_leave(entry: Entry, games: Collection[Pairing] = ()) -> int:
    """The last published round in which a player has a game or a bye besides these `games`, so that they cannot leave
    before it; 0 if none. In a league games of later rounds, too, are published: those that they lose by award, and
    rounds missed, do not count. One query."""
    # A game that they have lost by award holds nobody: otherwise, with all rounds published, whoever did not come to
    # the last one could never leave before it.
    at_fault = Q(side=Seat.FIRST, pairing__results__outcome=Outcome.FIRST_FORFEITS)
    at_fault |= Q(side=Seat.SECOND, pairing__results__outcome=Outcome.SECOND_FORFEITS)
    at_fault |= Q(pairing__results__outcome=Outcome.BOTH_FORFEIT)
    lost = Seat.objects.filter(at_fault, pk=OuterRef("pk"), pairing__results__official=True)
    seats = Seat.objects.filter(entry=entry, round__stage=None).exclude(round__state=Round.State.DRAFT)
    seats = seats.exclude(pairing__kind=Pairing.Kind.ABSENT).exclude(Exists(lost))
    last = seats.exclude(pairing__in=games).order_by(F("round__number").desc()).values_list("round__number", flat=True)
    return last.first() or 0


def withdraw_entry(
    entry: Entry,
    *,
    actor: Actor,
    after: int | None = None,
    disqualified: bool = False,
    awarded: Collection[int] = (),
) -> None:
    """Let a player leave after round `after` (None: the last published one; 0: before the first), or say that they are
    `disqualified` from the event; the next on the waiting list moves up. Of their published games those `awarded` (by
    pairing) count for the opponents, and a bye among them as a round missed. Raises `paired_later` for any other after
    that round, `has_result` if one of these has a result by now, or `knockout_game_open` if a published game of the
    knock-out waits for them."""
    verb = "disqualify" if disqualified else "withdraw"
    with change(entry.tournament, actor=actor, verb=verb, **_get_journal_details(entry), after=after) as log:
        stored = load_stored_entry(entry)
        last = get_last_round_number(stored.division) if after is None else after
        if not limits.AFTER_ROUND.holds(last):
            raise NumberOutOfRange(field="after", value=last, **limits.AFTER_ROUND.ends)
        _award_games(log, stored, awarded, actor=actor, disqualified=disqualified)
        write_withdrawal(log, stored, last, disqualified=disqualified)
        update_draft_reasons(log, stored.division)
    # Behind the change and not within it: whoever takes the withdrawal back does not take the place from the one who
    # has moved up.
    move_up_waiting_list(entry.tournament, actor=actor)


def _award_games(log: Change, entry: Entry, awarded: Collection[int], *, actor: Actor, disqualified: bool) -> None:
    """Count published games of a player who leaves as not played by them, nor by an opponent who has left before."""
    pairings = Pairing.objects.filter(pk__in=awarded, seats__entry=entry, round__stage=None).public()
    for pairing in pairings.select_related("round").with_players().order_by("round__number"):
        if pairing.second is None:
            # A bye to come would be a win for somebody who has left: it becomes a round missed.
            if pairing.kind != Pairing.Kind.ABSENT:
                log.save(pairing, kind=Pairing.Kind.ABSENT)
            report = Report(Outcome.ABSENT)
        else:
            require_open_game(pairing)
            sides = (pairing.first, pairing.second)
            # Of two who have both left nobody can win: the game is lost for both, each for a reason of their own.
            missing = [player.pk == entry.pk or player.is_withdrawn for player in sides]
            reasons = [
                AwardReason.DISQUALIFIED
                if player.disqualified or (disqualified and player.pk == entry.pk)
                else AwardReason.NO_SHOW
                for player in sides
            ]
            if all(missing):
                second_reason = reasons[1] if reasons[1] != reasons[0] else None
                report = Report(Outcome.BOTH_FORFEIT, reason=reasons[0], second_reason=second_reason)
            else:
                outcome = Outcome.FIRST_FORFEITS if missing[0] else Outcome.SECOND_FORFEITS
                report = Report(outcome, reason=reasons[missing.index(True)])
        versions = list(pairing.results.order_by("version"))
        store_result_version(log, pairing, report, versions, actor=actor, how=Result.How.TYPED)
        log.tell(count=log.details.get("count", 0) + 1)


def bring_back_entry(entry: Entry, *, actor: Actor, missed_are_losses: bool = False) -> None:
    """Let a player who withdrew or was disqualified play again from the next round that is paired. The rounds missed
    count as losses by absence, or stand as absences that do not count, so that everybody can see later why there was no
    game."""
    about = {**_get_journal_details(entry), "missed_are_losses": missed_are_losses}
    with change(entry.tournament, actor=actor, verb="bring_back", **about) as log:
        # Which rounds were missed follows from those that are published: one published since the page was shown would
        # be charged unseen.
        log.rely_on(get_rounds_thing(entry.division))
        stored = load_stored_entry(entry)
        write_return(log, stored, actor=actor, missed_are_losses=missed_are_losses)
        update_draft_reasons(log, stored.division)


def write_return(log: Change, entry: Entry, *, actor: Actor, missed_are_losses: bool = False) -> None:
    """`bring_back_entry` within a change that is open, for an entry read in it; the draft is not explained anew."""
    # Taken back twice, or of somebody who never left: nothing was missed.
    if entry.withdrawn_after is None:
        return
    # Not before the first round of a late entry: what became of the rounds before that was settled when they were
    # entered.
    missed = range(max(entry.withdrawn_after + 1, entry.first_round), get_last_round_number(entry.division) + 1)
    log.save(entry, withdrawn_after=None, disqualified=False)
    if missed_are_losses:
        charge_missed_rounds(log, entry, missed, actor=actor)
        return
    # A round with an absence or a seat says already how it counts, and the database takes one absence for each.
    numbers_known = set(Absence.objects.filter(entry=entry).values_list("number", flat=True))
    numbers_known |= set(Seat.objects.filter(entry=entry).values_list("round__number", flat=True))
    excused = [number for number in missed if number not in numbers_known]
    log.create_all(Absence(entry=entry, number=number, counts_as_loss=False) for number in excused)


def set_absence(entry: Entry, *, number: int, actor: Actor, counts_as_loss: bool = True) -> None:
    """Leave a player out of a round still to come. Raises `RoundBehind`, `not_in_round` or `NumberOutOfRange`."""
    about = {**_get_journal_details(entry), "round": number, "counts_as_loss": counts_as_loss}
    with change(entry.tournament, actor=actor, verb="set_absence", **about) as log:
        stored = load_stored_entry(entry)
        _require_future_round(stored.division, number)
        _write_absence(log, stored, number, counts_as_loss=counts_as_loss)
        update_draft_reasons(log, stored.division)


def remove_absence(entry: Entry, *, number: int, actor: Actor) -> None:
    """Let a player take part in a future round after all. Raises `RoundBehind`."""
    about = {**_get_journal_details(entry), "round": number}
    with change(entry.tournament, actor=actor, verb="remove_absence", **about) as log:
        stored = load_stored_entry(entry)
        if number <= get_last_round_number(stored.division):
            raise RoundBehind(number=number)
        log.delete_all(list(Absence.objects.filter(entry=stored, number=number)))
        update_draft_reasons(log, stored.division)


def check_in_entries(tournament: Tournament, *, shown: Collection[int], present: Collection[int], actor: Actor) -> None:
    """Mark the entries in `shown` as present or, if they are not in `present`, as missing; others stay as they are."""
    with change(tournament, actor=actor, verb="check_in") as log:
        for entry in _load_ticked_entries(log, tournament, shown, present):
            if entry.present != (entry.pk in present):
                # A tick answers whether somebody comes: still “expected”, whoever is ticked off would be paired as if
                # they were there.
                log.save(entry, present=not entry.present, expected=False)


def mark_fees(tournament: Tournament, *, shown: Collection[int], paid: Collection[int], actor: Actor) -> None:
    """Mark the fees of the entries in `shown` as paid today in full or, if they are not in `paid`, as open."""
    with change(tournament, actor=actor, verb="mark_fees") as log:
        terms, today = FeeTerms.of(log.tournament), localdate(log.now)
        for entry in _load_ticked_entries(log, tournament, shown, paid):
            # Against what the page showed: a waived fee is ticked there, too, and saving the whole page must not turn
            # the waiver into a payment.
            if terms.weigh(entry).is_settled != (entry.pk in paid):
                log.save(entry, **terms.tick(entry, paid=entry.pk in paid, on=today))


def _load_ticked_entries(
    log: Change, tournament: Tournament, shown: Collection[int], ticked: Collection[int]
) -> list[Entry]:
    """The entries in `shown`, in order. The journal counts the ticks; a single entry it names."""
    entries = list(Entry.objects.filter(tournament=tournament, pk__in=shown).with_names().in_order())
    if len(entries) == 1:
        log.tell(name=entries[0].name, taken_off=entries[0].pk not in ticked)
    else:
        log.tell(count=len(ticked))
    return entries


def leave_out_absentees(division: Division, *, number: int, actor: Actor, counts_as_loss: bool = True) -> int:
    """Leave all who are not checked in out of round `number`; count them. Raises `RoundBehind`, `NumberOutOfRange`."""
    about = {"division": division.name, "round": number}
    with change(division.tournament, actor=actor, verb="leave_out_absentees", **about) as log:
        # Settled by the ticks that the page showed: whoever was ticked since is not missing.
        log.rely_on(*list_presence_things(division))
        _require_future_round(division, number)
        missing = list_absentees(division, number=number)
        for entry in missing:
            _write_absence(log, entry, number, counts_as_loss=counts_as_loss)
        update_draft_reasons(log, division)
        return len(missing)


def withdraw_absentees(division: Division, *, actor: Actor) -> int:
    """Withdraw all who are not checked in, and count them; the waiting list moves up. Raises `paired_later` or
    `knockout_game_open` if a published game waits for one of them."""
    with change(division.tournament, actor=actor, verb="withdraw_absentees", division=division.name) as log:
        log.rely_on(*list_presence_things(division))
        last = get_last_round_number(division)
        missing = list_absentees(division, number=last + 1)
        for entry in missing:
            write_withdrawal(log, entry, last)
        update_draft_reasons(log, division)
    move_up_waiting_list(division.tournament, actor=actor)
    return len(missing)


def settle_absentees(
    division: Division,
    *,
    number: int,
    decided: Mapping[int, AbsenteeDecision],
    actor: Actor,
    draws_again: bool = False,
) -> int:
    """Settle what becomes of the players who are in doubt for round `number`, by entry id; return how many there were.
    Somebody who has arrived meanwhile is passed over. Places that become free go to the waiting list, and with
    `draws_again` the draft is drawn again for those who play. Raises `RoundBehind`, `paired_later`,
    `knockout_game_open` or `NumberOutOfRange`."""
    about = {"division": division.name, "round": number}
    with change(division.tournament, actor=actor, verb="settle_absentees", **about) as log:
        log.rely_on(*list_presence_things(division))
        last = _require_future_round(division, number)
        # Asked anew: an answer about somebody who has come meanwhile, or is out by another way, decides nothing any
        # more.
        doubtful = [entry for entry in list_doubtful_entries(division, number=number) if entry.pk in decided]
        if not doubtful:
            return 0
        no_shows = map_no_shows(division, doubtful)
        for entry in doubtful:
            decision = decided[entry.pk]
            if decision == AbsenteeDecision.PLAYS:
                # Whoever did not play the last game although they were ticked would be asked about again at once:
                # `expected` beside the tick says that the answer was given.
                log.save(entry, present=True, expected=entry.pk in no_shows)
            elif decision == AbsenteeDecision.EXPECTED:
                log.save(entry, expected=True)
            elif decision == AbsenteeDecision.OUT:
                log.save(entry, present=False)
                _write_absence(log, entry, number, counts_as_loss=True)
            else:
                write_withdrawal(log, entry, last)
        log.tell(name=doubtful[0].name) if len(doubtful) == 1 else log.tell(count=len(doubtful))
        is_left = {AbsenteeDecision.OUT, AbsenteeDecision.WITHDRAWN} & {decided[entry.pk] for entry in doubtful}
        # As long as everybody stays nothing is drawn anew, so that the director finds the draft as they left it.
        if draws_again and is_left:
            draw_without_absentees(log, division)
        else:
            update_draft_reasons(log, division)
    move_up_waiting_list(division.tournament, actor=actor)
    return len(doubtful)


def list_doubtful_entries(division: Division, *, number: int) -> list[Entry]:
    """Who is to play in round `number` but is not checked in, or did not play the last game. Four queries."""
    absentees = list_absentees(division, number=number)
    present, _charged = list_present_and_charged(division, number)
    ticked = [entry for entry in present if entry.present]
    no_shows = map_no_shows(division, ticked)
    return absentees + [entry for entry in ticked if entry.pk in no_shows]


def list_expected_entries(division: Division) -> list[Entry]:
    """Who is still expected, in order; whoever has played has come. One query."""
    played = Seat.objects.filter(pairing__results__official=True, pairing__results__outcome=Outcome.PLAYED)
    entries = Entry.objects.filter(division=division, expected=True, present=False, withdrawn_after=None)
    return list(entries.exclude(seats__in=played).with_names().in_order())


def list_present_absentees(division: Division, *, number: int) -> list[Entry]:
    """Who is checked in, but noted as absent in round `number`, in order. One query."""
    entries = Entry.objects.filter(division=division, present=True, withdrawn_after=None, absences__number=number)
    return list(entries.with_names().in_order())


def list_absentees(division: Division, *, number: int) -> list[Entry]:
    """Who is to play in round `number` but is not checked in, with phone numbers. One query."""
    # Whoever leaves after this round or a later one still plays in it.
    playing = Q(withdrawn_after=None) | Q(withdrawn_after__gte=number)
    entries = Entry.objects.filter(playing, division=division, present=False, first_round__lte=number)
    return list(entries.exclude(absences__number=number).with_names().with_phones().in_order())


def list_unchecked_entries(division: Division, *, number: int) -> list[Entry]:
    """Who would play in round `number` and is neither ticked at the check-in, where that is used, nor expected. At most
    two queries."""
    # Where nobody is ticked the check-in is not used, and everybody would be missing.
    if not Entry.objects.filter(division=division, present=True).exists():
        return []
    return [entry for entry in list_absentees(division, number=number) if not entry.expected]


def write_withdrawal(log: Change, entry: Entry, after: int, *, disqualified: bool = False) -> None:
    """`withdraw_entry` within a change that is open; neither is the draft explained anew, nor does anybody move up."""
    number = find_earliest_leave(entry)
    if number > after:
        raise Refusal(
            "paired_later",
            _(
                "%(name)s is paired in round %(number)s, which is published. Enter that game as a forfeit "
                "and withdraw the player after round %(number)s, or take the round back first."
            ),
            field="after",
            name=entry.name,
            number=number,
        )
    seats = Seat.objects.filter(entry=entry).exclude(round__state=Round.State.DRAFT)
    # The league's games are settled by the round; in the knock-out somebody waits opposite, and the bracket goes on
    # only by a result.
    knockout = seats.filter(round__stage__isnull=False).exclude(pairing__results__official=True)
    if waiting := knockout.select_related("pairing__round__division__knockout").order_by("round__number").first():
        clause = format_clause(log.tournament.rules.clauses.knockout.forfeit)
        raise Refusal(
            "knockout_game_open",
            _(
                "%(name)s has an open game in the knock-out (%(game)s). Enter it as a forfeit "
                "first%(clause)s; then they can be withdrawn."
            ),
            field="after",
            name=entry.name,
            game=format_table_name(waiting.pairing),
            clause=clause,
        )
    log.save(entry, withdrawn_after=after, expected=False, disqualified=disqualified)


def _write_absence(log: Change, entry: Entry, number: int, *, counts_as_loss: bool) -> None:
    if not entry.plays_in(number):
        raise Refusal(
            "not_in_round",
            _("%(name)s does not take part in round %(number)s anyway."),
            field="number",
            name=entry.name,
            number=number,
        )
    # Left as “expected”, they would be listed among those whom the desk waits for, although they are out.
    if entry.expected:
        log.save(entry, expected=False)
    absence = Absence.objects.filter(entry=entry, number=number).first()
    if absence is None:
        log.create(Absence(entry=entry, number=number, counts_as_loss=counts_as_loss))
    else:
        log.save(absence, counts_as_loss=counts_as_loss)


def _require_future_round(division: Division, number: int) -> int:
    """The last published round, which has to come before round `number`."""
    if not limits.ROUND.holds(number):
        raise NumberOutOfRange(field="number", value=number, **limits.ROUND.ends)
    last = get_last_round_number(division)
    if number <= last:
        raise RoundBehind(number=number)
    return last


def _get_journal_details(entry: Entry) -> dict[str, str]:
    return {"key": entry.key, "name": entry.name}
