"""Which address leads where: one list for each audience."""

from django.contrib import admin
from django.contrib.auth import views as auth_views
from django.urls import include, path

from tournament.laptop import first_start
from tournament.views import access_code, invitation
from tournament.views.account import reset, sign_in

urlpatterns = [
    path("", include("tournament.urls.public")),
    path("director/", include("tournament.urls.director")),
    path("", include("games.urls")),
    path("host/", include("tournament.urls.host")),
    path("invitation/<str:token>/", invitation.accept, name="invitation"),
    path("code/", access_code.typed, name="access_code"),
    path("code/leave/", access_code.leave, name="leave_access_code"),
    path("code/<str:token>/", access_code.link, name="access_code_link"),
    path("account/", include("tournament.urls.account")),
    path("login/", sign_in.SignIn.as_view(), name="login"),
    path("login/code/", sign_in.code, name="login_code"),
    path("password/", reset.ask, name="password_reset"),
    path("password/sent/", reset.sent, name="password_reset_sent"),
    path("password/<str:uidb64>/<str:token>/", reset.Choose.as_view(), name="password_reset_choose"),
    path("logout/", auth_views.LogoutView.as_view(), name="logout"),
    path("first-start/<str:token>/", first_start.sign_in, name="first_start"),
    path("i18n/", include("django.conf.urls.i18n")),
    path("admin/login/", sign_in.to_administration, name="administration_login"),
    path("admin/", admin.site.urls),
]

handler500 = "config.errors.server_error"
