"""Addresses of the pages about accounts, members and ways in."""

from django.urls import path

from tournament.accounts.views import account, members, way_in

director_urls = [
    path("register/members/", members.show_members, name="members"),
    path("register/members/<int:pk>/", members.edit_member, name="member"),
    path("register/members/<int:pk>/remove/", members.end_membership, name="remove_member"),
    path("register/invitations/<int:pk>/revoke/", members.take_invitation_back, name="revoke_invitation"),
    path("register/organiser/", members.edit_organiser, name="organiser"),
    path("register/organiser/picture/", members.submit_club_picture, name="club_picture"),
    path("<slug:slug>/way-in/", way_in.show_way_in, name="way_in"),
    path("<slug:slug>/way-in/network/", way_in.edit_wifi, name="wifi"),
    path("<slug:slug>/way-in/code/<slug:name>/", way_in.show_big_code, name="big_code"),
    path("<slug:slug>/way-in/<int:pk>/revoke/", way_in.take_code_back, name="revoke_code"),
    path("<slug:slug>/way-in/<int:pk>/renew/", way_in.replace_code, name="renew_code"),
    path("<slug:slug>/way-in/<int:pk>/let-go/", way_in.let_code_go, name="let_code_go"),
    path("<slug:slug>/entries/<int:pk>/link/", way_in.replace_personal_link, name="renew_link"),
]

account_urls = [
    path("", account.show_account, name="own"),
    path("email/", account.edit_email, name="email"),
    path("password/", account.edit_password, name="password"),
    path("second-factor/", account.set_up_second_factor, name="second_factor"),
    path("second-factor/off/", account.remove_second_factor, name="second_factor_off"),
    path("second-factor/recovery-codes/", account.renew_recovery_codes, name="recovery_codes"),
]

host_urls = [
    path("", members.show_organisers, name="organisers"),
    path("accounts/second-factors/", members.show_second_factors, name="second_factors"),
    path("<slug:slug>/", members.edit_organiser_as_host, name="organiser"),
]
