"""What each column of a list holds: by its headings, by the look of its cells, or as somebody says. The organiser's
answer is remembered for the next list with the same heading line."""

import hashlib
import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from tournament.basics import limits
from tournament.basics.names import fold_text
from tournament.basics.phones import looks_like_phone_number
from tournament.core.change import Actor, open_register_change
from tournament.entries.operations.numbers import USUAL_SYSTEMS, parse_list_number
from tournament.exchange.faults import FaultCode, FileFault, make_single_fault, quote_value
from tournament.exchange.rows import LINES_BEFORE_HEADINGS, NumberedRow
from tournament.models import Organiser


class PlayerColumn(StrEnum):
    NAME = "name"
    FULL_NAME = "full_name"  # given name before surname
    SURNAME = "surname"
    GIVEN = "given"
    CLUB = "club"
    RATING = "rating"
    GAMES = "games"
    EMAIL = "email"
    PHONE = "phone"
    DIVISION = "division"
    TEAM = "team"  # these two only where the event has teams
    BOARD = "board"


COLUMN_HEADINGS: Mapping[PlayerColumn, tuple[str, ...]] = {
    PlayerColumn.NAME: (
        *("name", "names", "spieler", "spielerin", "spieler in", "spielername", "teilnehmer", "player", "players"),
        *("teilnehmerin", "teilnehmer in", "teilnehmername", "teilnehmende", "dein name", "ihr name", "namensliste"),
        *("participant", "participants", "player name", "playername", "entrant", "competitor", "your name"),
        *("nachname vorname", "name vorname", "surname given name", "surname given", "last name first name"),
        *("name nachname vorname", "nachname und vorname", "familienname vorname", "surname first name"),
        *("naam", "namen", "speler", "spelers", "deelnemer", "deelnemers", "achternaam voornaam", "naam voornaam"),
        *("spelersnaam", "naam speler", "je naam", "uw naam", "jouw naam"),
    ),
    PlayerColumn.FULL_NAME: (
        *("vor und nachname", "vor und zuname", "vor nachname", "vorname und nachname", "vorname nachname"),
        *("vorname name", "vorname und name", "voller name", "vollstandiger name", "ganzer name"),
        *("name vorname nachname", "name vor und nachname", "dein vor und nachname", "ihr vor und nachname"),
        *("full name", "fullname", "real name", "realname", "first and last name", "first name last name"),
        *("first name and last name", "first name surname", "given name surname", "name first and last"),
        *("voor en achternaam", "voornaam achternaam", "voornaam en achternaam", "volledige naam"),
    ),
    PlayerColumn.SURNAME: (
        *("nachname", "familienname", "zuname", "achternaam", "surname", "last name", "lastname", "family name", "nom"),
    ),
    PlayerColumn.GIVEN: (
        *("vorname", "rufname", "voornaam", "roepnaam", "prenom"),
        *("given name", "given names", "first name", "firstname", "forename"),
    ),
    PlayerColumn.CLUB: (
        *("verein", "vereniging", "club", "klub", "spielgemeinschaft", "team", "vereinsname", "verein ort"),
        *("verein spielgemeinschaft", "verein club", "club ort", "club city", "club name", "clubname", "club team"),
        *("club vereniging", "club plaats", "mannschaft", "spielgruppe"),
    ),
    PlayerColumn.RATING: (
        *("wertung", "wertungszahl", "rating", "elo", "elo zahl", "ratingzahl", "twz", "nwz", "dwz"),
        *("rtg", "rtgi", "rtgn", "rtng", "eloi", "elon", "rtg i", "rtg n", "elo i", "elo n", "old rtng", "old rating"),
        *("fide rating", "standard rating", "national rating", "current rating", "seed rating", "initial rating"),
        *("coco rating", "woogles rating", "tso rating", "wespa rating", "naspa rating", "rating alt"),
    ),
    PlayerColumn.GAMES: (
        *("spiele", "partien", "turnierspiele", "anzahl spiele", "wertungsspiele", "gesamtspiele", "anzahl partien"),
        *("games", "lifetime games", "rated games", "partijen", "toernooipartijen", "aantal partijen"),
        *("career games", "games played", "total games", "num games", "number of games"),
    ),
    PlayerColumn.EMAIL: (
        *("e mail", "email", "mail", "e mail adresse", "mailadresse", "emailadresse", "e mail address", "e mailadres"),
        *("emailadres", "mailadres", "email address", "email adresse", "e mailadresse", "mail adresse", "e mail adres"),
        *("deine e mail adresse", "ihre e mail adresse", "your email", "your email address", "courriel"),
    ),
    PlayerColumn.PHONE: (
        *("telefon", "telefonnummer", "tel", "handy", "handynummer", "mobil", "mobilnummer", "rufnummer"),
        *("phone", "phone number", "telephone", "mobile", "mobile number", "cell", "cell phone"),
        *("telefoonnummer", "telefoon", "mobiel", "gsm", "06 nummer"),
        *("mobiltelefon", "telefon nummer", "handy nummer", "tel nr", "telefon nr", "handy nr", "telephone number"),
    ),
    PlayerColumn.DIVISION: (
        *("division", "gruppe", "klasse", "group", "section", "staffel", "groep", "poule", "reeks"),
        *("div", "spielklasse", "turniergruppe"),
    ),
}
"""The headings of each column, in small letters without marks: of lists that people make, of form services, and of
chess-results, Woogles, CoCo, Sharly Chess and tsh."""

LAST_RESORT_NAMES = frozenset(("username", "user name", "benutzername", "nickname", "nick", "gebruikersnaam"))
"""Headings of names only where no other column has them."""

NEVER_USED_HEADINGS = frozenset(
    {
        *("nr", "no", "nummer", "lfd nr", "lfdnr", "lfd", "pos", "platz", "rang", "rank", "rk", "snr", "startnr"),
        *("seed", "rg", "startnummer", "plaats", "volgnummer", "start no", "sno", "starting rank", "place"),
        *("zeitstempel", "timestamp", "tijdstempel", "datum", "date", "anmeldung", "anmeldedatum", "bemerkung"),
        *("bemerkungen", "notiz", "notes", "comment", "comments", "anmerkung", "anmerkungen", "opmerking"),
        *("titel", "title", "typ", "sex", "geschlecht", "gender", "geburtsdatum", "jahrgang", "geburtsjahr"),
        *("date of birth", "birth", "fed", "land", "country", "federation", "nation", "ort", "stadt", "city", "league"),
    }
)
"""Headings that show a line to be one of headings, of columns that are not used."""

COLUMN_BY_HEADING = {heading: column for column, headings in COLUMN_HEADINGS.items() for heading in headings}

TEAM_COLUMN_BY_HEADING: Mapping[str, PlayerColumn] = {
    **COLUMN_BY_HEADING,
    **dict.fromkeys(("team", "teams", "teamname", "team name", "mannschaft", "mannschaften"), PlayerColumn.TEAM),
    **dict.fromkeys(("mannschaftsname", "name der mannschaft", "ploeg", "ploegnaam", "naam team"), PlayerColumn.TEAM),
    **dict.fromkeys(("brett", "brett nr", "brettnummer", "brettnr", "bord", "bord nr"), PlayerColumn.BOARD),
    **dict.fromkeys(("bordnummer", "board", "board no", "board nr", "board number", "bd"), PlayerColumn.BOARD),
}
"""The same where an event has teams: “Team” and “Mannschaft”, elsewhere another word for the club, are a column of
their own there, and so is the board."""


def map_headings(*, has_teams: bool) -> Mapping[str, PlayerColumn]:
    """What headings mean in lists for an event with or without teams."""
    return TEAM_COLUMN_BY_HEADING if has_teams else COLUMN_BY_HEADING


TEAM_COLUMNS = (PlayerColumn.TEAM, PlayerColumn.BOARD)

PLAIN_NUMBER_HEADINGS = frozenset(
    ("nummer", "nr", "id", "number", "no", "mitgliedsnummer", "mitglied", "spielernummer", "lidnummer", "spelersnummer")
)
"""Headings of a number of which they do not say whose it is."""

_NUMBER_HEADING = re.compile(r"(?:nummer|number|nr|no)\.?:? +(?P<system>.+)", re.IGNORECASE)
_USUAL_NUMBER_HEADING = re.compile(
    rf"(?P<system>{'|'.join(USUAL_SYSTEMS)})(?:[ -]?(?:nummer|number|nr|no|id)\.?)?"
    r"|(?P<other>FIDE|CoCo|NASPA|ABSP)[ -]?(?:nummer|number|nr|no|id)\.?",
    re.IGNORECASE,
)

NUMBER_COLUMN = "number"  # of a federation (`number:SDeV`), or where none is named a running number
UNUSED_COLUMN = "-"

PLAYER_COLUMNS = {column.value: column for column in PlayerColumn}

NAME_COLUMNS = {PlayerColumn.NAME, PlayerColumn.FULL_NAME, PlayerColumn.SURNAME}


@dataclass(frozen=True, slots=True)
class Layout:
    """What each column holds (a `PlayerColumn`, `number`, `number:SDeV` or `-`), the index of the heading line if there
    is one, and whether all that is certain. Without headings each row is read by its look (`by_looks`), unless somebody
    has said what the columns are."""

    columns: tuple[str, ...]
    headings: int | None = None
    is_certain: bool = True
    by_looks: bool = False

    @property
    def kinds(self) -> list[PlayerColumn | None]:
        return [PLAYER_COLUMNS.get(column) for column in self.columns]

    @property
    def systems(self) -> list[str | None]:
        """The federation of each column with numbers."""
        return [column.partition(":")[2] or None for column in self.columns]

    @property
    def told(self) -> tuple[str | None, ...]:
        """The columns as other programs are told them: `name`, `number`, None for one that is not used."""
        unused = (NUMBER_COLUMN, UNUSED_COLUMN)
        kinds = (None if column in unused else column.partition(":")[0] for column in self.columns)
        return tuple("name" if kind == PlayerColumn.FULL_NAME else kind for kind in kinds)

    @property
    def begin(self) -> int:
        """The first column that is used; before it stand running numbers."""
        return next((at for at, column in enumerate(self.columns) if column not in (NUMBER_COLUMN, UNUSED_COLUMN)), 0)


def find_column(heading: str, *, has_teams: bool = False) -> PlayerColumn | None:
    """The column that a heading names; accents and case do not matter."""
    return map_headings(has_teams=has_teams).get(_fold_heading(heading))


def _fold_heading(heading: str) -> str:
    bare = re.sub(r"\(\d+\)", "", heading)  # “Spieler (24)”
    return " ".join(word for word in re.findall(r"\w+", fold_text(bare)) if word not in _WORDS_OF_FORMS)


_WORDS_OF_FORMS = frozenset({"pflichtfeld", "pflichtangabe", "freiwillig", "required", "optional", "verplicht"})


def find_number_system(heading: str, system: str = "") -> str | None:
    """The federation whose numbers stand under a heading: `NTSV`, `SDeV-Nummer`, `Nummer XYZ`; under a plain `Nummer`
    those of `system`."""
    text = " ".join(heading.split())
    # Only where somebody has said whose numbers these are: under a plain “Nr.” most lists count their own rows.
    if system and fold_text(text).rstrip(".") in PLAIN_NUMBER_HEADINGS:
        return system
    if match := _USUAL_NUMBER_HEADING.fullmatch(text):
        return parse_list_number(match["system"] or match["other"], "").system
    match = _NUMBER_HEADING.fullmatch(text)
    return parse_list_number(match["system"], "").system if match else None


def name_columns(headings: Sequence[str], system: str = "", *, has_teams: bool = False) -> tuple[str, ...]:
    """What the columns under these headings are."""
    columns = []
    for heading in headings:
        kind, number_system = find_column(heading, has_teams=has_teams), find_number_system(heading, system)
        columns.append(kind.value if kind else f"{NUMBER_COLUMN}:{number_system}" if number_system else UNUSED_COLUMN)
    if not has_name_column(columns):
        last_resorts = [_fold_heading(heading) in LAST_RESORT_NAMES for heading in headings]
        if any(last_resorts):
            columns[last_resorts.index(True)] = PlayerColumn.NAME.value
    return tuple(columns)


def find_layout(lines: Sequence[NumberedRow], system: str = "", *, has_teams: bool = False) -> Layout:
    """What the columns of a list are, by its headings; without any the name is first, and looks tell the others."""
    place = _find_heading_line(lines, has_teams=has_teams)
    if place is not None:
        columns = name_columns(lines[place].cells, system, has_teams=has_teams)
        return Layout(columns, place, is_certain=has_name_column(columns))
    width = max(len(line.cells) for line in lines)
    begin = _find_first_text_column(lines, width)
    # Titles stand above headings. The last line that still differs from all below it holds the headings; each one above
    # it is a title (“Meldungen”), and is no player.
    if _begins_with_headings(lines, begin):
        place = 0
        while _is_title(lines[place]) and _begins_with_headings(lines[place + 1 :], begin):
            place += 1
        return Layout(_guess_columns(lines[place + 1 :], begin, width), place, is_certain=False)
    return Layout(_guess_columns(lines, begin, width), is_certain=_is_clear(lines, begin), by_looks=True)


def _find_heading_line(lines: Sequence[NumberedRow], *, has_teams: bool) -> int | None:
    """The index of the heading line. Among the first lines, one with two known columns, or with a column of names and
    nothing but known headings beside it; the very first line needs only a column of names."""
    for place, line in enumerate(lines[:LINES_BEFORE_HEADINGS]):
        headings = [cell for cell in line.cells if cell]
        columns = name_columns(headings, has_teams=has_teams)
        kinds = {column for column in columns if column in PLAYER_COLUMNS}
        strangers = [
            heading
            for heading, column in zip(headings, columns, strict=True)
            if column == UNUSED_COLUMN and _fold_heading(heading) not in NEVER_USED_HEADINGS | PLAIN_NUMBER_HEADINGS
        ]
        # Further down a single heading that we know may as well be somebody's name, or a word of a remark.
        if len(kinds) > 1 or (kinds & NAME_COLUMNS and (place == 0 or not strangers)):
            return place
    return None


def _find_first_text_column(lines: Sequence[NumberedRow], width: int) -> int:
    """The first column of which more than half of the cells have a letter; before it stand running numbers."""
    for at in range(width):
        cells = [line.cells[at] for line in lines if at < len(line.cells)]
        if sum(map(_has_letter, cells)) * 2 > len(cells):
            return at
    return 0


def _has_letter(text: str) -> bool:
    return any(map(str.isalpha, text))


def _is_title(line: NumberedRow) -> bool:
    return sum(map(bool, line.cells)) == 1


def _begins_with_headings(lines: Sequence[NumberedRow], begin: int) -> bool:
    """Whether the first line differs from all others as headings or a title do: there alone stand words over figures,
    a name without a comma, or one cell."""
    if len(lines) < 2:
        return False
    first, others = lines[0].cells, lines[1:]
    name = first[begin] if begin < len(first) else ""
    # Headings have neither: a first line with “Müller, Udo”, or with a rating, is the first player.
    if "," in name or any(map(str.isdigit, "".join(first))):
        return False
    for at, cell in enumerate(first):
        below = [line.cells[at] for line in others if at < len(line.cells) and line.cells[at]]
        if _has_letter(cell) and below and all("@" in text or not _has_letter(text) for text in below):
            return True
    if _is_title(lines[0]) and len(others) > 1 and not any(map(_is_title, others)):
        return True
    names = [line.cells[begin] for line in others if begin < len(line.cells)]
    # Of two lines alone the first may be a player typed without a comma: there only a single word is a heading.
    return bool(names) and all("," in other for other in names) and (len(names) > 1 or " " not in name)


def _guess_columns(lines: Sequence[NumberedRow], begin: int, width: int) -> tuple[str, ...]:
    """What most rows have in each column, by their looks."""
    counts: list[Counter[str]] = [Counter() for _column in range(width)]
    for line in lines:
        for at, kind in enumerate(name_cells_by_looks(line.cells, begin)):
            if kind is not None:
                counts[at][kind.value] += 1
    columns = [count.most_common(1)[0][0] if count else UNUSED_COLUMN for count in counts]
    for at, column in enumerate(columns):
        # Of two columns that look like clubs the first is one; the other may be the town.
        if column in columns[:at]:
            columns[at] = UNUSED_COLUMN
    return tuple(columns)


def _is_clear(lines: Sequence[NumberedRow], begin: int) -> bool:
    """Whether the look of the cells is enough without headings. Not if most rows have a text more than there are
    columns for it, or two texts of which the first is a single word, as surname and given name would be."""
    # A single line has no others to be compared with, and whoever types one player is asked nothing.
    if len(lines) < 2:
        return True
    surplus = single_words = 0
    for line in lines:
        kinds = name_cells_by_looks(line.cells, begin)
        surplus += any(cell and kind is None for cell, kind in list(zip(line.cells, kinds, strict=True))[begin:])
        name = line.cells[begin] if begin < len(line.cells) else ""
        single_words += PlayerColumn.CLUB in kinds and not re.search(r"[ ,]", name)
    # Half of the rows may be odd: in each list somebody has put a remark where no column is.
    return surplus * 2 <= len(lines) and single_words * 2 <= len(lines)


def name_cells_by_looks(cells: Sequence[str], begin: int = 0) -> list[PlayerColumn | None]:
    """What each cell of a row without headings holds: the name at its place, then the others by their look."""
    kinds: list[PlayerColumn | None] = [None] * len(cells)
    for at, cell in enumerate(cells[begin:], begin):
        kind = PlayerColumn.NAME if at == begin else _name_cell(cell, kinds)
        kinds[at] = kind if kind not in kinds else None
    return kinds


def _name_cell(cell: str, before: Collection[PlayerColumn | None]) -> PlayerColumn | None:
    if "@" in cell:
        return PlayerColumn.EMAIL
    # Before the figures: 06611234 has digits alone, and would be a rating.
    if looks_like_phone_number(cell):
        return PlayerColumn.PHONE
    if cell.isdigit():
        return PlayerColumn.GAMES if PlayerColumn.RATING in before else PlayerColumn.RATING
    return PlayerColumn.CLUB if cell else None


def parse_columns(words: Sequence[str], *, has_teams: bool = False) -> tuple[str, ...]:
    """The columns as somebody names them: `number`, `name`, `-`, `number:SDeV`, or a known heading. Without teams
    `team` is such a heading, of the club. Raises `FileFaults`."""
    return tuple(_parse_column(word.strip(), has_teams=has_teams) for word in words[: limits.COLUMNS])


def has_name_column(columns: Collection[str]) -> bool:
    """Whether one of the columns has the names."""
    return not NAME_COLUMNS.isdisjoint(columns)


def _parse_column(word: str, *, has_teams: bool) -> str:
    kinds = [column for column in PlayerColumn if has_teams or column not in TEAM_COLUMNS]
    kind, _colon, system = word.partition(":")
    if kind.casefold() == NUMBER_COLUMN and len(system) <= limits.NUMBER_SYSTEM:
        return f"{NUMBER_COLUMN}:{parse_list_number(system, '').system}" if system else NUMBER_COLUMN
    if word.casefold() in (*kinds, "", UNUSED_COLUMN):
        return word.casefold() or UNUSED_COLUMN
    if column := find_column(word, has_teams=has_teams):
        return column.value
    allowed = ", ".join((*kinds, NUMBER_COLUMN, f"{NUMBER_COLUMN}:SDeV", UNUSED_COLUMN))
    raise make_single_fault(FaultCode.NOT_ALLOWED, value=quote_value(word), allowed=allowed)


def make_heading_key(cells: Sequence[str], *, has_teams: bool = False) -> str:
    """A key that is equal for equal heading lines of lists for events with (or without) teams. A digest instead of
    text, since the line might be somebody's name."""
    # Programs save empty columns behind the last heading, in one year more of them than in the next: the key stays the
    # same.
    headings = ";".join(map(_fold_heading, cells)).rstrip(";")
    return hashlib.sha256(f"{'teams|' if has_teams else ''}{headings}".encode()).hexdigest()


def find_remembered_layout(
    organiser: Organiser, lines: Sequence[NumberedRow], *, has_teams: bool = False
) -> Layout | None:
    """The layout that the organiser gave earlier for a list with one of these lines as its headings. An answer given
    for an event of the other kind says what all columns are but team and board."""
    for place, line in enumerate(lines[:LINES_BEFORE_HEADINGS]):
        if columns := organiser.list_columns.get(make_heading_key(line.cells, has_teams=has_teams)):
            return Layout(tuple(columns.split(",")), place)
        if columns := organiser.list_columns.get(make_heading_key(line.cells, has_teams=not has_teams)):
            return Layout(_convert_columns(columns.split(","), line.cells, has_teams=has_teams), place)
    return None


def _convert_columns(columns: Sequence[str], headings: Sequence[str], *, has_teams: bool) -> tuple[str, ...]:
    """Remembered columns as they are in an event of the other kind: under the headings of team and board these say
    what a column is."""
    if not has_teams:
        others = {PlayerColumn.TEAM.value: PlayerColumn.CLUB.value, PlayerColumn.BOARD.value: UNUSED_COLUMN}
        return tuple(others.get(column, column) for column in columns)
    named = name_columns(headings, has_teams=True)
    converted = []
    for at, column in enumerate(columns):
        meant = named[at] if at < len(named) else UNUSED_COLUMN
        is_open = column in (PlayerColumn.CLUB, UNUSED_COLUMN) and meant in TEAM_COLUMNS
        converted.append(meant if is_open else column)
    return tuple(converted)


def remember_layout(
    organiser: Organiser, lines: Sequence[NumberedRow], layout: Layout, *, actor: Actor, has_teams: bool = False
) -> None:
    """Remember what the columns of lists with this heading line are; without headings nothing is remembered."""
    if layout.headings is None or not layout.is_certain:
        return
    key = make_heading_key(lines[layout.headings].cells, has_teams=has_teams)
    columns = ",".join(layout.columns)
    if organiser.list_columns.get(key) == columns:
        return
    with open_register_change(organiser, actor=actor, verb="remember_columns", columns=columns) as log:
        # Read again behind the lock: an answer given for another list since the page was opened would be lost with the
        # row in hand.
        stored = Organiser.objects.get(pk=organiser.pk)
        others = [pair for pair in stored.list_columns.items() if pair[0] != key]
        # The newest at the end: where there are too many, the one answered longest ago goes.
        log.save(stored, list_columns=dict([*others, (key, columns)][-limits.REMEMBERED_COLUMNS :]))


def make_unclear_fault(lines: Sequence[NumberedRow], layout: Layout) -> FileFault:
    """Why a list whose columns are not certain is not entered."""
    headings = ", ".join(filter(None, lines[layout.headings or 0].cells))
    if layout.headings is not None and not has_name_column(layout.columns):
        return FileFault(FaultCode.NO_NAME_COLUMN, figures={"value": quote_value(headings)})
    return FileFault(FaultCode.COLUMNS_UNCLEAR, figures={"value": quote_value(headings)})
