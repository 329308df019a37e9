"""The forms that are there where letters are sent, those of one's own account, and those of the host."""

from tests.flows.posted_forms import CHOOSE, Form

OPEN, ONE = {"slug": "open"}, {"slug": "open", "pk": "registration"}
ORGANISER = {"name": "N" * 121, "slug": "ä ö"}
CHOICE = "Bitte eine gültige Auswahl treffen."
MISTYPED = {"old_password": "falsch", "new_password1": "kurz", "new_password2": "anders"}

FORMS: dict[str, Form] = {
    "director:online_entry": Form(
        OPEN,
        {
            "opens_at": "gestern",
            "closes_at": "3.10.2026 25:00",
            "places": "0",
            "minimum": "0",
            "minimum_day": "gestern",
            "number_system": "S" * 81,
            "fee": "F" * 401,
            "note": "N" * 4001,
        },
        {"opens_at": "kein Tag mit Uhrzeit", "closes_at": "kein Tag mit Uhrzeit", "minimum_day": "kein Datum"},
        acts=True,
    ),
    "director:refuse_registration": Form(ONE, {"why": "W" * 401}, acts=True, free=True),
    "director:move_registration": Form(ONE, {"division": "foreign"}, {"division": CHOOSE}),
    "director:registration_fee": Form(ONE, {"kind": "K9", "cents": "viel", "day": "gestern"}),
    "public:register": Form(
        OPEN,
        {
            "surname": "S" * 100,
            "given_name": "G" * 100,
            "club": "C" * 100,
            "division": "99999999",
            "rating": "gut",
            "fee_kind": "K9",
            "email": "nirgendwo",
            "phone": "12",
            "listed": "on",
        },
        {"division": CHOICE, "fee_kind": CHOICE},
        along={"website": ""},  # only programs fill it, and they are told nothing
        fine=frozenset({"listed"}),
        by="nobody",
    ),
    "account:email": Form(
        {},
        {"email": "nirgendwo", "password": "falsch"},
        {"password": "Das ist nicht das Passwort"},
        forgotten=frozenset({"password"}),
    ),
    "account:password": Form({}, MISTYPED, dict.fromkeys(MISTYPED, ""), forgotten=frozenset(MISTYPED)),
    "password_reset": Form({}, {"email": "nirgendwo"}, {"email": "keine E-Mail-Adresse"}, by="nobody"),
    "invitation": Form(
        {"token": "token"},
        {"username": "ä ö", "password1": "kurz", "password2": "anders"},
        {"username": "bestehend aus Buchstaben", "password1": "", "password2": "nicht identisch"},
        forgotten=frozenset({"password1", "password2"}),
        by="nobody",
    ),
    "host:organisers": Form({}, ORGANISER, by="hera"),
    "host:organiser": Form({"slug": "organiser"}, ORGANISER, by="hera"),
}
