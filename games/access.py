"""This app's part of the table of who may do what: what its addresses are for, and who comes by a personal link."""

from django.http import Http404
from django.utils.translation import gettext as _

from tournament.acts import Act
from tournament.models import Entry
from tournament.operations import access_codes

ADDRESSES: dict[Act, str] = {
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


def player(link: str) -> Entry:
    """The player to whom a personal link leads; 404 if to nobody, or not any more. One query."""
    found = access_codes.player_at(link)
    if found is None:
        raise no_player()
    return found


def no_player() -> Http404:
    """That a personal link leads to nobody, or not any more."""
    return Http404(_("This personal link leads to nobody. Ask at the desk for the card that is valid now."))
