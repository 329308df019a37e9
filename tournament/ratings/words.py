"""Ratings in sentences and figures."""

from collections.abc import Sequence

from django.utils import formats
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.ratings import NewRating, RatingSystem
from scoring.ratings.norwegian import NEWCOMER_RATING
from tournament.core.words.figures import MINUS_SIGN, NO_FIGURE, format_meeting, format_rating, format_score
from tournament.core.words.rounds import format_round_name
from tournament.models import Division, PublishedRatingList, Result, Round
from tournament.models.choices import RATING_SYSTEM_LABELS
from tournament.models.play import KNOCKOUT_FROM, KNOCKOUT_STEP
from tournament.ratings.division_ratings import DivisionRatings

PLACES = 2  # decimal places of expectations and of points


def get_preview_title(system: RatingSystem) -> str:
    """The title of a preview, which says that it is no federation's list."""
    if system == RatingSystem.NORWEGIAN:
        return _("Preview (Norwegian procedure)")
    return _("Preview (tsh’s procedure)")


def format_figure(value: float | None, *, signed: bool = False) -> str:
    """A figure with two decimal places in the reader's language: 3.62, +20.00, −1.50; a dash for None."""
    if value is None:
        return NO_FIGURE
    # Rounded before the sign is chosen: −0.001 would be written as −0.00.
    rounded = round(value, PLACES)
    sign = MINUS_SIGN if rounded < 0 else "+" if signed and rounded > 0 else ""
    return f"{sign}{formats.number_format(abs(rounded), decimal_pos=PLACES, use_l10n=True)}"


def describe_preview(found: DivisionRatings) -> str:
    """What the preview is made of."""
    if not found.division.tournament.rated:
        return _("The games of this event are not rated.")
    counted = ngettext("%(count)s rated game.", "%(count)s rated games.", found.games) % {"count": found.games}
    return f"{counted} {_('Only the ratings published by the federation are official.')}"


def describe_own_change(new: NewRating, system: RatingSystem) -> list[str]:
    """What made up a player's change besides the points of the games."""
    if not new.segments:
        return [_("No rated game.")]
    sentences = []
    if system == RatingSystem.NORWEGIAN:
        if new.is_newcomer:
            sentences.append(_("Counted with %(rating)s, as everybody without a rating.") % {"rating": NEWCOMER_RATING})
        deviations = (format_figure(value) for value in (new.deviation_before, new.deviation_after))
        sentences.append(
            _("Deviation %(before)s, now %(after)s.") % dict(zip(("before", "after"), deviations, strict=True))
        )
        return sentences
    if new.is_newcomer:
        sentences.append(
            _("A first rating: the one by which the result was to be expected, within the procedure’s limits.")
        )
    if accelerated := sum(segment.acceleration for segment in new.segments):
        gained = {"points": format_figure(accelerated, signed=True)}
        sentences.append(_("What is above 5 points a game counts twice: %(points)s.") % gained)
    if feedback := sum(part.feedback for part in new.parts):
        shared = _(
            "Share of the extra rating points of opponents who gained more than 5 rating points a game: %(points)s."
        )
        sentences.append(shared % {"points": format_figure(feedback, signed=True)})
    return [*sentences, *_describe_segments(new)]


def _describe_segments(new: NewRating) -> list[str]:
    """Where a long event was rated in parts, the ratings between them."""
    between = [format_rating(segment.old) for segment in new.segments[1:]]
    if not between:
        return []
    message = _("A long event is rated in parts; between them the rating was %(ratings)s.")
    return [message % {"ratings": ", ".join(between)}]


def name_rounds(division: Division, numbers: Sequence[int]) -> dict[int, str]:
    """The rounds of a division by their numbers, as a column names them: 5; Final."""
    named = {}
    for number in numbers:
        # Read off the number, which holds both: a preview of ratings has no rounds at hand.
        stage, game = divmod(number - KNOCKOUT_FROM, KNOCKOUT_STEP)
        if number < KNOCKOUT_FROM:
            named[number] = str(number)
        else:
            named[number] = format_round_name(Round(division=division, number=number, stage=stage, game=game))
    return named


def format_listed_event(division: Division) -> str:
    """An event of `list_rated_events`, with the division where there are several."""
    name = division.tournament.name
    is_one_of_several = division.divisions > 1  # type: ignore[attr-defined]  # annotated by `list_rated_events`
    return f"{name} ({division.name})" if is_one_of_several else name


def describe_correction(result: Result) -> str:
    """Which result was corrected: the event, the game and its score."""
    pairing = result.pairing
    event, where = pairing.round.division.tournament.name, format_round_name(pairing.round)
    names = format_meeting(pairing)
    scored = None not in (result.first_points, result.second_points)
    score = f" {format_score(result.first_points, result.second_points)}" if scored else ""
    return f"{event}, {where}: {names}{score}"


def name_published(published: PublishedRatingList) -> str:
    """What a published list is called: by its date, and its number where it is not the first of that day."""
    day = formats.date_format(published.day, "DATE_FORMAT")
    if published.edition == 1:
        return _("Official list of ratings of %(day)s") % {"day": day}
    return _("Official list of ratings of %(day)s, no. %(number)s") % {"day": day, "number": published.edition}


def describe_published(published: PublishedRatingList) -> str:
    """What a published list counts, and by which procedure."""
    counted = ngettext("%(count)s rated event.", "%(count)s rated events.", published.events)
    procedure = _("By: %(procedure)s.") % {"procedure": RATING_SYSTEM_LABELS[RatingSystem(published.system)]}
    return f"{counted % {'count': published.events}} {procedure}"
