"""`hermes-tui providers memories` and `providers test`: what lies with a provider, asked for after a yes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from hermes_tui.cli.asking import confirm, tell_failures
from hermes_tui.cli.context import home_options, json_option, open_home, options
from hermes_tui.cli.output import emit, report, say
from hermes_tui.cli.provider_memories_shapes import fact_shape, fact_text, memory_shape, memory_text
from hermes_tui.errors import HermesTuiError, NotFound, Refused
from hermes_tui.text import one_line, plural

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hermes_tui.home import HermesHome
    from hermes_tui.providers.remote import Page, Remote
    from hermes_tui.providers.remote_speaker import Ability

LOCAL = "holographic"
SHOWN_CELLS = 60

yes_option = click.option("--yes", "-y", is_flag=True, help="Do not ask.")
limit_option = click.option("--limit", type=click.IntRange(1, 10_000), default=20, metavar="N", help="So many at most.")


@click.group()
def memories() -> None:
    """What an external provider holds: listed, searched, deleted.

    Holographic's facts are read from its own file. Every other provider is asked only after a question that names
    whom, or with --yes. Without NAME it is the active one.
    """


@memories.command("list")
@click.argument("name", required=False)
@limit_option
@click.option("--cursor", default="", metavar="TEXT", help="Where to go on: what the answer before says.")
@click.option("--category", metavar="NAME", help="Only facts of this category (Holographic).")
@click.option("--min-trust", type=click.FloatRange(0, 1), default=0.0, help="Only facts trusted so much (Holographic).")
@yes_option
@home_options
@json_option
def list_(name: str | None, limit: int, cursor: str, category: str | None, min_trust: float, yes: bool) -> None:
    """Some memories; of Holographic's facts the most trusted first."""
    home = open_home(options())
    provider = _named(home, name)
    if provider == LOCAL:
        _list_facts(home, limit, cursor, category, min_trust)
        return
    if category or min_trust:
        raise click.UsageError("--category and --min-trust are for Holographic's facts.")
    with asked(home, provider, "list", yes=yes) as remote:
        page = remote.list(limit, cursor)
        shape = {
            "provider": provider,
            "where": remote.where,
            "memories": [memory_shape(memory) for memory in page.memories],
            "cursor": page.cursor or None,
            "total": page.total,
            "note": page.note or None,
        }
        emit(shape, lambda: _page_text(page), as_json=options().json)


@memories.command("search")
@click.argument("words", nargs=-1, required=True, metavar="[NAME] QUERY")
@limit_option
@yes_option
@home_options
@json_option
def search(words: tuple[str, ...], limit: int, yes: bool) -> None:
    """Memories that match: by their letters with Holographic, else by what the provider takes for their meaning."""
    if len(words) > 2:
        raise click.UsageError("Give the query as one word: in quotation marks.")
    home = open_home(options())
    provider, query = _named(home, words[0] if len(words) == 2 else None), words[-1]
    if not query.strip():
        raise click.UsageError("The query says nothing.")
    if provider == LOCAL:
        from hermes_tui.providers.facts import Facts, fact_settings

        with Facts(fact_settings(home).path) as facts:
            hits = facts.search(query, limit=limit)
        shape: dict[str, object] = {"provider": provider, "query": query, "memories": [fact_shape(hit) for hit in hits]}
        emit(shape, lambda: "\n".join(map(fact_text, hits)) or "No fact holds these words.", as_json=options().json)
        return
    with asked(home, provider, "search", yes=yes, also=" The query is sent too.") as remote:
        found = remote.search(query, limit)
        shape = {
            "provider": provider,
            "where": remote.where,
            "query": query,
            "memories": [memory_shape(memory) for memory in found],
        }
        emit(shape, lambda: "\n".join(map(memory_text, found)) or "Nothing matches.", as_json=options().json)


@memories.command("delete")
@click.argument("words", nargs=-1, required=True, metavar="[NAME] ID...")
@yes_option
@home_options
@json_option
def delete(words: tuple[str, ...], yes: bool) -> int:
    """Delete memories by their ids. Facts of Holographic can be brought back with `undo`, others cannot."""
    from hermes_tui.providers.remote import NAMES

    chosen = options()
    home = open_home(chosen)
    named = words[0] in (*NAMES, LOCAL)
    provider = _named(home, words[0] if named else None)
    ids = list(dict.fromkeys(words[1:] if named else words))
    if not ids:
        raise click.UsageError("Name the memories by their ids.")
    if chosen.read_only:
        raise Refused("This is a read-only view; nothing was deleted.", code="read_only", hint="Leave out --read-only.")
    if provider == LOCAL:
        _delete_facts(home, ids, yes=yes)
        return 0
    question = f"Delete {plural(len(ids), 'memory', 'memories')} there for good?"
    with asked(home, provider, "delete", yes=yes, question=question) as remote:
        done, failed = _deleted(remote, ids)
    shape = {
        "provider": provider,
        "done": done,
        "failed": [{"id": id, "code": error.code, "reason": str(error)} for id, error in failed],
    }
    if failed:
        tell_failures([(one_line(id, SHOWN_CELLS), str(error)) for id, error in failed[1:]])
        id, error = failed[0]
        message = f"{one_line(id, SHOWN_CELLS)}: {error.message}"
        report(error.code, message, error.hint, as_json=chosen.json, answer=shape)
        return 1
    emit(shape, lambda: f"{plural(len(done), 'memory', 'memories')} deleted.", as_json=chosen.json)
    return 0


@memories.command("undo")
@yes_option
@home_options
@json_option
def undo(yes: bool) -> None:
    """Bring back the facts of Holographic that were deleted last."""
    from hermes_tui.providers.fact_deletion import FactKeeper

    chosen = options()
    keeper = FactKeeper(open_home(chosen), read_only=chosen.read_only)
    confirm("Bring back the facts that were deleted last?", yes=yes)
    done = keeper.undo()
    shape = {"provider": LOCAL, "facts": list(done.facts)}
    emit(shape, lambda: f"{plural(len(done.facts), 'fact')} brought back.", as_json=chosen.json)


@click.command("test")
@click.argument("name", required=False)
@yes_option
@home_options
@json_option
def test(name: str | None, yes: bool) -> None:
    """Ask a provider whether it is there and takes the key; nothing is stored or deleted."""
    home = open_home(options())
    provider = _named(home, name)
    if provider == LOCAL:
        from hermes_tui.providers.facts import Facts, fact_settings

        settings = fact_settings(home)
        with Facts(settings.path) as facts:
            counts = facts.counts()
        words = f"Its file can be read: {plural(counts.facts, 'fact')}."
        if settings.note:
            say(settings.note)
        emit({"provider": provider, "where": str(settings.path), "words": words}, lambda: words, as_json=options().json)
        return
    with asked(home, provider, None, yes=yes) as remote:
        probe = remote.probe()
    shape = {"provider": provider, "where": probe.where, "words": probe.words}
    emit(shape, lambda: f"{probe.where}: {probe.words}", as_json=options().json)


def asked(
    home: HermesHome, provider: str, ability: Ability | None, *, yes: bool, question: str = "", also: str = ""
) -> Remote:
    """A provider that may be asked, since a person said so.

    Raises:
        Refused: they did not, or it cannot do what is wanted.
    """
    from hermes_tui.providers.remote import Remote
    from hermes_tui.providers.remote_settings import remote_settings

    settings = remote_settings(home, provider)
    with Remote(provider, settings) as unasked:
        if ability is not None:
            unasked.check(ability)
        key = ", and the key" if settings.get("api_key") else ""
        say(f"{unasked.title} at {unasked.where} is told {unasked.told}{key}.{also}")
        confirm(question or f"Ask {unasked.where}?", yes=yes)
    return Remote(provider, settings, confirmed=True)


def _named(home: HermesHome, name: str | None) -> str:
    """The provider that is meant.

    Raises:
        NotFound: there is none of that name, or none is active.
    """
    import difflib

    from hermes_tui.config import load_config
    from hermes_tui.providers.remote import NAMES

    known = (*NAMES, LOCAL)
    wanted = name.strip().lower() if name is not None else load_config(home).provider
    if wanted in known:
        return wanted
    if name is None and not wanted:
        raise NotFound("No provider is active.", code="no_provider", hint=f"Name one: {', '.join(sorted(known))}.")
    near = difflib.get_close_matches(wanted, known, 1)
    hint = f"Did you mean {near[0]}?" if near else f"There are: {', '.join(sorted(known))}."
    raise NotFound(f"{one_line(wanted, SHOWN_CELLS)} is no provider that is known here.", code="no_provider", hint=hint)


def _list_facts(home: HermesHome, limit: int, cursor: str, category: str | None, min_trust: float) -> None:
    from hermes_tui.providers.facts import Facts, fact_settings
    from hermes_tui.providers.remote_speaker import page_of

    settings = fact_settings(home)
    if settings.note:
        say(settings.note)
    start = page_of(cursor, 0)
    with Facts(settings.path) as facts:
        found = facts.list(category=category, min_trust=min_trust, limit=limit + 1, offset=start)
        counts = facts.counts()
    more = len(found) > limit
    shape = {
        "provider": LOCAL,
        "where": str(settings.path),
        "memories": [fact_shape(fact) for fact in found[:limit]],
        "cursor": str(start + limit) if more else None,
        "total": counts.facts,
        "categories": dict(counts.categories),
        "min_trust": settings.min_trust,
    }

    def text() -> str:
        lines = [fact_text(fact) for fact in found[:limit]]
        lines.append(f"{plural(counts.facts, 'fact')} in all." + (f" Go on with --cursor {start + limit}." * more))
        return "\n".join(lines)

    emit(shape, text, as_json=options().json)


def _delete_facts(home: HermesHome, ids: Sequence[str], *, yes: bool) -> None:
    from hermes_tui.providers.fact_deletion import FactKeeper
    from hermes_tui.providers.facts import Facts

    keeper = FactKeeper(home)
    numbers = [int(id) for id in ids if id.isascii() and id.isdigit() and len(id) < 18]
    with Facts(keeper.path) as facts:
        found = facts.some(numbers)
    missing = {*ids} - {str(fact.id) for fact in found}
    if missing:
        named = ", ".join(sorted(one_line(id, SHOWN_CELLS) for id in missing))
        raise NotFound(
            f"There is no fact {named}; nothing was deleted.",
            code="no_fact",
            hint="See `hermes-tui providers memories list holographic` for the ids.",
        )
    if not yes:
        for fact in found:
            say(fact_text(fact))
    confirm(f"Delete {plural(len(found), 'fact')}?", yes=yes)
    done = keeper.delete(found)
    words = f"{plural(len(done.facts), 'fact')} deleted. `hermes-tui providers memories undo` brings them back."
    emit({"provider": LOCAL, "done": [str(id) for id in done.facts], "failed": []}, lambda: words,
         as_json=options().json)  # fmt: skip


def _deleted(remote: Remote, ids: Sequence[str]) -> tuple[list[str], list[tuple[str, HermesTuiError]]]:
    done: list[str] = []
    failed: list[tuple[str, HermesTuiError]] = []
    for id in ids:
        try:
            remote.delete(id)
        except HermesTuiError as error:
            failed.append((id, error))
        else:
            done.append(id)
    return done, failed


def _page_text(page: Page) -> str:
    lines = [memory_text(memory) for memory in page.memories] or ["Nothing is stored there."]
    if page.note:
        lines.append(page.note)
    if page.cursor:
        lines.append(f"Go on with --cursor {page.cursor}.")
    return "\n".join(lines)
