"""What `show` prints of an event: a line of `SHOWN` for each word, with how it is loaded and written."""

import argparse
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.core.management.base import CommandParser
from django.utils import timezone
from django.utils.translation import gettext as _

from games.sessions.seats import load_seats
from games.sessions.session_state import SessionState, find_duplicate_session, load_session_state
from games.sessions.tables import describe_state, get_missing_list_note, make_session_json, make_session_table
from scoring.ratings import RatingSystem
from tournament.basics.cells import CellValue, build_csv
from tournament.chances.files import build_chances_json
from tournament.chances.queries import RUNS, DivisionChances, Shares, find_reach, load_chances, simulate_shares
from tournament.chances.words import describe_needs, explain_nothing_foreseen, format_places
from tournament.core.words.figures import NO_FIGURE, format_sixths, name_entries
from tournament.core.words.journal import describe_entry
from tournament.ending.files import build_final_ranking_json
from tournament.ending.final_ranking import FinalRanking, load_final_ranking
from tournament.ending.words import describe_placing, format_place
from tournament.entries.files import build_entries_csv, build_entries_json
from tournament.exchange.faults import FaultCode, FilePlace, make_single_fault
from tournament.federation.files import build_report_json
from tournament.federation.report import FederationReport, load_report
from tournament.federation.words import list_gap_lines
from tournament.journal.files import build_journal_csv
from tournament.knockout.files import build_bracket_json
from tournament.knockout.layout import BracketLine
from tournament.knockout.svg import render_knockout_svg
from tournament.knockout.words import build_bracket_picture
from tournament.management.base import (
    BadInput,
    DivisionCommand,
    get_tournament_by_slug,
    make_unknown_name_fault,
)
from tournament.models import Division, Entry, JournalEntry, Season, Tournament
from tournament.ratings.division_ratings import DivisionRatings, load_division_ratings
from tournament.ratings.files import build_ratings_json
from tournament.ratings.tables import RatingsTable
from tournament.results.knockout_state import KnockoutState, load_knockout_state
from tournament.results.league_games import list_division_entries
from tournament.rounds.outlook import MARGIN, RoundOutlook, load_open_games, load_outlook
from tournament.rounds.outlook_words import PAIR_STATE_NAMES, count_outlook, describe_outlook
from tournament.seasons.files import build_season_json
from tournament.seasons.season_table import SeasonTable, build_season_table
from tournament.seasons.tables import SeasonRows, list_qualified_lines
from tournament.table.files import build_standings_json
from tournament.table.league import LeagueTable, get_last_round_number, load_boards, load_table
from tournament.table.tables import StandingsTable
from tournament.table.words import get_criterion_name

OPTIONS: Mapping[str, Mapping[str, Any]] = {
    "division": {"help": "the division's name (default: the first one)"},
    "after": {"type": int, "metavar": "N", "help": "standings: after this round"},
    "seed": {"type": int, "default": 1, "help": "chances: what endings are drawn from (default: 1)"},
    "runs": {"type": int, "default": RUNS, "help": f"chances: how many endings are simulated (default: {RUNS})"},
    "strength": {"choices": ("even", "rating"), "default": "even", "help": "chances: what wins games (default: even)"},
    "system": {
        "choices": [rating_system.value for rating_system in RatingSystem],
        "help": "ratings: the procedure (default: the event's)",
    },
}
"""What may be said of what is shown, as argparse takes it; each word takes some of them."""


@dataclass(frozen=True, slots=True)
class Showing:
    """What a word shows. `load` reads it for a command and its options, those named in `options` among them. `writers`
    make of it a value for JSON, a file's bytes, or lines, for each form of the output; the first is the default."""

    help: str
    load: Callable[[DivisionCommand, Mapping[str, Any]], Any]
    writers: Mapping[str, Callable[[Any], Any]]
    options: tuple[str, ...] = ("division",)


class ShowCommand(DivisionCommand):
    """What `show` and the names that version 1.0 had for parts of it share."""

    def add_options(self, parser: CommandParser, names: Iterable[str]) -> None:
        """Those of the `OPTIONS`; what is not given stays out, so that it can be told from a default."""
        for name in names:
            # Without defaults here: `show EVENT seats --after 3` has to be refused, and with them every option would
            # look as if it was given.
            parser.add_argument(f"--{name}", **{**OPTIONS[name], "default": argparse.SUPPRESS})

    def show(self, what: str, form: str, options: Mapping[str, Any]) -> None:
        """Print what a word shows in this form. Raises `BadInput` for an option that it does not take."""
        showing = SHOWN[what]
        if strange := [f"--{name}" for name in OPTIONS if name in options and name not in showing.options]:
            sentence = _("%(what)s takes no %(option)s.")
            raise BadInput([sentence % {"what": what, "option": option} for option in strange])
        defaults = {name: option.get("default") for name, option in OPTIONS.items()}
        content = showing.writers[form](showing.load(self, {**defaults, **options}))
        if form == "json":
            self.print_json(content)
        elif isinstance(content, bytes):
            self.print_bytes(content)
        else:
            for line in content:
                self.stdout.write(line)


class OldShowCommand(ShowCommand):
    """A word of `show` under the name of its own that it had in version 1.0."""

    what: str

    def __init__(self, *arguments: Any, **settings: Any) -> None:
        super().__init__(*arguments, **settings)
        self.formats = tuple(SHOWN[self.what].writers)
        self.help = f"The old name of “show EVENT {self.what}”: {SHOWN[self.what].help}."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug")
        self.add_options(parser, SHOWN[self.what].options)

    def run(self, **options: Any) -> None:
        self.show(self.what, options["format"], options)
        self.tell_new_name(f"show {options['slug']} {self.what}")


# How each is loaded, where that takes more than a call.


def _load_standings(command: DivisionCommand, options: Mapping[str, Any]) -> LeagueTable:
    division, after = command.get_division(options, paired=True), options["after"]
    last = get_last_round_number(division)
    if after is not None and not 0 <= after <= last:
        raise make_single_fault(FaultCode.OUT_OF_RANGE, FilePlace(path="--after"), value=after, low=0, high=last)
    return load_table(division, after=after)


def _load_bracket(command: DivisionCommand, options: Mapping[str, Any]) -> KnockoutState:
    division = command.get_division(options)
    if (state := load_knockout_state(division)) is None:
        raise BadInput([_("Division %(division)s has no knock-out.") % {"division": division.name}])
    return state


def _load_session(command: DivisionCommand, options: Mapping[str, Any]) -> SessionState:
    """The state of a duplicate session; a word list that is missing is told on standard error."""
    division = command.get_division(options)
    if (session := find_duplicate_session(division)) is None:
        raise BadInput([_("Division %(division)s has no duplicate session.") % {"division": division.name}])
    state = load_session_state(session)
    if note := get_missing_list_note(state):
        command.stderr.write(note)
    return state


def _load_chances(
    command: DivisionCommand, options: Mapping[str, Any]
) -> tuple[DivisionChances, Shares | None, dict[str, Any]]:
    division = command.get_division(options)
    chances, runs = load_chances(division), max(options["runs"], 0)
    # On standard error: a script that reads the table gets an empty one, and not a sentence as its first row.
    if not chances.prospects and (silence := explain_nothing_foreseen(division)):
        command.stderr.write(silence)
    by_rating = options["strength"] == "rating"
    shares = simulate_shares(chances, runs=runs, seed=options["seed"], by_rating=by_rating) if runs else None
    return chances, shares, {"runs": runs, "seed": options["seed"], "strength": options["strength"]}


def _load_ratings(command: DivisionCommand, options: Mapping[str, Any]) -> DivisionRatings:
    system = RatingSystem(options["system"]) if options["system"] else None
    return load_division_ratings(command.get_division(options, paired=True), system)


def _load_outlook(command: DivisionCommand, options: Mapping[str, Any]) -> tuple[RoundOutlook, list[Entry]]:
    division = command.get_division(options)
    return load_outlook(division), list_division_entries(division)


def get_season_by_slug(slug: str) -> Season:
    """The season with this slug. Raises `BadInput` naming those that exist."""
    seasons = Season.objects.order_by("slug")
    if (season := seasons.filter(slug=slug).select_related("organiser").first()) is None:
        sentence = _("There is no season “%(slug)s”. Known: %(known)s.")
        raise make_unknown_name_fault(sentence, seasons.values_list("slug", flat=True)[:20], slug=slug)
    return season


def load_season(slug: str) -> SeasonTable:
    """The table of the season with this slug. Raises as `get_season_by_slug`."""
    return build_season_table(get_season_by_slug(slug))


# How each is written in a terminal, a line a row.


def _format_standings(table: LeagueTable) -> Iterator[str]:
    # A list, with a default beside it: an event without players has no longest name.
    width = max([len(row.entry.name) for row in table.rows], default=0)
    for row in table.rows:
        standing = row.standing
        # Who is disqualified stands where nothing was decided.
        note = _("disqualified") if standing.disqualified else ""
        if standing.decided_by is not None:
            note = get_criterion_name(standing.decided_by)
        keizer = f"  {format_sixths(standing.keizer):>5} ({standing.value})" if standing.value else ""
        yield (
            f"{standing.rank or '–':>4}  {row.entry.name:<{width}}{keizer}"
            f"  {standing.wins:>4g} – {standing.losses:<4g}"
            f"  {standing.spread:>+6}  {standing.points:>6}  {note}".rstrip()
        )


def _format_entries(division: Division) -> Iterator[str]:
    entries, boards = list(Entry.objects.filter(division=division).with_names().by_name()), load_boards(division)
    width = max([len(entry.name) for entry in entries], default=0)
    for entry in entries:
        club, board = entry.club.name if entry.club else "", (boards or {}).get(entry.pk, NO_FIGURE)
        team = "" if boards is None else f"  {board:>3}  {entry.team_name}"
        yield f"{entry.key:>4}  {entry.name:<{width}}  {entry.rating or NO_FIGURE:>5}  {club}{team}".rstrip()


def _format_final_ranking(ranking: FinalRanking) -> Iterator[str]:
    width = max([len(row.entry.name) for row in ranking.rows], default=0)
    bracket, names = (ranking.knockout.bracket, ranking.knockout.names) if ranking.knockout else (None, {})
    for row in ranking.rows:
        how = describe_placing(row.ranked, bracket, names)
        yield f"{format_place(row.ranked):>4}  {row.entry.name:<{width}}  {how}".rstrip()


def _format_bracket(state: KnockoutState) -> Iterator[str]:
    """The matches stage by stage; an asterisk marks the winner, a figure in brackets is the seed."""
    picture = build_bracket_picture(state.bracket, state.names)
    width = max(len(card.label) for column in picture.all_columns for card in column.cards)
    for column in picture.all_columns:
        yield column.title
        for card in (card for card in column.cards if not card.is_void):
            upper, lower = map(_format_side, card.lines)
            yield f"  {card.label:<{width}}  {upper} – {lower}  {card.note}".rstrip()
    if picture.champion:
        yield f"{picture.champion_title}: {picture.champion}"


def _format_side(line: BracketLine) -> str:
    seed = f" ({line.seed})" if line.seed else ""
    return f"{line.text}{seed}{' *' if line.won else ''} {line.score}".strip()


def _format_chances(chances: DivisionChances, shares: Shares | None) -> Iterator[str]:
    for player, prospect in chances.prospects.items():
        reach = [find_reach(chances, shares, player, place) for place in chances.places]
        shares_text = "  ".join("    –" if share is None else f"{share:5.1%}" for share in reach)
        needs = " ".join(describe_needs(chances.list_needs(player), chances.names))
        name = chances.entries[player].name
        yield f"{prospect.rank:>4}  {format_places(prospect):<7}  {shares_text}  {name}: {needs}"


def _format_ratings(ratings: DivisionRatings) -> Iterator[str]:
    width = max([len(row.entry.name) for row in ratings.rows], default=0)
    for row in ratings.rows:
        new = row.new
        old, now = ("–" if value is None else value for value in (new.before.rating, new.new))
        change = "" if new.change is None else f"{new.change:+}"
        yield f"{now:>5}  {change:>5}  {old:>5}  {row.entry.name:<{width}}  {new.wins:g}/{new.rated_games}".rstrip()


def _format_outlook(outlook: RoundOutlook, entries: list[Entry]) -> Iterator[str]:
    yield count_outlook(outlook)
    yield describe_outlook(outlook)
    names = name_entries(entries)
    for pair in outlook.pairs:
        second = names[pair.second] if pair.second else "–"
        yield f"{PAIR_STATE_NAMES[pair.state]!s:<12} {pair.share:>5.0%}  {names[pair.first]} – {second}"


def _build_outlook_json(outlook: RoundOutlook, entries: list[Entry]) -> dict[str, Any]:
    """The outlook as docs/formats.md describes it."""
    keys: dict[int | None, str | None] = {None: None, **{entry.pk: entry.key for entry in entries}}
    return {
        "round": outlook.number,
        "method": outlook.method,
        "seed": outlook.seed,
        "open": [
            {
                "round": game.round.number,
                "table": game.table,
                "first": game.first.key,
                "second": game.second.key if game.second else None,
            }
            for game in load_open_games(outlook)
        ],
        "margin": MARGIN,
        "checked": "all" if outlook.is_whole else "sampled",
        "pairs": [
            {
                "first": keys[pair.first],
                "second": keys[pair.second],
                "state": pair.state.value,
                "share": round(pair.share, 4),
            }
            for pair in outlook.pairs
        ],
    }


def _format_report(report: FederationReport) -> Iterator[str]:
    """What is missing, a line each, or that nothing is; then what there is to look at."""
    missing = list_gap_lines(report, advisory=False)
    yield _("Nothing is missing.") if not missing else _("The report is incomplete:")
    yield from (sentence for sentence, _address in [*missing, *list_gap_lines(report, advisory=True)])


def _format_session(state: SessionState) -> Iterator[str]:
    yield from map(str, make_session_table(state))
    yield describe_state(state)


def _load_seats(command: DivisionCommand, options: Mapping[str, Any]) -> list[list[CellValue]]:
    """The rows of who sits where, by seats: number, name, club. Raises `BadInput`."""
    state = _load_session(command, options)
    by_entry = load_seats(state.session)
    seated = [(by_entry[entry.pk].number, entry) for entry in state.expected if entry.pk in by_entry]
    return [
        [number, entry.name, entry.club.name if entry.club else ""]
        for number, entry in sorted(seated, key=lambda line: line[0])
    ]


def _format_seats(rows: list[list[CellValue]]) -> Iterator[str]:
    width = max((len(str(name)) for _number, name, _club in rows), default=0)
    for number, name, club in rows:
        yield f"{number:>4}  {name:<{width}}  {club}".rstrip()
    if not rows:
        yield _("Nobody has a seat yet.")


def _format_season(season: SeasonTable) -> Iterator[str]:
    """Rank, name, total, and what each event brought, what does not count in brackets; then who qualifies, and why."""
    width = max((len(line.player.called) for line in season.lines), default=0)
    for rank, name, total, *scores in SeasonRows(season).list_printed_rows():
        listed = "  ".join(f"{score or NO_FIGURE:>6}" for score in scores)
        yield f"{rank:>4}  {name:<{width}}  {total:>7}  {listed}".rstrip()
    if season.qualified:
        yield _("Who qualifies")
    for number, (name, why) in enumerate(list_qualified_lines(season), 1):
        yield f"{number:>4}  {name:<{width}}  {why}"


def _format_journal(tournament: Tournament) -> Iterator[str]:
    # Without the rows, which are most of a journal and stand in none of these lines.
    for entry in JournalEntry.objects.filter(tournament=tournament).order_by("number").defer("rows"):
        at = timezone.localtime(entry.at).strftime("%Y-%m-%d %H:%M:%S")
        yield f"{entry.number:>5}  {at}  {entry.by_name}  {describe_entry(entry)}"


def _build_journal_json(tournament: Tournament) -> list[dict[str, Any]]:
    return [
        {
            "number": entry.number,
            "at": entry.at.isoformat(),
            "by": entry.by_name,
            "verb": entry.verb,
            "details": entry.details,
            "rows": entry.rows,
        }
        for entry in JournalEntry.objects.filter(tournament=tournament).order_by("number")
    ]


SHOWN: Mapping[str, Showing] = {
    "standings": Showing(
        "the table after a round, or with everything known so far",
        _load_standings,
        {
            "table": _format_standings,
            "json": build_standings_json,
            "csv": lambda table: StandingsTable(table.rows, boards=load_boards(table.division)).build_csv(),
        },
        ("division", "after"),
    ),
    "entries": Showing(
        "everybody who is entered, as a list that import_players reads back",
        lambda command, options: command.get_division(options),
        {"table": _format_entries, "json": build_entries_json, "csv": build_entries_csv},
    ),
    "final": Showing(
        "the final ranking: the places of the knock-out first, then the table",
        lambda command, options: load_final_ranking(command.get_division(options, paired=True)),
        {"table": _format_final_ranking, "json": build_final_ranking_json},
    ),
    "bracket": Showing(
        "the knock-out as it stands: who meets whom, who won and by what",
        _load_bracket,
        {"table": _format_bracket, "json": build_bracket_json, "svg": lambda state: [render_knockout_svg(state)]},
    ),
    "chances": Showing(
        "who can still end where: proven bounds, what is needed, and simulated shares",
        _load_chances,
        {
            "table": lambda loaded: _format_chances(*loaded[:2]),
            "json": lambda loaded: build_chances_json(*loaded),
        },
        ("division", "seed", "runs", "strength"),
    ),
    "ratings": Showing(
        "a preview of the ratings after the event",
        _load_ratings,
        {
            "table": _format_ratings,
            "json": build_ratings_json,
            "csv": lambda ratings: RatingsTable(ratings).build_csv(),
        },
        ("division", "system"),
    ),
    "outlook": Showing(
        "the next round while games are still open: which pairs stand whatever they bring",
        _load_outlook,
        {"table": lambda loaded: _format_outlook(*loaded), "json": lambda loaded: _build_outlook_json(*loaded)},
    ),
    "duplicate": Showing(
        "a duplicate session as it stands: what every slip scores turn by turn, and the table",
        _load_session,
        {"table": _format_session, "json": make_session_json},
    ),
    "seats": Showing(
        "who sits where in a duplicate session, by seats",
        _load_seats,
        {"table": _format_seats, "csv": lambda rows: build_csv([[_("Seat"), _("Name"), _("Club")], *rows])},
    ),
    "report": Showing(
        "what is missing in the report to the federation",
        lambda _command, options: load_report(get_tournament_by_slug(options["slug"])),
        {"table": _format_report, "json": build_report_json},
        (),
    ),
    "journal": Showing(
        "what was done, an entry a line",
        lambda _command, options: get_tournament_by_slug(options["slug"]),
        {"table": _format_journal, "json": _build_journal_json, "csv": build_journal_csv},
        (),
    ),
    "season": Showing(
        "the table of a season, whose address stands for EVENT, as its public page counts it",
        lambda _command, options: load_season(options["slug"]),
        {"table": _format_season, "json": build_season_json, "csv": lambda season: SeasonRows(season).build_csv()},
        (),
    ),
}
"""What can be shown, by the word for it."""
