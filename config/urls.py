"""Which address leads where: one list for each audience."""

from django.contrib import admin
from django.contrib.auth import views as auth_views
from django.urls import include, path

from config.style.views import show_modes_sheet, show_style
from tournament import urls as tournament_urls
from tournament.accounts.views.account import (
    ChooseNewPasswordView,
    SignInView,
    confirm_sign_in,
    redirect_to_administration,
    request_password_reset,
    show_reset_sent,
)
from tournament.accounts.views.members import open_invitation
from tournament.accounts.views.way_in import enter_access_code, leave_access_codes, open_code_link
from tournament.hand_in import views as hand_in
from tournament.laptop.first_start import sign_in_by_link
from tournament.mirror.views import receive_message

urlpatterns = [
    path("director/", include((tournament_urls.director_urls, "director"))),
    path("", include((tournament_urls.public_urls, "public"))),
    path("", include("games.urls")),
    path("host/", include((tournament_urls.host_urls, "host"))),
    path("invitation/<str:token>/", open_invitation, name="invitation"),
    path("hand-in/<str:key>/", hand_in.receive_handed_in_message, name="hand_in"),
    path("mirror/<str:key>/", receive_message, name="mirror"),
    path("code/", enter_access_code, name="access_code"),
    path("code/leave/", leave_access_codes, name="leave_access_code"),
    path("code/<str:token>/", open_code_link, name="access_code_link"),
    path("account/", include((tournament_urls.account_urls, "account"))),
    path("login/", SignInView.as_view(), name="login"),
    path("login/code/", confirm_sign_in, name="login_code"),
    path("password/", request_password_reset, name="password_reset"),
    path("password/sent/", show_reset_sent, name="password_reset_sent"),
    path("password/<str:uidb64>/<str:token>/", ChooseNewPasswordView.as_view(), name="password_reset_choose"),
    path("style/", show_style, name="style"),
    path("style/modes.css", show_modes_sheet, name="style_modes"),
    path("logout/", auth_views.LogoutView.as_view(), name="logout"),
    path("first-start/<str:token>/", sign_in_by_link, name="first_start"),
    path("i18n/", include("django.conf.urls.i18n")),
    path("admin/login/", redirect_to_administration, name="administration_login"),
    path("admin/", admin.site.urls),
]

handler404 = "config.errors.page_not_found"
handler500 = "config.errors.server_error"
