"""A hall with a running event, a club that shows it, and a line between them."""

from collections.abc import Callable

import pytest

from tests import factories
from tournament.mirror.messages import Answer, Message, MessageKind, is_signed, make_secret, pack_state, sign
from tournament.mirror.receiving import create_mirror_link, take_message
from tournament.models import Division, MirrorLink, Tournament
from tournament.public_state import load_public_state, make_public_state_json

Send = Callable[..., Answer]


@pytest.fixture(scope="module")
def division_of_module(*, shares_rows: bool) -> Division:
    """An event in the hall: one round played, the second half."""
    division = factories.event(players=6)
    factories.played(division, (400, 380), (410, 300), (350, 349))
    factories.published(factories.fresh(division))
    return division


@pytest.fixture
def division(division_of_module: Division, db: None) -> Division:
    return factories.fresh(division_of_module)


@pytest.fixture
def link(division: Division) -> MirrorLink:
    return create_mirror_link(factories.organiser("Schaufenster"), name="Herbst-Cup")


@pytest.fixture
def send(division: Division, link: MirrorLink) -> Send:
    """Send a message by the link as a laptop does; without a payload a state is the event's as it is now."""
    count = iter(range(1, 1000))

    def send(kind: MessageKind = MessageKind.STATE, *, payload: bytes | None = None, **given: object) -> Answer:
        if payload is None:
            payload = pack_now(division) if kind == MessageKind.STATE else b""
        values = {"revision": next(count), "sender": "laptop1", **given}
        content = Message(kind, payload=payload, **values).pack()  # type: ignore[arg-type]  # as given
        secret = make_secret(link)
        answer, signature = take_message(link.nonce, content, sign(secret, content))
        assert is_signed(secret, answer, signature)
        link.refresh_from_db()
        return Answer.unpack(answer)

    return send


def pack_now(division: Division) -> bytes:
    state = load_public_state(Tournament.objects.get(pk=division.tournament_id))
    assert state is not None
    return pack_state(make_public_state_json(state))
