"""Which server sends letters, as the environment names it."""

import pytest

from config import mail
from config.environment import BadSetting

HOSTS = ["tso.example.org"]
FROM = {"TSO_MAIL_FROM": "TSO <tso@example.org>"}


def test_without_an_address_there_is_none() -> None:
    assert mail.read_mail_server([], {}) is None


@pytest.mark.parametrize(
    ("address", "port"),
    [("smtp+tls://me%40x:p%2Fw@mail.example.org", 587), ("smtps://me%40x:p%2Fw@mail.example.org:2465", 2465)],
)
def test_server_is_read_from_its_address(address: str, port: int) -> None:
    found = mail.read_mail_server(HOSTS, {"EMAIL_URL": address, **FROM})

    assert found == mail.MailServer(
        address.partition(":")[0], "mail.example.org", port, "me@x", "p/w", FROM["TSO_MAIL_FROM"]
    )


@pytest.mark.parametrize(
    ("hosts", "environ", "said"),
    [
        (HOSTS, {"EMAIL_URL": "imap://me:secret@mail.example.org", **FROM}, "me:.*@mail.example.org'.*smtp.tls://"),
        (HOSTS, {"EMAIL_URL": "smtps://mail.example.org"}, "TSO_MAIL_FROM=''"),
        (HOSTS, {"EMAIL_URL": "smtps://mail.example.org", "TSO_MAIL_FROM": "the club"}, "TSO_MAIL_FROM='the club'"),
        ([], {"EMAIL_URL": "smtps://mail.example.org", **FROM}, "TSO_HOSTS"),
        (["*"], {"EMAIL_URL": "smtps://mail.example.org", **FROM}, "TSO_HOSTS"),
        ([".example.org"], {"EMAIL_URL": "smtps://mail.example.org", **FROM}, "TSO_HOSTS"),
    ],
)
def test_wrong_values_are_refused(hosts: list[str], environ: dict[str, str], said: str) -> None:
    with pytest.raises(BadSetting, match=said) as refusal:
        mail.read_mail_server(hosts, environ)

    assert "secret" not in str(refusal.value)
