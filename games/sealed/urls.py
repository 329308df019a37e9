"""Addresses of sessions for several clubs; part of `games.urls`."""

from django.urls import path

from games.sealed import documents, views

urlpatterns = [
    path("director/<slug:slug>/duplicate/sealed/", views.show, name="duplicate_sealed"),
    path("director/<slug:slug>/duplicate/sealed/seal/", views.seal, name="duplicate_seal"),
    path("director/<slug:slug>/duplicate/sealed/file/", views.file, name="duplicate_sealed_file"),
    path("director/<slug:slug>/duplicate/sealed/join/", views.join, name="duplicate_join"),
    path("director/<slug:slug>/duplicate/sealed/club/<int:pk>/remove/", views.remove, name="duplicate_club_remove"),
    path("director/<slug:slug>/duplicate/sealed/rule/", views.rule, name="duplicate_rule"),
    path("director/<slug:slug>/duplicate/sealed/table.csv", views.table, name="duplicate_joined_csv"),
    path("director/<slug:slug>/duplicate/sealed/<slug:name>.pdf", documents.show, name="duplicate_sealed_document"),
]
