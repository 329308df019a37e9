"""Ask the jury whether a word is valid before it is laid, where the rules allow it."""

from collections import defaultdict
from dataclasses import dataclass

from django.utils.translation import gettext_lazy as _

from games.core.words import CitingRefusal
from games.judge.lists import NoWordList, look_up_words, parse_typed_words
from games.models import JuryQuestion
from scoring.letters import LETTER_SETS
from tournament.basics.refusals import Refusal
from tournament.core.change import Actor, change
from tournament.core.words.rounds import make_place_details
from tournament.models import Entry, Pairing, Round, Tournament
from tournament.results.operations import get_published_round


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
    """Note a player's question about one word and its answer. `verdict` None: the word list in use answers. Questions
    are counted for each player and game, and limited at national tournaments (Puntenscrabble III-10). Raises
    `no_questions`, `one_word_only`, `answer_missing`, `no_question_left`, what `parse_typed_words` and `look_up_words`
    raise, or `RoundNotPublished`."""
    tournament = pairing.round.division.tournament
    rules = tournament.rules
    if rules.questions is None:
        message = _("Under %(rules)s the jury is not asked before a word is laid.")
        raise Refusal("no_questions", message, rules=rules.name)
    words = parse_typed_words(text, LETTER_SETS[rules.letters])
    if len(words) > 1:
        message = _("“%(text)s” is %(count)s words. Each word is a separate question: type one.")
        raise Refusal("one_word_only", message, field="word", text=" ".join(words), count=len(words))
    word, (entry,) = words[0], [seat.entry for seat in pairing.seats.all() if seat.side == side]
    about = {**make_place_details(pairing), "names": [entry.name], "name": word}
    with change(tournament, actor=actor, verb="ask_jury", **about) as log:
        get_published_round(pairing)
        # Counted behind the lock: of two words shown at once each would pass for the tenth.
        questions = JuryQuestion.objects.filter(pairing=pairing, side=side).count()
        limit, clause = log.tournament.question_limit, rules.clauses.questions
        if limit is not None and questions >= limit:
            message = _(
                "“%(word)s” is not answered: %(name)s has shown the jury %(asked)s words in this game, and no more "
                "than %(limit)s are allowed."
            )
            figures = {"word": word, "name": entry.name, "asked": questions, "limit": limit, "clause": clause}
            raise CitingRefusal("no_question_left", message, field="word", **figures)
        # The jury's own word goes before the list, which it may correct; without either there is no answer.
        stands, title = verdict, ""
        if stands is None:
            try:
                judgement = look_up_words(words, tournament.organiser_id, letters=rules.letters)
            except NoWordList:
                raise Refusal(
                    "answer_missing",
                    _("No word list is loaded for this tournament’s letters: say whether “%(word)s” is good."),
                    field="verdict",
                    word=word,
                ) from None
            stands, title = judgement.stands, judgement.word_list.title
        noted = {"stands": stands, "list_title": title, "by_name": actor.shown_name, "at": log.now}
        return log.create(JuryQuestion(pairing=pairing, side=side, word=word, **noted))


def list_open_askers(tournament: Tournament) -> list[Asker]:
    """Everybody who plays in an open round, by division, round and table. Few queries, however many they are."""
    games = Pairing.objects.filter(
        round__division__tournament=tournament, round__state=Round.State.PUBLISHED, kind=Pairing.Kind.GAME
    )
    games = games.select_related("round__division__tournament").with_players()
    return list_askers(list(games.order_by("round__division__position", "round__number", "table", "pk")))


def list_askers(pairings: list[Pairing]) -> list[Asker]:
    """Both players of each game with what they have asked. The pairings have their players fetched. One query."""
    questions: defaultdict[tuple[int, int], list[JuryQuestion]] = defaultdict(list)
    for question in JuryQuestion.objects.filter(pairing__in=[pairing.pk for pairing in pairings]).order_by("pk"):
        questions[question.pairing_id, question.side].append(question)
    return [
        Asker(pairing, seat.side, seat.entry, tuple(questions[pairing.pk, seat.side]))
        for pairing in pairings
        for seat in sorted(pairing.seats.all(), key=lambda seat: seat.side)
    ]
