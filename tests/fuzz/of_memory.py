"""The stores, the agent's own tool on them, and what tells of their past."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from hermes_tui.config import HermesConfig
from hermes_tui.history.cache import Cache
from hermes_tui.history.calls import call_of
from hermes_tui.history.lines import call_from, call_row
from hermes_tui.history.prompts import read_prompt
from hermes_tui.history.reviews import Logs
from hermes_tui.memory.check import EntryRef, check_text
from hermes_tui.memory.dialects import DIALECTS
from hermes_tui.memory.editing import MemoryStore, Outcome
from hermes_tui.memory.entries import DELIMITER, STORES, join, parse, survives_reload, unique
from hermes_tui.memory.journal import stacks
from hermes_tui.memory.prompt import RULE, next_session, parse_blocks, render_block
from hermes_tui.memory.tool import MemoryTool
from hermes_tui.memory.view import StoreView, propose_split
from tests.fuzz.given import number, one_of, split, text, value, whole_text
from tests.fuzz.machine import machine, put
from tests.fuzz.promises import can_be_shown, ours

TOOL_NAMES = ("action", "target", "content", "old_text", "new_text", "operations")
ACTIONS = ("add", "replace", "patch", "remove", "batch", "")
LIMIT = 300
"""Characters of a store, so that inputs reach it."""


def is_sound(view: StoreView, data: bytes) -> None:
    """What a view says fits the bytes that it was made of."""
    texts = view.texts
    assert all(each == each.strip() and each and "\r" not in each for each in texts)
    assert view.usage.chars == len(DELIMITER.join(unique(texts)))
    assert not view.canonical or join(texts).encode() == data
    assert view.state == "ok" or view.problem.endswith((".", "!")) or view.state == "missing"
    can_be_shown(f"{view.problem} {view.hint}")
    if survives_reload(texts):
        assert parse(join(texts)) == texts


def store(data: bytes) -> None:
    """Any file is read; a change is whole and reads back as written, or is refused; undo gives the bytes back."""
    before, how, said = split(data, 3)
    with machine() as place:
        path = put(place.home.memories / "MEMORY.md", before)
        files = MemoryStore(place.home, HermesConfig(place.home.config_path, memory_char_limit=LIMIT))
        view = files.view("memory")
        is_sound(view, before)
        check = check_text(view, text(said))
        done = ours(lambda: _changed(files, view, number(how, 8), text(said)))
        after = path.read_bytes() if path.exists() else None
        if done is None or done.already:
            assert after == before, "it was said that nothing was written"
            return
        now = files.view("memory")
        is_sound(now, after or b"")
        assert now.canonical
        assert now.state == "ok" or now.drift == ("oversize",), now.problem
        assert number(how, 8) or not check.code or check.code == "duplicate", check.sentence
        files.undo()
        assert path.read_bytes() == before
        files.redo()
        assert path.read_bytes() == after


def _changed(files: MemoryStore, view: StoreView, which: int, said: str) -> Outcome:
    def at(index: int) -> EntryRef:
        return files.entry_at("memory", index)

    last = len(view.texts)
    ways: tuple[Callable[[], Outcome], ...] = (
        lambda: files.add("memory", said),
        lambda: files.edit(at(1), said),
        lambda: files.remove([at(last)]),
        lambda: files.normalize("memory"),
        lambda: files.split(at(1), propose_split(at(1).text)),
        lambda: files.merge([at(1), at(last)], said),
        lambda: files.reorder(at(last), -1),
        lambda: files.patch("memory", said[:3], said[3:]),
    )
    return ways[which]()


def tool(data: bytes) -> None:
    """Whatever a model says to the memory tool, it gives a result; what it says of the store is so."""
    before, how, arguments, *texts = split(data, 8)
    dialect = DIALECTS[one_of(how, ("0.19", "0.22"))]
    given: Any = {name: text(each) for name, each in zip(TOOL_NAMES[2:5], texts, strict=False) if each}
    given |= {"action": one_of(how[1:], ACTIONS), "target": one_of(how[2:], STORES)}
    loaded = value(arguments)
    given = {**given, **loaded} if isinstance(loaded, dict) else loaded if isinstance(loaded, list) else given
    if isinstance(given, dict) and texts[4]:
        given["operations"] = value(texts[4])
    with machine() as place:
        path = put(place.home.memories / "MEMORY.md", before)
        queued: list[Any] = []
        config = HermesConfig(place.home.config_path, memory_char_limit=LIMIT, user_char_limit=LIMIT)
        gated = number(how[3:], 2) == 1
        agent = MemoryTool(MemoryStore(place.home, config, origin="tool"), dialect)
        if gated:
            agent.stage = partial(_queued, queued)
        result = agent.call(given)
        json.dumps([result, queued])
        assert isinstance(result["success"], bool)
        changed = path.read_bytes() != before
        if not result["success"] or gated:
            assert not changed, "refused or staged, and written all the same"
        if result.get("staged"):
            assert len(queued) == 1
        elif result["success"]:
            view = agent.files.view(result["target"])
            assert result["entry_count"] == len(unique(view.texts))
            if (
                b"\r" not in agent.files.read(result["target"]).data
            ):  # as with the agent, which counts what it folds at the next reading
                assert result["usage"] == view.usage.agent_label
                assert not changed or (view.canonical and not view.usage.over)
        else:
            assert result["error"].strip()


def _queued(queue: list[Any], payload: Mapping[str, Any], summary: str) -> str:
    queue.append([payload, summary])
    return "00c0ffee"


def prompt(data: bytes) -> None:
    """The blocks of a prompt give back what they were made from, whatever the entries hold and stands around them."""
    before, after, *texts = split(data, 8)
    entries = unique(parse(DELIMITER.join(map(text, texts))))
    head, tail = text(before), text(after)
    read_prompt(head)
    made = {name: render_block(name, each, LIMIT) for name, each in zip(STORES, (entries, ["Ann"]), strict=True)}
    whole = "\n\n".join(filter(None, (head, *made.values(), tail)))
    read_prompt(whole)
    if RULE in head:
        return  # it may be a block of its own, which goes on over what follows
    found = {block.store: block for block in parse_blocks(whole) if block.framed}
    for name, each in zip(STORES, (entries, ["Ann"]), strict=True):
        if each and (not tail.startswith(RULE) or name == "memory"):
            assert DELIMITER.join(found[name].entries) == join(each)
            assert found[name].usage.limit == LIMIT
            assert found[name].complete


def next_prompt(data: bytes) -> None:
    """What the next session will be told of any two files is what is read from its prompt."""
    for each, name in zip(split(data, 2), STORES, strict=True):
        with machine() as place:
            put(place.home.memories / {"memory": "MEMORY.md", "user": "USER.md"}[name], each)
            files = MemoryStore(place.home, HermesConfig(place.home.config_path))
            view = files.view(name)
            for dialect in ("0.19", "0.22"):
                said = next_session([view], one_of(dialect.encode(), ("0.22", "0.19")))
                blocks = list(parse_blocks(said))
                assert bool(said) == bool(blocks)
                assert all(
                    block.framed and block.usage.chars == len(said) - said.rfind(RULE) - len(RULE) - 1
                    for block in blocks[:1]
                ) or RULE in join(view.texts)


def journal(data: bytes) -> None:
    """A journal of any bytes is read, line by line, and whoever wants to take back is told what there is."""
    with machine() as place:
        files = MemoryStore(place.home, HermesConfig(place.home.config_path))
        put(files.journal.path, data)
        put(place.home.memories / "MEMORY.md", b"one\n\xc2\xa7\ntwo")
        undo, redo = stacks(files.journal.heads())
        assert all(math.isfinite(head.at) for head in (*undo, *redo))
        for record in files.journal.records():
            can_be_shown(record.words)
        files.journal.damaged_lines()
        ours(files.recover)
        ours(files.undo)
        ours(files.redo)
        ours(lambda: files.add("memory", "three"))
        is_sound(files.view("memory"), files.path("memory").read_bytes())


def call(data: bytes) -> None:
    """A stored call of the memory tool and its answer, whatever they are, say something or nothing; it can be kept."""
    arguments, answer = split(data, 2)
    made = call_of("s", 1, 2, 3.0, text(arguments), text(answer), call_id="c")
    if made is not None:
        list(made.texts())
        row = json.loads(json.dumps(call_row(made)))
        assert json.loads(json.dumps(call_row(call_from(row)))) == row


def logs(data: bytes) -> None:
    """Lines of log, whoever wrote them, tell of reviews or of nothing."""
    with machine() as place:
        put(place.home.logs / "agent.log", data + b"\n")
        found = Logs(place.home.logs)
        found.read()
        found.read()
        written = [*found.reviewed([])[0], *found.proposed([])]
        times = [*(each.at for each in found.begun()), *(each.at for each in found.ends()), *(w.at for w in written)]
        assert all(map(math.isfinite, times))


def kept(data: bytes) -> None:
    """What we have kept of the past is taken in as far as it is ours, whatever has become of the files."""
    lines, seen, folded, finished = split(data, 4)
    with machine() as place:
        cache = Cache(Path(place.data))
        put(cache.path, lines)
        put(cache.seen_path, seen)
        put(cache.folded_path, folded)
        put(cache.finished_path, finished)
        index = cache.load()
        cache.finished(whole_text(finished[:40]))
        for name in STORES:
            list(index.sights(name))
            list(cache.sights(name))
        list(index.told())
