"""This app's part of the journal: what its operations are called, and which of its tables belong to a tournament."""

from django.db import models
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

from games.models import (
    Challenge,
    DuplicateCorrection,
    DuplicateSession,
    DuplicateSlip,
    DuplicateTurn,
    Incident,
    JoinedClub,
    JuryQuestion,
    Line,
    Photo,
    PreparedSession,
    Question,
    Ruling,
    Scoresheet,
    SecondReading,
)

OWNED: dict[type[models.Model], str] = {
    Scoresheet: "pairing__round__division__tournament",
    Line: "scoresheet__pairing__round__division__tournament",
    Photo: "pairing__round__division__tournament",
    Challenge: "pairing__round__division__tournament",
    Incident: "pairing__round__division__tournament",
    JuryQuestion: "pairing__round__division__tournament",
    Question: "tournament",
    DuplicateSession: "division__tournament",
    DuplicateTurn: "session__division__tournament",
    DuplicateSlip: "turn__session__division__tournament",
    SecondReading: "turn__session__division__tournament",
    DuplicateCorrection: "turn__session__division__tournament",
    PreparedSession: "division__tournament",
    JoinedClub: "prepared__division__tournament",
    Ruling: "prepared__division__tournament",
}

DETAILS: dict[str, type[models.Model]] = {"sheet": Scoresheet}

VERBS: dict[str, str | Promise] = {
    "ask_judge": gettext_lazy("Word judge asked"),
    "ask_jury": gettext_lazy("Jury asked about a word"),
    "delete_word_list": gettext_lazy("Word list deleted"),
    "attach_photos": gettext_lazy("Photos attached"),
    "delete_photo": gettext_lazy("Photo deleted"),
    "log_challenge": gettext_lazy("Challenge noted"),
    "withdraw_challenge": gettext_lazy("Challenge struck from the log"),
    "log_incident": gettext_lazy("Incident noted"),
    "withdraw_incident": gettext_lazy("Incident struck from the log"),
    "revert_incident": gettext_lazy("Incident struck from the log, its consequence taken back"),
    "apply_incident": gettext_lazy("Consequence put into the result"),
    "agree_sheet": gettext_lazy("Score sheet agreed"),
    "open_sheet": gettext_lazy("Score sheet begun"),
    "write_line": gettext_lazy("Line written"),
    "change_line": gettext_lazy("Line changed"),
    "insert_line": gettext_lazy("Line inserted"),
    "delete_line": gettext_lazy("Line deleted"),
    "swap_sides": gettext_lazy("Players swapped on a score sheet"),
    "note_draw": gettext_lazy("Draw for the start noted on a score sheet"),
    "finish_sheet": gettext_lazy("End of a score sheet written"),
    "delete_sheet": gettext_lazy("Score sheet deleted"),
    "import_sheet": gettext_lazy("Score sheet read from a GCG file"),
    "publish_game": gettext_lazy("Game published to step through"),
    "unpublish_game": gettext_lazy("Game taken off the public pages"),
    "prepare_session": gettext_lazy("Duplicate session prepared"),
    "end_session": gettext_lazy("Duplicate session ended"),
    "resume_session": gettext_lazy("Duplicate session goes on"),
    "open_turn": gettext_lazy("Turn drawn"),
    "draw_again": gettext_lazy("Turn drawn again"),
    "start_clock": gettext_lazy("Clock of a turn started"),
    "close_turn": gettext_lazy("Master word laid"),
    "save_slip": gettext_lazy("Slip"),
    "remove_slip": gettext_lazy("Slip removed"),
    "refuse_word": gettext_lazy("Word judged by the jury"),
    "correct_slip": gettext_lazy("Slip corrected afterwards"),
    "take_sealed": gettext_lazy("Sealed session read in"),
    "save_prepared": gettext_lazy("Session prepared for several clubs"),
    "seal_session": gettext_lazy("Session sealed"),
    "join_clubs": gettext_lazy("Club’s file joined"),
    "remove_club": gettext_lazy("Club’s file removed"),
    "rule_slip": gettext_lazy("Ruled for all clubs"),
}

QUIET = frozenset({"ask_judge"})
"""Those of this app's verbs that have a log of their own."""

UNDOABLE: frozenset[str] = frozenset(
    {
        "ask_jury",
        "withdraw_challenge",
        "withdraw_incident",
        "open_sheet",
        "write_line",
        "change_line",
        "insert_line",
        "delete_line",
        "swap_sides",
        "note_draw",
        "finish_sheet",
        "delete_sheet",
        "import_sheet",
        "publish_game",
        "unpublish_game",
        "prepare_session",
        "end_session",
        "resume_session",
        "open_turn",
        "draw_again",
        "start_clock",
        "close_turn",
        "save_slip",
        "remove_slip",
        "refuse_word",
        "correct_slip",
        "take_sealed",
        "save_prepared",
        "seal_session",
        "join_clubs",
        "remove_club",
        "rule_slip",
    }
)
"""Those of this app's verbs that can be taken back."""
