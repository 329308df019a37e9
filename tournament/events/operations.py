"""Tournaments and their divisions: created, set up, copied, deleted."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import Any

from django.db import IntegrityError, models, transaction
from django.db.models import Max, Q
from django.utils.translation import gettext_lazy as _

from scoring import rulesets
from tournament.accounts.operations import get_or_create_organiser
from tournament.basics import limits
from tournament.basics.names import clean_typed_text, fold_text, make_free_slug, normalise_text
from tournament.basics.precautions import announce_irreversible_step
from tournament.basics.refusals import Refusal, Refusals, find_text_refusals
from tournament.core.change import Actor, Change, ChangeLog, change, lock_tournaments, open_register_change
from tournament.core.division_tables import TableRange, find_shared_table, find_table_range_problems, read_table_ranges
from tournament.core.records import OWNED_TABLES, find_referring_row, list_tournament_rows
from tournament.core.settings import find_settings_problems, get_announced_awards, get_ruleset_defaults
from tournament.core.words.rounds import format_round_name
from tournament.ending.operations import copy_prizes
from tournament.entries.operations.entries import copy_entries
from tournament.events.presets import PRESETS, Preset
from tournament.events.queries import find_preset_key
from tournament.hall.operations import copy_hall
from tournament.knockout.operations import write_knockout_plan
from tournament.knockout.plan import KnockoutPlan
from tournament.models import (
    Division,
    Entry,
    JournalEntry,
    Knockout,
    Pairing,
    Prize,
    Round,
    Screen,
    Season,
    SeasonEvent,
    StreamedTable,
    Tournament,
)
from tournament.registration.operations import copy_online_entry
from tournament.results.knockout_games import update_all_knockouts
from tournament.rounds.plan import PlanSegment, find_plan_problems, save_round_plan
from tournament.seasons.operations import add_season_event

TOURNAMENT_SETTINGS = (
    *("name", "place", "starts_on", "ends_on", "announcement", "word_list", "word_list_at", "language", "turning"),
    *("ruleset", "minutes", "basis", "order", "ties", "withdrawn", "starts", "spread_cap"),
    *("bye_spread", "bye_points", "loss_spread", "bye_policy", "clubs_apart", "national"),
    *("public_reasons", "results_twice", "step_seconds", "pairings_shown", "results_shown", "table_shown"),
    *("rated", "knockout_rated", "rating_system", "ratings_public"),
    *("team_rule", "team_best", "team_format", "team_pairing", "team_leavers"),
)
"""The columns that `update_settings` may write and `copy_tournament` copies."""

DIVISION_SETTINGS = (
    *("name", "position", "plan", "tables", "prizes_public", "tells_turning_point", "ceremony_place"),
    *("up", "down"),
)


def make_tournament_slug(name: str) -> str:
    """A free address made from a name: `Müßig-Cup 2026` gives `muessig-cup-2026`, then `muessig-cup-2026-2`."""
    return make_free_slug(Tournament.objects.all(), clean_typed_text(name), otherwise="turnier")


def create_tournament(
    *, actor: Actor, name: str, preset: Preset = PRESETS["empty"], rounds: int | None = None, **values: Any
) -> Tournament:
    """Create a tournament of the actor's organiser. `values` (of `TOURNAMENT_SETTINGS`, and `is_public`) override the
    preset, `rounds` stretches or shortens its plan. Raises `Refusals` with all faults."""
    tournament = build_from_preset(preset, name=clean_typed_text(name), **values)
    segments = preset.plan_for(preset.rounds if rounds is None else rounds)
    if faults := find_settings_problems(tournament) + find_plan_problems(segments):
        raise Refusals(faults)
    with transaction.atomic():
        tournament.organiser = get_or_create_organiser(actor)
        save_under_free_slug(tournament)
        # A change locks the event's row, so that it has to be there before; its journal notes it as made by this entry.
        with change(tournament, actor=actor, verb="create_tournament", name=tournament.name, preset=preset.key) as log:
            log.created(tournament)
            for position, division in enumerate(preset.divisions, 1):
                plan = [segment.stored() for segment in segments]
                stored = log.create(Division(tournament=tournament, name=division, position=position, plan=plan))
                if preset.knockout is not None:
                    write_knockout_plan(log, stored, preset.knockout)
    return tournament


def build_from_preset(preset: Preset, **values: Any) -> Tournament:
    """A tournament, not stored, with the values of a preset and its ruleset; `values` override both."""
    preset_values = {name: getattr(preset, name) for name in ("ruleset", "clubs_apart", "bye_policy")}
    preset_values |= {"basis": preset.basis} if preset.basis else {}
    chosen = {**preset_values, **values}
    ruleset = str(chosen["ruleset"])
    return Tournament(**{**get_ruleset_defaults(ruleset), **chosen, **_find_announced_awards(chosen, ruleset)})


def _find_announced_awards(values: Mapping[str, Any], *keys: str) -> dict[str, int | None]:
    """As `get_announced_awards` under the rulesets of these keys, unknown ones aside."""
    books = [rulesets.RULESETS[key] for key in keys if key in rulesets.RULESETS]
    return get_announced_awards(values, *books)


def save_under_free_slug(made: Tournament) -> None:
    """Store a new tournament under an address that is made of its name and not taken."""
    while True:
        made.slug = make_tournament_slug(made.name)
        try:
            # A savepoint of its own: in PostgreSQL a failed insert spoils the transaction around it, and the next try
            # would fail as well.
            with transaction.atomic():
                made.save(force_insert=True)
        except IntegrityError:
            # Try again if somebody else has taken the address since we looked; any other clash is our fault.
            if not Tournament.objects.filter(slug=made.slug).exists():
                raise
        else:
            return


def update_settings(tournament: Tournament, *, actor: Actor, **values: Any) -> Tournament:
    """Write the given settings and return the tournament as it is then. A figure of awards that equals the old
    ruleset's or the new one's follows the ruleset. Raises `Refusals`, `rules_in_use`, `typed_once_already`, or
    `LaterGamesDisturbed` if new credits for forfeits would decide a match of the knock-out differently."""
    # Our own mistake, not anybody's input: no form has such a field.
    if unknown := set(values) - set(TOURNAMENT_SETTINGS):
        raise TypeError(f"no settings: {', '.join(sorted(unknown))}")
    with change(tournament, actor=actor, verb="update_settings", settings=sorted(values)) as log:
        # A second copy of the row: the locked one keeps the old values, against which changes are told and noted.
        stored = Tournament.objects.get(pk=tournament.pk)
        # A figure that is the old book's or the new one's is nobody's own: it follows the book, and the announcement
        # marks no deviation.
        values |= _find_announced_awards(values, stored.ruleset, str(values.get("ruleset", stored.ruleset)))
        for name, value in values.items():
            # These two are a line each; an announcement keeps its lines, which this would join.
            setattr(stored, name, clean_typed_text(value) if name in ("name", "place") else value)
        if faults := find_settings_problems(stored):
            raise Refusals(faults)
        if stored.rules.is_paired != log.tournament.rules.is_paired:
            divisions, begun = log.tournament.divisions.all(), Q(rounds__isnull=False) | Q(knockout__isnull=False)
            if divisions.filter(begun).exists() or any(find_referring_row(division) for division in divisions):
                # The other kind of rules has no page for what is there.
                raise Refusal(
                    "rules_in_use",
                    _(
                        "There are already rounds or a duplicate session, so the rules cannot switch between play in "
                        "pairs and a duplicate session."
                    ),
                    field="ruleset",
                )
        if stored.results_twice and not log.tournament.results_twice:
            _refuse_half_typed_rounds(log.tournament)
        written = {name: getattr(stored, name) for name in values}
        changed = {name: value for name, value in written.items() if value != getattr(log.tournament, name)}
        if changed:
            log.save(log.tournament, **changed)
            # After the save: the credits for forfeits that hold from now on may decide a match of the knock-out
            # otherwise.
            update_all_knockouts(log, log.tournament)
        return log.tournament


def _refuse_half_typed_rounds(tournament: Tournament) -> None:
    """Raise `typed_once_already` if games of a round that is being played have results. One query."""
    played = Round.objects.filter(division__tournament=tournament, state=Round.State.PUBLISHED)
    # Once each: joined, a round comes up with every result that it has.
    played = played.filter(pairings__kind=Pairing.Kind.GAME, pairings__results__official=True).distinct()
    typed_rounds = list(played.select_related("division").order_by("division__position", "number"))
    if typed_rounds and not tournament.is_ended:
        names = dict.fromkeys(f"{round.division.name}: {format_round_name(round)}" for round in typed_rounds)
        # What the public has seen would disappear, in the middle of a round.
        raise Refusal(
            "typed_once_already",
            _(
                "Results typed once are there already, and the public would no longer see them: %(rounds)s. Switch "
                "this on once the round is closed; it then holds from the next round on."
            ),
            field="results_twice",
            rounds=", ".join(names),
        )


def set_public(tournament: Tournament, *, public: bool, actor: Actor) -> None:
    """Show the tournament to everybody, or to its directors only."""
    with change(tournament, actor=actor, verb="set_public", public=public) as log:
        if log.tournament.is_public != public:
            log.save(log.tournament, is_public=public)


def set_tournament_aside(tournament: Tournament, *, actor: Actor) -> Tournament:
    """Free the tournament's address, hide the tournament from everybody but its directors, and let it remind nobody;
    return it as it is then."""
    with change(tournament, actor=actor, verb="set_aside", name=tournament.slug) as log:
        # Cut first: at full length the address would have no room for what makes it another one.
        slug = make_tournament_slug(f"{tournament.slug[: limits.SLUG // 2]} alt")
        # It reminds nobody: beside its copy that goes on, each player would get two letters about one game.
        log.save(log.tournament, slug=slug, is_public=False, remind_days=None)
        return log.tournament


def copy_tournament(
    source: Tournament,
    *,
    actor: Actor,
    name: str,
    starts_on: date | None = None,
    ends_on: date | None = None,
    with_entries: bool = False,
    season: Season | None = None,
) -> Tournament:
    """Create another, hidden tournament of the organiser like `source`: all but results, seeds, what is of the day or
    secret, and unless wanted entries. With a `season` it belongs to that: the divisions whose originals do, or all if
    none does. Raises `Refusals` with all faults, and what `add_season_event` raises."""
    event_copy = make_event_copy(source, name=name, starts_on=starts_on, ends_on=ends_on)
    with transaction.atomic():
        save_under_free_slug(event_copy)
        about = {"name": event_copy.name, "source": source.slug, "preset": find_preset_key(source)}
        with change(event_copy, actor=actor, verb="copy_tournament", **about) as log:
            divisions = copy_event_setup(log, source)
            if with_entries:
                # Whoever has left is not entered again unasked.
                entries = Entry.objects.filter(tournament=source, withdrawn_after=None)
                places = {pk: divisions[old] for pk, old in entries.values_list("pk", "division")}
                copy_entries(log, source, places, actor=actor)
        # Behind the change of the event: whoever writes both locks the event before the register.
        if season is not None:
            counted = set(season.events.filter(division__in=divisions).values_list("division", flat=True))
            for pk, copied in divisions.items():
                if pk in counted or not counted:
                    add_season_event(season, division=copied, actor=actor)
    return event_copy


def make_event_copy(
    source: Tournament, *, name: str, starts_on: date | None = None, ends_on: date | None = None
) -> Tournament:
    """A hidden tournament of the organiser with the settings of `source`, not stored. Raises `Refusals` with all
    faults."""
    # What is of this one event stays behind, such as that it was called off, or what it asks its federation.
    copied_too = ("certificate", "deviation_reasons", "fees", "remind_days")
    values = {field: getattr(source, field) for field in (*TOURNAMENT_SETTINGS, *copied_too)}
    values |= {"name": clean_typed_text(name), "starts_on": starts_on, "ends_on": ends_on}
    event_copy = Tournament(organiser_id=source.organiser_id, is_public=False, **values)
    if faults := find_settings_problems(event_copy):
        raise Refusals(faults)
    return event_copy


def copy_event_setup(log: Change, source: Tournament) -> dict[int, Division]:
    """Within the change that makes a copy of `source`: its divisions with knock-outs and prizes, the online entry and
    the hall; return the divisions by the ids of their originals."""
    # The row is there already, as a change locks it; the journal has to begin with it all the same.
    log.created(log.tournament)
    divisions: dict[int, Division] = {}
    for old in source.divisions.order_by("position", "pk"):
        same = {field: getattr(old, field) for field in DIVISION_SETTINGS}
        copied = divisions[old.pk] = log.create(Division(tournament=log.tournament, **same))
        if announced := Knockout.objects.filter(division=old).first():
            write_knockout_plan(log, copied, KnockoutPlan.of(announced))
        copy_prizes(log, old, copied)
    copy_online_entry(log, source)
    # At the end: its screens refer to the copies of the divisions.
    copy_hall(log, source, divisions)
    return divisions


def add_division(
    tournament: Tournament,
    *,
    name: str,
    actor: Actor,
    tables: Sequence[TableRange] = (),
    segments: Sequence[PlanSegment] = (),
    up: int = 0,
    down: int = 0,
) -> Division:
    """Add a division with tables and a plan of its own. Raises `Refusals` with all faults."""
    name = clean_typed_text(name)
    with change(tournament, actor=actor, verb="add_division", division=name) as log:
        _check_division(tournament, name, tables)
        # Behind the last one, not by how many there are: where one was removed that would be the place of another.
        last = tournament.divisions.aggregate(last=Max("position"))["last"] or 0
        pairs = [list(pair) for pair in tables]
        columns = {"name": name, "tables": pairs, "position": last + 1, "up": up, "down": down}
        division = log.create(Division(tournament=log.tournament, **columns))
        if segments:
            save_round_plan(log, division, segments)
        return division


def update_division(
    division: Division,
    *,
    name: str,
    tables: Sequence[TableRange],
    actor: Actor,
    up: int | None = None,
    down: int | None = None,
) -> None:
    """Give a division its name and, from the next draft on, its tables; none: where the one before ends. So many of its
    players go `up` and `down` after the season; None: as before. Raises `Refusals` with all faults."""
    name = clean_typed_text(name)
    with change(division.tournament, actor=actor, verb="update_division", division=division.name) as log:
        _check_division(division.tournament, name, tables, besides=division)
        # As lists, which the column holds: tuples would differ from them each time, and the journal would note a change
        # of nothing.
        values: dict[str, Any] = {"name": name, "tables": [list(pair) for pair in tables]}
        values |= {column: value for column, value in (("up", up), ("down", down)) if value is not None}
        if changed := {column: value for column, value in values.items() if getattr(division, column) != value}:
            log.tell(**changed)
            log.save(division, **changed)


def remove_division(division: Division, *, actor: Actor) -> None:
    """Delete a division. Raises `division_not_empty`, `division_registered_for`, `last_division`, `division_in_use` or
    `division_in_season`."""
    with change(division.tournament, actor=actor, verb="remove_division", division=division.name) as log:
        if count := Entry.objects.filter(division=division).count():
            raise Refusal(
                "division_not_empty",
                _("Division %(name)s still has entries (%(entries)s). Move or remove them first."),
                name=division.name,
                entries=count,
            )
        if count := division.registrations.count():
            raise Refusal(
                "division_registered_for",
                _("Division %(name)s has registrations (%(registrations)s). Move them to another one first."),
                name=division.name,
                registrations=count,
            )
        if not division.tournament.divisions.exclude(pk=division.pk).exists():
            raise Refusal(
                "last_division",
                _("Division %(name)s is the only one; a tournament needs at least one."),
                name=division.name,
            )
        if (there := find_referring_row(division)) is not None:
            raise Refusal(
                "division_in_use",
                _("Division %(name)s has a %(what)s, so it stays. Take that back in the journal first."),
                name=division.name,
                what=there._meta.verbose_name,
            )
        if (counts := SeasonEvent.objects.filter(division=division).select_related("season").first()) is not None:
            raise Refusal(
                "division_in_season",
                _("Division %(name)s counts in the season %(season)s, so it stays. Take it out of the season first."),
                name=division.name,
                season=counts.season.name,
            )
        # What is announced of a division goes with it; what was played in it has stood in the way above.
        owned: tuple[type[models.Model], ...] = (Knockout, Prize, StreamedTable)
        for model in owned:
            log.delete_all(list(model._default_manager.filter(division=division)))
        # A screen belongs to the hall and stays: from now on it shows all divisions in turn.
        for screen in Screen.objects.filter(division=division):
            log.save(screen, division=None)
        log.delete_all(list(Division.objects.filter(pk=division.pk)))


def _check_division(
    tournament: Tournament, name: str, tables: Sequence[TableRange], *, besides: Division | None = None
) -> None:
    faults = [] if name else [Refusal("division_name_missing", _("A division needs a name."), field="name")]
    faults += find_text_refusals("name", name, limits.DIVISION)
    others = tournament.divisions.exclude(pk=besides.pk if besides else 0)
    if any(fold_text(other.name) == fold_text(name) for other in others):
        message = _("This tournament already has a division “%(name)s”.")
        faults.append(Refusal("division_twice", message, field="name", name=name))
    faults += _find_tables_problems(tables, others)
    if faults:
        raise Refusals(faults)


def _find_tables_problems(tables: Sequence[TableRange], others: Iterable[Division]) -> Iterator[Refusal]:
    yield from find_table_range_problems(tables)
    for place, (first, last) in enumerate(tables):
        if (table := find_shared_table([(first, last)], tables[:place])) is not None:
            yield Refusal("table_twice", _("Table %(table)s stands there twice."), field="tables", table=table)
    if len(tables) > limits.TABLE_RANGES:
        message = _("%(count)s parts are too many: at most %(limit)s.")
        yield Refusal("tables_too_many", message, field="tables", count=len(tables), limit=limits.TABLE_RANGES)
    for other in others:
        if (table := find_shared_table(tables, read_table_ranges(other.tables))) is not None:
            message = _("Table %(table)s is already one of division %(name)s.")
            yield Refusal("table_of_another", message, field="tables", table=table, name=other.name)


def delete_tournament(tournament: Tournament, *, typed_name: str, actor: Actor) -> None:
    """Delete a tournament with all rows, which the journal keeps; `name_not_typed` unless its name was typed."""
    if normalise_text(typed_name) != normalise_text(tournament.name):
        raise Refusal(
            "name_not_typed",
            _("You typed “%(typed)s”, but the tournament is called “%(name)s”. Nothing was deleted."),
            field="typed_name",
            typed=typed_name,
            name=tournament.name,
        )
    about = {"name": tournament.name, "slug": tournament.slug}
    # Before the transaction: within one this passes for a part of a larger step, and nobody is told.
    announce_irreversible_step("delete_tournament")
    with transaction.atomic():
        lock_tournaments(Tournament.objects.filter(pk=tournament.pk))
        with open_register_change(tournament.organiser, actor=actor, verb="delete_tournament", **about) as log:
            # Under the lock: the second of two clicks finds nothing any more.
            if Tournament.objects.filter(pk=tournament.pk).exists():
                delete_tournament_rows(tournament, log=log)


def delete_tournament_rows(tournament: Tournament, *, log: ChangeLog) -> None:
    """Delete a tournament with all rows within a change of the register that is open; its journal stays."""
    # First: the journal refers to its event by a cascade, and would be deleted with it.
    keep_journal(tournament)
    # Seasons are the organiser's and stay; that they count this event goes with it.
    log.delete_all(list(SeasonEvent.objects.filter(division__tournament=tournament).order_by("pk")))
    for model in reversed(OWNED_TABLES):  # rows that refer to others come first
        log.delete_all(list(list_tournament_rows(model, tournament)))


def keep_journal(tournament: Tournament) -> None:
    """Detach the journal of a tournament that is about to be deleted, so that it stays."""
    JournalEntry.objects.filter(tournament=tournament).update(tournament=None, deleted_tournament=tournament.pk)
