"""Addresses of online entry, as the director sees it."""

from django.urls import path

from tournament.views.director import forgetting, online_entry, registrations

urlpatterns = [
    path("<slug:slug>/registrations/", registrations.page, name="registrations"),
    path("<slug:slug>/registrations/set-up/", online_entry.page, name="online_entry"),
    path("<slug:slug>/registrations/enter/", registrations.take_over, name="take_registrations"),
    path("<slug:slug>/registrations/registrations.csv", registrations.file, name="registrations_file"),
    path("<slug:slug>/registrations/letters/<int:pk>/", registrations.letter, name="waiting_letter"),
    path("<slug:slug>/registrations/<int:pk>/", registrations.one, name="registration"),
    path("<slug:slug>/registrations/<int:pk>/refuse/", registrations.refuse, name="refuse_registration"),
    path("<slug:slug>/registrations/<int:pk>/move/", registrations.move, name="move_registration"),
    path("<slug:slug>/registrations/<int:pk>/forget/", forgetting.registration, name="forget_registration"),
    path("<slug:slug>/registrations/<int:pk>/<slug:what>/", registrations.settle, name="settle_registration"),
]
