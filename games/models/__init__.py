"""What is stored of what happens at a table: score sheets, duplicate sessions, referee's log, photos, word lists."""

from django.conf import settings
from django.core.serializers.json import DjangoJSONEncoder
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from games import limits
from scoring import rulesets
from scoring.board import RACK_SIZE
from scoring.sheet_values import LineKind
from tournament.basics import limits as event_limits
from tournament.basics.limits import AUTHOR_NAME, FILE_NAME, OVERTIME, PENALTY, PENALTY_REASON, POINTS, WORD
from tournament.models import Division, Entry, Organiser, Pairing, Tournament
from tournament.models.choices import make_range_condition, make_range_constraint
from tournament.models.play import SIDE_CHOICES


class Scoresheet(models.Model):
    """One written record of a game (`games.sheets.operations`); points are derived from its lines, None: not written
    down. `*_left` are the tiles held at the end ("" none), `*_settlement` what they came to, `*_final` the claimed
    score. `agreed`: its result is official. `is_public`: anyone may step through the game, with `shows_best` also
    through what could be laid."""

    class Keeper(models.TextChoices):
        FIRST = "first", _("First player")
        SECOND = "second", _("Second player")
        OTHER = "other", _("Somebody else")

    pairing = models.ForeignKey(Pairing, on_delete=models.CASCADE, related_name="scoresheets")
    keeper = models.CharField(_("kept by"), max_length=10, choices=Keeper.choices)
    version = models.PositiveIntegerField(default=1)
    """Raised by every change, so that two people who write on one sheet notice each other."""
    first_drawn = models.CharField(max_length=1, blank=True)
    second_drawn = models.CharField(max_length=1, blank=True)
    """The letters drawn for the start, `?` for a blank; both or neither are written down."""
    first_left = models.CharField(max_length=limits.RACK, null=True, blank=True)
    second_left = models.CharField(max_length=limits.RACK, null=True, blank=True)
    first_settlement = models.SmallIntegerField(null=True, blank=True)
    second_settlement = models.SmallIntegerField(null=True, blank=True)
    first_overtime = models.PositiveSmallIntegerField(null=True, blank=True)
    second_overtime = models.PositiveSmallIntegerField(null=True, blank=True)
    first_seconds = models.PositiveIntegerField(null=True, blank=True)
    second_seconds = models.PositiveIntegerField(null=True, blank=True)
    first_final = models.SmallIntegerField(null=True, blank=True)
    second_final = models.SmallIntegerField(null=True, blank=True)
    is_finished = models.BooleanField(_("the game is over"), default=False)
    agreed = models.BooleanField(_("agreed"), default=False)
    is_public = models.BooleanField(_("public"), default=False)
    shows_best = models.BooleanField(_("best plays are shown"), default=False)
    note = models.CharField(_("note"), max_length=limits.SHEET_NOTE, blank=True)

    class Meta:
        verbose_name = _("score sheet")
        verbose_name_plural = _("score sheets")
        constraints = [
            models.UniqueConstraint(fields=["pairing", "keeper"], name="scoresheet_keeper_once"),
            # Of two sheets that are agreed on at the same moment one is refused: an official result has one sheet
            # behind it.
            models.UniqueConstraint(fields=["pairing"], condition=Q(agreed=True), name="scoresheet_one_agreed"),
            make_range_constraint("scoresheet_overtime_in_range", OVERTIME, "first_overtime", "second_overtime"),
            models.CheckConstraint(
                condition=Q(first_drawn="", second_drawn="") | ~Q(first_drawn="") & ~Q(second_drawn=""),
                name="scoresheet_both_drew",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.pairing_id} – {self.keeper}"


class Line(models.Model):
    """One line of a score sheet, in order of `number`. `position` and `word` are one play in `scoring.board`'s text
    form (“8H”, “ABeR”); `rack` and `tiles` (exchanged) are letters, “?” for a blank; `points` None: not written."""

    class Kind(models.TextChoices):
        PLAY = LineKind.PLAY.value, _("Play")
        EXCHANGE = LineKind.EXCHANGE.value, _("Exchange")
        PASS = LineKind.PASS.value, _("Pass")
        WITHDRAWN = LineKind.WITHDRAWN.value, _("Play withdrawn")
        CHALLENGE = LineKind.CHALLENGE.value, _("Failed challenge")
        PENALTY = LineKind.PENALTY.value, _("Penalty points")

    scoresheet = models.ForeignKey(Scoresheet, on_delete=models.CASCADE, related_name="lines")
    number = models.PositiveSmallIntegerField()
    side = models.PositiveSmallIntegerField(choices=SIDE_CHOICES)
    kind = models.CharField(max_length=10, choices=Kind.choices)
    position = models.CharField(max_length=limits.POSITION, blank=True)
    word = models.CharField(max_length=limits.LINE_WORD, blank=True)
    rack = models.CharField(max_length=limits.RACK, blank=True)
    tiles = models.CharField(max_length=limits.RACK, blank=True)
    words = models.PositiveSmallIntegerField(default=0)
    """How many challenged words were good (a failed challenge), else 0."""
    jury = models.BooleanField(_("the jury was asked"), default=False)
    """Before this turn, because the player saw no word: it let an exchange be made, or refused one (SBNL)."""
    points = models.SmallIntegerField(null=True, blank=True)
    note = models.CharField(max_length=limits.LINE_NOTE, blank=True)
    at = models.DateTimeField(_("written at"), null=True, blank=True)
    """Since when everybody who watches the table knows of it at the latest; None: of before this was noted."""

    class Meta:
        verbose_name = _("line of a score sheet")
        verbose_name_plural = _("lines of score sheets")
        constraints = [
            models.UniqueConstraint(fields=["scoresheet", "number"], name="line_number_once"),
            make_range_constraint("line_number_in_range", limits.LINES, "number"),
            models.CheckConstraint(condition=Q(side__in=[1, 2]), name="line_side_known"),
        ]

    def __str__(self) -> str:
        return f"{self.scoresheet_id} – {self.number}"


class Photo(models.Model):
    """A picture of the paper sheets of a game, kept in the data folder under a name that the program chose."""

    pairing = models.ForeignKey(Pairing, on_delete=models.CASCADE, related_name="photos")
    name = models.CharField(_("file"), max_length=FILE_NAME, unique=True)
    """The file's name in the uploads folder; never what the sender called it."""
    content_type = models.CharField(max_length=20)
    size = models.PositiveIntegerField()
    width = models.PositiveIntegerField()
    height = models.PositiveIntegerField()
    sha256 = models.CharField(max_length=64)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="photos"
    )
    # Beside the account, which may be deleted, and which nobody has who comes with a code or a personal link.
    by_name = models.CharField(max_length=AUTHOR_NAME, blank=True)
    at = models.DateTimeField()

    class Meta:
        verbose_name = _("photo")
        verbose_name_plural = _("photos")

    def __str__(self) -> str:
        return self.name


class Challenge(models.Model):
    """A challenged play: who challenged which `words`, each `[word, stands]` (`games.referee.operations`). `penalty`:
    what the challenger loses if the referee so decided; None: as the rules say. Lines are withdrawn, never deleted."""

    pairing = models.ForeignKey(Pairing, on_delete=models.CASCADE, related_name="challenges")
    challenger = models.PositiveSmallIntegerField(_("challenger"), choices=SIDE_CHOICES)
    turn = models.PositiveSmallIntegerField(_("turn"), null=True, blank=True)
    words = models.JSONField(_("words"), default=list, encoder=DjangoJSONEncoder)
    # None and not 0, which a referee may decide where the rules take points off.
    penalty = models.PositiveSmallIntegerField(_("penalty"), null=True, blank=True)
    reason = models.CharField(_("reason"), max_length=limits.REASON, blank=True)
    is_withdrawn = models.BooleanField(_("withdrawn"), default=False)
    why_withdrawn = models.CharField(_("withdrawn because"), max_length=limits.WHY, blank=True)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="challenges"
    )
    by_name = models.CharField(max_length=AUTHOR_NAME, blank=True)
    at = models.DateTimeField()

    class Meta:
        verbose_name = _("challenge")
        verbose_name_plural = _("challenges")
        constraints = [models.CheckConstraint(condition=Q(challenger__in=[1, 2]), name="challenge_side_known")]

    def __str__(self) -> str:
        return f"{self.pairing_id} – {self.turn or ''}"


class Incident(models.Model):
    """What happened at a table and what the referee decided (`games.referee.operations`). `kind` is a key of
    `games.referee.catalogue`; `figures` what the kind needs (seconds late, tiles drawn too many …); `points` are
    penalty points for each player concerned. Lines are withdrawn, never deleted."""

    pairing = models.ForeignKey(Pairing, on_delete=models.CASCADE, related_name="incidents")
    side = models.PositiveSmallIntegerField(_("player"), choices=SIDE_CHOICES, null=True, blank=True)
    """The player it is about; None: both."""
    kind = models.CharField(_("incident"), max_length=30)
    figures = models.JSONField(default=dict, blank=True, encoder=DjangoJSONEncoder)
    # As it was cited then: the event may get another ruleset, whose book has another clause for the same.
    clause = models.CharField(_("clause"), max_length=WORD, blank=True)
    consequence = models.CharField(_("consequence"), max_length=30, blank=True)
    points = models.PositiveSmallIntegerField(_("penalty points"), default=0)
    version = models.PositiveSmallIntegerField(_("version of the result"), null=True, blank=True)
    """The version of the result that it made official; None: it has changed no result."""
    note = models.CharField(_("note"), max_length=limits.INCIDENT_NOTE, blank=True)
    is_withdrawn = models.BooleanField(_("withdrawn"), default=False)
    why_withdrawn = models.CharField(_("withdrawn because"), max_length=limits.WHY, blank=True)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="incidents"
    )
    by_name = models.CharField(max_length=AUTHOR_NAME, blank=True)
    at = models.DateTimeField()

    class Meta:
        verbose_name = _("incident")
        verbose_name_plural = _("incidents")
        constraints = [
            models.CheckConstraint(condition=Q(side__isnull=True) | Q(side__in=[1, 2]), name="incident_side_known")
        ]

    def __str__(self) -> str:
        return f"{self.pairing_id} – {self.kind}"


class WordList(models.Model):
    """An organiser's word list that was loaded and checked: its words are in a file of the data folder, sorted."""

    # Protected: the database would delete the row, and leave the file of words behind.
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
    # The title has a column of its own: a question and its answer outlast the list, which may be replaced.
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
    """A word shown to the jury before laying it, and the answer (Puntenscrabble III-10; `games.judge.jury`).
    `list_title` is the word list that answered; empty: the jury itself."""

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


class GameReport(models.Model):
    """What one player says of a game (`games.reports.operations`). `key` is the phone's own: what is sent twice is
    stored once. Each player's last report counts; none is deleted."""

    pairing = models.ForeignKey(Pairing, on_delete=models.CASCADE, related_name="game_reports")
    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="game_reports")
    key = models.CharField(max_length=limits.REPORT_KEY)
    first_points = models.SmallIntegerField(_("points of the first player"))
    second_points = models.SmallIntegerField(_("points of the second player"))
    first_overtime = models.PositiveSmallIntegerField(null=True, blank=True)
    second_overtime = models.PositiveSmallIntegerField(null=True, blank=True)
    first_penalty = models.PositiveSmallIntegerField(default=0)
    second_penalty = models.PositiveSmallIntegerField(default=0)
    penalty_reason = models.CharField(max_length=PENALTY_REASON, blank=True)
    at = models.DateTimeField()

    class Meta:
        verbose_name = _("report of a game")
        verbose_name_plural = _("reports of games")
        constraints = [
            # By the player as well: keys are made by phones, and two of them may make the same.
            models.UniqueConstraint(fields=["entry", "key"], name="game_report_once"),
            # Without one, the next report of the player would be taken for the first one, sent twice.
            models.CheckConstraint(condition=~Q(key=""), name="game_report_has_key"),
            models.CheckConstraint(
                condition=make_range_condition(POINTS, "first_points", "second_points")
                & make_range_condition(OVERTIME, "first_overtime", "second_overtime")
                & make_range_condition(PENALTY, "first_penalty", "second_penalty"),
                name="game_report_in_range",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.entry_id}: {self.first_points} : {self.second_points}"


class RoundPlay(models.Model):
    """The position before a turn of a sheet, shown to all with the rack until `is_solved` shows the best play too
    (`games.round_play.positions`). Whether it may be seen is asked of the sheet each time."""

    division = models.OneToOneField(Division, on_delete=models.PROTECT, related_name="round_play")
    # Protected, so that nothing deletes a sheet without deleting this first, through the journal: undone, it would
    # otherwise come back without its play of the round.
    scoresheet = models.ForeignKey(Scoresheet, on_delete=models.PROTECT, related_name="round_plays")
    turn = models.PositiveSmallIntegerField(_("turn"))
    is_solved = models.BooleanField(_("the best play is shown"), default=False)

    class Meta:
        verbose_name = _("play of the round")
        verbose_name_plural = _("plays of the round")
        constraints = [make_range_constraint("round_play_turn_in_range", limits.LINES, "turn")]

    def __str__(self) -> str:
        return f"{self.division_id} – {self.turn}"


class SecondEntry(models.Model):
    """The two scores of a table as somebody else has read them (`games.entry.second_entry`). Where they differ from the
    official result, somebody settles it from the paper: both say the same then."""

    pairing = models.OneToOneField(Pairing, on_delete=models.CASCADE, related_name="second_entry")
    first_points = models.SmallIntegerField(_("points of the first player"))
    second_points = models.SmallIntegerField(_("points of the second player"))
    is_settled = models.BooleanField(_("settled from the paper"), default=False)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    by_name = models.CharField(max_length=AUTHOR_NAME, blank=True)
    at = models.DateTimeField()

    class Meta:
        verbose_name = _("second entry of a result")
        verbose_name_plural = _("second entries of results")
        constraints = [make_range_constraint("second_entry_in_range", POINTS, "first_points", "second_points")]

    def __str__(self) -> str:
        return f"{self.pairing_id}: {self.first_points} : {self.second_points}"


# For both kinds of session: what an organiser prepares has to be playable in the clubs.
SESSION_IN_RANGE = make_range_condition(event_limits.DUPLICATE_TURNS, "max_turns") & make_range_condition(
    event_limits.TURN_SECONDS, "seconds"
)


class DuplicateSession(models.Model):
    """All play alone against the same draws (`games.duplicate.operations`). `words`: the title of the list that slips
    are judged by; without one every word stands unless the jury refuses it. `stopped`: why the director ended it early.
    `sealed`: the draws fixed beforehand (`Envelope` as an object); `code` opens all, "" where each turn has its own.
    `seat_count` seats are numbered, `seat_row` in a row, 0 if nobody has a number; with `clubs_apart` nobody is to sit
    beside somebody of their club; `seats_public`: everybody may read who sits where; `seat_seed` of the last draw."""

    division = models.OneToOneField(Division, on_delete=models.CASCADE, related_name="duplicate")
    letters = models.CharField(_("letter set"), max_length=2)
    max_turns = models.PositiveSmallIntegerField(_("turns at most"))
    seconds = models.PositiveSmallIntegerField(_("seconds a turn"))
    words = models.CharField(_("word list"), max_length=limits.LIST_TITLE, blank=True)
    seed = models.PositiveIntegerField(_("seed"), default=0)
    stopped = models.CharField(_("ended because"), max_length=limits.WHY, blank=True)
    sealed = models.JSONField(_("fixed beforehand"), null=True, blank=True, encoder=DjangoJSONEncoder)
    code = models.CharField(_("opening code"), max_length=event_limits.CODE, blank=True)
    twice = models.BooleanField(_("slips are typed twice"), default=False)
    seat_count = models.PositiveSmallIntegerField(_("numbered seats"), default=0)
    seat_row = models.PositiveSmallIntegerField(_("seats in a row"), default=10)
    clubs_apart = models.BooleanField(_("clubs sit apart"), default=False)
    seats_public = models.BooleanField(_("seats are public"), default=False)
    seat_seed = models.PositiveIntegerField(_("draw no. of the seats"), null=True, blank=True)

    class Meta:
        verbose_name = _("duplicate session")
        verbose_name_plural = _("duplicate sessions")
        constraints = [
            models.CheckConstraint(condition=SESSION_IN_RANGE, name="duplicate_figures_in_range"),
            make_range_constraint("duplicate_seats_in_range", event_limits.SEATS, "seat_count"),
            make_range_constraint("duplicate_seat_row_in_range", event_limits.SEAT_ROW, "seat_row"),
        ]

    def __str__(self) -> str:
        return f"{self.division_id} – {self.letters}"

    @property
    def writing_seconds(self) -> int:
        """Seconds before the end of a turn at which its signal sounds (reads `division__tournament`)."""
        return (self.division.tournament.rules.duplicate or rulesets.DuplicateRules()).writing_seconds


class DuplicateSeat(models.Model):
    """Where a player of a session sits (`games.duplicate.operations.seats`). `is_given`: by the director or at the
    desk, so that a new draw leaves it. Another seat is another row: two who change places never share one."""

    session = models.ForeignKey(DuplicateSession, on_delete=models.CASCADE, related_name="seats")
    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="duplicate_seats")
    number = models.PositiveSmallIntegerField(_("number"))
    is_given = models.BooleanField(_("given, not drawn"), default=False)

    class Meta:
        verbose_name = _("seat of a session")
        verbose_name_plural = _("seats of sessions")
        constraints = [
            models.UniqueConstraint(fields=["session", "number"], name="duplicate_seat_once"),
            models.UniqueConstraint(fields=["session", "entry"], name="duplicate_player_seated_once"),
            make_range_constraint("duplicate_seat_in_range", event_limits.SEAT, "number"),
        ]

    def __str__(self) -> str:
        return f"{self.session_id} – {self.number}"


class DuplicateTurn(models.Model):
    """A turn of a session. `redrawn`: the draws put back before `draw`, in order. `master_word`: what was laid on every
    board, "" for nothing; `reason`: why not the word that the rules propose. `code` opened a turn that was sealed."""

    session = models.ForeignKey(DuplicateSession, on_delete=models.CASCADE, related_name="turns")
    number = models.PositiveSmallIntegerField(_("turn"))
    draw = models.CharField(_("draw"), max_length=RACK_SIZE)
    redrawn = models.JSONField(_("put back"), default=list, blank=True, encoder=DjangoJSONEncoder)
    started_at = models.DateTimeField(_("clock started at"), null=True, blank=True)
    is_closed = models.BooleanField(_("closed"), default=False)
    master_position = models.CharField(_("position"), max_length=limits.POSITION, blank=True)
    master_word = models.CharField(_("word"), max_length=limits.LINE_WORD, blank=True)
    reason = models.CharField(_("reason"), max_length=limits.REASON, blank=True)
    code = models.CharField(_("code"), max_length=event_limits.CODE, blank=True)

    class Meta:
        verbose_name = _("turn of a session")
        verbose_name_plural = _("turns of sessions")
        constraints = [
            models.UniqueConstraint(fields=["session", "number"], name="duplicate_turn_once"),
            # Of two who draw at the same moment one is refused, whatever their processes have seen.
            models.UniqueConstraint(fields=["session"], condition=Q(is_closed=False), name="duplicate_one_turn_open"),
            make_range_constraint("duplicate_turn_in_range", event_limits.DUPLICATE_TURNS, "number"),
            models.CheckConstraint(
                condition=Q(is_closed=True) | Q(master_position="", master_word=""), name="duplicate_master_closes"
            ),
            models.CheckConstraint(
                condition=Q(master_position="", master_word="") | ~Q(master_position="") & ~Q(master_word=""),
                name="duplicate_master_whole",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.session_id} – {self.number}"


class DuplicateSlip(models.Model):
    """What a player handed in for a turn; None for what is not written. `version` is raised by every change, so that
    two helpers who type the same player's slip notice each other."""

    turn = models.ForeignKey(DuplicateTurn, on_delete=models.CASCADE, related_name="slips")
    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="duplicate_slips")
    position = models.CharField(_("position"), max_length=event_limits.SLIP_POSITION, null=True, blank=True)
    word = models.CharField(_("word"), max_length=limits.LINE_WORD, null=True, blank=True)
    claimed = models.SmallIntegerField(_("points claimed"), null=True, blank=True)
    late = models.BooleanField(_("late"), default=False)
    refused = models.BooleanField(_("refused by the jury"), default=False)
    version = models.PositiveIntegerField(default=1)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    by_name = models.CharField(max_length=AUTHOR_NAME, blank=True)

    class Meta:
        verbose_name = _("slip")
        verbose_name_plural = _("slips")
        constraints = [
            models.UniqueConstraint(fields=["turn", "entry"], name="duplicate_slip_once"),
            make_range_constraint("duplicate_claim_in_range", event_limits.CLAIMED_POINTS, "claimed"),
        ]

    def __str__(self) -> str:
        return f"{self.turn_id} – {self.entry_id}"


class SecondReading(models.Model):
    """The same slip typed once more by somebody who has not seen the first. A difference is settled from the paper."""

    turn = models.ForeignKey(DuplicateTurn, on_delete=models.CASCADE, related_name="second_readings")
    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="second_readings")
    position = models.CharField(_("position"), max_length=event_limits.SLIP_POSITION, null=True, blank=True)
    word = models.CharField(_("word"), max_length=limits.LINE_WORD, null=True, blank=True)
    claimed = models.SmallIntegerField(_("points claimed"), null=True, blank=True)
    late = models.BooleanField(_("late"), default=False)
    missing = models.BooleanField(_("no slip there"), default=False)
    version = models.PositiveIntegerField(default=1)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    by_name = models.CharField(max_length=AUTHOR_NAME, blank=True)

    class Meta:
        verbose_name = _("second reading of a slip")
        verbose_name_plural = _("second readings of slips")
        constraints = [
            models.UniqueConstraint(fields=["turn", "entry"], name="second_reading_once"),
            make_range_constraint("second_reading_claim_in_range", event_limits.CLAIMED_POINTS, "claimed"),
        ]

    def __str__(self) -> str:
        return f"{self.turn_id} – {self.entry_id}"


class DuplicateCorrection(models.Model):
    """What a slip scores after it was judged anew; the last one counts. `alone`: only this paper was typed wrongly.
    `before`: what it scored until then, where the session was over and its table known; None while it was played. The
    public is told by the `notice` of that number, on the day `noticed_on`; `letters_at`: letters said so as well."""

    turn = models.ForeignKey(DuplicateTurn, on_delete=models.CASCADE, related_name="corrections")
    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="duplicate_corrections")
    points = models.PositiveSmallIntegerField(_("points"))
    why = models.CharField(_("reason"), max_length=limits.WHY)
    on = models.DateField(_("day"))
    alone = models.BooleanField(_("this slip alone"), default=False)
    # Stored and not worked out: a notice that is published stays what it was, whatever is corrected later, and
    # whichever word list is loaded then.
    before = models.PositiveSmallIntegerField(_("points before"), null=True, blank=True)
    notice = models.PositiveSmallIntegerField(_("notice of corrections"), null=True, blank=True)
    noticed_on = models.DateField(_("published on"), null=True, blank=True)
    letters_at = models.DateTimeField(_("letters sent"), null=True, blank=True)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="duplicate_corrections"
    )
    by_name = models.CharField(max_length=AUTHOR_NAME, blank=True)

    class Meta:
        verbose_name = _("correction of a slip")
        verbose_name_plural = _("corrections of slips")
        constraints = [
            make_range_constraint("duplicate_correction_in_range", event_limits.SLIP_POINTS, "points"),
            make_range_constraint("duplicate_points_before_in_range", event_limits.SLIP_POINTS, "before"),
            make_range_constraint("duplicate_notice_in_range", event_limits.NOTICE, "notice"),
            models.CheckConstraint(
                condition=Q(notice=None, noticed_on=None) | Q(notice__isnull=False, noticed_on__isnull=False),
                name="duplicate_notice_whole",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.turn_id} – {self.entry_id}: {self.points}"


class PreparedSession(models.Model):
    """A session as its organiser fixes it (`games.sealed.operations`). `turns` is a line a turn: the draw, and the
    master word where `masters` are fixed. `code` opens the sealed `envelope` (`Envelope` as an object)."""

    division = models.OneToOneField(Division, on_delete=models.CASCADE, related_name="prepared")
    name = models.CharField(_("name"), max_length=event_limits.SEALED_NAME)
    letters = models.CharField(_("letter set"), max_length=2)
    max_turns = models.PositiveSmallIntegerField(_("turns at most"))
    seconds = models.PositiveSmallIntegerField(_("seconds a turn"))
    words = models.CharField(_("word list"), max_length=limits.LIST_TITLE, blank=True)
    seed = models.PositiveIntegerField(_("seed"), default=0)
    masters = models.BooleanField(_("master words fixed"), default=True)
    turns = models.TextField(_("turns"), blank=True)
    envelope = models.JSONField(_("sealed"), null=True, blank=True, encoder=DjangoJSONEncoder)
    code = models.CharField(_("opening code"), max_length=event_limits.CODE, blank=True)

    class Meta:
        verbose_name = _("prepared session")
        verbose_name_plural = _("prepared sessions")
        constraints = [models.CheckConstraint(condition=SESSION_IN_RANGE, name="prepared_figures_in_range")]

    def __str__(self) -> str:
        return f"{self.division_id} – {self.name}"


class JoinedClub(models.Model):
    """What a club has sent back: its tournament file, as `text`. `hash` is that of the file's content."""

    prepared = models.ForeignKey(PreparedSession, on_delete=models.CASCADE, related_name="clubs")
    name = models.CharField(_("club"), max_length=limits.CLUB_NAME)
    hash = models.CharField(max_length=64)
    text = models.TextField()

    class Meta:
        verbose_name = _("club of a prepared session")
        verbose_name_plural = _("clubs of prepared sessions")
        constraints = [models.UniqueConstraint(fields=["prepared", "name"], name="joined_club_once")]

    def __str__(self) -> str:
        return f"{self.prepared_id} – {self.name}"


class Ruling(models.Model):
    """What the same slip scores in every club where they have judged it differently, and why."""

    prepared = models.ForeignKey(PreparedSession, on_delete=models.CASCADE, related_name="rulings")
    turn = models.PositiveSmallIntegerField(_("turn"))
    position = models.CharField(_("position"), max_length=event_limits.SLIP_POSITION)
    word = models.CharField(_("word"), max_length=limits.LINE_WORD)
    points = models.PositiveSmallIntegerField(_("points"))
    why = models.CharField(_("reason"), max_length=limits.WHY)

    class Meta:
        verbose_name = _("ruling for all clubs")
        verbose_name_plural = _("rulings for all clubs")
        constraints = [
            models.UniqueConstraint(fields=["prepared", "turn", "position", "word"], name="ruling_once"),
            make_range_constraint("ruling_turn_in_range", event_limits.DUPLICATE_TURNS, "turn"),
            make_range_constraint("ruling_points_in_range", event_limits.SLIP_POINTS, "points"),
        ]

    def __str__(self) -> str:
        return f"{self.prepared_id} – {self.turn}: {self.word}"
