"""A disk that is full, or takes nothing more, in the middle of an evening's work.

    sudo python -m benchmarks.failing_disk [--times 10] [--seed 1]

A data folder lies on a file system of its own (mounted for this, so root is needed). Two helpers type results while the
disk is filled up to some bytes at a random moment, or turns read-only as Linux does after a fault of the device.
Everybody has to be told in a sentence, pages go on being shown, and nothing may end in a traceback. Half of the times
the program is killed meanwhile, and started on the disk as it is: it serves or says why not. Then the disk is well
again: every result that a helper was told is saved has to be in the journal, which gives the rows that are stored, and
`check_data` finds nothing. Prints the seed; the exit status is 1 if anything was lost or broken.
"""

import argparse
import http.client
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from benchmarks.browser import Browser
from benchmarks.kills import ROOT, Hall, checked, environment, keep_at_it, prepared, run, type_result, wait

DISK_MB = 200
"""Room for the reserve that backups leave, and some backups."""
MOST_LEFT = 300_000
"""Bytes that stay free at most where the disk is full: the fault comes after none or some results."""
BEFORE, DURING, AFTER = 4.0, 8.0, 6.0
"""Seconds of work before the disk fails, while it does, and after it is well again."""
PATIENCE = 300.0
"""Seconds for the program to end in: its last backup is checked behind all other programs of a busy machine."""
START = ("start", "--no-browser", "--language", "en", "--port")
TRACE = "Traceback (most recent call last)"
SAYS = {"full": "disk is full", "read-only": "This folder cannot be written to"}
PAGES = ("/", "/t/{slug}/table/", "/director/{slug}/", "/director/{slug}/entries/", "/director/tournaments/backups/")


def main() -> None:
    """Let the disk fail as often as asked, and say how it went."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--times", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if not hasattr(os, "geteuid") or os.geteuid():
        sys.exit("only root can mount the file system that is to fail")
    faults = []
    for number in range(options.times):
        chance = random.Random(f"{options.seed} {number}")
        trial = Trial(chance, ("full", "read-only")[number % 2], is_killed=number // 2 % 2 == 1)
        faults += trial.run()
        print(f"{number + 1}: {trial.kind}{', killed' if trial.is_killed else ''}: {trial.summary}", flush=True)
    print("\n".join(faults) or "nothing lost, nothing broken")
    print(f"seed {options.seed}: {options.times} times, {len(faults)} faults")
    sys.exit(bool(faults))


class Trial:
    """One evening on a disk that fails."""

    def __init__(self, chance: random.Random, kind: str, *, is_killed: bool) -> None:
        self.chance, self.kind, self.is_killed = chance, kind, is_killed
        self.faults: list[str] = []
        self.summary = ""

    def run(self) -> list[str]:
        """Play it; what was wrong."""
        with tempfile.TemporaryDirectory() as scratch, mounted(Path(scratch), self.kind) as disk:
            hall = prepared(disk / "data", self.chance.randrange(10**6))
            window = Path(scratch) / "window.txt"
            with self.serving(hall, window) as server:
                self.work(hall, BEFORE)
                before = len(hall.witness.saved)
                self.fail(disk)
                self.work(hall, DURING)
                during = len(hall.witness.saved)
                self.look(hall)
                if self.is_killed:
                    os.killpg(server.pid, signal.SIGKILL)
                    server.wait()
                    self.start_on_failing_disk(hall)
                if self.kind == "full":
                    (disk / "ballast").unlink()
                    if not self.is_killed:
                        self.work(hall, AFTER)
                        if len(hall.witness.saved) == during:
                            self.faults.append("nothing can be saved after the disk has room again")
            if self.kind == "read-only":
                mount_anew(disk)
            with self.serving(hall, window):
                self.work(hall, AFTER)
            self.check(hall, window)
            self.summary = (
                f"{before} results saved, {during - before} more while it failed, {len(hall.witness.saved)} in all"
            )
        return [f"{self.kind}{', killed' if self.is_killed else ''}: {fault}" for fault in self.faults]

    @contextmanager
    def serving(self, hall: Hall, window: Path) -> Iterator[subprocess.Popen[bytes]]:
        """The program, served until the end of this."""
        shown = window.open("a", encoding="utf-8")
        server = subprocess.Popen(
            [sys.executable, str(ROOT / "manage.py"), *START, str(hall.port)],
            env=environment(hall.data),
            stdout=shown,
            stderr=shown,
            process_group=0,
        )
        try:
            try:
                wait(hall.port, server)
            except RuntimeError:
                sys.exit(f"{self.kind}: the program does not start: {window.read_text(encoding='utf-8')}")
            yield server
        finally:
            shown.close()
            with suppress(ProcessLookupError):
                os.killpg(server.pid, signal.SIGTERM)
            try:
                server.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                self.faults.append("the program does not end")
                os.killpg(server.pid, signal.SIGKILL)
                server.wait()

    def work(self, hall: Hall, seconds: float) -> None:
        """Two helpers type for so long."""
        until = time.monotonic() + seconds

        def type_for_a_while(hall: Hall, browser: Browser) -> None:
            if time.monotonic() > until:
                raise OSError
            type_result(hall, browser)

        threads = [threading.Thread(target=keep_at_it, args=(hall, type_for_a_while)) for _helper in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    def fail(self, disk: Path) -> None:
        """Fill the disk, or make it read-only."""
        if self.kind == "read-only":
            subprocess.run(["mount", "-o", "remount,abort", str(disk)], check=True)
            return
        left = self.chance.choice([0, self.chance.randrange(MOST_LEFT)])
        with (disk / "ballast").open("wb", buffering=0) as file, suppress(OSError):
            while True:
                file.write(bytes(4096))
        with (disk / "ballast").open("rb+") as file:
            file.truncate(max(0, (disk / "ballast").stat().st_size - left))

    def look(self, hall: Hall) -> None:
        """Pages are shown all the while, and whoever types something is told in a sentence."""
        browser = Browser(hall.port, hall.session)
        browser.cookies["django_language"] = "en"
        for address in PAGES:
            if (status := browser.get(address.format(slug=hall.slug)).status) != http.client.OK:
                self.faults.append(f"{address} answers {status} while the disk fails")
        answer = type_once(hall, browser)
        if answer is not None and "Nothing can be saved" not in answer:
            self.faults.append(f"a helper is told: {answer[:300]!r}")

    def start_on_failing_disk(self, hall: Hall) -> None:
        """It says in a sentence why it does not start."""
        words = ["manage.py", *START, str(hall.port)]
        done = subprocess.run(
            [sys.executable, *words],
            cwd=ROOT,
            env=environment(hall.data),
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        said = done.stdout + done.stderr
        if done.returncode != 1 or SAYS[self.kind] not in said or TRACE in said:
            self.faults.append(f"a start says: {said[-600:]!r} ({done.returncode})")

    def check(self, hall: Hall, window: Path) -> None:
        """Everything that was acknowledged is there, and nothing else is wrong."""
        self.faults += checked(hall, rebuild=True)
        done = run(hall.data, str(ROOT / "manage.py"), "check_data", "--language", "en")
        if done.returncode:
            self.faults.append(f"check_data: {done.stdout}{done.stderr}")
        said = window.read_text(encoding="utf-8")
        if TRACE in said:
            self.faults.append(f"the window shows {said[said.index(TRACE) :][-1500:]}")


def type_once(hall: Hall, browser: Browser) -> str | None:
    """Type a result; the text of the answer, None where there is nothing to type or it was saved."""
    page = browser.get(f"/director/{hall.slug}/results/")
    rows = page.fields(r"/results/", "-first_points")
    if not rows:
        return None
    form, first = rows[0]
    typed = {first: "401", first.replace("-first_", "-second_"): "399"}
    answer = browser.post(form, [(name, typed.get(name, value)) for name, value in form.fields])
    return None if answer.status == http.client.FOUND else answer.text


@contextmanager
def mounted(scratch: Path, kind: str) -> Iterator[Path]:
    """A file system of its own, of a kind that can fail so."""
    disk, image = scratch / "disk", scratch / "image"
    disk.mkdir()
    if kind == "full":
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={DISK_MB}M", "tmpfs", str(disk)], check=True)
    else:
        with image.open("wb") as file:
            file.truncate(DISK_MB << 20)
        subprocess.run(["mkfs.ext4", "-q", str(image)], check=True)
        subprocess.run(["mount", "-o", "loop", str(image), str(disk)], check=True)
    try:
        yield disk
    finally:
        subprocess.run(["umount", str(disk)], check=True)


def mount_anew(disk: Path) -> None:
    """As a machine does that is started again."""
    image = disk.with_name("image")
    subprocess.run(["umount", str(disk)], check=True)
    subprocess.run(["e2fsck", "-fy", str(image)], capture_output=True, check=False)  # its status tells what it mended
    subprocess.run(["mount", "-o", "loop", str(image), str(disk)], check=True)


if __name__ == "__main__":
    main()
