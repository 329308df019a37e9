"""Addresses of the pages about people over all events."""

from django.urls import path

from tournament.people import views

public_urls = [
    path("organisers/<slug:slug>/players/", views.show_public_players, name="organiser_players"),
    path("organisers/<slug:slug>/players/<int:pk>/", views.show_public_profile, name="organiser_profile"),
]

director_urls = [
    path("register/players/<int:pk>/merge/", views.merge_players_view, name="merge_players"),
    path("register/players/<int:pk>/profile/", views.show_profile, name="profile"),
    path("register/players/<int:pk>/profile/hide/", views.hide_profile_view, name="hide_profile"),
    path("register/players/<int:pk>/part/", views.part_players_view, name="part_players"),
]
