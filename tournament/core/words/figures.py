"""Figures in the reader's language (2.101, +310, −12, 5½, 1:12), clauses, and names in lists."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction

from django.utils import formats
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from tournament.models import Division, Entry, Pairing, Tournament
from tournament.pairing.values import Method


def format_clause(clause: str) -> str:
    """The clause in brackets after a space, to put behind a word; empty if the rules have none."""
    return f" ({clause})" if clause else ""


def append_clause(text: object, clause: str) -> str:
    """A text followed by the clause."""
    return f"{text}{format_clause(clause)}"


def insert_clause(sentence: object, clause: str) -> str:
    """A sentence with the clause before its full stop."""
    return f"{str(sentence).removesuffix('.')}{format_clause(clause)}."


MINUS_SIGN = "\N{MINUS SIGN}"
NO_FIGURE = "\N{EN DASH}"  # in place of a missing figure

UNGROUPED_BELOW = 1000  # most figures are smaller, and the same in every language


def format_points(value: int | None) -> str:
    """A whole number with grouped thousands and a real minus sign; a dash for None."""
    if value is None:
        return NO_FIGURE
    if abs(value) < UNGROUPED_BELOW:
        return str(value) if value >= 0 else f"{MINUS_SIGN}{-value}"
    text = str(formats.number_format(abs(value), use_l10n=True, force_grouping=True))
    return f"{MINUS_SIGN}{text}" if value < 0 else text


def format_rating(value: int | None) -> str:
    """A rating, without grouping: 1512; a dash for None."""
    return NO_FIGURE if value is None else str(value)


def format_signed(value: int | None) -> str:
    """A difference with its sign: +310, −12, 0; a dash for None."""
    return f"+{format_points(value)}" if value is not None and value > 0 else format_points(value)


def format_half_wins(value: int | None) -> str:
    """A number of half wins as wins: 11 is 5½, 1 is ½, 8 is 4; a dash for None."""
    if value is None:
        return NO_FIGURE
    whole_wins, rest = divmod(value, 2)
    return f"{whole_wins or ''}½" if rest else str(whole_wins)


SIXTHS = ("", "⅙", "⅓", "½", "⅔", "⅚")


def format_sixths(value: int) -> str:
    """A number of sixths as points: 40 is 6⅔, 3 is ½, 12 is 2."""
    whole, rest = divmod(value, len(SIXTHS))
    return SIXTHS[rest] if rest and not whole else f"{format_points(whole)}{SIXTHS[rest]}"


def format_wins(value: float | Fraction | None) -> str:
    """A number of wins with halves as ½; a dash for None. Raises ValueError for other fractions."""
    if value is None:
        return NO_FIGURE
    # Floats with halves are exact; any other fraction would be a fault of ours, printed as if it were a result.
    if value * 2 != int(value * 2):
        raise ValueError(f"{value!r} is no multiple of one half")
    return format_half_wins(int(value * 2))


def format_score(first: int | None, second: int | None) -> str:
    """Two final scores as people write them: 431 : 388."""
    return f"{format_points(first)} : {format_points(second)}"


def format_average(value: int | Fraction) -> str:
    """Points per game with one decimal place, rounded half up: 421.5."""
    # In whole numbers: as a float 421.25 would become 421.2, since halves go to the even digit.
    return str(formats.number_format(Decimal((20 * value + 1) // 2) / 10, decimal_pos=1))


def format_amount(cents: int) -> str:
    """Cents as an amount with two decimal places: 1.234,50."""
    return str(formats.number_format(Decimal(cents) / 100, decimal_pos=2, use_l10n=True, force_grouping=True))


def format_money(cents: int, currency: str) -> str:
    """An amount with its currency, as the language writes it: 15,00 €; CHF 15.00."""
    written = _("%(currency)s%(amount)s") if len(currency) == 1 else _("%(currency)s %(amount)s")
    # Fixed: an amount whose sign stands on the next line is read as two things, on paper most of all.
    return (written % {"amount": format_amount(cents), "currency": currency}).replace(" ", "\N{NO-BREAK SPACE}")


def format_percent(share: float) -> str:
    """A share in whole per cent."""
    return format_percentage(round(100 * share))


def format_percentage(figure: int | str) -> str:
    """A figure in per cent, as the language writes it: 45 %; 45%."""
    return _("%(percent)s%%") % {"percent": figure}


def format_clock(seconds: int | None) -> str:
    """Seconds as minutes and seconds; a dash for None."""
    return NO_FIGURE if seconds is None else f"{seconds // 60}:{seconds % 60:02d}"


def format_duration(seconds: int) -> str:
    """A duration in words: 15 minutes; 4:30 minutes."""
    if seconds % 60:
        return _("%(time)s minutes") % {"time": format_clock(seconds)}
    minutes = seconds // 60
    return ngettext("%(minutes)s minute", "%(minutes)s minutes", minutes) % {"minutes": minutes}


def format_overtime_step(step: int) -> str:
    """The unit in which overtime is counted: minute begun, started 30 seconds."""
    if step == 60:
        return _("minute begun")
    return ngettext("started %(count)s second", "started %(count)s seconds", step) % {"count": step}


def format_list(items: Sequence[str]) -> str:
    """A list as people say it: A, B and C."""
    if len(items) < 2:
        return "".join(items)
    return _("%(several)s and %(last)s") % {"several": ", ".join(items[:-1]), "last": items[-1]}


def name_entries(entries: Iterable[Entry]) -> Mapping[int, str]:
    """Each entry's name, by id. Fetch them `with_names`."""
    return {entry.pk: entry.name for entry in entries}


def name_round_players(pairings: Iterable[Pairing]) -> Mapping[int, str]:
    """`name_entries` for everybody in these pairings, fetched with players."""
    return name_entries(entry for pairing in pairings for entry in (pairing.first, pairing.second) if entry is not None)


def name_round_teams(pairings: Iterable[Pairing]) -> Mapping[int, str]:
    """The team of everybody in these pairings of one round, by entry id, where teams meet in it; empty for any other
    round. Reads the round, and the players fetched."""
    listed = list(pairings)
    if not listed or listed[0].round.method != Method.TEAMS:
        return {}
    entries = (entry for pairing in listed for entry in (pairing.first, pairing.second) if entry is not None)
    return {entry.pk: team for entry in entries if (team := entry.team_name)}


def format_with_team(name: str, team: str | None) -> str:
    """A player's name with the team behind it, where there is one."""
    return _("%(name)s (%(mark)s)") % {"name": name, "mark": team} if team else name


def name_both_players(pairing: Pairing) -> tuple[str, str]:
    """The names of the two at one table, the starter first; the second is empty without an opponent."""
    return pairing.first.name, pairing.second.name if pairing.second else ""


def format_meeting(pairing: Pairing) -> str:
    """Both names as a heading; one name without an opponent."""
    return " – ".join(filter(None, name_both_players(pairing)))


def name_divisions(divisions: Iterable[Division]) -> Mapping[int, str]:
    """Each event's name in a list, by id: the tournament, and the division if there are several. Namesakes get their
    day as well, if nobody else's is the same, or their slug. Fetch the tournaments and count their `divisions`
    first."""
    listed = list(divisions)

    def name(division: Division) -> str:
        several = division.divisions > 1  # type: ignore[attr-defined]  # counted by the query
        return f"{division.tournament.name}, {division.name}" if several else division.tournament.name

    def format_day(division: Division) -> str:
        day = division.tournament.starts_on
        return date_format(day, "SHORT_DATE_FORMAT") if day else ""

    # Counted first, over all: whether a name needs its day depends on the others in the list.
    names, days = Counter(map(name, listed)), Counter((name(day_row), format_day(day_row)) for day_row in listed)

    def tell_apart(division: Division) -> str:
        if names[name(division)] == 1:
            return name(division)
        day = format_day(division)
        # A day tells two events of one name apart only if it is not the day of both.
        is_alone = day and days[name(division), day] == 1
        return f"{name(division)} ({day if is_alone else division.tournament.slug})"

    return {division.pk: tell_apart(division) for division in listed}


def format_event_days(tournament: Tournament) -> str:
    """The first and the last day of a tournament in the active language; the one if it is the same; "" if unknown."""
    days = [day for day in dict.fromkeys((tournament.starts_on, tournament.ends_on)) if day is not None]
    if len(days) < 2 or days[0].year != days[1].year:
        return " – ".join(date_format(day) for day in days)
    first, last = days
    figures = {
        "first": first.day,
        "last": last.day,
        "first_month": date_format(first, "F"),
        "last_month": date_format(last, "F"),
        "year": last.year,
    }
    if first.month == last.month:
        return pgettext("days of one month", "%(first)s–%(last)s %(last_month)s %(year)s") % figures
    message = pgettext("days of two months", "%(first)s %(first_month)s – %(last)s %(last_month)s %(year)s")
    return message % figures
