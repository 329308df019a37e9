"""What can still happen, in sentences. Each follows from proven bounds (`scoring.needs`)."""

from collections.abc import Iterable, Mapping, Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.chances import Prospect
from scoring.needs import Need, NeedKind
from scoring.standings import PlayerKey
from tournament.core.words.figures import format_half_wins, format_percent, format_percentage, format_points
from tournament.models import Division
from tournament.table.league import is_foreseen, plans_team_matches
from tournament.table.published_games import HALF_WINS_PER_WIN


def describe_needs(needs: Iterable[Need], names: Mapping[PlayerKey, str]) -> list[str]:
    """What a player needs, in sentences; `names` are those of others."""
    return [describe_need(need, names) for need in needs]


def describe_need(need: Need, names: Mapping[PlayerKey, str]) -> str:
    """One thing that a player needs, in a sentence."""
    match need.kind:
        case NeedKind.CERTAIN:
            message = _("Place %(place)s or better is certain.") if need.place > 1 else _("Place 1 is certain.")
        case NeedKind.ENOUGH | NeedKind.MARGIN_ENOUGH:
            message = _word_enough(need)
        case NeedKind.ENOUGH_WITHOUT:
            message = _word_enough_without(need)
        case NeedKind.AT_LEAST | NeedKind.MARGIN_AT_LEAST:
            message = _word_least(need)
        case NeedKind.ONLY_WITHOUT:
            message = _("Place %(place)s is possible only if %(name)s does not win.")
        case NeedKind.OPEN:
            message = _("Place %(place)s can still be reached.")
        case NeedKind.OUT_OF_REACH:
            message = _("Places 1 to %(place)s are out of reach.") if need.place > 1 else _("Place 1 is out of reach.")
    name = "" if need.other is None else names[need.other]
    wins = format_half_wins(need.half_wins)
    return message % {"place": need.place, "wins": wins, "margin": need.margin, "name": name}


def _is_draw(need: Need) -> bool:
    """Whether it is about a draw in the last game."""
    return need.is_last and need.half_wins < HALF_WINS_PER_WIN


def _count_plural(need: Need) -> int:
    """What the plural of wins goes by: half a win is none."""
    return 1 if need.half_wins <= HALF_WINS_PER_WIN else 2


def _word_enough(need: Need) -> str:
    if need.kind is NeedKind.MARGIN_ENOUGH:
        return ngettext(
            "A win by at least %(margin)s point is enough for place %(place)s, whatever the others do.",
            "A win by at least %(margin)s points is enough for place %(place)s, whatever the others do.",
            need.margin,
        )
    if _is_draw(need):
        return _("A draw is enough for place %(place)s, whatever the others do.")
    return ngettext(
        "%(wins)s win is enough for place %(place)s, whatever the others do.",
        "%(wins)s wins are enough for place %(place)s, whatever the others do.",
        _count_plural(need),
    )


def _word_enough_without(need: Need) -> str:
    if not need.half_wins:
        return (
            _("Place %(place)s or better is certain if %(name)s does not win.")
            if need.place > 1
            else _("Place 1 is certain if %(name)s does not win.")
        )
    if _is_draw(need):
        return _("A draw is enough for place %(place)s if %(name)s does not win.")
    return ngettext(
        "%(wins)s win is enough for place %(place)s if %(name)s does not win.",
        "%(wins)s wins are enough for place %(place)s if %(name)s does not win.",
        _count_plural(need),
    )


def _word_least(need: Need) -> str:
    if need.kind is NeedKind.MARGIN_AT_LEAST:
        return ngettext(
            "Place %(place)s takes a win by at least %(margin)s point.",
            "Place %(place)s takes a win by at least %(margin)s points.",
            need.margin,
        )
    if _is_draw(need):
        return _("Place %(place)s takes at least a draw.")
    return ngettext(
        "Place %(place)s takes at least %(wins)s win.",
        "Place %(place)s takes at least %(wins)s wins.",
        _count_plural(need),
    )


def describe_out_of_reach(place: int, names: Sequence[str]) -> str:
    """Who can reach no place that counts, in one sentence."""
    message = (
        _("Places 1 to %(place)s are out of reach for: %(names)s.")
        if place > 1
        else _("Place 1 is out of reach for: %(names)s.")
    )
    return message % {"place": place, "names": "; ".join(names)}


def format_places(prospect: Prospect) -> str:
    """The places that are left: “2–5”, or one."""
    return f"{prospect.best}" if prospect.best == prospect.worst else f"{prospect.best}–{prospect.worst}"


def name_place(place: int) -> str:
    """What the share of a place is called."""
    return _("Place 1") if place == 1 else _("Place %(place)s or better") % {"place": place}


def describe_share(place: int, share: float | None, low: float, high: float) -> str:
    """A share of simulated endings with its interval: “Up to place 3: 45 %, between 43 and 47 %”."""
    figures = {"share": format_share(share), "low": round(100 * low), "high": round(100 * high)}
    # Rounded to one and the same, an interval says nothing: between 45 and 45 %.
    if figures["low"] == figures["high"]:
        return f"{name_place(place)}: {format_share(share)}"
    return _("%(place)s: %(share)s, between %(low)s and %(high)s%%") % {"place": name_place(place), **figures}


def format_share(share: float | None, *, is_proven: bool = False) -> str:
    """A share of endings in per cent; words where it is proven, and while it is not known."""
    if share is None:
        return "…"
    if is_proven:
        return _("certain") if share else _("out of reach")
    # What is only simulated is never written as 0 or 100 %: rounded, it would read as if it were proven.
    if not 0.005 <= share < 0.995:
        return f"< {format_percentage(1)}" if share < 0.5 else f"> {format_percentage(99)}"
    return format_percent(share)


def describe_what_is_left(rounds: int, games: int) -> str:
    """What the bounds are about: “2 rounds to come · 3 games open”."""
    parts = []
    if rounds:
        parts.append(ngettext("%(count)s round to come", "%(count)s rounds to come", rounds) % {"count": rounds})
    if games:
        parts.append(ngettext("%(count)s game open", "%(count)s games open", games) % {"count": games})
    return " · ".join(parts) or _("All games are played.")


def explain_nothing_foreseen(division: Division) -> str:
    """Why nothing can be said of the division; empty where something can."""
    if is_foreseen(division):
        return ""
    if plans_team_matches(division):
        return _("In an event with team matches nothing is foreseen: the teams decide who plays.")
    return _("By Keizer nothing is foreseen: each result moves what all other games count.")


def describe_basis(runs: int) -> str:
    """What places left and shares rest on, in a line; `runs`: how many endings were simulated, 0 while none were."""
    if not runs:
        return _("Proven: the places left, and what it takes")
    return _("Proven: the places left, and what it takes · simulated: the percentages, from %(runs)s endings") % {
        "runs": format_points(runs)
    }


def describe_proof() -> str:
    """What is proven, and of what."""
    return _(
        "Places left, “certain”, “out of reach” and what it takes are proven: they hold "
        "whatever the results and margins of the games to come, and whoever meets in "
        "rounds not drawn yet. This assumes that nobody is absent and no game is "
        "forfeited. A draw is half a win; a bye is not a win of one’s own."
    )


def describe_model(runs: int) -> str:
    """What the shares come from."""
    return _(
        "The percentages come from %(runs)s simulated endings: all players count as equally "
        "strong, and starting is worth 11 points; rounds not drawn yet are paired 1–2, "
        "3–4 by the table. Equal wins are decided by spread, then by lot."
    ) % {"runs": format_points(runs)}
