"""Addresses of the pages of entries, by audience."""

from django.urls import path

from tournament.entries.views.director import (
    add_player_view,
    allow_to_meet_view,
    bring_back_entry_view,
    decide_absentees,
    download_portrait,
    edit_check_in,
    edit_entries,
    edit_player_view,
    edit_portraits,
    keep_apart_view,
    move_entry_view,
    remove_absence_view,
    remove_entry_view,
    remove_portrait_view,
    set_absence_view,
    settle_all_absentees,
    show_entry,
    show_register,
    tick_entry,
    withdraw_entry_view,
)
from tournament.entries.views.public import redirect_to_own_page, show_current_pairing, show_entries, show_player

public_urls = [
    path("t/<slug:slug>/entries/", show_entries, name="entries"),
    path("t/<slug:slug>/mine/", redirect_to_own_page, name="mine"),
    path("t/<slug:slug>/playing/<path:key>/", show_current_pairing, name="playing"),
    path("t/<slug:slug>/players/<path:key>/", show_player, name="player"),
]

director_urls = [
    path("register/players/", show_register, name="players"),
    path("register/players/new/", add_player_view, name="add_player"),
    path("register/players/<int:pk>/", edit_player_view, name="edit_player"),
    path("<slug:slug>/entries/", edit_entries, name="entries"),
    path("<slug:slug>/entries/check-in/", edit_check_in, name="check_in"),
    path("<slug:slug>/entries/check-in/<int:pk>/<slug:column>/<slug:state>/", tick_entry, name="tick"),
    path("<slug:slug>/entries/check-in/close/", decide_absentees, name="decide_absentees"),
    path("<slug:slug>/entries/check-in/absentees/", settle_all_absentees, name="absentees"),
    path("<slug:slug>/entries/<int:pk>/", show_entry, name="entry"),
    path("<slug:slug>/entries/<int:pk>/move/", move_entry_view, name="move_entry"),
    path("<slug:slug>/entries/<int:pk>/remove/", remove_entry_view, name="remove_entry"),
    path("<slug:slug>/entries/<int:pk>/apart/", keep_apart_view, name="keep_apart"),
    path("<slug:slug>/entries/<int:pk>/apart/<int:pair>/", allow_to_meet_view, name="allow_to_meet"),
    path("<slug:slug>/entries/<int:pk>/withdraw/", withdraw_entry_view, name="withdraw"),
    path("<slug:slug>/entries/<int:pk>/back/", bring_back_entry_view, name="bring_back"),
    path("<slug:slug>/entries/<int:pk>/absence/", set_absence_view, name="absence"),
    path("<slug:slug>/entries/<int:pk>/absence/<int:number>/", remove_absence_view, name="remove_absence"),
    path("<slug:slug>/portraits/", edit_portraits, name="portraits"),
    path("<slug:slug>/portraits/<int:pk>/", download_portrait, name="portrait"),
    path("<slug:slug>/portraits/<int:pk>/remove/", remove_portrait_view, name="remove_portrait"),
]
