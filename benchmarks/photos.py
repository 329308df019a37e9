"""Three phones that send photos without a pause, and the server's memory: `python -m benchmarks.photos [--minutes 10]`.

One sends photos whose last bytes are missing, one sends intact ones, one sends PNGs of noise. Printed are the memory of
the server at rest, its most while they send (with the processes it has started), and a minute after they have stopped.
"""

from __future__ import annotations

import argparse
import http.client
import io
import os
import random
import tempfile
import threading
import time
from contextlib import suppress
from pathlib import Path

from benchmarks.hall import PORT, Game, memory, prepare, server

BORDER = "----benchmark"
AFTERWARDS = 60


def make_photo(kind: str, cut: int = 0) -> bytes:
    """A photo of noise as large as a phone's, so that it hardly compresses."""
    from PIL import Image

    size = (3000, 2300) if kind == "JPEG" else (1300, 1000)
    grey = Image.effect_noise(size, random.uniform(40, 90))
    written = io.BytesIO()
    Image.merge("RGB", (grey, grey, grey)).save(written, kind, quality=60)
    return written.getvalue()[: len(written.getvalue()) - cut]


def open_pages(links: list[str]) -> None:
    """Have every thread of the server open pages: each has its own connection to the database from then on."""

    def ask(link: str) -> None:
        for _time in range(20):
            asked = http.client.HTTPConnection("127.0.0.1", PORT, timeout=60)
            asked.request("GET", f"/me/{link}/?x={time.time()}")
            asked.getresponse().read()
            asked.close()

    threads = [threading.Thread(target=ask, args=(link,)) for link in links]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def send_photos(game: Game, side: int, kind: str, cut: int, until: float, statuses: dict[int, int]) -> None:
    """Send one photo after another to a player's own game."""
    photos = [make_photo(kind, cut) for _photo in range(3)]
    while time.monotonic() < until:
        head = f'--{BORDER}\r\nContent-Disposition: form-data; name="photos"; filename="a.jpg"\r\n\r\n'
        body = head.encode() + random.choice(photos) + f"\r\n--{BORDER}--\r\n".encode()
        asked = http.client.HTTPConnection("127.0.0.1", PORT, timeout=60)
        with suppress(OSError, http.client.HTTPException):
            headers = {"Content-Type": f"multipart/form-data; boundary={BORDER}"}
            asked.request("POST", f"/me/{game.links[side]}/photo/{game.pairing}/", body, headers)
            answer = asked.getresponse()
            answer.read()
            statuses[answer.status] = statuses.get(answer.status, 0) + 1
        asked.close()


def memory_with_children(pid: int) -> int:
    """Megabytes of a process and those that it has started."""
    children = []
    for found in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError, ValueError):
            if int(found.read_text().rpartition(")")[2].split()[1]) == pid:
                children.append(int(found.parent.name))
    return memory(pid) + sum(memory(child) for child in children)


def main() -> None:
    """Send, and print the server's memory."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--minutes", type=float, default=10.0)
    given = parser.parse_args()
    os.environ.setdefault("TSO_DEBUG", "0")
    with tempfile.TemporaryDirectory() as folder:
        stage = prepare(folder, 24)
        with server(folder) as running:
            time.sleep(5)
            open_pages(stage.links)
            until, rest, own, whole = time.monotonic() + 60 * given.minutes, memory(running.pid), 0, 0
            statuses: dict[int, int] = {}
            senders = [("JPEG", 20), ("JPEG", 0), ("PNG", 0)]
            threads = [
                threading.Thread(target=send_photos, args=(stage.games[at], 0, kind, cut, until, statuses))
                for at, (kind, cut) in enumerate(senders)
            ]
            for thread in threads:
                thread.start()
            while time.monotonic() < until:
                own, whole = max(own, memory(running.pid)), max(whole, memory_with_children(running.pid))
                time.sleep(0.05)
            for thread in threads:
                thread.join()
            time.sleep(AFTERWARDS)
            print(f"{given.minutes:g} minutes, answers by status {statuses}")
            print(f"server at rest {rest} MB, at most {own} MB, with its processes {whole} MB")
            print(f"a minute later {memory(running.pid)} MB")


if __name__ == "__main__":
    main()
