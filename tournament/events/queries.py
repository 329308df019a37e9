"""Which tournaments and divisions pages list: for everybody on the front page, for their directors, by organiser."""

from datetime import date

from django.db.models import Case, Count, Max, OuterRef, Q, QuerySet, Subquery, When
from django.db.models.functions import Coalesce

from tournament.core.public_view import list_unseen_rounds
from tournament.core.sessions import BEGUN_SESSION_FINDERS
from tournament.models import Division, Entry, Organiser, Round, Tournament


def list_tournaments(organiser: Organiser) -> QuerySet[Tournament]:
    """The tournaments of an organiser, newest first, with `entered` players and the last round `published`."""
    return (
        Tournament.objects.filter(organiser=organiser)
        .annotate(
            entered=Count("entries", filter=Q(entries__withdrawn_after=None), distinct=True),
            published=Max(
                "divisions__rounds__number",
                filter=Q(divisions__rounds__stage=None) & ~Q(divisions__rounds__state=Round.State.DRAFT),
            ),
        )
        .newest_first()
    )


def list_counted_divisions(tournament: Tournament) -> list[Division]:
    """The divisions in order, each with how many players are `entered`. One query."""
    return list(tournament.divisions.annotate(entered=Count("entries")).order_by("position", "pk"))


def group_public_tournaments(today: date, organiser: Organiser | None = None) -> dict[str, list[Tournament]]:
    """Public tournaments, of one organiser or all, "running", "coming" and "ended"; empty groups are left out. The
    director's word or the last day ends one; one without days runs once a round is public or a turn is drawn. Each has
    its `entered` players and the last public round `played`. Two queries."""
    public = Tournament.objects.public()
    entries = Entry.objects.filter(tournament=OuterRef("pk"), withdrawn_after=None).order_by()
    rounds = Round.objects.league().public().filter(division__tournament=OuterRef("pk")).order_by()
    rounds = rounds.exclude(pk__in=list_unseen_rounds())
    in_session = Q(pk__in=[])
    for find in BEGUN_SESSION_FINDERS:
        in_session |= Q(pk__in=find())
    found = (
        (public if organiser is None else public.filter(organiser=organiser))
        .select_related("organiser")
        .annotate(
            # Each counted by itself: joined, every entry would meet every round.
            entered=Coalesce(Subquery(entries.values("tournament").annotate(count=Count("pk")).values("count")), 0),
            played=Subquery(rounds.values("division__tournament").annotate(last=Max("number")).values("last")),
            in_session=Case(When(in_session, then=True), default=False),
            last_day=Coalesce("ends_on", "starts_on"),
        )
        .newest_first()
    )
    groups: dict[str, list[Tournament]] = {"running": [], "coming": [], "ended": []}
    for tournament in found:
        groups[_classify_tournament(tournament, today)].append(tournament)
    groups["coming"].sort(key=lambda tournament: (tournament.starts_on is None, tournament.starts_on or today))
    return {when: listed for when, listed in groups.items() if listed}


def _classify_tournament(tournament: Tournament, today: date) -> str:
    if tournament.is_ended:
        return "ended"
    if tournament.starts_on is None:
        over = tournament.ends_on is not None and tournament.ends_on < today
        begun = tournament.played or tournament.in_session  # type: ignore[attr-defined]  # as below
        return "ended" if over else "running" if begun else "coming"
    if tournament.starts_on > today:
        return "coming"
    return "ended" if tournament.last_day < today else "running"  # type: ignore[attr-defined]  # annotated above


def list_public_organisers() -> list[Organiser]:
    """The organisers that have anything public, by name, if there is more than one. One query."""
    listed = list(Organiser.objects.filter(tournaments__is_public=True).distinct().order_by("name", "pk"))
    return listed if len(listed) > 1 else []
