"""Addresses of what all pages share, by audience."""

from django.urls import path

from tournament.pages.kept_input import show_kept_input
from tournament.pages.views import (
    choose_language,
    show_club_colour,
    show_club_picture,
    show_help,
    show_help_chapter,
    show_home_news,
    show_organiser_news,
    show_others_here,
    show_tournament_news,
)

public_urls = [
    path("help/", show_help, name="help"),
    path("help/<slug:chapter>/", show_help_chapter, name="help_chapter"),
    path("news/", show_home_news, name="home_news"),
    path("organisers/<slug:slug>/news/", show_organiser_news, name="organiser_news"),
    path("organisers/<slug:slug>/colour.css", show_club_colour, name="club_colour"),
    path("organisers/<slug:slug>/pictures/<int:pk>.jpg", show_club_picture, name="club_picture"),
    path("language/", choose_language, name="language"),
    path("t/<slug:slug>/news/", show_tournament_news, name="news"),
]

director_urls = [
    path("tournaments/not-saved-yet/", show_kept_input, name="kept_input"),
    path("<slug:slug>/at-work/", show_others_here, name="at_work"),
]
