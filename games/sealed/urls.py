"""Addresses of sessions for several clubs; part of `games.urls`."""

from django.urls import path

from games.sealed import views

urlpatterns = [
    path("director/<slug:slug>/duplicate/sealed/", views.show_prepared_session, name="duplicate_sealed"),
    path("director/<slug:slug>/duplicate/sealed/seal/", views.submit_seal, name="duplicate_seal"),
    path("director/<slug:slug>/duplicate/sealed/file/", views.download_sealed_file, name="duplicate_sealed_file"),
    path("director/<slug:slug>/duplicate/sealed/join/", views.submit_club_files, name="duplicate_join"),
    path(
        "director/<slug:slug>/duplicate/sealed/club/<int:pk>/remove/",
        views.submit_club_removal,
        name="duplicate_club_remove",
    ),
    path("director/<slug:slug>/duplicate/sealed/rule/", views.submit_ruling, name="duplicate_rule"),
    path("director/<slug:slug>/duplicate/sealed/table.csv", views.download_joined_table, name="duplicate_joined_csv"),
    path(
        "director/<slug:slug>/duplicate/sealed/<slug:name>.pdf",
        views.show_sealed_document,
        name="duplicate_sealed_document",
    ),
]
