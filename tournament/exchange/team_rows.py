"""Teams and boards that a list of players states: which teams it makes, which may be another spelling of one that is
known, and which boards nobody can have."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from django.utils.translation import gettext_lazy as _

from tournament.basics.likeness import are_teams_alike
from tournament.basics.names import fold_text
from tournament.basics.refusals import Refusal
from tournament.entries.operations.team_places import TeamPlace, find_board_refusals, list_team_places
from tournament.exchange.faults import FaultCode, FileFault, FilePlace
from tournament.exchange.players import AlikeAnswer, PreviewRow, RowFate
from tournament.models import Division
from tournament.models.event import NO_TEAM


@dataclass(frozen=True, slots=True)
class TeamQuestion:
    """Whether a team is one of those like it, which are known or stated above; asked of the first row that states it.
    `answer`: which of them is meant, the team itself if it is none of them, None while that is open."""

    row: int
    team: str
    alike: tuple[str, ...]
    answer: str | None = None

    @property
    def name(self) -> str:
        """What the answer is called in a form."""
        return f"team-{self.row}"

    @property
    def choices(self) -> tuple[str, ...]:
        return (*self.alike, self.team)

    def find_answer(self, answer: AlikeAnswer) -> str | None:
        """The answer if all that are alike are the same, or all are others; None if the team may be several."""
        if answer == AlikeAnswer.OTHER:
            return self.team
        return self.alike[0] if len(self.alike) == 1 else None

    @property
    def fault(self) -> FileFault:
        """The question as what keeps a list out."""
        message = _("Is the team “%(team)s” the same as %(others)s, or a team of its own?")
        why = Refusal("team_alike", message, team=self.team, others="; ".join(self.alike))
        return FileFault(FaultCode.REFUSED, FilePlace(row=self.row), {"why": why})


@dataclass(frozen=True, slots=True)
class TeamsOfList:
    """The rows of a list with the teams that their players would get, the questions about these, and the boards that
    nobody can have."""

    rows: tuple[PreviewRow, ...]
    questions: tuple[TeamQuestion, ...]
    faults: tuple[FileFault, ...]

    @property
    def open_questions(self) -> list[TeamQuestion]:
        return [question for question in self.questions if question.answer is None]

    @property
    def new_teams(self) -> list[str]:
        """The teams that the list would make."""
        return list({fold_text(row.team): row.team for row in self.rows if row.is_new_team}.values())


def find_teams_of_list(
    previews: Sequence[PreviewRow], usual: Division, divisions: Mapping[str, Division], answers: Mapping[str, str]
) -> TeamsOfList:
    """Compare the teams and boards of a list with those that there are. `divisions` by their folded names, `usual` for
    rows that name none; `answers` by the names of the questions. One query."""
    places = list_team_places({usual, *divisions.values()})
    known: dict[int, dict[str, str]] = defaultdict(dict)  # by division and folded name, as they are spelled first
    for place in places:
        if place.team:
            known[place.division].setdefault(fold_text(place.team), place.team)
    # Kept apart from `known`, which takes in each team of the list as its rows are gone through: what is new is told by
    # what there was before.
    stored = {key: frozenset(teams) for key, teams in known.items()}
    questions: list[TeamQuestion] = []
    rows: list[PreviewRow] = []
    rows_of_places: dict[int, int] = {}
    for listed in previews:
        preview = listed
        if listed.fate in (RowFate.NEW, RowFate.KNOWN, RowFate.ALIKE):
            division = divisions.get(fold_text(listed.row.division), usual).pk
            preview = _choose_team(listed, known[division], questions, answers)
            team, open_teams = (
                fold_text(preview.team),
                {fold_text(question.team) for question in questions if not question.answer},
            )
            is_new = bool(team) and team not in stored.get(division, ()) and team not in open_teams
            preview = replace(preview, is_new_team=is_new)
            # Who is asked about may stay out, so that only the operation knows whether their board is taken.
            board = None if preview.fate == RowFate.ALIKE else preview.row.board
            rows_of_places[len(places)] = len(rows)
            places.append(TeamPlace(division, preview.row.person.name, preview.team, board))
        rows.append(preview)
    faults = []
    for at, refusal in find_board_refusals(places, usual.tournament.team_best).items():
        preview = rows[rows_of_places[at]]
        faults.append(FileFault(FaultCode.REFUSED, FilePlace(row=preview.row.number), {"why": refusal}))
        rows[rows_of_places[at]] = replace(preview, fate=RowFate.UNCLEAR, why=str(refusal))
    return TeamsOfList(tuple(rows), tuple(questions), tuple(faults))


def _choose_team(
    preview: PreviewRow, teams: dict[str, str], questions: list[TeamQuestion], answers: Mapping[str, str]
) -> PreviewRow:
    """The row with the team that its player would get. A team that is like one of `teams` becomes a question, once;
    the team is then taken in."""
    row, club = preview.row, preview.row.person.club
    if not club and preview.player and preview.player.club:
        club = preview.player.club.name
    # Somebody is said to have no team: the club does not stand in for it, as it does where the column is empty.
    if row.team in ("-", NO_TEAM):
        return preview
    team = row.team or club
    if row.team and fold_text(team) not in teams:
        question = next((other for other in questions if fold_text(other.team) == fold_text(team)), None)
        if question is None and (alike := tuple(name for name in teams.values() if are_teams_alike(team, name))):
            question = TeamQuestion(row.number, team, alike)
            answer = answers.get(question.name)
            # The form may have been filled in for the list as it was before: an answer that is no choice any more
            # leaves the question open.
            question = replace(question, answer=answer if answer in question.choices else None)
            questions.append(question)
        if question is not None and question.answer is not None:
            team = question.answer
            row = replace(row, team=team)
    team = teams.setdefault(fold_text(team), team) if team else ""
    return replace(preview, row=row, team=team)
