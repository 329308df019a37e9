"""Addresses of the pages of hall, by audience."""

from django.urls import path

from tournament.hall import views
from tournament.models import Screen

public_urls = [
    path("t/<slug:slug>/clock/", views.show_on_stream, {"shows": Screen.Shows.CLOCK}, name="clock"),
    path(
        "t/<slug:slug>/stream/pairings/", views.show_on_stream, {"shows": Screen.Shows.PAIRINGS}, name="stream_pairings"
    ),
    path("t/<slug:slug>/stream/table/", views.show_on_stream, {"shows": Screen.Shows.TABLE}, name="stream_table"),
    path("t/<slug:slug>/screen/", views.choose_screen, name="screens"),
    path("t/<slug:slug>/screen/news/", views.answer_screen_news, name="screen_news"),
    path("t/<slug:slug>/screen/<int:number>/", views.show_screen, name="screen"),
    path("t/<slug:slug>/portraits/<int:pk>/", views.show_ceremony_portrait, name="portrait"),
]

director_urls = [
    path("<slug:slug>/hall/", views.show_hall, name="hall"),
    path("<slug:slug>/hall/news/", views.answer_hall_news, name="hall_news"),
    path("<slug:slug>/hall/clock/", views.press_clock_button, name="hall_clock"),
    path("<slug:slug>/hall/clock/minutes/", views.set_clock_minutes, name="hall_minutes"),
    path("<slug:slug>/hall/message/", views.send_hall_message, name="hall_message"),
    path("<slug:slug>/hall/message/back/", views.take_hall_message_back, name="hall_message_back"),
    path("<slug:slug>/hall/thanks/", views.edit_thanks, name="hall_thanks"),
    path("<slug:slug>/hall/depth/", views.edit_hall_depth, name="hall_depth"),
    path("<slug:slug>/hall/countdown/", views.start_countdown, name="hall_countdown"),
    path("<slug:slug>/hall/screens/add/", views.add_hall_screen, name="add_screen"),
    path("<slug:slug>/hall/screens/<int:number>/", views.edit_screen, name="screen"),
    path("<slug:slug>/hall/screens/<int:number>/show/", views.choose_screen_content, name="show_on_screen"),
    path("<slug:slug>/hall/screens/<int:number>/hold/", views.hold_hall_screen, name="hold_pages"),
    path("<slug:slug>/hall/screens/<int:number>/remove/", views.remove_hall_screen, name="remove_screen"),
    path("<slug:slug>/hall/ceremony/", views.show_ceremony_slide, name="hall_ceremony"),
    path("<slug:slug>/hall/stream/delay/", views.edit_stream_delay, name="hall_stream_delay"),
    path("<slug:slug>/hall/stream/", views.start_stream, name="hall_stream"),
    path("<slug:slug>/hall/stream/<int:number>/end/", views.end_stream, name="hall_end_stream"),
]
