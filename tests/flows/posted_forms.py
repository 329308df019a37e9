"""Every form of the event and its register, with everything wrong that can be, and what its page has to say then."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

SLUG = {"slug": "slug"}
ENTRY, DRAFTED = {**SLUG, "pk": "entry"}, {**SLUG, "number": "drafted"}
CHOOSE = "bitte aus der Liste wählen"
UNNAMED, NAMELESS = {"name": "Ein Turnier braucht einen Namen."}, {"name": "Ein Spieler braucht einen Namen."}
PERSON = {"name": "", "club": "C" * 81, "rating": "gut", "games": "-1", "email": "nirgendwo", "phone": "12"}
DETAILS = {**PERSON, "fixed_table": "0", "exception": "A" * 201}
DAYS = {"name": "", "starts_on": "31.2.2026", "ends_on": "gestern"}
PLAYERS = "Name;Verein;Wertungszahl;Spiele;E-Mail;Gruppe\n;SC;gut;;nirgendwo;{division}\n"
PRIZE = {
    "kind": "place",
    "place": "",
    "club": "C" * 81,
    "lowest_rating": "hoch",
    "highest_rating": "10000",
    "title": "T" * 81,
    "award": "A" * 121,
    "winner": "foreign",
}
SEASON = {
    "name": "S" * 121,
    "slug": "ä ö",
    "rule": "Laune",
    "points": "20, viele",
    "shared": "Streit",
    "best": "31",
}
NOBODY = {"": "Bitte", "username": "", "password": ""}
UNPLACED = {"place": "Für welchen Platz ist der Preis? 1 steht für den ersten.", "winner": CHOOSE}
SETTINGS = {
    "name": {"name": "", "place": "O" * 121, "starts_on": "31.2.2026", "ends_on": "gestern"},
    "announcement": {"announcement": "A" * 20_001},
    "rules": {"ruleset": "tso-1999", "minutes": "fünf", "word_list": "W" * 121, "word_list_at": "W" * 201},
    "table": {
        "basis": "Laune",
        "first_criterion": "buchholz",
        "second_criterion": "buchholz",
        "third_criterion": "median",
        "ties": "Streit",
        "withdrawn": "weg",
        "spread_cap": "viel",
    },
    "byes": {"bye_policy": "keins", "bye_spread": "5000", "bye_points": "-3", "loss_spread": "drei"},
    "boards": {"turning": "schief", "starts": "immer", "clubs_apart": "-1"},
    "teams": {
        "team_rule": "Größe",
        "team_best": "21",
        "team_format": "quer",
        "team_leavers": "weg",
        "team_pairing": "alle",
    },
    "public": {"results_since": "nie", "table_wait": "lange", "language": "Latein"},
}
"""What is typed into each group of the settings; `results` has nothing to type."""


@dataclass(frozen=True, slots=True)
class Form:
    """A form: the arguments of its address, what is typed, and what its page has to say then.

    Beside each field that holds something stands what was typed and what is allowed, unless `told` has another sentence
    for it (by no field: above the form) or it is `fine`. What is typed as a word of the stage stands for its row. What
    is `forgotten` no page shows again. `acts`: with junk it does something all the same, but keeps none of it, unless
    its text is `free`: a reason may be anything, and a division is called as one likes. Who posts it is the director
    if it is not somebody else (`by`).
    """

    at: Mapping[str, Any]
    typed: Mapping[str, str]
    told: Mapping[str, str] = field(default_factory=dict)
    along: Mapping[str, str] = field(default_factory=dict)
    query: str = ""
    files: Mapping[str, tuple[str, bytes]] = field(default_factory=dict)
    fine: frozenset[str] = frozenset()
    forgotten: frozenset[str] = frozenset()
    acts: bool = False
    free: bool = False
    by: str = "doris"


LABORATORY = {
    "field": "99999999",
    "own": "3-1:swiss",
    "players": "3",
    "rounds": "41",
    "strength": "viel",
    "events": "1",
}
LABORATORY |= {"seed": "0", "plan1": "wuerfeln", "plan2": "", "plan3": "?", "rounds1": "99", "rounds2": "-1"}

FORMS: dict[str, Form] = {  # "address#part" where an address has several forms
    "director:new_from": Form({"preset": "weekend_cup"}, {**DAYS, "place": "O" * 121, "rounds": "sieben"}, UNNAMED),
    "director:copy": Form(SLUG, DAYS, UNNAMED),
    "director:next_season": Form(SLUG, DAYS, UNNAMED),
    "director:delete": Form(SLUG, {"typed_name": "Herbst"}),
    "director:laboratory": Form({}, LABORATORY, {"field": CHOOSE}, fine=frozenset({"own"}), free=True),
    **{
        f"director:settings#{group}": Form(
            SLUG,
            typed,
            UNNAMED if group == "name" else {},
            query=f"?change={group}",
            acts=group == "announcement",
            free=group == "announcement",
        )
        for group, typed in SETTINGS.items()
    },
    "director:plan": Form(
        SLUG,
        {
            "plan-0-first": "0",
            "plan-0-last": "viele",
            "plan-0-method": "wuerfeln",
            "plan-0-factor": "0",
            "plan-0-behind": "99",
            "plan-1-first": "5",
            "plan-1-last": "3",
            "plan-1-method": "swiss",
            "plan-1-behind": "0",
        },
        {"plan-1-last": "Die Runden 5–3 laufen rückwärts"},
        along={"plan-TOTAL_FORMS": "2", "plan-INITIAL_FORMS": "1"},
        fine=frozenset({"plan-1-first", "plan-1-method", "plan-1-behind"}),
    ),
    "director:due_days": Form(SLUG, {"day_1": "31.2.2026"}),
    "director:reminders": Form(SLUG, {"remind_days": "31"}),
    "director:divisions": Form(
        SLUG, {"name": "A"}, {"name": "Dieses Turnier hat schon eine Gruppe „A“."}, acts=True, free=True
    ),
    "director:division": Form({**SLUG, "pk": "other_division"}, {"name": "D" * 41}, acts=True, free=True),
    "director:members": Form({}, {"note": "N" * 121, "role": "boss"}),
    "director:member": Form({"pk": "member"}, {"role": "boss"}),
    "director:hand_in": Form(SLUG, {"link": "https://example.org/"}),
    "director:handed_in_event": Form({"pk": "handed_in"}, {"question": "Q" * 1001}),
    "director:hand_in_links": Form({}, {"name": "N" * 121}, acts=True, free=True),
    "director:mirror": Form(SLUG, {"link": "https://example.org/"}),
    "director:website_folder": Form(SLUG, {"path": "no folder"}),
    "director:mirror_links": Form({}, {"name": "N" * 121}, acts=True, free=True),
    "director:organiser": Form({}, {"name": "N" * 121, "slug": "ä ö"}, acts=True, free=True),
    "director:publish_rating_list": Form({}, {"day": "neulich"}),
    "director:seasons": Form({}, SEASON, acts=True, free=True),
    "director:season": Form({"pk": "season"}, SEASON, acts=True, free=True),
    "director:choose_season_events": Form({"pk": "season"}, {"division": "99999999"}, {"division": CHOOSE}, acts=True),
    "director:join_players": Form(
        {"pk": "season"},
        {"one": "player", "other": "player"},
        {"other": "Aumann, Klara ist zweimal genannt"},
        fine=frozenset({"one"}),
    ),
    "director:entries": Form(SLUG, {**DETAILS, "first_round": "1"}, NAMELESS),
    "director:entry": Form(ENTRY, DETAILS, NAMELESS),
    "director:fee_terms": Form(
        SLUG,
        {"name_1": "N" * 41, "cents_1": "viel", "name_2": "", "cents_2": "20000", "currency": "Gulden"},
        {"name_2": "Diese Startgeldart braucht einen Namen."},
    ),
    "director:fee": Form(ENTRY, {"kind": "K9", "cents": "viel", "day": "gestern"}),
    "director:add_player": Form({}, PERSON, NAMELESS),
    "director:edit_player": Form({"pk": "player"}, PERSON, NAMELESS),
    "director:set_number": Form({"pk": "player"}, {"system": "S" * 21, "number": "N" * 31}, acts=True, free=True),
    "director:import_players": Form(
        SLUG,
        {"text": PLAYERS.format(division="Z")},
        {"text": "", "": "Zeile 2: „gut“ passt nicht; erwartet wird eine ganze Zahl. Zeile 2: Ein Spieler braucht"},
        along={"enter": "1"},
        acts=True,
        free=True,
    ),
    "director:import_register": Form(
        {},
        {"text": PLAYERS.format(division="")},
        {"text": "", "": "Zeile 2: Ein Spieler braucht einen Namen. Zeile 2: „nirgendwo“ ist keine E-Mail-Adresse"},
        along={"enter": "1", "of": ""},
        acts=True,
        free=True,
    ),
    "director:import_file": Form({}, {}, {"sent": "Es wurde nichts eingelesen"}, files={"sent": ("x.json", b"{]")}),
    "director:certificate": Form(
        SLUG,
        {"heading": "H" * 25, "line": "{Punkte}", "signed": "S" * 61, "left": "}", "right": "R" * 61},
        {"line": "„{Punkte}“ bedeutet hier nichts", "left": "„}“ bedeutet hier nichts"},
        acts=True,
        free=True,
    ),
    "director:report": Form(SLUG, {"reasons": "A" * 2_001, "questions": "B" * 8_001}, acts=True, free=True),
    "director:add_prize": Form(SLUG, PRIZE, UNPLACED, fine=frozenset({"kind"})),
    "director:edit_prize": Form({**SLUG, "pk": "prize"}, PRIZE, UNPLACED, fine=frozenset({"kind"})),
    "access_code": Form({}, {"code": "ABCD-EFGH"}, {"code": "„ABCD-EFGH“ ist kein Code, der hier gilt"}),
    "director:way_in": Form(SLUG, {"role": "boss", "name": "N" * 81, "tables": "1 bis 8"}),
    "director:wifi": Form(
        SLUG, {"name": "ä" * 17, "password": "kurz"}, {"password": "Das Passwort hat 4 Zeichen"}, acts=True, free=True
    ),
    "games:me_report": Form(
        {"link": "link", "pk": "open_table"},
        {"own_points": "viel", "other_points": "99999", "own_overtime": "bald", "other_penalty": "-1"},
        along={"key": "phone-0001"},
        acts=True,
    ),
    "director:add_screen": Form(SLUG, {"name": "B" * 41}, acts=True, free=True),
    "director:screen": Form(
        {**SLUG, "number": 1},
        {"name": "B" * 41, "of_division": "foreign", "seconds": "2", "turn_table": "ewig"},
        {"of_division": CHOOSE},
    ),
    "director:hall_stream_delay": Form(SLUG, {"minutes": "bald"}),
    "director:hall_stream": Form(SLUG, {"table": "alle"}),
    "director:hall_minutes": Form(SLUG, {"minutes": "ewig"}),
    "director:hall_message": Form(SLUG, {"message": "M" * 201}, acts=True, free=True),
    "director:hall_thanks": Form(SLUG, {"thanks": "D" * 201}, acts=True, free=True),
    "director:hall_depth": Form(SLUG, {"depth": "tief"}, acts=True),
    "director:hall_countdown": Form(SLUG, {"countdown_for": "W" * 201, "at": "bald"}, acts=True),
    "director:draft": Form(SLUG, {"method": "wuerfeln", "based_on": "9", "seed": "0"}),
    "director:announce_knockout": Form(
        SLUG,
        {
            "size": "3",
            "form": "best_of",
            "best_of": "vier",
            "first_criterion": "most_bingos",
            "second_criterion": "most_bingos",
            "third_criterion": "Laune",
            "third_place": "on",
        },
        {
            "first_criterion": "Ein Kriterium steht zweimal in der Reihenfolge",
            "third_place": "Ein Spiel um Platz 3 braucht 4 Spieler",
        },
        fine=frozenset({"size", "form", "second_criterion"}),
    ),
    "director:knockout": Form(
        SLUG,
        {"seed_1": "", "seed_2": "seeded", "seed_3": "seeded", "seed_4": ""},
        {
            "seed_1": "Die K.‑o.-Phase ist für 4 Spieler; gesetzt sind 2.",
            "seed_3": "steht zweimal in der Setzliste",
            "accept_missing": "Die Tabelle ist nicht vollständig",
        },
        fine=frozenset({"seed_2"}),
        query="?division=C",
    ),
    "director:edit_teams": Form(SLUG, {"team-{entry}": "T" * 81}, acts=True, free=True),
    "director:line_ups": Form(SLUG, {"board-{entry}": "100"}),
    "director:match": Form(
        {"slug": "league", "number": 1, "pk": "team_player"},
        {"home-{match_game}": "viel", "away-{match_game}": "10000"},
        along={"seen-{match_game}": "0"},
    ),
    "director:withdraw": Form(ENTRY, {"after": "0"}),
    "director:absence": Form(ENTRY, {"number": "1"}),
    "director:keep_apart": Form(ENTRY, {"other": "foreign"}, {"other": CHOOSE}),
    "director:move_entry": Form({**SLUG, "pk": "newcomer"}, {"division": "foreign"}, {"division": CHOOSE}),
    "login": Form(
        {}, {"username": "niemand", "password": "falsch"}, NOBODY, forgotten=frozenset({"password"}), by="nobody"
    ),
}
