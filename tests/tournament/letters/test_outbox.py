"""Letters that wait: none is lost, none goes twice."""

from collections.abc import Iterator
from contextlib import nullcontext
from datetime import timedelta
from smtplib import (
    SMTPAuthenticationError,
    SMTPConnectError,
    SMTPDataError,
    SMTPRecipientsRefused,
    SMTPSenderRefused,
    SMTPServerDisconnected,
)

import pytest
from django.core import mail
from django.core.mail import EmailMessage
from django.test import override_settings
from django.utils import timezone

from tests.threads import at_once
from tests.tournament.registration.registering import asked, delivered, open_entry, registered
from tournament.letters import outbox
from tournament.letters.outbox import (
    RETRY_PAUSES,
    deliver_letters,
    discard_letter,
    get_letter_language,
    post_letter,
    retry_letter,
)
from tournament.letters.words import describe_letter_fault
from tournament.models import Letter, Tournament

AWAY = {"EMAIL_BACKEND": "django.core.mail.backends.smtp.EmailBackend", "EMAIL_HOST": "localhost", "EMAIL_PORT": 1}
"""A server that nobody answers at."""


@pytest.fixture
def open_cup(cup: Tournament) -> Tournament:
    open_entry(cup, fee="15 Euro, vor Ort", note="Bitte ein Spiel mitbringen.")
    return cup


@pytest.fixture
def host() -> Iterator[None]:
    with override_settings(NAMED_HOSTS=["tso.example.org"], BEHIND_HTTPS=True):
        yield


@pytest.mark.usefixtures("host")
def test_letter_goes_in_the_language_of_the_event_and_leaves_nothing(open_cup: Tournament) -> None:
    open_cup.language = "nl"
    open_cup.save()
    registered(open_cup, "Amsel, Ada")

    first, second = delivered()

    assert first.to == ["amsel@example.org"]
    assert first.subject == "Graag bevestigen: Herbst-Cup"
    assert "https://tso.example.org/t/herbst-cup/registration/" in first.body
    assert "Inschrijfgeld: 15 Euro, vor Ort" in second.body
    assert "Bitte ein Spiel mitbringen." in second.body
    assert not Letter.objects.exists()


@pytest.mark.usefixtures("host")
def test_letter_of_an_event_that_leaves_it_to_browsers_speaks_as_the_page_did(open_cup: Tournament) -> None:
    open_cup.language = "browser"
    open_cup.save()
    contact = asked(open_cup, "Amsel, Ada")
    contact.language = "en"

    post_letter(contact, lambda: ("x", "y"))
    assert get_letter_language(contact) == "en"


def test_letters_wait_while_the_server_is_away_and_go_later(open_cup: Tournament) -> None:
    asked(open_cup, "Amsel, Ada")
    with override_settings(**AWAY):
        assert deliver_letters() == {"sent": 0, "later": 1, "given_up": 0}
        assert deliver_letters() == {"sent": 0, "later": 0, "given_up": 0}

    [letter] = Letter.objects.all()
    assert describe_letter_fault(letter.fault) == "Der Mailserver war nicht zu erreichen."
    assert delivered() == []
    assert len(delivered(timezone.now() + timedelta(minutes=3))) == 1


@pytest.mark.parametrize(
    ("fault", "told", "given_up"),
    [
        (SMTPRecipientsRefused({"x@y": (550, b"no")}), "Der Mailserver stellt an diese Adresse nicht zu.", True),
        (
            SMTPRecipientsRefused({"x@y": (451, b"4.7.1 Greylisted,\r\ncome again")}),
            "Der Mailserver hat ihn vorerst zurückgestellt: „451 4.7.1 Greylisted, come again“.",
            False,
        ),
        (SMTPDataError(451, b"busy"), "Der Mailserver hat ihn vorerst zurückgestellt: „451 busy“.", False),
        (SMTPSenderRefused(452, b"full", "t@y"), "Der Mailserver hat ihn vorerst zurückgestellt: „452 full“.", False),
        (SMTPConnectError(421, "busy"), "Der Mailserver hat ihn vorerst zurückgestellt: „421 busy“.", False),
        (SMTPAuthenticationError(454, b"later"), "Der Mailserver hat ihn vorerst zurückgestellt: „454 later“.", False),
        (ValueError("no address"), "Der Mailserver stellt an diese Adresse nicht zu.", True),
        (SMTPAuthenticationError(535, b"no"), "Der Mailserver nimmt Namen und Passwort des Programms nicht an.", False),
        (SMTPServerDisconnected("gone"), "Der Mailserver war nicht zu erreichen.", False),
        (SMTPDataError(554, b"spam"), "Der Mailserver hat ihn nicht angenommen: „554 spam“.", False),
    ],
    ids=[
        "refused",
        "address later",
        "letter later",
        "sender later",
        "busy",
        "sign-in later",
        "no address",
        "password",
        "gone",
        "refused as it is",
    ],
)
@pytest.mark.sampled(3)
def test_fault_of_a_letter_is_told_in_a_sentence(
    open_cup: Tournament, monkeypatch: pytest.MonkeyPatch, fault: Exception, told: str, given_up: bool
) -> None:
    asked(open_cup, "Amsel, Ada")

    def refused(_letter: EmailMessage) -> None:
        raise fault

    monkeypatch.setattr(EmailMessage, "send", refused)
    deliver_letters()

    [letter] = Letter.objects.all()
    assert describe_letter_fault(letter.fault) == told
    assert (letter.due_at is None) == given_up


def test_letter_is_given_up_in_the_end_and_can_be_sent_by_hand(open_cup: Tournament) -> None:
    asked(open_cup, "Amsel, Ada")
    now = timezone.now()
    with override_settings(**AWAY):
        for pause in RETRY_PAUSES:
            told = deliver_letters(now)
            now += pause + timedelta(seconds=1)

    assert told == {"sent": 0, "later": 0, "given_up": 1}
    letter = Letter.objects.get()
    assert letter.due_at is None
    retry_letter(letter)
    assert len(delivered()) == 1


def test_letter_that_no_server_takes_is_given_up_at_once(open_cup: Tournament) -> None:
    asked(open_cup, "Amsel, Ada")
    Letter.objects.update(to="böse\n@example.org")

    assert deliver_letters() == {"sent": 0, "later": 0, "given_up": 1}
    discard_letter(Letter.objects.get())
    assert not Letter.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_two_who_send_at_once_send_each_letter_once(cup: Tournament, monkeypatch: pytest.MonkeyPatch) -> None:
    # Stands for two processes, which would not wait for each other's lock.
    monkeypatch.setattr(outbox, "_DELIVERING", nullcontext())
    # As rows: whatever posts a letter also sends it in a thread of its own, which would be a third.
    now = timezone.now()
    Letter.objects.bulk_create(
        Letter(tournament=cup, to="amsel@example.org", subject=str(number), text="Text", made_at=now, due_at=now)
        for number in range(12)
    )

    told = at_once(deliver_letters, deliver_letters)

    assert sum(done["sent"] for done in told if isinstance(done, dict)) == 12
    assert sorted(int(letter.subject) for letter in mail.outbox) == list(range(12))
