"""Files for the browser under names that say what is in them, so that a browser may keep them for good."""

import hashlib
import re
from functools import lru_cache
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles import finders
from django.contrib.staticfiles.storage import StaticFilesStorage

NAMED_PATTERN = re.compile(r"(?P<stem>.+)\.(?P<digest>[0-9a-f]{12})(?P<ending>\.[a-z0-9]+)")


class ContentNamedStorage(StaticFilesStorage):
    """What `{% static %}` asks: tso.css is at /static/tso.0123456789ab.css. While developing names stay plain."""

    def url(self, name: str | None) -> str:
        # Plain while developing: a file that is changed has its name remembered until the process ends.
        return super().url(name if name is None or settings.DEBUG else _name_by_content(name))


@lru_cache
def _name_by_content(name: str) -> str:
    path = find_static_file(name)
    if path is None:
        return name
    stem, dot, ending = name.rpartition(".")
    return f"{stem}.{name_content(path.read_bytes())}{dot}{ending}"


def name_content(content: bytes) -> str:
    """What stands for a file's content in its name."""
    return hashlib.sha256(content).hexdigest()[:12]


def split_content_name(name: str) -> tuple[str, str]:
    """A file's plain name, and what stands for its content; "" if the name is plain."""
    match = NAMED_PATTERN.fullmatch(name)
    return (f"{match['stem']}{match['ending']}", match["digest"]) if match else (name, "")


def find_static_file(name: str) -> Path | None:
    """The file of a plain name or of one that says its content, whichever content that was; None if there is none."""
    plain, _digest = split_content_name(name)
    file_path = finders.find(plain)
    return Path(file_path) if isinstance(file_path, str) else None
