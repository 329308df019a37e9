"""Which tournaments and divisions pages list: for everybody on the front page, for their directors, by organiser; and
what an event was made from."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.db.models import Case, Count, Max, OuterRef, Q, QuerySet, Subquery, When
from django.db.models.functions import Coalesce

from games.models import DuplicateTurn
from tournament.basics.showing import SHOWING_STEPS
from tournament.core.change import complete_snapshot
from tournament.core.public_view import annotate_holds_back, list_unseen_rounds
from tournament.events.presets import PRESETS, Preset
from tournament.models import Division, Entry, JournalEntry, Organiser, Round, Tournament
from tournament.rounds.plan import PlanSegment, read_round_plan


def list_tournaments(organiser: Organiser) -> QuerySet[Tournament]:
    """The tournaments of an organiser, newest first, with `entered` players."""
    entered = Count("entries", filter=Q(entries__withdrawn_after=None))
    return Tournament.objects.filter(organiser=organiser).annotate(entered=entered).newest_first()


def group_public_tournaments(
    today: date, organiser: Organiser | None = None, *, slug: str | None = None
) -> dict[str, list[Tournament]]:
    """Public tournaments, of one organiser or all, or one, "running", "coming" and "ended"; empty groups left out. The
    director's word or the last day ends one; one without days runs once a round is public or a turn is drawn. Each has
    its `entered` players and the last public round `played`. Two queries."""
    public = Tournament.objects.public() if slug is None else Tournament.objects.public().filter(slug=slug)
    # Without an order, by whose columns a subquery would be grouped as well: it would count each row by itself.
    entries = Entry.objects.filter(tournament=OuterRef("pk"), withdrawn_after=None).order_by()
    rounds = Round.objects.league().public().filter(division__tournament=OuterRef("pk")).order_by()
    # A round that is published and held back is none that anybody may know of.
    rounds = rounds.exclude(pk__in=list_unseen_rounds())
    public_events = (
        annotate_holds_back(public if organiser is None else public.filter(organiser=organiser))
        .select_related("organiser")
        .annotate(
            # Each counted by itself: joined, every entry would meet every round.
            entered=Coalesce(Subquery(entries.values("tournament").annotate(count=Count("pk")).values("count")), 0),
            played=Subquery(rounds.values("division__tournament").annotate(last=Max("number")).values("last")),
            in_session=Case(
                When(pk__in=DuplicateTurn.objects.order_by().values("session__division__tournament"), then=True),
                default=False,
            ),
            last_day=Coalesce("ends_on", "starts_on"),
        )
        .newest_first()
    )
    groups: dict[str, list[Tournament]] = {"running": [], "coming": [], "ended": []}
    for tournament in public_events:
        groups[_classify_tournament(tournament, today)].append(tournament)
    # Today stands in for a missing day: Python compares no day with None.
    groups["coming"].sort(key=lambda tournament: (tournament.starts_on is None, tournament.starts_on or today))
    return {when: listed for when, listed in groups.items() if listed}


def _classify_tournament(tournament: Tournament, today: date) -> str:
    if tournament.is_ended:
        return "ended"
    # An event that is called off stays among those to come until its day has passed: whoever plans to go there reads of
    # it.
    if tournament.called_off_on is not None:
        return "ended" if tournament.last_day is None or tournament.last_day < today else "coming"  # type: ignore[attr-defined]  # as below
    if tournament.starts_on is None:
        over = tournament.ends_on is not None and tournament.ends_on < today
        begun = tournament.played or tournament.in_session  # type: ignore[attr-defined]  # as below
        return "ended" if over else "running" if begun else "coming"
    if tournament.starts_on > today:
        return "coming"
    return "ended" if tournament.last_day < today else "running"  # type: ignore[attr-defined]  # annotated above


def list_public_organisers() -> list[Organiser]:
    """The organisers that have anything public, by name. One query."""
    return list(Organiser.objects.filter(tournaments__is_public=True).distinct().order_by("name", "pk"))


# What an event was made from. Its first journal entry holds every value that it was given, so nothing else remembers.

GIVEN_COLUMNS: Mapping[str, tuple[str, ...]] = {
    "rules": ("ruleset", "minutes", "word_list", "word_list_at", "national"),
    "table": ("basis", "order", "ties", "withdrawn", "spread_cap"),
    "byes": ("bye_policy", "bye_spread", "bye_points", "loss_spread"),
    "boards": ("starts", "turning", "clubs_apart"),
    "teams": ("team_rule", "team_best", "team_format", "team_pairing", "team_leavers"),
    "results": ("results_twice",),
    "day": ("step_seconds",),
    "ratings": ("rated", "knockout_rated", "rating_system", "ratings_public"),
    "public": (*(step.column for step in SHOWING_STEPS), "public_reasons", "language"),
}
"""The columns of each group of settings that a preset, or the event copied, has values for."""


@dataclass(frozen=True, slots=True)
class EventOrigin:
    """What an event was made from: the `name` of a preset, or of the event copied, and the `preset` where it is known;
    what that gave: an event that is not stored, and the plans of its divisions by their positions."""

    name: str
    preset: Preset | None
    is_copy: bool
    given: Tournament
    plans: Mapping[int, tuple[PlanSegment, ...]]

    @property
    def is_evening(self) -> bool:
        return self.preset is not None and self.preset.is_evening

    def list_given(self, group: str) -> dict[str, Any]:
        """The values of a group of settings as they were given."""
        return {name: getattr(self.given, name) for name in GIVEN_COLUMNS.get(group, ())}

    def list_own_columns(self, group: str, tournament: Tournament) -> list[str]:
        """The columns of a group of settings that no longer hold what the event was made with."""
        return [name for name, value in self.list_given(group).items() if getattr(tournament, name) != value]

    def has_own_plan(self, division: Division) -> bool:
        """Whether a division's plan was changed since. A division that was added later was not given one."""
        own_plan = self.plans.get(division.position)
        return own_plan is not None and own_plan != read_round_plan(division.plan)


def load_event_origin(tournament: Tournament) -> EventOrigin | None:
    """What an event was made from; None for one from a file. One query, two for a copy."""
    first = _find_first_entry(tournament)
    if first is None or first.verb not in ("create_tournament", "copy_tournament", "start_next_season"):
        return None
    rows = [(table, after) for table, _pk, _before, after in first.rows if after is not None]
    # The first entry may be of an earlier version, whose snapshots lack the columns that came since.
    snapshot = next(complete_snapshot(Tournament, after) for table, after in rows if table == "tournament")
    columns = {name: snapshot[name] for group in GIVEN_COLUMNS.values() for name in group}
    plans = {after["position"]: read_round_plan(after["plan"]) for table, after in rows if table == "division"}
    preset = PRESETS.get(first.details.get("preset", ""))
    source = first.details.get("source", "")
    name = str(preset.name) if preset and not source else ""
    if source:
        # Its address has to do where the event that was copied is deleted.
        name = Tournament.objects.filter(slug=source).values_list("name", flat=True).first() or source
    # Visible as the event is now: a preset says nothing of that, and the page would call it a value of one's own.
    preset_event = Tournament(is_public=tournament.is_public, **columns)
    return EventOrigin(name, preset, is_copy=bool(source), given=preset_event, plans=plans) if name else None


def find_preset_key(tournament: Tournament) -> str:
    """The key of the preset that an event goes back to, perhaps by copies; "" where none is known. One query."""
    first = _find_first_entry(tournament)
    return first.details.get("preset", "") if first else ""


def _find_first_entry(tournament: Tournament) -> JournalEntry | None:
    return JournalEntry.objects.filter(tournament=tournament, number=1).first()
