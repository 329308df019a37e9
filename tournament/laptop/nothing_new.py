"""“Nothing new”, said by the thread that reads: no other one is woken for what hundreds of phones ask all the time."""

import time
from typing import Any

from waitress.utilities import build_http_date

from tournament import latest


def answer_known(channel: Any) -> None:
    """Answer a connection's next requests as long as memory knows the answer; what it does not know stays.

    Whoever calls it holds the connection's lock of requests, and nobody is answering any of them.
    """
    while channel.connected and channel.requests and _is_known(channel.requests[0]):
        channel.write_soon(_nothing_new(channel.server.adj.ident))
        channel.requests.pop(0).close()


def _is_known(request: Any) -> bool:
    """Whether a request is a question to which the answer is “nothing new”, and is not sent on to the view."""
    is_plain = request.error is None and request.version == "1.1" and not request.connection_close
    if not is_plain or request.command != "GET" or not latest.is_known(request.path, request.query):
        return False
    request.is_sent_on = latest.is_to_ask(request.path)
    return not request.is_sent_on


def _nothing_new(ident: str) -> bytes:
    """The answer as it goes over the wire."""
    headers = [*latest.HEADERS, ("Date", build_http_date(time.time())), ("Server", ident)]
    lines = ["HTTP/1.1 204 No Content", *(f"{name}: {value}" for name, value in headers)]
    return "\r\n".join([*lines, "", ""]).encode("latin-1")
