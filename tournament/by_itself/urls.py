"""Addresses of the buttons of a day that runs by itself."""

from django.urls import path

from tournament.by_itself.views import submit_going_on, submit_step_holding

director_urls = [
    path("<slug:slug>/by-itself/hold/", submit_step_holding, name="hold_step"),
    path("<slug:slug>/by-itself/go-on/", submit_going_on, name="let_day_go_on"),
]
