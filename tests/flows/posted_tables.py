"""Every form about a table and its words, with everything wrong that can be, and what its page has to say then."""

from tests.flows.posted_forms import CHOOSE, SLUG, Form

TABLE, OPEN, SHEET = {**SLUG, "pk": "table"}, {**SLUG, "pk": "open_table"}, {**SLUG, "pk": "sheet"}
STRIKE = {"why": "Bitte den Grund für das Streichen angeben; er bleibt im Protokoll."}
DRAW = {"first_drawn": "", "": "Bitte"}
RESULT = {
    "first_points": "viel",
    "second_points": "",
    "first_overtime": "lange",
    "second_overtime": "999:00",
    "first_penalty": "5",
    "second_penalty": "1000",
    "first_bingos": "21",
    "second_bingos": "-1",
    "first_moves": "3000",
    "second_moves": "viele",
    "first_seconds": "ewig",
    "second_seconds": "1:99",
    "outcome": "played",
    "reason": "laune",
    "second_reason": "laune",
    "figure": "ungefähr",
    "penalty_reason": "",
    "note": "N" * 401,
    "why": "W" * 201,
}
LINE = {
    "side": "3",
    "kind": "zaubern",
    "position": "8H",
    "word": "A1",
    "points": "viele",
    "rack": "R" * 21,
    "note": "N" * 201,
}
ENDING = {
    "first_left": "A1",
    "second_left": "A" * 21,
    "first_settlement": "viel",
    "second_settlement": "2001",
    "first_overtime": "lange",
    "second_overtime": "999:00",
    "first_seconds": "lange",
    "second_seconds": "1:99",
    "first_final": "viel",
    "second_final": "10000",
    "note": "N" * 401,
}
CHALLENGE = {
    "challenger": "3",
    "turn": "0",
    "penalty": "5",
    "reason": "",
    "word1": "",
    "stands1": "yes",
    "word2": "W" * 41,
    "stands2": "vielleicht",
    "word3": "HAUS",
    "stands3": "",
}
INCIDENT = {
    "who": "first",
    "effect": "points",
    "points": "1000",
    "first_points": "viel",
    "second_points": "10000",
    "note": "N" * 401,
}

SESSION = {"slug": "session"}
TWO, THREE = "„QQ“ hat 2 statt 7 Steine", "„AEE“ hat 3 statt 7 Steine"
NO_WORD = {"position": "zwingend", "word": "zwingend"}

FORMS: dict[str, Form] = {
    "games:grid": Form(
        {**SLUG, "number": "running"},
        {"p{open_table}-first_points": "viel", "p{open_table}-second_points": "10000"},
        along={"p{open_table}-seen": "open_seen", "table": ""},  # where to go on
    ),
    "games:result": Form(
        TABLE,
        RESULT,
        {
            "second_points": "Eine gespielte Partie braucht die Endpunktzahlen beider Spieler.",
            "penalty_reason": "Strafpunkte (5) brauchen einen Grund.",
        },
        along={"seen": "seen"},
        forgotten=frozenset({"figure"}),
        fine=frozenset({"outcome", "first_penalty", "figure"}),  # two buttons ask for the figure again
    ),
    "games:withdraw": Form(TABLE, {"why": "W" * 201}, along={"seen": "seen"}),
    "games:sheets": Form(
        TABLE,
        {"keeper": "niemand"},
        {"keeper": "", "": "niemand ist keine gültige Auswahl"},
        forgotten=frozenset({"keeper"}),
    ),
    "games:sheet": Form(SHEET, LINE, along={"mode": "add", "version": "sheet_version"}, fine=frozenset({"position"})),
    "games:sheet_ending": Form(SHEET, ENDING, along={"version": "sheet_version"}),
    "games:sheet_draw": Form(
        SHEET, {"first_drawn": "12345", "second_drawn": ""}, DRAW, along={"version": "sheet_version"}
    ),
    "director:portraits": Form(
        {"slug": "slug"},
        {},
        {"photos": "„notiz.txt“"},
        along={"entry": "entry"},
        files={"photos": ("notiz.txt", b"kein Bild")},
    ),
    "director:club_picture": Form(
        {},
        {},
        {"": "„notiz.txt“"},  # one of two forms that are sent to this address
        along={"picture": "logo"},
        files={"logo-photos": ("notiz.txt", b"kein Bild")},
    ),
    "games:photos": Form(TABLE, {}, {"photos": "„notiz.txt“"}, files={"photos": ("notiz.txt", b"kein Bild")}),
    "games:me_photo": Form(
        {"link": "link", "pk": "open_table"},
        {},
        {"photos": "„notiz.txt“"},
        files={"photos": ("notiz.txt", b"kein Bild")},
    ),
    "games:gcg": Form(
        TABLE,
        {"text": "#player1 a A\n>a: 8H", "keeper": "niemand"},
        {"text": "Ein Wertungsbogen ist für zwei Spieler; die Datei hat 1."},
        along={"enter": "1"},
    ),
    "games:challenge": Form(
        TABLE,
        CHALLENGE,
        {
            "reason": "Eine eigene Strafe (5) statt der des Regelwerks braucht einen Grund.",
            "word1": "Welches Wort?",
            "stands3": "Bitte angeben, ob „HAUS“ zulässig ist.",
        },
        fine=frozenset({"penalty", "stands1", "word3"}),
    ),
    "games:incident": Form(
        {**TABLE, "key": "device"}, INCIDENT, along={"seen": "seen"}, fine=frozenset({"who", "effect"})
    ),
    "games:incident_strike": Form({**SLUG, "pk": "incident"}, {"why": ""}, STRIKE, along={"seen": "seen"}),
    "games:challenge_strike": Form({**SLUG, "pk": "challenge"}, {"why": ""}, STRIKE, acts=True, free=True),
    "games:judge": Form(
        SLUG,
        {"words": "A1 X"},
        {"words": "„X“ kann kein Wort sein", "": "Beide Spieler müssen bestätigen, dass es diese Wörter sind"},
    ),
    "games:word_lists": Form({}, {"title": "T" * 121, "letters": "xx"}, {"file": "Bitte eine Datei wählen."}),
    "games:duplicate_prepare": Form(
        SESSION,
        {"letters": "xx", "words": "Weg", "max_turns": "99", "seconds": "x", "seed": "-1"},
        forgotten=frozenset({"letters", "words"}),
    ),
    "games:duplicate_draw": Form(
        SESSION, {"draw": "QQ", "redrawn": "AEE"}, {"draw": TWO, "redrawn": THREE}, query="?division=B", acts=True
    ),
    "games:duplicate_again": Form(SESSION, {"draw": "QQ"}, {"draw": TWO}, acts=True),
    "games:duplicate_slip": Form(SESSION, {"player": "99", "position": "8" * 13, "word": "W" * 41, "claimed": "viel"}),
    "games:duplicate_master": Form(SESSION, {"position": "", "word": "", "reason": "R" * 201}, NO_WORD),
    "games:duplicate_turn": Form(
        {**SESSION, "number": 1}, {"player": "0", "points": "viel", "why": "W" * 201}, forgotten=frozenset({"player"})
    ),
    "games:duplicate_second": Form(
        {**SESSION, "number": 1}, {"player": "99", "position": "8" * 13, "word": "W" * 41, "claimed": "viel"}
    ),
    "games:duplicate_settle": Form(
        {**SESSION, "number": 1}, {"player": "99", "position": "8" * 13, "word": "W" * 41, "claimed": "viel"}
    ),
    "games:duplicate_take": Form(
        SESSION, {}, {"file": "Das ist keine versiegelte Partie"}, files={"file": ("x.json", b"{}")}
    ),
    "games:duplicate_sealed": Form(
        SESSION,
        {
            "name": "N" * 81,
            "letters": "xx",
            "words": "Weg",
            "max_turns": "99",
            "seconds": "x",
            "seed": "-1",
            "turns": "QQ",
        },
        query="?division=B",
        forgotten=frozenset({"letters", "words"}),
        fine=frozenset({"turns"}),
    ),
    "games:duplicate_join": Form(SESSION, {}, {"sent": "keine Turnierdatei"}, files={"sent": ("x.json", b"{}")}),
    "games:duplicate_rule": Form(
        SESSION, {"word": "1 8G ZEST", "points": "viel", "why": "W" * 201}, fine=frozenset({"word"})
    ),
    "games:duplicate_end": Form(SESSION, {"reason": "R" * 201}, query="?division=B"),
    "games:duplicate_seats": Form(SESSION, {"seat_count": "1000", "seat_row": "0"}),
    "games:duplicate_seats_draw": Form(SESSION, {"seed": "-1"}, acts=True),
    "games:duplicate_seats_give": Form(SESSION, {"entry": "foreign", "number": "viele"}, {"entry": CHOOSE}),
    "games:duplicate_seats_newcomer": Form(
        SESSION, {"name": "", "club": "C" * 81, "number": "viele"}, {"name": "Ein Spieler braucht einen Namen."}
    ),
    "games:duplicate_seats_apart": Form(
        SESSION, {"one": "foreign", "other": "foreign"}, {"one": CHOOSE, "other": CHOOSE}
    ),
    "games:compare_agree": Form(
        TABLE, {"why": "W" * 201}, along={"sheet": "sheet", "seen": "seen", "version": "sheet_version"}
    ),
}
