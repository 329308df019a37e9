"""Addresses of the pages of registration, by audience."""

from django.urls import path

from tournament.registration import letter_views, overdue_views, views

public_urls = [
    path("t/<slug:slug>/register/", views.show_registration_form, name="register"),
    path("t/<slug:slug>/register/sent/", views.show_request_sent, name="register_sent"),
    path("t/<slug:slug>/registration/<str:link>/", views.show_own_registration, name="registration"),
    path("t/<slug:slug>/registration/<str:link>/confirm/", views.confirm_address, name="registration_confirm"),
    path(
        "t/<slug:slug>/registration/<str:link>/withdraw/", views.withdraw_own_registration, name="registration_withdraw"
    ),
    path("t/<slug:slug>/registration/<str:link>/forget/", views.confirm_forgetting_oneself, name="registration_forget"),
]

director_urls = [
    path("register/players/<int:pk>/forget/", views.confirm_forgetting_player, name="forget_player"),
    path("<slug:slug>/rounds/overdue/", overdue_views.show_overdue_games, name="overdue"),
    path("<slug:slug>/rounds/overdue/<int:pk>/", overdue_views.decide_overdue_game, name="decide_overdue"),
    path("<slug:slug>/rounds/reminders/", overdue_views.edit_reminders, name="reminders"),
    path("<slug:slug>/letters/", letter_views.show_day_letters, name="day_letters"),
    path("<slug:slug>/end/certificates/letters/", letter_views.show_certificate_letters, name="certificate_letters"),
    path("<slug:slug>/entries/<int:pk>/name/", letter_views.decide_name_wish, name="settle_name_wish"),
    path("<slug:slug>/registrations/", views.show_registrations, name="registrations"),
    path("<slug:slug>/registrations/set-up/", views.edit_online_entry, name="online_entry"),
    path("<slug:slug>/registrations/minimum/", letter_views.decide_minimum, name="minimum"),
    path("<slug:slug>/registrations/enter/", views.show_confirmed_registrations, name="take_registrations"),
    path("<slug:slug>/registrations/registrations.csv", views.download_registrations, name="registrations_file"),
    path("<slug:slug>/registrations/letters/<int:pk>/", views.handle_unsent_letter, name="waiting_letter"),
    path("<slug:slug>/registrations/<int:pk>/", views.show_registration, name="registration"),
    path("<slug:slug>/registrations/<int:pk>/refuse/", views.submit_refusal, name="refuse_registration"),
    path("<slug:slug>/registrations/<int:pk>/fee/", views.submit_registration_fee, name="registration_fee"),
    path("<slug:slug>/registrations/<int:pk>/move/", views.submit_move, name="move_registration"),
    path(
        "<slug:slug>/registrations/<int:pk>/forget/", views.confirm_forgetting_registration, name="forget_registration"
    ),
    path("<slug:slug>/registrations/<int:pk>/<slug:what>/", views.settle_registration, name="settle_registration"),
]
