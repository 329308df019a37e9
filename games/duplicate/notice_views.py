"""Pages of the notices of corrections: looked at, published, sent by letter."""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from games.duplicate.operations.notices import find_notice_recipients, publish_notice, send_notice_letters
from games.duplicate.views import (
    build_session_context,
    get_duplicate_session_or_404,
    get_session_url,
    take_session_post,
)
from games.models import DuplicateSession
from games.sessions.notices import find_pending_notice, list_notices
from games.sessions.session_state import load_session_state
from tournament.access.rules import get_actor
from tournament.entries.operations.waiting_list import is_online_entry_offered
from tournament.pages.kept_input import login_required
from tournament.pages.requests import show_refusals


@login_required
@require_http_methods(["GET", "POST"])
def show_notices(request: HttpRequest, slug: str) -> HttpResponse:
    """What corrections after the end have changed; a post publishes what no notice tells of yet."""
    session = get_duplicate_session_or_404(request, slug)
    division = session.division
    if request.method == "POST":
        with show_refusals(request):
            notice = publish_notice(session, today=timezone.localdate(), actor=get_actor(request))
            messages.success(request, _("Notice %(number)s is published.") % {"number": notice.number})
        return redirect(get_session_url(division, "games:duplicate_notices"))
    state, sends_letters = load_session_state(session), is_online_entry_offered()
    notices = [
        # Not asked where no letters are sent: it takes three queries for each notice.
        (notice, len(find_notice_recipients(division.tournament, notice)) if sends_letters else 0)
        for notice in reversed(list_notices(state))
    ]
    more: dict[str, Any] = {"notices": notices, "sends_letters": sends_letters, "pending": find_pending_notice(state)}
    return render(request, "games/duplicate/notices.html", build_session_context(division, tabs=False, **more))


@take_session_post
def submit_notice_letters(request: HttpRequest, session: DuplicateSession, number: int) -> HttpResponse:
    """Write to everybody whose figures a notice has changed; 404 where this installation sends no letters."""
    if not is_online_entry_offered():
        raise Http404
    with show_refusals(request):
        count = send_notice_letters(session, number=number, actor=get_actor(request))
        message = ngettext("%(count)s letter is on its way.", "%(count)s letters are on their way.", count)
        messages.success(request, message % {"count": count})
    return redirect(get_session_url(session.division, "games:duplicate_notices"))
