"""Which address leads where: one list for each audience."""

from django.contrib import admin
from django.contrib.auth import views as auth_views
from django.urls import include, path

from tournament.laptop import first_start
from tournament.views import invitation

urlpatterns = [
    path("", include("tournament.urls.public")),
    path("director/", include("tournament.urls.director")),
    path("", include("games.urls")),
    path("host/", include("tournament.urls.host")),
    path("invitation/<str:token>/", invitation.accept, name="invitation"),
    path("login/", auth_views.LoginView.as_view(redirect_authenticated_user=True), name="login"),
    path("logout/", auth_views.LogoutView.as_view(), name="logout"),
    path("first-start/<str:token>/", first_start.sign_in, name="first_start"),
    path("i18n/", include("django.conf.urls.i18n")),
    path("admin/", admin.site.urls),
]

handler500 = "config.errors.server_error"
