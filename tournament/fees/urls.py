"""Addresses of the treasurer's pages."""

from django.urls import path

from tournament.fees import views

director_urls = [
    path("<slug:slug>/fees/", views.show_fees, name="fees"),
    path("<slug:slug>/fees/terms/", views.edit_terms, name="fee_terms"),
    path("<slug:slug>/fees/<int:pk>/", views.edit_fee, name="fee"),
    path("<slug:slug>/fees/<int:pk>/paid/", views.settle_fee, name="settle_fee"),
    path("<slug:slug>/fees.<str:fmt>", views.download_fees, name="fees_file"),
]
