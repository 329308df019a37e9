"""What an event is played by, from its rows: the announcement, and what score sheets and slips state of the ruleset."""

from django.utils.translation import gettext as _

from scoring import letters, rulesets
from tournament.models import Division, Tournament
from tournament.plan import segments
from tournament.printing import values
from tournament.queries import public
from tournament.queries.knockout import stored_knockout
from tournament.words import announcement, knockout_plan
from tournament.words.clauses import with_clause


def printed_rules(tournament: Tournament) -> values.PrintedRules:
    """What the forms state of the tournament's ruleset. No query."""
    ruleset = tournament.rules
    challenges, exchanges = ruleset.challenges, ruleset.exchanges
    return values.PrintedRules(
        overtime_points=ruleset.overtime_points,
        overtime_step=ruleset.overtime_step,
        shared_minutes=tournament.shared_minutes,
        signing_clause=ruleset.clauses.signing,
        leftovers=ruleset.leftovers,
        failed_challenge=challenges.failed_penalty if challenges else 0,
        upheld_challenge=challenges.upheld_penalty if challenges else 0,
        per_word=challenges is not None and challenges.per == rulesets.Per.WORD,
        wrong_word=ruleset.wrong_word_penalty,
        declined=ruleset.declined_penalty,
        exchange_in_bag=exchanges.in_bag if exchanges else None,
        exchange_after_a_play=exchanges is not None and exchanges.after_a_play,
        exchanges_first=exchanges.before_first_word if exchanges else None,
        by_consent=exchanges is not None and exchanges.by_consent,
        passing=ruleset.passes_to_end is not None,
        own_sheets=ruleset.own_sheets,
        tiles=letters.LETTER_SETS[ruleset.letters].tiles,
    )


def announcement_sections(division: Division) -> tuple[values.Section, ...]:
    """What the rules want an announcement to state, and what the director adds. Two queries."""
    tournament = division.tournament
    clauses = tournament.rules.clauses
    planned = tuple(
        (announcement.segment_rounds(part), announcement.segment(part)) for part in segments.read(division.plan)
    )
    exceptions = tuple((entry.name, entry.exception) for entry in public.exceptions(tournament))
    sections = (
        values.Section("", (("", tournament.announcement),) if tournament.announcement else ()),
        values.Section(_("How it is played"), tuple(announcement.facts(tournament))),
        values.Section(_("Plan of rounds"), planned),
        values.Section(
            with_clause(_("Knock-out rounds"), clauses.knockout.whole),
            tuple(knockout_plan.facts(stored_knockout(division), tournament.rules)),
        ),
        values.Section(with_clause(_("Exceptions for players"), clauses.exceptions), exceptions),
    )
    return tuple(section for section in sections if section.facts)
