"""Addresses of the director's knock-out."""

from django.urls import path

from tournament.views.director import knockout, knockout_facts

urlpatterns = [
    path("<slug:slug>/knockout/", knockout.page, name="knockout"),
    path("<slug:slug>/knockout/announce/", knockout.announce, name="announce_knockout"),
    path("<slug:slug>/knockout/take-back/", knockout.take_back, name="take_back_knockout"),
    path(
        "<slug:slug>/knockout/not-recorded/<int:stage>/<int:position>/",
        knockout_facts.not_recorded,
        name="not_recorded",
    ),
    path("<slug:slug>/knockout/not-recorded/<int:pk>/take-back/", knockout_facts.recorded_again, name="recorded_again"),
    path("<slug:slug>/knockout/lot/<int:stage>/<int:position>/", knockout.lot, name="match_lot"),
    path("<slug:slug>/knockout/lot/<int:pk>/discard/", knockout.discard_lot, name="discard_match_lot"),
]
