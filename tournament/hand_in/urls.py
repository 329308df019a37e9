"""Addresses of the pages about events that clubs hand in."""

from django.urls import path

from tournament.hand_in import views

director_urls = [
    path("register/handed-in/", views.show_handed_in, name="handed_in"),
    path("register/handed-in/links/", views.show_hand_in_links, name="hand_in_links"),
    path("register/handed-in/<int:pk>/", views.show_handed_in_event, name="handed_in_event"),
    path("register/handed-in/<int:pk>/file/", views.download_handed_in_event, name="handed_in_file"),
    path("<slug:slug>/hand-in/", views.show_hand_in, name="hand_in"),
]
