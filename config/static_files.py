"""Answers to names that say their content (`tournament.basics.static_files`): compressed, to be kept for good."""

import gzip
import mimetypes
import re
from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBase

from tournament.basics.static_files import find_static_file, name_content, split_content_name

FOR_GOOD = f"public, max-age={365 * 24 * 3600}, immutable"
FILES_KEPT = 200
TEXT_TYPES = ("text/", "application/javascript", "image/svg+xml")


class PackedFile(NamedTuple):
    """A file in memory, also `packed` if that makes it smaller."""

    content: bytes
    packed: bytes | None
    content_type: str
    digest: str


@lru_cache(FILES_KEPT)
def _load_file(name: str) -> PackedFile | None:
    path = find_static_file(name)
    if path is None:
        return None
    content, content_type = path.read_bytes(), mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    # Of the file as it lies there: the names that pages use were made before anything was squeezed.
    digest = name_content(content)
    if content_type == "text/css":
        content = squeeze_css(content)
    # Without the time of day, so that every process sends the same bytes.
    packed = gzip.compress(content, mtime=0) if content_type.startswith(TEXT_TYPES) else None
    return PackedFile(content, packed, content_type, digest)


def squeeze_css(content: bytes) -> bytes:
    """A style sheet without comments and line breaks, which a browser does not need."""
    return re.sub(rb"\s*\n\s*", b" ", re.sub(rb"/\*.*?\*/", b"", content, flags=re.DOTALL)).strip()


def content_named_files(get_response: Callable[[HttpRequest], HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """Answer what is asked for by such a name; plain names are left to whitenoise."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        if not request.path_info.startswith(settings.STATIC_URL) or request.method not in {"GET", "HEAD"}:
            return get_response(request)
        name, digest = split_content_name(request.path_info.removeprefix(settings.STATIC_URL))
        file = _load_file(name) if digest else None
        return get_response(request) if file is None else _answer_with_file(request, file, digest)

    return middleware


def _answer_with_file(request: HttpRequest, file: PackedFile, digest: str) -> HttpResponse:
    """The file. A page from before an update asks for a content that is gone: it gets the new one, once."""
    headers = {"Cache-Control": FOR_GOOD if digest == file.digest else "no-cache", "Vary": "Accept-Encoding"}
    content = file.content
    if file.packed is not None and "gzip" in request.headers.get("Accept-Encoding", ""):
        content, headers["Content-Encoding"] = file.packed, "gzip"
    headers["Content-Length"] = str(len(content))
    return HttpResponse(b"" if request.method == "HEAD" else content, content_type=file.content_type, headers=headers)
