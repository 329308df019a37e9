"""Addresses of players' own pages; part of `games.urls`."""

from django.urls import path

from games.reports import views

urlpatterns = [
    path("me/<str:link>/", views.me, name="me"),
    path("me/<str:link>/news/", views.me_news, name="me_news"),
    path("me/<str:link>/here/", views.here, name="me_here"),
    path("me/<str:link>/report/<int:pk>/", views.report, name="me_report"),
    path("me/<str:link>/photo/<int:pk>/", views.photo, name="me_photo"),
]
