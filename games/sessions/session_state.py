"""A session's rows as the value that `scoring.duplicate` works out; the two meet here only."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, field
from functools import cache, lru_cache
from types import MappingProxyType
from typing import Any, TypeVar

from django.utils.functional import cached_property

from games.judge.lists import compose_word_text, fold_word, open_word_list
from games.judge.store import WordListDamaged, WordListMissing, open_list_file
from games.models import DuplicateCorrection, DuplicateSession, DuplicateSlip, DuplicateTurn, WordList
from scoring import duplicate
from scoring.board import Board
from scoring.duplicate import JudgedSlip, SessionTurn, Slip, TurnResult
from scoring.letters import LETTER_SETS, LetterSet
from scoring.plays import BadPlay, Play
from scoring.sealed import Envelope, SealedTurn
from scoring.squares import Square
from tournament.models import Division, Entry
from tournament.models.event import prefetch_entries
from tournament.results.league_games import list_division_entries

SlipContent = tuple[str | None, str | None, int | None, bool, bool]
RowOfTurn = TypeVar("RowOfTurn", DuplicateSlip, DuplicateCorrection)

JUDGED_SLIPS_KEPT = 30_000  # slips whose points are remembered: several sessions of 22 turns and 150 players


def serialize_envelope(envelope: Envelope) -> dict[str, Any]:
    """A session fixed beforehand, as its column holds it."""
    values = asdict(envelope)
    return {**values, "turns": list(values["turns"])}


def deserialize_envelope(value: dict[str, Any] | None) -> Envelope | None:
    """The session that the column holds; None where nothing was fixed beforehand."""
    if value is None:
        return None
    return Envelope(**{**value, "turns": tuple(SealedTurn(**turn) for turn in value["turns"])})


@dataclass(frozen=True, slots=True)
class ListedWords:
    """The words that slips may have, by the list's file; two lists with the same words are the same."""

    name: str
    sha256: str
    title: str

    do_not_call_in_templates = True  # a template that asks whether there is a list would else call it, and find nothing

    def __call__(self, word: str) -> bool:
        """Whether the list has the word."""
        # Opened again at each call: the list may be replaced or deleted while a session is remembered, and a file that
        # is mapped and unchanged costs a look at its date.
        word_list = open_list_file(self.name, sha256=self.sha256, title=self.title)
        return word_list.holds(fold_word(compose_word_text(word)))


def find_word_list(division: Division, letters: str, title: str) -> WordList | None:
    """The organiser's list with this title and these letters, the newest of several; None for "". One query."""
    own = WordList.objects.filter(organiser=division.tournament.organiser_id, letters=letters, title=title)
    # The newest: a list is replaced by loading one with the same title, and a session names it by that.
    return own.order_by("-pk").first() if title else None


def get_listed_words(word_list: WordList | None) -> ListedWords | None:
    """The words of a list; None where there is none, or where its file cannot be trusted."""
    if word_list is None:
        return None
    try:
        open_word_list(word_list)
    except (WordListMissing, WordListDamaged):
        # The session goes on: every word counts unless the jury refuses it, and its pages say that the list is missing.
        return None
    return ListedWords(word_list.name, word_list.sha256, word_list.title)


def judge_slip(board: Board, draw: str, slip: Slip | None, allows: object = None) -> JudgedSlip:
    """What `duplicate.judge` says, remembered: every page asks again for the slips of closed turns."""
    if slip is None:
        return duplicate.judge(board, draw, None)
    words = allows if isinstance(allows, ListedWords) else None
    # Without the player: the same slip is judged once, however many have handed it in.
    content = (slip.position, slip.word, slip.claimed, slip.late, slip.refused)
    return _judge_slip_content(words, board.letters, frozenset(board.tiles.items()), draw, content)


@lru_cache(maxsize=JUDGED_SLIPS_KEPT)
def _judge_slip_content(
    words: ListedWords | None, letters: LetterSet, tiles: frozenset[tuple[Square, str]], draw: str, content: SlipContent
) -> JudgedSlip:
    # By the tiles that lie there and not by the turn: once a master word is taken back or corrected, nothing has to be
    # forgotten.
    return duplicate.judge(Board(letters, dict(tiles)), draw, Slip("", *content), words)


# Without slots: `cached_property` keeps what it has worked out in the instance's own dictionary.
@dataclass(frozen=True)
class SessionState:
    """A session as it stands, read once: its rows, and what follows from them. Entries are known by their keys."""

    session: DuplicateSession
    entries: tuple[Entry, ...]
    turns: tuple[DuplicateTurn, ...]
    slips: dict[int, tuple[DuplicateSlip, ...]]
    corrections: dict[int, tuple[DuplicateCorrection, ...]]
    word_list: WordList | None

    @cached_property
    def allows(self) -> ListedWords | None:
        return get_listed_words(self.word_list)

    @cached_property
    def letters(self) -> LetterSet:
        return LETTER_SETS[self.session.letters]

    @cached_property
    def value(self) -> duplicate.SessionRecord:
        """The session to work out, with the turn that is open, if one is."""
        return duplicate.SessionRecord(
            letters=self.letters,
            players=tuple(str(entry.pk) for entry in self.entries),
            turns=tuple(map(self._make_turn, self.turns)),
            max_turns=self.session.max_turns,
            allows=self.allows,
            judging=judge_slip,
        )

    def _make_turn(self, row: DuplicateTurn) -> SessionTurn:
        # In the order of the keys: the last correction of a slip is the one that counts.
        corrected = {str(correction.entry_id): correction.points for correction in self.corrections.get(row.pk, ())}
        slips = tuple(
            Slip(str(slip.entry_id), slip.position, slip.word, slip.claimed, slip.late, slip.refused)
            for slip in self.slips.get(row.pk, ())
        )
        master = Play.parse(row.master_position, row.master_word) if row.master_word else None
        return SessionTurn(row.draw, slips, master, corrected)

    @property
    def open_turn(self) -> DuplicateTurn | None:
        """The turn that is being played."""
        return self.turns[-1] if self.turns and not self.turns[-1].is_closed else None

    @property
    def closed(self) -> int:
        """How many turns are closed."""
        return sum(turn.is_closed for turn in self.turns)

    @property
    def ended(self) -> duplicate.SessionEnding | None:
        """Why the rules end the session; None while they do not, or while a turn is open."""
        return None if self.open_turn else self.value.ended

    @property
    def is_over(self) -> bool:
        return bool(self.session.stopped) or self.ended is not None

    @cached_property
    def result(self) -> Callable[[int], TurnResult]:
        """Works out a turn by its number, each once; the others are not looked at."""
        return cache(self.value.result)

    def master_points(self, number: int) -> int | None:
        """What the word that was laid in a turn scores; None if none was."""
        play = self.value.turns[number - 1].master
        if play is None:
            return None
        slip = Slip("", play.position, play.word)
        return judge_slip(self.value.boards[number - 1], self.turns[number - 1].draw, slip).points

    @cached_property
    def by_key(self) -> dict[str, Entry]:
        """The entries by their keys in `value`."""
        return {str(entry.pk): entry for entry in self.entries}

    @cached_property
    def expected(self) -> tuple[Entry, ...]:
        """Whose slips are waited for: everybody who has not left."""
        return tuple(entry for entry in self.entries if entry.withdrawn_after is None)

    @cached_property
    def missing(self) -> tuple[Entry, ...]:
        """Who has not handed in a slip of the open turn."""
        turn = self.open_turn
        there = {slip.entry_id for slip in self.slips.get(turn.pk, ())} if turn else set()
        return tuple(entry for entry in self.expected if entry.pk not in there) if turn else ()


def find_duplicate_session(division: Division) -> DuplicateSession | None:
    """The session of a division. One query."""
    session = DuplicateSession.objects.filter(division=division).first()
    if session is not None:
        session.division = division
    return session


def load_session_state(
    session: DuplicateSession,
    *,
    closed_only: bool = False,
    slips_of_open_turn: bool = False,
    entries: tuple[Entry, ...] | None = None,
) -> SessionState:
    """A session with all its rows, or with its closed turns only. With `slips_of_open_turn` only these slips are read:
    the board is whole, earlier turns score nothing. Five queries, six without `entries`."""
    turns = DuplicateTurn.objects.filter(session=session).order_by("number")
    if closed_only:
        turns = turns.filter(is_closed=True)
    slips = DuplicateSlip.objects.filter(turn__in=turns)
    if slips_of_open_turn:
        slips = slips.filter(turn__is_closed=False)
    corrections = (
        DuplicateCorrection.objects.filter(turn__in=turns)
        .select_related("turn")
        .prefetch_related(prefetch_entries("entry"))
    )
    return SessionState(
        session=session,
        entries=tuple(list_division_entries(session.division)) if entries is None else entries,
        turns=tuple(turns),
        slips=_group_by_turn(slips.order_by("pk")),
        corrections=_group_by_turn(corrections.order_by("pk")),
        word_list=find_word_list(session.division, session.letters, session.words),
    )


def reload_session_state(session: DuplicateSession) -> SessionState:
    """The session with all its rows as they stand behind the lock."""
    return load_session_state(DuplicateSession.objects.select_related("division__tournament").get(pk=session.pk))


@dataclass(frozen=True, slots=True)
class SessionRanking:
    """The players of a session with their ranks after the closed turns, nobody before the first is closed; and their
    points by the entry's primary key."""

    is_over: bool
    ranks: tuple[tuple[Entry, int], ...] = ()
    points: Mapping[int, int] = field(default_factory=lambda: MappingProxyType({}))


def rank_session(division: Division) -> SessionRanking:
    """The session of a division as everybody may see it: after its closed turns."""
    session = find_duplicate_session(division)
    if session is None:
        return SessionRanking(is_over=False)
    state = load_session_state(session, closed_only=True)
    totals = state.value.totals(state.closed) if state.closed else ()
    ranks = tuple((state.by_key[total.player], total.rank) for total in totals)
    return SessionRanking(state.is_over, ranks, {state.by_key[total.player].pk: total.points for total in totals})


def _group_by_turn(rows: Iterable[RowOfTurn]) -> dict[int, tuple[RowOfTurn, ...]]:
    by_turn: dict[int, list[RowOfTurn]] = defaultdict(list)
    for row in rows:
        by_turn[row.turn_id].append(row)
    return {pk: tuple(rows) for pk, rows in by_turn.items()}


def parse_slip_play(position: str, word: str) -> Play | None:
    """A word at its place; None if the text is not one."""
    try:
        return Play.parse(position, word)
    except BadPlay:
        return None
