"""Addresses of the pages of events, by audience."""

from django.urls import path

from tournament.events import views

public_urls = [
    path("", views.show_home, name="home"),
    path("organisers/<slug:slug>/", views.show_organiser, name="organiser"),
    path("t/<slug:slug>/", views.show_tournament, name="tournament"),
    path("t/<slug:slug>/playing/", views.show_followed_players, name="playing"),
    path("t/<slug:slug>/announcement/", views.show_announcement, name="announcement"),
]

director_urls = [
    path("", views.show_director_home, name="home"),
    path("tournaments/new/", views.show_presets, name="new"),
    path("tournaments/new/<slug:preset>/", views.create_from_preset, name="new_from"),
    path("tournaments/demo/", views.make_demo_event, name="demo"),
    path("<slug:slug>/copy/", views.request_tournament_copy, name="copy"),
    path("<slug:slug>/next-season/", views.request_next_season, name="next_season"),
    path("<slug:slug>/delete/", views.confirm_tournament_deletion, name="delete"),
    path("<slug:slug>/settings/", views.edit_settings, name="settings"),
    path("<slug:slug>/settings/plan/", views.edit_plan, name="plan"),
    path("<slug:slug>/settings/plan/fit/", views.refit_plan, name="fit_plan"),
    path("<slug:slug>/settings/divisions/", views.show_divisions, name="divisions"),
    path("<slug:slug>/settings/divisions/<int:pk>/", views.edit_division, name="division"),
    path("<slug:slug>/settings/visible/", views.set_visibility, name="visible"),
    path("<slug:slug>/", views.show_console, name="console"),
    path("<slug:slug>/news/", views.answer_console_news, name="news"),
]
