"""Addresses of comparing and agreeing; part of `games.urls`."""

from django.urls import path

from games.sheets import views_compare

urlpatterns = [
    path("director/<slug:slug>/result/<int:pk>/compare/", views_compare.compare, name="compare"),
    path("director/<slug:slug>/result/<int:pk>/compare/take/", views_compare.take, name="compare_take"),
    path("director/<slug:slug>/result/<int:pk>/compare/agree/", views_compare.agree, name="compare_agree"),
]
