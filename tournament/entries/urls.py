"""Addresses of the pages of entries, by audience."""

from django.urls import path

from tournament.entries.views import director, public

public_urls = [
    path("t/<slug:slug>/entries/", public.show_entries, name="entries"),
    path("t/<slug:slug>/mine/", public.redirect_to_own_page, name="mine"),
    path("t/<slug:slug>/playing/<path:key>/", public.show_current_pairing, name="playing"),
    path("t/<slug:slug>/players/<path:key>/", public.show_player, name="player"),
]

director_urls = [
    path("register/players/", director.show_register, name="players"),
    path("register/players/new/", director.add_player_view, name="add_player"),
    path("register/players/<int:pk>/", director.edit_player_view, name="edit_player"),
    path("<slug:slug>/entries/", director.edit_entries, name="entries"),
    path("<slug:slug>/entries/check-in/", director.edit_check_in, name="check_in"),
    path("<slug:slug>/entries/check-in/<int:pk>/<slug:column>/<slug:state>/", director.tick_entry, name="tick"),
    path("<slug:slug>/entries/check-in/close/", director.decide_absentees, name="decide_absentees"),
    path("<slug:slug>/entries/check-in/absentees/", director.settle_all_absentees, name="absentees"),
    path("<slug:slug>/entries/<int:pk>/", director.show_entry, name="entry"),
    path("<slug:slug>/entries/<int:pk>/move/", director.move_entry_view, name="move_entry"),
    path("<slug:slug>/entries/<int:pk>/remove/", director.remove_entry_view, name="remove_entry"),
    path("<slug:slug>/entries/<int:pk>/apart/", director.keep_apart_view, name="keep_apart"),
    path("<slug:slug>/entries/<int:pk>/apart/<int:pair>/", director.allow_to_meet_view, name="allow_to_meet"),
    path("<slug:slug>/entries/<int:pk>/withdraw/", director.withdraw_entry_view, name="withdraw"),
    path("<slug:slug>/entries/<int:pk>/back/", director.bring_back_entry_view, name="bring_back"),
    path("<slug:slug>/entries/<int:pk>/absence/", director.set_absence_view, name="absence"),
    path("<slug:slug>/entries/<int:pk>/absence/<int:number>/", director.remove_absence_view, name="remove_absence"),
    path("<slug:slug>/portraits/", director.edit_portraits, name="portraits"),
    path("<slug:slug>/portraits/<int:pk>/", director.download_portrait, name="portrait"),
    path("<slug:slug>/portraits/<int:pk>/remove/", director.remove_portrait_view, name="remove_portrait"),
]
