"""Everything under `/host/`: the pages of whoever looks after the installation."""

from django.urls import path

from tournament.views import host

app_name = "host"

urlpatterns = [
    path("", host.organisers, name="organisers"),
    path("accounts/second-factors/", host.second_factors, name="second_factors"),
    path("<slug:slug>/", host.organiser, name="organiser"),
]
