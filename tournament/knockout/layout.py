"""A bracket laid out the same way for the page's SVG, for paper and for the projector. Plain values in and out. The
picture says what is shown, the measures how large things are, and the layout where they are. Lengths are in the unit of
the measures; the origin is at the top left."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from scoring.knockout_values import MatchPlace
from tournament.paper.boxes import Box

WINNER, STARTER = "\N{BLACK RIGHT-POINTING SMALL TRIANGLE}", "\N{BLACK CIRCLE}"
"""The marks before a winner's name, and before the name of whoever starts the next game."""

LAST_STAGES = 3
"""How many stages stay on a screen when those before are decided: from the quarter-finals on."""

MOST_LAST_MATCHES = 4
"""The matches of the first stage on the page that follows the two halves of a large bracket."""


@dataclass(frozen=True, slots=True)
class BracketLine:
    """One side of a match: a player, or in words who will take the place."""

    text: str
    seed: int | None = None
    score: str = ""  # what counts in the match, as written
    is_player: bool = True
    won: bool = False
    starts: bool = False  # has the first move in the next game


@dataclass(frozen=True, slots=True)
class BracketCard:
    """A match as the picture shows it."""

    stage: int
    position: int
    lines: tuple[BracketLine, BracketLine]
    label: str = ""  # its number in words, empty for a bye
    note: str = ""  # what the score does not show: how it was decided
    games: tuple[str, ...] = ()  # in words, as soon as one is played
    told: str = ""  # all of it in a few sentences
    has_winner: bool = False  # somebody advances from here, if only by a bye
    fed_by: tuple[MatchPlace | None, ...] = (None, None)  # the matches whose winners take the two places
    is_void: bool = False  # both places stay empty from the start: the place in the picture stays free
    is_extra: bool = False  # a second final of which nobody knows yet, or that is not played: nobody waits for it

    @property
    def is_bye(self) -> bool:
        return not self.label

    @property
    def anchor(self) -> str:
        """The id of the match on its page."""
        return f"match-{self.stage}-{self.position}"

    @property
    def caption(self) -> str:
        """Number and note in one line."""
        return " · ".join(part for part in (self.label, self.note) if part)


@dataclass(frozen=True, slots=True)
class BracketColumn:
    """A stage: its name, and its matches from the top."""

    title: str
    cards: tuple[BracketCard, ...]


@dataclass(frozen=True, slots=True)
class BracketPicture:
    """What stands in the picture. `third` is the match for third place, `champion` is empty until there is one. `below`
    is what those play who have lost, under its own `title`: the losers' rounds, or the places 5 to 8."""

    columns: tuple[BracketColumn, ...]
    third: BracketColumn | None = None
    champion: str = ""
    champion_title: str = ""
    title: str = ""
    below: "BracketPicture | None" = None

    @property
    def all_columns(self) -> tuple[BracketColumn, ...]:
        """The stages, then the match for third place, then those below."""
        own = (*self.columns, self.third) if self.third else self.columns
        return (*own, *self.below.all_columns) if self.below else own


@dataclass(frozen=True, slots=True)
class BracketMeasures:
    """How large things are."""

    column: float  # width of a stage
    gap: float  # between two stages
    row: float  # height of a player's row
    caption: float  # height above both rows
    spacing: float  # between two matches
    heading: float  # height of a stage's name
    seed: float  # widths within a row, beside the name
    mark: float
    score: float
    pad: float  # at both ends of a row
    size: float  # of letters
    small: float

    @property
    def block(self) -> float:
        """The height of a match with its caption."""
        return self.caption + 2 * self.row

    @property
    def name(self) -> float:
        """The width left for a name."""
        return self.column - self.seed - self.mark - self.score - 2 * self.pad


SCREEN_MEASURES = BracketMeasures(
    column=272, gap=27, row=31, caption=21, spacing=13, heading=34, seed=24, mark=15, score=50, pad=7, size=15, small=13
)
"""CSS pixels: one column fits a phone, four fit a small laptop, and the smallest letters can still be read."""

GLASS_MEASURES = BracketMeasures(
    column=592, gap=39, row=88, caption=32, spacing=6, heading=48, seed=34, mark=32, score=84, pad=10, size=36, small=26
)
"""Pixels of a 1080p screen in a hall, which a bracket of eight fills; names on two lines keep 3.3 % of its height."""


@dataclass(frozen=True, slots=True)
class PlacedRow:
    """A player's row of a match, and where its parts are in it."""

    line: BracketLine
    box: Box
    seed: Box
    mark: Box
    name: Box
    score: Box

    @property
    def text(self) -> Box:
        """Where the line's text stands: a player's name beside its seed, mark and score; what says who is to come
        across the whole row."""
        # Who is to come has neither seed nor mark: begun where a name does, “Sieger Gewinnerrunde 1, Nr. 3” lost its
        # number on paper.
        if self.line.is_player:
            return self.name
        return Box(self.seed.x, self.box.y, self.score.right - self.seed.x, self.box.height)


@dataclass(frozen=True, slots=True)
class PlacedMatch:
    """A match in its place: the box around both rows, and the caption above it."""

    card: BracketCard
    box: Box
    caption: Box
    rows: tuple[PlacedRow, PlacedRow]


Connector = tuple[tuple[tuple[float, float], ...], bool]
"""The line from a match to the row of the next one that its winner takes, by its points, and whether there is a
winner."""


@dataclass(frozen=True, slots=True)
class BracketLabel:
    """A text in a box."""

    text: str
    box: Box


@dataclass(frozen=True, slots=True)
class BracketLayout:
    """Where everything is. `champion` and its heading are None while there is no champion."""

    width: float
    height: float
    measures: BracketMeasures
    headings: tuple[BracketLabel, ...]
    matches: tuple[PlacedMatch, ...]
    connectors: tuple[Connector, ...]
    champion_title: BracketLabel | None = None
    champion: BracketLabel | None = None


def lay_out_bracket(picture: BracketPicture, measures: BracketMeasures) -> BracketLayout:
    """Place everything. Raises ValueError for a picture without a match."""
    if not picture.columns or not all(column.cards for column in picture.columns):
        raise ValueError("stages without matches make no bracket")
    middles = _find_middles(picture.columns, measures)
    final = picture.columns[-1].cards[0]
    top = measures.heading + _get_room_above(picture, middles[_get_place(final)], measures)
    first = top + measures.caption + measures.row
    stages = [
        [
            _place_match(card, _get_column_left(index, measures), first + middles[_get_place(card)], measures)
            for card in column.cards
        ]
        for index, column in enumerate(picture.columns)
    ]
    # Placed like all others and only then left out: a match that nobody plays keeps its room, so that those around it
    # stand beside the matches that feed them.
    matches = [match for stage in stages for match in stage if not match.card.is_void]
    headings = [
        BracketLabel(column.title, Box(_get_column_left(index, measures), 0, measures.column, measures.heading))
        for index, column in enumerate(picture.columns)
    ]
    last = stages[-1][0]
    if picture.third is not None:  # under the final, with a heading of its own
        heading = Box(last.box.x, last.box.bottom + measures.row, measures.column, measures.heading)
        headings.append(BracketLabel(picture.third.title, heading))
        middle = heading.bottom + measures.caption + measures.row
        matches.append(_place_match(picture.third.cards[0], last.box.x, middle, measures))
    title, champion = _place_champion(picture, last, measures)
    layout = BracketLayout(
        width=_get_column_left(len(stages) - 1, measures) + measures.column,
        # Of all matches: that for third place stands under the final, and may be lower than everything else.
        height=max(match.box.bottom for match in matches) + measures.spacing,
        measures=measures,
        headings=tuple(headings),
        matches=tuple(matches),
        connectors=tuple(_place_connectors(stages, measures)),
        champion_title=title,
        champion=champion,
    )
    return layout if picture.below is None else _append_layout(layout, lay_out_bracket(picture.below, measures))


def _append_layout(upper: BracketLayout, lower: BracketLayout) -> BracketLayout:
    """One layout under another."""
    top = upper.height + upper.measures.row

    def move(match: PlacedMatch) -> PlacedMatch:
        return _place_match(match.card, match.box.x, match.box.middle + top, upper.measures)

    return replace(
        upper,
        width=max(upper.width, lower.width),
        height=top + lower.height,
        headings=(*upper.headings, *(replace(label, box=label.box.down(top)) for label in lower.headings)),
        matches=(*upper.matches, *map(move, lower.matches)),
        connectors=(
            *upper.connectors,
            *((tuple((x, y + top) for x, y in points), is_taken) for points, is_taken in lower.connectors),
        ),
    )


def drop_decided_stages(picture: BracketPicture) -> BracketPicture:
    """The bracket from its first stage with an open match, with at least the last stages; the part below likewise."""
    columns = picture.columns
    # A match that nobody plays never has a winner, and would keep its stage for good.
    while len(columns) > LAST_STAGES and all(card.has_winner or card.is_void for card in columns[0].cards):
        columns = columns[1:]
    return replace(picture, columns=columns, below=picture.below and drop_decided_stages(picture.below))


def split_bracket(picture: BracketPicture) -> tuple[BracketPicture, BracketPicture, BracketPicture]:
    """A large bracket for three pages: the upper half, the lower half, and the last stages."""
    # The final belongs to neither half.
    early = [column for column in picture.columns if len(column.cards) > 1]
    upper = tuple(replace(column, cards=column.cards[: len(column.cards) // 2]) for column in early)
    lower = tuple(replace(column, cards=column.cards[len(column.cards) // 2 :]) for column in early)
    # With a stage that the halves end in: a name can be followed from one page to the next.
    last = tuple(column for column in picture.columns if len(column.cards) <= MOST_LAST_MATCHES)
    return BracketPicture(upper), BracketPicture(lower), replace(picture, columns=last)


def _get_place(card: BracketCard) -> MatchPlace:
    return card.stage, card.position


def _find_middles(columns: Sequence[BracketColumn], measures: BracketMeasures) -> dict[MatchPlace, float]:
    """Where the two rows of each match meet, counted from the first one's: halfway between the matches that lead to it,
    beside the only one that does, or else below the one before in its column."""
    pitch = measures.block + measures.spacing
    middles: dict[MatchPlace, float] = {}
    for column in columns:
        lowest = -pitch
        for card in column.cards:
            leading = [middles[place] for place in card.fed_by if place in middles]
            lowest = sum(leading) / len(leading) if leading else lowest + pitch
            middles[_get_place(card)] = lowest
    return middles


def _get_column_left(index: int, measures: BracketMeasures) -> float:
    return index * (measures.column + measures.gap)


def _get_champion_height(measures: BracketMeasures) -> float:
    return measures.caption + measures.row * 1.2 + measures.spacing


def _get_room_above(picture: BracketPicture, final: float, measures: BracketMeasures) -> float:
    """How much the tree moves down, so that the champion has room above the final, whose middle is at `final`."""
    return max(0.0, _get_champion_height(measures) - final) if picture.champion else 0.0


def _place_match(card: BracketCard, x: float, middle: float, measures: BracketMeasures) -> PlacedMatch:
    """A match whose two rows meet at `middle`."""
    box = Box(x, middle - measures.row, measures.column, 2 * measures.row)
    upper = Box(x, box.y, measures.column, measures.row)
    rows = (_place_row(card.lines[0], upper, measures), _place_row(card.lines[1], upper.down(measures.row), measures))
    return PlacedMatch(card, box, Box(x, box.y - measures.caption, measures.column, measures.caption), rows)


def _place_row(line: BracketLine, box: Box, measures: BracketMeasures) -> PlacedRow:
    parts = []
    x = box.x + measures.pad
    for width in (measures.seed, measures.mark, measures.name, measures.score):
        parts.append(Box(x, box.y, width, box.height))
        x += width
    return PlacedRow(line, box, *parts)


def _place_connectors(stages: Sequence[list[PlacedMatch]], measures: BracketMeasures) -> Iterator[Connector]:
    """From each match to the row that its winner fills, if that is in the picture; it turns before that column."""
    matches = [match for stage in stages for match in stage if not match.card.is_void]
    targets = {place: (match, row) for match in matches for row, place in enumerate(match.card.fed_by)}
    for source in matches:
        if _get_place(source.card) not in targets:
            continue
        target, side = targets[_get_place(source.card)]
        row, turn = target.rows[side], target.box.x - measures.gap / 2
        points = (
            (source.box.right, source.box.middle),
            (turn, source.box.middle),
            (turn, row.box.middle),
            (target.box.x, row.box.middle),
        )
        yield points, source.card.has_winner


def _place_champion(
    picture: BracketPicture, final: PlacedMatch, measures: BracketMeasures
) -> tuple[BracketLabel | None, BracketLabel | None]:
    """The heading and the name of the champion, above the final."""
    if not picture.champion:
        return None, None
    title = Box(final.box.x, final.caption.y - _get_champion_height(measures), measures.column, measures.caption)
    name = Box(final.box.x, title.bottom, measures.column, measures.row * 1.2)
    return BracketLabel(picture.champion_title, title), BracketLabel(picture.champion, name)
