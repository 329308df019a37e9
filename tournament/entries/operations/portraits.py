"""Photos of many players at a time, each found by its file's name."""

import re
from collections import defaultdict
from collections.abc import Sequence
from pathlib import PurePath
from typing import NamedTuple

from django.utils.translation import gettext_lazy as _

from tournament.basics.names import fold_text
from tournament.basics.pictures import PhotoRefused, SentFile, rewrite_photos
from tournament.basics.refusals import Refusal, Refusals
from tournament.core.change import Actor
from tournament.entries.operations.entries import LONGEST_PORTRAIT_EDGE, keep_portrait
from tournament.models import Division, Entry

PHOTOS_AT_ONCE = 5  # photos that are rewritten before somebody else's turn comes


class GivenPortraits(NamedTuple):
    """Whose photos are kept, and why others are not."""

    kept: list[Entry]
    problems: Sequence[Refusal] = ()


def give_named_portraits(division: Division, *, sent: Sequence[SentFile], actor: Actor) -> GivenPortraits:
    """Keep the photos whose files are named after players of the division. Raises `no_photos`, or `Refusals` if none
    can be kept; `PhotoNotStored` and `ReadingBusy` leave what was kept until then."""
    if not sent:
        raise Refusal(
            "no_photos", _("No photo was chosen. Choose files that are named after the players."), field="photos"
        )
    named, problems = _match_files(division, sent)
    entries_done: list[Entry] = []
    # Some at a time, each group kept before the next one is read: whoever is turned away at the fiftieth photo has
    # forty-five of them.
    for at in range(0, len(named), PHOTOS_AT_ONCE):
        entries, files = zip(*named[at : at + PHOTOS_AT_ONCE], strict=True)
        for entry, picture in zip(entries, rewrite_photos(files, LONGEST_PORTRAIT_EDGE), strict=True):
            if isinstance(picture, PhotoRefused):
                problems.append(picture)
            else:
                keep_portrait(entry, picture, actor=actor)
                entries_done.append(entry)
    if not entries_done:
        raise Refusals(problems)
    return GivenPortraits(entries_done, problems)


def _match_files(division: Division, sent: Sequence[SentFile]) -> tuple[list[tuple[Entry, SentFile]], list[Refusal]]:
    """The files that are named after one player whom no other file is named after, and why the others are not taken."""
    players: dict[tuple[str, ...], set[Entry]] = defaultdict(set)
    for entry in Entry.objects.filter(division=division).select_related("tournament").with_names():
        for name in (entry.name, entry.key):
            players[_read_words(name)].add(entry)
    files_by_entry: dict[Entry, SentFile] = {}
    problems: list[Refusal] = []
    for file in sent:
        meant = players.get(_read_words(PurePath(file.name).stem), set())
        if len(meant) != 1:
            code, message = "nobody_named_so", _("“%(file)s” is not kept: no player of this division is named so.")
            if meant:
                code = "several_named_so"
                message = _("“%(file)s” is not kept: %(count)s players are named so. Choose the player instead.")
            problems.append(Refusal(code, message, field="photos", file=file.quoted, count=len(meant)))
            continue
        (entry,) = meant
        if entry in files_by_entry:
            message = _("“%(file)s” is not kept: another file is named after %(name)s, too.")
            problems.append(Refusal("several_files_of_one", message, field="photos", file=file.quoted, name=entry.name))
        else:
            files_by_entry[entry] = file
    return list(files_by_entry.items()), problems


def _read_words(text: str) -> tuple[str, ...]:
    """The words of a name in one order, whatever stands between them, ä and ae alike."""
    # Folding makes an a of ä, where files often have ae. Whose name has a true “oe” (Goethe) loses its e on both sides.
    return tuple(sorted(re.findall(r"[^\W_]+", re.sub(r"(?<=[aou])e", "", fold_text(text)))))
