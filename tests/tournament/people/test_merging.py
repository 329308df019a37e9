"""Two entries of the register made one person, and parted again."""

import io
from dataclasses import replace

import pytest
from django.test import Client

from tests import factories
from tests.refusals import refuses
from tournament.archive.carrying import import_archive, write_archive
from tournament.archive.rebuilding import rebuild_event
from tournament.archive.replaying import find_journal_differences, find_register_differences
from tournament.core.change import TERMINAL_ACTOR, Actor
from tournament.core.words.journal import describe_entry
from tournament.entries.operations.entries import enter_player, remove_entry
from tournament.entries.operations.register import (
    Person,
    add_player,
    build_name_columns,
    edit_player,
    update_register,
)
from tournament.events.operations import create_tournament
from tournament.events.presets import PRESETS
from tournament.exchange.event_rows import load_event_data, store_event_data
from tournament.journal.undoing import ChangedSince, undo_journal_entry
from tournament.models import Division, Entry, JournalEntry, Player, SamePerson, Season, Tournament
from tournament.people.merging import (
    BothEntered,
    find_merge_problem,
    merge_players,
    part_players,
)
from tournament.people.profile import set_profile_hidden
from tournament.registration.forgetting import forget_player
from tournament.seasons.operations import add_season_event, decide_same_person, make_season

RIGHT = Person("Müller, Hans", club="SC Fulda", rating=1500, phone="0661 1234")
WRONG = Person("Mueller, Hans", rating=1450, games=30, email="hans@example.org")


@pytest.fixture(scope="module")
def kept_and_twin(*, shares_rows: bool) -> tuple[Entry, Entry]:
    doris = factories.director()
    cup = create_tournament(actor=doris, name="Herbst-Cup", preset=PRESETS["weekend_cup"])
    other_cup = create_tournament(actor=doris, name="Anderer Cup")
    kept = enter_player(cup.divisions.get(name="A"), person=RIGHT, actor=doris)
    return kept, enter_player(other_cup.divisions.get(), person=WRONG, actor=doris, anyway=True)


@pytest.fixture
def kept(kept_and_twin: tuple[Entry, Entry], db: None) -> Entry:
    return fetch_entry(kept_and_twin[0])


@pytest.fixture
def twin(kept_and_twin: tuple[Entry, Entry], db: None) -> Entry:
    """The same person under another spelling, in another event."""
    return fetch_entry(kept_and_twin[1])


def fetch_entry(entry: Entry) -> Entry:
    return Entry.objects.select_related("tournament", "division", "player__organiser", "player__club").get(pk=entry.pk)


def read(player: Player) -> tuple[object, ...]:
    found = Player.objects.select_related("club").get(pk=player.pk)
    return found.name, str(found.club), found.rating, found.games, found.email, found.phone, found.merged_into_id


def read_archive(tournament: Tournament) -> io.BytesIO:
    out = io.BytesIO()
    write_archive(tournament, out)
    return io.BytesIO(out.getvalue())


def test_merge_moves_events_and_fills_in_what_was_missing(kept: Entry, twin: Entry, doris: Actor) -> None:
    revisions = [entry.tournament.revision for entry in (kept, twin)]

    left = merge_players(kept.player, other=twin.player, taken=["rating"], actor=doris)

    told = JournalEntry.objects.get(tournament=twin.tournament, verb="merge_players")
    assert describe_entry(told).endswith(": Mueller, Hans · Müller, Hans")
    assert read(left) == ("Müller, Hans", "SC Fulda", 1450, 30, "hans@example.org", "0661 1234", None)
    assert {entry.tournament.name for entry in left.entries.all()} == {"Herbst-Cup", "Anderer Cup"}
    moved = Entry.objects.get(pk=twin.pk)
    assert (moved.name, moved.rating) == ("Müller, Hans", 1450)
    assert list(Player.objects.current().filter(organiser=doris.organiser)) == [left]
    stored = [Tournament.objects.get(pk=entry.tournament_id) for entry in (kept, twin)]
    assert [each.revision for each in stored] == [revisions[0], revisions[1] + 1]
    assert [find_journal_differences(each) for each in stored] == [[], []]


def test_merge_that_takes_the_name_changes_it_in_every_event(kept: Entry, twin: Entry, doris: Actor) -> None:
    merge_players(kept.player, other=twin.player, taken=["name"], actor=doris)

    assert Entry.objects.get(pk=kept.pk).name == "Mueller, Hans"
    assert JournalEntry.objects.filter(tournament=kept.tournament, verb="rename_player").count() == 1


def test_merge_is_taken_back_whole(kept: Entry, twin: Entry, doris: Actor) -> None:
    before = read(kept.player), read(twin.player)
    merge_players(kept.player, other=twin.player, taken=["name", "rating"], actor=doris)

    part_players(Player.objects.get(pk=twin.player_id), actor=doris)

    assert (read(kept.player), read(twin.player)) == before
    assert Entry.objects.get(pk=twin.pk).player_id == twin.player_id
    assert find_journal_differences(twin.tournament) == []


def test_what_was_corrected_after_the_merge_stays(kept: Entry, twin: Entry, doris: Actor) -> None:
    left = merge_players(kept.player, other=twin.player, taken=["rating"], actor=doris)
    edit_player(left, person=Person("Müller, Hans", "SC Fulda", 1480, 30, "neu@example.org"), actor=doris)

    part_players(Player.objects.get(pk=twin.player_id), actor=doris)

    assert read(kept.player) == ("Müller, Hans", "SC Fulda", 1480, 0, "neu@example.org", "", None)


def test_merging_again_after_parting_moves_only_its_own(kept: Entry, twin: Entry, doris: Actor) -> None:
    third = add_player(person=Person("Müller, Hannes"), actor=doris, anyway=True)
    for _again in range(2):
        merge_players(kept.player, other=twin.player, actor=doris)
        part_players(Player.objects.get(pk=twin.player_id), actor=doris)
    merge_players(third, other=twin.player, actor=doris)
    merge_players(kept.player, other=third, actor=doris)

    with refuses("merged_further", match=r"Müller, Hannes .* Müller, Hans"):
        part_players(Player.objects.get(pk=twin.player_id), actor=doris)
    part_players(Player.objects.get(pk=third.pk), actor=doris)
    assert Entry.objects.get(pk=twin.pk).player_id == third.pk

    part_players(Player.objects.get(pk=twin.player_id), actor=doris)
    assert Entry.objects.get(pk=twin.pk).player_id == twin.player_id


def test_whoever_objects_to_a_public_profile_does_so_after_a_merge(kept: Entry, twin: Entry, doris: Actor) -> None:
    set_profile_hidden(twin.player, hidden=True, actor=doris)

    assert merge_players(kept.player, other=twin.player, actor=doris).hides_profile

    part_players(Player.objects.get(pk=twin.player.pk), actor=doris)
    assert [Player.objects.get(pk=each.player.pk).hides_profile for each in (kept, twin)] == [False, True]


def test_two_who_met_in_an_event_are_two_people(kept: Entry, doris: Actor) -> None:
    other = enter_player(kept.division, person=WRONG, actor=doris, anyway=True)

    with pytest.raises(BothEntered, match="Herbst-Cup"):
        merge_players(kept.player, other=other.player, actor=doris)

    remove_entry(other, actor=doris)
    merge_players(kept.player, other=other.player, actor=doris)
    removed = JournalEntry.objects.get(verb="remove_entry")
    with pytest.raises(ChangedSince):
        undo_journal_entry(removed, actor=doris)


def test_a_decision_of_a_season_stands_in_the_way(kept: Entry, twin: Entry, doris: Actor) -> None:
    season = make_season(plan=Season(name="Pokal", points=(2, 1)), actor=doris)
    decide_same_person(season, one=kept.player, other=twin.player, is_same=False, actor=doris)

    with refuses("said_to_be_two", match="Pokal"):
        merge_players(kept.player, other=twin.player, actor=doris)


def test_decisions_follow_and_return(kept: Entry, twin: Entry, doris: Actor) -> None:
    third = add_player(person=Person("Möller, H."), actor=doris)
    season = make_season(plan=Season(name="Pokal", points=(2, 1)), actor=doris)
    add_season_event(season, division=kept.division, actor=doris)
    decided = decide_same_person(season, one=twin.player, other=third, is_same=True, actor=doris)

    merge_players(kept.player, other=twin.player, actor=doris)
    moved = SamePerson.objects.get(pk=decided.pk)
    assert {moved.one_id, moved.other_id} == {kept.player_id, third.pk}

    part_players(Player.objects.get(pk=twin.player_id), actor=doris)
    back = SamePerson.objects.get(pk=decided.pk)
    assert {back.one_id, back.other_id} == {twin.player_id, third.pk}


def test_nobody_is_merged_with_themselves_or_with_strangers(kept: Entry, doris: Actor) -> None:
    stranger = add_player(person=RIGHT, actor=factories.director("otto", factories.organiser("SC Neu")))

    for other in (kept.player, stranger):
        with refuses("not_two_players"):
            merge_players(kept.player, other=other, actor=doris)


def test_merge_twice_and_part_twice_do_nothing_more(kept: Entry, twin: Entry, doris: Actor) -> None:
    for _again in range(2):
        merge_players(kept.player, other=twin.player, actor=doris)
    gone = Player.objects.get(pk=twin.player_id)
    for _again in range(2):
        part_players(gone, actor=doris)

    assert JournalEntry.objects.filter(organiser=doris.organiser, verb="merge_players").count() == 1
    assert JournalEntry.objects.filter(organiser=doris.organiser, verb="part_players").count() == 1


CASES = [
    ("", ("", None), ("Bonn", None)),
    ("name", ("Bonn", None), ("Bonn", None)),
    ("name", ("Bonn", None), ("Bonn", 1500)),
    ("name", ("", None), ("Bonn", None)),
]


@pytest.mark.parametrize(("taken", "one", "two"), CASES)
@pytest.mark.sampled(2)
def test_journals_hold_whatever_a_merge_takes(
    taken: str,
    one: tuple[str, int | None],
    two: tuple[str, int | None],
    cup: Tournament,
    division: Division,
    doris: Actor,
) -> None:
    kept = enter_player(division, person=Person("Person, A.", *one), actor=doris)
    other = add_player(person=Person("Person, Anna", *two), actor=doris, anyway=True)

    merge_players(kept.player, other=other, taken=[taken], actor=doris)
    assert [*find_register_differences(), *find_journal_differences(cup)] == []

    part_players(Player.objects.get(pk=other.pk), actor=doris)
    assert [*find_register_differences(), *find_journal_differences(cup)] == []


def test_the_old_spelling_still_finds_the_person(kept: Entry, twin: Entry, doris: Actor) -> None:
    left = merge_players(kept.player, other=twin.player, actor=doris)

    update_register(people=[Person("Mueller, Hans", rating=1510)], actor=doris)
    third = create_tournament(actor=doris, name="Dritter Cup")
    entry = enter_player(third.divisions.get(), person=Person("Mueller, Hans"), actor=doris)

    assert entry.player == left
    assert Player.objects.get(pk=left.pk).rating == 1510


def test_a_file_with_the_old_spelling_finds_the_person(kept: Entry, twin: Entry, doris: Actor) -> None:
    file = load_event_data(twin.tournament)
    left = merge_players(kept.player, other=twin.player, actor=doris)

    made = store_event_data(replace(file, slug="aus-der-datei"), actor=doris)

    assert [entry.player for entry in made.entries.all()] == [left]


@pytest.mark.parametrize("before", [True, False], ids=["made before the merge", "made after it"])
def test_an_archive_is_restored_here(before: bool, kept: Entry, twin: Entry, doris: Actor) -> None:
    archive = read_archive(twin.tournament)
    left = merge_players(kept.player, other=twin.player, actor=doris)
    if not before:
        archive = read_archive(twin.tournament)

    made = import_archive(archive, slug="zurueck", actor=doris).tournament

    assert [entry.player for entry in made.entries.all()] == [left]
    assert find_journal_differences(made) == []
    assert Player.objects.filter(organiser=doris.organiser).count() == 2


def test_an_archive_is_restored_elsewhere_as_one_person(kept: Entry, twin: Entry, doris: Actor) -> None:
    merge_players(kept.player, other=twin.player, taken=["name"], actor=doris)
    otto = factories.director("otto", factories.organiser("SC Neu"))

    made = import_archive(read_archive(twin.tournament), slug="dort", actor=otto).tournament

    assert [player.name for player in Player.objects.filter(organiser=otto.organiser)] == ["Mueller, Hans"]
    assert find_journal_differences(made) == []


def test_a_merge_is_taken_back_in_a_rebuilt_event(kept: Entry, twin: Entry, doris: Actor) -> None:
    merge_players(kept.player, other=twin.player, actor=doris)
    Entry.objects.filter(pk=twin.pk).update(rating=1)  # past the journal
    rebuild_event("anderer-cup", "anderer-cup", actor=TERMINAL_ACTOR)

    part_players(Player.objects.get(pk=twin.player_id), actor=doris)

    rebuilt = Entry.objects.get(tournament__slug="anderer-cup")
    assert (rebuilt.player_id, rebuilt.pk != twin.pk) == (twin.player_id, True)


def test_forgetting_takes_both_spellings(kept: Entry, twin: Entry, doris: Actor) -> None:
    left = merge_players(kept.player, other=twin.player, actor=doris)

    pseudonym = forget_player(left, actor=doris)

    told = [*JournalEntry.objects.values_list("rows", "details"), *Player.objects.values_list("name", "email")]
    assert not any(text in str(each) for each in told for text in ("Müller", "Mueller", "hans@example.org", "0661"))
    assert pseudonym in str(told)
    assert find_merge_problem(*[add_player(person=Person(name), actor=doris) for name in ("A", "B")]) is None


def test_the_pages_lead_from_search_to_merge_and_back(kept: Entry, twin: Entry, doris_client: Client) -> None:
    address = f"/director/register/players/{kept.player_id}/"
    found = doris_client.get(f"{address}merge/").context["found"]
    assert [player.name for player in found] == ["Mueller, Hans"]

    preview = doris_client.get(f"{address}merge/", {"other": twin.player_id})
    assert list(preview.context["form"].fields) == ["name", "rating"]
    assert "Herbst-Cup" in preview.content.decode()
    assert "Anderer Cup" in preview.content.decode()

    chosen = {"other": twin.player_id, "name": "other", "rating": "kept"}
    for _again in range(2):
        assert doris_client.post(f"{address}merge/", chosen)["Location"] == address
    assert "Mueller, Hans" in doris_client.get(address).content.decode()
    gone = f"/director/register/players/{twin.player_id}/"
    assert doris_client.get(gone)["Location"] == address

    assert doris_client.post(f"{gone}part/")["Location"] == address
    assert Player.objects.get(pk=kept.player_id).name == "Müller, Hans"
    assert doris_client.get(gone).status_code == 200


def test_who_is_gone_is_looked_for_again(kept: Entry, doris_client: Client) -> None:
    address = f"/director/register/players/{kept.player_id}/merge/"

    answers = [doris_client.post(address, {"other": other}) for other in ("99999999", str(kept.player_id))]

    assert [answer.status_code for answer in answers] == [200, 200]
    assert "bitte aus der Liste wählen" in answers[0].content.decode()


def test_the_preview_names_the_event_in_which_both_play(kept: Entry, doris: Actor, doris_client: Client) -> None:
    other = enter_player(kept.division, person=WRONG, actor=doris, anyway=True)
    address = f"/director/register/players/{kept.player_id}/merge/"

    page = doris_client.get(address, {"other": other.player_id}).content.decode()
    assert "Herbst-Cup" in page
    assert 'value="kept"' not in page

    refused = doris_client.post(address, {"other": other.player_id, "name": "kept", "rating": "kept"})
    assert refused.context["form"].codes == {"both_entered"}


def test_a_search_without_a_find_says_so(kept: Entry, doris_client: Client) -> None:
    answer = doris_client.get(f"/director/register/players/{kept.player_id}/merge/", {"q": "xyz"})

    assert answer.context["found"] == []
    assert 'role="status"' in answer.content.decode()


def test_a_merge_as_earlier_versions_noted_it_is_read(cup: Tournament, division: Division, doris: Actor) -> None:
    kept = enter_player(division, person=Person("Person, A."), actor=doris).player
    other = add_player(person=Person("Person, Anna", "Bonn"), actor=doris, anyway=True)
    merge_players(kept, other=other, taken=["name"], actor=doris)
    renamed = JournalEntry.objects.get(tournament=cup, verb="rename_player")
    for row in renamed.rows:
        row[3] = {**row[2], **build_name_columns("Person, Anna")}
    JournalEntry.objects.filter(pk=renamed.pk).update(rows=renamed.rows)

    assert find_register_differences() == []
    for row in renamed.rows:
        row[3]["phone"] = "0661 1234"
    JournalEntry.objects.filter(pk=renamed.pk).update(rows=renamed.rows)
    assert [fault.split(":")[0] for fault in find_register_differences()] == [f"player {kept.pk}.phone"]
