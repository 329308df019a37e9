"""Addresses of the word judge. Lists belong to no tournament; questions do."""

from django.urls import path

from games.judge import views

urlpatterns = [
    path("director/register/words/", views.show_word_lists, name="word_lists"),
    path("director/register/words/<int:pk>/use/", views.choose_word_list, name="use_words"),
    path("director/register/words/<int:pk>/delete/", views.confirm_list_deletion, name="delete_words"),
    path("director/<slug:slug>/judge/", views.show_judge_form, name="judge"),
    path("director/<slug:slug>/judge/<int:pk>/", views.show_judge_answer, name="judge_answer"),
    path("director/<slug:slug>/judge/log/", views.show_judge_log, name="judge_log"),
]
