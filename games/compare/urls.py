"""Addresses of comparing and agreeing; part of `games.urls`."""

from django.urls import path

from games.compare.views import confirm_agreement, show_comparison, take_over_line

urlpatterns = [
    path("director/<slug:slug>/result/<int:pk>/compare/", show_comparison, name="compare"),
    path("director/<slug:slug>/result/<int:pk>/compare/take/", take_over_line, name="compare_take"),
    path("director/<slug:slug>/result/<int:pk>/compare/agree/", confirm_agreement, name="compare_agree"),
]
