"""“Nothing new”, answered before Django: most of what a hall full of phones asks.

What is answered here is what the view answered a moment ago, see `tournament.basics.latest`. All else goes on to the
application, and one question now and then, so that the memory stays true.
"""

from collections.abc import Callable, Iterable
from typing import Any

from tournament.basics.latest import NEWS_HEADERS, SENT_ON_KEY, is_nothing_new, should_ask_view

Application = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]


def wrap_with_quick_news(application: Application) -> Application:
    """The application, asked only where the memory does not know the answer."""

    def answered(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        asks = environ.get("REQUEST_METHOD") == "GET" and not environ.get(SENT_ON_KEY)
        path = environ.get("PATH_INFO", "")
        if asks and is_nothing_new(path, environ.get("QUERY_STRING", "")) and not should_ask_view(path):
            start_response("204 No Content", list(NEWS_HEADERS))
            return []
        return application(environ, start_response)

    return answered
