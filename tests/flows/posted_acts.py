"""Every button and every other post without a text to correct: an act, which is done or refused on the next page.

What is posted here is junk, so only what these addresses read matters: the fields that their pages send.
"""

from collections.abc import Mapping
from typing import Any

from tests.flows.posted_forms import SLUG, Form

DRAFTED, RUNNING = {**SLUG, "number": "drafted"}, {**SLUG, "number": "running"}
TABLE, SHEET = {**SLUG, "pk": "table"}, {**SLUG, "pk": "sheet"}
ENTRY, PRIZE = {**SLUG, "pk": "entry"}, {**SLUG, "pk": "prize"}
SESSION = {"slug": "session"}
TEAM = {"slug": "league", "pk": "team_player"}
B = "?division=B"


def act(at: Mapping[str, Any], *fields: str, query: str = "") -> Form:
    """An act that needs no more than its button; what it is sent besides is of no account."""
    return Form(at, dict.fromkeys(fields, "x"), query=query, acts=True)


def refused(at: Mapping[str, Any], *fields: str, query: str = "") -> Form:
    """An act that is refused here, whatever is sent."""
    return Form(at, dict.fromkeys(fields, "x"), query=query)


ACTS: dict[str, Form] = {
    "mirror": refused({"key": "x"}),
    "hand_in": refused({"key": "x"}),
    "director:mirror_act": act(SLUG, "act"),
    "director:mirror_link_end": refused({"pk": 1}),
    "director:kept_input": refused({}, "anything"),
    # Backups are the host's: whoever directs one event only is sent away.
    "director:make_backup": refused({}),
    "director:delete_named_backups": refused({}),
    "director:second_place": refused({}, "folder"),
    "director:look_at_backup": refused({}, "file"),
    "administration_login": refused({}, "username", "password"),
    # Without e-mail these are not there; their own tests post to them with it.
    "password_reset_choose": refused({"uidb64": "x", "token": "x"}, "new_password1", "new_password2"),
    "account:second_factor": refused({}, "code", "password"),
    "account:second_factor_off": refused({}, "password"),
    "account:recovery_codes": refused({}, "password"),
    "host:second_factors": refused({}, "account"),
    "login_code": refused({}, "code"),
    "director:take_registrations": refused(SLUG, "take", "anyway"),
    "director:settle_registration": refused({**SLUG, "pk": 1, "what": "confirm"}),
    "director:forget_registration": refused({**SLUG, "pk": 1}),
    "director:forget_player": act({"pk": "player"}),
    "director:merge_players": refused({"pk": "player"}, "other"),
    "director:part_players": act({"pk": "player"}),
    "director:two_people": refused({}, "one", "other"),
    "director:take_back_two_people": refused({"pk": 1}),
    "director:hide_profile": act({"pk": "player"}, "show"),
    "director:remove_number": refused({"pk": "player", "number": 1}),
    "public:registration_forget": refused({**SLUG, "link": "no-link"}),
    "director:waiting_letter": refused({**SLUG, "pk": 1}, "discard"),
    "public:registration_confirm": refused({**SLUG, "link": "no-link"}),
    "public:registration_withdraw": refused({**SLUG, "link": "no-link"}),
    "access_code_link": refused({"token": "no-code"}),
    "leave_access_code": refused({}),
    "director:renew_link": act(ENTRY),
    "director:revoke_code": act({**SLUG, "pk": "access_code"}),
    "director:renew_code": act({**SLUG, "pk": "access_code"}),
    "director:let_code_go": refused({**SLUG, "pk": "access_code"}),
    "games:me_here": refused({"link": "link"}, "present"),
    "games:me_name": refused({"link": "link"}, "name"),
    "director:settle_name_wish": refused(ENTRY, "take"),
    "director:day_letters": refused(SLUG),
    "director:certificate_letters": refused(SLUG),
    "director:minimum": refused(SLUG, "take_place"),
    "games:round_play_choose": refused(SLUG, "sheet", "turn"),
    "games:round_play_solve": refused(SLUG),
    "games:round_play_away": refused(SLUG),
    "director:turning_point": act(SLUG, "tells"),
    "director:delete_season": act({"pk": "season"}),
    "director:withdraw_rating_list": act({"pk": "rating_list"}),
    "director:take_back_choice": refused({"pk": "season", "number": 1}),
    "director:take_back_same_person": act({"pk": "same_person"}),
    "director:remove_member": act({"pk": "member"}),
    "director:revoke_invitation": act({"pk": "invitation"}),
    "director:fit_plan": refused(SLUG),
    "director:choose_players": refused(SLUG, "player", "enter"),
    "director:visible": act(SLUG, "public"),
    "director:lots": refused(SLUG, "one_of"),
    "director:discard_lot": act({**SLUG, "pk": "lot"}, "disturbs"),
    "director:decide_absentees": refused(SLUG, "x"),
    "director:absentees": refused(SLUG, "what", "number"),
    "director:check_in": act(SLUG, "shown", "present", "paid"),
    "director:tick": act({**ENTRY, "column": "present", "state": "on"}),
    "director:settle_fee": act(ENTRY, "only"),
    "director:remove_entry": refused(ENTRY),
    "director:allow_to_meet": act({**ENTRY, "pair": "apart"}),
    "director:bring_back": act({**SLUG, "pk": "gone"}, "missed_are_losses"),
    "director:award_match": act({**TEAM, "number": 1}, "at_fault"),
    "director:withdraw_team": act(TEAM),
    "director:bring_back_team": refused(TEAM),
    "director:remove_absence": refused({**ENTRY, "number": 1}),
    "director:undo": refused({**SLUG, "number": "entered"}, "seen", "from"),
    "director:publish": refused(RUNNING),
    "director:unpublish": refused(RUNNING),
    "director:hold_step": refused(SLUG, "key"),
    "director:let_day_go_on": act(SLUG),
    "director:discard": refused(RUNNING),
    "director:close": refused(RUNNING),
    "director:reopen": refused(DRAFTED),
    "director:publish_all": refused(SLUG),
    "director:decide_overdue": refused({**SLUG, "pk": "table"}),
    "games:me_contact": refused({"link": "link"}),
    "director:outlook": act(SLUG),
    "director:show_all": act(SLUG, "back"),
    "director:shows": refused(DRAFTED, "show"),
    "director:anew": refused(RUNNING),
    "director:by_hand": refused(DRAFTED, "one", "other"),
    "director:one_pairing": act({**DRAFTED, "pk": "pair"}, "turn", "lock"),
    "director:take_back_knockout": act(SLUG, "all", query=B),
    "director:not_recorded": refused({**SLUG, "stage": 1, "position": 1}, "fact", query=B),
    "director:recorded_again": act({**SLUG, "pk": "not_recorded"}, "disturbs"),
    "director:match_lot": refused({**SLUG, "stage": 1, "position": 1}, "winner", "own", query=B),
    "director:discard_match_lot": act({**SLUG, "pk": "match_lot"}, "disturbs"),
    "director:end_tournament": act(SLUG, "accept_open"),
    "director:reopen_tournament": refused(SLUG),
    "director:usual_prizes": act(SLUG),
    "director:publish_prizes": act(SLUG, "public"),
    "director:remove_prize": act(PRIZE),
    "director:move_prize_up": act(PRIZE),
    "director:hall_clock": refused(SLUG, "do"),
    "director:hall_ceremony": refused(SLUG, "slide", "runs", "skip", "keep", "earlier"),
    "director:hall_message_back": act(SLUG),
    "director:hall_end_stream": refused({**SLUG, "number": 3}),
    "director:show_on_screen": refused({**SLUG, "number": 1}, "shows"),
    "director:hold_pages": act({**SLUG, "number": 1}, "held"),
    "director:remove_screen": refused({**SLUG, "number": 2}),
    "games:use_words": act({"pk": "words"}),
    "games:delete_words": act({"pk": "words"}),
    "games:sheet_preview": refused(
        SHEET, "mode", "number", "side", "kind", "position", "word", "points", "rack", "note"
    ),
    "games:sheet_line_delete": refused({**SHEET, "number": 1}, "version"),
    "games:sheet_line_swap": refused({**SHEET, "number": 1}, "version"),
    "games:sheet_delete": refused(SHEET, "version"),
    "games:compare_take": refused(TABLE, "target", "source", "number", "before", "line", "version", "source_version"),
    "games:gcg_publish": act(SHEET, "hide"),
    "director:remove_portrait": act({**SLUG, "pk": "portrait"}),
    "games:photo_delete": act({**SLUG, "pk": "photo"}),
    "games:incident_apply": refused({**SLUG, "pk": "incident"}, "seen", "disturbs"),
    "games:duplicate_clock": act(SESSION),
    "games:duplicate_refuse": refused(SESSION, "word", "stands"),
    "games:duplicate_resume": refused(SESSION),
    "games:duplicate_notices": refused(SESSION),
    "games:duplicate_notice_send": refused({**SESSION, "number": 1}),
    "games:duplicate_seats_free": act({**SESSION, "pk": "session_seat"}),
    "games:duplicate_seats_beside": act({**SESSION, "pk": "sat_apart"}),
    "games:settle_result": refused(TABLE, "x"),
    "games:duplicate_twice": act(SESSION, query=B),
    "games:duplicate_seal": refused(SESSION),
    "games:duplicate_club_remove": act({**SESSION, "pk": "joined_club"}),
    "games:duplicate_slip_remove": refused({**SESSION, "pk": "slip"}, "version"),
    "games:preview": refused(TABLE, "first_points", "second_points", "first_overtime", "outcome", "figure", "seen"),
}
