"""Addresses of the pages of knockout, by audience."""

from django.urls import path

from tournament.knockout.views import (
    decide_match_by_lot,
    discard_match_lot_view,
    download_bracket,
    edit_knockout_announcement,
    mark_fact_not_recorded_view,
    show_bracket,
    show_knockout,
    take_back_knockout,
    unmark_fact_not_recorded_view,
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
        "<slug:slug>/knockout/not-recorded/<int:stage>/<int:position>/",
        mark_fact_not_recorded_view,
        name="not_recorded",
    ),
    path("<slug:slug>/knockout/not-recorded/<int:pk>/take-back/", unmark_fact_not_recorded_view, name="recorded_again"),
    path("<slug:slug>/knockout/lot/<int:stage>/<int:position>/", decide_match_by_lot, name="match_lot"),
    path("<slug:slug>/knockout/lot/<int:pk>/discard/", discard_match_lot_view, name="discard_match_lot"),
]
