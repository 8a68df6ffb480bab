"""Two years of conversations as rows: sessions of all kinds and sizes, several at a time, as agents keep them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random
from time import gmtime, strftime

from tests.bench.sentences import COMMON_SHARE, COMMON_WORD, NEEDLES, WITHIN, Writer

FIRST = 1_700_000_000.0
LAST = FIRST + 2 * 365 * 86_400.0
"""When the first and the last message was written, near enough."""
SECONDS_BETWEEN = 20.0
OPEN_AT_ONCE = 4
PER_SESSION = 50
LONGEST_SESSION = 2_000
BATCH_MESSAGES = 20_000

SOURCES = {"cli": 44, "telegram": 19, "tui": 11, "cron": 10, "subagent": 8, "discord": 4, "api_server": 3, "tool": 1}
IN_FOLDERS = {"cli", "tui"}
BEHIND_THE_SCENES = {"cron", "subagent", "tool"}
MODELS = ["claude-sonnet-4", "gpt-5.2", "hermes-4-405b", "qwen3-coder", "gemini-3-pro", "local/llama-3.3-70b"]
FOLDERS = ["/home/anna/shop", "/home/anna/infra", "/srv/blog", "/home/anna/notes", "/work/日本語", "/home/anna"]
TOOLS = ["terminal", "read_file", "search_files", "web_search", "patch", "write_file", "browser_navigate", "memory"]
SUMMARY = "[CONTEXT COMPACTION] Earlier turns were compacted into this summary: "

MESSAGE_COLUMNS = (
    *("id", "session_id", "role", "content", "tool_call_id", "tool_calls", "tool_name", "timestamp", "token_count"),
    *("finish_reason", "reasoning", "active", "compacted"),
    *("message_uid", "display_identity", "display_order", "_compressed_summary", "display_kind"),
)
"""The last row is what only newer schemas have."""

MessageRow = tuple[object, ...]
SessionRow = dict[str, object]


@dataclass(frozen=True, slots=True)
class Draft:
    """A message before it has a place and a time."""

    role: str
    content: str
    tool_call_id: str | None = None
    tool_calls: str | None = None
    tool_name: str | None = None
    finish_reason: str | None = None
    reasoning: str | None = None
    summary: bool = False


@dataclass(slots=True)
class Session:
    """A conversation that goes on."""

    row: SessionRow
    left: int
    """Messages still to come."""
    compacts_after: int = 0
    """In-place compaction once so many messages were said; 0 is never."""
    parts_left: int = 0
    """How often it goes on in a new session when this one is full."""
    part: int = 1
    """The how manieth session of its conversation."""
    said: int = 0
    live: int = 0
    calls: int = 0
    tail: list[tuple[Draft, bytes, int]] = field(default_factory=list)
    """The last few messages said before a compaction, which the agent keeps word for word."""

    @property
    def plain(self) -> bool:
        """Whether everything in it is seen by everybody who searches."""
        return self.row["source"] not in BEHIND_THE_SCENES and not self.compacts_after


@dataclass(frozen=True, slots=True)
class Batch:
    """Rows to be written in this order."""

    prompts: list[tuple[str, str]]
    """Hash and text of system prompts not seen before."""
    started: list[SessionRow]
    messages: list[MessageRow]
    ended: list[SessionRow]


class Conversations:
    """Writes so many messages; equal seeds write equal rows."""

    def __init__(self, messages: int, seed: int) -> None:
        self.random = Random(seed)
        self.writer = Writer(seed)
        self.total = messages
        self.now = FIRST
        self.pause = max(60.0, (LAST - FIRST - messages * SECONDS_BETWEEN) / (messages / PER_SESSION + 1))
        self.needles = sorted(
            (int((number + 0.1 + 0.8 * place / len(NEEDLES)) * messages / count), word)
            for place, (word, count) in enumerate(NEEDLES.items())
            for number in range(count)
        )[::-1]
        self.prompts: dict[str, str] = {}
        self.titles: set[str] = set()
        self.ids = 0
        self.written = 0
        self.batch = Batch([], [], [], [])

    def batches(self) -> Iterator[Batch]:
        """All rows."""
        going: list[Session] = []
        while self.written < self.total:
            while len(going) < OPEN_AT_ONCE:
                going.append(self._start(going))
            session = going[int(self.random.random() * len(going))]
            self._turn(session)
            if session.left <= 0:
                going.remove(session)
                going += self._end(session)
            if len(self.batch.messages) >= BATCH_MESSAGES:
                yield self.batch
                self.batch = Batch([], [], [], [])
        self.batch.ended.extend(self._totals(session) for session in going)  # these go on: they never ended
        yield self.batch

    def _start(self, going: list[Session]) -> Session:
        self.now += self.pause * self.random.expovariate(1)
        source = self.random.choices(list(SOURCES), list(SOURCES.values()))[0]
        parents = [session for session in going if session.plain]
        if source == "subagent" and not parents:
            source = "cli"
        chance = self.random.random()
        if source in BEHIND_THE_SCENES or chance < 0.3:
            size = self.random.randint(3, 8)
        elif chance < 0.93:
            size = self.random.randint(15, 90)
        else:
            size = self.random.randint(90, 250) if chance < 0.992 else LONGEST_SESSION
        session = Session(self._row(source), size)
        if source == "subagent":
            parent = str(parents[0].row["id"])
            session.row |= {"parent_session_id": parent, "model_config": json.dumps({"_delegate_from": parent})}
        elif size > 40 and chance < 0.5:
            session.compacts_after = size * 2 // 3
        elif size > 40 and self.random.random() < 0.12:
            session.parts_left = self.random.randint(1, 4)
        elif source == "cli" and parents and self.random.random() < 0.02:
            branched = str(parents[0].row["id"])
            session.row |= {"parent_session_id": branched, "model_config": json.dumps({"_branched_from": branched})}
        self.batch.started.append(session.row)
        return session

    def _row(self, source: str) -> SessionRow:
        self.ids += 1
        stamp = strftime("%Y%m%d_%H%M%S", gmtime(self.now))
        random = self.random
        person = source not in BEHIND_THE_SCENES
        row: SessionRow = {
            "id": f"cron_job{self.ids % 7}_{stamp}_{self.ids}" if source == "cron" else f"{stamp}_{self.ids:06x}",
            "source": source,
            "created_source": source,
            "model": random.choice(MODELS),
            "started_at": self.now,
            "title": self._title() if random.random() < 0.7 else None,
            "archived": int(random.random() < 0.03),
            "pinned": int(random.random() < 0.005),
            "cwd": random.choice(FOLDERS) if source in IN_FOLDERS else None,
            "chat_id": str(random.randrange(10)) if source in ("telegram", "discord") else None,
            "profile_name": "default",
        }
        row["title_source"] = row["title"] and random.choice(["llm", "llm", "user", "derived"])
        if person:
            month = int((self.now - FIRST) / (30 * 86_400))
            row["system_prompt_hash"], row["system_prompt"] = self._prompt(random.randrange(4), month)
        return row

    def _title(self) -> str:
        title = self.writer.phrase(self.random.randint(2, 6))[:90]
        taken = title
        while not taken or taken in self.titles:
            taken = f"{title} {self.random.randrange(100_000)}"
        self.titles.add(taken)
        return taken

    def _prompt(self, variant: int, month: int) -> tuple[str, str]:
        """The hash and the text of a system prompt; what is remembered grows month by month."""
        key = f"{variant}-{month}"
        if key not in self.prompts:
            random = Random(variant)
            entries = [f"{TOOLS[at % 8]} fact {at}: {FOLDERS[at % 6]}" for at in range(month + 1)]
            body = "\n§\n".join(entries)
            bar = "═" * 46
            used = f"{len(body) * 100 // 2200}% — {len(body):,}/2,200 chars"
            rules = " ".join(random.choices(self.writer.tongues[0].stream[:2_000], k=1_000))
            self.prompts[key] = (
                f"You are Hermes.\n{rules}\n\n{bar}\nMEMORY (your personal notes) [{used}]\n{bar}\n{body}"
            )
            self.batch.prompts.append((_hash(self.prompts[key]), self.prompts[key]))
        return _hash(self.prompts[key]), self.prompts[key]

    def _turn(self, session: Session) -> None:
        """A question, what the agent did about it, and its answer."""
        undone = not session.compacts_after and self.random.random() < 0.004
        if session.compacts_after and session.said >= session.compacts_after:
            self._compact(session)
        for draft in self._drafts(session):
            if session.left <= 0 or self.written >= self.total:
                return
            self._say(session, draft, undone=undone)

    def _drafts(self, session: Session) -> Iterator[Draft]:
        random, writer = self.random.random, self.writer
        yield Draft("user", self._picture() if random() < 0.004 else writer.text(2, 60))
        while random() < 0.45:
            session.calls += 1
            call_id = f"call_{session.said}_{session.calls}"
            tool = TOOLS[int(random() * random() * len(TOOLS))]
            asked = f"{COMMON_WORD if random() < COMMON_SHARE else 'make'} {writer.phrase(1 + int(random() * 8))}"
            arguments = json.dumps({"command": asked}, ensure_ascii=False)
            call = {"id": call_id, "type": "function", "function": {"name": tool, "arguments": arguments}}
            said = writer.text(3, 25) if random() < 0.4 else ""
            yield Draft("assistant", said, None, json.dumps([call]), None, "tool_calls")
            longest = 400 if random() < 0.01 else 9
            printed = writer.output(1, longest) if random() < 0.8 else _result(writer.text(3, 60))
            yield Draft("tool", printed, call_id, None, tool)
        thought = writer.text(5, 60) if random() < 0.1 else None
        yield Draft("assistant", writer.text(4, 110), None, None, None, "stop", thought)

    def _picture(self) -> str:
        """Content of several parts, as the agent keeps it."""
        parts = [
            {"type": "text", "text": self.writer.text(2, 20)},
            {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw0KGgoAAAANSUhEUg=="}},
        ]
        return "\x00json:" + json.dumps(parts)

    def _compact(self, session: Session) -> None:
        """The agent puts away what was said in this session and goes on with a summary and the last few messages."""
        session.compacts_after, session.live = 0, 0
        self._say(session, Draft("user", SUMMARY + self.writer.text(60, 200), summary=True))
        for draft, identity, order in session.tail[-4:]:
            self._say(session, draft, again=(identity, order))

    def _say(
        self, session: Session, draft: Draft, *, undone: bool = False, again: tuple[bytes, int] | None = None
    ) -> None:
        self.now += SECONDS_BETWEEN * 2 * self.random.random()
        self.written += 1
        identity, order = again or (self.random.randbytes(32), self.written)
        compacted = session.compacts_after > 0
        content = draft.content
        seen = session.plain and not undone and again is None and draft.role == "assistant" and content
        if seen and self.needles and self.needles[-1][0] < self.written:
            word = self.needles.pop()[1]
            content = f"{content} {WITHIN.get(word, word)}"
        if compacted:
            session.tail = [*session.tail[-3:], (draft, identity, order)]
        active = int(not compacted and not undone)
        self.batch.messages.append(
            (
                *(self.written, session.row["id"], draft.role, content, draft.tool_call_id, draft.tool_calls),
                *(draft.tool_name, self.now, len(content) // 4, draft.finish_reason, draft.reasoning),
                *(active, int(compacted), self.random.randbytes(16).hex(), identity, order, int(draft.summary)),
                "hidden" if draft.role == "user" and order % 500 == 0 else None,
            )
        )
        session.said += 1
        session.live += active
        session.left -= 1

    def _end(self, session: Session) -> list[Session]:
        """What goes on after this session: the next part of the same conversation, or nothing."""
        goes_on = session.parts_left > 0
        reason = "compression" if goes_on else self.random.choice(["cli_close", "agent_close", "idle", "new_session"])
        ended = self.random.random() < 0.9 or goes_on
        self.batch.ended.append(self._totals(session) | ({"ended_at": self.now, "end_reason": reason} if ended else {}))
        if not goes_on:
            return []
        following = Session(self._row(str(session.row["source"])), self.random.randint(20, 60))
        kept = {name: session.row[name] for name in ("source", "model", "cwd", "chat_id", "archived")}
        following.row |= kept | {"parent_session_id": session.row["id"], "title": None, "title_source": None}
        following.parts_left, following.part = session.parts_left - 1, session.part + 1
        if session.row["title"] and self.random.random() < 0.5:
            title = str(session.row["title"]).partition(" #")[0]
            following.row |= {"title": f"{title} #{following.part}", "title_source": "llm"}
        self.batch.started.append(following.row)
        self._say(following, Draft("user", SUMMARY + self.writer.text(60, 200), summary=True))
        return [following]

    def _totals(self, session: Session) -> SessionRow:
        tokens = session.said * 900
        return {
            "id": session.row["id"],
            "model": session.row["model"],
            "message_count": session.live,
            "tool_call_count": session.calls,
            "input_tokens": tokens,
            "output_tokens": tokens // 12,
            "api_call_count": session.said // 2,
            "estimated_cost_usd": round(tokens * 3e-6, 4),
            "last_activity_at": self.now,
        }


def _result(text: str) -> str:
    """What a tool answers that speaks JSON."""
    return json.dumps({"success": True, "output": text}, ensure_ascii=False)


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
