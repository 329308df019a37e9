"""The word judge: lists of words, and the log of every question asked."""

from django.conf import settings
from django.core.serializers.json import DjangoJSONEncoder
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from games import limits
from tournament.basics.limits import AUTHOR_NAME, FILE_NAME
from tournament.models import Organiser, Pairing, Tournament
from tournament.models.play import SIDE_CHOICES


class WordList(models.Model):
    """An organiser's word list that was loaded and checked: its words are in a file of the data folder, sorted."""

    organiser = models.ForeignKey(Organiser, on_delete=models.PROTECT, related_name="word_lists")
    title = models.CharField(_("name"), max_length=limits.LIST_TITLE)
    letters = models.CharField(_("letter set"), max_length=2)
    encoding = models.CharField(_("encoding"), max_length=20)
    count = models.PositiveIntegerField(_("words"))
    sha256 = models.CharField(max_length=64)
    name = models.CharField(_("file"), max_length=FILE_NAME, unique=True)
    """The file's name in the folder `words` of the data folder, as the program chose it."""
    in_use = models.BooleanField(_("in use"), default=False)
    by_name = models.CharField(max_length=AUTHOR_NAME, blank=True)
    at = models.DateTimeField()

    class Meta:
        verbose_name = _("word list")
        verbose_name_plural = _("word lists")
        constraints = [
            models.UniqueConstraint(
                fields=["organiser", "letters"], condition=Q(in_use=True), name="word_list_one_in_use"
            )
        ]

    def __str__(self) -> str:
        return self.title


class Question(models.Model):
    """One question to the word judge and its answer: for each word whether it stands. Nothing is deleted here."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="judge_questions")
    word_list = models.ForeignKey(WordList, null=True, on_delete=models.SET_NULL, related_name="questions")
    list_title = models.CharField(max_length=limits.LIST_TITLE)
    words = models.JSONField(_("words"), encoder=DjangoJSONEncoder)
    verdicts = models.JSONField(_("verdicts"), encoder=DjangoJSONEncoder)
    stands = models.BooleanField(_("the play stands"))
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="judge_questions"
    )
    by_name = models.CharField(max_length=AUTHOR_NAME, blank=True)
    at = models.DateTimeField()

    class Meta:
        verbose_name = _("question to the word judge")
        verbose_name_plural = _("questions to the word judge")

    def __str__(self) -> str:
        return f"{self.tournament_id} – {self.at}"

    @property
    def judged(self) -> list[tuple[str, bool]]:
        """The words in their order, each with whether it stands."""
        return list(zip(self.words, self.verdicts, strict=True))


class JuryQuestion(models.Model):
    """A word that a player has shown to the jury before laying it, and the answer (Puntenscrabble III-10).

    `list_title` is the word list that answered; empty: the jury's own word. Written by `games.judge.operations`.
    """

    pairing = models.ForeignKey(Pairing, on_delete=models.CASCADE, related_name="jury_questions")
    side = models.PositiveSmallIntegerField(_("player"), choices=SIDE_CHOICES)
    word = models.CharField(_("word"), max_length=limits.CHALLENGED_WORD)
    stands = models.BooleanField(_("the word is good"))
    list_title = models.CharField(max_length=limits.LIST_TITLE, blank=True)
    by_name = models.CharField(max_length=AUTHOR_NAME, blank=True)
    at = models.DateTimeField()

    class Meta:
        verbose_name = _("question to the jury")
        verbose_name_plural = _("questions to the jury")
        constraints = [models.CheckConstraint(condition=Q(side__in=[1, 2]), name="jury_question_side_known")]

    def __str__(self) -> str:
        return f"{self.pairing_id} – {self.word}"
