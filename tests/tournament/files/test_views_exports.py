"""Files out through the browser."""

import io
import zipfile

from django.test import Client

from tournament.models import Tournament


def test_downloads(saved: str, cup: Tournament, doris_client: Client) -> None:
    answers = {
        kind: doris_client.get(f"/director/{cup.slug}/export/{kind}/") for kind in ("tournament", "tsh", "t", "tou")
    }

    names = [answer["Content-Disposition"] for answer in answers.values()]
    assert names == [
        'attachment; filename="herbst-cup.json"',
        'attachment; filename="herbst-cup-tsh.zip"',
        'attachment; filename="herbst-cup.t"',
        'attachment; filename="herbst-cup.tou"',
    ]
    assert answers["tournament"].content.decode() == saved
    with zipfile.ZipFile(io.BytesIO(answers["tsh"].content)) as parts:
        assert "herbst-cup/config.tsh" in parts.namelist()
    assert answers["t"].content.startswith(b"#division ")
    assert answers["tou"].content.endswith(b"*** END OF FILE ***\r\n")


def test_archive_is_called_by_event_and_revision(saved: str, cup: Tournament, doris_client: Client) -> None:
    answer = doris_client.get(f"/director/{cup.slug}/export/event.zip")

    cup.refresh_from_db()
    assert answer["Content-Disposition"] == f'attachment; filename="herbst-cup-{cup.revision}.zip"'
    with zipfile.ZipFile(io.BytesIO(answer.getvalue())) as parts:
        assert "manifest.json" in parts.namelist()


def test_website_of_an_event_that_is_not_public_is_refused_on_the_page(cup: Tournament, doris_client: Client) -> None:
    Tournament.objects.filter(pk=cup.pk).update(is_public=False)

    answer = doris_client.get(f"/director/{cup.slug}/export/website.zip", follow=True)

    assert answer.redirect_chain == [(f"/director/{cup.slug}/export/", 302)]
    assert len(answer.context["messages"]) == 1


def test_download_of_an_unknown_kind_is_not_found(cup: Tournament, doris_client: Client) -> None:
    assert doris_client.get(f"/director/{cup.slug}/export/pdf/").status_code == 404
