"""Words that players show to the jury before they lay them: answered and counted (Puntenscrabble III-10)."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django.utils.translation import gettext_lazy as _

from games.judge import lists
from games.models import JuryQuestion
from scoring.letters import LETTER_SETS
from tournament.models import Entry, Pairing, Round, Seat, Tournament
from tournament.operations import results
from tournament.operations.change import Actor, change
from tournament.refusals import Refusal
from tournament.words import round_names
from tournament.words.clauses import before_stop


class NoQuestionsHere(Refusal):
    code = "no_questions"
    message = _("%(rules)s has no questions to the jury before a word is laid.")


class OneWordOnly(Refusal):
    code = "one_word_only"
    message = _("“%(text)s” are %(count)s words. Each word is a question of its own: type one.")
    field = "word"


class AnswerMissing(Refusal):
    code = "answer_missing"
    message = _("No word list for this tournament’s letters is loaded: say whether “%(word)s” is good.")
    field = "verdict"


class NoQuestionLeft(Refusal):
    code = "no_question_left"
    message = _(
        "“%(word)s” is not answered: %(name)s has shown the jury %(asked)s words in this game, and no more than "
        "%(limit)s are allowed."
    )
    field = "word"

    def __str__(self) -> str:
        return before_stop(super().__str__(), self.figures["clause"])


@dataclass(frozen=True, slots=True)
class Asker:
    """A player in a game that is being played, and the words that they have shown to the jury in it."""

    pairing: Pairing
    side: int
    entry: Entry
    questions: tuple[JuryQuestion, ...]

    @property
    def key(self) -> str:
        """What a form calls this player in this game."""
        return f"{self.pairing.pk}-{self.side}"


def ask_jury(pairing: Pairing, *, side: int, text: str, verdict: bool | None, actor: Actor) -> JuryQuestion:
    """Note a player's question about one word and its answer. `verdict` None: the word list in use answers.

    Raises `NoQuestionsHere`, `OneWordOnly`, `AnswerMissing`, `NoQuestionLeft` for one more than the rules allow, what
    `lists.parse` and `lists.judge` raise, or `RoundNotPublished`.
    """
    tournament = pairing.round.division.tournament
    rules = tournament.rules
    if rules.questions is None:
        raise NoQuestionsHere(rules=rules.name)
    words = lists.parse(text, LETTER_SETS[rules.letters])
    if len(words) > 1:
        raise OneWordOnly(text=" ".join(words), count=len(words))
    word, (entry,) = words[0], [seat.entry for seat in pairing.seats.all() if seat.side == side]
    about = {**round_names.where(pairing), "names": [entry.name], "name": word}
    with change(tournament, actor=actor, verb="ask_jury", **about) as log:
        results.published_round(pairing)
        asked = JuryQuestion.objects.filter(pairing=pairing, side=side).count()
        if asked >= rules.questions:
            told = {"limit": rules.questions, "clause": rules.clauses.questions}
            raise NoQuestionLeft(word=word, name=entry.name, asked=asked, **told)
        stands, title = _answer(tournament, word, verdict)
        noted = {"stands": stands, "list_title": title, "by_name": actor.shown_name, "at": log.now}
        return log.create(JuryQuestion(pairing=pairing, side=side, word=word, **noted))


def _answer(tournament: Tournament, word: str, verdict: bool | None) -> tuple[bool, str]:
    """Whether a word is good, and the list that says so."""
    if verdict is not None:
        return verdict, ""
    letters = tournament.rules.letters
    if lists.in_use(tournament.organiser_id, letters) is None:
        raise AnswerMissing(word=word)
    found = lists.judge((word,), tournament.organiser_id, letters=letters)
    return found.stands, found.word_list.title


def askers(tournament: Tournament) -> list[Asker]:
    """Everybody who plays in an open round, by division, round and table. Few queries, however many they are."""
    games = Pairing.objects.filter(
        round__division__tournament=tournament, round__state=Round.State.PUBLISHED, kind=Pairing.Kind.GAME
    )
    games = games.select_related("round__division__tournament").with_players()
    found = list(games.order_by("round__division__position", "round__number", "table", "pk"))
    asked = by_asker(JuryQuestion.objects.filter(pairing__in=[game.pk for game in found]).order_by("pk"))
    return [Asker(game, seat.side, seat.entry, asked[game.pk, seat.side]) for game in found for seat in _seats(game)]


def _seats(game: Pairing) -> list[Seat]:
    return sorted(game.seats.all(), key=lambda seat: seat.side)


def of_pairing(pairing: Pairing) -> list[Asker]:
    """Both players of a game with what they have asked. The pairing has its players fetched. One query."""
    asked = by_asker(JuryQuestion.objects.filter(pairing=pairing).order_by("pk"))
    return [Asker(pairing, seat.side, seat.entry, asked[pairing.pk, seat.side]) for seat in _seats(pairing)]


def by_asker(questions: Iterable[JuryQuestion]) -> Mapping[tuple[int, int], tuple[JuryQuestion, ...]]:
    """Questions by game and side; nobody's are an empty tuple."""
    found: defaultdict[tuple[int, int], tuple[JuryQuestion, ...]] = defaultdict(tuple)
    for question in questions:
        found[question.pairing_id, question.side] += (question,)
    return found
