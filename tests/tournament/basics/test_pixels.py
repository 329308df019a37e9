"""What is kept of a picture, and what is not kept at all."""

import gc
import io
import weakref
from collections.abc import Callable

import pytest
from PIL import Image

from tests.games.photos import samples
from tournament.basics import limits
from tournament.basics.pictures import PhotoRefused, clean_photos
from tournament.basics.pixels import MAX_EDGE, Jpeg, PictureFault, PictureProcess, rewrite_picture
from tournament.basics.refusals import Refusals


def opened(kept: Jpeg) -> Image.Image:
    return Image.open(io.BytesIO(kept.content))


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_picture_is_kept_as_a_jpeg_of_its_size(kind: str) -> None:
    kept = rewrite_picture(samples.picture(kind))

    image = opened(kept)
    assert (image.format, image.size, kept.width, kept.height) == ("JPEG", (60, 40), 60, 40)


def test_place_camera_and_comment_are_taken_out_and_the_picture_stands_upright() -> None:
    kept = rewrite_picture(samples.from_phone())

    image = opened(kept)
    assert dict(image.getexif()) == {}
    assert "comment" not in image.info
    assert b"Secret" not in kept.content
    assert image.size == (40, 60)
    red, _green, blue = image.getpixel((35, 5))  # type: ignore[misc]  # three bands
    assert (red > 200, blue < 80) == (True, True)


@pytest.mark.parametrize(
    ("mode", "kind"), [("L", "PNG"), ("1", "PNG"), ("P", "PNG"), ("RGBA", "PNG"), ("LA", "PNG"), ("CMYK", "JPEG")]
)
def test_every_kind_of_pixel_is_kept(mode: str, kind: str) -> None:
    assert opened(rewrite_picture(samples.picture(kind, mode=mode))).mode == "RGB"


@pytest.mark.parametrize("kind", ["JPEG", "PNG"])
@pytest.mark.parametrize("size", [(1, 9000), (9000, 1), (2, 16_000)])
def test_strip_of_a_pixel_is_kept(kind: str, size: tuple[int, int]) -> None:
    kept = rewrite_picture(samples.picture(kind, size))

    assert sorted(opened(kept).size) == [1, MAX_EDGE]


def test_transparent_parts_are_white_paper() -> None:
    image = Image.new("RGBA", (20, 20), (0, 0, 0, 0))
    written = io.BytesIO()
    image.save(written, "PNG")

    kept = rewrite_picture(written.getvalue())

    assert opened(kept).getpixel((10, 10)) == (255, 255, 255)


def test_scan_of_sixteen_bits_keeps_its_greys() -> None:
    image = opened(rewrite_picture(samples.scanned()))

    dark, bright = image.getpixel((5, 10)), image.getpixel((35, 10))
    assert [abs(pixel[0] - wanted) < 12 for pixel, wanted in ((dark, 58), (bright, 195))] == [True, True]  # type: ignore[index]  # bands


def test_large_picture_is_made_smaller() -> None:
    kept = rewrite_picture(samples.picture(size=(5000, 2500)))

    assert (kept.width, kept.height) == (MAX_EDGE, MAX_EDGE // 2)


@pytest.mark.parametrize(
    ("make", "code"),
    [
        (lambda: b"", "photo_empty"),
        (lambda: samples.TEXT, "photo_unknown"),
        (lambda: samples.SVG, "photo_unknown"),
        (lambda: samples.picture("GIF"), "photo_unknown"),
        (lambda: samples.picture("BMP"), "photo_unknown"),
        (lambda: samples.HEIC, "photo_heic"),
        (lambda: samples.bomb(20_000, 20_000), "photo_pixels"),
        (lambda: samples.bomb(9_000, 9_000), "photo_pixels"),
        (lambda: samples.picture()[:300], "photo_broken"),
        (lambda: samples.bomb(3_000, 3_000), "photo_broken"),
        (lambda: b"\xff\xd8\xff" + b"\0" * 40, "photo_unknown"),
    ],
    ids=["empty", "text", "svg", "gif", "bmp", "heic", "400 million", "81 million", "cut", "lying", "torn"],
)
def test_what_is_no_picture_is_refused(make: Callable[[], bytes], code: str) -> None:
    data = make()
    with pytest.raises(PictureFault) as fault:
        rewrite_picture(data)

    assert fault.value.code == code
    assert "bogen.jpg" in str(PhotoRefused("bogen.jpg", fault.value))


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("make", "code"),
    [
        (lambda: samples.picture("PNG", size=(4_000, 3_300)), "photo_pixels"),
        (lambda: samples.picture("WEBP", size=(4_000, 2_600)), "photo_pixels"),
        (lambda: samples.picture(size=(4_100, 4_000), progressive=True), "photo_pixels"),
        (lambda: samples.picture("PNG", size=(17_000, 1)), "photo_pixels"),
        (lambda: samples.moving("WEBP"), "photo_frames"),
        (lambda: samples.moving("PNG"), "photo_frames"),
        (samples.many_scans, "photo_scans"),
    ],
    ids=["png", "webp", "progressive", "one row", "moving webp", "moving png", "scans"],
)
def test_what_costs_much_to_decode_is_refused_before_it_is_decoded(make: Callable[[], bytes], code: str) -> None:
    data = make()
    with pytest.raises(PictureFault) as fault:
        rewrite_picture(data)

    assert fault.value.code == code
    assert "bogen" in str(PhotoRefused("bogen", fault.value))


def test_ordinary_jpeg_may_be_larger_since_it_is_decoded_at_half_its_size() -> None:
    kept = rewrite_picture(samples.picture(size=(4_400, 4_200)))

    assert (kept.width, kept.height) == (2_200, 2_100)


def outcome(data: bytes) -> str | None:
    """What becomes of a file: what is kept, or why nothing is."""
    try:
        return opened(rewrite_picture(data)).format
    except PictureFault as fault:
        return fault.code


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_every_cut_and_every_flipped_byte_is_refused_or_read(kind: str) -> None:
    whole = samples.picture(kind)
    step = max(1, len(whole) // 120)
    torn = [whole[:at] for at in range(0, len(whole), step)]
    torn += [whole[:at] + bytes([whole[at] ^ 0xFF]) + whole[at + 1 :] for at in range(0, len(whole), step)]

    for data in torn:
        assert outcome(data) in {"JPEG", "photo_empty", "photo_unknown", "photo_broken", "photo_pixels", "photo_frames"}


def test_pictures_are_rewritten_in_a_process_that_ends_with_them() -> None:
    with PictureProcess() as process:
        kept = process.rewrite(io.BytesIO(samples.picture()), 30)
        with pytest.raises(PictureFault) as fault:
            process.rewrite(io.BytesIO(samples.TEXT))
        again = process.rewrite(io.BytesIO(samples.picture()))

    assert (kept.width, kept.height) == (30, 20)
    assert fault.value.code == "photo_unknown"
    assert again == rewrite_picture(samples.picture())
    assert process._process.returncode is not None


def test_file_that_is_too_large_is_not_even_sent_there() -> None:
    with PictureProcess() as process, pytest.raises(PictureFault) as fault:
        process.rewrite(io.BytesIO(samples.picture() + b"\0" * limits.PHOTO_BYTES))

    assert (fault.value.code, fault.value.figures) == ("photo_too_large", {"size": 11, "limit": 10})


def test_crash_of_the_process_is_a_broken_picture_and_the_next_one_is_read() -> None:
    with PictureProcess() as process:
        process._process.kill()
        with pytest.raises(PictureFault) as fault:
            process.rewrite(io.BytesIO(samples.picture()))
        kept = process.rewrite(io.BytesIO(samples.picture()))

    assert fault.value.code == "photo_broken"
    assert (kept.width, kept.height) == (60, 40)


def test_picture_that_takes_too_long_ends_the_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tournament.basics.pixels.SECONDS_FOR_ONE", 0.001)

    with PictureProcess() as process, pytest.raises(PictureFault) as fault:
        process.rewrite(io.BytesIO(samples.picture(size=(4_400, 4_200))))

    assert fault.value.code == "photo_broken"


@pytest.mark.long
def test_refusals_hold_no_file_and_go_without_the_collector_of_cycles() -> None:
    """Cut photos were kept, decoded, by the tracebacks of their refusals: 1 GB after forty of them."""
    gc.collect()
    gc.disable()
    try:
        with pytest.raises(Refusals) as refused:
            clean_photos([samples.sent("a.jpg", samples.picture()[:300])])
        watched = weakref.ref(refused.value)
        del refused
        assert watched() is None
    finally:
        gc.enable()
