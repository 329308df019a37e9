"""Games of a league that are not played although their day has passed, and those postponed to another day."""

from datetime import date, timedelta

from django.db.models import Exists, F, OuterRef, Q
from django.db.models.functions import Coalesce
from django.utils.formats import date_format
from django.utils.timezone import localdate
from django.utils.translation import gettext_lazy as _

from tournament.basics.refusals import Refusal
from tournament.core.change import Actor, change
from tournament.models import Division, Pairing, Result, Tournament
from tournament.models.play import PairingQuerySet
from tournament.rounds.drafts import identify_round


def select_overdue_games(division: Division, today: date) -> PairingQuerySet:
    """The published games of a division's rounds without a result whose own day, or their round's, is before today;
    those due longest first."""
    return _select_open_games(Q(day__lt=today)).filter(round__division=division)


def select_games_to_remind(tournament: Tournament, today: date) -> PairingQuerySet:
    """The published games of a league without a result that nobody was reminded of, and whose day is as near as the
    event's `remind_days` or nearer; without those of somebody who has left. None where nobody is to be reminded."""
    if tournament.remind_days is None or tournament.is_ended or tournament.called_off_on is not None:
        return Pairing.objects.none()
    nearest = _select_open_games(Q(day__gte=today, day__lte=today + timedelta(days=tournament.remind_days)))
    # `reminded_at` is written with the letter, so that no game is reminded of twice, whichever of the running program,
    # cron and the page's button sends it.
    nearest = nearest.filter(round__division__tournament=tournament, reminded_at=None)
    return nearest.exclude(seats__entry__withdrawn_after__isnull=False)


def _select_open_games(day: Q) -> PairingQuerySet:
    """The published games of leagues without a result whose `day`, their own or their round's, is such a one."""
    official = Result.objects.filter(pairing=OuterRef("pk"), official=True)
    games = Pairing.objects.filter(round__stage=None, kind=Pairing.Kind.GAME).public().exclude(Exists(official))
    # A game that was postponed has a day of its own, which goes before its round's; one without either is never due.
    dated = games.annotate(day=Coalesce(F("due_on"), F("round__due_on"))).filter(day)
    return dated.order_by("day", "round__number", "table", "pk")


def postpone_game(pairing: Pairing, *, due_on: date, actor: Actor) -> None:
    """Let a game of a league be played by another day. Raises `day_passed` for a day before today, and `has_result` if
    there is nothing to be played any more. Fetch `round__division__tournament` and the players."""
    round = pairing.round
    names = [entry.name for entry in (pairing.first, pairing.second) if entry]
    details = {**identify_round(round), "table": pairing.table, "names": names, "day": due_on.isoformat()}
    with change(round.division.tournament, actor=actor, verb="postpone_game", **details) as log:
        require_open_game(pairing)
        # The day of the hall's calendar: shortly after midnight it is still yesterday by UTC.
        if due_on < localdate(log.now):
            message = _("%(day)s has passed. A game is postponed to today or a later day.")
            raise Refusal("day_passed", message, field="due_on", day=date_format(due_on, "DATE_FORMAT"))
        log.save(Pairing.objects.get(pk=pairing.pk), due_on=due_on)


def require_open_game(pairing: Pairing) -> None:
    """Raise `has_result` if a published game has a result by now, or never is to get one."""
    stored = Pairing.objects.filter(pk=pairing.pk, kind=Pairing.Kind.GAME).public()
    if not stored.exclude(results__official=True).exists():
        message = _("Table %(table)s in round %(number)s has a result already; nothing is left to be played.")
        raise Refusal("has_result", message, table=pairing.table or "–", number=pairing.round.number)
