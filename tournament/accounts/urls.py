"""Addresses of the pages about accounts, members and ways in."""

from django.urls import path

from tournament.accounts.views.account import (
    edit_email,
    edit_password,
    remove_second_factor,
    renew_recovery_codes,
    set_up_second_factor,
    show_account,
)
from tournament.accounts.views.members import (
    edit_member,
    edit_organiser,
    edit_organiser_as_host,
    end_membership,
    show_members,
    show_organisers,
    show_second_factors,
    take_invitation_back,
)
from tournament.accounts.views.way_in import (
    edit_wifi,
    let_code_go,
    replace_code,
    replace_personal_link,
    show_big_code,
    show_way_in,
    take_code_back,
)

director_urls = [
    path("register/members/", show_members, name="members"),
    path("register/members/<int:pk>/", edit_member, name="member"),
    path("register/members/<int:pk>/remove/", end_membership, name="remove_member"),
    path("register/invitations/<int:pk>/revoke/", take_invitation_back, name="revoke_invitation"),
    path("register/organiser/", edit_organiser, name="organiser"),
    path("<slug:slug>/way-in/", show_way_in, name="way_in"),
    path("<slug:slug>/way-in/network/", edit_wifi, name="wifi"),
    path("<slug:slug>/way-in/code/<slug:name>/", show_big_code, name="big_code"),
    path("<slug:slug>/way-in/<int:pk>/revoke/", take_code_back, name="revoke_code"),
    path("<slug:slug>/way-in/<int:pk>/renew/", replace_code, name="renew_code"),
    path("<slug:slug>/way-in/<int:pk>/let-go/", let_code_go, name="let_code_go"),
    path("<slug:slug>/entries/<int:pk>/link/", replace_personal_link, name="renew_link"),
]

account_urls = [
    path("", show_account, name="own"),
    path("email/", edit_email, name="email"),
    path("password/", edit_password, name="password"),
    path("second-factor/", set_up_second_factor, name="second_factor"),
    path("second-factor/off/", remove_second_factor, name="second_factor_off"),
    path("second-factor/recovery-codes/", renew_recovery_codes, name="recovery_codes"),
]

host_urls = [
    path("", show_organisers, name="organisers"),
    path("accounts/second-factors/", show_second_factors, name="second_factors"),
    path("<slug:slug>/", edit_organiser_as_host, name="organiser"),
]
