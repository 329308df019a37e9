"""The numbers by which federations know the players of a register, provisional until the true one is known."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext_lazy as _

from tournament.basics import limits
from tournament.basics.names import clean_typed_text, fold_text
from tournament.basics.refusals import Refusal, Refusals, find_text_refusals
from tournament.core.change import Actor, ChangeLog, open_register_change
from tournament.models import Player, PlayerNumber

USUAL_SYSTEMS = ("SDeV", "NTSV", "WESPA")
PROVISIONAL_MARK = "?"  # behind a number, in lists


@dataclass(frozen=True, slots=True)
class FederationNumber:
    """A number in a federation's system, as stated. `is_provisional`: until the true one is known."""

    system: str
    number: str
    is_provisional: bool = False

    def tidied(self) -> "FederationNumber":
        """The same without stray blanks and invisible marks, the usual systems in their usual spelling."""
        system, number = clean_typed_text(self.system), clean_typed_text(self.number)
        usual = {fold_text(system): system for system in USUAL_SYSTEMS}
        return FederationNumber(usual.get(fold_text(system), system), number, self.is_provisional)

    @property
    def key(self) -> tuple[str, str]:
        """What is equal in two spellings of the same number."""
        return fold_text(self.system), fold_text(self.number)

    def __str__(self) -> str:
        return f"{self.system} {self.number}"


def parse_list_number(system: str, text: str) -> FederationNumber:
    """A number from the cell of a list: `4711`, or provisional: `4711?`."""
    text = text.strip()
    return FederationNumber(system, text.removesuffix(PROVISIONAL_MARK), text.endswith(PROVISIONAL_MARK)).tidied()


def format_list_number(number: PlayerNumber) -> str:
    """A number as lists have it."""
    return f"{number.number}{PROVISIONAL_MARK if number.is_provisional else ''}"


def format_number_heading(system: str) -> str:
    """The heading of a federation's numbers in a list, by which an import recognises them."""
    return system if system in USUAL_SYSTEMS else f"Nr. {system}"


def name_systems(spellings: Iterable[str]) -> dict[str, str]:
    """Each federation once, by its folded name, as the first of these writes it."""
    named: dict[str, str] = {}
    for system in filter(None, spellings):
        named.setdefault(fold_text(system), system)
    return named


def find_number_problems(stated: FederationNumber) -> list[Refusal]:
    """Everything that is wrong with a stated number."""
    problems = find_text_refusals("system", stated.system, limits.NUMBER_SYSTEM)
    problems += find_text_refusals("number", stated.number, limits.PLAYER_NUMBER)
    if not stated.system:
        problems.append(Refusal("system_missing", _("A number needs the name of its federation."), field="system"))
    if not stated.number:
        problems.append(Refusal("number_missing", _("The number is missing."), field="number"))
    return problems


def set_number(player: Player, *, stated: FederationNumber, actor: Actor) -> None:
    """Give a player a number; an earlier one of the same federation goes. Raises `Refusals` or `number_taken`."""
    stated = stated.tidied()
    if faults := find_number_problems(stated):
        raise Refusals(faults)
    about = {"name": player.name, "system": stated.system}
    with open_register_change(player.organiser, actor=actor, verb="set_number", **about) as log:
        write_number(Player.objects.get(pk=player.pk), stated, log=log)


def remove_number(number: PlayerNumber, *, actor: Actor) -> None:
    """Take a number away. Nothing happens the second time."""
    about = {"name": number.player.name, "system": number.system}
    with open_register_change(number.organiser, actor=actor, verb="remove_number", **about) as log:
        log.delete_all(list(PlayerNumber.objects.filter(pk=number.pk)))


def write_numbers(player: Player, stated: Sequence[FederationNumber], *, only_missing: bool, log: ChangeLog) -> bool:
    """Write what a list states into the register; return whether anything changed. A provisional number never takes a
    true one's place, and with `only_missing` no true one is changed. Raises `number_taken`."""
    changed = False
    if not stated:
        return changed
    own = {fold_text(number.system): number for number in PlayerNumber.objects.filter(player=player)}
    for stated_number in stated:
        own_number = own.get(fold_text(stated_number.system))
        is_true = own_number is not None and not own_number.is_provisional
        # A list of last year still has the provisional number: it must not put that back over the true one.
        if not (is_true and (only_missing or stated_number.is_provisional)):
            changed |= write_number(player, stated_number, log=log)
    return changed


def write_number(player: Player, stated: FederationNumber, *, log: ChangeLog) -> bool:
    """Write one number within a change that is open; return whether it is new. A number of a row that was merged into
    the player comes over. Raises `number_taken`."""
    rows = PlayerNumber.objects.filter(organiser=log.organiser_id).select_related("player__merged_into")
    # The system is compared folded: “SDeV” and “sdev” are one federation, and two texts to the database.
    holder = next((row for row in rows.filter(number=stated.number) if row.key == stated.key), None)
    if holder is not None and holder.player.current != player:
        raise Refusal(
            "number_taken",
            _(
                "%(number)s is the number of %(name)s already. If that is the same person, merge the two "
                "in the register."
            ),
            field="number",
            number=str(stated),
            name=holder.player.current.name,
        )
    own = next((row for row in rows.filter(player=player) if fold_text(row.system) == stated.key[0]), None)
    if holder is None and own is not None:
        log.save(own, number=stated.number, is_provisional=stated.is_provisional)
    elif holder is None:
        values = {"system": stated.system, "number": stated.number, "is_provisional": stated.is_provisional}
        log.create(PlayerNumber(organiser_id=log.organiser_id, player=player, **values))
    elif own is None or own == holder:
        # Noted before the row is written: the same number in the next list is no change, and is not counted as one.
        before = holder.player_id, holder.is_provisional
        log.save(holder, player=player, is_provisional=stated.is_provisional)
        return before != (holder.player_id, holder.is_provisional)
    else:
        # The two rows change places, so that neither number is lost: that of the merged row still finds the player.
        log.save(own, player=holder.player)
        log.save(holder, player=player, is_provisional=stated.is_provisional)
    return True
