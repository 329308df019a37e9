"""A played game step by step: the public page, its file, and the director's page with the best plays."""

from collections.abc import Sequence
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from games.core.pages import find_unsolved_turn, has_unsolved_turn, make_table_context
from games.gcg.views import answer_with_gcg
from games.judge.lists import get_word_list_in_use
from games.models import Line, Scoresheet
from games.plays import find_best_plays
from games.replay.replays import get_public_sheet_or_404, load_public_lines, load_replay
from games.replay.streamed_board import find_mirrored_board, load_streamed_board
from games.sheets.sheet_page import get_scoresheet
from games.sheets.words import describe_other_result
from tournament.access.rules import get_chosen_division, get_directed_tournament
from tournament.basics.refusals import Refusal
from tournament.hall.contents import find_shown_round
from tournament.hall.parts import ScreenPart, make_sentence_part
from tournament.hall.queries import is_table_streamed, list_streamed_tables
from tournament.hall.views import render_part_page
from tournament.models import Division, Tournament
from tournament.pages.caching import cache_public_page
from tournament.pages.frames import build_public_context
from tournament.pages.kept_input import login_required
from tournament.pages.requests import read_query_number


@require_safe
@cache_public_page
def show_replay(request: HttpRequest, tournament: Tournament, pk: int) -> HttpResponse:
    """The game as it stood after `?turn=`, or at its end without one. 404 if it is not public. It ends before a turn
    that everybody is to think about; best plays are shown once it is over."""
    sheet = get_public_sheet_or_404(tournament, pk)
    around = build_public_context(request, tournament, "rounds", sheet.pairing.round.division)
    lines, before = load_public_lines(sheet), find_unsolved_turn(sheet)
    if before is not None and before > len(lines):  # it is among the lines that are shown later
        before = None
    game = _make_game_context(request, sheet, before=before, lines=lines)
    if sheet.pairing.result is None:
        game["delay"] = tournament.stream_delay
    best_plays = _make_best_plays_context(game, sheet) if sheet.shows_best and _is_game_over(sheet) else {}
    # Why there are none (no list is loaded, its file is damaged) is the director's business, not the public's.
    shown_plays = best_plays if "best" in best_plays else {}
    return render(request, "games/replay/replay.html", {**around, **game, **shown_plays})


@login_required
@require_safe
def show_best_plays_of_sheet(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """For the director, any game that is over, step by step with the best plays of each turn."""
    sheet = get_scoresheet(get_directed_tournament(request, slug), pk)
    around = make_table_context(sheet.pairing)
    if not _is_game_over(sheet):
        messages.info(request, _("This game is still in progress. Its best plays are shown once it is over."))
        return redirect("games:gcg", slug, sheet.pairing_id)
    game = _make_game_context(request, sheet)
    return render(request, "games/replay/best_plays.html", {**around, **game, **_make_best_plays_context(game, sheet)})


def _is_game_over(sheet: Scoresheet) -> bool:
    return bool(sheet.is_finished or sheet.pairing.result)


def _make_game_context(
    request: HttpRequest, sheet: Scoresheet, before: int | None = None, lines: Sequence[Line] | None = None
) -> dict[str, Any]:
    """The game as it stood after the turn that the address names; 404 for a turn that it does not have. `before` and
    `lines` as for `load_replay`."""
    replay = load_replay(sheet, before=before, lines=lines)
    turn = read_query_number(request, "turn", replay.last)
    if turn is None or turn > replay.last:
        raise Http404(_("This game has no turn %(number)s.") % {"number": request.GET["turn"][:20]})
    unseen, count = replay.list_unseen_tiles(turn)
    first, back = (0, turn - 1) if turn else (None, None)
    following, last = (turn + 1, replay.last) if turn < replay.last else (None, None)
    return {
        "pairing": sheet.pairing,
        "round": sheet.pairing.round,
        "replay": replay,
        "turn": turn,
        "shown": replay.turns[turn - 1] if turn else None,
        "board": replay.make_picture(turn),
        "standings": replay.list_standings(turn),
        "unseen": unseen,
        "unseen_count": count,
        # Nor a contradiction while there is a turn to think about: its sentence has the final score.
        "contradiction": "" if before else describe_other_result(replay.count.final, sheet.pairing),
        "ways": {"first": first, "back": back, "next": following, "last": last},
    }


def _make_best_plays_context(game: dict[str, Any], sheet: Scoresheet) -> dict[str, Any]:
    """The best plays of the turn that is shown, or why there are none to be shown."""
    tournament = sheet.pairing.round.division.tournament
    position = game["replay"].find_position(game["turn"])
    if position is None:
        return {}
    word_list = get_word_list_in_use(tournament.organiser_id, letters=tournament.rules.letters)
    if word_list is None:
        return {"without_list": True}
    try:
        plays = find_best_plays(position.board, position.rack, word_list)
    except Refusal as refused:
        return {"list_refused": str(refused)}
    return {"best": plays, "laid": position.laid}


@require_safe
@cache_public_page
def download_public_game(request: HttpRequest, tournament: Tournament, pk: int) -> HttpResponse:
    """The public game as a GCG file; 404 if it is not public, lacks words, or has a turn to think about."""
    sheet = get_public_sheet_or_404(tournament, pk)
    if find_unsolved_turn(sheet) is not None:
        raise Http404(_("This game can be saved once the play of the round is solved."))
    try:
        return answer_with_gcg(sheet, load_public_lines(sheet))
    except Refusal as refused:
        raise Http404(str(refused)) from refused


@require_safe
@cache_public_page
def show_streamed_table(request: HttpRequest, tournament: Tournament, table: int) -> HttpResponse:
    """The board of a streamed table in the current round; 404 unless the director has switched its stream on."""
    division = get_chosen_division(request, tournament)
    if not is_table_streamed(division, table):
        raise Http404(_("Table %(number)s is not streamed.") % {"number": table})
    name = _("Table %(number)s") % {"number": table}
    return render_part_page(request, tournament, _make_stream_part(division, table, name), name)


@require_safe
@cache_public_page
def show_streamed_board(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """The board of the first table that is streamed, of the division in the query or of any, at an address that stays
    whichever table that is."""
    # None for an address without it, whatever division a page would show: the stream may be of any.
    division = get_chosen_division(request, tournament) if "division" in request.GET else None
    streamed = [table for table in list_streamed_tables(tournament) if division in (None, table.division)]
    if not streamed:
        name = _("Board of the streamed game")
        message = _("No table is streamed at the moment. The board appears here automatically.")
        return render_part_page(request, tournament, make_sentence_part(name, message), name)
    streamed_table = streamed[0]
    streamed_table.division.tournament = tournament
    name = _("Table %(number)s") % {"number": streamed_table.table}
    return render_part_page(
        request, tournament, _make_stream_part(streamed_table.division, streamed_table.table, name), name
    )


def _make_stream_part(division: Division, table: int, name: str) -> ScreenPart:
    round = find_shown_round(division)
    if round and has_unsolved_turn(round, table):
        return make_sentence_part(name, _("The board is shown again once the play of the round is solved."))
    if division.tournament.mirror is not None:
        streamed = find_mirrored_board(division, table)
    else:
        streamed = load_streamed_board(round, table) if round else None
    if streamed is None:
        return make_sentence_part(
            name, _("No plays of this game have been typed yet. The board appears here automatically.")
        )
    html = render_to_string("games/replay/_board.html", {"shown": streamed, "name": name})
    return ScreenPart("board", title=name, html=SafeString(html))
