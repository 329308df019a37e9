"""Addresses of the pages of the knock-out."""

from django.urls import path

from tournament.knockout.views import (
    decide_match_by_lot,
    download_bracket,
    edit_knockout_announcement,
    show_bracket,
    show_knockout,
    submit_fact_awaited_again,
    submit_fact_not_recorded,
    submit_match_lot_removal,
    take_back_knockout,
)

public_urls = [
    path("t/<slug:slug>/bracket/", show_bracket, name="bracket"),
    path("t/<slug:slug>/bracket.<str:fmt>", download_bracket, name="bracket_file"),
]

director_urls = [
    path("<slug:slug>/knockout/", show_knockout, name="knockout"),
    path("<slug:slug>/knockout/announce/", edit_knockout_announcement, name="announce_knockout"),
    path("<slug:slug>/knockout/take-back/", take_back_knockout, name="take_back_knockout"),
    path(
        "<slug:slug>/knockout/not-recorded/<int:stage>/<int:position>/", submit_fact_not_recorded, name="not_recorded"
    ),
    path("<slug:slug>/knockout/not-recorded/<int:pk>/take-back/", submit_fact_awaited_again, name="recorded_again"),
    path("<slug:slug>/knockout/lot/<int:stage>/<int:position>/", decide_match_by_lot, name="match_lot"),
    path("<slug:slug>/knockout/lot/<int:pk>/discard/", submit_match_lot_removal, name="discard_match_lot"),
]
