"""The journal in words: a title for each operation, a sentence for each entry."""

from collections.abc import Iterable, Mapping
from datetime import date
from typing import Any

from django.utils import formats
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from tournament.basics.showing import ShowingStep
from tournament.core.words.rounds import STEP_NAMES, KnockoutPlace
from tournament.models import JournalEntry

UNDOABLE_GAME_TITLES: Mapping[str, str | Promise] = {
    "confirm_result": gettext_lazy("Result looked at and confirmed"),
    "ask_jury": gettext_lazy("Jury asked about a word"),
    "withdraw_challenge": gettext_lazy("Challenge struck from the log"),
    "withdraw_incident": gettext_lazy("Incident struck from the log"),
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
    "plan_seats": gettext_lazy("Numbering of the seats set"),
    "draw_seats": gettext_lazy("Seats drawn"),
    "give_seat": gettext_lazy("Seat given"),
    "free_seat": gettext_lazy("Seat made free"),
    "open_turn": gettext_lazy("Turn drawn"),
    "draw_again": gettext_lazy("Turn drawn again"),
    "start_clock": gettext_lazy("Clock of a turn started"),
    "close_turn": gettext_lazy("Master word laid"),
    "save_slip": gettext_lazy("Slip"),
    "remove_slip": gettext_lazy("Slip removed"),
    "refuse_word": gettext_lazy("Word judged by the jury"),
    "correct_slip": gettext_lazy("Slip corrected afterwards"),
    "publish_notice": gettext_lazy("Notice of corrections published"),
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
"""The titles of the operations at the tables (`games`) that can be undone."""

UNDOABLE_TITLES: dict[str, str | Promise] = {
    "update_settings": gettext_lazy("Settings changed"),
    "set_plan": gettext_lazy("Plan of rounds changed"),
    "enter": gettext_lazy("Player entered"),
    "enter_all": gettext_lazy("Players entered"),
    "edit_entry": gettext_lazy("Entry changed"),
    "move_entry": gettext_lazy("Player moved to another division"),
    "remove_entry": gettext_lazy("Entry removed"),
    "name_teams": gettext_lazy("Teams named"),
    "line_up": gettext_lazy("Line-ups changed"),
    "record_match": gettext_lazy("Results of a match of teams"),
    "award_match": gettext_lazy("Walkover in a match of teams"),
    "withdraw_team": gettext_lazy("Team withdrawn"),
    "bring_back_team": gettext_lazy("Team back again"),
    "keep_apart": gettext_lazy("Players to be kept apart"),
    "allow_to_meet": gettext_lazy("Players may meet again"),
    "withdraw": gettext_lazy("Player withdrawn"),
    "disqualify": gettext_lazy("Player disqualified"),
    "withdraw_absentees": gettext_lazy("Absent players withdrawn"),
    "bring_back": gettext_lazy("Player back again"),
    "set_absence": gettext_lazy("Absence noted"),
    "remove_absence": gettext_lazy("Absence taken back"),
    "leave_out_absentees": gettext_lazy("Absent players left out"),
    "settle_absentees": gettext_lazy("Decided who is still expected and who is not"),
    "check_in": gettext_lazy("Players checked in"),
    "mark_fees": gettext_lazy("Fees noted"),
    "note_fee": gettext_lazy("Fee of a player noted"),
    "set_fees": gettext_lazy("Kinds and amounts of the fees set"),
    "settle_by_lot": gettext_lazy("Lots drawn"),
    "discard_lot": gettext_lazy("Lots discarded"),
    "announce_knockout": gettext_lazy("Knock-out announced"),
    "cancel_knockout": gettext_lazy("Knock-out cancelled"),
    "confirm_seeds": gettext_lazy("Seeding of the knock-out confirmed"),
    "take_back_seeds": gettext_lazy("Seeding of the knock-out taken back"),
    "say_not_recorded": gettext_lazy("Criterion of a match noted as not recorded or not deciding"),
    "take_back_not_recorded": gettext_lazy("A match waits for its criterion again"),
    "draw_match_lot": gettext_lazy("Lot drawn for a match"),
    "discard_match_lot": gettext_lazy("Lot of a match taken back"),
    "enter_match_winner": gettext_lazy("Winner of a match by the announcement’s own criterion entered"),
    "take_back_match_winner": gettext_lazy("Winner of a match by the announcement’s own criterion taken back"),
    "add_prize": gettext_lazy("Prize added"),
    "add_usual_prizes": gettext_lazy("The usual prizes added"),
    "edit_prize": gettext_lazy("Prize changed"),
    "remove_prize": gettext_lazy("Prize removed"),
    "move_prize_up": gettext_lazy("Prize moved up"),
    "publish_prizes": gettext_lazy("Visibility of the prizes changed"),
    "set_certificate": gettext_lazy("Text of the certificates changed"),
    "tell_turning_point": gettext_lazy("“What it hung on” shown or left out"),
    "write_report_notes": gettext_lazy("Notes for the federation written"),
    "end_tournament": gettext_lazy("Tournament ended"),
    "reopen_tournament": gettext_lazy("Tournament opened again"),
    "draft_round": gettext_lazy("Round drafted"),
    "announce_pairs": gettext_lazy("Pairs of the next round announced"),
    "swap": gettext_lazy("Players changed places"),
    "pair_by_hand": gettext_lazy("Pair set by hand"),
    "turn": gettext_lazy("Starter changed"),
    "lock": gettext_lazy("Pair locked"),
    "unlock": gettext_lazy("Pair unlocked"),
    "pair_rest_anew": gettext_lazy("Rest drawn again"),
    "discard_draft": gettext_lazy("Draft discarded"),
    "publish_all_rounds": gettext_lazy("All rounds published"),
    "set_due_days": gettext_lazy("Days of the rounds set"),
    "postpone_game": gettext_lazy("Game postponed"),
    "set_reminders": gettext_lazy("Reminders of games set"),
    "close_round": gettext_lazy("Round closed"),
    "reopen_round": gettext_lazy("Round opened again"),
    "show_round": gettext_lazy("Shown to the public"),
    "hold_back": gettext_lazy("Held back from the public"),
    "show_all_rounds": gettext_lazy("Everything shown to the public"),
    "show_as_usual": gettext_lazy("Shown to the public as usual"),
    "record_result": gettext_lazy("Result"),
    "withdraw_result": gettext_lazy("Result withdrawn"),
    "add_screen": gettext_lazy("Screen added"),
    "set_up_screen": gettext_lazy("Screen set up"),
    "remove_screen": gettext_lazy("Screen removed"),
    "say_to_hall": gettext_lazy("Message to the hall"),
    "stream_table": gettext_lazy("Table streamed"),
    "end_stream": gettext_lazy("Table no longer streamed"),
    "delay_streams": gettext_lazy("Delay of streamed boards set"),
    **UNDOABLE_GAME_TITLES,
    "undo": gettext_lazy("Taken back"),
    "redo": gettext_lazy("Restored"),
}
"""The titles of the operations that can be undone; `unpublish_round` takes a published round back."""

VERB_TITLES: dict[str, str | Promise] = {
    **UNDOABLE_TITLES,
    "create_tournament": gettext_lazy("Tournament created"),
    "copy_tournament": gettext_lazy("Tournament copied"),
    "start_next_season": gettext_lazy("Next season made"),
    "import_tournament": gettext_lazy("Tournament read from a file"),
    "import_event": gettext_lazy("Event read from an archive"),
    "rebuild_tournament": gettext_lazy("Tournament rebuilt from its journal"),
    "set_aside": gettext_lazy("Moved aside: its rows were not what its journal says"),
    "set_public": gettext_lazy("Visibility changed"),
    "add_division": gettext_lazy("Division added"),
    "rename_division": gettext_lazy("Division renamed"),  # of events from before divisions had tables
    "update_division": gettext_lazy("Division changed"),
    "remove_division": gettext_lazy("Division removed"),
    "rename_player": gettext_lazy("Player renamed"),
    "merge_players": gettext_lazy("Player merged with another of the register"),
    "part_players": gettext_lazy("Merging of two players taken back"),
    "give_portrait": gettext_lazy("Photo of a player given"),
    "remove_portrait": gettext_lazy("Photo of a player deleted"),
    "make_access_code": gettext_lazy("Access code made"),
    "revoke_access_code": gettext_lazy("Access code taken back"),
    "renew_link": gettext_lazy("New personal link for a player"),
    "call_off": gettext_lazy("Tournament called off"),
    "take_place": gettext_lazy("Decided that the tournament takes place"),
    "remind_players": gettext_lazy("Players reminded of a game"),
    "send_reminders": gettext_lazy("Reminders of games sent"),
    "share_contact": gettext_lazy("A player lets opponents see phone and e-mail"),
    "send_day_letters": gettext_lazy("Letter before the day sent"),
    "send_certificates": gettext_lazy("Certificates sent by e-mail"),
    "send_notice": gettext_lazy("Notice of corrections sent by letter"),
    "answer_name_question": gettext_lazy("A player said whether the name is right"),
    "settle_name_wish": gettext_lazy("Decided how a player’s name is written"),
    "set_up_online_entry": gettext_lazy("Online entry set up"),
    "register": gettext_lazy("Registered online"),
    "move_up": gettext_lazy("Moved up from the waiting list"),
    "confirm_registration": gettext_lazy("Registration confirmed"),
    "refuse_registration": gettext_lazy("Registration not accepted"),
    "let_registration_wait": gettext_lazy("Registration put on the waiting list"),
    "withdraw_registration": gettext_lazy("Registration withdrawn"),
    "mark_registration_paid": gettext_lazy("Fee of a registration marked as paid or open"),
    "note_registration_fee": gettext_lazy("Fee of a registration noted"),
    "settle_number": gettext_lazy("Membership number of a registration looked at"),
    "move_registration": gettext_lazy("Registration moved to another division"),
    "forget_player": gettext_lazy("Personal data of a player deleted"),
    "forget_registration": gettext_lazy("Registration deleted"),
    "take_registrations": gettext_lazy("Registrations taken over as entries"),
    "publish_round": gettext_lazy("Round published"),
    "hold_step": gettext_lazy("A step of the day by itself waits"),
    "let_day_go_on": gettext_lazy("The day by itself goes on"),
    "count_step_again": gettext_lazy("A step of the day by itself is counted down again"),
    "unpublish_round": gettext_lazy("Round taken back"),
    "show_on_screen": gettext_lazy("Screen shows something else"),
    "hold_pages": gettext_lazy("Pages of a screen held or let go"),
    "set_round_clock": gettext_lazy("Clock of the round set"),
    "start_round_clock": gettext_lazy("Clock of the round started"),
    "pause_round_clock": gettext_lazy("Clock of the round stopped"),
    "move_round_clock": gettext_lazy("Clock of the round moved"),
    "reset_round_clock": gettext_lazy("Clock of the round set back"),
    "keep_round_clock": gettext_lazy("Clock of the round kept as it was: the computer’s clock was put back"),
    "let_clock_sound": gettext_lazy("Sound of the clock changed"),
    "take_message_back": gettext_lazy("Message to the hall taken back"),
    "count_down": gettext_lazy("Countdown changed"),
    "show_slide": gettext_lazy("Slide of the ceremony shown"),
    "skip_slide": gettext_lazy("Slide left out of the ceremony"),
    "keep_slide": gettext_lazy("Slide taken into the ceremony again"),
    "honour_earlier": gettext_lazy("Division honoured earlier"),
    "set_thanks": gettext_lazy("Thanks at the end of the ceremony changed"),
    "set_hall_depth": gettext_lazy("Depth of the hall noted"),
    "report_game": gettext_lazy("Reported by a player"),
    "type_again": gettext_lazy("Result typed a second time"),
    "settle_result": gettext_lazy("Result settled from the paper"),
    "ask_judge": gettext_lazy("Word judge asked"),
    "delete_word_list": gettext_lazy("Word list deleted"),
    "attach_photos": gettext_lazy("Photos attached"),
    "delete_photo": gettext_lazy("Photo deleted"),
    "log_challenge": gettext_lazy("Challenge noted"),
    "log_incident": gettext_lazy("Incident noted"),
    "revert_incident": gettext_lazy("Incident struck from the log, its consequence withdrawn"),
    "apply_incident": gettext_lazy("Consequence put into the result"),
    "agree_sheet": gettext_lazy("Score sheet agreed"),
}
"""The title of each operation in the director's log."""

UNDOABLE_VERBS = frozenset(UNDOABLE_TITLES)

QUIET_VERBS = frozenset(
    {
        "show_on_screen",
        "hold_pages",
        "set_round_clock",
        "start_round_clock",
        "pause_round_clock",
        "move_round_clock",
        "reset_round_clock",
        "let_clock_sound",
        "take_message_back",
        "show_slide",
        "skip_slide",
        "keep_slide",
        "count_down",
        "set_thanks",
        "set_hall_depth",
        "ask_judge",
        "report_game",
    }
)
"""Verbs that pages leave out unless asked: frequent ones that nobody looks for, and those logged elsewhere."""


def get_entry_title(entry: JournalEntry) -> str:
    return str(VERB_TITLES.get(entry.verb, entry.verb))


def _describe_place(details: Mapping[str, Any]) -> list[str]:
    """The match or the round, and the step shown to the public."""
    parts = []
    if details.get("knockout"):
        parts.append(str(KnockoutPlace.read(details["knockout"])))
    if details.get("round"):
        parts.append(_("round %(number)s") % {"number": details["round"]})
    if details.get("rounds"):
        parts.append(_("rounds %(first)s–%(last)s") % dict(zip(("first", "last"), details["rounds"], strict=True)))
    if details.get("step"):
        parts.append(str(STEP_NAMES[ShowingStep(details["step"])]))
    return parts


def describe_undone(entry: JournalEntry) -> str:
    """What an undo or a redo is about in the end: the first entry of the chain, never an undo of an undo."""
    verb = str(entry.details.get("root", entry.details["undone"]))
    what = str(VERB_TITLES.get(verb, verb))
    return _("entry %(number)s: %(what)s") % {"number": entry.details.get("number", ""), "what": what}


def describe_entry(entry: JournalEntry) -> str:
    """A sentence on what an entry did, with round, table, names and figures."""
    details = entry.details
    parts = _describe_place(details)
    for key, text in (
        ("table", _("table %(number)s")),
        ("turn", _("turn %(number)s")),
        ("seat", _("seat %(number)s")),
        ("notice", _("notice %(number)s")),
        ("line", _("line %(number)s")),
        ("size", _("%(number)s players")),
        ("screen", _("screen %(number)s")),
        # With 0 where an entry has no minutes: the text is made in any case, and not used then.
        ("minutes", ngettext("%(number)s minute", "%(number)s minutes", details.get("minutes") or 0)),
        ("tiles", _("drawn from the bag: %(number)s")),
    ):
        if details.get(key):
            parts.append(str(text) % {"number": details[key]})
    # Asked for None, as 0 is a score; other details are told only where they say something.
    if details.get("first_points") is not None and details.get("second_points") is not None:
        parts.append(f"{details['first_points']}\N{NO-BREAK SPACE}:\N{NO-BREAK SPACE}{details['second_points']}")
    parts += [str(name) for name in details.get("names", []) if name]
    parts += [str(details[key]) for key in ("name", "why") if details.get(key)]
    if details.get("day"):
        parts.append(formats.date_format(date.fromisoformat(details["day"]), "DATE_FORMAT"))
    if details.get("at_fault"):
        parts.append(_("did not show up: %(names)s") % {"names": ", ".join(details["at_fault"])})
    if details.get("taken_off"):
        parts.append(_("tick taken off"))
    if details.get("count"):
        parts.append(str(details["count"]))
    if details.get("disturbed"):
        parts.append(_("no longer counts: %(games)s") % {"games": "; ".join(details["disturbed"])})
    if details.get("undone"):
        parts.append(describe_undone(entry))
    return f"{get_entry_title(entry)}: {' · '.join(parts)}" if parts else get_entry_title(entry)


class JournalLine:
    """A journal entry as a line on the page, with the entries on the same score sheet folded under it."""

    def __init__(self, entry: JournalEntry, taken_back: Mapping[int, int] | None = None) -> None:
        self.entry = entry
        self.sentence = describe_entry(entry)
        self.taken_back_by = (taken_back or {}).get(entry.number)
        self.undoable = entry.verb in UNDOABLE_VERBS and self.taken_back_by is None
        self.restores = entry.verb == "undo"
        self.publishes = entry.verb == "publish_round"  # taken back by an operation of its own
        self.folded: list[JournalLine] = []


def fold_entries(entries: Iterable[JournalEntry], taken_back: Mapping[int, int]) -> list[JournalLine]:
    """The entries as lines; consecutive ones by one person on one score sheet are folded into the first."""
    lines: list[JournalLine] = []
    for entry in entries:
        first = lines[-1].entry if lines else None
        sheet = entry.details.get("sheet")
        # A sheet is typed line by line: forty entries of one game would push everything else off the first page.
        if first and sheet and (sheet, entry.by_name) == (first.details.get("sheet"), first.by_name):
            lines[-1].folded.append(JournalLine(entry, taken_back))
        else:
            lines.append(JournalLine(entry, taken_back))
    return lines
