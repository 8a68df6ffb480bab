"""A home in which every text that somebody else writes is an attack on the terminal of whoever reads it."""

from __future__ import annotations

import json
from pathlib import Path

from tests.pending.skill_home import add_skill, skill_text
from tests.providers.fact_world import make_facts
from tests.sessions.world import World

CLIPBOARD = "\x1b]52;c;cHduZWQ=\x07"
ATTACK = (
    f"{CLIPBOARD}\x1b[2J\x9b31m\x1b]8;;file:///etc\x1b\\go\x1b]8;;\x1b\\\u202egpj\u2066[@click=app.quit]q[/][red]\r\b"
)
"""Clipboard, screen, colour by C1, a link, the order of letters, markup, and writing over what stood before."""
NAME = ATTACK.replace("/", ":")[:100]
"""The same as the name of a file."""
PROVIDER = "holographic"


def make_hostile_home(home: Path) -> None:
    """Fill a home: memory, both queues, skills, sessions of every field, settings, a provider, profiles and logs."""
    (home / "memories").mkdir(parents=True, exist_ok=True)
    for name in ("MEMORY.md", "USER.md"):
        text = f"one {ATTACK}\n§\n{ATTACK} two"
        (home / "memories" / name).write_text(text, encoding="utf-8", newline="")
    _make_queue(home)
    _make_sessions(home / "state.db")
    quoted = json.dumps(ATTACK)
    (home / "config.yaml").write_text(
        f"memory:\n  provider: {PROVIDER}\n  memory_char_limit: {quoted}\n  write_approval: {quoted}\n"
        f"  {quoted}: {quoted}\nmodel: {quoted}\nplugins:\n  hermes-memory-store:\n    default_trust: {quoted}\n"
        f"    hrr_dim: {quoted}\nskills:\n  external_dirs: [{quoted}]\n"
    )
    (home / "honcho.json").write_text(json.dumps({"apiKey": ATTACK, "workspace": ATTACK, ATTACK: ATTACK}))
    (home / ".env").write_text(f"HONCHO_API_KEY={ATTACK!r}\nMEM0_API_KEY={ATTACK.translate({13: None})}\n")
    make_facts(home / "memory_store.db", [(f"fact {ATTACK}", ATTACK, 0.5)]).close()
    for name in ("work", NAME):
        profile = home / "profiles" / name
        profile.mkdir(parents=True)
        (profile / "config.yaml").write_text("{}")
        (profile / "profile.yaml").write_text(f"description: {quoted}\n")
    plugin = home / "plugins" / NAME
    plugin.mkdir(parents=True)
    (plugin / "__init__.py").write_text("class X(MemoryProvider): pass\ndef register_memory_provider(): pass\n")
    (plugin / "plugin.yaml").write_text(f"description: {quoted}\n")
    (home / "logs").mkdir()
    (home / "logs" / "agent.log").write_text(
        f"2026-01-01 10:00:00,000 INFO [{ATTACK}] agent: {ATTACK} password={ATTACK}\n", newline=""
    )
    (home / "logs" / f"{NAME}.log").write_text(ATTACK, newline="")


def _make_queue(home: Path) -> None:
    for queue, payload in (
        ("memory", {"action": "add", "target": "memory", "content": f"new {ATTACK}"}),
        ("memory", {"action": "replace", "target": "user", "content": ATTACK, "old_text": "one"}),
        ("memory", {"action": ATTACK, "target": ATTACK}),
        ("skills", {"action": "create", "name": ATTACK, "content": skill_text("new", ATTACK)}),
        ("skills", {"action": "edit", "name": "demo", "content": skill_text("demo", ATTACK, ATTACK)}),
        ("skills", {"action": "write_file", "name": "demo", "file_path": ATTACK, "file_content": ATTACK}),
    ):
        folder = home / "pending" / queue
        folder.mkdir(parents=True, exist_ok=True)
        number = len(list(folder.iterdir()))
        body = {"id": ATTACK, "subsystem": ATTACK, "summary": ATTACK, "origin": ATTACK, "payload": payload}
        (folder / f"{number}{NAME}.json").write_text(json.dumps({**body, "action": ATTACK, "created_at": 1.7e9}))
    (home / "pending" / "memory" / f"broken{NAME}.json").write_text(ATTACK)
    add_skill(home, "demo", files={f"references/{NAME}": ATTACK.encode()})
    add_skill(home, NAME, skill_text(NAME, ATTACK, ATTACK))


def _make_sessions(path: Path) -> None:
    world = World(path, "0.22")
    for id in ("plain", f"id{ATTACK}"):
        world.session(
            id, f"otter {ATTACK}", ATTACK, title=f"{id[:2]} {ATTACK}", source=ATTACK, model=ATTACK, cwd=ATTACK,
            git_branch=ATTACK, system_prompt=ATTACK, end_reason=ATTACK, ended_at=1.79e9, user_id=ATTACK,
            title_source=ATTACK,
        )  # fmt: skip
        function = {"name": ATTACK, "arguments": json.dumps({ATTACK: ATTACK})}
        calls = json.dumps([{"id": ATTACK, "type": "function", "function": function}])
        world.say(id, ATTACK, role="assistant", tool_calls=calls, reasoning=ATTACK, finish_reason=ATTACK)
        world.say(id, ATTACK, role="tool", tool_name=ATTACK, tool_call_id=ATTACK)
        world.say(id, ATTACK, role=ATTACK)
        world.use(id, ATTACK)
    world.close()
