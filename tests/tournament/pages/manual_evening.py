"""The chapters about an evening, from the entries to the ceremony, followed on the pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests import factories
from tests.browsers import keys
from tests.tournament.pages.manual_stages import find_open_game, make_link
from tests.tournament.rounds.test_outlook import evening
from tournament.models import SamePerson

if TYPE_CHECKING:
    from tests.tournament.pages.manual_reader import Reader

CUP = "/director/herbst-cup/"


def follow_new(reader: Reader) -> None:
    reader.go("/director/")
    reader.press("Neues Turnier")
    reader.press_besides("Vereinsabend")
    reader.press("Was sie setzt")
    reader.fill(name="Herbst-Cup")
    reader.press_besides("Anlegen und Spieler eintragen")
    reader.page.wait_for_url("**/herbst-cup/entries/")


def follow_overview(reader: Reader) -> None:
    reader.go(CUP)
    keys(reader.page, "?")
    reader.page.locator("#shortcuts").wait_for()
    reader.look()
    keys(reader.page, "Escape", "gr")
    reader.page.wait_for_url("**/rounds/**")
    reader.go(CUP)
    reader.press("Mehr")
    reader.go("/t/herbst-cup/")
    reader.press("Zurück zur Arbeit")


def follow_entries(reader: Reader) -> None:
    reader.go(CUP + "entries/")
    for name in ("Aumann, Klara", "Bianchi, Ugo", "Çelik, Deniz", "Dvořák, Jana", "Eriksen, Åse", "Fuchs, Emil"):
        reader.page.locator(".enter [name=name]").fill(name)
        keys(reader.page, "Enter")
        reader.page.locator("tr[data-entry]").first.get_by_role("link", name=name).wait_for()
    reader.go(CUP + "entries/check-in/")
    reader.page.locator("main [name^=present]").first.check()
    reader.go(CUP + "entries/")
    reader.press("mehr …")
    reader.press("Aus der Kartei wählen")
    reader.go(CUP + "entries/")
    reader.press("Liste einfügen oder einlesen")


def follow_check_in(reader: Reader) -> None:
    reader.go(CUP + "entries/check-in/")
    reader.press("spielt nicht")
    reader.press("fehlt in Runde …")
    reader.go(CUP + "entries/check-in/")


def follow_coming_and_going(reader: Reader) -> None:
    reader.go(CUP + "entries/")
    reader.press_besides("mehr …")
    reader.go(CUP + "entries/")
    reader.press_besides("Fuchs, Emil")
    reader.press("Fehlt in einer Runde", "Zurückziehen")
    reader.page.locator("main button").filter(has_text="Zurückziehen").filter(visible=True).click()
    reader.go(CUP + "entries/")
    reader.press_besides("Fuchs, Emil")
    reader.press("Zurückholen")
    reader.go(CUP + "rounds/draw/")
    reader.page.locator("main form button[type=submit]").first.click()
    reader.page.wait_for_url("**/rounds/1/**")
    reader.press("Ja")


def follow_fees(reader: Reader) -> None:
    reader.go(CUP)
    reader.press("Teilnehmer", "Startgeld")
    reader.page.locator("main input[type=text]").nth(0).fill("Mitglied")
    reader.page.locator("main input[type=text]").nth(1).fill("15")
    reader.press_besides("Speichern")
    reader.go(CUP + "fees/")
    reader.press("bezahlt")


def follow_settings(reader: Reader) -> None:
    reader.go("/director/tournaments/new/club_evening/")
    reader.press_besides("Sprache und Sichtbarkeit")
    reader.go(CUP)
    reader.press_besides("Mehr")
    reader.press("Einstellungen", "Alle Werte einzeln zeigen", "Was das Publikum sieht")
    reader.go(CUP + "settings/?all=yes")
    reader.press_besides("Regeln und Zeit")
    reader.page.get_by_label("Minuten").first.fill("25")
    reader.press_besides("Speichern")
    reader.go(CUP + "settings/?all=yes")
    reader.press("Rundenplan")
    reader.go(CUP + "settings/?all=yes")
    reader.press("Gruppen")
    reader.press_besides("?")
    reader.fill(name="B", tables="1-8, 11-14")
    reader.press_besides("Hinzufügen")
    reader.go(CUP + "print/")


def follow_results(reader: Reader) -> None:
    reader.go(CUP + "results/6/")
    reader.go(CUP + "settings/")
    reader.press_besides("Ergebnisse eingeben")
    reader.read(CUP + "print/result-slips.pdf?round=6")


def follow_one_result(reader: Reader) -> None:
    reader.go(CUP + "results/6/")
    reader.press("Zeit, Strafe, Wertung …")
    reader.press("Bögen und Fotos")
    reader.press_besides("Zeit und Strafen", "Nicht zu Ende gespielt")


def follow_statistics(reader: Reader) -> None:
    reader.go("/t/herbst-cup/table/")
    reader.press("Statistik")
    reader.go(CUP + "results/6/")
    reader.press_besides("Zeit, Strafe, Wertung …", "Höchste Züge")


def follow_corrections(reader: Reader) -> None:
    reader.go(CUP + "results/5/")
    reader.press("Korrigieren")
    reader.fill(first_points="405", second_points="450")
    reader.press("Auswirkungen ansehen")
    reader.press_besides("Korrektur speichern")
    reader.go(CUP)
    reader.press("Zuletzt", "Rückgängig", "Zurücknehmen")
    reader.go(CUP)
    reader.press("Mehr", "Protokoll", "Wiederherstellen")
    reader.press_besides("Wiederherstellen")


def follow_print(reader: Reader) -> None:
    reader.go(CUP)
    reader.press("Drucken")
    factories.draft(factories.event("Entwurf", players=4))
    reader.read("/director/entwurf/print/pairings.pdf?round=1")


def follow_table(reader: Reader) -> None:
    reader.go(CUP + "table/")
    reader.go(CUP + "settings/")
    reader.press("Losentscheid")
    reader.go("/t/herbst-cup/table/?follow=P02")
    reader.go(CUP + "settings/")
    reader.page.get_by_role("link", name="Ändern: Tabelle").click()


def follow_chances(reader: Reader) -> None:
    reader.go(CUP + "table/")
    reader.press("Wer kann noch was werden")


def follow_ratings(reader: Reader) -> None:
    reader.go(CUP + "end/")
    reader.press("Vorschau der Wertungszahlen")
    reader.go("/director/")
    reader.press("Wertungsliste", "Diese Liste veröffentlichen …", "Liste veröffentlichen")
    reader.press("Zurücknehmen")
    reader.press("Wieder veröffentlichen")


def follow_report(reader: Reader) -> None:
    reader.go(CUP + "end/")
    reader.press("Bericht an den Verband")
    reader.press("Drucken")


def follow_phones(reader: Reader) -> None:
    reader.go(CUP)
    reader.press("Saal", "Zugang")
    reader.go(CUP + "way-in/")
    reader.press_besides("Ein Telefon kommt nicht hin")


def follow_visitors(reader: Reader) -> None:
    reader.go("/t/herbst-cup/")
    reader.page.get_by_label("Spieler oder Verein").fill("Aumann, Klara")
    reader.press("Folgen")
    reader.go(make_link(find_open_game().first))
    reader.go("/t/herbst-cup/")


def follow_players(reader: Reader) -> None:
    reader.go(CUP)
    reader.press("Drucken")
    game = find_open_game()
    for player, points in ((game.first, "400"), (game.second, "410")):
        reader.go(make_link(player))
        if points == "410":
            reader.press_besides("Nein, es war anders")
        reader.page.get_by_label("Meine Punkte").fill(points)
        reader.page.get_by_label("Punkte von").fill("380")
        reader.press_besides("Ergebnis melden")
    reader.go(CUP)
    reader.press_besides("Runden")
    reader.press("Ergebnisse", "Übernehmen")
    reader.go(CUP + "entries/")
    reader.press_besides("Aumann, Klara")
    reader.press("Neuer Link")


def follow_codes(reader: Reader) -> None:
    reader.go(CUP)
    reader.press("Saal", "Zugang")
    reader.go(CUP + "way-in/")
    reader.page.get_by_label("Für wen").fill("Eva")
    reader.press_besides("Code machen")
    reader.go(CUP + "way-in/")


def follow_screens(reader: Reader) -> None:
    reader.go(CUP)
    reader.press("Saal", "Etwas anderes zeigen", "Gleichbleibende Adressen für Streams")
    reader.go(CUP + "hall/")
    reader.press("Beamer und Uhr")
    reader.press_besides("Beamer 1 einrichten")


def follow_members(reader: Reader) -> None:
    reader.go("/director/")
    reader.press("Mitglieder")
    reader.press_besides("Einladung anlegen")
    reader.go("/director/register/members/")
    reader.press("Unser Verein")


def follow_backup(reader: Reader) -> None:
    reader.go("/director/")
    reader.press("Sicherungen", "Hineinsehen, wiederherstellen")


def follow_export(reader: Reader) -> None:
    reader.go(CUP)
    reader.press("Mehr", "Einstellungen", "Alle Werte einzeln zeigen", "Mitnehmen und exportieren")
    reader.go("/director/")
    reader.press("Turnier aus Dateien einlesen")


def follow_laboratory(reader: Reader) -> None:
    reader.go("/director/")
    reader.press_besides("Paarungslabor")


def follow_register(reader: Reader) -> None:
    reader.go(CUP + "entries/")
    reader.page.locator(".enter [name=name]").fill("Aumann, Clara")
    keys(reader.page, "Enter")
    reader.press("Jemand anderes")
    reader.page.locator("tr[data-entry]").first.get_by_role("link", name="Aumann, Clara").wait_for()
    reader.go("/director/")
    reader.press_besides("Spielerkartei")
    factories.entry(factories.event("Winter", players=0), "Dvoržak, Jana")
    SamePerson.objects.all().delete()  # as if the names had come with a file: nobody was asked
    reader.press("Wer ist wer?")
    reader.go("/director/register/players/")
    reader.press("Liste einlesen")
    reader.page.get_by_label("Ein Spieler je Zeile").fill("Aumann, Klaara; SC Neu; 1512\nGanzneu, Otto")
    reader.press_besides("Ansehen")
    reader.go("/director/register/players/")
    reader.press_besides("Fuchs, Emil")
    reader.fill(name="Nowak, Emil")
    reader.press_besides("Speichern")
    reader.go("/director/register/players/")
    reader.press_besides("Nowak, Emil", "Nummer eintragen")
    reader.fill(system="SDeV", number="4711")
    reader.page.locator("[name=provisional]").check()
    reader.press_besides("Nummer speichern")
    reader.press("Partien, Bestwerte und Gegner")
    reader.go("/director/register/players/")
    reader.press_besides("Bianchi, Ugo")
    reader.press("Der Spieler steht doppelt in der Kartei …")
    reader.go("/director/register/members/")
    reader.press("Unser Verein")


def follow_seasons(reader: Reader) -> None:
    reader.go("/director/")
    reader.press_besides("Saisonwertungen")
    reader.press("Einzelheiten")
    reader.page.get_by_label("Laufende Turniere zählen").check()
    reader.fill(name="Liga")
    reader.press_besides("Liga der Champions 2026")
    reader.press_besides("Saisonwertung anlegen")
    reader.page.locator(".season-choice input").first.check()
    reader.press_besides("Zählen, was angekreuzt ist")
    reader.press("Zurücknehmen")


def follow_faults(reader: Reader) -> None:
    reader.go(CUP + "judge/")
    factories.event("Zu dritt", players=3, bye_policy="by_hand")
    reader.go("/director/zu-dritt/rounds/draw/")
    reader.page.locator("main form button[type=submit]").last.click()


def pick(reader: Reader, *places: int) -> None:
    """Pick names of the draft of round 7."""
    reader.go(CUP + "rounds/7/")
    for count, place in enumerate(places):
        reader.page.locator(".pick").nth(place).click()
        reader.page.locator(".pick[aria-current]").nth(count).wait_for()


def follow_draw(reader: Reader) -> None:
    reader.go(CUP)
    reader.press("Runde …, soweit bekannt")
    reader.go(CUP + "rounds/draw/")
    reader.page.get_by_label("Paaren, obwohl Ergebnisse fehlen").check()
    reader.press("Runde … paaren")
    reader.page.wait_for_url("**/rounds/7/**")
    acts = {(2,): "Fixieren", (4,): "Start tauschen", (6,): "Freilos geben", (4, 7): "Miteinander tauschen"}
    for places, act in acts.items():
        pick(reader, *places)
        reader.press(act)
    reader.go(CUP + "rounds/7/")
    reader.press("Alles neu paaren")
    reader.go(CUP + "rounds/7/")
    reader.press("Anders paaren")
    reader.go(CUP + "rounds/7/")
    reader.press("Nur veröffentlichen")
    reader.go(CUP + "rounds/7/")
    reader.press("Runde als Entwurf zurücknehmen")
    evening(12, 3, 1, method="king_of_the_hill")
    reader.go("/director/herbst-cup-2/rounds/outlook/")
    for line in ("Beginn, Bretter, Vereine", "Freilose und Abwesenheit", "Was das Publikum sieht"):
        reader.go(CUP + "settings/")
        reader.press_besides(line)


def follow_prizes(reader: Reader) -> None:
    reader.go(CUP + "end/")
    reader.press_besides("Übliche Preise hinzufügen", "Preise ändern")
    reader.press("Allen zeigen")


def follow_end(reader: Reader) -> None:
    reader.go(CUP)
    reader.press("Abschluss", "Text der Urkunden")
    reader.go(CUP + "end/")
    reader.press("Turnier beenden")
    reader.go("/")
    reader.go("/t/herbst-cup/")
    reader.go(CUP + "end/")


def follow_hand_in(reader: Reader) -> None:
    """The club hands in to itself."""
    handed_in = "/director/register/handed-in/"
    reader.go("/director/")
    reader.press("Eingereichte Turniere", "Links der Vereine")
    reader.fill(name="SC Fulda")
    reader.press_besides("Link machen")
    link = reader.page.locator("code.path").inner_text()
    reader.go(CUP)
    reader.press("Abschluss", "Beim Verband einreichen")
    reader.fill(link=link)
    reader.press("Link behalten", "Einreichen", "Fragen, wie es steht")
    reader.go(handed_in)
    reader.press_besides("Herbst-Cup")
    reader.press("Turnier bestätigen")
    reader.go("/director/")
    reader.press_besides("Saisonwertungen")
    reader.fill(name="Liga")
    reader.press_besides("Liga der Champions 2026", "Saisonwertung anlegen")
    reader.go(CUP + "hand-in/")
    reader.press("Noch einmal einreichen")
    reader.go(handed_in)
    reader.press_besides("Herbst-Cup")
    reader.press("Berichtigung bestätigen")
    reader.go(handed_in + "links/")
    reader.press("Zurücknehmen")


def follow_ceremony(reader: Reader) -> None:
    reader.go(CUP + "end/")
    reader.press("Fotos für die Folien")
    reader.go(CUP)
    reader.press("Saal")
    reader.page.wait_for_url("**/hall/**")
    # Not by “Siegerehrung” first: that may be this very button, which is gone once it is pressed.
    reader.press_besides("Siegerehrung beginnen", "Alle Folien")
    reader.press("Auslassen")
    reader.go(CUP + "hall/")
    reader.press_besides("Alle Folien")
    reader.go("/director/")
    reader.press("Mitglieder", "Unser Verein")
