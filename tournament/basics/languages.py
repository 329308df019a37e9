"""The languages that an event's public pages and paper can be in."""

from enum import StrEnum

from django.conf import settings
from django.http import HttpRequest
from django.utils import translation

from scoring import rulesets


class PageLanguage(StrEnum):
    """A language of the program, by its code, or whatever each visitor's browser asks for."""

    GERMAN = "de"
    ENGLISH = "en"
    DUTCH = "nl"
    BROWSER = "browser"


def get_usual_language(ruleset: str) -> PageLanguage:
    """The language of the tiles that a ruleset is played with; German for an unknown ruleset."""
    rules = rulesets.RULESETS.get(ruleset)
    return PageLanguage(rules.letters) if rules else PageLanguage.GERMAN


def get_chosen_language(request: HttpRequest) -> str | None:
    """The language that the visitor chose with the switch; None if they chose none that the program knows."""
    code = request.COOKIES.get(settings.LANGUAGE_COOKIE_NAME)
    return code if code in dict(settings.LANGUAGES) else None


def choose_page_language(request: HttpRequest, language: str) -> str:
    """The code of the language for an event's page: the visitor's choice, else the event's own."""
    if page_language := get_chosen_language(request):
        return page_language
    return translation.get_language_from_request(request) if language == PageLanguage.BROWSER else language


def choose_paper_language(language: str) -> str:
    """The language code for an event's paper: the event's own, or the active one where each browser chooses."""
    return get_active_language() if language == PageLanguage.BROWSER else language


def get_active_language() -> str:
    """The code of the active language."""
    return translation.get_language() or settings.LANGUAGE_CODE
