"""The screens as text: what is listed on each, a line for a row, and what can be said there."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from hermes_tui.sessions.dates import to_the_minute
from hermes_tui.text import ago, plural

LINE_CHARS = 400
"""So much of a text stands in its line; its number reads all of it."""
FILES = {"memory": "MEMORY.md", "user": "USER.md"}
_KINDS = {"add": "came", "edit": "edited", "remove": "went"}


@dataclass(frozen=True, slots=True)
class Row:
    """One thing that is listed."""

    line: str
    """All that a list says of it, in a line."""
    address: tuple[str, ...]
    """How a command is told that this one is meant."""
    show: tuple[str, ...] = ()
    """The command that reads all of it; none where the whole text is here."""
    whole: str = ""
    text: str = ""
    """What of it can be edited."""
    mark: str = ""
    """What makes it this one where that is not its address: its text, but no age and no place."""
    does: Mapping[str, tuple[str, ...]] | None = None
    """The commands that the words of its screen run for it; None for the same as for others."""

    @property
    def key(self) -> str:
        """Equal for the same thing, listed earlier or later."""
        return self.mark or " ".join(self.address)


@dataclass(frozen=True, slots=True)
class Verb:
    """A word that does something on a screen."""

    argv: tuple[str, ...]
    numbered: bool = True
    """Whether the number of a row follows."""
    text: bool = False
    """Whether a text follows the number."""
    within: bool = False
    """Whether that text is some words of the row and what comes in their place."""

    def words(self, rest: str) -> list[str]:
        """What follows on the command line where no row is meant."""
        store, _, text = rest.partition(" ")
        if self.argv[-1] == "add" and store in FILES and text:
            return ["--store", store, "--", text]
        return ["--", rest] if rest else []

    def of(self, row: Row) -> list[str]:
        """What follows on the command line for a row."""
        return [*row.address, *(["--"] if self.text else [])]


@dataclass(frozen=True, slots=True)
class Screen:
    """What is listed, and what can be said there."""

    argv: tuple[str, ...]
    """The command that tells what there is."""
    heading: Callable[[Mapping[str, Any]], str]
    rows: Callable[[Mapping[str, Any]], list[Row]]
    verbs: Mapping[str, Verb]
    limited: bool = False
    """Whether the command is to be told how many."""
    by_place: bool = False
    """Whether a row is named by its place, so that it has to be looked at again before each use."""
    beside: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """More commands that tell what there is, by the names under which their answers stand."""


def _line(text: object) -> str:
    whole = " ".join(str(text or "").split())
    return whole if len(whole) <= LINE_CHARS else f"{whole[:LINE_CHARS].rstrip()} … and more"


def _day(stamp: object) -> str:
    return to_the_minute(stamp if isinstance(stamp, int | float) else None, "at an unknown time")


def _memory_heading(found: Mapping[str, Any]) -> str:
    lines = []
    for store in found["stores"]:
        usage, count = store["usage"], plural(len(store["entries"]), "entry", "entries")
        size = f"{usage['percent']} percent full, {usage['chars']:,} of {usage['limit']:,} characters"
        lines.append(f"{FILES[store['store']]}: {count}, {size}. {store['problem']}".strip())
    return "Memory.\n" + "\n".join(lines)


def _memory_rows(found: Mapping[str, Any]) -> list[Row]:
    rows: list[Row] = []
    for store in found["stores"]:
        for entry in store["entries"]:
            state = " Blocked by the threat scan." if entry["blocked"] else ""
            address = ("--store", store["store"], "--index", str(entry["index"]))
            place = f" entry {entry['index']}" if len(rows) + 1 != entry["index"] else ""
            line = f"{FILES[store['store']]}{place}: {_line(entry['text'])}{state}"
            whole = f"{entry['text']}\n{entry['chars']} characters.{state}"
            rows.append(Row(line, address, whole=whole, text=entry["text"], mark=f"{store['store']} {entry['text']}"))
    return rows


def _pending_heading(found: Mapping[str, Any]) -> str:
    return f"Pending. {plural(len(found['records']), 'write waits', 'writes wait')} for a decision."


def _pending_rows(found: Mapping[str, Any]) -> list[Row]:
    rows = []
    for record in found["records"]:
        age = f" {ago(time.time() - record['created_at'])} ago." if record["created_at"] else ""
        where = FILES.get(record["store"] or "", record["subsystem"])
        said = _line(record["after"] or record["before"] or record["summary"])
        count = f" of {plural(record['operations'], 'operation')}" if record["action"] == "batch" else ""
        why = record["reason"] if record["verdict"] == "invalid" else ""
        what = f"{record['action'] or 'record'}{count} in {where}, {record['short'] or record['verdict']}."
        line = " ".join(filter(None, (f"{what}{age}", _line(why), said)))
        editable = record["after"] or ""
        rows.append(Row(line, (record["id"],), ("pending", "show", record["id"]), text=editable))
    return rows


def _sessions_heading(found: Mapping[str, Any]) -> str:
    if "results" in found:
        count = plural(len(found["results"]), "conversation")
        return f"Search for {found['query']}: {count}, titles first, then the newest."
    return f"Sessions. {len(found['sessions']):,} of {plural(found['total'], 'conversation')}, last active first."


def _sessions_rows(found: Mapping[str, Any]) -> list[Row]:
    rows = []
    for each in found.get("sessions", ()):
        facts = [each["source"], plural(each["messages"], "message"), _day(each["last_active"])]
        facts += [word for word in ("live", "pinned", "archived") if each[word]]
        title = each["title"] or each["preview"] or "untitled"
        address = (each["id"],)
        line = f"{_line(title)}. {', '.join(map(str, facts))}."
        rows.append(Row(line, address, ("sessions", "show", *address), mark=f"{each['id']} {title}"))
    for each in found.get("results", ()):
        hits = "; ".join(_line(hit["snippet"]) for hit in each["hits"][:2])
        address = (each["session_id"],)
        line = f"{_line(each['title'] or 'untitled')}. {_day(each['last_active'])}. {hits}"
        rows.append(Row(line, address, ("sessions", "show", *address)))
    return rows


def _timeline_heading(found: Mapping[str, Any]) -> str:
    if "entries" in found:
        return f"Entries that are or ever were there: {len(found['entries']):,}."
    last = "The last " if found["more"] else ""
    return f"Timeline. {last}{plural(len(found['changes']), 'change')}, the latest first."


def _timeline_rows(found: Mapping[str, Any]) -> list[Row]:
    rows = []
    for each in reversed(found.get("changes", ())):
        text = each["after"] or each["before"]
        when = _day(each["until"]) if each["at"] == each["until"] else f"by {_day(each['until'])}"
        sure = "" if each["certainty"] == "exact" else f" ({each['certainty']})"
        line = f"{when}, {FILES[each['store']]}, {_KINDS[each['kind']]}, {each['by']}{sure}: {_line(text)}"
        was = f"\nBefore: {each['before']}" if each["kind"] == "edit" else ""
        rows.append(Row(line, ("--store", each["store"], "--exact", "--", text), whole=f"{text}{was}", mark=line))
    for each in found.get("entries", ()):
        until = f"until {_day(each['until'])}" if each["until"] else "there now"
        line = f"{FILES[each['store']]}, since {_day(each['since'])}, {until}: {_line(each['text'])}"
        rows.append(Row(line, ("--store", each["store"], "--exact", "--", each["text"]), whole=each["text"]))
    return rows


def _settings_heading(found: Mapping[str, Any]) -> str:
    changed = sum(each["origin"] != "default" for each in found["settings"])
    settings = f"{plural(len(found['settings']), 'setting')}, {changed} other than the default"
    providers = plural(len(found["providers"].get("providers", ())), "external provider")
    return f"Settings of the agent. {settings}; {providers}."


def _settings_rows(found: Mapping[str, Any]) -> list[Row]:
    """As on the screen: what is looked up stands at the end of its group, providers behind all."""
    rows: list[Row] = []
    for each, after in pairwise([*found["settings"], {"group": ""}]):
        value = ("on" if each["value"] else "off") if each["type"] == "switch" else each["value"] or "not set"
        origin = {"user": "yours", "managed": "set by the administrator"}.get(each["origin"], "the default")
        notes = "".join(f" {note}" for note in each["notes"])
        line = f"{each['group']}, {each['key']}: {value}, {origin}.{notes}"
        rows.append(Row(line, (each["key"],), ("settings", "get", each["key"]), mark=line))
        if each["group"] == "Background review" != after["group"]:
            rows.append(Row(f"{each['group']}, reviews by week.", ("reviews",), ("history", "reviews"), does={}))
    rows.append(Row("Secrets lying around.", ("secrets",), ("doctor",), does={}))
    return [*rows, *_provider_rows(found["providers"]), *_honcho_rows(found["honcho"])]


def _provider_rows(found: Mapping[str, Any]) -> list[Row]:
    rows = []
    for each in found.get("providers", ()):
        name, state = each["name"], {"yes": "set up", "no": "not set up"}.get(each["configured"], "cannot be told")
        line = f"External provider, {_line(each['title'])}: {'active, ' if each['active'] else ''}{state}."
        rows.append(Row(line, (name,), ("providers", "status", name), mark=line, does={}))
    return rows


def _honcho_rows(found: Mapping[str, Any]) -> list[Row]:
    rows = []
    for each in found.get("settings", ()) if found.get("state") != "missing" else ():
        origin = "the default" if each["origin"] == "default" else "yours"
        line = f"Honcho, {each['key']}: {each['value'] or 'not set'}, {origin}. {each['note'] or ''}".strip()
        does = {"set": ("providers", "honcho", "set"), "default": ("providers", "honcho", "unset")}
        rows.append(Row(line, (each["key"],), whole=f"{line}\n{each['about']}", mark=line, does=does))
    return rows


SCREENS: Mapping[str, Screen] = {
    "memory": Screen(
        ("memory", "list"),
        _memory_heading,
        _memory_rows,
        {
            "add": Verb(("memory", "add"), numbered=False),
            "edit": Verb(("memory", "replace"), text=True),
            "replace": Verb(("memory", "replace"), text=True, within=True),
            "delete": Verb(("memory", "remove")),
            "undo": Verb(("memory", "undo"), numbered=False),
            "prompt": Verb(("memory", "prompt"), numbered=False),
        },
        by_place=True,
    ),
    "pending": Screen(
        ("pending", "list"),
        _pending_heading,
        _pending_rows,
        {
            "show": Verb(("pending", "show")),
            "approve": Verb(("pending", "approve")),
            "reject": Verb(("pending", "reject")),
            "edit": Verb(("pending", "edit"), text=True),
            "replace": Verb(("pending", "edit"), text=True, within=True),
            "undo": Verb(("pending", "undo"), numbered=False),
        },
    ),
    "sessions": Screen(
        ("sessions", "list"),
        _sessions_heading,
        _sessions_rows,
        {
            "search": Verb(("sessions", "search"), numbered=False),
            "show": Verb(("sessions", "show")),
            "rename": Verb(("sessions", "rename"), text=True),
            "archive": Verb(("sessions", "archive")),
            "delete": Verb(("sessions", "delete")),
            "undo": Verb(("sessions", "undo"), numbered=False),
        },
        limited=True,
    ),
    "timeline": Screen(
        ("history", "log"),
        _timeline_heading,
        _timeline_rows,
        {
            "search": Verb(("history", "search"), numbered=False),
            "restore": Verb(("history", "restore")),
            "undo": Verb(("memory", "undo"), numbered=False),
            "at": Verb(("history", "at"), numbered=False),
            "blame": Verb(("history", "blame"), numbered=False),
        },
        limited=True,
    ),
    "settings": Screen(
        ("settings", "list"),
        _settings_heading,
        _settings_rows,
        {
            "set": Verb(("settings", "set"), text=True),
            "default": Verb(("settings", "unset")),
            "undo": Verb(("settings", "undo"), numbered=False),
        },
        beside={"providers": ("providers", "status"), "honcho": ("providers", "honcho", "settings")},
    ),
}
