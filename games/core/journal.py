"""This app's part of two tables: the journal's (names of operations, models) and that of who may open which address."""

from django.db import models
from django.http import Http404
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.models import (
    Challenge,
    DuplicateCorrection,
    DuplicateSession,
    DuplicateSlip,
    DuplicateTurn,
    GameReport,
    Incident,
    JoinedClub,
    JuryQuestion,
    Line,
    Photo,
    PreparedSession,
    Question,
    RoundPlay,
    Ruling,
    Scoresheet,
    SecondEntry,
    SecondReading,
)
from tournament.access.acts import Act
from tournament.access.codes import find_entry_by_link
from tournament.models import Entry

GAME_ADDRESSES: dict[Act, str] = {
    Act.READ: """
        games:replay games:replay_file games:stream games:duplicate_public games:duplicate_hall games:round_play_public
    """,
    Act.RESULTS: """
        games:current games:grid games:result games:preview games:withdraw
        games:again games:settle_result
        games:duplicate games:duplicate_news games:duplicate_slip games:duplicate_slip_remove games:duplicate_second
        games:duplicate_settle
    """,
    Act.OWN_GAMES: "games:me games:me_news games:me_report games:me_here games:me_photo",
    Act.DUPLICATE: """
        games:duplicate_prepare games:duplicate_draw games:duplicate_again games:duplicate_clock games:duplicate_refuse
        games:duplicate_master games:duplicate_best games:duplicate_turn games:duplicate_end games:duplicate_resume
        games:duplicate_take games:duplicate_twice games:duplicate_sealed games:duplicate_seal
        games:duplicate_sealed_file games:duplicate_join games:duplicate_club_remove games:duplicate_rule
        games:duplicate_joined_csv
    """,
    Act.PRINT: "games:duplicate_document games:duplicate_sealed_document",
    Act.SHEETS: """
        games:sheets games:sheet games:sheet_preview games:sheet_draw games:sheet_ending games:sheet_line_delete
        games:sheet_line_swap games:sheet_delete games:compare games:compare_take games:compare_agree games:gcg
        games:gcg_file games:gcg_publish games:best_plays games:photos games:photo games:photo_delete
    """,
    Act.HALL: "games:round_play games:round_play_choose games:round_play_solve games:round_play_away",
    Act.REFEREE: """
        games:judge games:judge_answer games:judge_log games:referee_overview games:referee games:challenge
        games:incident games:incident_apply games:incident_strike games:challenge_strike
    """,
    Act.WORD_LISTS: "games:word_lists games:use_words games:delete_words",
}


def get_linked_entry_or_404(link: str) -> Entry:
    """The player to whom a personal link leads; 404 if to nobody, or not any more. One query."""
    found = find_entry_by_link(link)
    if found is None:
        raise make_dead_link_error()
    return found


def make_dead_link_error() -> Http404:
    """That a personal link leads to nobody, or not any more."""
    return Http404(_("This personal link leads to nobody. Ask at the desk for the card that is valid now."))


GAME_TABLES: dict[type[models.Model], str] = {
    Scoresheet: "pairing__round__division__tournament",
    Line: "scoresheet__pairing__round__division__tournament",
    Photo: "pairing__round__division__tournament",
    Challenge: "pairing__round__division__tournament",
    Incident: "pairing__round__division__tournament",
    JuryQuestion: "pairing__round__division__tournament",
    GameReport: "pairing__round__division__tournament",
    SecondEntry: "pairing__round__division__tournament",
    RoundPlay: "scoresheet__pairing__round__division__tournament",
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

GAME_DETAILS: dict[str, type[models.Model]] = {"sheet": Scoresheet}

GAME_VERBS: dict[str, str | Promise] = {
    "report_game": gettext_lazy("Reported by a player"),
    "type_again": gettext_lazy("Result typed a second time"),
    "settle_result": gettext_lazy("Result settled from the paper"),
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
    "choose_round_play": gettext_lazy("Play of the round shown"),
    "solve_round_play": gettext_lazy("Best play of the play of the round shown"),
    "take_round_play_away": gettext_lazy("Play of the round taken away"),
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
    "type_twice": gettext_lazy("Second correction switched on or off"),
    "read_again": gettext_lazy("Slip typed a second time"),
    "settle_slip": gettext_lazy("Difference settled from the paper slip"),
    "take_sealed": gettext_lazy("Sealed session read in"),
    "save_prepared": gettext_lazy("Session prepared for several clubs"),
    "seal_session": gettext_lazy("Session sealed"),
    "join_clubs": gettext_lazy("Club’s file joined"),
    "remove_club": gettext_lazy("Club’s file removed"),
    "rule_slip": gettext_lazy("Ruled for all clubs"),
}

GAME_QUIET_VERBS = frozenset({"ask_judge", "report_game"})
"""Those of this app's verbs that have a log of their own."""

UNDOABLE = """
    ask_jury withdraw_challenge withdraw_incident open_sheet write_line change_line insert_line delete_line swap_sides
    note_draw finish_sheet delete_sheet import_sheet publish_game unpublish_game choose_round_play solve_round_play
    take_round_play_away prepare_session end_session resume_session open_turn draw_again start_clock close_turn
    save_slip remove_slip refuse_word correct_slip type_twice read_again settle_slip take_sealed save_prepared
    seal_session join_clubs remove_club rule_slip
"""
GAME_UNDOABLE_VERBS = frozenset(UNDOABLE.split())
"""Those of this app's verbs that can be taken back."""
