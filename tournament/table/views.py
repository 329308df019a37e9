"""The pages of the table, the cross table, statistics and lots, and the table as a file."""

import json
from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django_tables2 import RequestConfig

from scoring.letters import LETTER_SETS
from tournament.access.rules import get_actor, get_chosen_division, get_directed_tournament, get_visible_round
from tournament.core.bag import read_draw_seed
from tournament.core.words.outcomes import describe_missed_rounds
from tournament.models import Division, Lot, Tournament
from tournament.pages.caching import cache_public_page
from tournament.pages.frames import build_director_context, build_public_context, make_division_query
from tournament.pages.kept_input import login_required
from tournament.pages.requests import (
    director_page,
    paired_events_only,
    read_search_text,
    redirect_to_division,
    redirect_to_session,
    show_refusals,
)
from tournament.pages.tables import TournamentLinks
from tournament.pages.views import answer_with_division_file
from tournament.paper.documents import make_header
from tournament.results.knockout_games import LaterGamesDisturbed, parse_result_ids
from tournament.table.files import build_standings_json
from tournament.table.following import read_following
from tournament.table.league import get_last_round_number, list_league_rounds, load_boards, load_table
from tournament.table.lots import (
    discard_lot,
    find_level_groups,
    list_lot_notes,
    make_draw_seed,
    settle_tie_by_lot,
)
from tournament.table.paper import render_standings
from tournament.table.public_table import find_current_round_number, list_cross_rows, load_public_table, search_entries
from tournament.table.statistics import load_statistics
from tournament.table.tables import (
    STANDINGS_MARKERS,
    CrossTable,
    DirectorTableLinks,
    OpponentsTable,
    StandingsTable,
    StatisticsPage,
    find_division_lines,
    name_table_row,
)
from tournament.table.words import describe_criteria_order, describe_keizer_points


@login_required
@require_http_methods(["GET", "POST"])
def show_lots(request: HttpRequest, slug: str) -> HttpResponse:
    """The players level after the last published round, and the lots drawn; POST draws for one group."""
    tournament = get_directed_tournament(request, slug)
    division = get_chosen_division(request, tournament)
    if session := redirect_to_session(division):
        return session
    last = get_last_round_number(division)
    table = load_table(division, after=last)
    groups = find_level_groups(table) if last else []
    if request.method == "POST":
        # By one of its players, not by its place in the list: once a result has come, another group may stand there.
        named = request.POST.get("one_of", "")
        group = next((group for group in groups if named in [str(entry.pk) for entry in group]), [])
        with show_refusals(request):
            if group:
                tiles, letters = request.POST.get("tiles", ""), LETTER_SETS[division.tournament.rules.letters]
                seed = read_draw_seed(tiles, letters) if tiles.strip() else make_draw_seed()
                settle_tie_by_lot(division, after=last, order=group, seed=seed, actor=get_actor(request))
                messages.success(request, _("The lots have been drawn; the table shows them."))
        return redirect(reverse("director:lots", args=[division.tournament.slug]) + make_division_query(division))
    names = {row.entry.pk: row.entry.name for row in table.rows}
    drawn = [
        (lot, [names.get(key, "–") for key in lot.order], " ".join(lot.tiles))
        for lot in division.lots.order_by("after", "pk")
    ]
    context = {
        **build_director_context(tournament, division, "table"),
        "last": last,
        "table": table,
        "groups": groups,
        "drawn": drawn,
    }
    return render(request, "tournament/table/lots.html", context)


@login_required
@require_POST
def discard_lot_view(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Take lots back; ask first if games of the knock-out that were played would no longer count."""
    tournament = get_directed_tournament(request, slug)
    lot = Lot.objects.filter(pk=pk, division__tournament=tournament).select_related("division__tournament").first()
    # Taken back on another page meanwhile: this one shows it, and 404 would look like a broken link.
    if lot is None:
        return redirect("director:lots", slug)
    division, back = lot.division, reverse("director:lots", args=[slug]) + make_division_query(lot.division)
    try:
        discard_lot(lot, disturb=parse_result_ids(request.POST.get("disturbs", "")), actor=get_actor(request))
    except LaterGamesDisturbed as question:
        context = {
            **build_director_context(tournament, division, "table"),
            "question": question,
            "heading": _("Take the lot back"),
            "agreed": question.agreed,
            "back": back,
            "action": request.path,
        }
        return render(request, "tournament/knockout/question.html", context)
    messages.success(request, _("The lots are taken back."))
    return redirect(back)


MOST_OPPONENTS = 24  # everybody against everybody is offered up to so many players; beyond that nobody can read it


@require_safe
@cache_public_page
@paired_events_only
def show_cross_table(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Everybody's meetings, by round or with `?by=opponent` by opponent. Eight queries."""
    context = build_public_context(request, tournament, "crosstable")
    division = context["division"]
    # The table that the page of the standings shows: rounds published beyond it would be columns of open games.
    rows = list_cross_rows(division, after=find_current_round_number(list_league_rounds(division)))
    offered = len(rows) <= MOST_OPPONENTS
    by_opponent = offered and request.GET.get("by") == "opponent"
    kind = OpponentsTable if by_opponent else CrossTable
    table = kind(rows, context["links"], caption=_("Cross table"))
    without = [describe_missed_rounds(row.line.entry, row.missed) for row in rows if row.missed] if by_opponent else []
    context |= {"table": table, "rows": rows, "offered": offered, "by_opponent": by_opponent, "without_game": without}
    return render(request, "tournament/table/crosstable.html", context)


TABLE_FORMATS: Mapping[str, str] = {
    "csv": "text/csv; charset=utf-8",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "json": "application/json",
    "pdf": "application/pdf",
}
"""The kinds of file, each with its content type."""


def _write_table(division: Division, fmt: str, after: int) -> bytes:
    """The table after a round as one of the `TABLE_FORMATS`."""
    if fmt == "pdf":
        return render_standings(make_header(division), division, get_visible_round(division, after) if after else None)
    table = load_table(division, after=after)
    if fmt == "json":
        return json.dumps(build_standings_json(table), ensure_ascii=False, indent=1).encode()
    file = StandingsTable(table.rows, boards=load_boards(division))
    return file.build_csv() if fmt == "csv" else file.build_xlsx()


@require_safe
@cache_public_page
@paired_events_only
def download_table(request: HttpRequest, tournament: Tournament, fmt: str) -> HttpResponse:
    """The table after public round `?after=` (by default the one shown now) in one of the `TABLE_FORMATS`, else 404."""
    return _answer_file(request, get_chosen_division(request, tournament), fmt)


@director_page("GET")
def download_director_table(request: HttpRequest, tournament: Tournament, fmt: str) -> HttpResponse:
    """As `download_table`, by all results, those held back from the public included."""
    division = get_chosen_division(request, tournament)
    return redirect_to_session(division) or _answer_file(request, division, fmt)


def _answer_file(request: HttpRequest, division: Division, fmt: str) -> HttpResponse:
    if fmt not in TABLE_FORMATS:
        raise Http404(_("There is no table as “%(format)s”.") % {"format": fmt})
    progress = list_league_rounds(division)
    current = find_current_round_number(progress)
    text = request.GET.get("after", "")
    seen = [item.round.number for item in progress if item.sight.table]
    # Looked up as it is written: `int` takes “٣”, “0_3” and “+3” too, and raises for thousands of digits. The current
    # one may be 0, the table before round 1, which has files as well.
    numbers_by_text = {str(number): number for number in (current, *seen)}
    if text and text not in numbers_by_text:
        raise Http404(_("There is no table after round %(number)s.") % {"number": text})
    after = numbers_by_text[text] if text else current
    return answer_with_division_file(division, str(after), fmt, _write_table(division, fmt, after), TABLE_FORMATS[fmt])


@require_safe
@cache_public_page
@paired_events_only
def show_statistics(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """The statistics of a division. Eight queries, and one for a knock-out."""
    context = build_public_context(request, tournament, "statistics")
    context["page"] = StatisticsPage(load_statistics(context["division"]), context["links"])
    return render(request, "tournament/table/statistics.html", context)


@require_safe
@cache_public_page
@paired_events_only
def show_table(request: HttpRequest, tournament: Tournament, after: int | None = None) -> HttpResponse:
    """The table now, or after a public round whose table is seen (404 for any other). Ten queries, six more in the
    last rounds."""
    context = build_public_context(request, tournament, "table")
    try:
        context |= _build_table_context(request, context["division"], context["links"], after)
    except Http404 as missing:
        return redirect_to_division("public:table", context["division"], after, missing)
    return render(request, "tournament/table/table.html", context)


@director_page("GET")
def show_director_table(request: HttpRequest, tournament: Tournament, after: int | None = None) -> HttpResponse:
    """The table by all results, those held back from the public included."""
    division = get_chosen_division(request, tournament)
    if session := redirect_to_session(division):
        return session
    context = build_director_context(tournament, division, "table")
    links = DirectorTableLinks(tournament, context["division_query"])
    try:
        context |= _build_table_context(request, division, links, after)
    except Http404 as missing:
        return redirect_to_division("director:table", division, after, missing)
    return render(request, "tournament/table/director_table.html", context)


SEARCHED_FROM = 20  # rows of a table that can be searched


def _build_table_context(
    request: HttpRequest, division: Division, links: TournamentLinks, after: int | None
) -> dict[str, Any]:
    """A division's table after a round (None: the current one), as sorted, searched and marked by the query."""
    progress = list_league_rounds(division)
    numbers = [item.round.number for item in progress if item.sight.table]
    if after is not None and after not in numbers:
        raise Http404(_("There is no table after round %(number)s.") % {"number": after})
    after = find_current_round_number(progress) if after is None else after
    public_table = load_public_table(division, progress, after=after, moves=True)
    # Only the lines are searched. Whom the address follows, and where the lines of the division are, is asked of the
    # whole table: in what a search leaves, the last who goes up would be somebody else.
    search, lines = read_search_text(request), list(public_table.lines)
    if search:
        entry_keys = {entry.pk for entry in search_entries((line.entry for line in lines), search)}
        lines = [line for line in lines if line.entry.pk in entry_keys]
    following = read_following(request, (line.entry for line in public_table.lines))
    if following.only:
        lines = following.pick(lines, lambda line: [line.entry])
    table = StandingsTable(
        lines,
        links,
        basis=public_table.ranking.basis,
        marks={entry: mark for find in STANDINGS_MARKERS for entry, mark in find(division, after).items()},
        mine=following.keys,
        moves=after > 1,
        division_lines=find_division_lines(public_table.lines, division),
        caption=_("Standings after round %(number)s") % {"number": after},
    )
    RequestConfig(request, paginate=False).configure(table)
    return {
        "table": table,
        "shown": public_table,
        "before": after - 1,
        "round_url": links.round(after),
        "found": lines,
        "search": search,
        "is_searched": len(public_table.lines) >= SEARCHED_FROM,
        "following": following,
        "mine": next((name_table_row(line) for key in following.keys for line in lines if line.entry.key == key), ""),
        "files": [(name.upper(), links.table_file(name, after)) for name in TABLE_FORMATS],
        "lots": list_lot_notes(division, after, public_table.lines),
        "order": describe_criteria_order(public_table.ranking, division.tournament.rules),
        "scoring": describe_keizer_points(public_table.ranking),
        "picks": links.picks(numbers, links.table_after),
    }
