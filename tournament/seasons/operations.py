"""Seasons, the events they count, and who is one person in them; in the journal of the organiser's register."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from django.utils.translation import gettext_lazy as _

from scoring.season import QualifyingRules, SeasonRule
from tournament.accounts.operations import get_or_create_organiser
from tournament.basics import limits
from tournament.basics.names import is_slug, make_free_slug, normalise_text
from tournament.basics.refusals import (
    Refusal,
    Refusals,
    find_length_refusals,
    find_range_refusals,
    find_text_refusals,
    refuse_clash,
)
from tournament.core.change import Actor, open_register_change
from tournament.models import Division, Entry, JournalEntry, Player, SamePerson, Season, SeasonEvent
from tournament.models.choices import SEASON_RULE_LABELS, SHARED_PLACES_LABELS, list_choice_values
from tournament.seasons.season_table import SESSION_RULES


class SeasonAddressTaken(Refusal, code="season_address_taken", field="slug"):
    message = _("The address “%(slug)s” is taken. Please choose another one.")


class EventNotPaired(Refusal, code="event_not_paired", field="division"):
    message = _(
        "%(name)s is played by %(ruleset)s, without wins and spread: only a season of places or of points can count it."
    )


SEASON_COLUMNS = (
    *("name", "slug", "rule", "points", "shared", "best", "least_events", "least_percent", "qualifying"),
    *("with_running", "is_public"),
)
"""What a director states about a season."""


def make_season(*, plan: Season, actor: Actor) -> Season:
    """Create a season of the actor's organiser as `plan` says; without a slug one is made. Raises `Refusals`."""
    values = _tidy_columns(plan)
    organiser = get_or_create_organiser(actor)
    # Free among the seasons of all organisers: the address of one does not say whose it is.
    slug = values["slug"] or make_free_slug(Season.objects.all(), values["name"], otherwise="season")
    about, address_taken = {"verb": "make_season", "name": values["name"]}, SeasonAddressTaken(slug=slug)
    # Two who ask for one address at once: the database lets one of them have it, and the other reads why not.
    with open_register_change(organiser, actor=actor, **about) as log, refuse_clash(address_taken):
        return log.create(Season(organiser=organiser, **{**values, "slug": slug}))


def edit_season(season: Season, *, plan: Season, actor: Actor) -> Season:
    """Write what `plan` (not stored) says; without a slug the season keeps its own. Raises `Refusals`, or
    `EventNotPaired` if wins or spread shall count and a session, which has neither, is among the events."""
    values = _tidy_columns(plan, of=season)
    with open_register_change(season.organiser, actor=actor, verb="edit_season", name=values["name"]) as log:
        stored = Season.objects.get(pk=season.pk)
        # By the events that there are now, under the lock: a session may have been added since the form was shown.
        if values["rule"] not in SESSION_RULES:
            for event in stored.events.select_related("division__tournament"):
                if not (tournament := event.division.tournament).rules.is_paired:
                    raise EventNotPaired(name=tournament.name, ruleset=tournament.rules.name)
        with refuse_clash(SeasonAddressTaken(slug=values["slug"])):
            log.save(stored, **values)
        return stored


def delete_season(season: Season, *, actor: Actor) -> None:
    """Delete a season with its decisions; its events stay as they are."""
    with open_register_change(season.organiser, actor=actor, verb="delete_season", name=season.name) as log:
        # What refers to the season first, row by row: left to a cascade it would be in no journal, and an undo would
        # bring back an empty season.
        log.delete_all(list(SamePerson.objects.filter(season=season).order_by("pk")))
        log.delete_all(list(SeasonEvent.objects.filter(season=season).order_by("pk")))
        # By a query: the second of two clicks finds nothing to delete.
        log.delete_all(list(Season.objects.filter(pk=season.pk)))


def add_season_event(season: Season, *, division: Division, actor: Actor, direct: int = 0) -> SeasonEvent:
    """Count a division; whoever comes to one of its `direct` first places qualifies by that alone. Raises
    `event_of_somebody_else`, `EventNotPaired`, `event_counts_already` or `season_full`, `Refusals` for a figure out of
    range."""
    tournament = division.tournament
    _refuse_uncountable(season, division, direct)
    with open_register_change(season.organiser, actor=actor, verb="add_season_event", name=tournament.name) as log:
        if SeasonEvent.objects.filter(season=season, division=division).exists():
            raise Refusal(
                "event_counts_already",
                _("%(name)s counts in this season already."),
                field="division",
                name=tournament.name,
            )
        _refuse_too_many(season.events.count() + 1)
        # Read again: a season deleted meanwhile is refused as such, not by the database's reference at the commit.
        stored = Season.objects.get(pk=season.pk)
        return log.create(SeasonEvent(season=stored, division=division, direct=direct))


def choose_season_events(season: Season, *, chosen: Mapping[Division, int | None], actor: Actor) -> None:
    """Count exactly these divisions, in one step, each with how many of its first places qualify directly; None leaves
    that as it is, and is 0 of a new one. Nothing happens the second time. Raises as `add_season_event` does."""
    for division, direct in chosen.items():
        _refuse_uncountable(season, division, direct or 0)
    about: dict[str, Any] = {"name": season.name, "season": season.pk}
    with open_register_change(season.organiser, actor=actor, verb="choose_season_events", **about) as log:
        stored = Season.objects.get(pk=season.pk)
        events = stored.events.select_related("division__tournament").order_by("pk")
        counted = {event.division: event for event in events}
        new = [division for division in chosen if division not in counted]
        gone = [event for division, event in counted.items() if division not in chosen]
        if new:  # one that has too many already, from elsewhere, may still lose some
            _refuse_too_many(len(chosen))
        log.details["added"] = [division.tournament.name for division in new]
        log.details["removed"] = [event.division.tournament.name for event in gone]
        log.delete_all(gone)
        for division, direct in chosen.items():
            if division in new:
                log.create(SeasonEvent(season=stored, division=division, direct=direct or 0))
            elif direct is not None:
                log.save(counted[division], direct=direct)


def find_last_choice(season: Season) -> JournalEntry | None:
    """The entry of the last choice of events, as long as they are what it made of them: it can be taken back then. Two
    queries."""
    entries = JournalEntry.objects.filter(organiser=season.organiser_id, verb="choose_season_events")
    last = entries.filter(details__season=season.pk).order_by("-number").first()
    directs = dict(season.events.values_list("pk", "direct"))
    # Of an event that the choice took out there is neither a row nor an `after`: None on both sides.
    if last is None or any(directs.get(pk) != (after and after["direct"]) for table, pk, _before, after in last.rows):
        return None
    return last


def take_back_choice(season: Season, *, number: int, actor: Actor) -> None:
    """Count the events as before the last choice, entry `number` of the journal; which can be taken back itself. An
    event that was deleted since stays away. Raises `choice_not_last` where something else has happened since."""
    last = find_last_choice(season)
    if last is None or last.number != number:
        raise Refusal(
            "choice_not_last",
            _("The events of this season have been chosen once more since. Nothing was taken back."),
        )
    events = season.events.select_related("division__tournament")
    chosen: dict[Division, int | None] = {event.division: event.direct for event in events}
    # An event that the choice took in has no `before`, one that it took out no `after`.
    before_by_division = {(before or after)["division_id"]: before for _table, _pk, before, after in last.rows}
    for division in Division.objects.filter(pk__in=before_by_division).select_related("tournament"):
        before = before_by_division[division.pk]
        if before is None:
            chosen.pop(division, None)
        else:
            chosen[division] = before["direct"]
    choose_season_events(season, chosen=chosen, actor=actor)


def _refuse_uncountable(season: Season, division: Division, direct: int) -> None:
    """Raise what forbids a season to count a division."""
    if faults := find_range_refusals("direct", direct, limits.SEASON_DIRECT):
        raise Refusals(faults)
    tournament = division.tournament
    if tournament.organiser_id != season.organiser_id:
        raise Refusal(
            "event_of_somebody_else",
            _("%(name)s belongs to another organiser: a season counts only its own organiser's events."),
            field="division",
            name=tournament.name,
        )
    if not tournament.rules.is_paired and season.rule not in SESSION_RULES:
        raise EventNotPaired(name=tournament.name, ruleset=tournament.rules.name)


def _refuse_too_many(count: int) -> None:
    if count > limits.SEASON_EVENTS.high:
        raise Refusal(
            "season_full",
            _("A season can count at most %(limit)s events."),
            field="division",
            limit=limits.SEASON_EVENTS.high,
        )


def decide_same_person(season: Season, *, one: Player, other: Player, is_same: bool, actor: Actor) -> SamePerson:
    """Say whether two are one person; the latest word counts. Raises `one_player_twice`, or
    `both_played` in one event."""
    if one.pk == other.pk:
        raise Refusal(
            "one_player_twice", _("%(name)s is named twice: choose two players."), field="other", name=one.name
        )
    # The lower key first, which the database insists on: whichever of the two is named first, there is one decision
    # about them.
    one, other = sorted((one, other), key=lambda player: player.pk)
    about = {"names": [one.name, other.name], "is_same": is_same}
    with open_register_change(season.organiser, actor=actor, verb="decide_same_person", **about) as log:
        if is_same and (event := _find_common_event(season, one, other)):
            raise Refusal(
                "both_played",
                _("%(one)s and %(other)s both played in %(event)s: they are two people."),
                field="other",
                one=one.name,
                other=other.name,
                event=event,
            )
        stored = SamePerson.objects.filter(season=season, one=one, other=other).first()
        if stored is None:
            stored_season = Season.objects.get(pk=season.pk)
            return log.create(SamePerson(season=stored_season, one=one, other=other, is_same=is_same))
        log.save(stored, is_same=is_same)
        return stored


def take_back_same_person(decision: SamePerson, *, actor: Actor) -> None:
    """Forget a decision about two players: it is asked again. Nothing happens the second time."""
    names = [decision.one.name, decision.other.name]
    with open_register_change(decision.one.organiser, actor=actor, verb="take_back_same_person", names=names) as log:
        log.delete_all(list(SamePerson.objects.filter(pk=decision.pk)))


def find_season_problems(plan: Season, *, of: Season | None = None) -> list[Refusal]:
    """Everything that is wrong with what is stated. `of` is the season that has these values already. One query."""
    faults = [] if plan.name else [Refusal("season_name_missing", _("A season needs a name."), field="name")]
    faults += find_text_refusals("name", plan.name, limits.NAME)
    faults += find_length_refusals("slug", plan.slug, limits.SLUG)
    if plan.slug and not is_slug(plan.slug):
        message = _("“%(slug)s” cannot be an address: use letters from a to z, digits and hyphens.")
        faults.append(Refusal("season_address", message, field="slug", slug=plan.slug))
    elif plan.slug and Season.objects.filter(slug=plan.slug).exclude(pk=(of.pk if of else None) or 0).exists():
        faults.append(SeasonAddressTaken(slug=plan.slug))
    rules, shares = list_choice_values(SEASON_RULE_LABELS), list_choice_values(SHARED_PLACES_LABELS)
    for stated, choices in ((plan.rule, rules), (plan.shared, shares)):
        if stated not in choices:
            message = _("“%(value)s” is not a season rule; choose from: %(allowed)s.")
            faults.append(Refusal("season_rule", message, field="rule", value=stated, allowed=", ".join(choices)))
    faults += find_range_refusals("best", plan.best, limits.SEASON_BEST)
    faults += find_range_refusals("least_events", plan.least_events, limits.SEASON_LEAST)
    faults += find_range_refusals("least_percent", plan.least_percent, limits.SEASON_PERCENT)
    return faults + _find_points_problems(plan) + find_qualifying_problems(plan.qualifying)


def find_qualifying_problems(stated: Mapping[str, Any]) -> list[Refusal]:
    """Everything that is wrong with the figures of a qualification. Raises TypeError for a kind that does not exist."""
    faults: list[Refusal] = []
    for name, value in {**stated, **asdict(QualifyingRules(**stated))}.items():
        listed = value if isinstance(value, list | tuple) else [value]
        if len(listed) > limits.QUALIFYING_PLACES:
            message = _("%(count)s figures: at most %(limit)s are allowed.")
            figures = {"count": len(listed), "limit": limits.QUALIFYING_PLACES}
            faults.append(Refusal("qualifying_many", message, field=name, **figures))
        # One fault of a field is enough: thirty figures out of range would be thirty sentences beside it.
        faults += [fault for figure in listed for fault in find_range_refusals(name, figure, limits.QUALIFYING_FIGURE)][
            :1
        ]
    return faults


def _find_points_problems(plan: Season) -> list[Refusal]:
    if plan.rule == SeasonRule.PLACES and not plan.points:
        message = _("Enter the points for the places, such as 20, 17, 15 for the first three.")
        return [Refusal("season_points_missing", message, field="points")]
    if len(plan.points) > limits.SEASON_PLACES:
        message = _("Points for %(count)s places: at most %(limit)s places may give points.")
        return [
            Refusal("season_points_many", message, field="points", count=len(plan.points), limit=limits.SEASON_PLACES)
        ]
    faults = [fault for value in plan.points for fault in find_range_refusals("points", value, limits.SEASON_POINTS)]
    rise = _("Place %(place)s would get more points (%(points)s) than the place before it: points must not rise.")
    for place, (before, value) in enumerate(zip(plan.points, plan.points[1:], strict=False), 2):
        if value > before:
            faults.append(Refusal("season_points_rise", rise, field="points", place=place, points=value))
    return faults[:1]


def _tidy_columns(plan: Season, *, of: Season | None = None) -> dict[str, Any]:
    """The columns as stated, without stray blanks. Raises `Refusals` with all faults."""
    # As lists, which JSON holds: a tuple would differ from what is stored, and the journal note a change that is none.
    values = {name: getattr(plan, name) for name in SEASON_COLUMNS} | {"points": list(plan.points)}
    values |= {"name": normalise_text(plan.name), "slug": plan.slug.strip() or (of.slug if of else "")}
    values |= {"qualifying": dict(plan.qualifying)}
    if faults := find_season_problems(Season(**values), of=of):
        raise Refusals(faults)
    return values


def _find_common_event(season: Season, one: Player, other: Player) -> str:
    """The name of an event of the season in which both are entered; empty if there is none. One query."""
    entered = Entry.objects.filter(division__season_events__season=season, player__in=(one, other))
    seen: dict[int, int] = {}
    for entry in entered.select_related("tournament").order_by("pk"):
        if seen.setdefault(entry.tournament_id, entry.player_id) != entry.player_id:
            return entry.tournament.name
    return ""
