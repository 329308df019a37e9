"""The languages in which an event can speak to its players: on its public pages and on paper."""

from enum import StrEnum

from django.conf import settings
from django.http import HttpRequest
from django.utils import translation

from scoring import rulesets


class PageLanguage(StrEnum):
    """The program's languages by their codes, or whatever each visitor's browser asks for."""

    GERMAN = "de"
    ENGLISH = "en"
    DUTCH = "nl"
    BROWSER = "browser"


def get_usual_language(ruleset: str) -> PageLanguage:
    """The language of the letters with which a ruleset is played; German for a ruleset that is not known."""
    known = rulesets.RULESETS.get(ruleset)
    return PageLanguage(known.letters) if known else PageLanguage.GERMAN


def get_chosen_language(request: HttpRequest) -> str | None:
    """The language that a visitor has chosen by the switch; None without a choice, or with one unknown here."""
    code = request.COOKIES.get(settings.LANGUAGE_COOKIE_NAME)
    return code if code in dict(settings.LANGUAGES) else None


def choose_page_language(request: HttpRequest, language: str) -> str:
    """The code of the language in which an event's page answers: the visitor's choice goes before the event's."""
    if found := get_chosen_language(request):
        return found
    return translation.get_language_from_request(request) if language == PageLanguage.BROWSER else language


def choose_paper_language(language: str) -> str:
    """The code of the language in which an event's paper is printed: its own, or the active one if browsers choose."""
    return get_active_language() if language == PageLanguage.BROWSER else language


def get_active_language() -> str:
    """The code of the language that is spoken now."""
    return translation.get_language() or settings.LANGUAGE_CODE
