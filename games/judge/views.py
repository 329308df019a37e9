"""The pages of the word judge: the question, its answer, the log of all questions, and the lists it judges by."""

from datetime import timedelta
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from games import limits
from games.judge import jury_views, lists, operations, reading, store
from games.judge import words as judge_words
from games.judge.forms import ListForm, LogForm, QuestionForm
from games.models import Question, WordList
from scoring.rulesets import Per
from tournament import access
from tournament.models import Organiser, Tournament
from tournament.views import query_string
from tournament.views.director import button_refusals
from tournament.views.director.kept_input import login_required
from tournament.views.director.shell import organiser_shell, own_shell, shell
from tournament.views.director.single_submission import SingleSubmission

PER_PAGE = 50
SHOWN_FOR = timedelta(minutes=5)
"""For how long an answer's own address shows it; then it leads to a new question."""


@never_cache
@login_required
@require_http_methods(["GET", "POST"])
def ask(request: HttpRequest, slug: str) -> HttpResponse:
    """A question about the words of one play; the answer has an address of its own.

    Where players show words to the jury before they lay them, the page is the jury's.
    """
    tournament = access.directed_tournament(request, slug)
    if tournament.rules.questions is not None:
        return jury_views.ask(request, tournament)
    given = {"words": request.GET.get("words", "")[: limits.QUESTION]}
    form, once = QuestionForm(request.POST or None, initial=given), SingleSubmission(request)

    def act(typed: dict[str, Any]) -> None:
        once.run(lambda: _asked(request, tournament, typed))

    if form.done(act):
        return redirect(once.address)
    word_list = lists.in_use(tournament.organiser_id, tournament.rules.letters)
    rules = tournament.rules.challenges
    by_word = rules is not None and rules.per == Per.WORD
    context = {"tournament": tournament, "form": form, "once": once, "word_list": word_list, "by_word": by_word}
    return render(request, "games/judge/judge.html", context)


def _asked(request: HttpRequest, tournament: Tournament, typed: dict[str, Any]) -> str:
    """Ask, and return the address of the answer."""
    question = operations.ask_judge(
        tournament, text=typed["words"], left=typed["left"], right=typed["right"], actor=access.actor(request)
    )
    return reverse("games:judge_answer", args=[tournament.slug, question.pk])


@never_cache
@login_required
@require_safe
def answer(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Whether the play stands; which word is bad only where the rules judge word by word (TSO 3.1.4 c ii)."""
    tournament = access.directed_tournament(request, slug)
    question = get_object_or_404(Question, tournament=tournament, pk=pk)
    if timezone.now() - question.at > SHOWN_FOR:
        return redirect("games:judge", slug)
    twice = [word for word in dict.fromkeys(question.words) if question.words.count(word) > 1]
    rules = tournament.rules.challenges
    by_word = rules is not None and rules.per == Per.WORD and len(question.words) > 1
    context = {"tournament": tournament, "question": question, "twice": twice, "by_word": by_word}
    return render(request, "games/judge/answer.html", context)


@login_required
@require_safe
def log(request: HttpRequest, slug: str) -> HttpResponse:
    """Every question that was asked in this tournament, newest first. None can be deleted."""
    tournament = access.directed_tournament(request, slug)
    if tournament.rules.questions is not None:
        return jury_views.log(request, tournament)
    form = LogForm(request.GET)
    found = Question.objects.filter(tournament=tournament).order_by("-pk")
    if form.wanted.get("answer"):
        found = found.filter(stands=form.wanted["answer"] == "stands")
    word = reading.folded(reading.composed(form.wanted.get("word", "").strip()))
    questions = [each for each in found if not word or word in each.words]
    page = query_string.page(request, questions, PER_PAGE)
    context = shell(tournament, access.division_of(request, tournament), "journal", tabs=False)
    filtered = bool(word or form.wanted.get("answer"))
    return render(request, "games/judge/log.html", {**context, "form": form, "page": page, "filtered": filtered})


@login_required
@require_http_methods(["GET", "POST"])
def word_lists(request: HttpRequest) -> HttpResponse:
    """The lists that are loaded, and a form to load another one."""
    around = organiser_shell(request)
    form, once = ListForm(request.POST or None, request.FILES or None), SingleSubmission(request)
    if form.done(lambda typed: once.run(lambda: _loaded(request, typed, around["organiser"]))):
        return redirect(once.address)
    faulty = next((refusal for refusal in form.refused if isinstance(refusal, operations.FaultyLines)), None)
    shown = [(each, *_state(each)) for each in lists.of(around["organiser"])]
    context = {**around, "form": form, "once": once, "lists": shown, "report": faulty.report if faulty else None}
    return render(request, "games/judge/lists.html", context)


def _loaded(request: HttpRequest, typed: dict[str, Any], organiser: Organiser) -> str:
    sent = typed["file"]
    done = operations.load_word_list(
        sent.file,
        letters=typed["letters"],
        title=typed["title"] or operations.title_of(sent.name),
        leave_out=typed["leave_out"],
        use=typed["use"],
        most_lines=limits.WORD_LIST_LINES,
        actor=access.actor(request, organiser),
    )
    messages.success(request, judge_words.loaded(done))
    for sentence in judge_words.left_out(done):
        messages.warning(request, sentence)
    return request.get_full_path()


def _state(word_list: WordList) -> tuple[str, str, str]:
    """A list's first and last word, or else what is wrong with its file."""
    try:
        first, last = lists.look_into(word_list).ends(1)
    except (store.ListMissing, store.ListDamaged) as refusal:
        return "", "", str(refusal)
    return first[0], last[0], ""


@login_required
@require_POST
def use(request: HttpRequest, pk: int) -> HttpResponse:
    """Judge by another list."""
    chosen = get_object_or_404(WordList, pk=pk)
    around = own_shell(request, chosen.organiser_id)
    with button_refusals.refusals(request):
        operations.use_word_list(chosen, actor=access.actor(request))
        messages.success(request, _("From now on words are judged by “%(title)s”.") % {"title": chosen.title})
    return redirect(reverse("games:word_lists") + around["organiser_query"])


@login_required
@require_http_methods(["GET", "POST"])
def delete(request: HttpRequest, pk: int) -> HttpResponse:
    """Ask, then delete a list."""
    doomed = get_object_or_404(WordList, pk=pk)
    around = own_shell(request, doomed.organiser_id)
    if request.method == "POST":
        operations.delete_word_list(doomed, actor=access.actor(request))
        messages.success(request, _("The word list “%(title)s” is deleted.") % {"title": doomed.title})
        return redirect(reverse("games:word_lists") + around["organiser_query"])
    context = {**around, "word_list": doomed, "asked": doomed.questions.count()}
    return render(request, "games/judge/delete.html", context)
