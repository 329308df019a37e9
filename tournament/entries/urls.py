"""Addresses of the pages of entries, by audience."""

from django.urls import path

from tournament.entries import register_views, views

public_urls = [
    path("t/<slug:slug>/entries/", views.show_entries, name="entries"),
    path("t/<slug:slug>/players/<path:key>/", views.show_player, name="player"),
]

director_urls = [
    path("register/players/", register_views.show_register, name="players"),
    path("register/players/new/", register_views.add_player_view, name="add_player"),
    path("register/players/export/", register_views.export_register, name="export_register"),
    path("register/players/<int:pk>/", register_views.edit_player_view, name="edit_player"),
    path("register/players/<int:pk>/numbers/", register_views.set_number_view, name="set_number"),
    path(
        "register/players/<int:pk>/numbers/<int:number>/remove/",
        register_views.remove_number_view,
        name="remove_number",
    ),
    path("<slug:slug>/entries/", views.edit_entries, name="entries"),
    path("<slug:slug>/entries/choose/", register_views.choose_players, name="choose_players"),
    path("<slug:slug>/entries/check-in/", views.edit_check_in, name="check_in"),
    path("<slug:slug>/entries/check-in/<int:pk>/<slug:column>/<slug:state>/", views.tick_entry, name="tick"),
    path("<slug:slug>/entries/check-in/close/", views.decide_absentees, name="decide_absentees"),
    path("<slug:slug>/entries/check-in/absentees/", views.settle_all_absentees, name="absentees"),
    path("<slug:slug>/entries/<int:pk>/", views.show_entry, name="entry"),
    path("<slug:slug>/entries/<int:pk>/move/", views.move_entry_view, name="move_entry"),
    path("<slug:slug>/entries/<int:pk>/remove/", views.remove_entry_view, name="remove_entry"),
    path("<slug:slug>/entries/<int:pk>/apart/", views.keep_apart_view, name="keep_apart"),
    path("<slug:slug>/entries/<int:pk>/apart/<int:pair>/", views.allow_to_meet_view, name="allow_to_meet"),
    path("<slug:slug>/entries/<int:pk>/withdraw/", views.withdraw_entry_view, name="withdraw"),
    path("<slug:slug>/entries/<int:pk>/back/", views.bring_back_entry_view, name="bring_back"),
    path("<slug:slug>/entries/<int:pk>/absence/", views.set_absence_view, name="absence"),
    path("<slug:slug>/entries/<int:pk>/absence/<int:number>/", views.remove_absence_view, name="remove_absence"),
    path("<slug:slug>/portraits/", views.edit_portraits, name="portraits"),
    path("<slug:slug>/portraits/<int:pk>/", views.download_portrait, name="portrait"),
    path("<slug:slug>/portraits/<int:pk>/remove/", views.remove_portrait_view, name="remove_portrait"),
]
