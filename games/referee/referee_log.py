"""The referee's log read back: lines in words, the table's and the tournament's, counted by player."""

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Exists, OuterRef
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.models import Challenge, Incident, Line, Photo, Scoresheet
from games.referee.catalogue import IncidentEffect, find_incident_kind
from games.sheets.lines import WrittenLine
from games.sheets.sheet_page import convert_stored_sheet
from scoring import challenges as challenge_rules
from scoring import sheet_count
from scoring.awards import Outcome
from scoring.challenges import word_turns
from scoring.rulesets.values import Ruleset
from scoring.sheet_values import Side
from tournament.core.words.figures import format_clock, format_points, name_both_players
from tournament.models import Division, Entry, Pairing, Result, Tournament


@dataclass(frozen=True, slots=True)
class LogLine:
    """One line of the log for a page. `before` counts the player's earlier incidents of this tournament."""

    row: Challenge | Incident
    pairing: Pairing
    who: tuple[Entry, ...]
    what: str
    clause: str
    decision: str
    waits: bool
    before: int = 0

    @property
    def names(self) -> str:
        return " – ".join(entry.name for entry in self.who)

    @property
    def note(self) -> str:
        """What the referee wrote beside an incident."""
        return self.row.note if isinstance(self.row, Incident) else ""

    @property
    def strike_url(self) -> str:
        name = "games:incident_strike" if isinstance(self.row, Incident) else "games:challenge_strike"
        return reverse(name, args=[self.pairing.round.division.tournament.slug, self.row.pk])


def list_pairing_log(pairing: Pairing) -> list[LogLine]:
    """A table's log, oldest first, struck lines too. The pairing has its players fetched."""
    return [build_log_line(row, pairing) for row in _list_log_rows([pairing.pk])]


def _list_log_rows(pairings: Collection[int]) -> list[Challenge | Incident]:
    """What was noted at these pairings, oldest first. Two queries."""
    rows: list[Challenge | Incident] = [*Challenge.objects.filter(pairing__in=pairings)]
    rows += Incident.objects.filter(pairing__in=pairings)
    # By time: challenges and incidents have keys of their own, which say nothing of each other.
    return sorted(rows, key=lambda row: (row.at, row.pk))


def list_tournament_log(tournament: Tournament) -> list[LogLine]:
    """All lines of a tournament, newest first; each says how many incidents its player had before. Few queries."""
    pairing_keys: set[int] = set()
    for rows in (Incident.objects, Challenge.objects):
        here = rows.filter(pairing__round__division__tournament=tournament)
        pairing_keys.update(here.values_list("pairing", flat=True))
    # Only of tables with a line the players are read: of hundreds of games few have one.
    logged = Pairing.objects.filter(pk__in=pairing_keys).select_related("round__division__tournament").with_players()
    pairings = {pairing.pk: pairing for pairing in logged}
    incident_counts: Counter[int] = Counter()
    lines = []
    # The oldest first, though shown the other way round: each line says how many incidents there were before it.
    for row in _list_log_rows(pairings):
        pairing = pairings[row.pairing_id]
        who = _get_concerned_entries(row, pairing)
        counts = isinstance(row, Incident) and not row.is_withdrawn
        # Of a line about both, the figure of whoever has more.
        before = max((incident_counts[entry.pk] for entry in who), default=0) if counts else 0
        lines.append(build_log_line(row, pairing, before=before))
        if counts:
            incident_counts.update(entry.pk for entry in who)
    return lines[::-1]


def count_incidents(lines: list[LogLine]) -> list[dict[str, Any]]:
    """What each player has in the log, the most incidents first. Struck lines do not count."""
    rows_by_entry: dict[Entry, list[Challenge | Incident]] = {}
    divisions: dict[Entry, Division] = {}
    for line in lines:
        for entry in line.who if not line.row.is_withdrawn else ():
            rows_by_entry.setdefault(entry, []).append(line.row)
            divisions[entry] = line.pairing.round.division
    rules = lines[0].pairing.round.division.tournament.rules if lines else None
    counts = []
    for entry, rows in sorted(rows_by_entry.items(), key=lambda pair: (pair[0].name, pair[0].pk)):
        incidents = [row for row in rows if isinstance(row, Incident)]
        kinds = Counter(row.kind for row in incidents)
        names = [(get_kind_name(key, rules), count) for key, count in kinds.items()]
        counts.append(
            {
                "entry": entry,
                "division": divisions[entry],
                "incidents": len(incidents),
                "penalty_points": sum(row.points for row in incidents),
                "challenges": len(rows) - len(incidents),
                "kinds": ", ".join(name if count == 1 else f"{count} × {name}" for name, count in names),
            }
        )
    # The sort is stable: who has as much in the log as another stays in the order of names.
    return sorted(counts, key=lambda row: (-row["incidents"], -row["challenges"]))


def get_kind_name(key: str, rules: Ruleset | None) -> str:
    """What an incident's kind is called; its key, if the ruleset has been changed since and does not have it."""
    kind = find_incident_kind(rules, key) if rules else None
    return str(kind.name) if kind else key


def _get_concerned_entries(row: Challenge | Incident, pairing: Pairing) -> tuple[Entry, ...]:
    side = row.challenger if isinstance(row, Challenge) else row.side
    return tuple(seat.entry for seat in pairing.seats.all() if side in (None, seat.side))


def build_log_line(row: Challenge | Incident, pairing: Pairing, *, before: int = 0) -> LogLine:
    """One line of the log. The pairing has its players fetched."""
    tournament, who = pairing.round.division.tournament, _get_concerned_entries(row, pairing)
    if isinstance(row, Challenge):
        return LogLine(row, pairing, who, *_describe_challenge(row, tournament.rules), waits=False)
    parts = [get_kind_name(row.kind, tournament.rules)]
    parts += [format_clock(seconds) for seconds in row.figures.get("seconds", [])]
    if tiles := row.figures.get("tiles"):
        parts.append(ngettext("%(count)s tile", "%(count)s tiles", tiles) % {"count": tiles})
    if (gone := row.figures.get("gone")) is not None:
        words = {
            "gone": format_clock(gone),
            "left": format_clock(max(0, 60 * (tournament.rules.shared_minutes or 0) - gone)),
        }
        parts.append(
            (_("%(gone)s gone, %(left)s left") if tournament.rules.shared_minutes else _("%(gone)s gone")) % words
        )
    # By the key, not by the value: a wrong word may have scored nothing.
    if "turn_points" in row.figures:
        parts.append(_format_turn(row))
    what, decision = " · ".join(parts), describe_consequence(row, tournament.minutes)
    waits = row.consequence == IncidentEffect.POINTS and row.version is None and not row.is_withdrawn
    return LogLine(row, pairing, who, what, row.clause, decision, waits=waits, before=before)


def _format_turn(row: Incident) -> str:
    figures = {"points": row.figures["turn_points"], "line": row.figures.get("line"), "word": row.figures.get("word")}
    if figures["word"]:
        return _("%(word)s (line %(line)s), points: %(points)s") % figures
    if figures["line"]:
        return _("line %(line)s, points: %(points)s") % figures
    return ngettext("a turn of %(points)s point", "a turn of %(points)s points", row.figures["turn_points"]) % figures


def describe_consequence(row: Incident, minutes: int | None) -> str:
    """What was decided, with its figure; time off the clock also as what is left of `minutes`."""
    if row.consequence == IncidentEffect.CLOCK and minutes and row.figures.get("seconds"):
        times = [format_clock(max(0, 60 * minutes - seconds)) for seconds in row.figures["seconds"]]
        return _("Time off the clock: %(left)s left") % {"left": ", ".join(times)}
    if row.consequence == IncidentEffect.POINTS:
        return _("penalty points: %(points)s") % {"points": row.points}
    return str(IncidentEffect(row.consequence).label)


def _describe_challenge(row: Challenge, rules: Ruleset) -> tuple[str, str, str]:
    """The words with their verdicts, the clause, and what it comes to."""
    words = "; ".join(
        (_("%(word)s stands") if stands else _("%(word)s does not stand")) % {"word": word}
        for word, stands in row.words
    )
    turn = _("challenge, turn %(turn)s") % {"turn": row.turn} if row.turn else _("challenge")
    if rules.challenges is None:
        return f"{turn}: {words}", "", ""
    verdict = challenge_rules.verdict(rules.challenges, row.words, row.penalty)
    return f"{turn}: {words}", verdict.clause, describe_verdict(verdict, is_decided=row.penalty is not None)


def describe_verdict(verdict: challenge_rules.Verdict, *, is_decided: bool) -> str:
    """What a challenge comes to, in words; `is_decided`: the referee set the challenger's penalty."""
    sentences = [_("The play stands.") if verdict.play_stands else _("The play is withdrawn, 0 points.")]
    if points := verdict.challenger_loses:
        loses = ngettext("The challenger loses %(points)s point.", "The challenger loses %(points)s points.", points)
        sentences.append(loses % {"points": points})
    # Only where the two differ: a referee who decides as the rules do has decided nothing of their own.
    if is_decided and verdict.challenger_loses != verdict.by_the_rules:
        sentences.append(_("The referee decided this; the rules give %(points)s.") % {"points": verdict.by_the_rules})
    if points := verdict.player_loses:
        loses = ngettext("The player loses %(points)s point.", "The player loses %(points)s points.", points)
        sentences.append(loses % {"points": points})
    return " ".join(sentences)


def list_noted_incidents(tournament: Tournament) -> list[LogLine]:
    """The incidents of a tournament, oldest first; struck ones are left out."""
    lines = reversed(list_tournament_log(tournament))
    return [line for line in lines if isinstance(line.row, Incident) and not line.row.is_withdrawn]


def count_games_without_record(tournament: Tournament) -> tuple[int, int]:
    """How many played games have neither a score sheet nor a photo, and how many were played. Two queries."""
    results = Result.objects.filter(
        official=True, outcome=Outcome.PLAYED, pairing__round__division__tournament=tournament
    )
    has_record = Exists(Scoresheet.objects.filter(pairing=OuterRef("pairing"))) | Exists(
        Photo.objects.filter(pairing=OuterRef("pairing"))
    )
    return results.exclude(has_record).count(), results.count()


def list_waiting_lines(division: Division) -> list[LogLine]:
    """The lines with penalty points that no result holds yet, by round and table. One query, four if there are any."""
    incidents = Incident.objects.filter(consequence=IncidentEffect.POINTS, version=None, is_withdrawn=False)
    incidents = incidents.filter(pairing__round__division=division)
    rows = list(incidents.order_by("pairing__round__number", "pairing__table", "pk"))
    if not rows:
        return []
    games = Pairing.objects.filter(pk__in=[row.pairing_id for row in rows])
    seated = {game.pk: game for game in games.select_related("round__division__tournament").with_players()}
    return [build_log_line(row, seated[row.pairing_id]) for row in rows]


@dataclass(frozen=True, slots=True)
class PlayedTurn:
    """A turn of a sheet: whose, where on it, what was laid, and what it counts."""

    number: int
    side: int
    name: str
    text: str
    points: int

    def __str__(self) -> str:
        figures = {"number": self.number, "name": self.name, "text": self.text, "points": format_points(self.points)}
        if not self.text:
            return _("line %(number)s, %(name)s, points: %(points)s") % figures
        return _("line %(number)s, %(name)s: %(text)s, points: %(points)s") % figures


def list_played_turns(pairing: Pairing) -> tuple[PlayedTurn, ...]:
    """A game's turns with a word (players fetched), by the sheet agreed on, else the longest. Two queries."""
    scoresheets = Scoresheet.objects.filter(pairing=pairing).annotate(written=Count("lines"))
    # The longest where none is agreed on: another sheet of the game may have been begun and left after some lines.
    paper = scoresheets.order_by("-agreed", "-written", "pk").first()
    if paper is None:
        return ()
    rows = list(Line.objects.filter(scoresheet=paper).order_by("number"))
    counted_sheet = sheet_count.count(convert_stored_sheet(paper, rows), pairing.round.division.tournament.rules)
    names = name_both_players(pairing)
    played_turns = []
    for turn in (turn for side in Side for turn in word_turns(counted_sheet, side)):
        # Numbers of lines have no gaps: deleting one moves up those below it.
        written = WrittenLine.of(rows[turn.number - 1])
        text = " ".join(part for part in (written.position, written.word) if part)
        side = turn.line.side
        played_turns.append(PlayedTurn(turn.number, int(side), names[side - 1], text, turn.points))
    return tuple(sorted(played_turns, key=lambda played_turn: played_turn.number))
