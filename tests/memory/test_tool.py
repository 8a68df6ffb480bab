"""What the memory tool answers to calls that cannot be carried out, in both dialects of the agent."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hermes_tui.memory.dialects import DIALECTS, DialectName
from hermes_tui.memory.editing import MemoryStore
from hermes_tui.memory.tool import MAX_FAILURES_PER_TURN, MemoryTool

OpenTool = Callable[..., MemoryTool]

BEFORE = "uses npm\n§\nlikes tea\n§\nlikes milk and milk"
KEY = "a key in ~/.ssh/id_rsa"


@pytest.fixture
def open_tool(open_store: Callable[..., MemoryStore], memory_file: Path) -> OpenTool:
    """Opens the tool on a store of three entries, as an agent of one line holds it."""

    def open_(dialect: DialectName = "0.22", *, stage: Any = None) -> MemoryTool:
        memory_file.write_text(BEFORE)
        return MemoryTool(open_store(memory_limit=60), DIALECTS[dialect], stage)

    return open_


def call(action: str | None = None, **arguments: Any) -> dict[str, Any]:
    """Arguments for the one store."""
    return {"action": action, "target": "memory", **arguments}


def batch(*operations: Any) -> dict[str, Any]:
    """Several operations in one call."""
    return {"target": "memory", "operations": list(operations)}


REFUSED: list[tuple[object, str, str]] = [
    ([1], "The arguments must be a JSON object.", "The arguments must be a JSON object."),
    ({"action": "add"}, "Content is required for 'add' action.", "Missing required target: say target='memory'"),
    ({"action": "add", "target": "x"}, "Invalid target 'x'. Use", "Invalid memory target 'x'. Use 'memory' or 'user'."),
    (call(), "Unknown action 'None'. Use: add, replace, remove", "Missing required parameter: give 'action'"),
    (call("drop"), "Unknown action 'drop'. Use: add, replace, remove", "Unknown action 'drop'. Use: add, "),
    (call("add"), "Content is required for 'add' action.", "Content is required for 'add' action."),
    (call("add", content=" "), "Content cannot be empty.", "Content cannot be empty."),
    (call("add", content=7), "content must be text, not int.", "content must be text, not int."),
    (call("remove"), "'remove' needs old_text -- a short unique part", "'remove' needs old_text -- a short unique"),
    (call("remove", old_text=" "), "old_text cannot be empty.", "old_text cannot be empty."),
    (call("replace", old_text="npm"), "content is required for 'replace'", "content is required for 'replace' action."),
    (call("replace", old_text="npm", content=" "), "new_content cannot be empty.", "new_content cannot be empty. Use"),
    (call("patch", old_text="npm", content=" "), "Unknown action 'patch'.", "new_text cannot be empty. Use 'remove'"),
    (call("patch", old_text="milk", content="rum"), "Unknown action", "'milk' appears 2 times in the matched entry"),
    (call("patch", old_text="npm", new_text=KEY), "Unknown action", "Blocked: "),
    (call("remove", old_text="likes"), "Multiple entries matched 'likes'. Be", "Multiple entries matched 'likes'."),
    (call("remove", old_text="rust"), "No entry matched 'rust'. Call remove again", "No entry matched 'rust'."),
    (call("add", content=KEY), "Blocked: ", "Blocked: "),
    (call("replace", old_text="npm", content="x" * 60), "Replacement would put memory at 94/60 chars", "Replacement"),
    (call("patch", old_text="npm", content="x" * 60), "Unknown action", "Patch would put memory at 99/60 chars: over"),
    ({**batch(), "operations": "x"}, "operations must be a list of", "operations must be a list of {action, content?"),
    (batch(3), "Operation 1 (unknown): each operation must be", "Operation 1 (unknown): each operation must be an"),
    (batch(None), "Operation 1 (unknown): unknown action. Use", "Operation 1 (unknown): unknown action. Use"),
    (batch(call("add")), "Operation 1 (add): content is required. No", "Operation 1 (add): content is required. No"),
    (batch(call("remove")), "Operation 1 (remove): old_text is required", "Operation 1 (remove): old_text is required"),
    (batch(call("remove", old_text="likes")), "Operation 1 (remove): 'likes' matched multiple", "Operation 1 (remove)"),
    (batch(call("patch", old_text="npm", content=KEY)), "Operation 1 (patch): unknown", "Operation 1 (patch): Blocked"),
    (batch(call("add", content=KEY)), "Operation 1: Blocked: ", "Operation 1: Blocked: "),
    (batch(call("add", content="x" * 60)), "After applying all 1 operations, memory would", "After applying all 1"),
    (
        batch(call("add", target="user")),
        "Operation 1 (add): content",
        "Operation 1 names another target than the call.",
    ),
]


def test_what_cannot_be_done_is_answered_in_the_agents_words_and_nothing_is_written(
    open_tool: OpenTool, memory_file: Path
) -> None:
    """A model that is told nothing, or something else, tries the same again until its turn is over."""
    old, new = open_tool("0.19"), open_tool("0.22")
    for arguments, older, newer in REFUSED:
        for tool, words in ((old, older), (new, newer)):
            tool.new_turn()
            result = tool.call(arguments)
            assert result["success"] is False, (arguments, result)
            assert result["error"].startswith(words), (arguments, result)
            assert memory_file.read_text() == BEFORE


def test_a_refusal_lists_what_the_model_needs_to_try_again(open_tool: OpenTool) -> None:
    """It would have to ask for the entries first, or guess."""
    entries = BEFORE.split("\n§\n")
    old, new = open_tool("0.19"), open_tool("0.22")
    several = new.call(call("remove", old_text="likes"))
    assert several["matches"] == ["likes tea", "likes milk and milk"]
    for tool in (old, new):
        missing = tool.call(call("remove", old_text="uses nmp"))
        assert missing["current_entries"] == entries
        assert missing.get("closest_entries") == (["uses npm"] if tool is new else None)
        unnamed = tool.call(call("replace", content="x"))
        assert (unnamed["current_entries"], unnamed["usage"]) == (entries, "42/60")
        full = tool.call(batch(call("add", content="x" * 60)))
        assert (full.get("current_entries"), full["usage"]) == (entries if tool is old else None, "42/60")


def test_a_batch_may_empty_a_store_for_the_older_agent_only(open_tool: OpenTool, memory_file: Path) -> None:
    """The newer one keeps its last entry, whatever a model asks for at once."""
    everything = batch(*(call("remove", old_text=entry) for entry in BEFORE.split("\n§\n")))
    refused = open_tool("0.22").call(everything)
    assert refused["error"].startswith("Refusing to empty MEMORY.md: this batch would remove every entry.")
    assert memory_file.read_text() == BEFORE
    assert open_tool("0.19").call(everything)["success"] is True
    assert memory_file.read_text() == ""


def test_after_some_failures_the_model_is_told_to_stop_until_something_works(open_tool: OpenTool) -> None:
    """It would spend the whole turn on making room."""
    tool = open_tool()
    fails = call("add", content="x" * 60)
    for _ in range(MAX_FAILURES_PER_TURN):
        assert "current_entries" in tool.call(fails)
    stopped = tool.call(fails)
    assert (stopped["done"], "Memory consolidation failed 4 times this turn." in stopped["error"]) == (True, True)
    tool.new_turn()
    assert "current_entries" in tool.call(fails)
    assert tool.call(call("remove", old_text="tea"))["success"] is True
    assert tool.failures == 0


def test_the_newer_agent_hears_what_went(open_tool: OpenTool, memory_file: Path) -> None:
    """Without the old text a model cannot say what it overwrote."""
    told = open_tool().call(
        batch(
            call("replace", old_text="npm", content="uses pnpm"),
            call("patch", old_text="tea", content="rum"),
            call("remove", old_text="milk and"),
            call("add", content="new"),
        )
    )
    assert memory_file.read_text() == "uses pnpm\n§\nlikes rum\n§\nnew"
    names = ("replaced_entries", "patched_entries", "patched_entries_after", "removed_entries")
    assert [told[name] for name in names] == [
        {"1": "uses npm"},
        {"2": "likes tea"},
        {"2": "likes rum"},
        {"3": "likes milk and milk"},
    ]
    assert "replaced_entries" not in open_tool("0.19").call(batch(call("replace", old_text="npm", content="x")))


def test_what_waits_is_summed_up_in_the_agents_words(open_tool: OpenTool, memory_file: Path) -> None:
    """The list of what waits would say something else in our app than in the agent."""
    lines: list[tuple[str, Any]] = []

    def stage(payload: Any, summary: str) -> str:
        lines.append((summary, payload))
        return "00c0ffee"

    assert open_tool(stage=stage).call(call("add", content="new"))["pending_id"] == "00c0ffee"
    change = call("replace", old_text="npm", content="uses pnpm")
    for dialect in ("0.19", "0.22"):
        open_tool(dialect, stage=stage).call(change)
        open_tool(dialect, stage=stage).call(batch(change, call("remove", old_text="tea"), call("add", content="c")))
    open_tool(stage=stage).call(call("remove", old_text="tea"))
    open_tool(stage=stage).call({**call("patch", old_text="tea", content="rum")})
    several = "apply 3 op(s) to memory: - replace: npm -> uses pnpm\n- remove: tea\n- add: c"
    assert [line for line, _ in lines] == [
        "add to memory: new",
        "replace in memory: old: npm\nnew: uses pnpm",
        several,
        "replace in memory: entry matching: npm\nwhole entry becomes: uses pnpm",
        several,
        "remove from memory: tea",
        "patch in memory: entry matching: tea\nspan 'tea' becomes: rum",
    ]
    assert "matched_entry" not in lines[1][1]
    assert lines[3][1]["matched_entry"] == "uses npm"
    pins = [operation.get("matched_entry") for operation in lines[4][1]["operations"]]
    assert pins == ["uses npm", "likes tea", None]
    assert memory_file.read_text() == BEFORE


def test_a_file_changed_by_hand_is_put_aside_and_not_rewritten(open_tool: OpenTool, memory_file: Path) -> None:
    """A model would flatten what a person wrote."""
    by_hand = "uses npm\n\n§\n\nlikes tea"
    old = open_tool("0.19")
    memory_file.write_text(by_hand)
    refused = old.call(call("remove", old_text="tea"))
    assert refused["error"].startswith("Refusing to write MEMORY.md: it was changed by hand")
    assert Path(refused["drift_backup"]).read_text() == by_hand
    assert refused["remediation"].startswith("Run `hermes-tui memory normalize`")
    assert memory_file.read_text() == by_hand
    memory_file.write_bytes(b"caf\xe9")
    unread = old.call(call("add", content="x"))
    assert unread["error"].startswith("Refusing to write MEMORY.md: ")
    assert unread["error"].endswith("Nothing was changed.")
