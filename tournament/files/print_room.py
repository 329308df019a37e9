"""What can be printed of a division: each document by its name, and the page that offers them for a round."""

from collections.abc import Callable, Mapping
from datetime import datetime
from functools import partial
from types import MappingProxyType

from django.db.models import TextChoices
from django.utils.translation import gettext_lazy

from games.duplicate.paper import SESSION_DOCUMENTS, make_session_renderer
from tournament.basics.refusals import Refusal
from tournament.chances.paper import render_chances
from tournament.ending.paper import CertificateDesign, render_certificates, render_final_ranking
from tournament.entries.paper import (
    FOUR,
    TWO,
    render_badges,
    render_check_in_list,
    render_entry_list,
    render_player_cards,
    render_table_cards,
)
from tournament.events.paper import render_division_announcement
from tournament.federation.paper import render_event_report
from tournament.knockout.paper import render_bracket
from tournament.models import Division, Round
from tournament.paper.documents import Document, enlarge_to_a3, make_header
from tournament.paper.sheet import PaperHeader
from tournament.ratings.paper import render_ratings
from tournament.rounds.outlook_paper import render_outlook
from tournament.rounds.paper import (
    render_blank_result_slips,
    render_pairings_by_name,
    render_pairings_by_table,
    render_result_slips,
)
from tournament.rounds.schedule_paper import render_schedule
from tournament.rounds.scoresheets import render_blank_scoresheet, render_scoresheets, render_whole_round
from tournament.table.paper import render_cross_table, render_standings
from tournament.teams.paper import render_match_sheets, render_teams

EXTRA_DOCUMENTS: Mapping[str, Callable[[PaperHeader, Division], bytes]] = {
    f"session-{name}": make_session_renderer(name) for name in SESSION_DOCUMENTS
}
"""Documents of a duplicate session, by name."""


class PaperSize(TextChoices):
    """What a document is printed on."""

    A4 = "a4", "A4"
    A3 = "a3", "A3"


def render_document(
    name: str,
    division: Division,
    round: Round | None = None,
    *,
    printed_at: datetime | None = None,
    address: str = "",
    size: PaperSize = PaperSize.A4,
) -> bytes:
    """The document as PDF in the active language. Raises `unknown_document`, which names those that exist. The same
    rows, language and `printed_at` give the same bytes. Drafts may be printed and say what they are. `address`: where
    phones open the program, which only the players' cards need."""
    document = _render_on_a4(name, division, round, printed_at, address)
    # Drawn for A4 in any case: what is set for one size breaks its lines and pages alike on the other.
    return enlarge_to_a3(document) if size == PaperSize.A3 else document


def _render_on_a4(
    name: str, division: Division, round: Round | None, printed_at: datetime | None, address: str
) -> bytes:
    # Before the others: a session has no rounds, and its papers are drawn from the division alone.
    if name in EXTRA_DOCUMENTS:
        return EXTRA_DOCUMENTS[name](make_header(division, printed_at), division)
    document = DOCUMENTS.get(name)
    if document is None:
        raise Refusal(
            "unknown_document",
            gettext_lazy("There is no document “%(name)s”. Allowed are: %(allowed)s."),
            name=name,
            allowed=", ".join([*DOCUMENTS, *EXTRA_DOCUMENTS]),
        )
    return document.render(make_header(division, printed_at, address), division, round)


def _list_certificates() -> dict[str, Document]:
    """The certificates in each design, for everybody and for the winners alone."""
    certificates = {}
    designs = {"": CertificateDesign.TILES, "-classic": CertificateDesign.CLASSIC, "-band": CertificateDesign.BAND}
    for ending, design in designs.items():
        # By `partial`, which has the design of this turn: a lambda would have the last one in each document.
        render = partial(render_certificates, design=design)
        certificates[f"certificates{ending}"] = Document(gettext_lazy("Certificates"), render)
        title = gettext_lazy("Certificates of the winners")
        certificates[f"certificates{ending}-winners"] = Document(title, partial(render, winners=True))
    return certificates


DOCUMENTS: Mapping[str, Document] = MappingProxyType(
    {
        "round": Document(gettext_lazy("Everything for a round"), render_whole_round),
        "pairings": Document(gettext_lazy("Pairings by table"), render_pairings_by_table),
        "pairings-by-name": Document(gettext_lazy("Pairings by name"), render_pairings_by_name),
        "standings": Document(gettext_lazy("Standings"), render_standings),
        "crosstable": Document(gettext_lazy("Cross table"), render_cross_table),
        "final": Document(gettext_lazy("Final ranking"), render_final_ranking),
        **_list_certificates(),
        "entries": Document(gettext_lazy("Entries"), render_entry_list),
        "check-in": Document(gettext_lazy("Check-in"), render_check_in_list),
        "player-cards": Document(gettext_lazy("Player cards"), render_player_cards),
        "badges": Document(gettext_lazy("Badges"), render_badges),
        "table-cards": Document(gettext_lazy("Table cards"), partial(render_table_cards, cut=TWO)),
        "table-cards-small": Document(gettext_lazy("Small table cards"), partial(render_table_cards, cut=FOUR)),
        "scoresheets": Document(gettext_lazy("Score sheets"), render_scoresheets),
        "result-slips": Document(gettext_lazy("Result slips"), render_result_slips),
        "bracket": Document(gettext_lazy("Knock-out"), render_bracket),
        "announcement": Document(gettext_lazy("Announcement"), render_division_announcement),
        "chances": Document(gettext_lazy("What can still happen"), render_chances),
        "schedule": Document(gettext_lazy("Schedule"), render_schedule),
        "match-sheets": Document(gettext_lazy("Match sheets"), render_match_sheets),
        "teams": Document(gettext_lazy("Table of teams"), render_teams),
        "ratings": Document(gettext_lazy("Preview of ratings"), render_ratings),
        "report": Document(gettext_lazy("Report to the federation"), render_event_report),
        "outlook": Document(gettext_lazy("The next round so far"), render_outlook),
        "blank-scoresheet": Document(gettext_lazy("Blank score sheet"), render_blank_scoresheet),
        "blank-result-slips": Document(gettext_lazy("Blank result slips"), render_blank_result_slips),
    }
)
