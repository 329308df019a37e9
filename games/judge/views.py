"""Pages of the word judge: a question to it or to the jury, its answer, the logs, and the lists it judges by."""

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
from games.judge.forms import JudgeLogForm, JuryQuestionForm, QuestionForm, WordListForm
from games.judge.jury import ask_jury, list_open_askers
from games.judge.lists import compose_word_text, fold_word, get_word_list_in_use, list_word_lists, open_word_list
from games.judge.operations import (
    FaultyLines,
    ask_judge,
    delete_word_list,
    load_word_list,
    make_list_title,
    use_word_list,
)
from games.judge.store import WordListDamaged, WordListMissing
from games.judge.words import describe_jury_answer, describe_left_out_lines, describe_loaded_list
from games.models import JuryQuestion, Question, WordList
from scoring.rulesets.values import PenaltyUnit
from tournament.access.rules import get_actor, get_chosen_division, get_directed_tournament
from tournament.models import Organiser, Tournament
from tournament.models.play import prefetch_seats
from tournament.pages.frames import build_director_context, build_organiser_context, build_own_organiser_context
from tournament.pages.kept_input import login_required
from tournament.pages.requests import SingleSubmission, paginate_rows, show_refusals

QUESTIONS_PER_PAGE = 50
ANSWER_SHOWN_FOR = timedelta(minutes=5)
"""For how long an answer's own address shows it; then it leads to a new question."""


def _show_jury_form(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """A player's question during a game, and who has asked how many."""
    askers = list_open_askers(tournament)
    word_list = get_word_list_in_use(tournament.organiser_id, tournament.rules.letters)
    initial = {"who": request.GET.get("who", "")}
    form = JuryQuestionForm(request.POST or None, askers=askers, has_list=word_list is not None, initial=initial)
    once = SingleSubmission(request)
    if outcome := form.done(lambda typed: once.run(lambda: _note_jury_question(request, form, typed))):
        return redirect(outcome.result)
    context = {
        **build_director_context(tournament, get_chosen_division(request, tournament), "judge", tabs=False),
        "form": form,
        "once": once.token,
        "word_list": word_list,
        "askers": askers,
        "limit": tournament.question_limit,
        "clause": tournament.rules.clauses.questions,
    }
    return render(request, "games/judge/jury.html", context)


def _note_jury_question(request: HttpRequest, form: JuryQuestionForm, typed: dict[str, Any]) -> str:
    """Note the question and show its answer; the next one is asked on the same page."""
    asker, actor = form.asker, get_actor(request)
    question = ask_jury(asker.pairing, side=asker.side, text=typed["word"], verdict=form.verdict_given, actor=actor)
    tell = messages.success if question.stands else messages.warning
    tell(request, describe_jury_answer(question, asker))
    return request.path


def _show_jury_log(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Every word that was shown to the jury in this tournament, newest first."""
    jury_questions = JuryQuestion.objects.filter(pairing__round__division__tournament=tournament).order_by("-pk")
    jury_questions = jury_questions.select_related("pairing__round__division__tournament")
    jury_questions = jury_questions.prefetch_related(prefetch_seats("pairing__seats"))
    page = paginate_rows(request, jury_questions, QUESTIONS_PER_PAGE)
    lines = [
        (question, next(seat.entry for seat in question.pairing.seats.all() if seat.side == question.side))
        for question in page
    ]
    context = build_director_context(tournament, get_chosen_division(request, tournament), "judge", tabs=False)
    return render(request, "games/judge/jury_log.html", {**context, "page": page, "lines": lines})


@never_cache
@login_required
@require_http_methods(["GET", "POST"])
def show_judge_form(request: HttpRequest, slug: str) -> HttpResponse:
    """A question about the words of one play; the answer has an address of its own. Where players show words to the
    jury before they lay them, the page is the jury's."""
    tournament = get_directed_tournament(request, slug)
    if tournament.rules.questions is not None:
        return _show_jury_form(request, tournament)
    initial = {"words": request.GET.get("words", "")[: limits.QUESTION]}
    # Asked once for each page: a question cannot be deleted, and a second click would stand in the log for good.
    form, once = QuestionForm(request.POST or None, initial=initial), SingleSubmission(request)
    if outcome := form.done(lambda typed: once.run(lambda: _note_question(request, tournament, typed))):
        return redirect(outcome.result)
    word_list = get_word_list_in_use(tournament.organiser_id, tournament.rules.letters)
    rules = tournament.rules.challenges
    by_word = rules is not None and rules.per == PenaltyUnit.WORD
    context = {"tournament": tournament, "form": form, "once": once, "word_list": word_list, "by_word": by_word}
    return render(request, "games/judge/judge.html", context)


def _note_question(request: HttpRequest, tournament: Tournament, typed: dict[str, Any]) -> str:
    consent = {"left": typed["left"], "right": typed["right"]}
    question = ask_judge(tournament, text=typed["words"], **consent, actor=get_actor(request))
    return reverse("games:judge_answer", args=[tournament.slug, question.pk])


@never_cache
@login_required
@require_safe
def show_judge_answer(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Whether the play stands; which word is bad only where the rules judge word by word (TSO 3.1.4 c ii)."""
    tournament = get_directed_tournament(request, slug)
    question = get_object_or_404(Question, tournament=tournament, pk=pk)
    # The laptop stands between two tables: whoever comes next is not to find the answer to somebody else's question, by
    # going back in the browser either.
    if timezone.now() - question.at > ANSWER_SHOWN_FOR:
        return redirect("games:judge", slug)
    twice = [word for word in dict.fromkeys(question.words) if question.words.count(word) > 1]
    rules = tournament.rules.challenges
    by_word = rules is not None and rules.per == PenaltyUnit.WORD and len(question.words) > 1
    context = {"tournament": tournament, "question": question, "twice": twice, "by_word": by_word}
    return render(request, "games/judge/answer.html", context)


@login_required
@require_safe
def show_judge_log(request: HttpRequest, slug: str) -> HttpResponse:
    """Every question that was asked in this tournament, newest first. None can be deleted."""
    tournament = get_directed_tournament(request, slug)
    if tournament.rules.questions is not None:
        return _show_jury_log(request, tournament)
    form = JudgeLogForm(request.GET)
    questions_asked = Question.objects.filter(tournament=tournament).order_by("-pk")
    if form.wanted.get("answer"):
        questions_asked = questions_asked.filter(stands=form.wanted["answer"] == "stands")
    # As lists and questions keep it: who looks for “groß” finds GROSS.
    word = fold_word(compose_word_text(form.wanted.get("word", "").strip()))
    # Not by the database: SQLite cannot look for an entry of a JSON list.
    questions = [question for question in questions_asked if not word or word in question.words]
    page = paginate_rows(request, questions, QUESTIONS_PER_PAGE)
    context = build_director_context(tournament, get_chosen_division(request, tournament), "judge", tabs=False)
    filtered = bool(word or form.wanted.get("answer"))
    return render(request, "games/judge/log.html", {**context, "form": form, "page": page, "filtered": filtered})


@login_required
@require_http_methods(["GET", "POST"])
def show_word_lists(request: HttpRequest) -> HttpResponse:
    """The lists that are loaded, and a form to load another one."""
    around = build_organiser_context(request)
    form, once = WordListForm(request.POST or None, request.FILES or None), SingleSubmission(request)
    if outcome := form.done(lambda typed: once.run(lambda: _load_list(request, typed, around["organiser"]))):
        return redirect(outcome.result)
    faulty = next((refusal for refusal in form.refused if isinstance(refusal, FaultyLines)), None)
    lists = [(word_list, *_describe_list(word_list)) for word_list in list_word_lists(around["organiser"])]
    context = {**around, "form": form, "once": once, "lists": lists, "report": faulty.report if faulty else None}
    return render(request, "games/judge/lists.html", context)


def _load_list(request: HttpRequest, typed: dict[str, Any], organiser: Organiser) -> str:
    upload = typed["file"]
    options = {name: typed[name] for name in ("letters", "leave_out", "use")}
    title, actor = typed["title"] or make_list_title(upload.name), get_actor(request, organiser)
    loading = load_word_list(upload.file, title=title, **options, most_lines=limits.WORD_LIST_LINES, actor=actor)
    messages.success(request, describe_loaded_list(loading))
    for sentence in describe_left_out_lines(loading):
        messages.warning(request, sentence)
    return request.get_full_path()


def _describe_list(word_list: WordList) -> tuple[str, str, str]:
    """A list's first and last word, or else what is wrong with its file."""
    try:
        first, last = open_word_list(word_list).ends(1)
    # Listed all the same: this is where it is deleted and loaded again.
    except (WordListMissing, WordListDamaged) as refusal:
        return "", "", str(refusal)
    return first[0], last[0], ""


@login_required
@require_POST
def choose_word_list(request: HttpRequest, pk: int) -> HttpResponse:
    """Judge by another list."""
    chosen = get_object_or_404(WordList, pk=pk)
    around = build_own_organiser_context(request, chosen.organiser_id)
    with show_refusals(request):
        use_word_list(chosen, actor=get_actor(request))
        messages.success(request, _("Words are now judged by “%(title)s”.") % {"title": chosen.title})
    return redirect(reverse("games:word_lists") + around["organiser_query"])


@login_required
@require_http_methods(["GET", "POST"])
def confirm_list_deletion(request: HttpRequest, pk: int) -> HttpResponse:
    """Ask, then delete a list."""
    doomed = get_object_or_404(WordList, pk=pk)
    around = build_own_organiser_context(request, doomed.organiser_id)
    if request.method == "POST":
        delete_word_list(doomed, actor=get_actor(request))
        messages.success(request, _("The word list “%(title)s” is deleted.") % {"title": doomed.title})
        return redirect(reverse("games:word_lists") + around["organiser_query"])
    context = {**around, "word_list": doomed, "asked": doomed.questions.count()}
    return render(request, "games/judge/delete.html", context)
