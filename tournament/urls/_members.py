"""Addresses of an organiser's members and of the organiser itself."""

from django.urls import path

from tournament.views.director import members

urlpatterns = [
    path("register/members/", members.page, name="members"),
    path("register/members/<int:pk>/", members.member, name="member"),
    path("register/members/<int:pk>/remove/", members.remove, name="remove_member"),
    path("register/invitations/<int:pk>/revoke/", members.revoke, name="revoke_invitation"),
    path("register/organiser/", members.organiser, name="organiser"),
]
