"""Addresses of players' own pages; part of `games.urls`."""

from django.urls import path

from games.reports.views import (
    show_own_news,
    show_own_page,
    submit_check_in,
    submit_contact,
    submit_name,
    submit_photos,
    submit_report,
)

urlpatterns = [
    path("me/<str:link>/", show_own_page, name="me"),
    path("me/<str:link>/news/", show_own_news, name="me_news"),
    path("me/<str:link>/here/", submit_check_in, name="me_here"),
    path("me/<str:link>/contact/", submit_contact, name="me_contact"),
    path("me/<str:link>/name/", submit_name, name="me_name"),
    path("me/<str:link>/report/<int:pk>/", submit_report, name="me_report"),
    path("me/<str:link>/photo/<int:pk>/", submit_photos, name="me_photo"),
]
