"""Addresses of comparing and agreeing; part of `games.urls`."""

from django.urls import path

from games.compare import views

urlpatterns = [
    path("director/<slug:slug>/result/<int:pk>/compare/", views.compare, name="compare"),
    path("director/<slug:slug>/result/<int:pk>/compare/take/", views.take, name="compare_take"),
    path("director/<slug:slug>/result/<int:pk>/compare/agree/", views.agree, name="compare_agree"),
]
