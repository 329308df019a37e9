"""Addresses of the pages of events, by audience."""

from django.urls import path

from tournament.events.views.console import answer_console_news, show_console
from tournament.events.views.director import (
    confirm_tournament_deletion,
    create_from_preset,
    edit_division,
    edit_plan,
    edit_settings,
    make_demo_event,
    refit_plan,
    request_tournament_copy,
    set_visibility,
    show_director_home,
    show_divisions,
    show_presets,
)
from tournament.events.views.public import show_home, show_organiser, show_tournament

public_urls = [
    path("", show_home, name="home"),
    path("organisers/<slug:slug>/", show_organiser, name="organiser"),
    path("t/<slug:slug>/", show_tournament, name="tournament"),
]

director_urls = [
    path("", show_director_home, name="home"),
    path("tournaments/new/", show_presets, name="new"),
    path("tournaments/new/<slug:preset>/", create_from_preset, name="new_from"),
    path("tournaments/demo/", make_demo_event, name="demo"),
    path("<slug:slug>/copy/", request_tournament_copy, name="copy"),
    path("<slug:slug>/delete/", confirm_tournament_deletion, name="delete"),
    path("<slug:slug>/settings/", edit_settings, name="settings"),
    path("<slug:slug>/settings/plan/", edit_plan, name="plan"),
    path("<slug:slug>/settings/plan/fit/", refit_plan, name="fit_plan"),
    path("<slug:slug>/settings/divisions/", show_divisions, name="divisions"),
    path("<slug:slug>/settings/divisions/<int:pk>/", edit_division, name="division"),
    path("<slug:slug>/settings/visible/", set_visibility, name="visible"),
    path("<slug:slug>/", show_console, name="console"),
    path("<slug:slug>/news/", answer_console_news, name="news"),
]
