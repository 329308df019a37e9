"""Addresses of the register of players and of a tournament's entries."""

from django.urls import path

from tournament.views.director import attendance, entries, forgetting, imports, register

urlpatterns = [
    path("register/players/", register.players, name="players"),
    path("register/players/new/", register.add, name="add_player"),
    path("register/players/import/", imports.register_list, name="import_register"),
    path("register/players/<int:pk>/", register.edit, name="edit_player"),
    path("register/players/<int:pk>/forget/", forgetting.player, name="forget_player"),
    path("<slug:slug>/entries/", entries.page, name="entries"),
    path("<slug:slug>/entries/import/", imports.entry_list, name="import_players"),
    path("<slug:slug>/entries/check-in/", attendance.check_in, name="check_in"),
    path("<slug:slug>/entries/check-in/<int:pk>/<slug:column>/<slug:state>/", attendance.tick, name="tick"),
    path("<slug:slug>/entries/check-in/close/", attendance.decide, name="decide_absentees"),
    path("<slug:slug>/entries/check-in/absentees/", attendance.absentees, name="absentees"),
    path("<slug:slug>/entries/<int:pk>/", entries.entry, name="entry"),
    path("<slug:slug>/entries/<int:pk>/move/", entries.move, name="move_entry"),
    path("<slug:slug>/entries/<int:pk>/remove/", entries.remove, name="remove_entry"),
    path("<slug:slug>/entries/<int:pk>/apart/", entries.apart, name="keep_apart"),
    path("<slug:slug>/entries/<int:pk>/apart/<int:pair>/", entries.together, name="allow_to_meet"),
    path("<slug:slug>/entries/<int:pk>/withdraw/", attendance.withdraw, name="withdraw"),
    path("<slug:slug>/entries/<int:pk>/back/", attendance.back, name="bring_back"),
    path("<slug:slug>/entries/<int:pk>/absence/", attendance.absence, name="absence"),
    path("<slug:slug>/entries/<int:pk>/absence/<int:number>/", attendance.attend, name="remove_absence"),
]
