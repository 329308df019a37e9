"""A knock-out in the words that its picture and its list show: the one place where matches become text."""

from collections.abc import Mapping

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from scoring.knockout import Bracket, DecidedBy, Form, Game, Key, Match, Origin, Source
from tournament.layout.bracket import BracketCard, BracketColumn, BracketLine, BracketPicture
from tournament.models.choices import FACTS
from tournament.words import figures, matches

Names = Mapping[Key, str]


def picture(bracket: Bracket, names: Names) -> BracketPicture:
    """The knock-out as a picture shows it; `names` has everybody who is seeded."""
    count = len(bracket.stages)
    columns = tuple(
        BracketColumn(
            matches.stage_name(count, number),
            tuple(card(match, bracket, names) for match in stage if not match.is_third_place),
        )
        for number, stage in enumerate(bracket.stages, 1)
    )
    third = bracket.third_place
    champion = bracket.champion
    return BracketPicture(
        columns=columns,
        third=BracketColumn(matches.third_place(), (card(third, bracket, names),)) if third else None,
        champion=names[champion] if champion is not None else "",
        champion_title=_("Winner of the knock-out"),
    )


def card(match: Match, bracket: Bracket, names: Names) -> BracketCard:
    """One match: both sides, its number, what the score does not say, and all of it in a sentence."""
    lines = (_line(0, match, bracket, names), _line(1, match, bracket, names))
    played = games(match, names)
    return BracketCard(
        stage=match.stage,
        position=match.position,
        lines=lines,
        label="" if match.number is None else matches.match(match.number),
        note=note(match),
        games=played,
        told=_told(match, bracket, lines, names, played),
        has_winner=match.winner is not None,
    )


def _line(side: int, match: Match, bracket: Bracket, names: Names) -> BracketLine:
    player = match.players[side]
    if player is None:
        return BracketLine(_place(side, match), is_player=False)
    due = next((due for due in match.needed if due.is_open), None)
    return BracketLine(
        text=names[player],
        seed=bracket.seeds.index(player) + 1,
        score=figure(match, side, bracket.rules.form),
        won=player == match.winner and not match.is_bye,
        starts=due is not None and due.first == player,
    )


def _place(side: int, match: Match) -> str:
    """Who will take an open place, or that nobody will."""
    if match.nobody[side]:
        return matches.bye() if match.is_bye else matches.nobody()
    source = match.sources[side]
    return figures.NOTHING if source is None else came_from(source)


def came_from(source: Source) -> str:
    """Where a player comes from: winner of match 3, loser of match 3, seed 5."""
    words = {
        Origin.SEED: matches.seed,
        Origin.WINNER: matches.winner_of,
        Origin.LOSER: matches.loser_of,
    }
    return words[source.origin](source.number)


def figure(match: Match, side: int, form: Form) -> str:
    """One side's points, or wins in best of N; an empty text where there are none."""
    if match.score is None:
        return ""
    value = match.score[side]
    return figures.half(value) if form == Form.BEST_OF else figures.points(int(value))


def note(match: Match) -> str:
    """What the score does not say: what decided, with the figures compared, or what is missing."""
    if match.is_bye:
        return ""
    if match.is_over and match.winner is None:
        return _("nobody advances")
    by = matches.unusual(match.decided_by, match.nth)
    if not by or match.compared is None:
        return by or matches.waits(match.waits_for)
    upper, lower = (_written(value, match.decided_by) for value in match.compared)
    return _("%(criterion)s %(upper)s : %(lower)s") % {"criterion": by, "upper": upper, "lower": lower}


def _written(value: float | None, by: DecidedBy | None) -> str:
    """A figure that was compared, as it is written; of a list that has run out, that there is none."""
    if value is None:
        return pgettext("list that has run out", "none")
    if by == DecidedBy.PLAYING_TIME:
        return figures.clock(int(value))
    return figures.points(value) if isinstance(value, int) else figures.half(value)


def passed_over(match: Match) -> str:
    """What the director has said that nobody recorded, so that the next criterion decided; an empty text if nothing."""
    names = ", ".join(str(FACTS[fact]) for fact in match.unrecorded)
    return _("not recorded: %(criteria)s") % {"criteria": names} if names else ""


def games(match: Match, names: Names) -> tuple[str, ...]:
    """The games of a match, each from the upper player's side (420 : 400, open, or who forfeits); none before the
    first."""
    if all(game.is_open for game in match.games):
        return ()
    return tuple(_game(game, names, is_upper_first=game.first == match.players[0]) for game in match.games)


def _game(game: Game, names: Names, *, is_upper_first: bool) -> str:
    if game.is_open:
        return _("open")
    points = (game.first_points, game.second_points)
    score = "" if None in points else figures.score(*(points if is_upper_first else points[::-1]))
    return ", ".join(part for part in (score, _who_forfeits(game, names)) if part)


def _who_forfeits(game: Game, names: Names) -> str:
    if all(game.outcome.at_fault):
        return _("both forfeit")
    guilty = [names[key] for key, is_so in zip((game.first, game.second), game.outcome.at_fault, strict=True) if is_so]
    return _("%(name)s forfeits") % {"name": guilty[0]} if guilty else ""


def _told(
    match: Match, bracket: Bracket, lines: tuple[BracketLine, BracketLine], names: Names, played: tuple[str, ...]
) -> str:
    """The match as a sentence or two, for those who do not see the picture."""
    what = matches.match_stage(len(bracket.stages), match.stage, match.position)
    upper, lower = (_side(line) for line in lines)
    if match.is_bye:
        return _("%(stage)s: %(upper)s, %(lower)s.") % {"stage": what, "upper": upper, "lower": lower}
    said = [
        _("%(match)s, %(stage)s: %(upper)s against %(lower)s.")
        % {"match": matches.match(match.number or 0), "stage": what, "upper": upper, "lower": lower}
    ]
    if len(played) > 1:
        said.append(_("Games: %(games)s.") % {"games": "; ".join(played)})
    if match.winner is not None:
        by = note(match) or matches.decided(match.decided_by)
        said.append(_("Winner: %(name)s, %(by)s.") % {"name": names[match.winner], "by": by})
    elif note(match):
        said.append(f"{note(match)}.")
    starter = next((line.text for line in lines if line.starts), None)
    if starter:
        said.append(_("%(name)s starts the next game.") % {"name": starter})
    return " ".join(said)


def _side(line: BracketLine) -> str:
    seed = f" ({line.seed})" if line.seed else ""
    return f"{line.text}{seed} {line.score}".strip()
