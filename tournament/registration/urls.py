"""Addresses of the pages of registration, by audience."""

from django.urls import path

from tournament.registration.views import (
    confirm_address,
    confirm_forgetting_oneself,
    confirm_forgetting_player,
    confirm_forgetting_registration,
    download_registrations,
    edit_online_entry,
    handle_unsent_letter,
    settle_registration,
    show_confirmed_registrations,
    show_own_registration,
    show_registration,
    show_registration_form,
    show_registrations,
    show_request_sent,
    submit_move,
    submit_refusal,
    withdraw_own_registration,
)

public_urls = [
    path("t/<slug:slug>/register/", show_registration_form, name="register"),
    path("t/<slug:slug>/register/sent/", show_request_sent, name="register_sent"),
    path("t/<slug:slug>/registration/<str:link>/", show_own_registration, name="registration"),
    path("t/<slug:slug>/registration/<str:link>/confirm/", confirm_address, name="registration_confirm"),
    path("t/<slug:slug>/registration/<str:link>/withdraw/", withdraw_own_registration, name="registration_withdraw"),
    path("t/<slug:slug>/registration/<str:link>/forget/", confirm_forgetting_oneself, name="registration_forget"),
]

director_urls = [
    path("register/players/<int:pk>/forget/", confirm_forgetting_player, name="forget_player"),
    path("<slug:slug>/registrations/", show_registrations, name="registrations"),
    path("<slug:slug>/registrations/set-up/", edit_online_entry, name="online_entry"),
    path("<slug:slug>/registrations/enter/", show_confirmed_registrations, name="take_registrations"),
    path("<slug:slug>/registrations/registrations.csv", download_registrations, name="registrations_file"),
    path("<slug:slug>/registrations/letters/<int:pk>/", handle_unsent_letter, name="waiting_letter"),
    path("<slug:slug>/registrations/<int:pk>/", show_registration, name="registration"),
    path("<slug:slug>/registrations/<int:pk>/refuse/", submit_refusal, name="refuse_registration"),
    path("<slug:slug>/registrations/<int:pk>/move/", submit_move, name="move_registration"),
    path("<slug:slug>/registrations/<int:pk>/forget/", confirm_forgetting_registration, name="forget_registration"),
    path("<slug:slug>/registrations/<int:pk>/<slug:what>/", settle_registration, name="settle_registration"),
]
