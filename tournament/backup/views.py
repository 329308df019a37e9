"""Pages of the installation's backups: the list, making one now, the second place, downloading and restoring one."""

from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

from django import forms
from django.contrib import messages
from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache

from tournament.access.rules import require_host
from tournament.backup.forgotten_names import get_name_search, let_backups_go
from tournament.backup.keeper import describe_backup_status, get_keeper
from tournament.backup.making import make_backup
from tournament.backup.places import (
    BackupManifest,
    BackupName,
    BackupReason,
    find_in_second_place,
    get_installation,
    list_backups,
    load_backup_state,
    parse_backup_name,
    prepare_second_place,
    save_second_place,
)
from tournament.backup.restoring import (
    RESTART_ALLOWED,
    can_restart_itself,
    inspect_backup,
    require_known_version,
    restore_backup,
)
from tournament.backup.words import (
    describe_backup,
    describe_data_fault,
    describe_deleted_backups,
    describe_saved_backup,
    format_megabytes,
)
from tournament.basics.program import format_command_line
from tournament.pages.forms import OperationForm
from tournament.pages.kept_input import signed_in_page
from tournament.pages.requests import show_refusals

LONGEST_PATH = 1000
MOST_SHOWN = 200
SEARCH_SECONDS = 1  # how long one look at the page searches for deleted names
RETURN_SECONDS = 6  # when the last page looks whether the program is there again
PLAIN_INPUT = {"autocomplete": "off", "spellcheck": "false"}


class SecondPlaceForm(OperationForm):
    folder = forms.CharField(
        label=gettext_lazy("Folder on the program’s machine"),
        help_text=gettext_lazy("A stick, another disk or a network folder, such as /media/stick or E:\\. Empty: none."),
        max_length=LONGEST_PATH,
        required=False,
        widget=forms.TextInput(attrs=PLAIN_INPUT),
    )


class BackupFileForm(OperationForm):
    file = forms.CharField(
        label=gettext_lazy("File on the program’s machine"),
        help_text=gettext_lazy("For a backup from another machine, with its full path."),
        max_length=LONGEST_PATH,
        widget=forms.TextInput(attrs=PLAIN_INPUT),
    )


@signed_in_page("GET", "HEAD")
def show_backups(request: HttpRequest) -> HttpResponse:
    """How things stand, and every backup that can be restored."""
    require_host(request)
    return _render_backups(request)


def _render_backups(
    request: HttpRequest, place_form: SecondPlaceForm | None = None, file_form: BackupFileForm | None = None
) -> HttpResponse:
    home, search = get_installation(), get_name_search()
    state = load_backup_state(home)
    place = state.place
    is_sought = bool(search.texts)  # it ends where nothing is found, which is said as well
    # A little further with each look: the page loads itself again until all is searched.
    search.go_on(home, seconds=SEARCH_SECONDS)
    context = {
        "names": search if is_sought else None,
        "named_rows": _build_backup_rows(search.backups),
        "kept": describe_backup_status(home),
        "by_itself": get_keeper() is not None,
        "folder": home.backups,
        "rows": _list_backup_rows(home.backups),
        "place": place,
        "place_rows": find_in_second_place(place, _list_backup_rows) if place else [],
        "place_form": place_form or SecondPlaceForm(initial={"folder": state.second_place}),
        "file_form": file_form or BackupFileForm(),
    }
    response = render(request, "tournament/backup/backups.html", context)
    if not search.is_complete:
        response["Refresh"] = str(SEARCH_SECONDS)
    return response


def _list_backup_rows(folder: Path) -> list[dict[str, Any]]:
    """The backups in a folder, without those that are being deleted at this moment."""
    return _build_backup_rows((folder / str(name), name) for name in list_backups(folder)[:MOST_SHOWN])


def _build_backup_rows(backups: Iterable[tuple[Path, BackupName]]) -> list[dict[str, Any]]:
    """The lines of a list of backups: name, path and size of each."""
    rows = []
    for path, name in backups:
        with suppress(OSError):
            rows.append({"name": name, "path": path, "size": format_megabytes(path.stat().st_size)})
    return rows


@signed_in_page("POST")
def delete_named_backups(request: HttpRequest) -> HttpResponse:
    """Delete the backups that still hold the name of somebody who was forgotten, after a new one was made."""
    require_host(request)
    with show_refusals(request):
        if count := let_backups_go(get_installation(), get_name_search()):
            messages.success(request, describe_deleted_backups(count))
    return redirect("director:backups")


@signed_in_page("POST")
def make_backup_now(request: HttpRequest) -> HttpResponse:
    require_host(request)
    with show_refusals(request):
        backup = make_backup(get_installation(), BackupReason.BY_HAND)
        assert backup is not None
        size = backup.path.stat().st_size
        messages.success(request, describe_saved_backup(backup.path, backup.manifest.facts.event_count, size))
        for sentence in [backup.not_carried, *map(describe_data_fault, backup.manifest.facts.faults)]:
            if sentence:
                messages.warning(request, str(sentence))
    return redirect("director:backups")


@signed_in_page("POST")
def edit_second_place(request: HttpRequest) -> HttpResponse:
    require_host(request)
    form, home = SecondPlaceForm(request.POST), get_installation()

    def name(typed: dict[str, str]) -> None:
        folder = Path(typed["folder"]).expanduser() if typed["folder"] else None
        if folder:
            prepare_second_place(home, folder)
        save_second_place(home, folder)

    if not form.done(name):
        return _render_backups(request, place_form=form)
    if (keeper := get_keeper()) is not None:
        # Now, and not with the next look: what is wrong with the place has to stand on the page that comes.
        keeper.carry()
    message = _("The second place is set.") if form.cleaned_data["folder"] else _("There is no second place any more.")
    messages.success(request, message)
    return redirect("director:backups")


@never_cache
@signed_in_page("GET", "HEAD")
def download_backup(request: HttpRequest) -> HttpResponse | FileResponse:
    """One of the listed backups, to be kept elsewhere."""
    require_host(request)
    home = get_installation()
    file_name = request.GET.get("file", "")
    # Only what is called as a backup is: not what else lies in the folder, and nothing above it (`../`).
    if parse_backup_name(file_name) is None or not (home.backups / file_name).is_file():
        raise Http404(_("There is no backup “%(name)s”.") % {"name": file_name})
    return FileResponse((home.backups / file_name).open("rb"), as_attachment=True, filename=file_name)


@never_cache
@signed_in_page("GET", "POST")
def show_backup(request: HttpRequest) -> HttpResponse:
    """What is in a backup; a POST restores it, and the program restarts with it."""
    require_host(request)
    form = BackupFileForm(request.POST or request.GET)

    def act(typed: dict[str, str]) -> BackupManifest:
        path = Path(typed["file"]).expanduser()
        manifest = inspect_backup(path)
        require_known_version(path, manifest)
        if request.method == "POST" and RESTART_ALLOWED.is_set():
            restore_backup(get_installation(), path, manifest)
        return manifest

    if (outcome := form.done(act)) is None:
        return _render_backups(request, file_form=form)
    if request.method == "POST" and RESTART_ALLOWED.is_set():
        response = render(request, "tournament/backup/restoring.html", {"by_itself": can_restart_itself()})
        response["Refresh"] = f"{RETURN_SECONDS}; url=/director/"
        return response
    file, manifest, facts = form.cleaned_data["file"], outcome.result, outcome.result.facts
    context = {
        "file": file,
        "manifest": manifest,
        "made": describe_backup(manifest.made_at, manifest.reason, manifest.program, manifest.size),
        "may_restore": RESTART_ALLOWED.is_set(),
        "command": format_command_line("restore", file),
        "photos": facts.counts.get("games.Photo", 0) + facts.counts.get("tournament.Portrait", 0),
        "word_lists": facts.counts.get("games.WordList", 0),
    }
    return render(request, "tournament/backup/backup.html", context)
