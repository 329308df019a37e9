"""No spelling of an address leads elsewhere than where the reader says, whoever else reads it."""

import os
import random
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import closing, suppress
from http.client import HTTPConnection
from urllib.parse import urlsplit

import pytest

from tournament.basics import web_addresses
from tournament.basics.web_addresses import (
    BadAddress,
    WebAddress,
    is_public,
    post,
    read_service_address,
    read_web_address,
)

HOSTS = ("fcm.googleapis.com", ".push.apple.com")
SPELLINGS = 20_000 * int(os.environ.get("TSO_EXAMPLES", "1"))

PIECES = (
    *(
        "http\N{LATIN SMALL LETTER LONG S}://",
        "\N{KELVIN SIGN}",
        "\N{LATIN SMALL LETTER DOTLESS I}",
        "%2\N{CYRILLIC SMALL LETTER IE}",
    ),
    *("https://", "http://", "HTTPS://", "https:", "https:/", "//", "ftp://", "https:///", "https:\\\\", " https://"),
    *("127.0.0.1", "0177.0.0.1", "2130706433", "0x7f000001", "0x7f.1", "127.1", "[::1]", "[::ffff:127.0.0.1]", "::1"),
    *("[fe80::1%25eth0]", "[64:ff9b::7f00:1]", "169.254.169.254", "localhost", "localhost.", "１２７.0.0.1", "[::1"),
    *(".push.apple.com", "push.apple.com", "web.push.apple.com", "WEB.Push.Apple.COM", "fcm.googleapis.com", "x"),
    *("evil.example", "xn--", "xn--mller-kva.de", "müller.de", "ⓐpple.com", "x" * 64, "x." * 130, "-x", "x-", "x_y"),
    *(
        "\\",
        "/",
        "@",
        ":",
        ";",
        "?",
        "#",
        "%",
        "%2f",
        "%5c",
        "%40",
        "%00",
        "&",
        "=",
        "..",
        ".",
        "/../",
        "/./",
        "%2e%2e",
    ),
    *("。", "．", "｡", "․", "／", "＠", "？", "＃", "ß", "ı", "\u200b", "\u00ad", "\u202e", "\ufeff", "\u2028"),
    *("\t", "\n", "\r", "\r\n", "\0", " ", "\x0b", "\x7f", "\u0085", "\u00a0", '"', "<", ">", "^", "`", "{", "|", "}"),
    *(":443", ":80", ":0443", ":", ":0", ":65536", ":٤٤٣", ":443:443", "user@", "user:secret@", "[", "]", "/path"),
    *("/internal/admin?delete=1", "#part", "?a=b", "/x;y", "/mirror/", "/%zz", "!", "$", "'", "(", ")", "*", "+", ","),
)
WHOLE = ("https://web.push.apple.com/x", "https://fcm.googleapis.com/fcm/send/x:y-z", "https://a.b.push.apple.com:443/")


def spell(seed: int, count: int) -> Iterator[str]:
    """Addresses put together by chance, and good ones with something put in, left out or put in another's place."""
    rng = random.Random(seed)
    for turn in range(count):
        if turn % 3 == 0:
            yield rng.choice(("https://", *PIECES)) + "".join(rng.choices(PIECES, k=rng.randint(1, 5)))
            continue
        letters, at = rng.choice(WHOLE), rng.randint(0, 30)
        piece = rng.choice(PIECES) if turn % 2 else chr(rng.choice((rng.randrange(256), rng.randrange(0x10000))))
        yield letters[:at] + piece + letters[at + rng.choice((0, 0, 1, len(piece))) :]


def read(text: str) -> WebAddress | None:
    with suppress(BadAddress):
        return read_web_address(text)
    return None


def is_at(host: str) -> bool:
    return host == "fcm.googleapis.com" or (host.endswith(".push.apple.com") and len(host) > len(".push.apple.com"))


def test_other_readers_read_every_accepted_spelling_alike() -> None:
    urllib3 = pytest.importorskip("urllib3", reason="comes with requirements-hosted.txt")
    requests = pytest.importorskip("requests", reason="comes with requirements-hosted.txt")
    accepted, wrong = 0, []
    for text in spell(1, SPELLINGS):
        address = read(text)
        if address is None:
            continue
        accepted += 1
        standard = urlsplit(text)
        sent = urllib3.util.parse_url(text)
        prepared = urllib3.util.parse_url(requests.Request("POST", text).prepare().url)
        line = HTTPConnection(standard.netloc)  # reads the port by itself
        hosts = {standard.hostname, (sent.host or "").strip("[]"), (prepared.host or "").strip("[]"), line.host.lower()}
        ports = {each.port for each in (standard, sent, prepared)} | {address.port}
        users = standard.username, sent.auth, prepared.auth
        is_same_host = {socket_spelling(host or "") for host in hosts} == {socket_spelling(address.host)}
        if not is_same_host or len(ports - {None}) > 1 or any(users):
            wrong.append((text, hosts, ports))

    assert wrong == []
    assert accepted > SPELLINGS // 50


def socket_spelling(host: str) -> str:
    """A host as the system takes it: an IPv6 address has several spellings."""
    with suppress(OSError):
        return socket.inet_ntop(socket.AF_INET6, socket.inet_pton(socket.AF_INET6, host))
    return host


def test_no_spelling_of_a_service_is_sent_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[str, int]] = []

    def find(host: str, port: int, **_given: object) -> list[object]:
        asked.append((host, port))
        return []

    monkeypatch.setattr(socket, "getaddrinfo", find)
    accepted = 0
    for text in spell(2, SPELLINGS):
        try:
            address = read_service_address(text, HOSTS)
        except BadAddress:
            continue
        accepted += 1
        with pytest.raises(OSError, match="no public address"):
            post(address, b"", {}, seconds=1, most_bytes=1)

    assert len(asked) == accepted > SPELLINGS // 50
    assert [place for place in asked if not is_at(place[0]) or place[1] != 443] == []


@pytest.mark.parametrize(
    "text",
    [
        "https://127.0.0.1\\.push.apple.com/../../internal/admin?delete=1",
        "https://x;.push.apple.com/",
        "https://.push.apple.com/",
        "https://push.apple.com/",
        "https://evilpush.apple.com/",
        "https://web.push.apple.com./",
        "https://a..push.apple.com/",
        "https://web.push.apple.com:8443/",
        "https://web.push.apple.com:/",
        "http://web.push.apple.com/",
        "https://me@web.push.apple.com/",
        "https://web%2epush.apple.com/",
        "https://web.push.apple.com/a/../b",
        "https://web.push.apple.com/a/%2e%2E/b",
        "https://web.push.apple.com\\@127.0.0.1/",
        "https://web.push.apple.com\t/",
        "https://web.push.apple.com/\n",
        "https://web。push.apple.com/",
        "https://wéb.push.apple.com/",
        "http\N{LATIN SMALL LETTER LONG S}://web.push.apple.com/",
        f"https://{'x' * 64}.push.apple.com/",
        f"https://{'x.' * 130}push.apple.com/",
    ],
)
def test_odd_spelling_of_a_service_is_refused(text: str) -> None:
    with pytest.raises(BadAddress):
        read_service_address(text, HOSTS)


@pytest.mark.parametrize(
    "text",
    [
        "http://2130706433/",
        "http://0x7f000001/",
        "http://0x7f.0.0.1/",
        "http://0177.0.0.1/",
        "http://127.1/",
        "http://1.2.3.4.5/",
        "http://x.1/",
        "http://[::1/",
        "http://[fe80::1%25eth0]/",
        "http://[fe80::1%eth0]/",
        "http://host:0/",
        "http://host:65536/",
    ],
)
def test_odd_spelling_of_a_place_is_refused(text: str) -> None:
    with pytest.raises(BadAddress):
        read_web_address(text)


def test_parts_of_an_address() -> None:
    assert read_web_address("HTTPS://WEB.Push.Apple.com:443/x?y=%3d#z") == WebAddress(
        "https", "web.push.apple.com", 443, "/x?y=%3d", "z"
    )
    assert read_web_address("http://[FD00::0:1]:8000").origin == "http://[fd00::1]:8000"
    assert read_web_address("http://192.168.1.5:8000/mirror/").origin == "http://192.168.1.5:8000"
    assert read_service_address("https://a.b.push.apple.com/x", HOSTS).origin == "https://a.b.push.apple.com"


@pytest.mark.parametrize(
    ("host", "is_so"),
    [
        ("9.9.9.9", True),
        ("2620:fe::fe", True),
        ("64:ff9b::909:909", True),
        *(
            (host, False)
            for host in ("127.0.0.1", "10.0.0.1", "172.16.0.1", "192.168.0.1", "169.254.169.254", "0.0.0.0")
        ),
        *(
            (host, False)
            for host in ("100.64.0.1", "192.0.0.170", "198.18.0.1", "192.88.99.1", "224.0.0.1", "240.0.0.1")
        ),
        *((host, False) for host in ("255.255.255.255", "203.0.113.5", "::", "::1", "::ffff:127.0.0.1", "::127.0.0.1")),
        *((host, False) for host in ("::ffff:9.9.9.9", "64:ff9b::7f00:1", "64:ff9b::a00:1", "64:ff9b:1::909:909")),
        *(
            (host, False)
            for host in ("2002:7f00:1::", "2001:0:7f00:1::", "2001:db8::1", "3fff::1", "fe80::1", "fec0::1")
        ),
        *((host, False) for host in ("fd00::1", "ff02::1", "100::1", "5f00::1")),
    ],
)
def test_only_the_internet_is_public(host: str, is_so: bool) -> None:
    assert is_public(host) == is_so


def test_name_that_leads_here_is_not_followed_and_asked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    with closing(socket.create_server(("127.0.0.1", 0))) as listening:
        listening.settimeout(0.3)
        port = listening.getsockname()[1]

        def find(host: str, _port: int, **_given: object) -> list[object]:
            asked.append(host)
            places = ["127.0.0.1", "10.0.0.1"] if len(asked) == 1 else ["9.9.9.9"]
            return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (place, port)) for place in places]

        monkeypatch.setattr(socket, "getaddrinfo", find)
        with pytest.raises(OSError, match="no public address"):
            post(read_web_address("http://rebinds.example/"), b"", {}, seconds=2, most_bytes=10)
        with pytest.raises(TimeoutError):
            listening.accept()

    assert asked == ["rebinds.example"]


@pytest.mark.parametrize("end", ["never", "gaierror", "unicode"])
def test_name_that_nobody_answers_for_is_given_up_in_time(end: str, monkeypatch: pytest.MonkeyPatch) -> None:
    released = threading.Event()

    def find(*_asked: object, **_given: object) -> list[object]:
        if end == "never":
            released.wait(20)
        if end == "unicode":
            raise UnicodeError("label too long")
        raise socket.gaierror(socket.EAI_AGAIN, "come again")

    monkeypatch.setattr(socket, "getaddrinfo", find)
    monkeypatch.setattr(web_addresses, "NAME_SECONDS", 0.3)
    began = time.monotonic()
    with pytest.raises(OSError, match="in time" if end == "never" else "come again|no address"):
        post(read_web_address("http://hangs.example/"), b"", {}, seconds=10, most_bytes=10)
    took = time.monotonic() - began
    released.set()

    assert took < 2.0


def test_name_has_no_more_time_than_the_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    released = threading.Event()
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_asked, **_given: released.wait(20) and [])
    began = time.monotonic()
    with pytest.raises(TimeoutError):
        post(read_web_address("http://hangs.example/"), b"", {}, seconds=0.3, most_bytes=10)
    took = time.monotonic() - began
    released.set()

    assert took < 2.0


class Answerer:
    """Answers each request with these bytes, a piece at a time."""

    def __init__(self, answer: bytes, *, piece: int = 1 << 16, pause: float = 0.0) -> None:
        self.answer, self.piece, self.pause, self.asked = answer, piece, pause, 0
        self.listening = socket.create_server(("127.0.0.1", 0))
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def address(self) -> WebAddress:
        return read_web_address(f"http://127.0.0.1:{self.listening.getsockname()[1]}/")

    def close(self) -> None:
        self.listening.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                near, _where = self.listening.accept()
                self.asked += 1
                with near, suppress(OSError):
                    near.recv(1 << 16)
                    for at in range(0, len(self.answer), self.piece):
                        near.sendall(self.answer[at : at + self.piece])
                        time.sleep(self.pause)


def send(answerer: Answerer, seconds: float = 5.0) -> tuple[int, bytes]:
    reply = post(answerer.address, b"x", {}, seconds=seconds, most_bytes=100, only_public=False)
    return reply.status, reply.content


def test_redirection_is_not_followed() -> None:
    with closing(Answerer(b"HTTP/1.1 302 Found\r\nContent-Length: 2\r\n\r\nno")) as answerer:
        answerer.answer = answerer.answer.replace(b"\r\n", f"\r\nLocation: {answerer.address.origin}/\r\n".encode(), 1)

        assert send(answerer) == (302, b"no")
        assert answerer.asked == 1


@pytest.mark.long
def test_answer_that_drips_is_cut_at_the_deadline() -> None:
    body = b"HTTP/1.1 200 OK\r\nContent-Length: 90\r\n\r\n" + b"x" * 90
    for head in (b"", b"HTTP/1.1 200 OK\r\nX-Long: " + b"x" * 500):
        with closing(Answerer(head or body, piece=1, pause=0.2)) as answerer:
            began = time.monotonic()
            with pytest.raises(OSError, match=r"no answer|too slow"):
                send(answerer, 1.0)

            assert 0.9 < time.monotonic() - began < 2.0


def test_answer_that_is_too_long_is_refused() -> None:
    with (
        closing(Answerer(b"HTTP/1.1 200 OK\r\n\r\n" + b"x" * 5_000)) as answerer,
        pytest.raises(OSError, match="too long"),
    ):
        send(answerer)
