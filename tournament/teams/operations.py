"""Who plays for which team."""

from collections.abc import Mapping

from tournament.basics import limits
from tournament.basics.names import fold_text, normalise_text
from tournament.basics.refusals import Refusals, find_text_refusals
from tournament.core.change import Actor, change
from tournament.models import Division, Entry
from tournament.models.event import NO_TEAM


def name_teams(division: Division, *, teams: Mapping[int, str], actor: Actor) -> int:
    """Note by entry id for which team somebody plays, and return for how many that is another one than before. An empty
    name, or the club's own, stands for the club; `NO_TEAM` or a hyphen for none. Others stay as they are. Raises
    `Refusals`."""
    named = {pk: normalise_text(name) for pk, name in teams.items()}
    if faults := [fault for name in named.values() for fault in find_text_refusals("team", name, limits.CLUB)]:
        raise Refusals(faults)
    with change(division.tournament, actor=actor, verb="name_teams", division=division.name) as log:
        changed = 0
        for entry in Entry.objects.filter(division=division, pk__in=named).select_related("club").order_by("pk"):
            name = NO_TEAM if named[entry.pk] == "-" else named[entry.pk]
            if entry.club and fold_text(name) == fold_text(entry.club.name):
                name = ""
            if entry.team != name:
                log.save(entry, team=name)
                changed += 1
        log.tell(count=changed)
        return changed
