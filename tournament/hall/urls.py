"""Addresses of the pages of hall, by audience."""

from django.urls import path

from tournament.hall.views.desk import (
    add_hall_screen,
    answer_hall_news,
    choose_screen_content,
    edit_screen,
    end_stream,
    hold_hall_screen,
    press_clock_button,
    remove_hall_screen,
    send_hall_message,
    set_clock_minutes,
    show_ceremony_slide,
    show_hall,
    start_countdown,
    start_stream,
    take_hall_message_back,
)
from tournament.hall.views.screens import (
    answer_screen_news,
    choose_screen,
    show_ceremony_portrait,
    show_clock,
    show_screen,
)

public_urls = [
    path("t/<slug:slug>/clock/", show_clock, name="clock"),
    path("t/<slug:slug>/screen/", choose_screen, name="screens"),
    path("t/<slug:slug>/screen/news/", answer_screen_news, name="screen_news"),
    path("t/<slug:slug>/screen/<int:number>/", show_screen, name="screen"),
    path("t/<slug:slug>/portraits/<int:pk>/", show_ceremony_portrait, name="portrait"),
]

director_urls = [
    path("<slug:slug>/hall/", show_hall, name="hall"),
    path("<slug:slug>/hall/news/", answer_hall_news, name="hall_news"),
    path("<slug:slug>/hall/clock/", press_clock_button, name="hall_clock"),
    path("<slug:slug>/hall/clock/minutes/", set_clock_minutes, name="hall_minutes"),
    path("<slug:slug>/hall/message/", send_hall_message, name="hall_message"),
    path("<slug:slug>/hall/message/back/", take_hall_message_back, name="hall_message_back"),
    path("<slug:slug>/hall/countdown/", start_countdown, name="hall_countdown"),
    path("<slug:slug>/hall/screens/add/", add_hall_screen, name="add_screen"),
    path("<slug:slug>/hall/screens/<int:number>/", edit_screen, name="screen"),
    path("<slug:slug>/hall/screens/<int:number>/show/", choose_screen_content, name="show_on_screen"),
    path("<slug:slug>/hall/screens/<int:number>/hold/", hold_hall_screen, name="hold_pages"),
    path("<slug:slug>/hall/screens/<int:number>/remove/", remove_hall_screen, name="remove_screen"),
    path("<slug:slug>/hall/ceremony/", show_ceremony_slide, name="hall_ceremony"),
    path("<slug:slug>/hall/stream/", start_stream, name="hall_stream"),
    path("<slug:slug>/hall/stream/<int:number>/end/", end_stream, name="hall_end_stream"),
]
