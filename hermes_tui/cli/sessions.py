"""`hermes-tui sessions`: past conversations, listed, searched and read without the screen; what changes them joins."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, Literal, TypeVar

import click

from hermes_tui.cli.asking import ProgressLine
from hermes_tui.cli.context import home_options, json_option, open_home, options
from hermes_tui.cli.output import emit, print_text, say
from hermes_tui.cli.sessions_change import register as register_changes
from hermes_tui.cli.sessions_export import export
from hermes_tui.cli.sessions_import import import_
from hermes_tui.cli.sessions_title import title
from hermes_tui.cli.texts import whole_characters
from hermes_tui.cli.views import goes_without, sessions_shown, sessions_view, view_option
from hermes_tui.errors import NotFound, Unreadable
from hermes_tui.text import plural

if TYPE_CHECKING:
    from hermes_tui.sessions.database import Database
    from hermes_tui.sessions.listing import SessionIndex
    from hermes_tui.sessions.messages import Message
    from hermes_tui.sessions.query import Filters
    from hermes_tui.sessions.search import Found, Page, Search
    from hermes_tui.sessions.transcript import Facts, TranscriptReader

Function = TypeVar("Function", bound=Callable[..., Any])

PATIENCE_SECONDS = 2.0
"""How long a database that another program has locked is waited for."""
SHOWN = 20
WORK_SECONDS = 1.0
"""One stretch of a search that has found nothing new."""

limit_option = click.option("--limit", type=click.IntRange(min=1), default=SHOWN, show_default=True, metavar="N",
                            help="So many conversations at most.")  # fmt: skip
hidden_option = click.option("--hidden", is_flag=True, help="Those of subagents, schedules and programs too.")


@click.group()
def sessions() -> None:
    """Past conversations: list, search and read them, name them, put them away, delete them and bring them back.

    A conversation that was compacted counts as one, whatever number of sessions it has.
    """


register_changes(sessions)
for joining in (export, import_, title):
    sessions.add_command(joining)


@sessions.command("list")
@limit_option
@click.option("--source", "sources", multiple=True, metavar="SOURCE", help="Only of this source; may be repeated.")
@click.option("--archived", is_flag=False, flag_value="also", default="no", type=click.Choice(["no", "also", "only"]),
              help="Archived ones too, or them only.")  # fmt: skip
@click.option("--hidden", is_flag=True, help="Empty ones and those of subagents, schedules and programs too.")
@click.option("--all", "everything", is_flag=True, help="All there are, hidden and archived ones too.")
@view_option
@home_options
@json_option
def list_(
    limit: int,
    sources: tuple[str, ...],
    archived: Literal["no", "also", "only"],
    hidden: bool,
    everything: bool,
    view: str | None,
) -> None:
    """Conversations, the last active first, or as a saved view orders them."""
    from hermes_tui.cli.sessions_shapes import masked_summary, summary_shape
    from hermes_tui.cli.sessions_text import hidden_words, list_text
    from hermes_tui.sessions.listing import HIDDEN, Choice, SessionIndex, choose, continued
    from hermes_tui.sessions.query import parse
    from hermes_tui.sessions.summaries import summaries

    goes_without(view, source=sources, archived=archived != "no", hidden=hidden, all=everything)
    viewed = sessions_view(view, "list") if view is not None else None
    with _database() as base:
        index = SessionIndex(base)
        with ProgressLine("Read") as progress:
            index.load(progress)
        choice = Choice(
            kinds=HIDDEN if hidden or everything else frozenset(kind for kind in HIDDEN if kind in sources),
            archived="also" if everything and archived == "no" else archived,
            sources=frozenset(whole_characters(source) for source in sources),
        )
        if viewed is None:
            chosen = choose(index.briefs, choice)
        else:
            filters = parse(viewed.text, time.time()).filters
            chosen = sessions_shown(base, index.briefs, viewed, _with_history(filters, base))
        shown = chosen.briefs if everything else chosen.briefs[:limit]
        found = summaries(base, shown, time.time())
        if not options().json:  # JSON is for programs: its text is raw
            found = tuple(map(masked_summary, found))
        missing = [*base.features().missing, *_lost_words(index)]
    shape = {
        "sessions": [summary_shape(summary) for summary in found],
        "more": len(chosen.briefs) > len(shown),
        "total": len(chosen.briefs),
        "hidden": dict(chosen.hidden),
        "missing": missing,
    }
    as_json = options().json
    emit(shape, lambda: list_text(found, continued(index.briefs)), as_json=as_json)
    if not as_json:
        count = f"{len(found):,} of {plural(len(chosen.briefs), 'conversation')}."
        left_out = hidden_words(chosen.hidden)
        _tell(f"{count} Left out: {left_out} (--hidden, --archived, --all)." if left_out else count, *missing)


def _lost_words(index: SessionIndex) -> list[str]:
    """What is not in the list for lying in damaged pages."""
    lie = "lies" if index.lost == 1 else "lie"
    return [f"{plural(index.lost, 'session')} {lie} in damaged pages of state.db."] if index.lost else []


@sessions.command()
@click.argument("query", nargs=-1)
@limit_option
@click.option("--sort", type=click.Choice(["newest", "relevance"]), help="Newest first, as without it, or the best.")
@hidden_option
@view_option
@click.option("--all", "everything", is_flag=True, help="Every conversation that matches, hidden ones too.")
@click.option("--reveal", is_flag=True, help="Show secrets, which are masked otherwise; JSON has them anyway.")
@home_options
@json_option
def search(
    query: tuple[str, ...],
    limit: int,
    sort: Literal["newest", "relevance"] | None,
    hidden: bool,
    everything: bool,
    reveal: bool,
    view: str | None,
) -> None:
    """Conversations in which QUERY was said, or that are called so; with a saved view QUERY is added to its words.

    All words are needed; "a phrase", one OR other, -word and begin* work, and so do source: model: after: before:
    cwd: role: title: in: archived:, and knew: wrote: staged: for what a session was told of memory or did to it. Words
    that begin with a dash go after --.
    """
    from hermes_tui.cli.sessions_shapes import found_shape, masked_found
    from hermes_tui.cli.sessions_text import found_text, hidden_words
    from hermes_tui.sessions.lineage import HIDDEN_KINDS
    from hermes_tui.sessions.query import parse
    from hermes_tui.sessions.search import Scope, Search

    if not query and view is None:
        raise click.UsageError("Missing argument 'QUERY...'.")
    viewed = sessions_view(view, "search" if not query else "") if view is not None else None
    text = whole_characters(" ".join([*([viewed.text] if viewed else []), *query]))
    kinds = HIDDEN_KINDS if hidden or everything else HIDDEN_KINDS & viewed.kinds if viewed else frozenset()
    sort = sort or (viewed.sort if viewed else "newest")
    asked = parse(text, time.time(), typing=False)
    if asked.empty:
        raise click.UsageError(" ".join(["There is nothing to look for in this.", *asked.problems]))
    with _database() as base:
        asked = replace(asked, filters=_with_history(asked.filters, base))
        running = Search(base, asked, sort=sort, scope=Scope(kinds), exhaustive=everything)
        page, found = _pages(running, limit, everything=everything)
    shown = found if everything else found[:limit]
    more = len(found) > len(shown) or not page.done
    if not reveal and not options().json:
        shown = tuple(map(masked_found, shown))
    shape = {
        "query": text,
        "sort": sort,
        "results": [found_shape(each) for each in shown],
        "more": more,
        "reading": page.reading,
        "hidden": page.hidden,
        "matches": page.matches,
        "problems": list(asked.problems),
        "missing": list(page.notes),
    }
    as_json = options().json
    emit(shape, lambda: found_text(shown), as_json=as_json)
    if not as_json:
        count = f"{plural(len(shown), 'conversation')}{', and more (--limit, --all)' if more else ''}."
        left_out = hidden_words(page.hidden)
        words = f"{count} Left out: {left_out} (--hidden)." if left_out else count
        _tell(f"Read as: {page.reading}." if page.reading and shown else "", words, *asked.problems, *page.notes)


def _with_history(filters: Filters, base: Database) -> Filters:
    """The filters with the sessions that knew, wrote or staged something, if that is asked for."""
    if not filters.memory:
        return filters
    from hermes_tui.history.history import History
    from hermes_tui.history.whose import answered
    from hermes_tui.home import data_dir

    home = open_home(options())
    history = History(data_dir(home.path), home.logs, kept=not options().read_only)
    history.load()
    for _ in history.read(base):
        pass
    return answered(filters, history.index)


def _pages(running: Search, limit: int, *, everything: bool) -> tuple[Page, tuple[Found, ...]]:
    """The last page, and all that was found so far: one conversation more than asked for, if there is one."""
    if everything:
        page = running.all()
        return page, page.found
    found: tuple[Found, ...] = ()
    while True:
        page = running.more(limit + 1 - len(found), patience=WORK_SECONDS)
        found += page.found
        if page.done or len(found) > limit:
            return page, found


@sessions.command()
@click.argument("session", metavar="SESSION")
@click.option("--reveal", is_flag=True, help="Show secrets, which are masked otherwise.")
@click.option("--parts", "only_parts", is_flag=True, help="Which sessions it consists of, in the place of messages.")
@click.option("--from", "first", type=int, metavar="MESSAGE", help="Begin with this message.")
@click.option("--limit", type=click.IntRange(min=1), metavar="N", help="So many messages at most.")
@click.option("--all", "everything", is_flag=True, help="What was undone and the agent's bookkeeping too.")
@home_options
@json_option
def show(session: str, reveal: bool, only_parts: bool, first: int | None, limit: int | None, everything: bool) -> None:
    """A conversation from its beginning, all its parts; what looks like a secret is masked.

    SESSION is an id, a title, or the beginning of an id.
    """
    from hermes_tui.cli.sessions_shapes import is_shown
    from hermes_tui.cli.sessions_text import head_text, message_text, part_line, parts_text
    from hermes_tui.sessions.export.head import title_of
    from hermes_tui.sessions.meant import meant
    from hermes_tui.sessions.transcript import TranscriptReader

    masking = _Masking(reveal)
    as_json = options().json
    with _database() as base:
        reader = TranscriptReader(base, meant(base, whole_characters(session)))
        facts = reader.facts()
        title = masking(title_of(reader, facts))
        found = _messages(reader, facts, first)
        messages = (message for message in found if is_shown(message, everything=everything))
        kept = islice(messages, limit)
        if as_json:
            shape = _show_shape(facts, title, () if only_parts else kept, messages, masking)
            emit({**shape, "missing": list(base.features().missing)}, str, as_json=True)
            return
        print_text(head_text(facts, title))
        if only_parts:
            print_text(parts_text(facts))
            return
        part = facts.parts[0]
        for message in kept:
            if message.session_id != part.id:
                part = next((each for each in facts.parts if each.id == message.session_id), part)
                print_text(f"\n{part_line(facts, part)}")
            print_text(f"\n{message_text(message, masking)}")
        if limit is not None and next(messages, None) is not None:
            say(f"There is more; --limit {limit} was reached.")
    if masking.count:
        say(f"{plural(masking.count, 'secret')} masked; --reveal shows them.")


class _Masking:
    """Masks secrets, and counts them; or leaves everything as it is."""

    def __init__(self, reveal: bool) -> None:
        self.reveal = reveal
        self.count = 0

    def __call__(self, text: str) -> str:
        from hermes_tui.redaction import find_secrets, redact

        if self.reveal:
            return text
        self.count += len(find_secrets(text))
        return redact(text)


def _messages(reader: TranscriptReader, facts: Facts, first: int | None) -> Iterator[Message]:
    """The messages of a conversation from one on, read as they are asked for.

    Raises:
        NotFound: it does not have this message.
    """
    from hermes_tui.sessions.transcript import messages_of

    ids = [id for part in reader.all_ids(facts.ids) for id in part]
    if first is not None:
        if first not in ids:
            raise NotFound(
                f"Message {first} is not in this conversation.", code="no_such_message", hint="Leave out --from."
            )
        ids = ids[ids.index(first) :]
    return chain.from_iterable(messages_of(reader, ids))


def _show_shape(facts: Facts, title: str, kept: Any, messages: Iterator[Message], masking: _Masking) -> dict[str, Any]:
    from hermes_tui.cli.sessions_shapes import message_shape, part_shape

    shapes = [message_shape(message, masking) for message in kept]
    parts = [part_shape(part) for part in facts.parts]
    for part in parts:
        part["title"] = masking(part["title"]) if part["title"] else None
    return {
        "session": {
            "id": facts.newest.id,
            "title": title,
            "source": facts.newest.source,
            "model": facts.newest.model or None,
            "started_at": facts.parts[0].started_at,
            "lineage": list(facts.ids),
        },
        "parts": parts,
        "messages": shapes,
        "more": next(messages, None) is not None,
        "masked": masking.count,
        "revealed": masking.reveal,
    }


@sessions.command()
@home_options
@json_option
def stats() -> int:
    """How much there is, of which source, and how the database is."""
    from hermes_tui.cli.sessions_shapes import checkup_shape, totals
    from hermes_tui.cli.sessions_text import stats_text
    from hermes_tui.sessions.checkup import check_up, stored_messages
    from hermes_tui.sessions.listing import SessionIndex

    as_json = options().json
    with _database() as base:
        index = SessionIndex(base)
        with ProgressLine("Read") as progress:
            index.load(progress)
        stored = stored_messages(base, [part for brief in index.briefs for part in brief.parts])
        state = check_up(base.path)
    sources: dict[str, list[int]] = {}
    kinds: dict[str, int] = {}
    for brief in index.briefs:
        kinds[brief.kind] = kinds.get(brief.kind, 0) + 1
        counted = sources.setdefault(brief.source, [0, 0])
        counted[0] += len(brief.parts)
        counted[1] += sum(stored.get(part, 0) for part in brief.parts)
    counts = {
        "conversations": len(index.briefs),
        "sessions": sum(len(brief.parts) for brief in index.briefs),
        "messages": sum(stored.values()),
    }
    by_source = totals([(source, *map(int, counted)) for source, counted in sources.items()])  # type: ignore[misc]
    covers = "Everything that is stored: archived and hidden conversations, and messages that were undone or compacted."
    shape = {**counts, "covers": covers, "sources": by_source, "kinds": kinds, "database": checkup_shape(state)}
    emit(shape, lambda: stats_text(state, counts, by_source, covers), as_json=as_json)
    return 0


@contextmanager
def _database() -> Iterator[Database]:
    """The sessions of the chosen home.

    Raises:
        NotFound: it has none.
        Unreadable: they cannot be read.
    """
    from hermes_tui.sessions.database import Database

    base = Database(open_home(options()).state_db, patience=PATIENCE_SECONDS)
    try:
        yield base
    except UnicodeDecodeError as error:
        raise Unreadable(f"{base.path} holds text that is not UTF-8.", code="sessions_corrupt") from error
    finally:
        base.close()


def _tell(*sentences: str) -> None:
    for sentence in sentences:
        if sentence:
            say(sentence)
