"""Whether this installation can tell browsers of news, and the key by which their makers' services know it (VAPID, RFC
8292)."""

from base64 import urlsafe_b64encode
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from django.conf import settings

from tournament.backup.files import create_whole_file
from tournament.basics.addresses import get_service_address

if TYPE_CHECKING:
    from py_vapid import Vapid02

KEY_FILE = "push-key.pem"


def is_push_offered() -> bool:
    """Whether browsers can be told of news: by a hosted service over https that has the library."""
    is_hosted = settings.HOSTED and settings.BEHIND_HTTPS and bool(get_service_address())
    return is_hosted and find_spec("pywebpush") is not None


def load_key() -> "Vapid02":
    """The installation's private key, made when it is first needed, readable by its owner only."""
    return _load_key(Path(settings.DATA_DIR) / KEY_FILE)


@lru_cache(maxsize=1)
def _load_key(path: Path) -> "Vapid02":
    from py_vapid import Vapid02  # noqa: PLC0415  # comes with requirements-hosted.txt

    if not path.exists():
        vapid = Vapid02()
        vapid.generate_keys()
        create_whole_file(path, vapid.private_pem())
    # Read back, not taken from the making: another process may have been first, and browsers are bound to one key.
    return Vapid02.from_pem(path.read_bytes())


def get_public_key() -> str:
    """The public key as browsers take it: the uncompressed point in base64url."""
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat  # noqa: PLC0415  # as above

    point = load_key().public_key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    return urlsafe_b64encode(point).rstrip(b"=").decode()
