"""The laboratory in words: names of plans and figures, and what follows, each claim in a sentence."""

from collections.abc import Mapping, Sequence

from django.utils import formats
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from tournament.core.words.figures import MINUS_SIGN, format_list, format_percentage
from tournament.laboratory.claims import BETTER_BY, Claim, ClaimCode, find_better_plan, list_claims, measure_lead
from tournament.laboratory.figures import ROUNDS_MORE, Estimate, StudyFigures, get_width
from tournament.laboratory.plans import OFFERED_PLANS, OWN_PLAN
from tournament.laboratory.playing import SHARES

FIGURE_LABELS: Mapping[str, str | Promise] = {
    "best_wins": gettext_lazy("The strongest player wins"),
    "rank_of_winner": gettext_lazy("The winner’s place by strength"),
    "tau": gettext_lazy("The ranking agrees with the strengths (Kendall’s τ)"),
    "tau_top10": gettext_lazy("The same among the first ten"),
    "repeats": gettext_lazy("Games of two who had met before"),
    "open_before_last": gettext_lazy("The title is open before the last round"),
    "title_changes_in_last": gettext_lazy("The lead changes in the last round"),
    "shut_out": gettext_lazy("Somebody is shut out"),
    "duels": gettext_lazy("Games of the last round between two who could both win the title"),
    "starts_off": gettext_lazy("Players whose starts and replies differ by more than one"),
}

FIGURE_NOTES: Mapping[str, str | Promise] = {
    "shut_out": gettext_lazy("One win behind with three rounds to go, won all three, and not first."),
    "open_before_last": gettext_lazy(
        "Somebody else can still catch the leader, if one round brings at most 200 points of spread."
    ),
}


DIGITS = 3  # of a figure that is no share


def get_figure_label(figure: str) -> str:
    """What a figure is called."""
    return str(FIGURE_LABELS[figure])


def get_plan_label(name: str, rounds: int, usual: int) -> str:
    """What a plan is called; with its rounds where these are not the `usual` ones. A name that is not from the page
    stands as it is."""
    key = name.partition(":")[0]
    if key == OWN_PLAN:
        label = _("This event’s plan")
    elif key in OFFERED_PLANS:
        label = str(OFFERED_PLANS[key].label)
    else:
        return name
    message = ngettext("%(plan)s, %(rounds)s round", "%(plan)s, %(rounds)s rounds", rounds)
    return label if rounds == usual else message % {"plan": label, "rounds": rounds}


def list_plan_labels(found: StudyFigures) -> list[str]:
    """What the plans of a study are called; those of other lengths than the first with their rounds."""
    lengths = [len(plan.led) for plan in found.plans]
    return [get_plan_label(plan.name, rounds, lengths[0]) for plan, rounds in zip(found.plans, lengths, strict=True)]


def format_decimal(value: float, digits: int) -> str:
    """A number with so many decimals and a real minus sign."""
    # Rounded before the sign is chosen: −0.0004 would be written as −0.000.
    text = str(formats.number_format(abs(round(value, digits)), decimal_pos=digits))
    return f"{MINUS_SIGN}{text}" if round(value, digits) < 0 else text


def format_mean(figure: str, value: float) -> str:
    """A figure's mean: a share in percent, else a number."""
    return format_percentage(format_decimal(100 * value, 1)) if figure in SHARES else format_decimal(value, DIGITS)


def format_estimate(figure: str, estimate: Estimate) -> str:
    """A figure with its 95 % interval."""
    # The interval of this figure by itself; those in sentences are wider, as all sentences hold together.
    width = get_width() * estimate.error
    if figure in SHARES:
        return format_percentage(_format_interval(100 * estimate.value, 100 * width, 1))
    return _format_interval(estimate.value, width, DIGITS)


def _format_interval(value: float, width: float, digits: int) -> str:
    return f"{format_decimal(value, digits)}\N{NO-BREAK SPACE}±\N{NO-BREAK SPACE}{format_decimal(width, digits)}"


def describe_study(found: StudyFigures) -> list[str]:
    """What follows from a study."""
    return describe_claims(list_claims(found), list_plan_labels(found))


def describe_better_plan(found: StudyFigures) -> str:
    """Which plan is better, in a sentence that the figures carry; "" for one plan alone."""
    labels, better = list_plan_labels(found), find_better_plan(found)
    if len(labels) == 1:
        return ""
    if better is None:
        return _(
            "It is not shown that one plan is better: that the strongest player wins more often with it than with each "
            "other one."
        )
    leads = [measure_lead(found, better, other) for other in range(len(labels)) if other != better]
    others = [
        _("“%(other)s” (%(difference)s)") % {"other": labels[lead.one], "difference": _format_difference(lead)}
        for lead in leads
    ]
    return _(
        "“%(plan)s” is better: the strongest player wins in %(share)s of the events, more often than with %(others)s."
    ) % {"plan": labels[better], "share": format_mean(BETTER_BY, leads[0].after), "others": format_list(others)}


def describe_claims(claims: Sequence[Claim], labels: list[str]) -> list[str]:
    """A sentence for each claim, but one for all plans that no difference in a figure is shown of."""
    # “No difference is shown” of three plans is one sentence that lists them; all other claims name their plan.
    by_sentence: dict[tuple[ClaimCode, str, int], list[Claim]] = {}
    for claim in claims:
        other = 0 if claim.code is ClaimCode.NOT_SHOWN else claim.other
        by_sentence.setdefault((claim.code, claim.figure, other), []).append(claim)
    return [_describe_together(alike, labels) for alike in by_sentence.values()]


def _describe_together(claims: Sequence[Claim], labels: list[str]) -> str:
    claim = claims[0]
    others = [
        _("“%(other)s” (%(difference)s)") % {"other": labels[claim.other], "difference": _format_difference(claim)}
        for claim in claims
    ]
    words = {
        "others": format_list(others),
        "one": labels[claim.one],
        "other": labels[claim.other],
        "figure": get_figure_label(claim.figure),
        "before": format_mean(claim.figure, claim.before),
        "after": format_mean(claim.figure, claim.after),
        "difference": _format_difference(claim),
        "earlier": claim.rounds - ROUNDS_MORE,
        "last": claim.rounds,
    }
    return _get_sentence(claim) % words


def _get_sentence(claim: Claim) -> str:
    if claim.figure == "best_wins" and claim.code is ClaimCode.MORE:
        return _(
            "The strongest player wins more often with “%(other)s” than with “%(one)s”: %(after)s instead of "
            "%(before)s (%(difference)s)."
        )
    if claim.figure == "best_wins" and claim.code is ClaimCode.LESS:
        return _(
            "The strongest player wins less often with “%(other)s” than with “%(one)s”: %(after)s instead of "
            "%(before)s (%(difference)s)."
        )
    template = _("%(figure)s: with “%(other)s” %(after)s instead of %(before)s (%(difference)s).")
    return {
        ClaimCode.MORE: template,
        ClaimCode.LESS: template,
        ClaimCode.SAME: _("%(figure)s: “%(other)s” and “%(one)s” are equal in every event."),
        ClaimCode.NOT_SHOWN: _("%(figure)s: no difference is shown between “%(one)s” and %(others)s."),
        ClaimCode.ROUNDS_HELP: _(
            "Two rounds more help: with “%(one)s” the strongest player leads in %(before)s of the events after round "
            "%(earlier)s, and in %(after)s after round %(last)s (%(difference)s)."
        ),
        ClaimCode.ROUNDS_NOT_SHOWN: _(
            "It is not shown that the last two rounds help: with “%(one)s” the strongest player leads in %(before)s of "
            "the events after round %(earlier)s, and in %(after)s after round %(last)s (%(difference)s)."
        ),
        ClaimCode.ROUNDS_BEAT: _(
            "None of the other plans changes how often the strongest player wins as much as these two rounds."
        ),
    }[claim.code]


def _format_difference(claim: Claim) -> str:
    """A difference with its interval, of shares in percentage points."""
    is_share = claim.figure in SHARES
    scale, digits = (100, 1) if is_share else (1, DIGITS)
    value = scale * claim.difference.estimate.value
    sign = "+" if round(value, digits) > 0 else ""
    interval = sign + _format_interval(value, scale * claim.width, digits)
    return _("%(interval)s percentage points") % {"interval": interval} if is_share else interval


def describe_luck(found: StudyFigures) -> list[str]:
    """What was played, and by which model of results."""
    study = found.study
    if study.ratings:
        field = _(
            "A field of %(players)s, as strong as the event’s ratings say. In points of margin, a rating misses the "
            "strength by some %(noise)s."
        )
    else:
        field = _(
            "A field of %(players)s, drawn anew for each event. In points of margin, strengths differ by some "
            "%(strength)s, and the order of entry misses them by some %(noise)s."
        )
    words = {
        "players": study.players,
        "strength": format_decimal(study.strength_sd, 0),
        "noise": format_decimal(study.seeding_noise, 0),
        "events": found.events,
        "seed": study.seed,
        "deviation": format_decimal(study.game_sd, 1),
        "start": format_decimal(study.start, 1),
    }
    return [
        field % words,
        _(
            "A game’s margin is drawn from a normal distribution with a standard deviation of %(deviation)s points, "
            "and the starter is ahead by %(start)s: fitted to 16,900 real games."
        )
        % words,
        _(
            "%(events)s events of each plan, all on the same luck (draw no. %(seed)s): so plans are compared event by "
            "event. Behind ± stands the 95%% interval; the sentences hold together with 95%%."
        )
        % words,
    ]
