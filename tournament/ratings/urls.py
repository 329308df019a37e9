"""Addresses of the pages of ratings, by audience."""

from django.urls import path

from tournament.ratings.club_views import (
    download_club_list,
    show_club_list,
    show_rating_correction,
    show_rating_history,
)
from tournament.ratings.publishing_views import (
    download_published_list,
    show_published_list,
    show_publishing,
    submit_withdrawal,
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
    path("organisers/<slug:slug>/ratings/", show_published_list, name="rating_list"),
    path("organisers/<slug:slug>/ratings.<str:fmt>", download_published_list, name="last_rating_list_file"),
    path("organisers/<slug:slug>/ratings/<str:key>/", show_published_list, name="rating_list_of_day"),
    path("organisers/<slug:slug>/ratings/<str:key>.<str:fmt>", download_published_list, name="rating_list_file"),
]

director_urls = [
    path("<slug:slug>/ratings/", show_director_ratings, name="ratings"),
    path("<slug:slug>/ratings.<str:fmt>", download_director_ratings, name="ratings_file"),
    path("register/rating-list/", show_club_list, name="rating_list"),
    path("register/rating-list/publish/", show_publishing, name="publish_rating_list"),
    path("register/rating-list/published/<int:pk>/", submit_withdrawal, name="withdraw_rating_list"),
    path("register/rating-list/<int:pk>/", show_rating_history, name="rating_history"),
    path("register/rating-list/corrections/<int:pk>/", show_rating_correction, name="rating_correction"),
    path("register/rating-list/<str:name>.csv", download_club_list, name="rating_list_file"),
]
