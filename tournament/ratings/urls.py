"""Addresses of the pages of ratings, by audience."""

from django.urls import path

from tournament.ratings.club_views import (
    download_club_list,
    show_club_list,
    show_rating_correction,
    show_rating_history,
)
from tournament.ratings.views import (
    download_director_ratings,
    download_ratings,
    show_director_ratings,
    show_ratings,
)

public_urls = [
    path("t/<slug:slug>/ratings/", show_ratings, name="ratings"),
    path("t/<slug:slug>/ratings.<str:fmt>", download_ratings, name="ratings_file"),
]

director_urls = [
    path("<slug:slug>/ratings/", show_director_ratings, name="ratings"),
    path("<slug:slug>/ratings.<str:fmt>", download_director_ratings, name="ratings_file"),
    path("register/rating-list/", show_club_list, name="rating_list"),
    path("register/rating-list/<int:pk>/", show_rating_history, name="rating_history"),
    path("register/rating-list/corrections/<int:pk>/", show_rating_correction, name="rating_correction"),
    path("register/rating-list/<str:name>.csv", download_club_list, name="rating_list_file"),
]
