"""Addresses of who gets in."""

from django.urls import path

from tournament.views.director import way_in

urlpatterns = [
    path("<slug:slug>/way-in/", way_in.page, name="way_in"),
    path("<slug:slug>/way-in/network/", way_in.wifi, name="wifi"),
    path("<slug:slug>/way-in/code/<slug:name>/", way_in.big, name="big_code"),
    path("<slug:slug>/way-in/<int:pk>/revoke/", way_in.revoke, name="revoke_code"),
    path("<slug:slug>/way-in/<int:pk>/renew/", way_in.renew, name="renew_code"),
    path("<slug:slug>/way-in/<int:pk>/let-go/", way_in.let_go, name="let_code_go"),
    path("<slug:slug>/entries/<int:pk>/link/", way_in.renew_link, name="renew_link"),
]
