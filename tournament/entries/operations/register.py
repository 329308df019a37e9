"""An organiser's register: who is known, with club, rating and lifetime games, whatever tournament they play in."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, NamedTuple

from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from tournament.accounts.operations import get_or_create_organiser
from tournament.basics import limits
from tournament.basics.names import fold_text, make_search_key, normalise_text, remove_invisible_marks
from tournament.basics.phones import is_phone_number
from tournament.basics.refusals import (
    EmailNotValid,
    NotPrintable,
    PhoneNotValid,
    Refusal,
    Refusals,
    TextTooLong,
    find_range_refusals,
)
from tournament.core.change import Actor, ChangeLog, change, open_register_change
from tournament.entries.operations.numbers import FederationNumber, find_number_problems, write_numbers
from tournament.models import Club, Player, PlayerNumber, Tournament

STATED_FIELDS = ("rating", "games", "email", "phone")


@dataclass(frozen=True, slots=True)
class Person:
    """What is stated about a player, typed or read from a file; None or "" is not stated."""

    name: str
    club: str = ""
    rating: int | None = None
    games: int | None = None
    email: str = ""
    phone: str = ""
    numbers: tuple[FederationNumber, ...] = ()

    def tidied(self) -> "Person":
        """The same without stray blanks and invisible marks, which pasting brings along."""
        name, club = (normalise_text(remove_invisible_marks(text)) for text in (self.name, self.club))
        email, phone = remove_invisible_marks(self.email).strip(), normalise_text(remove_invisible_marks(self.phone))
        numbers = tuple(number.tidied() for number in self.numbers)
        return replace(self, name=name, club=club, email=email, phone=phone, numbers=numbers)

    @property
    def shown(self) -> str:
        """Name and club as people say them."""
        return f"{self.name} ({self.club})" if self.club else self.name


class AlreadyRegistered(Refusal, code="already_registered", field="name"):
    """A question: the same name and club may still be somebody else."""

    message = _("%(who)s is in the register already. If this is somebody else, add the player anyway.")


class SeveralPlayersKnown(Refusal, code="several_known", field="club"):
    message = _(
        "The register has several players called %(name)s (%(clubs)s). Name the club to say which one, or enter a new "
        "player anyway."
    )


class NumberOfAnother(Refusal, code="number_of_another", field="name"):
    message = _(
        "%(number)s is the number of %(holder)s in the register, and the list says %(name)s. Correct one of them."
    )


def find_person_problems(person: Person) -> list[Refusal]:
    """Everything that is wrong with what is stated about a player."""
    problems = [] if person.name else [Refusal("name_missing", _("A player needs a name."), field="name")]
    for field, value, limit in (
        ("name", person.name, limits.PLAYER_NAME),
        ("club", person.club, limits.CLUB),
        ("email", person.email, limits.EMAIL),
        ("phone", person.phone, limits.PHONE),
    ):
        if not value.isprintable():
            problems.append(NotPrintable(field=field, value=value))
        # Folding can make a text longer (ß, ligatures); the folded text has to fit its column as well.
        elif len(value) > limit or len(fold_text(value)) > limits.folded_length(limit):
            problems.append(TextTooLong(field=field, value=value, limit=limit))
    problems += find_range_refusals("rating", person.rating, limits.RATING)
    problems += find_range_refusals("games", person.games, limits.GAMES)
    if person.email:
        try:
            validate_email(person.email)
        except ValidationError:
            problems.append(EmailNotValid(value=person.email))
    if person.phone and not is_phone_number(person.phone):
        problems.append(PhoneNotValid(value=person.phone))
    return problems + [fault for number in person.numbers for fault in find_number_problems(number)]


class Register:
    """An organiser's known players with certain names or numbers, to find people among them; a row that was merged
    into another stands for that one. Two queries, whatever their number."""

    def __init__(self, organiser_id: int, people: Iterable[Person]) -> None:
        # Unprintable names are never stored, and PostgreSQL refuses even to look for a NUL.
        listed = list(people)
        sort_names = {fold_text(person.name) for person in listed if person.name.isprintable()}
        self._known: dict[str, list[Player]] = {}
        self._holders: dict[tuple[str, str], Player] = {}
        self._numbers: dict[int, dict[str, str]] = {}  # the true ones by player and federation
        players = Player.objects.filter(organiser=organiser_id, sort_name__in=sort_names)
        rows = {player.pk: player for player in players.select_related("club", "merged_into__club").order_by("pk")}
        for player in list(rows.values()):
            if player.merged_into is not None:  # one object for each person
                player.merged_into = rows.setdefault(player.merged_into.pk, player.merged_into)
            self.add(player)
        if any(person.numbers for person in listed):
            self._load_numbers(organiser_id, rows, listed)

    def _load_numbers(self, organiser_id: int, rows: dict[int, Player], people: Sequence[Person]) -> None:
        stated = {number.number for person in people for number in person.numbers if number.number.isprintable()}
        player_numbers = PlayerNumber.objects.filter(organiser=organiser_id).filter(
            Q(number__in=stated) | Q(player__in=rows)
        )
        for row in player_numbers.select_related("player__club", "player__merged_into__club").order_by("pk"):
            player = rows.setdefault(row.player.current.pk, row.player.current)
            self.add_number(player, FederationNumber(row.system, row.number, row.is_provisional))

    def add_number(self, player: Player, number: FederationNumber) -> None:
        """Take in one more number of a player."""
        self._holders[number.key] = player
        if not number.is_provisional:
            self._numbers.setdefault(player.pk, {})[number.key[0]] = number.key[1]

    def add(self, player: Player, person: Person | None = None) -> None:
        """Take in one more player, with the numbers of the person they were made of."""
        self._known.setdefault(fold_text(player.name), []).append(player)
        for number in person.numbers if person else ():
            self.add_number(player, number)

    def find(self, person: Person) -> Player | None:
        """The player who is meant, None for somebody new. Raises `SeveralPlayersKnown` if only the club could tell, or
        `NumberOfAnother` if a number is that of somebody whose name has not one word in common."""
        candidates = self.candidates(person)
        for number in person.numbers:
            holder = self._holders.get(number.key)
            if holder is not None and (candidates != [holder] or not _share_word(holder.name, person.name)):
                raise NumberOfAnother(number=str(number), holder=holder.name, name=person.name)
        if are_in_several_clubs(candidates):
            clubs = ", ".join(player.club.name for player in candidates if player.club)
            raise SeveralPlayersKnown(name=person.name, clubs=clubs)
        return candidates[0] if candidates else None

    def candidates(self, person: Person) -> list[Player]:
        """Everybody who may be meant: of the same number; else of the same name and club, if no true number says
        otherwise; the name alone decides where either club is not stated."""
        holders = [self._holders[number.key] for number in person.numbers if number.key in self._holders]
        if holders:
            return list(dict.fromkeys(holders))
        namesakes = self._known.get(fold_text(person.name), [])
        same_name = [player for player in namesakes if not self._is_told_apart(player.current, person)]
        club = fold_text(person.club)
        found = [player for player in same_name if get_club_key(player) == club]
        if not found:
            found = [player for player in same_name if not player.club_id] if club else same_name
        return list(dict.fromkeys(player.current for player in found))

    def list_possible(self, person: Person) -> list[Player]:
        """Everybody of whom somebody could be asked whether they are meant: of the same name or number."""
        holders = [self._holders[number.key] for number in person.numbers if number.key in self._holders]
        named = [player.current for player in self._known.get(fold_text(person.name), [])]
        return list(dict.fromkeys([*holders, *named]))

    def has_number(self, player: Player, number: FederationNumber) -> bool:
        """Whether a number is known as this player's."""
        return self._holders.get(number.key) == player

    def _is_told_apart(self, player: Player, person: Person) -> bool:
        """Whether a true number says that the player is somebody else."""
        own = self._numbers.get(player.pk, {})
        true = [number.key for number in person.numbers if not number.is_provisional]
        return any(own.get(system, number) != number for system, number in true)

    def is_known_as(self, player: Player, name: str) -> bool:
        """Whether this is exactly the name of a player, or of a row that was merged into theirs."""
        return any(
            namesake.name == name and namesake.current == player for namesake in self._known.get(fold_text(name), [])
        )


def _share_word(one: str, other: str) -> bool:
    return bool({*make_search_key(one).replace(",", " ").split()} & {*make_search_key(other).replace(",", " ").split()})


def get_club_key(player: Player) -> str:
    """The folded name of the player's club, empty without one."""
    return fold_text(player.club.name) if player.club else ""


def are_in_several_clubs(found: Sequence[Player]) -> bool:
    """Whether players of one name are certainly different people."""
    return len({get_club_key(player) for player in found}) > 1


def get_or_create_club(name: str, *, log: ChangeLog) -> Club | None:
    """The club of this name, created if it is new; umlauts, case and blanks do not matter. None for an empty name."""
    name = normalise_text(name)
    if not name:
        return None
    clubs = Club.objects.filter(organiser=log.organiser_id)
    club = clubs.filter(sort_name=fold_text(name)).order_by("pk").first()
    if club is not None:
        return club
    try:
        with transaction.atomic():
            return log.create(Club(organiser_id=log.organiser_id, name=name))
    except IntegrityError:  # somebody else has created it since we looked
        return clubs.get(name=name)


def create_player(person: Person, *, log: ChangeLog) -> Player:
    """Add a player to the register within a change that is open."""
    club = get_or_create_club(person.club, log=log)
    player = log.create(Player(organiser_id=log.organiser_id, name=person.name, club=club, **_build_figures(person)))
    write_numbers(player, person.numbers, only_missing=True, log=log)
    return player


def _build_figures(person: Person) -> dict[str, Any]:
    """The columns of a player beside name and club."""
    ways = {"email": person.email, "phone": person.phone}
    return {"rating": person.rating, "games": person.games or 0, **ways}


def complete_player(player: Player, person: Person, *, log: ChangeLog) -> None:
    """Fill in what the register did not know; what it knew stays."""
    current = {name: getattr(player, name) for name in STATED_FIELDS} | {"games": player.games or None}
    missing = {name for name, value in current.items() if value in (None, "")}
    missing |= {"club"} if player.club_id is None else set()
    _write_stated_values(player, person, missing, log=log)
    write_numbers(player, person.numbers, only_missing=True, log=log)


def _write_stated_values(
    player: Player, person: Person, fields: Collection[str] = ("club", *STATED_FIELDS), *, log: ChangeLog
) -> bool:
    """Write those of the fields that are stated and differ; return whether any did."""
    values: dict[str, Any] = {}
    for field in STATED_FIELDS:
        stated = getattr(person, field)
        if field in fields and stated not in (None, "") and stated != getattr(player, field):
            values[field] = stated
    if "club" in fields and person.club and get_club_key(player) != fold_text(person.club):
        values["club"] = get_or_create_club(person.club, log=log)
    if values:
        log.save(player, **values)
    return bool(values)


class StatedChange(NamedTuple):
    """What a newer list says otherwise than the register about a known player."""

    field: str
    before: str
    after: str

    @property
    def label(self) -> str:
        """What is changed, in the reader's language."""
        return str(_CHANGE_LABELS[self.field])


_CHANGE_LABELS = {
    "club": _("Club"),
    "rating": _("Rating"),
    "games": _("Lifetime games"),
    "email": _("E-mail"),
    "phone": _("Phone"),
    "number": _("Number"),
}


def list_changes(player: Player, person: Person) -> list[StatedChange]:
    """What a list would change about a known player, numbers aside."""
    changes = [
        StatedChange(field, str(getattr(player, field) or ""), str(stated))
        for field in STATED_FIELDS
        if (stated := getattr(person, field)) not in (None, "") and stated != getattr(player, field)
    ]
    if person.club and get_club_key(player) != fold_text(person.club):
        changes.insert(0, StatedChange("club", player.club.name if player.club else "", person.club))
    return changes


def add_player(*, person: Person, actor: Actor, anyway: bool = False) -> Player:
    """Add a player to the actor's register. Raises `Refusals`, or `AlreadyRegistered` unless `anyway`."""
    person = _tidy_person(person)
    about = {"name": person.name, "club": person.club}
    with open_register_change(get_or_create_organiser(actor), actor=actor, verb="add_player", **about) as log:
        _refuse_twin(log, person, anyway=anyway)
        return create_player(person, log=log)


def edit_player(player: Player, *, person: Person, actor: Actor, anyway: bool = False) -> Player:
    """Write everything stated into the register, clearing what is left empty; entries keep their figures. Raises
    `Refusals`, or `AlreadyRegistered` if name and club are now those of another player."""
    person = _tidy_person(person)
    with transaction.atomic(), ExitStack() as changes:
        logs = _open_changes(player, person.name, actor=actor, changes=changes)
        _refuse_twin(logs[-1], person, anyway=anyway, besides=player)
        club = get_or_create_club(person.club, log=logs[-1])
        return _write_values(logs, player, **build_name_columns(person.name), club=club, **_build_figures(person))


def rename_player(player: Player, *, person: Person, actor: Actor) -> Player:
    """Write a player's name, e-mail and phone number into the register; all have been checked before."""
    with transaction.atomic(), ExitStack() as changes:
        logs = _open_changes(player, person.name, actor=actor, changes=changes)
        ways = {"email": person.email, "phone": person.phone}
        return _write_values(logs, player, **build_name_columns(person.name), **ways)


def _tidy_person(person: Person) -> Person:
    person = person.tidied()
    if faults := find_person_problems(person):
        raise Refusals(faults)
    return person


def _open_changes(player: Player, name: str, *, actor: Actor, changes: ExitStack) -> list[ChangeLog]:
    """The logs of a change of all tournaments that show a name which changes and, as the last, of the register."""
    shown_in = Tournament.objects.filter(entries__player=player) if name != player.name else Tournament.objects.none()
    opened = [
        *(
            change(tournament, actor=actor, verb="rename_player", name=name, was=player.name)
            for tournament in shown_in.order_by("pk")
        ),
        open_register_change(player.organiser, actor=actor, verb="edit_player", name=name),
    ]
    return [changes.enter_context(opened_change) for opened_change in opened]


def _write_values(logs: Sequence[ChangeLog], player: Player, **values: Any) -> Player:
    """Write the same values in each of the logs."""
    copies = [Player.objects.select_for_update().get(pk=player.pk) for _ in logs]
    for log, copy in zip(logs, copies, strict=True):
        log.save(copy, **values)
    return copies[-1]


def build_name_columns(name: str) -> dict[str, str]:
    """The columns of a player that hold a name."""
    return {"name": name, "sort_name": fold_text(name), "search_name": make_search_key(name)}


@dataclass(frozen=True, slots=True)
class RegisterUpdate:
    """What an import into the register did."""

    added: int
    changed: int
    same: int


def update_register(
    *, people: Sequence[Person], actor: Actor, decided: Mapping[int, Player | None] = MappingProxyType({})
) -> RegisterUpdate:
    """Add new people to the actor's register; of those known, the newer list is right. `decided`: who is meant by some
    of the people, by their places; None for somebody new. Raises `Refusals` or `number_taken`, changing nothing."""
    people = [person.tidied() for person in people]
    organiser = get_or_create_organiser(actor)
    register = Register(organiser.pk, people)
    faults = [fault for person in people for fault in find_person_problems(person)]
    for place, person in enumerate(people):
        try:
            _found = decided[place] if place in decided else register.find(person)
        except (SeveralPlayersKnown, NumberOfAnother) as ambiguous:
            faults.append(ambiguous)
    if faults:
        raise Refusals(faults)
    added = changed = 0
    with open_register_change(organiser, actor=actor, verb="update_register", count=len(people)) as log:
        for place, person in enumerate(people):
            register_known = decided[place] if place in decided else register.find(person)
            if register_known is None:
                register.add(create_player(person, log=log), person)
                added += 1
            else:
                differs = _write_stated_values(register_known, person, log=log)
                changed += write_numbers(register_known, person.numbers, only_missing=False, log=log) or differs
    return RegisterUpdate(added, changed, len(people) - added - changed)


def _refuse_twin(log: ChangeLog, person: Person, *, anyway: bool, besides: Player | None = None) -> None:
    if anyway:
        return
    twins = Player.objects.filter(organiser=log.organiser_id, sort_name=fold_text(person.name))
    for twin in twins.select_related("club", "merged_into").order_by("pk"):
        if twin.current != besides and get_club_key(twin) == fold_text(person.club):
            raise AlreadyRegistered(who=person.shown)
