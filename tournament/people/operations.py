"""What the register notes about a person beside their figures."""

from tournament.core.change import Actor, open_register_change
from tournament.models import Player


def set_profile_hidden(player: Player, *, hidden: bool, actor: Actor) -> None:
    """Note that a person objects to a public profile, or no longer does. Nothing happens the second time."""
    about = {"name": player.name, "hidden": hidden}
    with open_register_change(player.organiser, actor=actor, verb="set_profile_hidden", **about) as log:
        log.save(Player.objects.get(pk=player.pk), hides_profile=hidden)
