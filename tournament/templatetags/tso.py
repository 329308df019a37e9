"""How figures are written on pages, and the few helpers that the components need."""

from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from functools import cache
from urllib.parse import urlsplit

from django import template
from django.contrib import messages
from django.contrib.messages.storage.base import Message
from django.core.paginator import Page
from django.db.models import QuerySet
from django.forms import BoundField, CheckboxInput, CheckboxSelectMultiple, RadioSelect, Select
from django.http import HttpRequest, QueryDict
from django.template import Context
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.safestring import SafeString

from scoring.awards import Outcome
from tournament.access.rules import identify_worker
from tournament.basics.moments import format_recent_time
from tournament.basics.phones import format_dialled_number
from tournament.by_itself.queries import load_countdown
from tournament.chances.division_moves import describe_division_moves
from tournament.core.bag import list_tile_notes
from tournament.core.words.figures import (
    append_clause,
    format_amount,
    format_clause,
    format_clock,
    format_event_days,
    format_half_wins,
    format_meeting,
    format_money,
    format_overtime_step,
    format_points,
    format_rating,
    format_signed,
    format_sixths,
    format_wins,
    insert_clause,
    name_both_players,
)
from tournament.core.words.journal import JournalLine
from tournament.core.words.outcomes import format_outcome, format_withdrawal
from tournament.core.words.rounds import format_round_name, format_round_phrase, format_table_name
from tournament.events.console import find_next_step
from tournament.events.menu import list_bar_menu
from tournament.events.states import load_bar_facts
from tournament.events.words import describe_progress, describe_segment, format_segment_rounds
from tournament.mirror.words import describe_silence, describe_stand
from tournament.models import ClubPicture, Division, Entry, JournalEntry, Organiser, Pairing, Season, Tournament
from tournament.pages.at_work import describe_open_tables, format_others_here, note_presence
from tournament.pages.bars import (
    WORK,
    build_club_bar,
    build_public_bar,
    build_work_bar,
    get_role,
    get_work_address,
    list_account_entries,
)
from tournament.pages.manual import make_help_address
from tournament.pages.shortcuts import LETTERS, list_general_shortcuts, list_page_shortcuts
from tournament.results.league_games import OpenRound
from tournament.rounds.phase import DirectorStep, get_division_phase

JUST_DONE = timedelta(seconds=30)  # in which the page that follows an act is there; what is older was told before
SHORT_HELP = 5  # words of a help that stands below its field; a longer one is behind a “?”

register = template.Library()

register.filter("stand", describe_stand)
register.filter("silence", describe_silence)
register.filter("points", format_points)
register.filter("amount", format_amount)
register.filter("money", format_money)
register.filter("rating", format_rating)
register.filter("signed", format_signed)
register.filter("half", format_wins)
register.filter("halves", format_half_wins)
register.filter("sixths", format_sixths)
register.filter("clock", format_clock)
register.filter("event_days", format_event_days)
register.filter("started", format_overtime_step)
register.filter("bracketed", format_clause)
register.filter("dialled", format_dialled_number)
register.filter("with_clause", append_clause)
register.filter("before_stop", insert_clause)
register.filter("rounds", format_segment_rounds)
register.filter("method", describe_segment)
register.filter("withdrawn", format_withdrawal)
register.filter("round_name", format_round_name)
register.filter("round_phrase", format_round_phrase)
register.filter("table_name", format_table_name)
register.filter("meeting", format_meeting)
register.filter("tile_notes", list_tile_notes)
register.simple_tag(list_account_entries, name="account_entries")
register.simple_tag(get_work_address, name="work_address")
register.simple_tag(make_help_address, name="help_address")
register.simple_tag(describe_division_moves, name="division_moves")


@register.inclusion_tag("components/bar.html", takes_context=True)
def work_bar(context: Context) -> dict[str, object]:
    """The bar of a page of those who work at a tournament. One query."""
    request, tournament = context["request"], context["tournament"]
    query = context.get("division_query") or ""
    facts = load_bar_facts(tournament, context.get("division"))
    menu = list_bar_menu(tournament, query, facts) if facts and get_role(tournament) not in WORK else []
    line = describe_progress(facts.state, several=facts.several) if facts else ""
    bar = build_work_bar(request, tournament, area=context.get("area") or "", query=query, line=line, menu=menu)
    shared = {name: context.get(name) or "" for name in ("csrf_token", "keys_of")}
    return {"bar": bar, "request": request, **shared}


@register.inclusion_tag("components/shortcuts.html", takes_context=True)
def shortcut_list(context: Context) -> dict[str, object]:
    """The keys of the page that is asked for; where any letter begins a name there, none leads to another page."""
    page = list_page_shortcuts(context["request"], context.get("keys_of") or "")
    leads = not any(LETTERS in shortcut.keys for shortcut in page)
    return {"page": page, "leads": leads, "general": list_general_shortcuts()}


@register.inclusion_tag("components/bar.html", takes_context=True)
def public_bar(context: Context) -> dict[str, object]:
    """The bar of a tournament's public page. No query."""
    bar = build_public_bar(context["tournament"], context.get("area") or "", context.get("division_query") or "")
    return {"bar": bar}


@register.inclusion_tag("components/bar.html")
def club_bar(club: Organiser, season: Season | str, logo: ClubPicture | None, area: str) -> dict[str, object]:
    """The bar of a club's front page or season; a page without a season says "". No query."""
    return {
        "bar": build_club_bar(club, season if isinstance(season, Season) else None, logo.pk if logo else None, area)
    }


@register.inclusion_tag("tournament/pages/_last_act.html", takes_context=True)
def last_act(
    context: Context, tournament: object, asked_from: str, messages_shown: Iterable[Message] = (), form: str = ""
) -> dict[str, object]:
    """The reader's own act, if it is the newest, with the way to take it back, which leads back to `asked_from`; not
    where a message of the page tells of it. `form`: the page's form that is sent, where this stands inside another.
    One query."""
    is_told = any(message.level == messages.SUCCESS for message in messages_shown)
    return {
        "line": None if is_told else _find_own_act(context, tournament),
        "is_shown": isinstance(tournament, Tournament) and tournament.is_directed,
        "tournament": tournament,
        "asked_from": asked_from,
        "csrf_token": context.get("csrf_token"),
        "form": form,
    }


@register.inclusion_tag("tournament/pages/_told.html", takes_context=True, name="told")
def build_told_messages(
    context: Context,
    tournament: object,
    asked_from: str,
    messages_shown: Iterable[Message],
    *,
    has_place: object = False,
    is_silent: bool = False,
) -> dict[str, object]:
    """What has happened, each once: what was done, with the way to take it back, beside the page; the rest above it.
    `has_place`: the page says at a place of its own what was done last; `is_silent`: its acts leave no message, so
    their line of the journal is told. One query where something was done, none otherwise."""
    all_messages = list(messages_shown)
    successes = [message for message in all_messages if message.level == messages.SUCCESS]
    # Only where a button of this very page led to it: an act elsewhere was told there.
    request = context["request"]
    is_own = is_silent and not successes and urlsplit(request.headers.get("Referer", "")).path == request.path
    line = _find_own_act(context, tournament) if successes or is_own else None
    if line and timezone.now() - line.entry.at > JUST_DONE:
        line = None
    return {
        "others": [message for message in all_messages if message.level != messages.SUCCESS],
        "done": [] if has_place and line else successes or ([line.sentence] if line and is_own else []),
        "line": line,
        "tournament": tournament,
        "asked_from": asked_from,
        "csrf_token": context.get("csrf_token"),
    }


def _find_own_act(context: Context, tournament: object) -> JournalLine | None:
    """The tournament's newest act, if it is the reader's own and can be taken back. One query."""
    request = context.get("request")
    if not (request and isinstance(tournament, Tournament) and tournament.is_directed):
        return None
    newest = _make_query_of_newest_acts().filter(tournament=tournament).first()
    line = JournalLine(newest) if newest and newest.by_id == request.user.pk else None
    return line if line and (line.undoable or line.publishes) else None


@cache
def _make_query_of_newest_acts() -> QuerySet[JournalEntry]:
    """The entries of journals, the newest first: the query, never its rows, for making it took as long as asking.
    Without what an entry did to rows: that of an import holds those of a whole event."""
    return JournalEntry.objects.order_by("-number").defer("rows")


@register.inclusion_tag("tournament/entries/_next_step.html", takes_context=True)
def next_step(context: Context, division: Division) -> dict[str, object]:
    """The way on from the entries once a round can be paired, or a knock-out be seeded that has none before it. At most
    four queries."""
    now = get_division_phase(division)
    may_begin = now.step == DirectorStep.PAIR or (now.step == DirectorStep.CONFIRM_SEEDS and now.is_before_play)
    is_due = division.tournament.is_directed and may_begin and division.tournament.rules.is_paired
    step = find_next_step(division, now) if is_due else None
    return {"next": step, "tournament": division.tournament, "csrf_token": context.get("csrf_token")}


register.simple_tag(load_countdown, name="day_countdown")


@register.filter
def ago(at: datetime | None) -> SafeString:
    """A moment of the past by how long ago it is, with the exact one for whoever asks; not for pages that are kept."""
    if at is None:
        return SafeString()
    at = timezone.localtime(timezone.make_aware(at) if timezone.is_naive(at) else at)
    exact = f"{date_format(at, 'SHORT_DATE_FORMAT')}, {date_format(at, 'H:i:s')}"
    return format_html('<time datetime="{}" title="{}">{}</time>', at.isoformat(), exact, format_recent_time(at))


@register.filter
def names(entries: Iterable[Entry]) -> str:
    """The names of entries, as a sentence lists them."""
    return "; ".join(entry.name for entry in entries)


@register.filter
def outcome(pairing: Pairing) -> str:
    """How the official result says that a game ended, or what there was instead of one."""
    assert pairing.result is not None
    return format_outcome(Outcome(pairing.result.outcome), name_both_players(pairing))


@register.filter
def open_round(found: OpenRound) -> str:
    """That a round lacks results, and of which tables."""
    return describe_open_tables(found.number, found.tables, again=found.again)


@register.filter
def is_checkbox(field: BoundField) -> bool:
    """Whether the field is one box to tick, which stands before its label."""
    return type(field.field.widget) is CheckboxInput


@register.filter
def has_long_help(field: BoundField) -> bool:
    """Whether the field's help is more than a few words, which are folded."""
    return len(str(field.help_text).split()) > SHORT_HELP


@register.filter
def control(field: BoundField, size: str = "") -> SafeString:
    """The field's widget with the look's classes; after a refusal the cursor is in the first field at fault."""
    widget = field.field.widget
    if isinstance(widget, CheckboxSelectMultiple | RadioSelect):
        return field.as_widget()
    if isinstance(widget, CheckboxInput):
        base = "form-check-input"
    else:
        base = "form-select" if isinstance(widget, Select) else "form-control"
    names = [widget.attrs.get("class", ""), base, size or "", "is-invalid" if field.errors else ""]
    attrs: dict[str, str | bool] = {"class": " ".join(name for name in names if name)}
    # In the order of the page: `errors` begins with what the form found, and what an operation refused stands last.
    if faulty := [name for name in field.form.fields if name in field.form.errors]:
        # False is said as well: it takes the mark off a field that has it of its own, which would draw the cursor away
        # from the fault.
        attrs["autofocus"] = field.name == faulty[0]
    return field.as_widget(attrs=attrs)


@register.simple_tag(takes_context=True)
def optional(context: Context, *names: str) -> str:
    """Let a part be shown without these inputs: what is not given is "". Whatever else is missing fails in tests."""
    for name in names:
        if name not in context:
            context[name] = ""
    return ""


@register.simple_tag(name="seen")
def render_seen_revision(shown: Tournament | Organiser | str | None) -> SafeString | str:
    """A hidden field with the revision that the page shows of tournament or register, if any, for `get_actor`."""
    if not isinstance(shown, Tournament | Organiser) or shown.pk is None:
        return ""
    name = "revision" if isinstance(shown, Tournament) else "register"
    return format_html('<input type="hidden" name="{}" value="{}">', name, shown.revision)


@register.inclusion_tag("director/_also_here.html", takes_context=True)
def also_here(context: Context) -> dict[str, object]:
    """Who else has this page of a tournament (and of a division, where it is about one) open."""
    request, tournament = context["request"], context["tournament"]
    division = context.get("division")
    # Without the rest of the query: sorted or searched, it is the same page. Another division is another one.
    page = f"{request.path}?{division.name if division else ''}"
    who, name = identify_worker(request)
    names = note_presence(tournament.pk, page, who=who, name=name)
    return {"tournament": tournament, "page": page, "said": format_others_here(names) if names else ""}


@register.simple_tag
def query_with(request: HttpRequest, name: str, value: object) -> str:
    """The query string of this page with one value changed, for links in the pages' nav."""
    # A copy, which may be written to: the request's own refuses it.
    query: QueryDict = request.GET.copy()
    query[name] = str(value)
    return f"?{query.urlencode()}"


@register.filter
def elided_pages(page: Page[object]) -> Iterator[int | str]:
    """The pages' numbers around the current one, with ellipses."""
    return page.paginator.get_elided_page_range(page.number, on_each_side=1, on_ends=1)
