"""Addresses of the pages of chances, by audience."""

from django.urls import path

from tournament.chances.views import show_chances, show_director_chances

public_urls = [
    path("t/<slug:slug>/chances/", show_chances, name="chances"),
    path("t/<slug:slug>/chances/shares/", show_chances, {"with_shares": True}, name="chances_shares"),
]

director_urls = [path("<slug:slug>/chances/", show_director_chances, name="chances")]
