"""What a club says of itself: its word, its logo and its picture."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.template.loader import render_to_string
from django.test import Client

from tests import factories
from tests.games.photos import samples
from tests.refusals import refuses
from tournament.accounts.operations import give_club_picture, remove_club_picture, update_organiser
from tournament.backup.database import count_lost_photos
from tournament.basics import limits
from tournament.basics.pictures import get_upload_path
from tournament.basics.refusals import Refusals
from tournament.models import ClubPicture, ClubPictureUse, Role

PAGE, PICTURE = "/director/register/organiser/", "/director/register/organiser/picture/"


@pytest.fixture
def owner(db: None) -> Client:
    client = Client()
    client.cookies["django_language"] = "en"
    factories.sign_in(client)
    return client


def sent(content: bytes | None = None) -> SimpleUploadedFile:
    return SimpleUploadedFile("logo.png", samples.picture("PNG") if content is None else content)


def test_word_is_kept_as_it_was_typed_and_has_an_end(owner: Client) -> None:
    club = factories.organiser()
    typed = {"name": "SC Fulda", "slug": "fulda", "colour": "#7a1f3d", "word": "Mittwochs.\r\n\r\nKommt vorbei! "}

    owner.post(PAGE, typed)
    refused = owner.post(PAGE, {**typed, "word": "x" * (limits.CLUB_WORD + 1)})

    club.refresh_from_db()
    assert club.word == "Mittwochs.\n\nKommt vorbei!"
    assert refused.status_code == 200
    assert refused.context["form"].errors.keys() == {"word"}


def test_who_names_no_word_keeps_it(owner: Client) -> None:
    club = update_organiser(factories.organiser(), name="A", slug="a", word="Hallo", actor=factories.director())

    assert update_organiser(club, name="B", slug="", actor=factories.director()).word == "Hallo"


def test_logo_is_kept_small_and_another_replaces_it(owner: Client) -> None:
    large = sent(samples.picture("PNG", size=(900, 300)))
    owner.post(PICTURE, {"picture": "logo", "logo-photos": large})
    first = ClubPicture.objects.get()
    owner.post(PICTURE, {"picture": "logo", "logo-photos": sent()})

    kept = ClubPicture.objects.get()
    assert (first.use, first.width, first.height) == (ClubPictureUse.LOGO, 320, 107)
    assert kept.pk != first.pk
    assert get_upload_path(kept.name).exists()
    assert f"/pictures/{kept.pk}.jpg" in owner.get(PAGE).content.decode()


@pytest.mark.django_db(transaction=True)
def test_file_goes_with_its_picture() -> None:
    club, doris = factories.organiser(), factories.director()
    name = give_club_picture(club, use=ClubPictureUse.PHOTO, sent=samples.sent(), actor=doris).name
    kept = get_upload_path(name).exists()

    remove_club_picture(club, use=ClubPictureUse.PHOTO, actor=doris)

    assert kept
    assert not get_upload_path(name).exists()
    assert not ClubPicture.objects.exists()


def test_picture_whose_file_is_gone_is_missed(owner: Client) -> None:
    owner.post(PICTURE, {"picture": "photo", "photo-photos": sent()})
    before = count_lost_photos()
    get_upload_path(ClubPicture.objects.get().name).unlink()

    assert (before, count_lost_photos()) == (0, 1)


def test_what_is_no_picture_is_refused_beside_its_field(owner: Client) -> None:
    refused = owner.post(PICTURE, {"picture": "logo", "logo-photos": sent(b"no picture at all")})
    nothing = owner.post(PICTURE, {"picture": "photo"})

    assert "cannot be kept. Send a JPEG, PNG or WebP picture." in refused.content.decode()
    assert "No picture was chosen." in nothing.content.decode()
    assert not ClubPicture.objects.exists()
    with refuses("no_club_picture"):
        give_club_picture(factories.organiser(), use=ClubPictureUse.LOGO, sent=None, actor=factories.director())


def test_picture_is_removed_and_a_word_that_is_none_changes_nothing(owner: Client) -> None:
    owner.post(PICTURE, {"picture": "logo", "logo-photos": sent()})
    unknown = owner.post(PICTURE, {"picture": "crest", "remove": "yes"})
    there = ClubPicture.objects.count()

    owner.post(PICTURE, {"picture": "logo", "remove": "yes"})

    assert unknown.status_code == 302
    assert (there, ClubPicture.objects.count()) == (1, 0)


def test_only_owners_change_it(db: None) -> None:
    helper = Client()
    factories.sign_in(helper, factories.member(factories.user("hans"), Role.DIRECTOR))

    assert helper.post(PICTURE, {"picture": "logo", "logo-photos": sent()}).status_code == 403


def test_logo_stands_for_the_mark_on_public_pages(owner: Client) -> None:
    division = factories.event(players=2)
    visitor = Client()
    before = visitor.get(f"/t/{division.tournament.slug}/").content.decode()
    logo = give_club_picture(
        division.tournament.organiser, use=ClubPictureUse.LOGO, sent=samples.sent(), actor=factories.director()
    )

    page = visitor.get(f"/t/{division.tournament.slug}/").content.decode()

    assert 'class="club-mark"' not in before
    assert f'<img src="/organisers/{division.tournament.organiser.slug}/pictures/{logo.pk}.jpg"' in page


def test_too_long_a_word_is_refused_by_the_operation(db: None) -> None:
    with pytest.raises(Refusals):
        update_organiser(factories.organiser(), name="A", slug="a", word="x" * 700, actor=factories.director())


def test_logo_is_known_to_the_slides_of_the_ceremony(owner: Client) -> None:
    before = factories.organiser().logo
    logo = give_club_picture(
        factories.organiser(), use=ClubPictureUse.LOGO, sent=samples.sent(), actor=factories.director()
    )
    said = render_to_string("tournament/hall/_crest.html", {"organiser": factories.organiser()})

    assert before is None
    assert f"/pictures/{logo.pk}.jpg" in said
