"""The door: name and password."""

from typing import Any

from django.conf import settings
from django.contrib.auth.views import LoginView, redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse

from tournament import access


class SignIn(LoginView):
    """Name and password. Raises `signing_in.TooManyAttempts`."""

    redirect_authenticated_user = True

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """The page's inputs."""
        return {**super().get_context_data(**kwargs), "mail": bool(settings.MAIL)}


def to_administration(request: HttpRequest) -> HttpResponse:
    """Where Django's administration sends whoever may not see it: to the same door as everybody, or a 403."""
    if not request.user.is_authenticated:
        return redirect_to_login(request.GET.get("next") or reverse("admin:index"))
    access.host(request)
    return redirect("admin:index")
