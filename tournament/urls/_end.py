"""Addresses of the end of an event: the final ranking and the prizes."""

from django.urls import path

from tournament.views.director import certificates, ending, portraits

urlpatterns = [
    path("<slug:slug>/end/", ending.page, name="end"),
    path("<slug:slug>/end/over/", ending.end, name="end_tournament"),
    path("<slug:slug>/end/reopen/", ending.reopen, name="reopen_tournament"),
    path("<slug:slug>/end/certificates/", certificates.page, name="certificate"),
    path("<slug:slug>/end/turning-point/", ending.turning_point, name="turning_point"),
    path("<slug:slug>/portraits/", portraits.page, name="portraits"),
    path("<slug:slug>/portraits/<int:pk>/", portraits.picture, name="portrait"),
    path("<slug:slug>/portraits/<int:pk>/remove/", portraits.remove, name="remove_portrait"),
    path("<slug:slug>/prizes/add/", ending.add, name="add_prize"),
    path("<slug:slug>/prizes/usual/", ending.usual, name="usual_prizes"),
    path("<slug:slug>/prizes/publish/", ending.publish, name="publish_prizes"),
    path("<slug:slug>/prizes/<int:pk>/", ending.edit, name="edit_prize"),
    path("<slug:slug>/prizes/<int:pk>/remove/", ending.remove, name="remove_prize"),
    path("<slug:slug>/prizes/<int:pk>/up/", ending.up, name="move_prize_up"),
]
