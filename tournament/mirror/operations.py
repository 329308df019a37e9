"""What a director settles on the laptop: where the event is sent, and which folder holds its website. Neither is in the
journal, which would put a secret and a path of this machine into every archive."""

import re
from collections.abc import Sequence
from pathlib import Path

from django.utils.translation import gettext_lazy as _

from tournament.basics import limits
from tournament.basics.pictures import SentFile, read_codes
from tournament.basics.refusals import Refusal
from tournament.basics.web_addresses import BadAddress, read_web_address
from tournament.models import MirrorLink, MirrorTarget, Tournament, WebsiteFolder

LINK_PATTERN = re.compile(r"/mirror/(?P<key>[0-9a-f]{32})/?")
SECRET_PATTERN = re.compile(r"[0-9a-f]{64}")


class NoMirrorLink(Refusal, code="mirror_link", field="link"):
    message = _(
        "“%(link)s” is not the link of a mirror; it should look like https://tso.example.org/mirror/…#…, all of it."
    )


class FolderMissing(Refusal, code="folder_missing", field="path"):
    message = _("There is no folder “%(path)s” on this machine. Type its whole path, such as /home/anna/website.")


MANIFEST_NAME = ".tso-website.json"
"""What the program has written into a folder, by which it knows the folder again."""


def parse_mirror_link(text: str) -> tuple[str, str, str]:
    """The address of the mirror without a path, the link's key there, and its secret. A pasted link may lead to any
    host, also to one in the hall's own network and without TLS: the director of this laptop chooses it, and both sides
    sign what they say. Raises `NoMirrorLink`."""
    try:
        address = read_web_address(text.strip())
    except BadAddress as fault:
        raise NoMirrorLink(link=text.strip()[:80]) from fault
    path, secret = LINK_PATTERN.fullmatch(address.path), SECRET_PATTERN.fullmatch(address.fragment)
    if path is None or secret is None or len(address.origin) > limits.MIRROR_ADDRESS:
        raise NoMirrorLink(link=text.strip()[:80])
    return address.origin, path["key"], secret[0]


def read_scanned_link(sent: Sequence[SentFile]) -> str:
    """The link of a mirror that a code in these pictures says. Raises `no_code_found`, `no_link_in_code`,
    `ReadingBusy`, or `Refusals` for files that are no pictures."""
    codes = read_codes(sent)
    for text in codes:
        try:
            parse_mirror_link(text)
        except NoMirrorLink:
            continue
        return text
    if not codes:
        raise Refusal(
            "no_code_found",
            _(
                "There is no code to be seen in the picture. Take it from nearer, straight on and without "
                "glare, so that the whole code with its white margin is in it."
            ),
            field="photos",
        )
    raise Refusal(
        "no_link_in_code",
        _("The code in the picture says “%(text)s”. That is not the link of a mirror."),
        field="photos",
        text=codes[0][:80],
    )


def set_mirror_target(tournament: Tournament, *, link: str) -> MirrorTarget:
    """Send the event by this pasted link from now on, instead of any other. Raises `NoMirrorLink` or
    `mirror_of_mirror`."""
    address, key, secret = parse_mirror_link(link)
    if MirrorLink.objects.filter(tournament=tournament).exists():
        raise Refusal("mirror_of_mirror", _("This event comes from a hall itself. Only the laptop there can send it."))
    target = MirrorTarget.objects.filter(tournament=tournament).first() or MirrorTarget(tournament=tournament)
    target.name, target.address, target.key, target.secret = tournament.name, address, key, secret
    # A new link begins anew: what was decided of the one before concerned another mirror.
    target.is_paused = target.takes_over = target.is_forgotten = False
    target.save()
    return target


def pause_mirror(target: MirrorTarget, *, paused: bool) -> None:
    """Send nothing for a while, or go on."""
    target.is_paused = paused
    target.save(update_fields=["is_paused"])


def take_mirror_over(target: MirrorTarget, *, takes_over: bool = True) -> None:
    """Let this laptop send the event, whichever did so before."""
    target.takes_over = takes_over
    target.save(update_fields=["takes_over"])


def end_mirror(target: MirrorTarget) -> None:
    """Send nothing more; what the mirror shows stays there."""
    target.delete()


def forget_mirror(target: MirrorTarget) -> None:
    """Have the mirror delete the event. The target goes once the mirror has done so."""
    target.is_forgotten, target.is_paused = True, False
    target.save(update_fields=["is_forgotten", "is_paused"])


def set_website_folder(tournament: Tournament, *, path: str) -> WebsiteFolder:
    """Keep the event's website up to date in this folder. Raises `FolderMissing`, `folder_filled`."""
    folder = parse_website_folder(path)
    stored = WebsiteFolder.objects.filter(tournament=tournament).first() or WebsiteFolder(tournament=tournament)
    stored.path, stored.is_paused = str(folder), False
    stored.save()
    return stored


def parse_website_folder(path: str) -> Path:
    """The folder that a typed path names. Raises `FolderMissing`, `folder_filled`."""
    folder = Path(path.strip()).expanduser()
    # Absolute: any other path would begin wherever the program was started this time.
    if not path.strip() or not folder.is_absolute() or not folder.is_dir():
        raise FolderMissing(path=path.strip()[:200])
    require_own_folder(folder)
    return folder


def require_own_folder(folder: Path) -> None:
    """Raise `folder_filled` unless the folder is empty or the program's own."""
    if any(folder.iterdir()) and not (folder / MANIFEST_NAME).exists():
        raise Refusal(
            "folder_filled",
            _("There are other files in “%(path)s”. Choose an empty folder: the website needs one of its own."),
            field="path",
            path=folder,
        )


def pause_website_folder(folder: WebsiteFolder, *, paused: bool) -> None:
    """Leave the folder as it is for a while, or go on."""
    folder.is_paused = paused
    folder.save(update_fields=["is_paused"])


def end_website_folder(folder: WebsiteFolder) -> None:
    """Write nothing more; the files stay."""
    folder.delete()
