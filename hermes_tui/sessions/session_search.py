"""The agent's own tool `session_search`: JSON arguments in, its result out, with the same keys in the same order.

Four modes, told apart by the arguments as the agent does: `query` discovers, `session_id` with `around_message_id`
scrolls, `session_id` alone reads, nothing browses. What is found is what our search finds, so questions that
the agent answers with nothing (`don't`, `a@b.com`) are answered too.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any

from hermes_tui.errors import Unreadable
from hermes_tui.sessions.arguments import bound, ids, number, plain, roles, sort, whole_number, worded
from hermes_tui.sessions.database import Database, Row
from hermes_tui.sessions.excerpts import SPOKEN, Excerpts, role_of, shaped
from hermes_tui.sessions.listing import HIDDEN, Brief, Choice, SessionIndex, choose
from hermes_tui.sessions.recall import (
    HIDDEN_SOURCES,
    Asked,
    Families,
    Line,
    Recalled,
    Session,
    as_query,
    is_compacted,
    recall,
)
from hermes_tui.sessions.snippets import snippet
from hermes_tui.sessions.sources import searched_text
from hermes_tui.sessions.summaries import first_words

Result = dict[str, Any]

LIMIT, MOST_LIMIT = 3, 10
REACH, MOST_REACH = 5, 20
BOOKENDS = 3
READ_FIRST, READ_LAST = 20, 10
RECENT_SESSIONS = 200
"""So many of the most recent sessions are looked at to browse."""
DISCOVERED_CHARS, BOOKEND_CHARS, READ_CHARS = 4_000, 1_200, 2_000
"""Where the 0.22 line cuts the text of a message, by where it stands."""
PREVIEW_CHARS = 60

LINK_HINT = (
    "To name a session to the user, put its `link` as it stands into the sentence. More around a compact result"
    " comes with session_id and around_message_id=match_message_id."
)
SCROLL_HINT = (
    "Further on: call again with the last message's id as around_message_id; back: with the first one's. Fewer"
    " messages than `window` on a side mean that this is the end of the session."
)
NOTHING = 'No session has this. All words are needed; say `one OR other`, `"a phrase"` or `begin*` to widen it.'


class SessionSearch:
    """The tool, on the databases of a home and its profiles.

    Args:
        open_database: the database of a profile; of the home itself for an empty name.
        line: whose keys the results have.
        profile: the name of the home's own profile, for links.
    """

    def __init__(self, open_database: Callable[[str], Database], line: Line = "0.22", profile: str = "default") -> None:
        self._open = open_database
        self._line = line
        self._profile = profile

    def call(self, arguments: Mapping[str, Any]) -> Result:
        """The result of one call.

        Raises:
            HermesTuiError: there is no such profile or no database, or it cannot be read.
        """
        session_id, profile = plain(arguments.get("session_id")), worded(arguments.get("profile"))
        if session_id.startswith("@session:"):
            linked, _, session_id = session_id.removeprefix("@session:").partition("/")
            profile = profile or linked
        base = self._open(profile)
        try:
            return _Call(base, arguments, self._line, profile or self._profile).answer(session_id)
        except UnicodeDecodeError as error:
            raise Unreadable(f"{base.path} holds text that is not UTF-8.", code="sessions_corrupt") from error
        finally:
            base.close()


class _Call:
    """One call on one database."""

    def __init__(self, base: Database, arguments: Mapping[str, Any], line: Line, profile: str) -> None:
        self._base = base
        self._arguments = arguments
        self._line = line
        self._profile = profile
        self._excerpts = Excerpts(base)
        self._families = Families(base)
        self._current = plain(arguments.get("current_session_id"))

    @property
    def _newer(self) -> bool:
        return self._line == "0.22"

    def answer(self, session_id: str) -> Result:
        """The result, in the mode that the arguments ask for."""
        if session_id and self._arguments.get("around_message_id") is not None:
            return self._scroll(session_id, self._arguments["around_message_id"])
        if session_id:
            return self._read(session_id)
        query = plain(self._arguments.get("query"))
        return self._discover(query) if query else self._browse()

    def _discover(self, query: str) -> Result:
        try:
            after, before = (bound(self._arguments.get(name)) if self._newer else None for name in ("after", "before"))
        except ValueError as error:
            return refusal(str(error))
        asked = Asked(
            query,
            roles=roles(self._arguments.get("role_filter")),
            limit=number(self._arguments.get("limit"), LIMIT, 1, MOST_LIMIT),
            sort=sort(self._arguments.get("sort")),
            line=self._line,
            current=self._current,
            after=after,
            before=before,
            excluded=ids(self._arguments.get("exclude_session_ids")) if self._newer else (),
        )
        full = self._arguments.get("detail") == "full"
        found, any_match = recall(self._base, asked)
        results = [self._found(each, asked, full=full or place == 0) for place, each in enumerate(found)]
        shape: Result = {"success": True, "mode": "discover", "query": query}
        if self._newer:
            shape["detail"] = "full" if full else "adaptive"
        shape |= {"results": results, "count": len(results)}
        if not any_match:
            return shape | {"message": NOTHING}
        shape["sessions_searched"] = len(results)
        return shape | {"link_hint": LINK_HINT} if self._newer and results else shape

    def _found(self, found: Recalled, asked: Asked, *, full: bool) -> Result:
        session, message_id = found.session, found.message_id
        by_title = message_id is None
        if message_id is None:
            first = self._excerpts.first(session.id, 1, SPOKEN)
            message_id = int(first[0][0]) if first else None
        excerpt = self._excerpts.around(session.id, message_id, REACH) if message_id is not None else None
        rows = excerpt.rows if excerpt else ()
        shape = {
            "session_id": session.id,
            **_meta(found.root),
            "matched_role": "session_title" if by_title else found.role,
            "match_message_id": message_id,
            "snippet": f"The title is it: {session.title}" if by_title else self._snippet(rows, message_id, asked),
        }
        shown = [row for row in rows if row[0] == message_id or role_of(row) in SPOKEN]
        start, end = self._bookends(session.id, rows, by_title=by_title)
        if self._newer and not full:
            shown, start, end = [row for row in shown if row[0] == message_id], (), ()
        cut, cut_ends = (DISCOVERED_CHARS, BOOKEND_CHARS) if self._newer else (0, 0)
        shape |= {
            "bookend_start": [shaped(row, most_chars=cut_ends) for row in start],
            "messages": [shaped(row, anchor=message_id, most_chars=cut) for row in shown],
            "bookend_end": [shaped(row, most_chars=cut_ends) for row in end],
            "messages_before": excerpt.before if excerpt else 0,
            "messages_after": excerpt.after if excerpt else 0,
        }
        if self._newer:
            shape["detail"] = "full" if full else "compact"
        if found.root.id != session.id:
            shape["parent_session_id"] = found.root.id
        return shape | self._link(session.id)

    def _snippet(self, rows: tuple[Row, ...], message_id: int | None, asked: Asked) -> str:
        row = next(row for row in rows if row[0] == message_id)
        shown = snippet(searched_text(row[3], row[4], row[6]), as_query(asked.text).matcher)
        text = shown.text
        for start, end in reversed(shown.marks):
            text = f"{text[:start]}>>>{text[start:end]}<<<{text[end:]}"
        return text

    def _bookends(
        self, session_id: str, rows: tuple[Row, ...], *, by_title: bool
    ) -> tuple[tuple[Row, ...], tuple[Row, ...]]:
        """How the session began and ended, as far as the excerpt does not show it."""
        if by_title:
            return self._excerpts.first(session_id, BOOKENDS), self._excerpts.last(session_id, BOOKENDS)
        if not rows:
            return (), ()
        return (
            self._excerpts.said_before(session_id, rows[0], BOOKENDS),
            self._excerpts.said_after(session_id, rows[-1], BOOKENDS),
        )

    def _link(self, session_id: str) -> Result:
        return {"link": f"@session:{self._profile}/{session_id}"} if self._newer else {}

    def _scroll(self, session_id: str, around: object) -> Result:
        message_id = whole_number(around)
        if message_id is None:
            return refusal("around_message_id has to be a whole number.")
        session = self._families.session(session_id)
        if session is None:
            return self._unknown(session_id)
        reach = number(self._arguments.get("window"), REACH, 1, MOST_REACH)
        home = self._home_of(message_id)
        if home is None or not (home.id == session.id or self._families.related(home.id, session.id)):
            return refusal(f"Message {message_id} is not in session {session_id}.")
        if self._in_sight(home, message_id):
            return refusal("Not shown: this message is in the session that asks, which has it before it already.")
        excerpt = self._excerpts.around(home.id, message_id, reach)
        rows = excerpt.rows if excerpt else ()
        shape: Result = {
            "success": True,
            "mode": "scroll",
            "session_id": home.id,
            "around_message_id": message_id,
            "session_meta": _meta(home),
            "window": reach,
            "messages": [shaped(row, anchor=message_id) for row in rows],
            "messages_before": excerpt.before if excerpt else 0,
            "messages_after": excerpt.after if excerpt else 0,
        }
        if self._newer:
            shape["hint"] = SCROLL_HINT
        if home.id != session.id:
            shape["warning"] = f"Message {message_id} is in {home.id}, of the same family as {session.id}: shown there."
        return shape

    def _home_of(self, message_id: int) -> Session | None:
        rows = self._base.rows("SELECT session_id FROM messages WHERE id = ?", (message_id,))
        return self._families.session(str(rows[0][0])) if rows else None

    def _in_sight(self, home: Session, message_id: int) -> bool:
        """Whether the session that asks has a message before it anyway."""
        if not self._current or not self._families.related(self._current, home.id):
            return False
        return not self._newer or not (home.end_reason == "compression" or is_compacted(self._base, message_id))

    def _read(self, session_id: str) -> Result:
        session = self._families.session(session_id)
        if session is None:
            return self._unknown(session_id)
        count = self._excerpts.count(session_id)
        whole = count <= READ_FIRST + READ_LAST
        rows = self._excerpts.first(session_id, READ_FIRST + READ_LAST if whole else READ_FIRST)
        if not whole:
            rows += self._excerpts.last(session_id, READ_LAST)
        shape: Result = {"success": True, "mode": "read", "session_id": session_id, **self._link(session_id)}
        shape |= {
            "session_meta": _meta(session),
            "message_count": count,
            "truncated": not whole,
            "messages": [shaped(row, most_chars=READ_CHARS if self._newer else 0) for row in rows],
        }
        if not whole:
            shape["message"] = (
                f"{count} messages; these are the first {READ_FIRST} and the last {READ_LAST}."
                " around_message_id shows those between."
            )
        return shape

    def _unknown(self, session_id: str) -> Result:
        return refusal(f"There is no session {session_id} here. One of another profile needs profile=NAME.")

    def _browse(self) -> Result:
        limit = number(self._arguments.get("limit"), LIMIT, 1, MOST_LIMIT)
        shown = [brief for brief in self._recent() if not self._asking(brief)][:limit]
        results = [self._recent_shape(brief) for brief in shown]
        words = "The most recent session." if len(results) == 1 else f"The {len(results)} most recent sessions."
        return {
            "success": True,
            "mode": "browse",
            "results": results,
            "count": len(results),
            "message": f"{words} query= searches all of them.",
        }

    def _recent(self) -> tuple[Brief, ...]:
        index = SessionIndex(self._base)
        choice = Choice(kinds=HIDDEN - {"subagent", "tool"})
        briefs = choose(index.newest(RECENT_SESSIONS), choice).briefs
        return tuple(
            brief
            for brief in briefs
            if brief.source not in HIDDEN_SOURCES[self._line] and (self._newer or brief.kind != "branch")
        )

    def _asking(self, brief: Brief) -> bool:
        if not self._current:
            return False
        return self._current in brief.parts or (not self._newer and self._families.related(self._current, brief.id))

    def _recent_shape(self, brief: Brief) -> Result:
        session = self._families.session(brief.id)
        title = session.title if session else None
        if self._newer and title is None:
            self._families.load(brief.parts)
            known = (self._families.session(part) for part in reversed(brief.parts))
            title = next((each.title for each in known if each and each.title), None)
        has_count = "message_count" in self._base.features().sessions
        counted = self._base.rows("SELECT message_count FROM sessions WHERE id = ?", (brief.id,)) if has_count else []
        said = " ".join(first_words(self._base, brief.id).split())
        return {
            "session_id": brief.id,
            **self._link(brief.id),
            "title": title,
            "source": brief.source,
            "started_at": brief.started_at,
            "last_active": brief.last_active,
            "message_count": counted[0][0] if counted else brief.messages,
            "preview": said if len(said) <= PREVIEW_CHARS else f"{said[:PREVIEW_CHARS]}...",
        }


def refusal(error: str) -> Result:
    """A call that cannot be answered."""
    return {"error": error, "success": False}


def _meta(session: Session) -> Result:
    return {
        "when": _when(session.started_at),
        "source": session.source,
        "model": session.model,
        "title": session.title,
    }


def _when(moment: float | None) -> str:
    """A time as the agent writes it: `October 09, 2025 at 08:53 AM`."""
    try:
        return time.strftime("%B %d, %Y at %I:%M %p", time.localtime(moment)) if moment is not None else "unknown"
    except (ValueError, OverflowError, OSError):
        return "unknown"
