"""Hostile files, each sent to the page that takes it: `python -m benchmarks.hostile_files [part of a name …]`.

For each a process of its own, on a copy of a data folder with the example event: what the answer costs of the
processor's time (which other work on the machine does not change) and of memory beside what the process had, and what
the page says. Ends with status 1 if a file takes more than `SECONDS` or `MEGABYTES`. Only where there is `/proc`.
"""

from __future__ import annotations

import io
import json
import re
import shutil
import subprocess
import sys
import tempfile
import time
from html import unescape
from pathlib import Path
from typing import IO, Any

from benchmarks.hostile_samples import SAMPLES
from benchmarks.requests import set_up

SECONDS, MEGABYTES = 2.0, 200
PATIENCE = 60
FORMS = {
    "photo": ("/director/{event}/result/{game}/photos/", "photos", {}),
    "event": ("/director/tournaments/import/", "sent", {}),
    "players": ("/director/register/players/import/", "file", {}),
    "words": ("/director/register/words/", "file", {"letters": "de", "use": "on"}),
    "game": ("/director/{event}/result/{game}/gcg/", "file", {"keeper": "other"}),
}
"""The address, the field and what else the form needs, by the name of a page."""

BOUNDARY = "0123456789abcdef"
_SAID = re.compile(r'class="field-error"[^>]*>(.*?)</div>|<tbody>(.*?)</tr>', re.DOTALL)


def main() -> None:
    """Print a table of what each file cost."""
    wanted = sys.argv[1:]
    chosen = [name for name in SAMPLES if not wanted or any(part in name for part in wanted)]
    costly = 0
    with tempfile.TemporaryDirectory() as folder:
        _run("prepare", f"{folder}/empty")
        for name in chosen:
            sample = SAMPLES[name]
            sent = Path(folder) / "sent"
            sent.write_bytes(sample.make())
            shutil.copytree(f"{folder}/empty", f"{folder}/data")
            cost = _run("send", f"{folder}/data", name, str(sent))
            shutil.rmtree(f"{folder}/data")
            over = cost["seconds"] > SECONDS or cost["megabytes"] > MEGABYTES or cost["status"] >= 500
            costly += over
            size = f"{sent.stat().st_size / 1e6:.1f} MB"
            print(
                f"{'!' if over else ' '} {name:<52} {size:>9} {cost['seconds']:6.2f} s {cost['megabytes']:5.0f} MB "
                f"{cost['status']} {cost['said'][:90]}",
                flush=True,
            )
    print(f"{len(chosen)} files, {costly} of them over {SECONDS} s or {MEGABYTES} MB")
    sys.exit(1 if costly else 0)


def _run(*words: str) -> dict[str, Any]:
    command = [sys.executable, "-m", "benchmarks.hostile_files", "--", *words]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=True)
    except subprocess.TimeoutExpired:
        return {"seconds": PATIENCE, "megabytes": -1, "status": 0, "said": f"gave up after {PATIENCE} s"}
    except subprocess.CalledProcessError as died:
        return {"seconds": 0, "megabytes": -1, "status": 999, "said": f"died: {died.returncode} {died.stderr[-300:]}"}
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def prepare(folder: str) -> dict[str, Any]:
    """A data folder with the example event and a director."""
    Path(folder).mkdir()
    set_up(folder)
    from django.contrib.auth import get_user_model
    from django.core.management import call_command

    from tournament.accounts.operations import add_member
    from tournament.core.change import TERMINAL_ACTOR
    from tournament.models import Organiser, Role

    call_command("demo", "--played", "3", verbosity=0, stdout=io.StringIO())
    user = get_user_model().objects.create_user("director", password="x")
    add_member(Organiser.objects.get(), user=user, role=Role.OWNER, actor=TERMINAL_ACTOR)
    from django.db import connection

    connection.close()
    return {}


def send(folder: str, name: str, path: str) -> dict[str, Any]:
    """Send one file as the director, and say what came of it."""
    set_up(folder)
    from django.contrib.auth import get_user_model
    from django.test import Client

    from tournament.models import Pairing

    sample = SAMPLES[name]
    address, field, more = FORMS[sample.page]
    game = Pairing.objects.select_related("round__division__tournament").order_by("pk")[0]
    address = address.format(event=game.round.division.tournament.slug, game=game.pk)
    client = Client(raise_request_exception=False)
    client.force_login(get_user_model().objects.get(username="director"))
    client.get(address)
    body = Path(folder) / "body"
    _write_body(body, {**more}, field, sample.file, Path(path))
    with body.open("rb") as stream:
        Path("/proc/self/clear_refs").write_text("5")  # begin to count the peak anew
        before, started = _memory("VmRSS"), time.process_time()
        response = client.request(**_request(address, body, stream))
        seconds = time.process_time() - started
    return {
        "seconds": round(seconds, 2),
        "megabytes": round(_memory("VmHWM") - before),
        "status": response.status_code,
        "said": _said(response),
    }


def _request(address: str, body: Path, stream: IO[bytes]) -> dict[str, Any]:
    """The request as the server hands it over, its body in a file."""
    kind = f"multipart/form-data; boundary={BOUNDARY}"
    sent = {"CONTENT_LENGTH": str(body.stat().st_size), "CONTENT_TYPE": kind, "wsgi.input": stream}
    return {"PATH_INFO": address, "REQUEST_METHOD": "POST", **sent}


def _write_body(body: Path, more: dict[str, str], field: str, name: str, sent: Path) -> None:
    """The form as a browser sends it, on disk as the server hands it over."""
    with body.open("wb") as out:
        for key, value in more.items():
            out.write(f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="{key}"\r\n\r\n{value}\r\n'.encode())
        head = f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="{field}"; filename="{name}"\r\n\r\n'
        out.write(head.encode())
        with sent.open("rb") as content:
            shutil.copyfileobj(content, out)
        out.write(f"\r\n--{BOUNDARY}--\r\n".encode())


def _memory(what: str) -> float:
    """Megabytes of this process."""
    found = re.search(rf"^{what}:\s+(\d+) kB", Path("/proc/self/status").read_text(), re.MULTILINE)
    return int(found.group(1)) / 1000 if found else 0


def _said(response: Any) -> str:
    """What the answer says of the file: its faults, or where it leads."""
    if response.status_code in {301, 302}:
        return f"accepted: {response['Location']}"
    page = re.sub(
        r"<[^>]+>",
        " ",
        " ".join("".join(found) for found in _SAID.findall(response.content.decode("utf-8", "replace"))),
    )
    return " ".join(unescape(page).split()) or "a page"


if __name__ == "__main__":
    if sys.argv[1:2] == ["--"]:
        print(json.dumps(prepare(sys.argv[3]) if sys.argv[2] == "prepare" else send(*sys.argv[3:])))
    else:
        main()
