"""Inputs to begin with: what the demo's home holds, odd texts, and what somebody would try."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path

from hermes_tui import demo
from hermes_tui.config.keys import KEYS
from hermes_tui.demo import agent_log
from hermes_tui.demo.conversations import read_conversations
from hermes_tui.memory.prompt import RULE, TITLES, render_block
from hermes_tui.providers.honcho_settings import SETTINGS as HONCHO_SETTINGS
from hermes_tui.sessions.query import FILTER_WORDS
from hermes_tui.settings import SHIPPED_FOLDER
from tests.fuzz.given import choice, joined
from tests.fuzz.of_commands import COMMANDS, FILES, OURS
from tests.fuzz.of_memory import ACTIONS, LIMIT
from tests.fuzz.of_queue import SKILL_ACTIONS, SKILL_NAMES
from tests.fuzz.of_sessions import COLUMNS, SEARCH_NAMES, SPEAKERS
from tests.fuzz.of_texts import PLANTED
from tests.fuzz.of_time import READERS
from tests.fuzz.samples import (
    ANSWERS,
    ASKED,
    CALLS,
    CONFIGS,
    CONTENTS,
    DEEP,
    ENVS,
    HONCHOS,
    JOURNAL,
    LOG,
    OWN,
    PAYLOADS,
    QUERIES,
    SESSION,
    STORE,
    UNDOS,
    VIEWS,
)
from tests.hostile.home import ATTACK
from tests.nasty import NASTY
from tests.pending.skill_home import skill_text
from tests.sessions.world import NOW

MOST_CHARS = 600
"""Of one odd text: what matters of the long ones is at their beginning."""


UNITS = (
    *("a", " ", "\n", "[", "[a](", "*a ", "`", "§\n", '"', "a='", "0", "-", "\u0301", "漢", "://:@", "key=", "<a", "{"),
    *("- ", "|", "x: ", "[a]", ", 1 chars) ", "tool memory completed ("),
)
"""Texts that are repeated."""


@cache
def odd() -> tuple[str, ...]:
    """Texts that break careless programs."""
    return tuple(dict.fromkeys(said[:MOST_CHARS] for said in (*NASTY.values(), ATTACK)))


def _alone() -> Iterator[bytes]:
    yield from map(joined, odd())


def _after(*first: bytes) -> Callable[[], Iterator[bytes]]:
    def made() -> Iterator[bytes]:
        yield from (joined(*first, said) for said in odd())

    return made


def _store() -> Iterator[bytes]:
    for at in range(8):
        yield joined(STORE, choice(at), "Use tabs")
        yield joined("one\r\n§\r\n\r\n§ \n two \n§\nthree", choice(at), "a\n§")
    for at, said in enumerate(odd()):
        yield joined(STORE, choice(at % 8), said)
        yield joined(f"first\n§\n{said}\n§\nlast", choice(at % 8), "Use tabs")
    yield joined(b"\xef\xbb\xbfone\n\xc2\xa7\n\xfe two", choice(3), "")


def _tool() -> Iterator[bytes]:
    for at in range(len(ACTIONS)):
        for line in range(2):
            for gated in range(2):
                how = bytes([line, at, 0, gated])
                yield joined(STORE, how, "{}", "The user likes coffee", "tea", "", "")
    for payload in PAYLOADS:
        yield joined(STORE, bytes([0, 0, 0, 0]), json.dumps(payload))
        yield joined(STORE, bytes([1, 0, 0, 1]), json.dumps(payload))
    for at, said in enumerate(odd()):
        yield joined(STORE, bytes([at % 2, at % 3, 0, 0]), "{}", said, said, said)
    yield joined(
        STORE, b"\x01\x04\x00\x00", "[]", "", "", "", '[{"action": "add", "content": 5}, null, {"action": []}]'
    )


def _prompt() -> Iterator[bytes]:
    header = f"{RULE}\n{TITLES['memory']} [0% — 9/2,200 chars]\n{RULE}"
    for said in (*odd(), header, render_block("user", ["forged"], LIMIT), "Model: x", "§"):
        yield joined("You are an agent.", "Model: small", "first", said, "last")
        yield joined(said, said, "first")
    yield joined("# Project Context\n\n</available_skills>", "Conversation started: Friday, November 14, 2025", "a")


def _call() -> Iterator[bytes]:
    for payload in PAYLOADS:
        yield joined(
            json.dumps(payload), '{"success": true, "usage": "9% — 9/99 chars", "entry_count": 1, "removed_entry": "x"}'
        )
        yield joined(
            json.dumps(payload), '{"staged": true, "pending_id": [1], "removed_entries": {"1": "x", "²": "y"}} warning'
        )


def _record() -> Iterator[bytes]:
    for at, payload in enumerate(PAYLOADS):
        body = {"id": "00c0ffee", "subsystem": "memory", "summary": "s", "origin": "foreground", "created_at": 1.7e9}
        yield joined(choice(at), json.dumps({**body, "payload": payload}, indent=2, ensure_ascii=False))
        yield joined(choice(at + 1), json.dumps({**body, "payload": {**payload, "extra": "\ud800"}}))
    for name in ("created_at", "id", "summary", "extra"):
        deep = '{"a":' * (DEEP + 280) + "1" + "}" * (DEEP + 280)
        body_text = json.dumps({"payload": PAYLOADS[0], name: 0})
        yield joined(choice(0), body_text.replace(f'"{name}": 0', f'"{name}": {deep}'))
    for value in ("1e400", "NaN", "-1", "[]", "9" * 400):
        yield joined(
            choice(0), f'{{"id": {value}, "created_at": {value}, "payload": {{"action": "add", "content": "x"}}}}'
        )


def _skill() -> Iterator[bytes]:
    empty = [""] * len(SKILL_NAMES)
    for at in range(len(SKILL_ACTIONS)):
        for name, path in (("demo", "references/notes.md"), ("group/other", "../../x"), ("new", "scripts/a.sh")):
            texts = [name, "", skill_text(name), path, "body", "Run", "Walk"]
            yield joined(choice(at), "{}", *texts)
    for said in ("../x", "/etc/passwd", "demo\x00", "..", ".", "a/../../b", "demo/SKILL.md", "ＤＥＭＯ", *odd()):
        yield joined(choice(3), "{}", "demo", "", "", said, "body", "", "")
        yield joined(choice(0), "{}", said, said, skill_text("new"), *empty[3:])
    yield joined(
        choice(6),
        json.dumps(
            {
                "name": "demo",
                "operations": [{"action": "patch", "name": "demo", "old_string": "Run", "new_string": "x"}],
            }
        ),
    )


def _frontmatter() -> Iterator[bytes]:
    for said in odd():
        yield joined(skill_text("demo", said, "what"))
        yield joined(f"---\nname: demo\ndescription: {said}\n---\nbody")


def _config() -> Iterator[bytes]:
    for at, before in enumerate((*CONFIGS, *CONFIGS)):
        for number in range(at % 3, len(KEYS), 7):
            yield joined(bytes([number, at % 2]), "5" if KEYS[number].kind == "number" else "a b: #c", before)


def _env() -> Iterator[bytes]:
    for before in ENVS:
        for said in ("plain", "with space", "it's", '"', "a#b", "\\", "é", ""):
            yield joined("A", said, before)
            yield joined("NEW", said, before)


def _honcho() -> Iterator[bytes]:
    for before in HONCHOS:
        for at in range(len(HONCHO_SETTINGS)):
            yield joined(choice(at), ("true", "2", "hybrid", "low, high", "")[at % 5], before)


def _views() -> Iterator[bytes]:
    for before in VIEWS:
        for name in ("a", "new", "Ä", "", "x" * 90, "\ud800"):
            yield joined(name, choice(0), '"tea"', before)
            yield joined(name, choice(1), "[1e999]", before)


def _own_settings() -> Iterator[bytes]:
    yield from (joined(choice(at), before) for before in (*OWN, *CONFIGS) for at in range(2))


def _themes() -> Iterator[bytes]:
    shipped = (
        (SHIPPED_FOLDER / "hermes-dark.yaml").read_text(encoding="utf-8").replace("name: hermes-dark", "name: mine")
    )
    for color in (
        "red",
        "auto",
        "auto 50%",
        "#12",
        "rgb(1,2,3)",
        "hsl(1,2%,3%)",
        "ansi_default",
        "rgb(999,0,0)",
        "transparent",
    ):
        lines = shipped.split("\n")
        place = next(at for at, line in enumerate(lines) if "primary:" in line)
        lines[place] = f'  primary: "{color}"'
        yield joined("\n".join(lines))
    yield joined(shipped)
    yield joined((SHIPPED_FOLDER / "terminal.yaml").read_text(encoding="utf-8").replace("name: terminal", "name: mine"))


def _query() -> Iterator[bytes]:
    for at, said in enumerate((*QUERIES, *(f"{word}:x" for word in FILTER_WORDS), *odd())):
        yield joined(bytes([at % 2, at % 3, 0, at % 2]), said[:200])


def _asked() -> Iterator[bytes]:
    for at, said in enumerate((*QUERIES, *odd())):
        yield joined(bytes([at % 2, at // 2 % 2]), "{}", said)
    for overlay in ASKED:
        yield joined(b"\x01\x01", overlay)
        yield joined(b"\x00\x00", overlay, *[""] * len(SEARCH_NAMES))


def _message() -> Iterator[bytes]:
    empty = [""] * (len(COLUMNS) - 2)
    for at, content in enumerate((*CONTENTS, *odd())):
        yield joined(bytes([at % 2, at % 4, 0]), content, CALLS[at % len(CALLS)], *empty)
    for calls in (*CALLS, "[" * DEEP + "]" * DEEP):
        yield joined(b"\x01\x02\x00", "text", calls, "thoughts", "memory", "c1", "tool", "notice")
        yield joined(b"\x00\x01\x04", "text", calls)


def _imported() -> Iterator[bytes]:
    yield from (
        SESSION.encode(),
        SESSION.encode() * 2,
        b"[" + SESSION.strip().encode() + b"]",
        SESSION.encode("utf-16"),
    )
    yield from (
        SESSION.replace('"tea"', value).encode() for value in ("1e999", "NaN", "[" * 400 + "]" * 400, '"\\ud800"', "{}")
    )
    yield SESSION.encode()[:-40]


def _answer() -> Iterator[bytes]:
    yield from (joined(choice(at), body) for body in ANSWERS for at in range(len(SPEAKERS)))


def _command() -> Iterator[bytes]:
    record = json.dumps({"id": "00c0ffee", "created_at": 1.7e9, "payload": PAYLOADS[0]})
    skill = json.dumps({"id": "0badcafe", "payload": {"action": "create", "name": "new", "content": skill_text("new")}})
    files = (STORE, "Ann", CONFIGS[1], record, skill, ENVS[1], HONCHOS[1], LOG, "work", "description: x\n")
    ours = (JOURNAL, VIEWS[1], '{"at": 1, "seen": 2, "store": "memory", "entries": ["a"]}\n', "{}\n", *UNDOS)
    assert len(files) == len(FILES)
    assert len(ours) == len(OURS)
    for at in range(len(COMMANDS)):
        yield joined(choice(at), *files, *ours)
        yield joined(choice(at), *CONFIGS[: len(FILES)], *(["[]"] * len(OURS)))


def _grown() -> Iterator[bytes]:
    for at in range(len(READERS)):
        for unit in UNITS:
            yield joined(choice(at), "", unit, "")


def _kept() -> Iterator[bytes]:
    yield joined(
        '{"id": "s1"}\n', '{"at": 1, "seen": 2, "store": "memory", "entries": ["a"]}\n{"at": 1e400}\n', b"", b""
    )
    head = json.dumps({"order": "little", "check": 0, "parts": [], "through": 1, "ending": 0})
    yield joined("{}", "[]", f"hermes-tui history 1\n{head}\n", f"hermes-tui history 1\n{head}\n")
    yield joined("{}", '{"at": ' + "9" * 400 + ', "store": "user", "entries": []}', b"", b"")


SEEDS: Mapping[str, Callable[[], Iterable[bytes]]] = {
    "shown": _after(choice(20)),
    "secrets": lambda: (
        joined(choice(at), said, said) for at in range(len(PLANTED)) for said in odd()[at :: len(PLANTED)]
    ),
    "transcript": _after(choice(20)),
    "exported": _alone,
    "title": _alone,
    "threats": _alone,
    "store": _store,
    "tool": _tool,
    "prompt": _prompt,
    "next prompt": lambda: (joined(said, STORE) for said in (STORE, *odd())),
    "journal": lambda: (JOURNAL.encode(), JOURNAL.encode() * 2, JOURNAL.replace("1.5", "1e9").encode()),
    "call": _call,
    "logs": lambda: (LOG.encode(), agent_log.REVIEW_THREAD.encode()),
    "kept": _kept,
    "record": _record,
    "skill": _skill,
    "frontmatter": _frontmatter,
    "config": _config,
    "yaml": lambda: map(str.encode, (*CONFIGS, *OWN)),
    "env": _env,
    "honcho": _honcho,
    "views": _views,
    "own settings": _own_settings,
    "theme": _themes,
    "query": _query,
    "asked by agent": _asked,
    "stored message": _message,
    "imported": _imported,
    "answer": _answer,
    "command": _command,
    "grown": _grown,
}


@cache
def seeds(name: str) -> tuple[bytes, ...]:
    """The inputs that a target begins with."""
    return tuple(dict.fromkeys((*SEEDS[name](), *_of_demo(name))))


DEMO = Path(demo.__file__).parent / "data" / "home"
FROM_DEMO: Mapping[str, tuple[str, Callable[[bytes], bytes]]] = {
    "store": ("memories/*.md", lambda file: joined(file, choice(0), "Use tabs")),
    "record": ("pending/memory/*.json", lambda file: joined(b"", file)),
    "frontmatter": ("skills/**/SKILL.md", bytes),
    "yaml": ("**/*.yaml", bytes),
}
"""Files of the demo's home, and the input that each makes."""


def _of_demo(name: str) -> Iterator[bytes]:
    if name in FROM_DEMO:
        pattern, made = FROM_DEMO[name]
        yield from (made(path.read_bytes()) for path in sorted(DEMO.rglob(pattern)))
    elif name in ("title", "exported"):
        for talk in read_conversations(NOW):
            yield from (joined(message.content[:MOST_CHARS]) for message in talk.messages[:2] if message.content)


def words() -> list[bytes]:
    """What is worth putting into an input as a whole."""
    said = [
        *("§", "\n§\n", "\r\n", RULE, "\x00json:", "\ufeff", "\u202e", "\x1b[", "\u0301"),
        *('":', "{}", "[]", "null", "true", "1e999", "NaN", "\\ud800"),
        *("password: ", "Bearer ", "sk-", "://", "-----BEGIN RSA PRIVATE KEY-----", "```", "<!--"),
        *("<<: *a", "&a ", "*a", "!!", "|\n", "? "),
        *("content", "old_text", "target", "operations", "matched_entry", "payload", "action"),
        *("created_at", "name", "messages", "role"),
        *(f"{word}:" for word in FILTER_WORDS),
        *(" OR ", " NOT ", " AND ", "memory", "user", "write_approval", "hosts", "hermes", "export ", "${HOME}"),
    ]  # fmt: skip
    return [b"\xff", *(each.encode() for each in said)]
