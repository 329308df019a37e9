"""The manual followed once in a browser, in German: each chapter's steps are done on the pages, and each word that it
names of the program has to be pressed or seen meanwhile. Steps that are written anew fail until they are followed."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from tests.browsers import sign_in
from tests.tournament.pages import manual_evening, manual_others, manual_stages
from tests.tournament.pages.manual_reader import Reader, list_words, read_german
from tournament.mirror import sending
from tournament.mirror.sending import MirrorSender
from tournament.pages.manual import list_chapters

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from playwright.sync_api import Page

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

ELSEWHERE = {
    "Programm beenden": "the window of the first start: tests/config/packing",
    "Eine neue Version: Die Daten werden gesichert, bevor sie geändert werden …": "terminal: tests/config/test_tso.py",
    "Dieses Programm braucht Python 3.11 oder neuer": "terminal: tests/config/test_tso.py",
    "Port … ist nicht frei": "terminal: tests/tournament/management/commands/test_start.py",
    "Das Programm läuft schon": "terminal: tests/tournament/management/commands/test_start.py",
    "Diese Sicherung wiederherstellen": "a program that restarts: tests/tournament/backup/test_views_backups.py",
    "Diese Sicherungen löschen": "after somebody was forgotten: tests/tournament/backup/test_forgotten_names.py",
    "Spieler 48213": "an example of a number by chance: tests/tournament/registration/test_forgetting.py",
    "Stand …, aus dem Saal": "at a mirror: tests/tournament/mirror/test_same_pages.py",
    "Vorausgeplant": "where looking ahead changed a draw: tests/tournament/readings.py",
    "Entscheiden": "tests/tournament/registration/test_calling_off.py",
    "Es findet statt": "tests/tournament/registration/test_calling_off.py",
    "Absagen und allen schreiben": "tests/tournament/registration/test_calling_off.py",
    "Es findet doch statt": "tests/tournament/registration/test_calling_off.py",
    "Noch eine Person, gleiche E-Mail-Adresse": "tests/tournament/registration/test_companions.py",
    "Nach der Mitgliedsnummer fragen von": "tests/tournament/registration/test_membership_numbers.py",
    "Angesehen: nicht mehr fragen": "tests/tournament/registration/test_membership_numbers.py",
    "Brief vor dem Tag": "tests/tournament/registration/test_day_letters.py",
    "Urkunden per E-Mail": "tests/tournament/registration/test_certificate_letters.py",
    "Auch an alle, die ihn schon haben": "tests/tournament/registration/test_day_letters.py",
    **dict.fromkeys(
        ("Der Tag von selbst", "Sekunden vor jedem Schritt", "Noch nicht", "Weiter"),
        "a day that runs by itself: tests/tournament/by_itself/test_by_itself.py",
    ),
    "Verzögerung einstellen": "tests/games/replay/test_stream_delay.py",
    "Zu entscheiden": "tests/tournament/registration/test_calling_off.py",
    **dict.fromkeys(
        ("Beide erinnern", "Verlegen", "Ergebnis oder Wertung", "Meine offenen Partien", "Meinen Gegnern zeigen"),
        "a league over weeks: tests/tournament/registration/test_overdue_games.py",
    ),
    **dict.fromkeys(
        ("Kampflos", "Eine Mannschaft zieht zurück"), "a match as a unit: tests/tournament/teams/test_match_acts.py"
    ),
    "Partien, die gewertet werden": "a league over weeks: tests/tournament/entries/test_leaving_a_league.py",
    "Erinnerungen per Brief": "a league over weeks: tests/tournament/registration/test_reminders.py",
    **dict.fromkeys(
        ("Nächste Saison", "spielt nicht", "Nächste Saison anlegen"),
        "a league that is ended: tests/tournament/events/test_next_season.py",
    ),
    "Erst die Wertungszahlen zeigen": "somebody merely alike: tests/tournament/hand_in/test_confirming.py",
    "Tage der Runden": "a league over weeks: tests/tournament/rounds/test_due_days.py",
    "Alle Runden veröffentlichen": "a league over weeks: tests/tournament/rounds/test_due_days.py",
    "Spielplan drucken": "where all play all: tests/tournament/teams/test_schedule.py",
    "Runde 1 paaren": "a knock-out without rounds: tests/tournament/knockout/test_knockout_alone.py",
    **dict.fromkeys(
        (
            *("Schweizer System mit Finale", "Schweizer System mit Page-Play-off"),
            "Schweizer System mit Plätzen bis 8",
        ),
        "presets: tests/tournament/events/test_views_events.py",
    ),
    "Tage speichern": "a league over weeks: tests/tournament/rounds/test_due_days.py",
    "Nicht erneut innerhalb so vieler Runden": "an event by Keizer: tests/tournament/events/test_views_events.py",
    "nicht nötig": "after the first of two finals: tests/tournament/knockout/test_systems.py",
    "Vereinsabende nach Keizer": "an event by Keizer: tests/tournament/events/test_views_events.py",
    **dict.fromkeys(
        (
            *("Sitzplätze", "Sitzplatz vergeben", "Nicht nebeneinander", "Sitzplätze als PDF"),
            "Ergebnisbögen der Vereine",
            *("Mitteilungen der Berichtigungen", "Diese Mitteilung veröffentlichen", "Alle Betroffenen anschreiben"),
            "Mitteilungen als PDF",
            "Es setzt sich jemand, der nicht gemeldet ist …",
        ),
        "sessions of many: tests/games/duplicate/test_seats.py, test_clubs.py and test_notices.py",
    ),
}
"""Words of the program that its pages do not show here, and where they are."""

WALKS: dict[Callable[[Any, Path], None], dict[str, Callable[[Reader], None]]] = {
    manual_stages.nothing: {
        "new": manual_evening.follow_new,
        "overview": manual_evening.follow_overview,
        "entries": manual_evening.follow_entries,
        "check-in": manual_evening.follow_check_in,
        "coming-and-going": manual_evening.follow_coming_and_going,
        "fees": manual_evening.follow_fees,
        "export": manual_evening.follow_export,
        "settings": manual_evening.follow_settings,
    },
    manual_stages.example: {
        "results": manual_evening.follow_results,
        "one-result": manual_evening.follow_one_result,
        "statistics": manual_evening.follow_statistics,
        "corrections": manual_evening.follow_corrections,
        "print": manual_evening.follow_print,
        "table": manual_evening.follow_table,
        "chances": manual_evening.follow_chances,
        "ratings": manual_evening.follow_ratings,
        "report": manual_evening.follow_report,
        "phones": manual_evening.follow_phones,
        "visitors": manual_evening.follow_visitors,
        "players": manual_evening.follow_players,
        "codes": manual_evening.follow_codes,
        "screens": manual_evening.follow_screens,
        "members": manual_evening.follow_members,
        "backup": manual_evening.follow_backup,
        "laboratory": manual_evening.follow_laboratory,
        "register": manual_evening.follow_register,
        "seasons": manual_evening.follow_seasons,
        "faults": manual_evening.follow_faults,
        "draw": manual_evening.follow_draw,
    },
    manual_stages.at_the_tables: {
        "gcg": manual_others.follow_gcg,
        "sheets": manual_others.follow_sheets,
        "compare": manual_others.follow_compare,
        "photos": manual_others.follow_photos,
        "replay": manual_others.follow_replay,
        "referee": manual_others.follow_referee,
        "judge": manual_others.follow_judge,
    },
    manual_stages.hosted: {"sharing": manual_others.follow_sharing, "online-entry": manual_others.follow_online_entry},
    manual_stages.before_the_knockout: {"knockout": manual_others.follow_knockout},
    manual_stages.duplicate_evening: {
        "duplicate": manual_others.follow_duplicate,
        "sealed": manual_others.follow_sealed,
    },
    manual_stages.team_day: {"teams": manual_others.follow_teams},
    manual_stages.mirrored: {"internet": manual_others.follow_internet},
    manual_stages.played_out: {
        "prizes": manual_evening.follow_prizes,
        "hand-in": manual_evening.follow_hand_in,
        "end": manual_evening.follow_end,
        "ceremony": manual_evening.follow_ceremony,
    },
}
"""By stage, in the order in which the chapters are followed there."""


def test_every_chapter_is_followed() -> None:
    named = {key: set(list_words("de", key)) for key in list_chapters("de")}
    followed = {key for walks in WALKS.values() for key in walks}

    assert {key for key, words in named.items() if words - ELSEWHERE.keys()} == followed
    assert ELSEWHERE.keys() - set().union(*named.values()) == set()


@pytest.mark.parametrize("stage", WALKS, ids=lambda stage: stage.__name__)
def test_steps_of_the_manual_can_be_followed(
    stage: Callable[[Any, Path], None],
    page: Page,
    live_server: Any,
    settings: Any,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sending, "_running", MirrorSender(tmp_path, rng=Random(1)))  # as in a laptop's program
    stage(settings, tmp_path)
    sign_in(page.context, live_server.url)
    read_german(page.context, live_server.url)
    reader = Reader(page, live_server.url)

    left = {}
    for key, follow in WALKS[stage].items():
        reader.open_chapter(key)
        follow(reader)
        left[key] = reader.finish() - ELSEWHERE.keys()

    assert {key: words for key, words in left.items() if words} == {}
