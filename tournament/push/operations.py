"""Browsers are told what is new at an event: who sits where, results, the end. Nothing waits for it: a process of its
own (`manage.py send_push`) looks at the public state every few seconds and sends what a browser does not know yet. What
is held back is told once it is shown. A message that a service does not take is tried again, less and less often, as
long as it is still news; a browser that its service does not know any more is forgotten."""

import json
import logging
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from http import HTTPStatus
from typing import Any

from django.conf import settings
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _

from tournament.basics import limits
from tournament.basics.addresses import build_full_address, get_service_address
from tournament.basics.web_addresses import BadAddress, post, read_service_address
from tournament.core.public_view import open_public_view
from tournament.core.records import delete_crowding_rows
from tournament.models import Entry, PushSubscription, Tournament
from tournament.push.facts import Fact, load_event_facts
from tournament.push.keys import load_key
from tournament.table.following import MOST_FOLLOWED, find_followed

logger = logging.getLogger(__name__)

RETRY_PAUSES = tuple(timedelta(minutes=minutes) for minutes in (1, 2, 5, 15, 60))
"""The pause after each failure; after the last one the browser is forgotten."""

KEPT_AFTER_END = timedelta(days=7)
LIFETIME = 3600  # seconds for which a service keeps a message: where somebody sits is old news then
TIMEOUT = 10  # seconds for a message and the answer of a service, however slowly it drips
MOST_ANSWER_BYTES = 64 * 1024
CLAIM_SECONDS = 12 * 3600  # for which a service may believe that we sent it
CONTENT_CODING = "aes128gcm"
SENT_AT_ONCE = 8
MOST_LINES = 6  # of one message: a service takes 4,096 bytes
LINE_LETTERS = 160


class BadSubscription(Exception):
    """What a browser sent is no subscription that is taken."""


def save_subscription(tournament: Tournament, sent: Any, *, client_address: str = "") -> None:
    """Keep a browser's wish to be told of whom it follows, or forget it if it follows nobody. What is known now is not
    told again. Where all places of the event are taken, the address that has most of them gives up its oldest. Raises
    `BadSubscription`."""
    if not isinstance(sent, Mapping):
        raise BadSubscription("no object")
    endpoint = _read_text(sent.get("endpoint"), limits.PUSH_ENDPOINT)
    try:
        # Anybody may send this, and we post to it later: an address in our own network must not be one that we ask.
        read_service_address(endpoint, settings.PUSH_SERVICES)
    except BadAddress as fault:
        raise BadSubscription("no push service that is known") from fault
    follows = sent.get("follow")
    if not isinstance(follows, list) or not all(isinstance(follow, str) for follow in follows):
        raise BadSubscription("follow: no list of texts")
    entries = list(Entry.objects.filter(tournament=tournament).with_names())
    following = find_followed(follows[:MOST_FOLLOWED], entries)
    own_subscription = PushSubscription.objects.filter(tournament=tournament, endpoint=endpoint)
    if not following.named:
        own_subscription.delete()
        return
    keys = sent.get("keys")
    if not isinstance(keys, Mapping):
        raise BadSubscription("keys: no object")
    language = sent.get("language")
    with open_public_view(tournament) as view:
        facts = load_event_facts(tournament)
        fact_keys = [fact.key for entry in following.entries for fact in facts.get(entry, ())]
    values = {
        "p256dh": _read_text(keys.get("p256dh"), limits.PUSH_KEY),
        "auth": _read_text(keys.get("auth"), limits.PUSH_KEY),
        # What is sent may be anything, and each message is written in that language later.
        "language": language if language in dict(settings.LANGUAGES) else settings.LANGUAGE_CODE,
        "follows": list(following.named),
        "told": fact_keys,
        "seen": view.state,
    }
    origin = salted_hmac(f"push {tournament.pk}", client_address).hexdigest()[: limits.ORIGIN]
    # Only of a new one: whoever changes a wish keeps their place among those from one address, the oldest of which goes
    # first.
    columns = {**values, "made_at": timezone.now(), "origin": origin}
    # Only a new one needs a place: whoever changes whom they follow must not push anybody out, least of all themselves.
    if not own_subscription.exists():
        delete_crowding_rows(tournament.push_subscriptions.all(), most=limits.PUSH_SUBSCRIPTIONS, age="made_at")
    PushSubscription.objects.update_or_create(
        tournament=tournament, endpoint=endpoint, defaults=values, create_defaults=columns
    )


def _read_text(value: object, length: int) -> str:
    if not isinstance(value, str) or not value or len(value) > length or not value.isascii() or not value.isprintable():
        raise BadSubscription("a text is missing or too long")
    return value


# Sending.


class Delivery(StrEnum):
    """How the delivery of a message ended."""

    SENT = "sent"
    LATER = "later"
    GONE = "gone"


@dataclass(frozen=True, slots=True)
class PushMessage:
    """What one browser is to be told: the keys of all facts of now, and in `content` the new ones."""

    subscription: PushSubscription
    state: str
    fact_keys: list[str]
    content: str


def send_push_messages(now: datetime | None = None) -> dict[str, int]:
    """Tell each browser what is new to it, each once even if others send too, and forget those of old events."""
    now = now or timezone.now()
    ended = Q(tournament__is_ended=True, tournament__ends_on__lt=(now - KEPT_AFTER_END).date())
    old = Q(made_at__lt=now - 4 * KEPT_AFTER_END)  # an event without days, or one that nobody ends
    push_subscriptions = PushSubscription.objects.filter((ended & Q(made_at__lt=now - KEPT_AFTER_END)) | old)
    forgotten = push_subscriptions.delete()[0]
    messages = [
        message
        for tournament in Tournament.objects.public().filter(push_subscriptions__isnull=False).distinct()
        for message in _list_messages(tournament, now)
        if _claim(message.subscription, now)
    ]
    if messages:
        load_key()  # before several threads ask for it
    # Several at once: a service that answers nothing for ten seconds would keep the news from everybody behind it.
    with ThreadPoolExecutor(SENT_AT_ONCE) as pool:
        outcomes = list(pool.map(_deliver, messages))
    for message, outcome in zip(messages, outcomes, strict=True):
        forgotten += _note_outcome(message, outcome)
    sent, later = (outcomes.count(outcome) for outcome in (Delivery.SENT, Delivery.LATER))
    return {"sent": sent, "later": later, "forgotten": forgotten}


def _list_messages(tournament: Tournament, now: datetime) -> list[PushMessage]:
    """What the browsers of an event are to be told; those that know all are noted as having seen this state."""
    with open_public_view(tournament) as view:
        due = Q(due_at=None) | Q(due_at__lte=now)
        # Whoever has seen this state and waits for no second try has nothing to hear: nearly every browser, every few
        # seconds.
        waiting = list(tournament.push_subscriptions.filter(due).exclude(seen=view.state, due_at=None).order_by("pk"))
        messages, informed = [], []
        for language in sorted({wish.language for wish in waiting}):
            with translation.override(language):
                facts = load_event_facts(tournament)
                for subscription in (wish for wish in waiting if wish.language == language):
                    message = _write_message(tournament, subscription, facts, view.state)
                    messages += [message] if message else []
                    informed += [] if message else [subscription.pk]
    PushSubscription.objects.filter(pk__in=informed).update(seen=view.state, due_at=None, tries=0)
    return messages


def _write_message(
    tournament: Tournament, subscription: PushSubscription, event_facts: Mapping[Entry, Sequence[Fact]], state: str
) -> PushMessage | None:
    """What is new to a browser; None if nothing is."""
    followed = find_followed(subscription.follows, tuple(event_facts)).entries
    facts = [fact for entry in followed for fact in event_facts.get(entry, ())]
    news = [fact for fact in facts if fact.key not in subscription.told]
    if not news:
        return None
    title, body = _put_into_words(tournament, news)
    address = build_full_address(reverse("public:tournament", args=[tournament.slug]))
    content = json.dumps({"title": title, "body": body, "url": address}, ensure_ascii=False)
    # The keys of all that is so now, not of the news alone: a result that is corrected, and corrected back, is news
    # again.
    return PushMessage(subscription, state, [fact.key for fact in facts], content)


def _put_into_words(tournament: Tournament, news: Sequence[Fact]) -> tuple[str, str]:
    """The title and the text of one message."""
    names = {fact.name for fact in news}
    if len(names) == 1:
        return f"{news[0].name} · {tournament.name}", "\n".join(_shorten_line(fact.text) for fact in news)
    lines = [_shorten_line(f"{fact.name}: {fact.text}") for fact in news[:MOST_LINES]]
    if more := len(news) - len(lines):
        lines.append(_("and %(count)s more") % {"count": more})
    return tournament.name, "\n".join(lines)


def _shorten_line(line: str) -> str:
    return line if len(line) <= LINE_LETTERS else f"{line[: LINE_LETTERS - 1]}…"


def _claim(subscription: PushSubscription, now: datetime) -> bool:
    """Claim a browser for this process by putting off the next attempt."""
    pause = RETRY_PAUSES[min(subscription.tries, len(RETRY_PAUSES) - 1)]
    same = Q(pk=subscription.pk, due_at=subscription.due_at, tries=subscription.tries, seen=subscription.seen)
    # The state as it was read is part of the question: of two processes that found the message due, the second changes
    # no row and sends nothing.
    claimed = PushSubscription.objects.filter(same).update(due_at=now + pause, tries=subscription.tries + 1)
    return claimed == 1


def _deliver(message: PushMessage) -> Delivery:
    """Send one message, encrypted for its browser. Asks no database: it runs in a thread of its own."""
    to = message.subscription
    try:
        address = read_service_address(to.endpoint, settings.PUSH_SERVICES)
        content = _encrypt(message)
    except ValueError:  # no address that is asked any more, or keys that are none
        return Delivery.GONE
    claims = {"sub": get_service_address(), "aud": address.origin, "exp": int(time.time()) + CLAIM_SECONDS}
    headers = {
        **load_key().sign(claims),
        "Content-Encoding": CONTENT_CODING,
        "Content-Type": "application/octet-stream",
        "TTL": str(LIFETIME),
    }
    try:
        status = post(address, content, headers, seconds=TIMEOUT, most_bytes=MOST_ANSWER_BYTES).status
    except OSError as fault:
        logger.info("A push service could not be asked: %s", type(fault).__name__)
        return Delivery.LATER
    if status in (HTTPStatus.OK, HTTPStatus.CREATED, HTTPStatus.ACCEPTED):
        return Delivery.SENT
    logger.info("A push service answered %s.", status)  # nobody's address is in the log
    return Delivery.GONE if status in (HTTPStatus.NOT_FOUND, HTTPStatus.GONE) else Delivery.LATER


def _encrypt(message: PushMessage) -> bytes:
    """The message encrypted for its browser. Raises `ValueError` for keys that are not valid."""
    from pywebpush import WebPusher, WebPushException  # noqa: PLC0415  # comes with requirements-hosted.txt

    to = message.subscription
    try:
        keys = {"endpoint": to.endpoint, "keys": {"p256dh": to.p256dh, "auth": to.auth}}
        return bytes(WebPusher(keys).encode(message.content.encode(), CONTENT_CODING)["body"])
    except (WebPushException, TypeError) as fault:
        raise ValueError("keys") from fault


def _note_outcome(message: PushMessage, outcome: Delivery) -> int:
    """Note what a browser has been told; return 1 if the browser is forgotten, else 0."""
    push_subscriptions = PushSubscription.objects.filter(pk=message.subscription.pk)
    is_last = message.subscription.tries + 1 >= len(RETRY_PAUSES)
    if outcome == Delivery.GONE or (outcome == Delivery.LATER and is_last):
        return push_subscriptions.delete()[0]
    # Only now, and not when it was claimed: what a service does not take is still news.
    if outcome == Delivery.SENT:
        push_subscriptions.update(told=message.fact_keys, seen=message.state, due_at=None, tries=0)
    return 0
