"""Addresses of the games that anybody may step through and of streamed tables; part of `games.urls`."""

from django.urls import path

from games.replay.views import (
    download_public_game,
    show_best_plays_of_sheet,
    show_replay,
    show_streamed_board,
    show_streamed_table,
)

urlpatterns = [
    path("t/<slug:slug>/game/<int:pk>/", show_replay, name="replay"),
    path("director/<slug:slug>/sheet/<int:pk>/best/", show_best_plays_of_sheet, name="best_plays"),
    path("t/<slug:slug>/game/<int:pk>/game.gcg", download_public_game, name="replay_file"),
    path("t/<slug:slug>/stream/board/", show_streamed_board, name="stream_board"),
    path("t/<slug:slug>/stream/<int:table>/", show_streamed_table, name="stream"),
]
