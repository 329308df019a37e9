"""Ways in without an account: codes for helpers and referees, each opened on one device, and players' personal links.
Neither is stored: of a code there is a digest made with the installation's key, from which links are computed."""

import hashlib
import hmac
import re
import secrets
from collections.abc import Iterable, Sequence

from django.conf import settings
from django.db import transaction
from django.utils.translation import gettext_lazy as _

from tournament.basics import limits
from tournament.basics.names import normalise_text
from tournament.basics.refusals import Refusal, Refusals, find_text_refusals, refuse_clash
from tournament.core.change import Actor, change
from tournament.core.division_tables import find_table_range_problems
from tournament.models import CODE_ROLES, AccessCode, CodeDevice, Entry, Role, Tournament

ACCESS_CODE_LETTERS = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"  # without those that are easily confused (0 O, 1 I L)

LENGTH, GROUP = 8, 4  # 31 to the 8th is 850,000,000,000: with the limits of `signing_in` nobody guesses one

LINK_LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"
LINK_LENGTH = 16
LINKS_REMEMBERED = 20  # how many links before the valid one are told from links that were never given

# Keys of 18 figures at most: no database has a longer one.
LINK_PATTERN = re.compile(r"(?P<pk>[1-9][0-9]{0,17})-(?P<proof>[2-9a-z]{16})")


class AccessCodeUnknown(Refusal, code="code_unknown", field="code"):
    message = _("“%(code)s” is not a valid code. It may be mistyped or taken back, or its tournament is over.")


class AccessCodeInUse(Refusal, code="code_in_use", field="code"):
    message = _(
        "This code has already been opened on another device. The director can give you a new one, or let this device "
        "in instead."
    )


def find_code_problems(role: Role, name: str, tables: Iterable[tuple[int, int]]) -> list[Refusal]:
    problems: list[Refusal] = []
    if role not in CODE_ROLES:
        problems.append(
            Refusal(
                "role_by_code",
                _("There are codes for helpers and referees only; “%(role)s” needs an account."),
                field="role",
                role=role.label,
            )
        )
    if not name:
        problems.append(
            Refusal(
                "name_missing",
                _("Say who the code is for: the name appears beside everything that is done with it."),
                field="name",
            )
        )
    problems += find_text_refusals("name", name, limits.AUTHOR_NAME)
    listed = list(tables)
    if role == Role.REFEREE and listed:
        problems.append(
            Refusal(
                "tables_for_referee", _("A referee is called to any table: leave the tables empty."), field="tables"
            )
        )
    return [*problems, *find_table_range_problems(listed)]


def make_access_code(
    tournament: Tournament, *, role: Role, name: str, actor: Actor, tables: Sequence[tuple[int, int]] = ()
) -> tuple[AccessCode, str]:
    """Make a code for one device, and return it with its text, which cannot be shown again. `tables` are pairs of a
    first and a last table; none means all. Raises `Refusals` with all faults."""
    name = normalise_text(name)
    if faults := find_code_problems(role, name, tables):
        raise Refusals(faults)
    text = "".join(secrets.choice(ACCESS_CODE_LETTERS) for _letter in range(LENGTH))
    digest, pairs = _compute_digest("code", text), [list(pair) for pair in sorted(tables)]
    with change(tournament, actor=actor, verb="make_access_code", name=name, role=role.value) as log:
        row = log.create(AccessCode(tournament=tournament, role=role, name=name, tables=pairs, digest=digest))
        return row, "-".join(text[at : at + GROUP] for at in range(0, len(text), GROUP))


def revoke_access_code(code: AccessCode, *, actor: Actor) -> None:
    """Revoke a code, if it is not yet: its device may do nothing any more."""
    with change(code.tournament, actor=actor, verb="revoke_access_code", name=code.name) as log:
        stored = AccessCode.objects.get(pk=code.pk)
        if stored.revoked_at is None:
            log.save(stored, revoked_at=log.now)


def renew_access_code(code: AccessCode, *, actor: Actor) -> tuple[AccessCode, str]:
    """Revoke a code and make another for the same work: a device was lost, or nobody wrote the code down."""
    stored = AccessCode.objects.get(pk=code.pk)
    with transaction.atomic():
        # Both or neither: between them the helper would stand there without a code.
        revoke_access_code(stored, actor=actor)
        tables = [(first, last) for first, last in stored.tables]
        return make_access_code(stored.tournament, role=Role(stored.role), name=stored.name, tables=tables, actor=actor)


def renew_personal_link(entry: Entry, *, actor: Actor) -> Entry:
    """Give a player another personal link; the printed one leads nowhere any more."""
    with change(entry.tournament, actor=actor, verb="renew_link", key=entry.key, name=entry.name) as log:
        stored = Entry.objects.with_names().get(pk=entry.pk)
        # After the last number the first one comes again: the column has an end.
        log.save(stored, link=stored.link % limits.LINKS + 1)
        return stored


def tidy_access_code(text: str) -> str:
    """A typed code in capitals, without blanks and hyphens."""
    return re.sub(r"[\s\-‐‑–]", "", text).upper()


def find_access_code(text: str) -> AccessCode:
    """The valid code that somebody typed. Raises `AccessCodeUnknown`. One query."""
    code_text = tidy_access_code(text)
    access_codes = AccessCode.objects.select_related("tournament__organiser", "device")
    valid = access_codes.filter(digest=_compute_digest("code", code_text), revoked_at=None, tournament__is_ended=False)
    # An event that was read in twice has its codes twice: the newest one is at work.
    code = valid.order_by("-pk").first() if len(code_text) == LENGTH else None
    if code is None:
        raise AccessCodeUnknown(code=text[: limits.QUOTED_TEXT].strip())
    return code


def open_access_code(code: AccessCode) -> str:
    """Give the code to a device, and return the secret that proves the device from now on. Raises `AccessCodeInUse`."""
    secret = secrets.token_urlsafe(24)
    # By the database and not by a look before: of two devices that open one code at once both would find it free.
    with refuse_clash(AccessCodeInUse()):
        CodeDevice.objects.create(code=code, digest=_compute_digest("device", secret))
    return secret


def release_access_code(code: AccessCode) -> None:
    """Forget the code's device, so that it can be opened on another."""
    CodeDevice.objects.filter(code=code).delete()


def close_access_code(pk: int, secret: str) -> None:
    """Forget the code's device, if it has this secret."""
    CodeDevice.objects.filter(code=pk, digest=_compute_digest("device", secret)).delete()


def get_opened_code(pk: int, secret: str, slug: str) -> AccessCode | None:
    """The code that the device with this secret has open for the tournament `slug`; None if it is void. One query."""
    access_codes = AccessCode.objects.select_related("tournament__organiser", "device")
    valid = access_codes.filter(pk=pk, revoked_at=None, tournament__slug=slug, tournament__is_ended=False)
    return valid.filter(device__digest=_compute_digest("device", secret)).first()


def make_personal_link(entry: Entry) -> str:
    """The last part of a player's personal address. Fetch `tournament`."""
    # After a backup is restored, ids are given again, so the proof covers the player and the moment too.
    created_at = entry.tournament.created_at.isoformat()
    return f"{entry.pk}-{make_proof('link', f'{entry.pk} {entry.player_id} {entry.link} {created_at}')}"


def parse_entry_key(link: str) -> int | None:
    """The primary key in a personal link, valid or not; None if the text is no link."""
    match = LINK_PATTERN.fullmatch(link)
    return int(match["pk"]) if match else None


def is_personal_link(text: str, entry: Entry) -> bool:
    """Whether this is the entry's personal link. Fetch `tournament`."""
    # In constant time, so that nobody finds a link letter by letter.
    return hmac.compare_digest(text.encode(), make_personal_link(entry).encode())


def is_replaced_link(text: str) -> bool:
    """Whether this was somebody's personal link until they were given another. One query."""
    pk = parse_entry_key(text)
    entry = Entry.objects.select_related("tournament").filter(pk=pk).first() if pk is not None else None
    if entry is None:
        return False
    for _link in range(min(entry.link, LINKS_REMEMBERED)):
        # Counted down on this object only, to make the links of before; it is never saved.
        entry.link -= 1
        if is_personal_link(text, entry):
            return True
    return False


def find_entry_by_link(text: str) -> Entry | None:
    """The entry of a personal link, with names, division and tournament; None if it is void. One query."""
    pk = parse_entry_key(text)
    if pk is None:
        return None
    entries = Entry.objects.with_names().select_related("tournament__organiser", "division__knockout")
    entry = entries.filter(pk=pk).first()
    if entry is None or not is_personal_link(text, entry):
        return None
    entry.division.tournament = entry.tournament
    return entry


def make_proof(purpose: str, text: str) -> str:
    """Letters that only this installation can compute for this purpose and text."""
    return spell_digest(bytes.fromhex(_compute_digest(purpose, text)), LINK_LETTERS, LINK_LENGTH)


def spell_digest(digest: bytes, letters: str, length: int) -> str:
    """A digest in so many of these letters."""
    number = int.from_bytes(digest, "big")
    spelt = []
    for _letter in range(length):
        number, rest = divmod(number, len(letters))
        spelt.append(letters[rest])
    return "".join(spelt)


def _compute_digest(purpose: str, text: str) -> str:
    key = f"tournament.access_codes.{purpose}.{settings.SECRET_KEY}".encode()
    # What strangers send may hold half a surrogate pair, which UTF-8 cannot say: it is a wrong code, not an error.
    return hmac.new(key, text.encode("utf-8", "replace"), hashlib.sha256).hexdigest()
