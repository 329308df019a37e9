"""What can be printed of a division: each document by its name, drawn from the values that its rows become."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from functools import partial
from types import MappingProxyType

from django.utils import formats, timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournament.models import Division, Entry, Round
from tournament.printing import (
    announcement,
    bracket,
    bundle,
    card_sheets,
    cards,
    certificates,
    crosstable,
    end_sheets,
    entry_lists,
    entry_sheets,
    final_ranking,
    notice,
    own_sheets,
    pairings,
    round_sheets,
    rules_sheets,
    scoresheets,
    slips,
    table_sheets,
    values,
)
from tournament.printing import standings as table
from tournament.printing.certificates import Design
from tournament.printing.cutting import Cut
from tournament.queries import league
from tournament.queries.knockout import knockout_state
from tournament.refusals import Refusal
from tournament.words import bracket_cards, knockout_plan, round_names


class UnknownDocument(Refusal):
    code = "unknown_document"
    message = gettext_lazy("There is no document “%(name)s”. Allowed are: %(allowed)s.")


@dataclass(frozen=True, slots=True)
class Document:
    """A document's title and how it is made for a division and a round (None: the latest, see the functions)."""

    title: str | Promise
    render: Callable[[values.Header, Division, Round | None], bytes]


MORE: dict[str, Callable[[values.Header, Division], bytes]] = {}
"""Documents of the app above, by name; filled when it is ready (`games.registers`)."""


def render(
    name: str,
    division: Division,
    round: Round | None = None,
    *,
    printed_at: datetime | None = None,
    address: str = "",
) -> bytes:
    """The document as PDF in the active language. Raises `UnknownDocument`, which names those that exist.

    The same rows, language and `printed_at` give the same bytes. Drafts may be printed and say what they are.
    `address`: where phones open the program, which only the players' cards need.
    """
    if name in MORE:
        return MORE[name](header(division, printed_at or timezone.now()), division)
    document = DOCUMENTS.get(name)
    if document is None:
        raise UnknownDocument(name=name, allowed=", ".join([*DOCUMENTS, *MORE]))
    return document.render(header(division, printed_at or timezone.now(), address), division, round)


def player_card(entry: Entry, address: str) -> bytes:
    """One player's card alone, as PDF in the active language (`division__tournament` fetched)."""
    return _player_cards(header(entry.division, timezone.now(), address), entry.division, None, only=entry.pk)


def sample_certificate(division: Division, design: Design) -> bytes:
    """One certificate of a division, as PDF in the active language."""
    sample = end_sheets.sample(division)
    return certificates.certificates(
        header(division, timezone.now()), [sample], end_sheets.tile_values(division), design
    )


def header(division: Division, printed_at: datetime, address: str = "") -> values.Header:
    """The event as named on every page. One query."""
    tournament = division.tournament
    alone = len(league.divisions(tournament)) == 1
    return values.Header(
        event=tournament.name,
        printed_at=printed_at,
        division="" if alone else division.name,
        place=tournament.place,
        dates=_days(tournament.starts_on, tournament.ends_on),
        address=address,
    )


def _days(first: date | None, last: date | None) -> str:
    days = [formats.date_format(day) for day in dict.fromkeys((first, last)) if day is not None]
    return " – ".join(days)


def _by_table(header: values.Header, division: Division, round: Round | None) -> bytes:
    sheet = round_sheets.round_sheet(division, round)
    return pairings.by_table(header, sheet) if sheet else _no_round(header, _("Pairings by table"))


def _by_name(header: values.Header, division: Division, round: Round | None) -> bytes:
    sheet = round_sheets.round_sheet(division, round)
    return pairings.by_name(header, sheet) if sheet else _no_round(header, _("Pairings by name"))


def _slips(header: values.Header, division: Division, round: Round | None) -> bytes:
    return slips.slips(
        header, round_sheets.round_sheet(division, round), rules_sheets.printed_rules(division.tournament)
    )


def _scoresheets(header: values.Header, division: Division, round: Round | None) -> bytes:
    return _sheets(header, round_sheets.round_sheet(division, round), rules_sheets.printed_rules(division.tournament))


def _whole_round(header: values.Header, division: Division, round: Round | None) -> bytes:
    """What hangs on the wall and lies on the tables in a round: pairings, the table before it, slips."""
    found = round or round_sheets.latest(division)
    if found is None:
        return _no_round(header, _("Everything for a round"))
    before = None if found.is_knockout else Round.objects.league().filter(division=division, number=found.number - 1)
    table_before = [_standings(header, division, each) for each in before or ()]
    parts = [_by_table(header, division, found), _by_name(header, division, found), *table_before]
    title = round_names.round_name(found)
    return bundle.joined([*parts, _slips(header, division, found)], f"{title} – {header.event}")


def _blank_slips(header: values.Header, division: Division, _round: Round | None) -> bytes:
    return slips.slips(header, None, rules_sheets.printed_rules(division.tournament))


def _blank_scoresheet(header: values.Header, division: Division, _round: Round | None) -> bytes:
    return _sheets(header, None, rules_sheets.printed_rules(division.tournament))


def _sheets(header: values.Header, sheet: values.RoundSheet | None, printed: values.PrintedRules) -> bytes:
    """One sheet a game, or one for each player where the rules have it so."""
    draw = own_sheets.sheets if printed.own_sheets else scoresheets.sheets
    return draw(header, sheet, printed)


def _standings(header: values.Header, division: Division, round: Round | None) -> bytes:
    sheet = table_sheets.standings_sheet(division, round)
    if not sheet.lines:
        return notice.nothing(header, _("Standings"), _("Nobody has been entered yet."))
    return table.table(header, sheet)


def _cross_table(header: values.Header, division: Division, round: Round | None) -> bytes:
    sheet = table_sheets.cross_sheet(division, round)
    return crosstable.cross_table(header, sheet) if sheet.after and sheet.lines else _no_round(header, _("Cross table"))


def _announcement(header: values.Header, division: Division, _round: Round | None) -> bytes:
    return announcement.announcement(header, rules_sheets.announcement_sections(division))


def _bracket(header: values.Header, division: Division, _round: Round | None) -> bytes:
    state = knockout_state(division)
    if state is None:
        return notice.nothing(header, _("Knock-out"), _("This division has no knock-out."))
    return bracket.bracket(
        header,
        bracket_cards.picture(state.bracket, state.names),
        knockout_plan.facts(state.knockout, division.tournament.rules),
    )


def _final(header: values.Header, division: Division, _round: Round | None) -> bytes:
    sheet = end_sheets.final_sheet(division)
    if not sheet.lines:
        return notice.nothing(header, _("Final ranking"), _("Nobody has been entered yet."))
    return final_ranking.final_ranking(header, sheet)


def _certificates(
    header: values.Header,
    division: Division,
    _round: Round | None,
    *,
    winners: bool = False,
    design: Design = Design.TILES,
) -> bytes:
    found = end_sheets.certificates(division, winners=winners)
    if not found:
        return notice.nothing(header, _("Certificates"), _("Nobody has been entered yet."))
    return certificates.certificates(header, found, end_sheets.tile_values(division), design)


def _entered(
    header: values.Header, division: Division, _round: Round | None, *, draw: Callable[..., bytes], title: str | Promise
) -> bytes:
    lines, notes = entry_sheets.entry_lines(division)
    return (
        draw(header, lines, notes) if lines else notice.nothing(header, str(title), _("Nobody has been entered yet."))
    )


def _player_cards(header: values.Header, division: Division, _round: Round | None, *, only: int | None = None) -> bytes:
    title = _("Player cards")
    if not header.address:
        return notice.nothing(header, title, _("This machine is in no network: phones have no address to open."))
    found = card_sheets.player_cards(division, header.address, only=only)
    if not found:
        return notice.nothing(header, title, _("Nobody has been entered yet."))
    paired = division.tournament.rules.is_paired
    return cards.player_cards(header, found, paired=paired, wifi=card_sheets.wifi(division))


def _table_cards(header: values.Header, division: Division, _round: Round | None, *, cut: Cut) -> bytes:
    tables = card_sheets.tables(division)
    if not tables:
        return notice.nothing(header, _("Table cards"), _("Nobody has been entered yet."))
    return cards.table_cards(header, tables, cut=cut)


def _badges(header: values.Header, division: Division, _round: Round | None) -> bytes:
    people = card_sheets.people(division)
    if not people:
        return notice.nothing(header, _("Badges"), _("Nobody has been entered yet."))
    return cards.badges(header, people)


def _no_round(header: values.Header, title: str) -> bytes:
    return notice.nothing(header, title, _("There is no round to print yet."))


DOCUMENTS: Mapping[str, Document] = MappingProxyType(
    {
        "round": Document(gettext_lazy("Everything for a round"), _whole_round),
        "pairings": Document(gettext_lazy("Pairings by table"), _by_table),
        "pairings-by-name": Document(gettext_lazy("Pairings by name"), _by_name),
        "standings": Document(gettext_lazy("Standings"), _standings),
        "crosstable": Document(gettext_lazy("Cross table"), _cross_table),
        "final": Document(gettext_lazy("Final ranking"), _final),
        "certificates": Document(gettext_lazy("Certificates"), _certificates),
        "certificates-winners": Document(
            gettext_lazy("Certificates of the winners"), partial(_certificates, winners=True)
        ),
        "certificates-classic": Document(gettext_lazy("Certificates"), partial(_certificates, design=Design.CLASSIC)),
        "certificates-classic-winners": Document(
            gettext_lazy("Certificates of the winners"), partial(_certificates, winners=True, design=Design.CLASSIC)
        ),
        "certificates-band": Document(gettext_lazy("Certificates"), partial(_certificates, design=Design.BAND)),
        "certificates-band-winners": Document(
            gettext_lazy("Certificates of the winners"), partial(_certificates, winners=True, design=Design.BAND)
        ),
        "entries": Document(
            gettext_lazy("Entries"),
            partial(_entered, draw=entry_lists.participants, title=gettext_lazy("Entries")),
        ),
        "check-in": Document(
            gettext_lazy("Check-in"),
            partial(_entered, draw=entry_lists.check_in, title=gettext_lazy("Check-in")),
        ),
        "player-cards": Document(gettext_lazy("Player cards"), _player_cards),
        "badges": Document(gettext_lazy("Badges"), _badges),
        "table-cards": Document(gettext_lazy("Table cards"), partial(_table_cards, cut=cards.TWO)),
        "table-cards-small": Document(gettext_lazy("Small table cards"), partial(_table_cards, cut=cards.FOUR)),
        "scoresheets": Document(gettext_lazy("Score sheets"), _scoresheets),
        "result-slips": Document(gettext_lazy("Result slips"), _slips),
        "bracket": Document(gettext_lazy("Knock-out"), _bracket),
        "announcement": Document(gettext_lazy("Announcement"), _announcement),
        "blank-scoresheet": Document(gettext_lazy("Blank score sheet"), _blank_scoresheet),
        "blank-result-slips": Document(gettext_lazy("Blank result slips"), _blank_slips),
    }
)
