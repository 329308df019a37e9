"""Addresses of the word judge. Lists belong to no tournament; questions do."""

from django.urls import path

from games.judge import views

urlpatterns = [
    path("director/register/words/", views.word_lists, name="word_lists"),
    path("director/register/words/<int:pk>/use/", views.use, name="use_words"),
    path("director/register/words/<int:pk>/delete/", views.delete, name="delete_words"),
    path("director/<slug:slug>/judge/", views.ask, name="judge"),
    path("director/<slug:slug>/judge/<int:pk>/", views.answer, name="judge_answer"),
    path("director/<slug:slug>/judge/log/", views.log, name="judge_log"),
]
