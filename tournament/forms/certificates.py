"""The form of the text of certificates."""

from collections.abc import Iterable
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournament import limits
from tournament.forms.base import OperationForm
from tournament.forms.fields import TextField
from tournament.operations import certificates
from tournament.plan.certificate import CertificateText
from tournament.refusals import Refusal


class CertificateForm(OperationForm):
    """What certificates say. An empty field: the usual text."""

    heading = TextField(limits.CERTIFICATE_HEADING, label=gettext_lazy("Heading"))
    line = TextField(limits.CERTIFICATE_LINE, label=gettext_lazy("In place of the rank"))
    signed = TextField(limits.CERTIFICATE_SIGNED, label=gettext_lazy("Printed on the left line"))
    left = TextField(limits.CERTIFICATE_SIGNED, label=gettext_lazy("Below the left line"))
    right = TextField(limits.CERTIFICATE_SIGNED, label=gettext_lazy("Below the right line"))

    def __init__(self, data: Any = None, *, text: CertificateText) -> None:
        super().__init__(data, initial={name: getattr(text, name) for name in self.base_fields})
        usual = {
            "heading": _("Certificate"),
            "line": _("Place 1, of 24 players"),
            "signed": _("left empty"),
            "left": _("Place and date"),
            "right": _("Director"),
        }
        for name, said in usual.items():
            self.fields[name].help_text = _("Usually: %(text)s") % {"text": said}

    def problems(self) -> Iterable[Refusal]:
        return certificates.problems(self.text())

    def text(self) -> CertificateText:
        """What the form states; what could not be read is not stated."""
        return CertificateText(**{name: value or "" for name, value in self.cleaned_data.items()})
