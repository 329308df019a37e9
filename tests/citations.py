"""Which sentence of the program cites which clause, and the line of the source that says so.

`SOURCES` are the books; a line is the number in the source's file, with a few words that stand there.
"""

from dataclasses import dataclass

SOURCES = {
    "tso": "003_ce28987d80f703c9.txt",
    "general": "002_2912ad630dd4d944.txt",
    "senior": "001_9c7a8b17b8805c52.txt",
    "sbnl": "004_de2cf5c40c025a4b.txt",
}


@dataclass(frozen=True, slots=True)
class Citation:
    """What is said, the clause that stands behind it, and where the source says it."""

    said: str
    clause: str
    source: str
    line: int
    words: str


CITATIONS = (
    Citation("deviations are marked", "TSO 1.1 d", "tso", 85, "Ausnahmen von dieser Turnierspielordnung"),
    Citation("minutes per player", "TSO 1.1 b", "tso", 83, "30 Minuten pro Spieler"),
    Citation("which words stand", "TSO 1.2", "tso", 87, "1.2 Zulässige Wörter"),
    Citation("the word list", "TSO 1.2 b", "tso", 90, "eine Wortliste verwendet"),
    Citation("a word list that needs approval", "TSO 1.2 c", "tso", 91, "Verwendung abweichender Listen"),
    Citation("exceptions for players", "TSO 1.6", "tso", 137, "1.6 Sonderwünsche"),
    Citation("whether boards turn", "TSO 2.1", "tso", 147, "Die Bretter werden nicht gedreht"),
    Citation("who starts", "TSO 2.2", "tso", 151, "2.2 Ermittlung des Startspielers"),
    Citation("starts fixed beforehand", "TSO 2.2 a", "tso", 153, "vorherbestimmt"),
    Citation("starts drawn", "TSO 2.2 b", "tso", 154, "Ziehen eines Buchstabens"),
    Citation("letters of the set", "TSO 1.3.2", "tso", 101, "Buchstabensatz vollständig"),
    Citation("out of turn", "TSO 3.5", "tso", 240, "ausschließlich demjenigen"),
    Citation("when tiles are exchanged", "TSO 3.2.1", "tso", 214, "mindestens sieben Buchstabensteine im Säckchen"),
    Citation("an exchange scores nothing", "TSO 3.2.1 d", "tso", 216, "Aufschreiben des Austauschs"),
    Citation("whether passing is allowed", "TSO 3.3", "tso", 221, "3.3 Spielzug: Passen"),
    Citation("a pass scores nothing", "TSO 3.3.1 b", "tso", 228, "Aufschreiben des Passens"),
    Citation("both check the words", "TSO 3.1.4", "tso", 201, "Beide *Spieler* überprüfen"),
    Citation("what a challenge costs", "TSO 3.1.4", "tso", 205, "Strafe von 10 Punkten pro Wort"),
    Citation("how long a hold lasts", "TSO 3.1.3 b", "tso", 193, "binnen 20 Sekunden entscheiden"),
    Citation("going out ends the game", "TSO 5.1 a", "tso", 337, "sämtliche Buchstaben seines Bänkchens"),
    Citation("passing ends the game", "TSO 5.1 b", "tso", 338, "jeweils zweimal in Folge gepasst"),
    Citation("both sign", "TSO 5.4", "tso", 363, "von beiden *Spielern* unterschrieben"),
    Citation("lateness", "TSO 2.4", "tso", 160, "2.4 Verspätetes Erscheinen"),
    Citation("overtime costs points", "TSO 5.2 b", "tso", 349, "jede begonnene Minute"),
    Citation("overtime loses the game", "TSO 5.2 c", "tso", 350, "mehr als 10 Minuten"),
    Citation("criteria of the table", "TSO 6.1", "tso", 375, "Bei gleich vielen Siegen"),
    Citation("what a played game counts", "TSO 6.1", "tso", 373, "Die Rangfolge in einer Tabelle"),
    Citation("awards", "TSO 6.1.1", "tso", 389, "50 Differenzpunkte"),
    Citation("reasons for an award", "TSO 5.3", "tso", 352, "5.3 Wertung für den Gegner"),
    Citation("award: no show", "TSO 5.3 a", "tso", 356, "Nichtantreten eines"),
    Citation("award: late", "TSO 5.3 b", "tso", 357, "15-minütiges"),
    Citation("award: overtime", "TSO 5.3 c", "tso", 358, "10-minütiges"),
    Citation("award: disqualified", "TSO 5.3 d", "tso", 359, "Disqualifikation"),
    Citation("award: another breach", "TSO 6.1.1", "tso", 391, "aufgrund eines Regelverstoßes"),
    Citation("the knock-out", "TSO 6.2", "tso", 399, "Als K.-o.-Runde wird"),
    Citation("forms of a match", "TSO 6.2.1–6.2.3", "tso", 401, "6.2.1 Einzelpartie"),
    Citation("a single game", "TSO 6.2.1", "tso", 403, "in einer einzelnen Partie ausgetragen"),
    Citation("two games", "TSO 6.2.2", "tso", 407, "in zwei Partien ausgetragen"),
    Citation("best of N", "TSO 6.2.3", "tso", 411, "N ungerade"),
    Citation("a level match", "TSO 6.2.4", "tso", 415, "Die Turnierausschreibung legt fest, welche Kriterien"),
    Citation("forfeiting the last game", "TSO 6.2.5", "tso", 423, "im letzten vorgesehenen Spiel"),
    Citation("tiles on a rack", "Allgemeine Spielregeln 3", "general", 54, "7 Buchstabensteine und platzieren"),
    Citation("who starts", "Allgemeine Spielregeln 3", "general", 45, "zieht einen Stein"),
    Citation("starts drawn", "Allgemeine Spielregeln 3", "general", 45, "zieht einen Stein"),
    Citation("out of turn", "Allgemeine Spielregeln 3", "general", 56, "Uhrzeigersinn"),
    Citation("the first play", "Allgemeine Spielregeln 4 a", "general", 73, "Sternfeld in der Mitte"),
    Citation("joining what lies", "Allgemeine Spielregeln 4 b", "general", 79, "bereits platzierten anlegen"),
    Citation("what a play scores", "Allgemeine Spielregeln 4 d", "general", 94, "Punktezählung"),
    Citation(
        "when tiles are exchanged",
        "Allgemeine Spielregeln 4 e",
        "general",
        147,
        "mindestens sieben Buchstabensteine im Beutel",
    ),
    Citation(
        "an exchange scores nothing", "Allgemeine Spielregeln 4 e", "general", 151, "der tauscht, erhält keine Punkte"
    ),
    Citation(
        "whether passing is allowed", "Allgemeine Spielregeln 4 f", "general", 156, "freiwillig eine Runde aussetzen"
    ),
    Citation("a pass scores nothing", "Allgemeine Spielregeln 4 f", "general", 157, "der passt, erhält keine Punkte"),
    Citation("which words stand", "Allgemeine Spielregeln 4 g", "general", 162, "Zulässigkeit von Wörtern"),
    Citation("what a challenge costs", "Allgemeine Spielregeln 4 h", "general", 192, "zu Unrecht beanstandet"),
    Citation("going out ends the game", "Allgemeine Spielregeln 4 i", "general", 207, "Das Spiel endet, wenn"),
    Citation("passing ends the game", "Allgemeine Spielregeln 4 i", "general", 212, "Das Spiel endet ebenfalls"),
    Citation("the tiles left", "Allgemeine Spielregeln 4 i", "general", 209, "werden diesen jeweils abgezogen"),
    Citation(
        "which words stand",
        "Spielanleitung, Zulässige und nicht zulässige Wörter",
        "senior",
        39,
        "Zulässige und nicht zulässige",
    ),
    Citation("who starts", "Spielanleitung, Spielvorbereitung", "senior", 10, "zieht nun einen Stein"),
    Citation("starts drawn", "Spielanleitung, Spielvorbereitung", "senior", 10, "zieht nun einen Stein"),
    Citation("tiles on a rack", "Spielanleitung, Spielvorbereitung", "senior", 11, "sieben neue Buchstabensteine"),
    Citation(
        "the first play", "Spielanleitung, Das Legen des ersten Wortes", "senior", 14, "Das Legen des ersten Wortes"
    ),
    Citation(
        "joining what lies",
        "Spielanleitung, Spielzug des nächsten Spielers",
        "senior",
        22,
        "mindestens einen Buchstabenstein an",
    ),
    Citation(
        "out of turn",
        "Spielanleitung, Spielzug des nächsten Spielers",
        "senior",
        22,
        "mindestens einen Buchstabenstein an",
    ),
    Citation(
        "what a play scores", "Spielanleitung, Spielzug des nächsten Spielers", "senior", 24, "die volle Punktzahl für"
    ),
    Citation(
        "when tiles are exchanged",
        "Spielanleitung, Tauschen von Buchstabensteinen",
        "senior",
        36,
        "beliebig viele Buchstabensteine zu tauschen",
    ),
    Citation("whether passing is allowed", "Spielanleitung, Passen", "senior", 38, "die Möglichkeit zu passen"),
    Citation("what a challenge costs", "Spielanleitung, Wort anfechten", "senior", 51, "zehn Punkte abgezogen"),
    Citation(
        "going out ends the game",
        "Spielanleitung, Ende des Spiels",
        "senior",
        57,
        "einer der Spieler alle Buchstabensteine",
    ),
    Citation(
        "passing ends the game",
        "Spielanleitung, Ende des Spiels",
        "senior",
        59,
        "in zwei aufeinanderfolgenden Runden gepasst",
    ),
    Citation(
        "the tiles left", "Spielanleitung, Ende des Spiels", "senior", 60, "übrig gebliebenen Buchstabensteine von"
    ),
    Citation("letters of the set", "Puntenscrabble I", "sbnl", 10, "6XA (1)"),
    Citation("who starts", "Puntenscrabble II", "sbnl", 30, "Wie de letter heeft"),
    Citation("starts drawn", "Puntenscrabble II", "sbnl", 30, "Wie de letter heeft"),
    Citation("tiles on a rack", "Puntenscrabble II", "sbnl", 35, "trekken nu elk 7 blokjes"),
    Citation("the first play", "Puntenscrabble III-1", "sbnl", 43, "combineert twee of meer letters"),
    Citation("joining what lies", "Puntenscrabble III-3", "sbnl", 54, "voegt één of meer letters toe"),
    Citation("out of turn", "Puntenscrabble III-3", "sbnl", 54, "vervolgens ieder op zijn beurt"),
    Citation("when tiles are exchanged", "Puntenscrabble III-7", "sbnl", 93, "16 of meer blokjes"),
    Citation(
        "whether passing is allowed",
        "Puntenscrabble III-8",
        "sbnl",
        99,
        "Het is niet toegestaan een beurt over te slaan",
    ),
    Citation(
        "a pass scores nothing", "Puntenscrabble III-8", "sbnl", 99, "Het is niet toegestaan een beurt over te slaan"
    ),
    Citation("which words stand", "Puntenscrabble III-9", "sbnl", 105, "9) Bij twijfel"),
    Citation("words shown to the jury", "Puntenscrabble III-10", "sbnl", 111, "ten hoogste 10 woorden"),
    Citation(
        "list of two-letter words", "Puntenscrabble III-10", "sbnl", 112, "tweeletterwoorden ligt op elke speeltafel"
    ),
    Citation("list of two-letter words", "Duplicatescrabble III-8", "sbnl", 446, "toegestane tweeletterlijstje"),
    Citation(
        "the jury sees the game", "Puntenscrabble, Einde van het spel", "sbnl", 197, "door de spelleiding is vereist"
    ),
    Citation(
        "the jury sees the game", "Wedstrijdscrabble, Einde van het spel", "sbnl", 366, "door de spelleiding is vereist"
    ),
    Citation("a wrong word found later", "Puntenscrabble III-12", "sbnl", 121, "verhoogd met 20 extra strafpunten"),
    Citation("what a play scores", "Puntenscrabble IV", "sbnl", 124, "IV PUNTENTELLING"),
    Citation("an exchange scores nothing", "Puntenscrabble IV-2", "sbnl", 130, "wegens ruilen nihil"),
    Citation("going out ends the game", "Puntenscrabble, Einde van het spel", "sbnl", 183, "geen letters meer heeft"),
    Citation(
        "passing ends the game",
        "Puntenscrabble, Einde van het spel",
        "sbnl",
        181,
        "geen van beide spelers meer in staat",
    ),
    Citation("the tiles left", "Puntenscrabble, Einde van het spel", "sbnl", 193, "verminderd met het totaal"),
    Citation("letters of the set", "Wedstrijdscrabble I", "sbnl", 210, "voor puntenscrabble (1-2)"),
    Citation("who starts", "Wedstrijdscrabble II", "sbnl", 223, "Wie de letter heeft"),
    Citation("starts drawn", "Wedstrijdscrabble II", "sbnl", 223, "Wie de letter heeft"),
    Citation("tiles on a rack", "Wedstrijdscrabble II", "sbnl", 228, "trekken nu elk 7 blokjes"),
    Citation("which words stand", "Wedstrijdscrabble III", "sbnl", 325, "Scrabble-woordenlijst (SWL)"),
    Citation("the first play", "Wedstrijdscrabble III-1", "sbnl", 240, "combineert twee of meer letters"),
    Citation("joining what lies", "Wedstrijdscrabble III-3", "sbnl", 251, "vervolgens ieder op zijn beurt"),
    Citation("out of turn", "Wedstrijdscrabble III-3", "sbnl", 251, "vervolgens ieder op zijn beurt"),
    Citation("when tiles are exchanged", "Wedstrijdscrabble III-7", "sbnl", 288, "16 of meer blokjes"),
    Citation(
        "whether passing is allowed",
        "Wedstrijdscrabble III-8",
        "sbnl",
        296,
        "Het is niet toegestaan een beurt over te slaan",
    ),
    Citation(
        "a pass scores nothing",
        "Wedstrijdscrabble III-8",
        "sbnl",
        296,
        "Het is niet toegestaan een beurt over te slaan",
    ),
    Citation("what a challenge costs", "Wedstrijdscrabble III-9", "sbnl", 316, "20 strafpunten in mindering gebracht"),
    Citation("what a play scores", "Wedstrijdscrabble IV", "sbnl", 337, "Hoofdstuk IV punt 2"),
    Citation("an exchange scores nothing", "Wedstrijdscrabble IV", "sbnl", 337, "Hoofdstuk IV punt 2"),
    Citation(
        "going out ends the game", "Wedstrijdscrabble, Einde van het spel", "sbnl", 348, "én beide spelers een gelijk"
    ),
    Citation(
        "passing ends the game",
        "Wedstrijdscrabble, Einde van het spel",
        "sbnl",
        345,
        "geen van beide spelers meer in staat",
    ),
    Citation("the tiles left", "Wedstrijdscrabble, Einde van het spel", "sbnl", 364, "verminderd met het totaal"),
    Citation(
        "overtime costs points",
        "Wedstrijdscrabble, Einde van het spel",
        "sbnl",
        354,
        "deel van een minuut 10 strafpunten",
    ),
    Citation("incident: late", "TSO 2.4", "tso", 160, "2.4 Verspätetes Erscheinen"),
    Citation("incident: late", "TSO 2.4 b", "tso", 163, "so setzt der Schiedsrichter die Uhr"),
    Citation("incident: late", "TSO 2.4 c", "tso", 164, "verkürzten Bedenkzeit"),
    Citation("incident: late", "TSO 2.4 d", "tso", 165, "mehr als 15 Minuten"),
    Citation("incident: late", "TSO 5.3 b", "tso", 357, "15-minütiges"),
    Citation("incident: late", "TSO 2.4 e", "tso", 166, "Verspäten sich beide"),
    Citation("incident: no_show", "TSO 5.3 a", "tso", 356, "Nichtantreten"),
    Citation("incident: no_show", "TSO 6.1.1", "tso", 389, "tritt sein *Gegner* zum Spiel nicht an"),
    Citation("incident: overtime", "TSO 5.2", "tso", 346, "5.2 Zeitüberschreitung"),
    Citation("incident: overtime", "TSO 5.2 b", "tso", 349, "jede begonnene Minute"),
    Citation("incident: overtime", "TSO 5.2 c", "tso", 350, "mehr als 10 Minuten"),
    Citation("incident: overtime", "TSO 5.3 c", "tso", 358, "10-minütiges"),
    Citation("incident: too_many_tiles", "TSO 3.8.2", "tso", 273, "zuviel nachgezogen"),
    Citation("incident: too_many_tiles", "TSO 3.8.2 a", "tso", 275, "a) Anhalten der Uhr"),
    Citation("incident: too_many_tiles", "TSO 3.8.2 c", "tso", 277, "verdeckt auf dem Tisch"),
    Citation("incident: too_many_tiles", "TSO 3.8.2 d", "tso", 280, "nur die neu gezogenen Buchstaben"),
    Citation("incident: too_few_tiles", "TSO 3.8.3", "tso", 284, "3.8.3 Zu wenig gezogene"),
    Citation("incident: too_few_tiles", "TSO 3.8.3 a", "tso", 286, "fehlenden Steine nach"),
    Citation("incident: too_few_tiles", "TSO 3.8.3 b", "tso", 287, "gegen Ende des Spiels zu wenig"),
    Citation("incident: too_few_tiles", "TSO 3.8.3 c iii", "tso", 291, "ohne weitere Korrektur"),
    Citation("incident: tiles_seen", "TSO 3.8.1", "tso", 269, "keiner hineinsehen"),
    Citation("incident: tiles_seen", "TSO 3.6", "tso", 255, "die leere Hand"),
    Citation("incident: loose_tiles", "TSO 4.3", "tso", 319, "4.3 Buchstaben außerhalb"),
    Citation("incident: loose_tiles", "TSO 4.3 a", "tso", 323, "dürfen sich die Buchstaben ansehen"),
    Citation("incident: loose_tiles", "TSO 4.3 b", "tso", 324, "in das Säckchen zurückgelegt"),
    Citation("incident: loose_tiles", "TSO 4.3 c", "tso", 325, "Abgeschlossene Züge"),
    Citation("incident: drew_early", "TSO 3.1.2", "tso", 188, "darf nun seine zu ersetzenden"),
    Citation("incident: drew_early", "TSO 3.1.3 a", "tso", 192, "Es werden keine Buchstabensteine nachgezogen"),
    Citation("incident: exchange", "TSO 3.2.1", "tso", 209, "3.2.1 Bestandteile"),
    Citation("incident: exchange", "TSO 3.2.1 b", "tso", 214, "mindestens sieben Buchstabensteine im Säckchen"),
    Citation("incident: exchange", "TSO 3.2.1 a–g", "tso", 213, "Ankündigung, Steine austauschen"),
    Citation("incident: clock", "TSO 3.1.1", "tso", 184, "ohne zuvor die Punktzahl"),
    Citation("incident: not_noted", "TSO 3.4 b", "tso", 234, "nicht notiert hat"),
    Citation("incident: discrepancy", "TSO 3.4 c, d", "tso", 235, "Von Zeit zu Zeit"),
    Citation("incident: discrepancy", "TSO 4.1 b", "tso", 302, "Punktdiskrepanz"),
    Citation("incident: blank", "TSO 3.7", "tso", 259, "3.7 Kennzeichnung"),
    Citation("incident: blank", "TSO 3.7 c", "tso", 263, "nach dem Notieren nicht mehr"),
    Citation("incident: out_of_turn", "TSO 3.5", "tso", 240, "ausschließlich demjenigen"),
    Citation("incident: while_stopped", "TSO 4.1", "tso", 297, "Bei angehaltener Zeituhr"),
    Citation("incident: left_table", "TSO 4.2", "tso", 309, "4.2 Verlassen"),
    Citation("incident: left_table", "TSO 4.2 a", "tso", 311, "ist der Schiedsrichter zu informieren"),
    Citation("incident: left_table", "TSO 4.2 b", "tso", 312, "Erlaubnis zum Verlassen"),
    Citation("incident: left_table", "TSO 4.2 c", "tso", 316, "unter Aufsicht"),
    Citation("incident: device", "TSO 1.5 e", "tso", 135, "Kopfhörer"),
    Citation("incident: aids", "TSO 1.5 c", "tso", 133, "insbesondere Wortlisten"),
    Citation("incident: aids", "TSO 1.5 b", "tso", 130, "Selber mitbringen"),
    Citation("incident: not_signed", "TSO 5.4", "tso", 363, "von beiden *Spielern* unterschrieben"),
    Citation("incident: conduct", "TSO 7", "tso", 427, "Jeder Turnierteilnehmer"),
    Citation("incident: disqualified", "TSO 5.3 d", "tso", 359, "Disqualifikation"),
    Citation("incident: disqualified", "TSO 6.1.1", "tso", 391, "aufgrund eines Regelverstoßes"),
    Citation("incident: tiles_seen", "Allgemeine Spielregeln 3", "general", 61, "mit ausgestrecktem Arm"),
    Citation(
        "incident: exchange",
        "Allgemeine Spielregeln 4 e",
        "general",
        147,
        "mindestens sieben Buchstabensteine im Beutel",
    ),
    Citation("incident: changed_play", "Allgemeine Spielregeln 4 c", "general", 89, "danach nicht mehr verändert"),
    Citation("incident: blank", "Allgemeine Spielregeln 2", "general", 27, "ansagen, welchen Buchstaben"),
    Citation(
        "incident: aids", "Spielanleitung, Wort anfechten", "senior", 52, "Ein Wörterbuch darf während des Spiels nicht"
    ),
    Citation("incident: wrong_word", "Puntenscrabble III-12", "sbnl", 117, "12) Strafpuntenregel"),
    Citation(
        "incident: declined", "Puntenscrabble III-8", "sbnl", 99, "Het is niet toegestaan een beurt over te slaan"
    ),
    Citation("incident: new_start", "Puntenscrabble III-8", "sbnl", 101, "opnieuw worden gestart"),
    Citation("incident: too_many_tiles", "Puntenscrabble II", "sbnl", 38, "een blokje teveel"),
    Citation("incident: exchange", "Puntenscrabble III-7", "sbnl", 93, "16 of meer blokjes"),
    Citation("incident: aids", "Puntenscrabble III-11", "sbnl", 114, "11) De controle van een woord"),
    Citation("incident: consent", "Wedstrijdscrabble III-8", "sbnl", 298, "na toestemming van de jury nogmaals ruilen"),
    Citation("incident: declined", "Wedstrijdscrabble III-8", "sbnl", 301, "krijgt hij 20 strafpunten"),
    Citation("incident: too_many_tiles", "Wedstrijdscrabble II", "sbnl", 231, "een blokje teveel"),
    Citation("incident: exchange", "Wedstrijdscrabble III-7", "sbnl", 288, "16 of meer blokjes"),
    Citation("incident: aids", "Wedstrijdscrabble III", "sbnl", 115, "niet door de spelers zelf plaatsvinden"),
)
