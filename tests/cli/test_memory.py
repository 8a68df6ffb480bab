"""`hermes-tui memory`: the same facts and the same rules as the screen, for scripts."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Run, tree
from tests.nasty import NASTY, raw_control_bytes


def texts(run: Run, store: str = "memory") -> list[str]:
    """The entries as `memory list --json` gives them."""
    [shown] = run("memory", "list", "--store", store, "--json").json["stores"]
    return [entry["text"] for entry in shown["entries"]]


def test_list_has_the_documented_shape(run: Run, memory_file: Path, hermes_home: Path) -> None:
    """Scripts written against the documented keys keep working."""
    memory_file.write_text("The user likes tea\n§\nkeys in ~/.ssh\n§\nThe user likes tea")
    shown = run("memory", "list", "--json")
    assert shown.code == 0
    assert shown.json["ok"] is True
    assert shown.json["home"] == str(hermes_home)
    memory, user = shown.json["stores"]
    assert (memory["store"], memory["path"], memory["state"]) == ("memory", str(memory_file), "ok")
    assert memory["usage"] == {"chars": 35, "limit": 2200, "percent": 1, "room": 2162}
    assert [(entry["index"], entry["chars"], entry["duplicate"]) for entry in memory["entries"]] == [
        (1, 18, False),
        (2, 14, False),
        (3, 18, True),
    ]
    [finding] = memory["entries"][1]["findings"]
    assert (finding["id"], finding["start"], finding["text"]) == ("ssh_access", 8, "~/.ssh")
    assert (user["store"], user["state"], user["entries"]) == ("user", "missing", [])


def test_list_in_words_names_states_and_badges(run: Run, memory_file: Path) -> None:
    """The plain list says in words what the JSON says in keys."""
    memory_file.write_text("keys in ~/.ssh\n§\ntwo\nlines\n§\ntwo\nlines")
    out = run("memory", "list").out
    assert "MEMORY.md  1% — 26/2,200 chars · 2,171 left" in out
    assert str(memory_file) in out
    assert "[0.19 agents block: ssh_access at character 9]" in out
    assert "[duplicate of 2]" in out
    assert "    2  two\n       lines\n" in out
    assert "There is no such file yet." in out


def test_percentage_is_not_clamped(run: Run, memory_file: Path, hermes_home: Path) -> None:
    """A store past its limit shows 109 %, not 100."""
    (hermes_home / "config.yaml").write_text("memory: {memory_char_limit: 100}\n")
    memory_file.write_text("x" * 60 + "\n§\n" + "y" * 46)
    shown = run("memory", "list", "--store", "memory", "--json").json["stores"][0]
    assert shown["usage"] == {"chars": 109, "limit": 100, "percent": 109, "room": -12}


def test_disabled_store_is_listed_and_marked(run: Run, memory_file: Path, hermes_home: Path) -> None:
    """Off in the settings is not the same as empty."""
    (hermes_home / "config.yaml").write_text("memory: {memory_enabled: false}\n")
    shown = run("memory", "list", "--store", "memory", "--json").json["stores"][0]
    assert (shown["enabled"], len(shown["entries"])) == (False, 2)
    assert "off in config.yaml" in run("memory", "list").out
    assert memory_file.exists()


def test_unreadable_store_is_not_an_empty_one(run: Run, hermes_home: Path) -> None:
    """What cannot be read is exit 3 with the reason; the other store is listed all the same."""
    (hermes_home / "memories" / "MEMORY.md").mkdir()
    (hermes_home / "memories" / "USER.md").write_text("Ann")
    shown = run("memory", "list", "--json")
    assert (shown.code, shown.json["ok"], shown.json["error"]["code"]) == (3, False, "unreadable")
    assert [store["state"] for store in shown.json["stores"]] == ["unreadable", "ok"]
    plain = run("memory", "list")
    assert plain.code == 3
    assert "Ann" in plain.out
    assert "directory" in plain.err
    assert run("memory", "add", "x").code == 3


def test_config_that_does_not_parse_is_said_on_stderr(run: Run, memory_file: Path, hermes_home: Path) -> None:
    """The list goes on with the agent's defaults, and says so."""
    (hermes_home / "config.yaml").write_text("a: [\n")
    shown = run("memory", "list", "--json")
    assert shown.code == 0
    assert "line 2, column 1" in shown.err
    assert shown.json["stores"][0]["usage"]["limit"] == 2200
    assert memory_file.exists()


def test_add_appends_and_tells_what_the_store_looks_like(run: Run, memory_file: Path) -> None:
    """An addition is on disk in the agent's own form when the command returns."""
    shown = run("memory", "add", "Third", "--json")
    assert shown.code == 0
    assert memory_file.read_text() == "The user likes tea\n§\nDeploys go out on Friday\n§\nThird"
    assert shown.json["changed"] is True
    assert shown.json["journal_id"]
    assert [entry["text"] for entry in shown.json["stores"][0]["entries"]][-1] == "Third"
    assert [store["store"] for store in shown.json["stores"]] == ["memory"]
    plain = run("memory", "add", "Fourth", "--at", "1")
    assert (plain.code, plain.out) == (0, "")
    assert "Added" in plain.err
    assert texts(run)[0] == "Fourth"


def test_adding_what_is_there_already_changes_nothing(run: Run, memory_file: Path) -> None:
    """A script may add twice."""
    before = memory_file.read_bytes()
    shown = run("memory", "add", " The user likes tea ", "--json")
    assert (shown.code, shown.json["changed"], shown.json["journal_id"]) == (0, False, None)
    assert memory_file.read_bytes() == before


def test_text_comes_from_stdin_for_a_dash(run: Run, memory_file: Path) -> None:
    """Long and odd texts need no quoting."""
    assert run("memory", "add", "-", stdin="several\nlines “here”\n").code == 0
    assert texts(run)[-1] == "several\nlines “here”"
    before = memory_file.read_bytes()
    shown = run("memory", "add", "-", "--json", stdin=b"caf\xe9")
    assert (shown.code, shown.json["error"]["code"]) == (1, "not_utf8")
    assert memory_file.read_bytes() == before


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "blank"),
        (" \n ", "blank"),
        ("a\n§\nb", "would_split"),
        ("x" * 2200, "over_limit"),
        ("the keys are in ~/.ssh", "blocked"),
        ("half \udcb2", "not_utf8"),
    ],
    ids=["nothing", "white space", "delimiter", "too long", "threat", "half a character"],
)
def test_refusals_exit_with_1_and_a_code(run: Run, memory_file: Path, text: str, code: str) -> None:
    """Each rule has its word, and nothing is written."""
    before = memory_file.read_bytes()
    shown = run("memory", "add", text, "--json")
    assert (shown.code, shown.json["ok"], shown.json["error"]["code"]) == (1, False, code)
    assert shown.json["error"]["message"] in " ".join(shown.err.split("\n")) or "\udcb2" in text
    assert memory_file.read_bytes() == before


def test_entries_are_named_by_match_or_by_index(run: Run, memory_file: Path) -> None:
    """Part of the text or the number from the list, never both, never neither."""
    assert run("memory", "replace", "The user likes coffee", "--match", "tea").code == 0
    assert run("memory", "replace", "Deploys go out on Monday", "--index", "2").code == 0
    assert texts(run) == ["The user likes coffee", "Deploys go out on Monday"]
    assert run("memory", "remove", "--index", "1").code == 0
    assert memory_file.read_text() == "Deploys go out on Monday"
    assert run("memory", "remove").code == 2
    assert run("memory", "remove", "--index", "1", "--match", "x").code == 2
    assert run("memory", "remove", "--index", "0").code == 2
    missing = run("memory", "remove", "--index", "9", "--json")
    assert (missing.code, missing.json["error"]["code"]) == (1, "no_entry")
    missing = run("memory", "remove", "--match", "nowhere", "--json")
    assert (missing.code, missing.json["error"]["code"]) == (1, "no_match")


def test_match_that_fits_several_entries_is_refused(run: Run, memory_file: Path) -> None:
    """The wrong entry is never taken."""
    memory_file.write_text("one tea\n§\ntwo tea")
    shown = run("memory", "remove", "--match", "tea", "--json")
    assert (shown.code, shown.json["error"]["code"]) == (1, "ambiguous")


def test_patch_changes_only_the_words_named(run: Run, memory_file: Path) -> None:
    """The rest of the entry stays to the letter."""
    assert run("memory", "patch", "--match", "Friday", "Monday").code == 0
    assert memory_file.read_text().endswith("Deploys go out on Monday")
    assert run("memory", "patch", "Monday").code == 2


def test_move_goes_to_the_other_file(run: Run, memory_file: Path) -> None:
    """Both files change, and both are in the answer."""
    shown = run("memory", "move", "--match", "tea", "--json")
    assert [store["store"] for store in shown.json["stores"]] == ["memory", "user"]
    assert memory_file.read_text() == "Deploys go out on Friday"
    assert texts(run, "user") == ["The user likes tea"]
    assert run("memory", "move", "--store", "user", "--to", "memory", "--index", "1").code == 0
    assert texts(run, "user") == []
    same = run("memory", "move", "--to", "memory", "--index", "1", "--json")
    assert (same.code, same.json["error"]["code"]) == (1, "same_store")


def test_batch_is_all_or_nothing(run: Run, memory_file: Path) -> None:
    """One bad step leaves the file as it was."""
    good = [{"action": "add", "content": "New"}, {"action": "remove", "old_text": "tea"}]
    assert run("memory", "batch", json.dumps(good)).code == 0
    assert texts(run) == ["Deploys go out on Friday", "New"]
    before = memory_file.read_bytes()
    bad = [{"action": "remove", "old_text": "New"}, {"action": "remove", "old_text": "nowhere"}]
    shown = run("memory", "batch", "-", "--json", stdin=json.dumps(bad))
    assert shown.code == 1
    assert "Operation 2" in shown.json["error"]["message"]
    assert memory_file.read_bytes() == before
    for wrong in ("[", "{}", "[1]", "[" * 100_000):
        assert run("memory", "batch", wrong).code == 2


def test_prompt_is_what_the_next_session_gets(run: Run, memory_file: Path) -> None:
    """Headers, usage and entries as the agent will see them, byte for byte."""
    memory_file.write_text("tea\n§\nkeys in ~/.ssh")
    rule = "═" * 46
    shown = run("memory", "prompt", "--dialect", "0.19", "--json").json
    assert shown["prompt"].startswith(f"{rule}\nMEMORY (your personal notes) [")
    assert "[BLOCKED: MEMORY.md entry contained threat pattern(s): ssh_access." in shown["prompt"]
    assert shown["blocks"][1] == {"store": "user", "text": ""}
    assert run("memory", "prompt", "--dialect", "0.19").out == shown["prompt"] + "\n"
    memory_file.unlink()
    empty = run("memory", "prompt")
    assert (empty.code, empty.out) == (0, "")
    assert "Nothing" in empty.err


def test_scan_finds_in_a_text_and_in_the_stores(run: Run, memory_file: Path) -> None:
    """A text can be tried before it is saved; what is saved can be checked."""
    shown = run("memory", "scan", "see ~/.ssh now", "--json").json
    assert shown["blocked"] is True
    assert [(row["id"], row["start"], row["text"]) for row in shown["findings"]] == [("ssh_access", 4, "~/.ssh")]
    assert run("memory", "scan", "-", "--json", stdin="harmless\n").json["blocked"] is False
    assert "ssh_access" in run("memory", "scan", "see ~/.ssh now").out
    memory_file.write_text("ok\n§\nsee ~/.ssh")
    whole = run("memory", "scan", "--json").json
    assert whole["blocked"] is True
    assert [len(entry["findings"]) for entry in whole["stores"][0]["entries"]] == [0, 1]
    assert run("memory", "scan").out.startswith("MEMORY.md entry 2: ssh_access")


def test_normalize_puts_a_file_in_order_and_keeps_the_old_bytes(run: Run, memory_file: Path) -> None:
    """A file edited by hand is refused with the command that mends it; that command keeps a copy."""
    odd = b"one\n\n\xc2\xa7\n\ntwo\n"
    memory_file.write_bytes(odd)
    refused = run("memory", "add", "three", "--json")
    assert (refused.code, refused.json["error"]["code"]) == (1, "drift")
    assert "hermes-tui memory normalize" in refused.json["error"]["hint"]
    assert "Press" not in refused.err
    shown = run("memory", "normalize", "--store", "memory", "--json").json
    assert memory_file.read_bytes() == "one\n§\ntwo".encode()
    assert Path(shown["backup"]).read_bytes() == odd
    again = run("memory", "normalize", "--json").json
    assert again["changed"] is False


def test_undo_and_redo_work_across_commands(run: Run, memory_file: Path) -> None:
    """Each command is a process of its own; what they did can still be taken back in order."""
    before = memory_file.read_bytes()
    run("memory", "add", "Third")
    run("memory", "remove", "--index", "1")
    after = memory_file.read_bytes()
    assert "remove" in run("memory", "undo").err
    assert run("memory", "undo", "--json").json["changed"] is True
    assert memory_file.read_bytes() == before
    none = run("memory", "undo", "--json")
    assert (none.code, none.json["error"]["code"]) == (1, "nothing_to_undo")
    run("memory", "redo")
    run("memory", "redo")
    assert memory_file.read_bytes() == after
    none = run("memory", "redo", "--json")
    assert (none.code, none.json["error"]["code"]) == (1, "nothing_to_redo")


def test_undo_on_a_changed_file_is_a_conflict_with_both_versions(run: Run, memory_file: Path) -> None:
    """Somebody else's later words are not overwritten; both texts are in the answer."""
    run("memory", "replace", "The user likes coffee", "--index", "1")
    memory_file.write_text("The user likes coffee, black\n§\nDeploys go out on Friday")
    before = memory_file.read_bytes()
    shown = run("memory", "undo", "--json")
    assert (shown.code, shown.json["error"]["code"]) == (1, "conflict")
    assert shown.json["error"]["mine"] == "The user likes tea"
    assert shown.json["error"]["theirs"] == "The user likes coffee, black"
    assert memory_file.read_bytes() == before


def test_log_lists_changes_newest_first(run: Run, memory_file: Path) -> None:
    """Who changed what, when, with the texts."""
    assert "No change" in run("memory", "log").err
    run("memory", "add", "Third [b]")
    run("memory", "undo")
    shown = run("memory", "log", "--json").json
    assert [row["kind"] for row in shown["records"]] == ["undo", "add"]
    assert shown["records"][1]["changes"] == [{"store": "memory", "before": [], "after": ["Third [b]"]}]
    assert (shown["records"][1]["origin"], shown["records"][1]["state"]) == ("cli", "done")
    assert shown["more"] is False
    assert run("memory", "log", "--limit", "1", "--json").json["more"] is True
    assert "undo of: add" in run("memory", "log").out
    assert memory_file.exists()


@pytest.mark.parametrize(
    "words",
    [
        ["add", "x"],
        ["replace", "x", "--index", "1"],
        ["patch", "--match", "tea", "x"],
        ["remove", "--index", "1"],
        ["move", "--index", "1"],
        ["batch", '[{"action": "add", "content": "x"}]'],
        ["undo"],
    ],
)
def test_read_only_refuses_every_change(run: Run, memory_file: Path, isolated_machine: Path, words: list[str]) -> None:
    """--read-only is a promise."""
    run("memory", "add", "one to undo")
    before = tree(isolated_machine)
    shown = run("memory", *words, "--read-only", "--json")
    assert (shown.code, shown.json["error"]["code"]) == (1, "read_only")
    assert tree(isolated_machine) == before
    assert memory_file.exists()


@pytest.mark.parametrize("name", NASTY)
def test_nasty_text_survives_the_round_trip_or_is_refused(run: Run, hermes_home: Path, name: str) -> None:
    """Whatever is stored comes back raw in JSON, is shown without a control byte, and can be removed again."""
    text = NASTY[name]
    (hermes_home / "config.yaml").write_text("memory: {memory_char_limit: 200000}\n")
    (hermes_home / "memories" / "MEMORY.md").write_text("first", encoding="utf-8")
    added = run("memory", "add", "--json", "--accept-newer", "--", text)
    assert added.code in (0, 1)
    assert "Traceback" not in added.err
    assert raw_control_bytes(added.err) == []
    stored = texts(run)
    if added.code == 1:
        assert stored == ["first"]
        assert added.json["error"]["code"] in {"blank", "would_split", "not_utf8", "blocked", "over_limit"}
        return
    [entry] = stored[1:]
    assert entry == text.replace("\r\n", "\n").replace("\r", "\n").strip()
    plain = run("memory", "list")
    assert plain.code == 0
    assert raw_control_bytes(plain.out) == []
    assert run("memory", "remove", "--index", "2").code == 0
    assert texts(run) == ["first"]


@pytest.mark.parametrize("name", NASTY)
def test_nasty_text_already_in_the_file_is_shown_safely(run: Run, memory_file: Path, name: str) -> None:
    """A file may hold anything; the list neither crashes nor lets it act on the terminal."""
    data = f"before\n§\n{NASTY[name]}\n§\nafter".encode("utf-8", "surrogatepass")
    memory_file.write_bytes(data)
    shown = run("memory", "list", "--json")
    assert shown.code == 0
    assert shown.json["stores"][0]["entries"][0]["text"].startswith("before")
    assert raw_control_bytes(run("memory", "list").out) == []
    assert run("memory", "scan", "--json").code == 0
    assert memory_file.read_bytes() == data


def test_nasty_home_is_named_safely(run: Run, tmp_path: Path) -> None:
    """A directory's name can hold escapes and half characters, too."""
    home = tmp_path / "\x1b]0;x\x07 [b] \udcff"
    shown = run("memory", "list", "--home", home, "--json")
    assert shown.code == 1
    assert shown.json["error"]["code"] == "no_home"
    assert raw_control_bytes(shown.err) == []
    (home / "memories").mkdir(parents=True)
    assert os.fsencode(run("memory", "list", "--home", home, "--json").json["home"]) == os.fsencode(home)
    assert run("memory", "add", "x", "--home", home).code == 0


def test_waiting_for_a_lock_is_said(run: Run, memory_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A command that hangs on the agent's lock says which file it waits for."""
    from hermes_tui.cli import context

    told: list[Any] = []
    monkeypatch.setattr("hermes_tui.cli.output.say", told.append)
    context.tell_wait("MEMORY.md.lock", 1.2)
    assert "MEMORY.md.lock" in told[0]
    assert memory_file.exists()
    assert run("memory", "list").code == 0


def test_a_batch_takes_text_only(run: Run, memory_file: Path) -> None:
    """A number would become an entry, or remove one that happens to hold it."""
    before = memory_file.read_bytes()
    for operations in ('[{"action":"add","content":["a"]}]', '[{"action":"remove","old_text":5}]'):
        shown = run("memory", "batch", operations, "--json")
        assert (shown.code, shown.json["error"]["code"]) == (1, "bad_operation")
    assert memory_file.read_bytes() == before


def test_what_went_is_shown_after_a_removal(run: Run, memory_file: Path) -> None:
    """A whole document could vanish with no more than a word."""
    memory_file.write_text("## Profile\n- tea\n- vim")
    shown = run("memory", "remove", "--match", "tea")
    assert "- ## Profile\n- tea\n- vim" in shown.err
    assert "## Profile" in run("memory", "log").out


def test_both_files_are_put_in_order_and_each_backup_is_named(run: Run, memory_file: Path) -> None:
    """A backup could not be found again."""
    memory_file.write_text("a\n\n§\n\nb")
    memory_file.with_name("USER.md").write_text("c\n\n§\n\nd")
    shown = run("memory", "normalize", "--json").json
    assert shown["backup"]
    assert len([change for change in shown["changes"] if change["backup"] and change["journal_id"]]) == 2


def test_one_file_that_cannot_be_put_in_order_does_not_hide_the_other(run: Run, memory_file: Path) -> None:
    """MEMORY.md would have been rewritten without a word of it."""
    memory_file.write_text("a\n\n§\n\nb")
    user = memory_file.with_name("USER.md")
    user.unlink(missing_ok=True)
    user.mkdir()
    shown = run("memory", "normalize", "--json")
    assert (shown.code, shown.json["ok"], shown.json["changed"]) == (3, False, True)
    assert memory_file.read_text() == "a\n§\nb"


@pytest.mark.parametrize("words", ["prompt", "scan", "replace --index 1 y", "remove --match a"])
def test_a_store_that_cannot_be_read_is_never_called_empty(run: Run, memory_file: Path, words: str) -> None:
    """One would believe that nothing is remembered."""
    memory_file.unlink()
    memory_file.mkdir()
    shown = run("memory", *words.split(), "--json")
    assert (shown.code, shown.json["ok"]) == (3, False)
    assert "directory" in shown.json["error"]["message"]
    assert "cannot be read" in run("memory", "list").out
