"""Addresses of the word judge. Lists belong to no tournament; questions do."""

from django.urls import path

from games.judge.views import (
    choose_word_list,
    confirm_list_deletion,
    show_judge_answer,
    show_judge_form,
    show_judge_log,
    show_word_lists,
)

urlpatterns = [
    path("director/register/words/", show_word_lists, name="word_lists"),
    path("director/register/words/<int:pk>/use/", choose_word_list, name="use_words"),
    path("director/register/words/<int:pk>/delete/", confirm_list_deletion, name="delete_words"),
    path("director/<slug:slug>/judge/", show_judge_form, name="judge"),
    path("director/<slug:slug>/judge/<int:pk>/", show_judge_answer, name="judge_answer"),
    path("director/<slug:slug>/judge/log/", show_judge_log, name="judge_log"),
]
