"""Studies in processes of their own: the same figures whoever plays them, stopped, taken up again, cut off."""

import io
import json
import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from tests.tournament.laboratory.studies import study
from tournament.basics.program import PROGRAM_FOLDER
from tournament.laboratory.playing import play_event
from tournament.laboratory.running import QUIET_SECONDS, LinePlace, StudyRun, WorkerGone, play_study, start_worker
from tournament.laboratory.values import Study
from tournament.laboratory.worker import answer_batches

ASKED = study(events=10)


def make_run(folder: Path, asked: Study = ASKED) -> StudyRun:
    return StudyRun(folder, asked.name_run("1"), asked)


def wait_for_end(run: StudyRun) -> None:
    """Wait until nobody plays it: the thread has ended with the mark."""
    for thread in threading.enumerate():
        if thread.name == "laboratory":
            thread.join(120)
    assert not run.is_running


def test_processes_play_what_one_would_play() -> None:
    told: list[int] = []
    assert play_study(ASKED, told.append) == [play_event(ASKED, event) for event in range(10)]
    assert told[-1] == 10
    assert told == sorted(told)


def test_a_study_survives_its_way_to_a_process() -> None:
    asked = study(ratings=(1500, None), players=2, strength_sd=40.5)
    assert Study.read(asked.stored()) == asked


@pytest.mark.long
def test_a_run_is_kept_and_begun_only_once(tmp_path: Path) -> None:
    run = make_run(tmp_path)
    assert run.start()
    assert not make_run(tmp_path, study(seed=4)).start()
    wait_for_end(run)
    assert run.count_events() == 10
    assert run.read_events() == [play_event(ASKED, event) for event in range(10)]
    assert make_run(tmp_path).start()
    wait_for_end(run)
    assert run.count_events() == 10


@pytest.mark.long
def test_studies_of_clubs_take_turns_and_each_club_has_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A long study of one club keeps no other club's from being played to its end."""
    monkeypatch.setattr("tournament.laboratory.running.SLICE_SECONDS", 0.1)
    monkeypatch.setattr("tournament.laboratory.running.POLL_SECONDS", 0.01)
    long, short = make_run(tmp_path, study(events=5000)), make_run(tmp_path, study(seed=4, events=10))
    assert long.start(1)
    assert not make_run(tmp_path, study(seed=5)).start(1)
    assert short.start(2)
    assert (long.count_others(), short.count_others()) == (1, 1)

    until = time.monotonic() + 600
    while short.is_running and time.monotonic() < until:
        time.sleep(0.05)

    assert short.count_events() == 10
    assert long.is_running
    assert long.count_events() < 5000
    long.stop()
    wait_for_end(long)
    assert short.read_events() == [play_event(short.study, event) for event in range(10)]


@pytest.mark.long
def test_a_killed_run_keeps_nobody_from_their_turn(tmp_path: Path) -> None:
    killed, run = make_run(tmp_path, study(seed=4)), make_run(tmp_path)
    killed.mark.write_text(LinePlace(1.0, killed.name, 1).stored())
    long_ago = time.time() - QUIET_SECONDS - 1
    os.utime(killed.mark, (long_ago, long_ago))

    assert run.start(1)
    wait_for_end(run)
    assert run.count_events() == 10


@pytest.mark.long
def test_a_stopped_run_is_taken_up_again(tmp_path: Path) -> None:
    asked = study(events=4000)
    run = make_run(tmp_path, asked)
    run.start()
    while not run.count_events():
        time.sleep(0.01)
    run.stop()
    wait_for_end(run)
    played = run.count_events()
    assert 0 < played < 4000
    begun = run.read_batches()
    run.start()
    while run.count_events() <= played:
        time.sleep(0.01)
    run.stop()
    wait_for_end(run)
    assert run.read_batches().items() > begun.items()


@pytest.mark.long
def test_a_line_cut_off_is_played_again(tmp_path: Path) -> None:
    run = make_run(tmp_path)
    run.start()
    wait_for_end(run)
    whole = run.read_events()
    run.path.write_text(run.path.read_text()[:-300])
    assert run.count_events() < 10
    run.start()
    wait_for_end(run)
    assert run.read_events() == whole


@pytest.mark.long
def test_a_mark_left_by_a_killed_program_holds_nobody_up(tmp_path: Path) -> None:
    run = make_run(tmp_path)
    tmp_path.mkdir(exist_ok=True)
    old = tmp_path / "other.running"
    old.touch()
    os.utime(old, (0, time.time() - QUIET_SECONDS - 1))
    assert run.start()
    assert not old.exists()
    wait_for_end(run)


@pytest.mark.long
def test_the_oldest_runs_are_removed(tmp_path: Path) -> None:
    for number in range(40):
        (tmp_path / f"{number:02}.jsonl").touch()
        os.utime(tmp_path / f"{number:02}.jsonl", (number, number))
    run = make_run(tmp_path)
    run.start()
    wait_for_end(run)
    left = sorted(path.stem for path in tmp_path.glob("*.jsonl"))
    assert len(left) == 30
    assert left[:2] == ["11", "12"]


@pytest.mark.long
def test_a_worker_ends_with_its_program() -> None:
    with start_worker() as worker:
        worker.stdin.close()
        assert worker.wait(60) != 0  # no study came
    with start_worker() as worker:
        worker.stdin.write('{"plans": [], "players": 2, "ratings": []}\n')
        worker.stdin.close()
        assert worker.wait(60) == 0


def test_a_worker_knows_no_django() -> None:
    script = "import sys; import tournament.laboratory.worker; print('django' in sys.modules)"
    said = subprocess.run(
        [sys.executable, "-c", script], cwd=PROGRAM_FOLDER, capture_output=True, text=True, check=True
    )
    assert said.stdout == "False\n"


@pytest.mark.long
@pytest.mark.skipif(not hasattr(os, "nice"), reason="no priorities here")
def test_a_worker_gives_way_from_the_start() -> None:
    with start_worker() as worker:
        assert os.getpriority(os.PRIO_PROCESS, worker.pid) > os.getpriority(os.PRIO_PROCESS, 0)
        worker.stdin.close()


def test_a_worker_that_fails_ends_the_study() -> None:
    broken = study(players=0)
    with pytest.raises(WorkerGone):
        play_study(broken, lambda _done: None)


def test_answers_come_line_by_line() -> None:
    asked, answers = io.StringIO(json.dumps(ASKED.stored()) + "\n2\n0\n"), io.StringIO()
    answer_batches(asked, answers)
    assert [json.loads(line)[0] for line in answers.getvalue().splitlines()] == [2, 0]


PARENT = """
import sys, time
from pathlib import Path
from tests.tournament.laboratory.studies import study
from tournament.laboratory.running import StudyRun
asked = study(events=5000)
run = StudyRun(Path(sys.argv[1]), "killed", asked)
run.start()
while not run.count_events():
    time.sleep(0.01)
print("playing", flush=True)
time.sleep(600)
"""


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="asks Linux for the children of a process")
@pytest.mark.long
def test_workers_end_when_the_program_is_killed(tmp_path: Path) -> None:
    command = [sys.executable, "-c", PARENT, str(tmp_path)]
    with subprocess.Popen(command, cwd=PROGRAM_FOLDER, stdout=subprocess.PIPE, text=True) as program:
        assert program.stdout.readline() == "playing\n"
        threads = Path(f"/proc/{program.pid}/task")
        workers = [pid for task in threads.iterdir() for pid in (task / "children").read_text().split()]
        assert workers
        program.kill()
    until = time.monotonic() + 60
    while any(Path("/proc", pid).exists() for pid in workers) and time.monotonic() < until:
        time.sleep(0.05)
    assert not [pid for pid in workers if Path("/proc", pid).exists()]
