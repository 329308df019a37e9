"""The backups of the whole installation: which there are, one made now, the second place, and bringing one back."""

from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from django.contrib import messages
from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from tournament import access
from tournament.forms.backups import FileForm, PlaceForm
from tournament.laptop.backup import checking, health, keeper, making, places, reading, restarting, second_place, state
from tournament.laptop.backup.places import BackupName, Installation
from tournament.laptop.backup.values import BackupManifest, BackupReason
from tournament.views.director import button_refusals
from tournament.views.director.kept_input import login_required
from tournament.words import backups as words

SHOWN = 200
BACK_SECONDS = 6
"""When the page looks whether the program is there again."""


@dataclass(frozen=True, slots=True)
class BackupRow:
    """A backup in the list."""

    name: BackupName
    path: Path
    bytes: int

    @property
    def at(self) -> datetime:
        return self.name.at

    @property
    def why(self) -> str:
        return words.reason(self.name.reason)

    @property
    def size(self) -> str:
        return words.megabytes(self.bytes)


@login_required
@require_safe
def page(request: HttpRequest) -> HttpResponse:
    """How things stand, and every backup that can be brought back."""
    access.require_host(request)
    return _page(request, PlaceForm(initial={"folder": state.load(places.here()).second_place}), FileForm())


def _page(request: HttpRequest, place_form: PlaceForm, file_form: FileForm) -> HttpResponse:
    home = places.here()
    place = state.load(home).place
    context = {
        "kept": keeper.status_in_words(home),
        "by_itself": keeper.running() is not None,
        "folder": home.backups,
        "rows": _rows(home.backups),
        "place": place,
        "place_rows": second_place.found(place, _rows) if place else [],
        "place_form": place_form,
        "file_form": file_form,
    }
    return render(request, "director/backups.html", context)


def _rows(folder: Path) -> list[BackupRow]:
    """The backups in a folder, but those that go just now."""
    rows = []
    for name in places.listed(folder)[:SHOWN]:
        with suppress(OSError):
            rows.append(BackupRow(name, folder / str(name), (folder / str(name)).stat().st_size))
    return rows


@login_required
@require_POST
def make(request: HttpRequest) -> HttpResponse:
    """Make a backup now."""
    access.require_host(request)
    with button_refusals.refusals(request):
        made = making.make(places.here(), BackupReason.BY_HAND, check=checking.check)
        assert made is not None
        size = made.path.stat().st_size
        messages.success(request, words.saved(made.path, made.manifest.facts.event_count, size))
        for sentence in [made.not_carried, *map(words.fault, made.manifest.facts.faults)]:
            if sentence:
                messages.warning(request, str(sentence))
    return redirect("director:backups")


@login_required
@require_POST
def place(request: HttpRequest) -> HttpResponse:
    """Name the second place, or none."""
    access.require_host(request)
    form, home = PlaceForm(request.POST), places.here()

    def name(typed: dict[str, str]) -> None:
        folder = Path(typed["folder"]).expanduser() if typed["folder"] else None
        if folder:
            second_place.prepare(home, folder)
        state.name_second_place(home, folder)

    if not form.done(name):
        return _page(request, form, FileForm())
    kept = keeper.running()
    if kept is not None:
        kept.carry()
    done = _("The second place is set.") if form.cleaned_data["folder"] else _("There is no second place any more.")
    messages.success(request, done)
    return redirect("director:backups")


@never_cache
@login_required
@require_safe
def download(request: HttpRequest) -> HttpResponse | FileResponse:
    """One of the listed backups, to keep it elsewhere."""
    access.require_host(request)
    home = places.here()
    wanted = request.GET.get("file", "")
    if places.parsed(wanted) is None or not (home.backups / wanted).is_file():
        raise Http404(_("There is no backup “%(name)s”.") % {"name": wanted})
    return FileResponse((home.backups / wanted).open("rb"), as_attachment=True, filename=wanted)


@never_cache
@login_required
@require_http_methods(["GET", "POST"])
def look(request: HttpRequest) -> HttpResponse:
    """What is in a backup; a post of that page brings it back, and the program begins anew with it."""
    access.require_host(request)
    home = places.here()
    form = FileForm(request.POST or request.GET)
    found: list[BackupManifest] = []

    def act(typed: dict[str, str]) -> None:
        path = Path(typed["file"]).expanduser()
        found.append(reading.inspect(path))
        reading.require_known(path, found[0])
        if request.method == "POST" and restarting.is_allowed():
            restarting.restore(home, path, found[0])

    if not form.done(act):
        return _page(request, PlaceForm(initial={"folder": state.load(home).second_place}), form)
    if request.method == "POST" and restarting.is_allowed():
        return _farewell(request, home)
    return render(request, "director/backup.html", _shown(form.cleaned_data["file"], found[0]))


def _shown(file: str, manifest: BackupManifest) -> dict[str, object]:
    facts = manifest.facts
    return {
        "file": file,
        "manifest": manifest,
        "made": words.made(manifest.made_at, manifest.reason, manifest.program, manifest.size),
        "may_restore": restarting.is_allowed(),
        "command": health.command("restore", file),
        "photos": facts.counts.get("games.Photo", 0) + facts.counts.get("tournament.Portrait", 0),
        "word_lists": facts.counts.get("games.WordList", 0),
    }


def _farewell(request: HttpRequest, home: Installation) -> HttpResponse:
    """The last page before the program begins anew; it leads to the first one after."""
    response = render(request, "director/restoring.html", {"by_itself": restarting.comes_back()})
    response["Refresh"] = f"{BACK_SECONDS}; url=/director/"
    return response
