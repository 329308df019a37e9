"""Addresses of the pages of events, by audience."""

from django.urls import path

from tournament.events.views import console, director, public

public_urls = [
    path("", public.show_home, name="home"),
    path("organisers/<slug:slug>/", public.show_organiser, name="organiser"),
    path("t/<slug:slug>/", public.show_tournament, name="tournament"),
]

director_urls = [
    path("", director.show_director_home, name="home"),
    path("tournaments/new/", director.show_presets, name="new"),
    path("tournaments/new/<slug:preset>/", director.create_from_preset, name="new_from"),
    path("tournaments/demo/", director.make_demo_event, name="demo"),
    path("<slug:slug>/copy/", director.request_tournament_copy, name="copy"),
    path("<slug:slug>/delete/", director.confirm_tournament_deletion, name="delete"),
    path("<slug:slug>/settings/", director.edit_settings, name="settings"),
    path("<slug:slug>/settings/plan/", director.edit_plan, name="plan"),
    path("<slug:slug>/settings/plan/fit/", director.refit_plan, name="fit_plan"),
    path("<slug:slug>/settings/divisions/", director.show_divisions, name="divisions"),
    path("<slug:slug>/settings/divisions/<int:pk>/", director.edit_division, name="division"),
    path("<slug:slug>/settings/visible/", director.set_visibility, name="visible"),
    path("<slug:slug>/", console.show_console, name="console"),
    path("<slug:slug>/news/", console.answer_console_news, name="news"),
]
