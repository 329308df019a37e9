"""Archives to read in: written as they are, and with something in them changed."""

import hashlib
import io
import json
import zipfile
from collections.abc import Callable, Mapping
from typing import Any

from tournament.archive.carrying import write_archive
from tournament.models import Tournament

Members = dict[str, bytes]


def written(tournament: Tournament) -> io.BytesIO:
    """A tournament's archive."""
    out = io.BytesIO()
    write_archive(tournament, out)
    out.seek(0)
    return out


def members(archive: io.BytesIO) -> Members:
    with zipfile.ZipFile(archive) as parts:
        return {name: parts.read(name) for name in parts.namelist()}


def packed(found: Mapping[str, bytes]) -> io.BytesIO:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as parts:
        for name, content in found.items():
            parts.writestr(name, content)
    out.seek(0)
    return out


def changed(archive: io.BytesIO, name: str, change: Callable[[Any], Any]) -> io.BytesIO:
    """The archive with the JSON of one member changed by somebody who has its checksum right."""
    found = members(archive)
    if name.endswith(".jsonl"):
        lines = change([json.loads(line) for line in found[name].splitlines()])
        found[name] = b"".join(json.dumps(line).encode() + b"\n" for line in lines)
    else:
        found[name] = json.dumps(change(json.loads(found[name]))).encode()
    return packed(stated(found))


def stated(found: Members) -> Members:
    """The members with a manifest that states their sizes and checksums."""
    manifest = json.loads(found["manifest.json"])
    manifest["members"] = {
        name: {"size": len(content), "sha256": hashlib.sha256(content).hexdigest()}
        for name, content in found.items()
        if name != "manifest.json"
    }
    return {**found, "manifest.json": json.dumps(manifest).encode()}
