"""What can be printed of a division: the one place where stored rows become the documents' values."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from functools import partial
from types import MappingProxyType

from django.utils import formats, timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from scoring import awards, letters, rulesets, standings
from scoring.awards import ALONE, Outcome
from tournament.models import Division, Entry, Pairing, Round, Tournament
from tournament.pairing.values import Code, Method, Starts
from tournament.plan import segments
from tournament.printing import (
    announcement,
    bracket,
    certificates,
    crosstable,
    end_sheets,
    entry_lists,
    entry_sheets,
    final_ranking,
    notice,
    pairings,
    scoresheets,
    slips,
    values,
)
from tournament.printing import standings as table
from tournament.queries import league, public
from tournament.queries.knockout import knockout_state, stored_knockout
from tournament.refusals import Refusal
from tournament.words import announcement as announcement_words
from tournament.words import bracket_cards, criteria, figures, knockout_plan, outcomes, round_names
from tournament.words.clauses import before_stop, with_clause

MATRIX_UP_TO = 32
"""Players; a larger round robin is shown by rounds, like everything else."""


class UnknownDocument(Refusal):
    code = "unknown_document"
    message = gettext_lazy("There is no document “%(name)s”. Allowed are: %(allowed)s.")


@dataclass(frozen=True, slots=True)
class Document:
    """A document's title and how it is made for a division and a round (None: the latest, see the functions)."""

    title: str | Promise
    render: Callable[[values.Header, Division, Round | None], bytes]


def render(name: str, division: Division, round: Round | None = None, *, printed_at: datetime | None = None) -> bytes:
    """The document as PDF in the active language. Raises `UnknownDocument`, which names those that exist.

    The same rows, language and `printed_at` give the same bytes. Drafts may be printed and say what they are.
    """
    document = DOCUMENTS.get(name)
    if document is None:
        raise UnknownDocument(name=name, allowed=", ".join(DOCUMENTS))
    return document.render(header(division, printed_at or timezone.now()), division, round)


def header(division: Division, printed_at: datetime) -> values.Header:
    """The event as named on every page. One query."""
    tournament = division.tournament
    alone = len(league.divisions(tournament)) == 1
    return values.Header(
        event=tournament.name,
        printed_at=printed_at,
        division="" if alone else division.name,
        place=tournament.place,
        dates=_days(tournament.starts_on, tournament.ends_on),
    )


def _days(first: date | None, last: date | None) -> str:
    days = [formats.date_format(day) for day in dict.fromkeys((first, last)) if day is not None]
    return " – ".join(days)


def _latest(division: Division) -> Round | None:
    """The last published round; the draft if nothing is published yet."""
    rounds = Round.objects.league().filter(division=division)
    return rounds.public().order_by("-number").first() or rounds.order_by("-number").first()


def _by_table(header: values.Header, division: Division, round: Round | None) -> bytes:
    sheet = round_sheet(division, round)
    return pairings.by_table(header, sheet) if sheet else _no_round(header, _("Pairings by table"))


def _by_name(header: values.Header, division: Division, round: Round | None) -> bytes:
    sheet = round_sheet(division, round)
    return pairings.by_name(header, sheet) if sheet else _no_round(header, _("Pairings by name"))


def _slips(header: values.Header, division: Division, round: Round | None) -> bytes:
    return slips.slips(header, round_sheet(division, round), rules(division.tournament))


def _scoresheets(header: values.Header, division: Division, round: Round | None) -> bytes:
    return scoresheets.sheets(header, round_sheet(division, round), rules(division.tournament))


def _blank_slips(header: values.Header, division: Division, _round: Round | None) -> bytes:
    return slips.slips(header, None, rules(division.tournament))


def _blank_scoresheet(header: values.Header, division: Division, _round: Round | None) -> bytes:
    return scoresheets.sheets(header, None, rules(division.tournament))


def _standings(header: values.Header, division: Division, round: Round | None) -> bytes:
    sheet = standings_sheet(division, round)
    if not sheet.lines:
        return notice.nothing(header, _("Standings"), _("Nobody has been entered yet."))
    return table.table(header, sheet)


def _cross_table(header: values.Header, division: Division, round: Round | None) -> bytes:
    sheet = cross_sheet(division, round)
    return crosstable.cross_table(header, sheet) if sheet.after and sheet.lines else _no_round(header, _("Cross table"))


def _announcement(header: values.Header, division: Division, _round: Round | None) -> bytes:
    return announcement.announcement(header, announcement_sections(division))


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


def _certificates(header: values.Header, division: Division, _round: Round | None, *, winners: bool = False) -> bytes:
    found = end_sheets.certificates(division, winners=winners)
    if not found:
        return notice.nothing(header, _("Certificates"), _("Nobody has been entered yet."))
    return certificates.certificates(header, found, end_sheets.tile_values(division))


def _entered(
    header: values.Header, division: Division, _round: Round | None, *, draw: Callable[..., bytes], title: str | Promise
) -> bytes:
    lines, notes = entry_sheets.entry_lines(division)
    return (
        draw(header, lines, notes) if lines else notice.nothing(header, str(title), _("Nobody has been entered yet."))
    )


def _no_round(header: values.Header, title: str) -> bytes:
    return notice.nothing(header, title, _("There is no round to print yet."))


DOCUMENTS: Mapping[str, Document] = MappingProxyType(
    {
        "pairings": Document(gettext_lazy("Pairings by table"), _by_table),
        "pairings-by-name": Document(gettext_lazy("Pairings by name"), _by_name),
        "standings": Document(gettext_lazy("Standings"), _standings),
        "crosstable": Document(gettext_lazy("Cross table"), _cross_table),
        "final": Document(gettext_lazy("Final ranking"), _final),
        "certificates": Document(gettext_lazy("Certificates"), _certificates),
        "certificates-winners": Document(
            gettext_lazy("Certificates of the winners"), partial(_certificates, winners=True)
        ),
        "entries": Document(
            gettext_lazy("Entries"),
            partial(_entered, draw=entry_lists.participants, title=gettext_lazy("Entries")),
        ),
        "check-in": Document(
            gettext_lazy("Check-in"),
            partial(_entered, draw=entry_lists.check_in, title=gettext_lazy("Check-in")),
        ),
        "scoresheets": Document(gettext_lazy("Score sheets"), _scoresheets),
        "result-slips": Document(gettext_lazy("Result slips"), _slips),
        "bracket": Document(gettext_lazy("Knock-out"), _bracket),
        "announcement": Document(gettext_lazy("Announcement"), _announcement),
        "blank-scoresheet": Document(gettext_lazy("Blank score sheet"), _blank_scoresheet),
        "blank-result-slips": Document(gettext_lazy("Blank result slips"), _blank_slips),
    }
)


def round_sheet(division: Division, round: Round | None) -> values.RoundSheet | None:
    """A round's pairings, by default the latest round's; None if there are none. Four queries."""
    found = round or _latest(division)
    lines = [_line(pairing, division.tournament, found) for pairing in league.pairings(found)] if found else []
    if found is None or not lines:
        return None
    tournament = division.tournament
    return values.RoundSheet(
        number=found.number,
        lines=tuple(lines),
        balanced=tournament.starts == Starts.BALANCED,
        drawn_clause=tournament.rules.clauses.drawn_starts,
        draft=found.is_draft,
        minutes=tournament.minutes,
        title=round_names.round_name(found) if found.is_knockout else "",
    )


def _line(pairing: Pairing, tournament: Tournament, round: Round) -> values.PairingLine:
    second, ranks = pairing.second, pairing.reason(Code.RANKS) or {}
    place = round_names.place_of(round, pairing.table)
    return values.PairingLine(
        table=pairing.table,
        first=values.PairedPlayer(pairing.first.name, ranks.get("first")),
        second=values.PairedPlayer(second.name, ranks.get("second")) if second else None,
        note="" if second else _without_opponent(pairing, tournament),
        title=str(place or ""),
    )


def _without_opponent(pairing: Pairing, tournament: Tournament) -> str:
    """What a bye or an absence credits; the result may have another spread than the rule."""
    result = pairing.result
    outcome = Outcome(pairing.kind)
    credit, _nobody = awards.credit(outcome, None, None, tournament.awards, spread=result.spread if result else None)
    assert credit is not None, pairing
    words = {"spread": figures.signed(credit.spread), "points": figures.points(credit.points)}
    if outcome == Outcome.ABSENT:
        said = _("Absent: counts as a loss with %(spread)s.") % words
    else:
        said = _("Bye: counts as a win with %(spread)s and %(points)s points.") % words
    return before_stop(said, credit.clause)


def _after(round: Round | None, progress: list[league.RoundProgress]) -> int:
    """The round whose table is printed: never a draft; without a round, the last one begun."""
    if round is None:
        return public.current_round(progress)
    return min(round.number, max((item.round.number for item in progress), default=0))


def standings_sheet(division: Division, round: Round | None) -> values.StandingsSheet:
    """The table after the round, by default the current one. Six queries."""
    progress = league.rounds(division)
    shown = public.public_table(division, progress, after=_after(round, progress))
    ranking = shown.ranking
    notes = (
        _("Ranked by %(order)s.") % {"order": criteria.order(ranking, division.tournament.rules)},
        announcement_words.spread_cap(ranking),
        _open_games(shown),
    )
    return values.StandingsSheet(
        after=shown.after,
        lines=tuple(_standing(line) for line in shown.lines),
        notes=tuple(note for note in notes if note),
        points_first=ranking.basis == standings.Basis.POINTS,
    )


def _open_games(shown: public.PublicTable) -> str:
    """The note, on paper too, that a table with open games will change."""
    missing = shown.games - shown.done + shown.earlier
    if not missing:
        return ""
    return ngettext(
        "Provisional: %(count)s game is still open.", "Provisional: %(count)s games are still open.", missing
    ) % {"count": missing}


def _standing(line: public.RankedRow) -> values.StandingLine:
    standing, entry = line.standing, line.entry
    return values.StandingLine(
        rank=standing.rank,
        name=entry.name,
        club=entry.club.name if entry.club else "",
        half_wins=standing.half_wins,
        spread=standing.spread,
        points=standing.points,
        highest_game=standing.highest_game,
        decided_by=criteria.decided_by(standing, line.above),
        mark=_mark(entry),
    )


def _mark(entry: Entry) -> str:
    if entry.withdrawn_after is None:
        return ""
    return outcomes.withdrawn(entry.withdrawn_after)


def cross_sheet(division: Division, round: Round | None) -> values.CrossSheet:
    """The cross table after the round, by default the current one. Five queries."""
    progress = league.rounds(division)
    after = _after(round, progress)
    rows = public.cross_rows(division, after=after)
    places = {row.line.entry.pk: place for place, row in enumerate(rows)}
    methods = {item.round.method for item in progress if item.round.number <= after}
    matrix = methods == {Method.ROUND_ROBIN} and len(rows) <= MATRIX_UP_TO
    numbers = () if matrix else tuple(item.round.number for item in progress if item.round.number <= after)
    starts_known = division.tournament.starts == Starts.BALANCED
    return values.CrossSheet(
        after=after,
        lines=tuple(_cross_line(row, places, numbers, starts_known=starts_known) for row in rows),
        matrix=matrix,
        starts_known=starts_known,
    )


def _cross_line(
    row: public.CrossRow, places: Mapping[int, int], numbers: Sequence[int], *, starts_known: bool
) -> values.CrossLine:
    """A player's row; of `numbers`, the rounds in which they had no game say why."""
    standing, entry = row.line.standing, row.line.entry
    games = [_cross_game(meeting, places, starts_known=starts_known) for meeting in row.meetings.values()]
    games += [
        values.CrossGame(round=number, mark=values.Mark.MISSED, why=outcomes.missed(entry, number))
        for number in numbers
        if number not in row.meetings
    ]
    return values.CrossLine(
        rank=standing.rank,
        name=entry.name,
        half_wins=standing.half_wins,
        spread=standing.spread,
        games=tuple(sorted(games, key=lambda game: game.round)),
        mark=_("withdrawn") if entry.is_withdrawn else "",
    )


def _cross_game(meeting: public.Meeting, places: Mapping[int, int], *, starts_known: bool) -> values.CrossGame:
    alone = meeting.outcome in ALONE
    own, other = meeting.own, meeting.other
    return values.CrossGame(
        round=meeting.round,
        mark=_cross_mark(meeting),
        opponent=None if meeting.opponent is None else places[meeting.opponent],
        score=None if own is None or other is None else (own, other),
        spread=meeting.credit.spread if meeting.credit else None,
        started=starts_known and meeting.first and not alone,
        awarded=meeting.outcome not in (*ALONE, Outcome.PLAYED, Outcome.OPEN),
    )


def _cross_mark(meeting: public.Meeting) -> values.Mark:
    if meeting.credit is None:
        return values.Mark.OPEN
    if meeting.outcome in ALONE:
        return values.Mark.BYE if meeting.outcome == Outcome.BYE else values.Mark.ABSENT
    return (values.Mark.LOST, values.Mark.DRAWN, values.Mark.WON)[meeting.credit.half_wins]


def rules(tournament: Tournament) -> values.PrintedRules:
    """What the forms state of the tournament's ruleset. No query."""
    ruleset = tournament.rules
    challenges = ruleset.challenges
    return values.PrintedRules(
        overtime_points=ruleset.overtime_points,
        overtime_step=ruleset.overtime_step,
        signing_clause=ruleset.clauses.signing,
        leftovers=ruleset.leftovers,
        failed_challenge=challenges.failed_penalty if challenges else 0,
        per_word=challenges is not None and challenges.per == rulesets.Per.WORD,
        exchange_in_bag=ruleset.exchanges.in_bag if ruleset.exchanges else None,
        passing=ruleset.passes_to_end is not None,
        tiles=letters.LETTER_SETS[ruleset.letters].tiles,
    )


def announcement_sections(division: Division) -> tuple[values.Section, ...]:
    """What the rules want an announcement to state, and what the director adds. Two queries."""
    tournament = division.tournament
    clauses = tournament.rules.clauses
    planned = tuple(
        (announcement_words.segment_rounds(part), announcement_words.segment(part))
        for part in segments.read(division.plan)
    )
    exceptions = tuple((entry.name, entry.exception) for entry in public.exceptions(tournament))
    sections = (
        values.Section("", (("", tournament.announcement),) if tournament.announcement else ()),
        values.Section(_("What is played by"), tuple(announcement_words.facts(tournament))),
        values.Section(_("Plan of rounds"), planned),
        values.Section(
            with_clause(_("Knock-out rounds"), clauses.knockout.whole),
            tuple(knockout_plan.facts(stored_knockout(division), tournament.rules)),
        ),
        values.Section(with_clause(_("Exceptions for players"), clauses.exceptions), exceptions),
    )
    return tuple(section for section in sections if section.facts)
