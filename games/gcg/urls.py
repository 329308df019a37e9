"""Addresses of annotated games for the director; part of `games.urls`."""

from django.urls import path

from games.gcg.views import download_gcg, show_game_sheets, submit_game_publication

urlpatterns = [
    path("director/<slug:slug>/result/<int:pk>/gcg/", show_game_sheets, name="gcg"),
    path("director/<slug:slug>/sheet/<int:pk>/game.gcg", download_gcg, name="gcg_file"),
    path("director/<slug:slug>/sheet/<int:pk>/publish/", submit_game_publication, name="gcg_publish"),
]
