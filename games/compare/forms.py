"""What somebody types who agrees on a sheet: why the official result is corrected."""

from django.utils.translation import gettext_lazy as _

from tournament.forms.base import OperationForm
from tournament.forms.fields import TextField
from tournament.limits import WHY


class AgreeForm(OperationForm):
    """Why the result that stands there is replaced; nothing where none does."""

    why = TextField(WHY, label=_("Why it is corrected"))
