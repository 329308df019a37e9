"""The chapters beside the evening followed on the pages: at tables, knock-out, duplicate, teams, internet."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from django.utils import timezone

from tests import factories
from tests.browsers import keys
from tests.games.gcg.games import GERMAN
from tests.games.judge.conftest import LIST
from tests.games.photos import samples
from tests.tournament.knockout import knockouts
from tests.tournament.pages.manual_stages import make_mirror_address
from tests.tournament.registration.registering import registered
from tournament.letters.outbox import deliver_letters
from tournament.mirror.sending import Progress, SendFault, get_sender
from tournament.models import Division, MirrorTarget, Pairing, Registration, Round, Tournament

if TYPE_CHECKING:
    from tests.tournament.pages.manual_reader import Reader

CUP = "/director/herbst-cup/"


def follow_sheets(reader: Reader) -> None:
    reader.go(CUP + "results/1/")
    reader.page.locator("[data-playing]").nth(2).hover()
    reader.page.locator(".grid-sheet").nth(2).click()
    reader.press("Beginnen", "Auslosung des Anzugs")
    reader.page.locator("[name=position]").focus()
    keys(reader.page, "8H ABER 12", "Enter")
    reader.page.locator("[data-line]").first.click()
    reader.press_besides("Art, Grund")
    reader.go(reader.path.partition("?")[0])
    reader.press("Spielende")
    reader.go(CUP + "results/1/")
    reader.press_besides("Wertungsbogen")
    factories.result(Round.objects.get(), 4, 300, 290)
    reader.go(CUP + "results/1/")
    reader.press("Korrigieren", "Bögen und Fotos")


def follow_compare(reader: Reader) -> None:
    reader.go(CUP + "results/1/")
    reader.press_besides("Wertungsbogen")
    reader.press("Vergleich", "Diese Zeile nehmen")
    factories.result(Round.objects.get(), 1, 300, 290)
    reader.page.reload()


def follow_photos(reader: Reader) -> None:
    reader.go(CUP + "results/1/")
    reader.press_besides("Wertungsbogen")
    reader.press("Fotos")


def follow_gcg(reader: Reader) -> None:
    reader.go(CUP + "results/1/")
    reader.page.locator("[data-playing]").nth(3).hover()
    reader.page.locator(".grid-sheet").nth(3).click()
    reader.press("GCG")
    reader.page.get_by_label("Text einer GCG-Datei").fill(GERMAN)
    reader.press("Ansehen")
    reader.press("Übernehmen")
    reader.find("Als GCG speichern")


def follow_replay(reader: Reader) -> None:
    reader.go(CUP + "results/1/")
    reader.page.locator("[data-playing]").nth(1).hover()
    reader.page.locator(".grid-sheet").nth(1).click()
    reader.press("GCG", "Nicht mehr veröffentlichen", "Partie veröffentlichen")
    reader.go("/t/herbst-cup/rounds/1/")
    reader.page.locator("a[href*='/game/']").first.click()
    reader.page.wait_for_url("**/game/**")


def follow_referee(reader: Reader) -> None:
    reader.go(CUP + "results/1/")
    reader.press("Zeit, Strafe, Wertung …", "Schiedsrichter")
    table = Pairing.objects.get(round__number=1, table=3)
    at_table = f"{CUP}result/{table.pk}/referee/"
    reader.go(at_table)
    reader.page.get_by_label("Wort 1", exact=True).fill("QUARX")
    reader.page.get_by_label("Wort 1: Entscheidung").select_option(label="unzulässig")
    reader.page.locator("[name=challenger]").first.check()
    reader.press("Anfechtung vermerken")
    reader.go(at_table)
    reader.press_besides("Handy oder anderes Gerät")
    reader.page.locator("main [type=radio]").first.check()
    reader.page.get_by_label("Strafpunkte").first.check()
    reader.fill(points="20")
    reader.press("Vermerken")
    reader.go(at_table)
    factories.result(table.round, 3, 400, 300)
    reader.go(at_table)
    reader.press("Punkte jetzt abziehen")
    reader.go(at_table)
    reader.go(CUP + "results/1/")
    reader.go(at_table)
    reader.press("Disqualifikation")
    reader.page.locator("main [type=radio]").first.check()
    reader.page.get_by_label("Vom ganzen Turnier disqualifiziert").check()
    reader.press("Vermerken", "Vermerken und das Ergebnis ändern")
    reader.go(CUP + "table/")
    reader.go(at_table)
    reader.press("Alle Vorfälle des Turniers")
    reader.go(at_table)
    reader.press("Streichen")
    reader.go(CUP + "entries/")
    for name in ("Fuchs, Emil", "Aumann, Klara"):
        reader.go(CUP + "entries/")
        reader.press_besides(name)
    reader.press("Zurückziehen")


def follow_judge(reader: Reader) -> None:
    reader.go(CUP + "judge/")
    reader.go("/director/")
    reader.press("Wortlisten")
    reader.upload("list.txt", "text/plain", LIST.encode())
    reader.page.locator("main form button.btn-primary").first.click()
    reader.go(CUP)
    reader.press("Mehr", "Computerschiedsrichter")
    for text in ("haus", "aume"):
        reader.go(CUP + "judge/")
        reader.page.wait_for_selector(".judge-ready")
        keys(reader.page, text, "1", "0")
        reader.page.wait_for_selector("#judge-answer")
        reader.look()
    reader.go(CUP + "journal/")
    reader.press("Zu den Fragen")


def follow_sharing(reader: Reader) -> None:
    reader.go("/t/herbst-cup/?follow=P01")
    reader.press("Teilen und einbetten")
    reader.go(CUP + "settings/")
    reader.press("Mitnehmen und exportieren")


def follow_online_entry(reader: Reader) -> None:
    cup = factories.event("Winter", players=2).tournament
    reader.go("/director/winter/")
    reader.press("Teilnehmer", "Anmeldungen")
    reader.page.locator("[name=is_on]").check()
    reader.page.locator("main form button.btn-primary").first.click()
    reader.page.wait_for_url("**/registrations/")
    reader.press("Einrichten")
    registered(cup, "Amsel, Ada")
    confirmed = {"state": Registration.State.CONFIRMED, "at": timezone.now()}
    for name in ("Amsel, Ada", "Aumann, Clara"):
        Registration.objects.create(tournament=cup, division=cup.divisions.get(), name=name, **confirmed)
    deliver_letters(timezone.now())
    reader.go("/director/winter/registrations/")
    reader.press_besides("Als Teilnehmer übernehmen")
    reader.go("/director/")
    reader.press("Sicherungen")
    reader.go("/t/winter/announcement/")
    reader.press("Zum Turnier anmelden")


def follow_knockout(reader: Reader) -> None:
    reader.go(CUP)
    reader.press_besides("Runden")
    reader.press("K.‑o.-Phase", "K.‑o.-Phase ausschreiben")
    reader.press("ein eigenes Kriterium")
    reader.page.get_by_label("Das eigene Kriterium in Worten").wait_for()
    reader.look()
    reader.go(CUP + "knockout/announce/")
    reader.page.get_by_label("Doppel-K.‑o.").check()
    reader.page.get_by_text("falls nötig").first.wait_for()
    reader.look()
    reader.go(CUP + "knockout/announce/")
    reader.page.get_by_label("4", exact=True).check()
    reader.page.get_by_label("Spiel um Platz 3").check()
    reader.press_besides("Ausschreiben")
    reader.press("Ausschreibung ändern")
    reader.go(CUP + "knockout/")
    reader.press("Trotzdem jetzt setzen", "Setzen, obwohl sich die Tabelle noch ändern kann", "Setzliste bestätigen")
    reader.press_besides("So wird gespielt")
    reader.find("Setzliste zurücknehmen")
    division = Division.objects.get()
    knockouts.play(division, 1, 1, 1, 400, 400)
    reader.go(CUP + "knockout/")
    reader.press("Nicht erfasst: …")
    reader.press("Vom Programm losen lassen")
    knockouts.play(division, 1, 2, 1, 410, 390)
    knockouts.play(division, 2, 1, 1, 410, 390)
    reader.go(f"{CUP}result/{knockouts.game(division, 1, 2).pk}/")
    reader.fill(first_points="380", second_points="390")
    reader.press("Auswirkungen ansehen")
    reader.go(f"{CUP}result/{knockouts.game(division, 1, 1).pk}/")
    reader.press_besides("Höchste Züge")
    reader.go(CUP + "knockout/")
    own = knockouts.seeded(criteria=("own",), own_criterion="längstes Wort")
    knockouts.play(own, 1, 1, 1, 400, 400)
    reader.go("/director/herbst-cup-2/knockout/")
    reader.go(CUP + "print/")


def follow_duplicate(reader: Reader) -> None:
    reader.go("/director/tournaments/new/")
    reader.go(CUP)
    reader.press_besides("Speichern")
    reader.press("Steine ziehen")
    reader.press("Uhr starten")


def follow_sealed(reader: Reader) -> None:
    factories.event("Simultaan", players=0, rounds=0, ruleset="sbnl-duplicate", minutes=None)
    reader.go("/director/simultaan/duplicate/prepare/")
    reader.press("Partie für mehrere Vereine vorbereiten")
    reader.go("/director/simultaan/duplicate/prepare/")
    reader.press("Vorbereitete Partie einlesen")


def follow_teams(reader: Reader) -> None:
    slug = Tournament.objects.get().slug
    reader.go(f"/director/{slug}/settings/?all=yes")
    reader.press("Mannschaften")
    reader.go(f"/director/{slug}/teams/")
    reader.press("Aufstellungen")
    reader.go(f"/director/{slug}/rounds/draw/")
    reader.page.locator("main form button[type=submit]").first.click()
    reader.page.wait_for_url("**/rounds/1/**")
    reader.page.locator(".pick").first.click()
    reader.press("Heimrecht tauschen")
    reader.go(f"/director/{slug}/rounds/1/")
    reader.press_besides("Nur veröffentlichen")
    reader.go(f"/director/{slug}/print/")


def follow_internet(reader: Reader) -> None:
    reader.go(CUP)
    reader.press("Mehr", "Im Internet")
    reader.page.locator("main details").first.click()
    reader.fill(link=make_mirror_address())
    reader.press("Turnier dorthin senden")
    [target] = MirrorTarget.objects.all()
    sender = get_sender()
    assert sender is not None
    for progress in (Progress(sent_at=time.time()), *(Progress(fault=fault) for fault in SendFault)):
        sender.progress[target.pk] = progress
        reader.go(CUP + "mirror/")
    reader.press_besides("Anderer Link")
    reader.upload("picture.png", "image/png", samples.picture())
    reader.press("Turnier dorthin senden")
    reader.go("/director/")
    reader.press("Mitglieder", "Spiegel")
