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
from tournament.basics.likeness import AlikeNames
from tournament.basics.names import (
    fold_text,
    make_identity_key,
    make_search_key,
    make_sort_key,
    normalise_text,
    remove_invisible_marks,
    tidy_name,
)
from tournament.basics.phones import is_phone_number
from tournament.basics.precautions import announce_irreversible_step
from tournament.basics.refusals import (
    EmailNotValid,
    NotPrintable,
    Refusal,
    Refusals,
    TextTooLong,
    find_range_refusals,
)
from tournament.core.change import Actor, ChangeLog, change, lock_tournaments, open_register_change
from tournament.entries.operations.numbers import FederationNumber, find_number_problems, write_numbers
from tournament.models import Club, Entry, Player, PlayerNumber, SamePerson, Tournament

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
        name, club = tidy_name(remove_invisible_marks(self.name)), normalise_text(remove_invisible_marks(self.club))
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


class MayBeKnown(Refusal, code="may_be_known", field="name"):
    """A question, which only people decide: the same person, or somebody else."""

    message = _("Is %(name)s the same person as %(others)s, or somebody else?")

    def __init__(self, person: Person, players: Sequence[Player]) -> None:
        super().__init__(name=person.shown, others="; ".join(map(describe_player, players)))
        self.players = tuple(players)


class NumberOfAnother(Refusal, code="number_of_another", field="name"):
    message = _(
        "%(number)s is the number of %(holder)s in the register, and the list says %(name)s. Correct one of them."
    )


def find_person_problems(person: Person) -> list[Refusal]:
    """Everything that is wrong with what is stated about a player."""
    problems = [] if person.name else [Refusal("name_missing", _("A player needs a name."), field="name")]
    # What is not printable is refused below already, and a name of control characters has no letter either: one refusal
    # is enough for one text.
    if person.name and person.name.isprintable() and not any(map(str.isalpha, person.name)):
        text = _("“%(value)s” has no letter, so it is no name.")
        problems.append(Refusal("name_without_letter", text, field="name", value=person.name[: limits.QUOTED_TEXT]))
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
        message = _("“%(value)s” is not a phone number; it should look like 0661 123456 or +49 661 123456.")
        problems.append(Refusal("phone", message, field="phone", value=person.phone))
    return problems + [fault for number in person.numbers for fault in find_number_problems(number)]


class Register:
    """An organiser's known players with certain names or numbers, to find people among them; a row that was merged
    into another stands for that one. Identity is exact, likeness only asks. Three queries, whatever their number."""

    def __init__(self, organiser_id: int, people: Iterable[Person]) -> None:
        # Unprintable names are never stored, and PostgreSQL refuses even to look for a NUL.
        listed = list(people)
        self._stated = AlikeNames({person.name: None for person in listed if person.name.isprintable()})
        self._known: dict[str, list[Player]] = {}  # by exactly their name
        self._alike: dict[str, list[Player]] = {}  # by a stated name that is alike
        self._holders: dict[tuple[str, str], Player] = {}
        self._numbers: dict[int, dict[str, str]] = {}  # the true ones by player and federation
        rows: dict[int, Player] = {}
        if self._stated:
            # Compared in Python, since the columns to search by fold too many names into one.
            names = Player.objects.filter(organiser=organiser_id).values_list("pk", "name")
            keys = [pk for pk, name in names.iterator() if name in self._stated]
            players = Player.objects.filter(pk__in=keys).select_related("club", "merged_into__club")
            # In the order in which they came: of players who are equal in all that is stated the first one is taken.
            rows = {player.pk: player for player in players.order_by("pk")}
        # Over a copy: the loop puts rows into the dictionary that it goes through.
        for player in list(rows.values()):
            if player.merged_into is not None:  # one object for each person
                player.merged_into = rows.setdefault(player.merged_into.pk, player.merged_into)
            self.add(player)
        if any(person.numbers for person in listed):
            stated = {number.number for person in listed for number in person.numbers if number.number.isprintable()}
            # By the stated numbers, which say who is meant; and of everybody with a stated name, since a true number of
            # their own tells them apart.
            player_numbers = PlayerNumber.objects.filter(organiser=organiser_id).filter(
                Q(number__in=stated) | Q(player__in=rows)
            )
            for row in player_numbers.select_related("player__club", "player__merged_into__club").order_by("pk"):
                player = rows.setdefault(row.player.current.pk, row.player.current)
                self.add_number(player, FederationNumber(row.system, row.number, row.is_provisional))

    def add_number(self, player: Player, number: FederationNumber) -> None:
        """Take in one more number of a player."""
        self._holders[number.key] = player
        # A provisional number tells nobody apart: a list that brings the true one would otherwise find somebody else in
        # the very player who has waited for it.
        if not number.is_provisional:
            self._numbers.setdefault(player.pk, {})[number.key[0]] = number.key[1]

    def add(self, player: Player, person: Person | None = None) -> None:
        """Take in one more player, with the numbers of the person they were made of."""
        self._known.setdefault(make_identity_key(player.name), []).append(player)
        for name in self._stated.find(player.name):
            self._alike.setdefault(make_identity_key(name), []).append(player)
        for number in person.numbers if person else ():
            self.add_number(player, number)

    def find(self, person: Person) -> Player | None:
        """The player who is meant, None for somebody new. Raises `SeveralPlayersKnown` if only the club could tell,
        `NumberOfAnother` if a number belongs to a player with a wholly different name, or `MayBeKnown` if a player is
        merely alike: spelled differently, or with the same number under another name."""
        candidates = self.candidates(person)
        for number in person.numbers:
            holder = self._holders.get(number.key)
            # A number says who is meant before name and club do. Under a wholly different name one of the two is
            # mistyped, and the wrong person would be entered without a question.
            if holder is not None and (candidates != [holder] or not _share_word(holder.name, person.name)):
                raise NumberOfAnother(number=str(number), holder=holder.name, name=person.name)
        if are_in_several_clubs(candidates):
            clubs = ", ".join(player.club.name for player in candidates if player.club)
            raise SeveralPlayersKnown(name=person.name, clubs=clubs)
        if candidates and any(self.is_called(player, person.name) for player in candidates):
            return candidates[0]
        if candidates or make_identity_key(person.name) in self._alike:
            raise MayBeKnown(person, self.list_possible(person))
        return None

    def candidates(self, person: Person) -> list[Player]:
        """The players whom the person must be one of: those with the same number; without any, those with exactly the
        same name and club, unless a true number contradicts. Where either club is not stated, the name alone
        decides."""
        holders = [self._holders[number.key] for number in person.numbers if number.key in self._holders]
        if holders:
            return list(dict.fromkeys(holders))
        namesakes = self._known.get(make_identity_key(person.name), [])
        same_name = [player for player in namesakes if not self._is_told_apart(player.current, person)]
        club = fold_text(person.club)
        candidates = [player for player in same_name if get_club_key(player) == club]
        if not candidates:
            candidates = [player for player in same_name if not player.club_id] if club else same_name
        return list(dict.fromkeys(player.current for player in candidates))

    def list_possible(self, person: Person) -> list[Player]:
        """Everybody of whom somebody could be asked whether they are meant: of the same number, of the same name, or of
        a name that is alike."""
        holders = [self._holders[number.key] for number in person.numbers if number.key in self._holders]
        key = make_identity_key(person.name)
        named = [player.current for player in (*self._known.get(key, []), *self._alike.get(key, []))]
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
        namesakes = self._known.get(make_identity_key(name), [])
        return any(namesake.name == name and namesake.current == player for namesake in namesakes)

    def is_called(self, player: Player, name: str) -> bool:
        """Whether this is a player's name, or a spelling of it that is known."""
        return any(namesake.current == player for namesake in self._known.get(make_identity_key(name), []))


def _share_word(one: str, other: str) -> bool:
    # One word in common is enough: whoever marries keeps number and given name, and is asked about instead of refused.
    return bool({*make_search_key(one).replace(",", " ").split()} & {*make_search_key(other).replace(",", " ").split()})


def describe_player(player: Player) -> str:
    """A player of the register as a question names them: Köhler, Anna (SC Fulda)."""
    return f"{player.name} ({player.club.name})" if player.club else player.name


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
    # A list of a hundred people names ten clubs.
    key = fold_text(name)
    if key not in log.clubs:
        log.clubs[key] = _find_or_create_club(name, log=log)
    return log.clubs[key]


def _find_or_create_club(name: str, *, log: ChangeLog) -> Club:
    clubs = Club.objects.filter(organiser=log.organiser_id)
    club = clubs.filter(sort_name=fold_text(name)).order_by("pk").first()
    if club is not None:
        return club
    try:
        # In a savepoint: once a statement has failed PostgreSQL takes no other one of the transaction.
        with transaction.atomic():
            return log.create(Club(organiser_id=log.organiser_id, name=name))
    except IntegrityError:  # somebody else has created it since we looked
        # By the exact name, which alone is what the database has once: `sort_name` may be that of two clubs.
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
    """Fill in what the register did not know; what it knew stays as it is."""
    # No games are none that are known: the column takes no None.
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
    "name": _("Name"),
    "club": _("Club"),
    "rating": _("Rating"),
    "games": _("Lifetime games"),
    "email": _("E-mail"),
    "phone": _("Phone"),
    "number": _("Number"),
}


def list_changes(player: Player, person: Person) -> list[StatedChange]:
    """What a list would change about a known player, apart from numbers."""
    changes = [
        StatedChange(field, str(getattr(player, field) or ""), str(stated))
        for field in STATED_FIELDS
        if (stated := getattr(person, field)) not in (None, "") and stated != getattr(player, field)
    ]
    if person.club and get_club_key(player) != fold_text(person.club):
        changes.insert(0, StatedChange("club", player.club.name if player.club else "", person.club))
    return changes


def add_player(*, person: Person, actor: Actor, anyway: bool = False) -> Player:
    """Add a player to the actor's register. Raises `Refusals`, or `AlreadyRegistered` or `MayBeKnown` unless this is
    somebody else (`anyway`), which is remembered."""
    person = _tidy_person(person)
    about = {"name": person.name, "club": person.club}
    with open_register_change(get_or_create_organiser(actor), actor=actor, verb="add_player", **about) as log:
        others = _list_twins(log, person, anyway=anyway)
        player = create_player(person, log=log)
        note_other_people(player, others, log=log)
        return player


def edit_player(player: Player, *, person: Person, actor: Actor, anyway: bool = False) -> Player:
    """Write everything stated into the register, clearing what is left empty; entries keep their figures, and an
    earlier name still finds the player. Raises `Refusals`, `AlreadyRegistered` if name and club are now those of
    another player, or `MayBeKnown` if a new name is like another's, unless that is somebody else (`anyway`)."""
    person = _tidy_person(person)
    with transaction.atomic(), ExitStack() as changes:
        logs = _open_changes(player, person.name, actor=actor, changes=changes)
        others = _list_twins(logs[-1], person, anyway=anyway, besides=player)
        club = get_or_create_club(person.club, log=logs[-1])
        columns = {**build_name_columns(person.name), "club": club, **_build_figures(person)}
        stored = _write_values(logs, player, **columns)
        # `player` still has the former name: what was written are copies.
        note_spelling(stored, player.name, log=logs[-1])
        note_other_people(stored, others, log=logs[-1])
        return stored


def rename_player(player: Player, *, person: Person, actor: Actor, anyway: bool = False) -> Player:
    """Write a player's name, e-mail and phone number into the register; all have been checked before. An earlier name
    still finds the player. Raises `AlreadyRegistered` or `MayBeKnown` as `edit_player` does for a new name, unless this
    is somebody else (`anyway`)."""
    with transaction.atomic(), ExitStack() as changes:
        logs = _open_changes(player, person.name, actor=actor, changes=changes)
        others = []
        # Only another name is compared with others. Asked at each correction of a phone number, whoever has a namesake
        # would have to be told apart from them every time.
        if make_identity_key(person.name) != make_identity_key(player.name):
            others = _list_twins(logs[-1], person, anyway=anyway, besides=player)
        ways = {"email": person.email, "phone": person.phone}
        stored = _write_values(logs, player, **build_name_columns(person.name), **ways)
        note_spelling(stored, player.name, log=logs[-1])
        note_other_people(stored, others, log=logs[-1])
        return stored


def _tidy_person(person: Person) -> Person:
    person = person.tidied()
    if faults := find_person_problems(person):
        raise Refusals(faults)
    return person


def _open_changes(player: Player, name: str, *, actor: Actor, changes: ExitStack) -> list[ChangeLog]:
    """The logs of a change of all tournaments that show a name which changes and, as the last, of the register."""
    # Events by their keys, the register last: in this order everybody locks them, or two would wait for each other.
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
    # An object for each log: in one that has the new values already nothing would change, and that journal would lack
    # the row.
    copies = [Player.objects.select_for_update().get(pk=player.pk) for _ in logs]
    for log, copy in zip(logs, copies, strict=True):
        log.save(copy, **values)
    return copies[-1]


def build_name_columns(name: str) -> dict[str, str]:
    """The columns of a player that hold a name."""
    return {"name": name, **Player.derive_columns({"name": name})}


Decision = Player | int | None
"""Who is meant by somebody listed: a player, the person of another place in the list, or (None) somebody new."""


def update_register(
    *, people: Sequence[Person], actor: Actor, decided: Mapping[int, Decision] = MappingProxyType({})
) -> tuple[int, int, int]:
    """Add new people to the actor's register: how many are new, changed, the same. Of those known, the newer list is
    right, its name too where the number says who is meant. `decided`: who is meant by some of the people, by their
    places; it is remembered. Raises `Refusals`, `MayBeKnown` for people who are alike within the list, or
    `number_taken`, changing nothing."""
    people = [person.tidied() for person in people]
    organiser = get_or_create_organiser(actor)
    register = Register(organiser.pk, people)
    if faults := _find_list_faults(register, people, decided):
        raise Refusals(faults)
    added, same, changed = 0, 0, 0
    players: list[Player] = []
    announce_irreversible_step("update_register")  # here, as a step within another one is not told
    with transaction.atomic():
        # Before the change of the register is opened: a name that changes locks the events that show it, and events are
        # locked before the register.
        rename_by_number(register, people, decided, actor=actor)
        with open_register_change(organiser, actor=actor, verb="update_register", count=len(people)) as log:
            for place, person in enumerate(people):
                player = find_decided(register, person, decided, place, players)
                if player is None:
                    others = register.list_possible(person) if place in decided else []
                    player = create_player(person, log=log)
                    note_other_people(player, others, log=log)
                    # A list may have somebody twice: the second line finds the player whom the first has made.
                    register.add(player, person)
                    added += 1
                # Somebody of an earlier line once more: that line has written the figures.
                elif isinstance(decided.get(place), int):
                    note_spelling(player, person.name, log=log)
                    same += 1
                else:
                    note_spelling(player, person.name, log=log)
                    differs = _write_stated_values(player, person, log=log)
                    # The call stands first: behind `differs or` it would be left out as soon as a rating has changed,
                    # and the numbers with it.
                    differs = write_numbers(player, person.numbers, only_missing=False, log=log) or differs
                    changed, same = changed + differs, same + (not differs)
                players.append(player)
    return added, changed, same


def _find_list_faults(register: Register, people: Sequence[Person], decided: Collection[int]) -> list[Refusal]:
    """What is wrong with a list, and each question that it raises and nobody has `decided`, by places. All are asked
    before anything is written: a list is refused with every question, not with the first."""
    faults = [fault for person in people for fault in find_person_problems(person)]
    for place, person in enumerate(people):
        if place not in decided:
            try:
                register.find(person)
            except (SeveralPlayersKnown, NumberOfAnother, MayBeKnown) as question:
                faults.append(question)
    return faults


def find_decided(
    register: Register, person: Person, decided: Mapping[int, Decision], place: int, players: Sequence[Player]
) -> Player | None:
    """The player who is meant by the person at a place of a list: as decided, or else as exactly known. `players` are
    those of the places before. Raises what `Register.find` raises."""
    if place not in decided:
        return register.find(person)
    decision = decided[place]
    return players[decision] if isinstance(decision, int) else decision


def rename_by_number(
    register: Register,
    people: Sequence[Person],
    decided: Mapping[int, Decision],
    *,
    actor: Actor,
    event: Tournament | None = None,
) -> None:
    """Give the players who are meant by their number the name that the list has for them, within a transaction.
    `event`: one that the same transaction changes afterwards."""
    renames: list[tuple[Player, Person]] = []
    for place, person in enumerate(people):
        player = decided.get(place)
        if not isinstance(player, Player) or register.is_called(player, person.name):
            continue
        if any(register.has_number(player, number) for number in person.numbers):
            renames.append((player, person))
    if not renames:
        return
    # All events of all of them, in one order, before the first name changes: each change of a name ends with the
    # organiser locked, and whoever notes a spelling within one of the other events holds that one and waits for the
    # organiser.
    played_in = Entry.objects.filter(player__in=[player for player, _person in renames]).values("tournament")
    lock_tournaments(Tournament.objects.filter(Q(pk__in=played_in) | (Q(pk=event.pk) if event else Q())))
    for player, person in renames:
        # Listed twice, they have the name from the line before.
        if register.is_called(player, person.name):
            continue
        # With the ways that the register has: both are written along with a name, and the list's would come in without
        # having been compared.
        renamed = replace(person, email=player.email, phone=player.phone)
        rename_player(player, person=renamed, actor=actor, anyway=True)
        # The new name was written into copies; this object still has the former one.
        player.refresh_from_db()
        # This register was read before: it has to learn the name by which the list will look for them.
        register.add(player)


def _list_twins(log: ChangeLog, person: Person, *, anyway: bool, besides: Player | None = None) -> list[Player]:
    """The other players who may be this person, once somebody has said (`anyway`) that they are not; without that they
    are refused with `AlreadyRegistered` or `MayBeKnown`. A player (`besides`) who keeps their name is only compared
    with exact namesakes."""
    register = Register(log.organiser_id, [person])
    possible = [player for player in register.list_possible(person) if player != besides]
    if anyway:
        return possible
    club, key = fold_text(person.club), make_identity_key(person.name)
    if any(register.is_called(player, person.name) and get_club_key(player) == club for player in possible):
        raise AlreadyRegistered(who=person.shown)
    alike = [player for player in possible if not register.is_called(player, person.name)]
    if alike and (besides is None or make_identity_key(besides.name) != key):
        raise MayBeKnown(person, alike)
    return []


def note_spelling(player: Player, name: str, *, log: ChangeLog) -> None:
    """Remember another spelling of a player's name, unless somebody in the register is called that. It is stored as a
    row merged into theirs, so that it finds the player and is deleted along with their data."""
    key = make_identity_key(name)
    begin = make_sort_key(key.partition(",")[0])  # of exactly the same name the surname sorts alike, whatever its comma
    names = Player.objects.filter(organiser=log.organiser_id, sort_name__startswith=begin).values_list(
        "name", flat=True
    )
    if not any(make_identity_key(other) == key for other in names):
        log.create(Player(organiser_id=log.organiser_id, **build_name_columns(name), merged_into=player.current))


def list_two_people(players: Iterable[int]) -> set[tuple[int, int]]:
    """The pairs of these players, by primary key, that the register remembers to be two different people."""
    decisions = SamePerson.objects.filter(season=None, one__in=players, other__in=players, is_same=False)
    return set(decisions.values_list("one_id", "other_id"))


def note_other_people(player: Player, others: Iterable[Player], *, log: ChangeLog) -> None:
    """Remember that these players are not this one, so that nobody is asked again."""
    for other in others:
        # A pair is one row, and the database takes it in this order only: asked the other way round it has to be the
        # same one.
        one, second = sorted((player.current, other.current), key=lambda either: either.pk)
        if one != second and not SamePerson.objects.filter(season=None, one=one, other=second).exists():
            log.create(SamePerson(season=None, one=one, other=second, is_same=False))


def delete_player(player: Player, *, log: ChangeLog) -> None:
    """Delete a row of the register; what was decided of who is one person goes with it, and the journal says so."""
    # Deleted one by one and first: what the database takes along by itself stands in no journal, and could not be taken
    # back.
    decisions = SamePerson.objects.filter(Q(one=player) | Q(other=player))
    log.delete_all(list(decisions.order_by("pk")))
    log.delete(player)
