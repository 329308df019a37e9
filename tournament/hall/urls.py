"""Addresses of the pages of hall, by audience."""

from django.urls import path

from tournament.hall.views import desk, screens

public_urls = [
    path("t/<slug:slug>/clock/", screens.show_clock, name="clock"),
    path("t/<slug:slug>/screen/", screens.choose_screen, name="screens"),
    path("t/<slug:slug>/screen/news/", screens.answer_screen_news, name="screen_news"),
    path("t/<slug:slug>/screen/<int:number>/", screens.show_screen, name="screen"),
    path("t/<slug:slug>/portraits/<int:pk>/", screens.show_ceremony_portrait, name="portrait"),
]

director_urls = [
    path("<slug:slug>/hall/", desk.show_hall, name="hall"),
    path("<slug:slug>/hall/news/", desk.answer_hall_news, name="hall_news"),
    path("<slug:slug>/hall/clock/", desk.press_clock_button, name="hall_clock"),
    path("<slug:slug>/hall/clock/minutes/", desk.set_clock_minutes, name="hall_minutes"),
    path("<slug:slug>/hall/message/", desk.send_hall_message, name="hall_message"),
    path("<slug:slug>/hall/message/back/", desk.take_hall_message_back, name="hall_message_back"),
    path("<slug:slug>/hall/countdown/", desk.start_countdown, name="hall_countdown"),
    path("<slug:slug>/hall/screens/add/", desk.add_hall_screen, name="add_screen"),
    path("<slug:slug>/hall/screens/<int:number>/", desk.edit_screen, name="screen"),
    path("<slug:slug>/hall/screens/<int:number>/show/", desk.choose_screen_content, name="show_on_screen"),
    path("<slug:slug>/hall/screens/<int:number>/hold/", desk.hold_hall_screen, name="hold_pages"),
    path("<slug:slug>/hall/screens/<int:number>/remove/", desk.remove_hall_screen, name="remove_screen"),
    path("<slug:slug>/hall/ceremony/", desk.show_ceremony_slide, name="hall_ceremony"),
    path("<slug:slug>/hall/stream/", desk.start_stream, name="hall_stream"),
    path("<slug:slug>/hall/stream/<int:number>/end/", desk.end_stream, name="hall_end_stream"),
]
