"""Addresses of the pages about people over all events."""

from django.urls import path

from tournament.people import views

public_urls = [
    path("organisers/<slug:slug>/players/", views.show_public_players, name="organiser_players"),
    path("organisers/<slug:slug>/players/<int:pk>/", views.show_public_profile, name="organiser_profile"),
]

director_urls = [
    path("register/alike/", views.show_alike_players, name="alike_players"),
    path("register/alike/two/", views.submit_two_people, name="two_people"),
    path("register/alike/<int:pk>/back/", views.submit_two_people_back, name="take_back_two_people"),
    path("register/players/<int:pk>/merge/", views.merge_players_view, name="merge_players"),
    path("register/players/<int:pk>/profile/", views.show_profile, name="profile"),
    path("register/players/<int:pk>/profile/hide/", views.hide_profile_view, name="hide_profile"),
    path("register/players/<int:pk>/part/", views.part_players_view, name="part_players"),
]
