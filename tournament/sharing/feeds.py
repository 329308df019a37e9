"""News of an event and of a club as Atom 1.0: a round is paired, its results are in, it is over, and who has won. News
tell what the public sees at that moment; their ids stay, so that a reader shows each once."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, time
from uuid import NAMESPACE_URL, uuid5

from django.core.cache import cache
from django.db.models import Max
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.feedgenerator import Atom1Feed
from django.utils.html import escape
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.standings import PlayerKey
from tournament.basics.addresses import build_full_address
from tournament.basics.languages import get_active_language
from tournament.basics.showing import LONG_AGO, ShowingStep
from tournament.core.public_view import PublicView, open_public_view
from tournament.core.records import list_divisions
from tournament.core.words.rounds import format_round_name
from tournament.ending.final_ranking import load_final_ranking, may_be_final
from tournament.models import Division, Entry, Organiser, Pairing, Result, Tournament
from tournament.pages.tables import TournamentLinks
from tournament.results.league_games import list_division_entries
from tournament.sharing.event_summary import FIRST_PLACES, describe_winners
from tournament.sharing.linking import build_event_description
from tournament.table.league import RoundProgress, list_knockout_rounds, list_league_rounds
from tournament.table.player_page import rank_after_round
from tournament.table.published_games import load_published_games

MOST_NEWS = 60  # in one feed
MOST_EVENTS = 12  # of a club, the newest
KEPT_SECONDS = 86400
MOMENT_IN_IDS_SINCE = datetime(2026, 11, 30, tzinfo=UTC)
"""Events made since then have their moment in the ids of their news, so that another event at the address of a deleted
one has others. Older events keep the ids that they gave out: with new ones every reader would show all once more."""


@dataclass(frozen=True, slots=True)
class News:
    """One entry of a feed: `key` is what its id is made of, `path` where it leads."""

    key: str
    title: str
    text: str
    path: str
    at: datetime

    @property
    def urn(self) -> str:
        # Worked out and not drawn: each process, and the machine that an event is carried to, give the same news the
        # same id.
        return uuid5(NAMESPACE_URL, f"tso {self.key}").urn


def list_event_news(tournament: Tournament, view: PublicView) -> list[News]:
    """What has happened in an event, newest first. In an open public view. Nine queries for each division, more for a
    knock-out and a final ranking."""
    divisions = list_divisions(tournament)
    path = reverse("public:tournament", args=[tournament.slug])
    title = _("Announced: %(name)s") % {"name": tournament.name}
    origin = _make_origin(tournament)
    news = [News(f"{origin} announced", title, build_event_description(tournament), path, tournament.created_at)]
    if tournament.called_off_on is not None:
        # Only the day is known. At noon it is the same one for readers around: midnight here is still the day before in
        # UTC.
        at = timezone.make_aware(datetime.combine(tournament.called_off_on, time(12)))
        title = _("Called off: %(tournament)s") % {"tournament": tournament.name}
        news.append(News(f"{origin} called off", title, _("The tournament is called off."), path, at))
    if tournament.rules.is_paired:
        for division in divisions:
            news += _DivisionNews(division, view, several=len(divisions) > 1).tell()
    return sort_news(news)


def _make_origin(tournament: Tournament) -> str:
    """What the keys of an event's news begin with: its address, and when it was made, which an archive keeps."""
    made_at = tournament.created_at
    return f"{tournament.slug} {made_at.isoformat()}" if made_at >= MOMENT_IN_IDS_SINCE else tournament.slug


def sort_news(found: list[News]) -> list[News]:
    """The newest news first; of those of the same moment, what was told last."""
    order = sorted(range(len(found)), key=lambda place: (found[place].at, place), reverse=True)
    return [found[place] for place in order[:MOST_NEWS]]


class _DivisionNews:
    """Tells the news of one division."""

    def __init__(self, division: Division, view: PublicView, *, several: bool) -> None:
        self.division, self.tournament, self.view = division, division.tournament, view
        self.prefix = f"{division.name}: " if several else ""
        self.links = TournamentLinks(self.tournament, f"?division={division.name}" if several else "")
        official = Result.objects.filter(official=True, pairing__kind=Pairing.Kind.GAME)
        results = official.filter(pairing__round__division=division).order_by()
        self.last_results = dict(results.values_list("pairing__round").annotate(last=Max("at")))

    def tell(self) -> Iterator[News]:
        league = list_league_rounds(self.division)
        rounds = league + list_knockout_rounds(self.division)
        # Of tables that are seen: who leads after a round is held back with its table.
        leaders = self._list_leaders([progress.round.number for progress in league if progress.sight.table])
        for progress in rounds:
            yield from self._tell_round(progress, leaders.get(progress.round.number, ""))
        if may_be_final(self.division, league):
            yield from self._tell_end(rounds)

    def _tell_round(self, progress: RoundProgress, leaders: str) -> Iterator[News]:
        round = progress.round
        round.division = self.division
        name = {"round": format_round_name(round)}
        games = ngettext("%(count)s game", "%(count)s games", progress.games) % {"count": progress.games}
        bracket = reverse("public:bracket", args=[self.tournament.slug]) + self.links.division
        path = bracket if round.is_knockout else self.links.round(round.number)
        paired = self._find_moment(progress, ShowingStep.PAIRINGS, round.published_at)
        yield self._make(round.number, "paired", _("%(round)s is paired") % name, games, path, paired)
        if not (progress.sight.results and progress.games and not progress.missing):
            return
        results_at = self._find_moment(progress, ShowingStep.RESULTS, self.last_results.get(round.pk))
        yield self._make(round.number, "results", _("%(round)s: all results are in") % name, games, path, results_at)
        if leaders and round.closed_at is not None:
            over = self._find_moment(progress, ShowingStep.TABLE, round.closed_at)
            table = self.links.table_after(round.number)
            yield self._make(round.number, "over", _("%(round)s is over") % name, leaders, table, over)

    def _tell_end(self, rounds: Sequence[RoundProgress]) -> Iterator[News]:
        ranking = load_final_ranking(self.division)
        if not ranking.is_final:
            return
        # A round of nothing but byes has no result of a game: it counts by the moment at which it was published.
        moments = [self.last_results.get(progress.round.pk) or progress.round.published_at for progress in rounds]
        places = [(row.ranked.place, row.entry) for row in ranking.rows[:FIRST_PLACES]]
        text = "; ".join(f"{place}. {entry.name}" for place, entry in places if place is not None)
        path = reverse("public:tournament", args=[self.tournament.slug]) + self.links.division
        yield self._make(0, "final", describe_winners(places), text, path, max(filter(None, moments), default=None))

    def _make(self, number: int, kind: str, title: str, text: str, path: str, at: datetime | None) -> News:
        # By the division's position: under another name all its news would come to readers once more.
        key = f"{_make_origin(self.tournament)} {self.division.position} {number} {kind}"
        return News(key, f"{self.prefix}{title}", text, path, at or self.tournament.created_at)

    def _find_moment(self, progress: RoundProgress, step: ShowingStep, at: datetime | None) -> datetime | None:
        """When the public saw this step of a round that happened at `at`."""
        # What was held back becomes news when it is shown: dated by the result, it would stand below what a reader has
        # seen already.
        moments = (self.view.rounds or {}).get(progress.round.pk)
        shown_at = moments.of(step) if moments else None
        return at if shown_at is None or shown_at == LONG_AGO else max(shown_at, at or shown_at)

    def _list_leaders(self, numbers: Iterable[int]) -> dict[int, str]:
        """The first places after each of these rounds. Four queries."""
        everybody: dict[PlayerKey, Entry] = {entry.pk: entry for entry in list_division_entries(self.division)}
        # Read once and ranked in memory: loaded as a table, each round would cost five queries.
        played = load_published_games(self.division)
        lots: dict[int, list[tuple[int, ...]]] = {}
        for lot in self.division.lots.order_by("pk"):
            lots.setdefault(lot.after, []).append(tuple(lot.order))
        leaders = {}
        for number in numbers:
            ranked = rank_after_round(self.tournament, everybody.values(), played.games, number, lots.get(number, []))
            first = [standing for standing in ranked if standing.rank is not None][:FIRST_PLACES]
            leaders[number] = "; ".join(f"{standing.rank}. {everybody[standing.player].name}" for standing in first)
        return leaders


def load_event_news(tournament: Tournament) -> list[News]:
    """The news of an event, kept until there are others. In an open or closed view."""
    with open_public_view(tournament) as view:
        # By what the public sees: something that is held back becomes news by the clock alone, while the revision
        # stays.
        key = f"news:{tournament.pk}:{view.state}:{get_active_language()}"
        news: list[News] | None = cache.get(key)
        if news is None:
            news = list_event_news(tournament, view)
            cache.set(key, news, KEPT_SECONDS)
    return news


def load_club_news(club: Organiser) -> list[News]:
    """The news of a club's newest public events, with the names of these, newest first."""
    club_news = []
    for tournament in Tournament.objects.public().filter(organiser=club).newest_first()[:MOST_EVENTS]:
        tournament.organiser = club
        # Oldest first again, as they were told: of one moment `sort_news` puts in front what was told last, and would
        # turn the newest-first list of an event round.
        for news in reversed(load_event_news(tournament)):
            # Some titles name the event already.
            title = news.title if tournament.name in news.title else f"{tournament.name}: {news.title}"
            club_news.append(News(news.key, title, news.text, news.path, news.at))
    return sort_news(club_news)


def write_feed(request: HttpRequest, *, title: str, path: str, subtitle: str, author: str, news: Sequence[News]) -> str:
    """An Atom 1.0 document about the page at `path`."""
    feed = Atom1Feed(
        title=title,
        link=build_full_address(path, request),
        description=subtitle,
        subtitle=subtitle,
        author_name=author,
        language=get_active_language(),
        feed_url=build_full_address(request.path, request),
        feed_guid=uuid5(NAMESPACE_URL, f"tso feed {path}").urn,
    )
    for entry in news:
        link = build_full_address(entry.path, request)
        # A reader shows a title as it stands, and a summary as HTML.
        feed.add_item(
            entry.title, link, escape(entry.text), unique_id=entry.urn, pubdate=entry.at, updateddate=entry.at
        )
    since = news[0].at if news else datetime.fromtimestamp(0, UTC)
    feed.latest_post_date = lambda: since  # type: ignore[method-assign]  # it would be now where there is no news
    return feed.writeString("utf-8")
