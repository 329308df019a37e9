"""The table role × act × address: each address serves one act, and each act is allowed to some kinds of user. `rules`
reads it; the app `games` adds its own addresses."""

from collections.abc import Mapping
from enum import StrEnum

from tournament.models import Role


class UserKind(StrEnum):
    """Who asks for a page. Helpers, referees, directors and owners have that `Role` with the organiser; helpers and
    referees may have it at one tournament only, by a code."""

    ANYBODY = "anybody"
    ACCOUNT = "account"  # signed in, whatever they are a member of
    HELPER = Role.HELPER.value
    REFEREE = Role.REFEREE.value
    DIRECTOR = Role.DIRECTOR.value
    OWNER = Role.OWNER.value
    HOST = "host"  # a superuser, who looks after accounts and organisers, but sees no organiser's events


class Act(StrEnum):
    """What an address serves."""

    READ = "read what is published"
    TAKE_MIRROR = "take what another installation sends of an event by a link with a secret"
    SIGN_IN = "sign in and out, open a code, accept an invitation, replace a lost password"
    OWN_GAMES = "see and report one's own games by a personal link"
    ONLINE_ENTRY = "register for a tournament, and look after one's own registration by a personal link"
    OWN_DESK = "see where one works"
    ACCOUNT = "look after one's own account"
    RESULTS = "enter and correct results of the open round"
    CHECK_IN = "check players in"
    ENTRIES = "enter players and settle who plays"
    DRAW = "draw, change and publish rounds"
    KNOCKOUT = "run the knock-out"
    SHEETS = "keep score sheets and photos"
    DUPLICATE = "run a duplicate session"
    REFEREE = "keep the referee's log and ask the word judge"
    WAY_IN = "let helpers, referees and players in"
    MIRROR = "show an event on the internet"
    HALL = "run the screens of the hall, its clock and its messages"
    PRINT = "print and save files"
    JOURNAL = "read the journal and undo"
    SETTINGS = "set a tournament up and end it"
    TOURNAMENTS = "make, copy, read in and delete tournaments, look at those that were handed in"
    REGISTER = "keep the register of players"
    WORD_LISTS = "keep the word lists"
    SEASONS = "count events together as a season"
    MEMBERS = "invite members, change roles, name the organiser"
    HOST = "look after accounts, organisers and backups"


ALL_KINDS = frozenset(UserKind)
SIGNED_IN_KINDS = ALL_KINDS - {UserKind.ANYBODY}
HELPING_KINDS = frozenset({UserKind.HELPER, UserKind.DIRECTOR, UserKind.OWNER})
DIRECTING_KINDS = frozenset({UserKind.DIRECTOR, UserKind.OWNER})

ALLOWED_KINDS: dict[Act, frozenset[UserKind]] = {
    # A message of another installation, a code, a personal link: each proves itself, so that nobody has to have signed
    # in.
    **dict.fromkeys((Act.READ, Act.TAKE_MIRROR, Act.SIGN_IN, Act.OWN_GAMES, Act.ONLINE_ENTRY), ALL_KINDS),
    **dict.fromkeys((Act.OWN_DESK, Act.ACCOUNT), SIGNED_IN_KINDS),
    **dict.fromkeys((Act.RESULTS, Act.CHECK_IN), HELPING_KINDS),
    **dict.fromkeys((Act.ENTRIES, Act.DRAW, Act.KNOCKOUT, Act.SHEETS, Act.DUPLICATE), DIRECTING_KINDS),
    **dict.fromkeys((Act.WAY_IN, Act.MIRROR, Act.HALL, Act.PRINT, Act.JOURNAL, Act.SETTINGS), DIRECTING_KINDS),
    **dict.fromkeys((Act.TOURNAMENTS, Act.REGISTER, Act.WORD_LISTS, Act.SEASONS), DIRECTING_KINDS),
    Act.REFEREE: DIRECTING_KINDS | {UserKind.REFEREE},
    Act.MEMBERS: frozenset({UserKind.OWNER}),
    Act.HOST: frozenset({UserKind.HOST}),
}
"""The kinds of user who may do each act."""

_ADDRESSES: dict[Act, str] = {
    Act.READ: """
        set_language public:help public:help_chapter
        public:home public:home_news public:language public:organiser public:organiser_news
        public:organiser_players public:organiser_profile
        public:tournament public:announcement public:news public:entries public:rounds public:round public:table
        public:table_after public:table_file public:chances public:chances_shares public:crosstable
        public:ratings public:ratings_file public:rating_list public:rating_list_of_day public:rating_list_file
        public:last_rating_list_file public:teams public:teams_file
        public:bracket public:bracket_file public:final_file public:certificate public:statistics
        public:clock public:playing public:player public:screens public:screen public:screen_news
        public:portrait public:season public:season_news public:season_file public:club_colour public:club_picture
        public:share public:embed public:theme public:card public:feed public:calendar public:manifest
        public:club_feed public:club_calendar public:club_manifest public:club_icon public:robots public:sitemap
        public:stream_table public:stream_pairings public:tourney_js public:programs public:openapi
        public:api_events public:api_event public:api_entries public:api_rounds
        public:api_results public:api_table public:api_bracket public:api_statistics public:api_chances
        public:api_seasons public:api_season public:api_season_qualified public:api_teams public:api_team_matches
        public:push public:push_worker
        games:replay games:replay_file games:stream games:stream_board games:duplicate_public games:duplicate_hall
        games:round_play_public
    """,
    Act.TAKE_MIRROR: "mirror hand_in",
    Act.SIGN_IN: """
        login login_code logout first_start invitation password_reset password_reset_sent password_reset_choose
        access_code access_code_link leave_access_code
    """,
    Act.ONLINE_ENTRY: """
        public:register public:register_sent public:registration public:registration_confirm
        public:registration_withdraw public:registration_forget
    """,
    Act.OWN_DESK: "director:home director:kept_input style style_modes",
    Act.ACCOUNT: """
        account:own account:email account:password account:second_factor account:second_factor_off
        account:recovery_codes
    """,
    Act.RESULTS: """
        director:at_work
        games:current games:grid games:result games:preview games:withdraw
        games:settle_result
        games:duplicate games:duplicate_news games:duplicate_slip games:duplicate_slip_remove games:duplicate_second
        games:duplicate_settle
    """,
    Act.CHECK_IN: "director:check_in director:tick",
    Act.ENTRIES: """
        director:entries director:import_players director:choose_players director:absentees director:decide_absentees
        director:entry
        director:move_entry director:remove_entry director:keep_apart director:allow_to_meet director:withdraw
        director:bring_back director:absence director:remove_absence director:registrations director:online_entry
        director:registration director:settle_registration director:refuse_registration director:move_registration
        director:registration_fee
        director:day_letters director:settle_name_wish director:minimum
        director:take_registrations director:registrations_file director:waiting_letter director:forget_registration
        director:fees director:fee_terms director:fee director:settle_fee director:fees_file
    """,
    Act.DRAW: """
        director:console director:news director:rounds director:draft director:outlook director:round director:publish
        director:hold_step director:let_day_go_on
        director:unpublish director:discard director:close director:reopen director:shows director:show_all
        director:due_days director:publish_all director:overdue director:decide_overdue
        director:reminders
        director:anew director:by_hand director:one_pairing director:lots director:discard_lot director:chances
        director:ratings director:ratings_file director:teams director:teams_file director:edit_teams
        director:line_ups director:withdraw_team director:bring_back_team director:match director:award_match
        director:table director:table_after director:table_file
    """,
    Act.KNOCKOUT: """
        director:knockout director:announce_knockout director:take_back_knockout director:not_recorded
        director:recorded_again director:match_lot director:discard_match_lot
    """,
    Act.WAY_IN: """
        director:way_in director:revoke_code director:renew_code director:let_code_go director:renew_link
        director:wifi director:big_code
    """,
    Act.MIRROR: "director:mirror director:mirror_act director:website_folder",
    Act.HALL: """
        director:hall director:hall_news director:hall_clock director:hall_minutes director:hall_message
        director:hall_message_back director:hall_thanks director:hall_depth director:hall_countdown
        director:hall_stream director:hall_stream_delay director:hall_ceremony
        director:hall_end_stream director:add_screen director:screen director:show_on_screen director:hold_pages
        director:remove_screen
        games:round_play games:round_play_choose games:round_play_solve games:round_play_away
    """,
    Act.PRINT: """
        director:print_room director:document director:player_card director:export director:download director:take_along
        director:final_text director:website director:report director:report_file
        games:duplicate_document games:duplicate_sealed_document
    """,
    Act.JOURNAL: "director:journal director:journal_file director:undo",
    Act.SETTINGS: """
        director:settings director:plan director:fit_plan director:divisions director:division director:visible
        director:end director:end_tournament director:reopen_tournament director:add_prize director:usual_prizes
        director:publish_prizes director:edit_prize director:remove_prize director:move_prize_up
        director:certificate director:certificate_letters director:turning_point director:hand_in
        director:portraits director:portrait director:remove_portrait
    """,
    Act.TOURNAMENTS: """
        director:new director:new_from director:demo director:import_file director:copy director:next_season
        director:delete
        director:laboratory director:laboratory_news director:laboratory_paper director:laboratory_file
        director:handed_in director:handed_in_event director:handed_in_file
    """,
    Act.REGISTER: """
        director:players director:add_player director:import_register director:edit_player director:forget_player
        director:alike_players director:two_people director:take_back_two_people
        director:merge_players director:part_players director:set_number director:remove_number
        director:export_register director:profile director:hide_profile
        director:rating_list director:rating_history director:rating_correction director:rating_list_file
        director:publish_rating_list director:withdraw_rating_list
    """,
    Act.SEASONS: """
        director:seasons director:season director:choose_season_events director:take_back_choice director:join_players
        director:take_back_same_person director:delete_season
    """,
    Act.MEMBERS: """
        director:members director:member director:remove_member director:revoke_invitation director:organiser
        director:club_picture director:mirror_links director:mirror_link_end director:hand_in_links
    """,
    Act.HOST: """
        administration_login host:organisers host:organiser host:second_factors director:backups director:make_backup
        director:second_place director:look_at_backup director:download_backup director:delete_named_backups
    """,
    Act.OWN_GAMES: """
        games:me games:me_news games:me_report games:me_here games:me_contact games:me_name games:me_photo
    """,
    Act.DUPLICATE: """
        games:duplicate_prepare games:duplicate_draw games:duplicate_again games:duplicate_clock games:duplicate_refuse
        games:duplicate_master games:duplicate_best games:duplicate_turn games:duplicate_end games:duplicate_resume
        games:duplicate_take games:duplicate_twice games:duplicate_sealed games:duplicate_seal
        games:duplicate_sealed_file games:duplicate_join games:duplicate_club_remove games:duplicate_rule
        games:duplicate_joined_csv games:duplicate_seats games:duplicate_seats_draw games:duplicate_seats_give
        games:duplicate_seats_newcomer games:duplicate_seats_free games:duplicate_seats_apart
        games:duplicate_seats_beside games:duplicate_notices games:duplicate_notice_send
    """,
    Act.SHEETS: """
        games:sheets games:sheet games:sheet_preview games:sheet_draw games:sheet_ending games:sheet_line_delete
        games:sheet_line_swap games:sheet_delete games:compare games:compare_take games:compare_agree games:gcg
        games:gcg_file games:gcg_publish games:best_plays games:photos games:photo games:photo_delete
    """,
    Act.REFEREE: """
        games:judge games:judge_answer games:judge_log games:referee_overview games:referee games:challenge
        games:incident games:incident_apply games:incident_strike games:challenge_strike
    """,
    Act.WORD_LISTS: """
        games:word_lists games:use_words games:delete_words
    """,
}

ACTS_BY_ADDRESS: Mapping[str, Act] = {name: act for act, names in _ADDRESSES.items() for name in names.split()}
"""The act that each address serves, by the address's name."""


def get_act(address: str) -> Act:
    """The act that an address serves. Raises KeyError for an unknown one."""
    # Django's administration brings addresses of its own, other ones with each app.
    return Act.HOST if address.startswith("admin:") else ACTS_BY_ADDRESS[address]
