"""What approving a skill write would do, on real folders."""

from __future__ import annotations

import json
import os
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from hermes_tui.home import HermesHome
from hermes_tui.pending.skills import external_dirs, preview_skill, read_index
from tests.pending.skill_home import add_skill, carry_out, files_in, preview, record_of, skill_text

NEW = skill_text("demo", "New body.\n")


def test_each_action_says_what_it_does_and_holds_the_exact_bytes(hermes_home: Path) -> None:
    """Approving would write something else than was shown, or undo could not bring back what was there."""
    folder = add_skill(hermes_home, "demo", files={"references/a.md": b"one\r\ntwo\r\n", "assets/logo": b"\xff\x00"})
    skill = folder / "SKILL.md"
    old = skill.read_bytes()
    cases: list[tuple[dict[str, Any], Path, bytes | None, bytes | None]] = [
        (
            {"action": "create", "name": "fresh", "category": "tools", "content": skill_text("fresh")},
            hermes_home / "skills/tools/fresh/SKILL.md",
            None,
            skill_text("fresh").encode(),
        ),
        ({"action": "edit", "name": "demo", "content": NEW}, skill, old, NEW.encode()),
        (
            {"action": "patch", "name": "demo", "old_string": "Run the", "new_string": "Skip the"},
            skill,
            old,
            old.replace(b"Run the", b"Skip the"),
        ),
        (
            {"action": "patch", "name": "demo", "file_path": "references/a.md", "old_string": "two", "new_string": "3"},
            folder / "references/a.md",
            b"one\r\ntwo\r\n",
            b"one\n3\n",
        ),
        (
            {"action": "write_file", "name": "demo", "file_path": "./scripts//x.sh", "file_content": "a\r\nb"},
            folder / "scripts/x.sh",
            None,
            b"a\r\nb",
        ),
        (
            {"action": "remove_file", "name": "demo", "file_path": "assets/logo"},
            folder / "assets/logo",
            b"\xff\x00",
            None,
        ),
    ]
    for payload, path, before, after in cases:
        found = preview(hermes_home, **payload)
        assert found.verdict == "applies", (payload, found)
        assert [(change.path, change.before, change.after) for change in found.changes] == [(str(path), before, after)]
        assert found.reason.endswith(".")
        assert found.title
        if before is None:
            assert found.changes[0].mode == 0o600
    assert files_in(folder)["references/a.md"] == b"one\r\ntwo\r\n"  # nothing was written


def test_the_last_file_takes_its_folder_along(hermes_home: Path) -> None:
    """Empty folders would be left that the agent removes."""
    folder = add_skill(hermes_home, "demo", files={"references/sub/a": b"x", "references/b": b"y"})
    found = preview(hermes_home, action="remove_file", name="demo", file_path="references/sub/a")
    assert found.emptied == (folder / "references/sub",)
    assert preview(hermes_home, action="remove_file", name="demo", file_path="references/b").emptied == ()


def test_a_delete_moves_the_whole_folder_to_the_archive_and_back(hermes_home: Path) -> None:
    """Approving a delete would lose the skill for good."""
    folder = add_skill(hermes_home, "tools/demo", files={"scripts/run.sh": b"#!", "assets/raw": b"\x00\xff"})
    (folder / "scripts/run.sh").chmod(0o755)
    before = files_in(folder)
    found = preview(hermes_home, action="delete", name="demo")
    assert found.verdict == "applies"
    assert any("archived here" in note for note in found.notes)
    assert found.text_before == before["SKILL.md"].decode()
    assert found.text_after == ""
    carry_out(found.changes, found.emptied)
    archived = hermes_home / "skills/.archive/demo"
    assert files_in(archived) == before
    assert (archived / "scripts/run.sh").stat().st_mode & 0o777 == 0o755
    assert not (hermes_home / "skills/tools").exists()
    add_skill(hermes_home, "demo")
    again = preview_skill(
        HermesHome(hermes_home, "default", "--home"),
        (),
        record_of({"action": "delete", "name": "demo"}),
        now=datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC),
    )
    assert again.changes[0].path == str(hermes_home / "skills/.archive/demo-20260102030405/SKILL.md")


@pytest.mark.parametrize(
    ("payload", "reason"),
    [
        ({"action": "delete", "name": "pinned"}, "pinned"),
        ({"action": "delete", "name": "plan"}, "built into the agent"),
        ({"action": "delete", "name": "demo", "absorbed_into": "gone"}, "absorbed into 'gone', but"),
        ({"action": "delete", "name": "demo", "absorbed_into": "demo"}, "into itself"),
        ({"action": "delete", "name": "linked"}, "is a link"),
        ({"action": "remove_file", "name": "demo", "file_path": "SKILL.md"}, "no skill any more"),
    ],
)
def test_what_would_do_harm_is_blocked(hermes_home: Path, payload: dict[str, Any], reason: str) -> None:
    """A skill that people rely on would go."""
    for name in ("pinned", "plan", "demo", "linked"):
        add_skill(hermes_home, name)
    (hermes_home / "skills/linked/references").symlink_to(hermes_home)
    (hermes_home / "skills/.usage.json").write_text(json.dumps({"pinned": {"pinned": True}}))
    found = preview(hermes_home, **payload)
    assert found.verdict in ("blocked", "invalid", "no_match")
    assert reason in found.reason
    assert found.changes == ()


BAD_HEADS = {
    "no frontmatter": "does not start with frontmatter",
    "---\nname: demo\n---": "not closed",
    "---\nname: demo\ndescription: d\n---\n \n": "nothing follows",
    "---\nname: demo\n---\nbody": "no description",
    "---\n- a\n---\nbody": "not a YAML mapping",
    "---\nname: [\n---\nbody": "not a YAML mapping (line 3",
    f"---\nname: demo\ndescription: {'x' * 1025}\n---\nbody": "1,025 characters",
    f"---\nname: demo\ndescription: d\n---\n{'x' * 100_000}": "100,000 are allowed",
}


@pytest.mark.parametrize("content", list(BAD_HEADS))
@pytest.mark.parametrize("action", ["create", "edit", "write_file", "patch"])
def test_a_skill_is_never_left_broken(hermes_home: Path, action: str, content: str) -> None:
    """The agent would find a SKILL.md that it cannot read."""
    add_skill(hermes_home, "demo")
    payload = {
        "create": {"name": "fresh", "content": content},
        "edit": {"name": "demo", "content": content},
        "write_file": {"name": "demo", "file_path": "SKILL.md", "file_content": content},
        "patch": {"name": "demo", "file_path": "SKILL.md", "old_string": skill_text("demo"), "new_string": content},
    }[action]
    found = preview(hermes_home, action=action, **payload)
    assert found.verdict == "invalid"
    assert BAD_HEADS[content] in found.reason


def test_a_missing_text_is_an_invalid_record_and_no_empty_change(hermes_home: Path) -> None:
    """A proposal with the wrong key would show as `no change` and fail when approved."""
    add_skill(hermes_home, "demo")
    found = preview(hermes_home, action="write_file", name="demo", file_path="references/a.md", content="x")
    assert found.verdict == "invalid"
    assert found.short == "file_content missing"
    assert found.reason.startswith("Invalid record: file_content missing")
    assert "under content" in found.reason


def test_two_matches_will_be_refused(hermes_home: Path) -> None:
    """The diff would show a replace-all that approving refuses."""
    add_skill(hermes_home, "demo", skill_text("demo", "foo\nfoo\n"))
    payload = {"action": "patch", "name": "demo", "old_string": "foo", "new_string": "bar"}
    found = preview(hermes_home, **payload)
    assert (found.verdict, found.short) == ("ambiguous", "2 matches")
    assert found.reason.startswith("2 matches: will be refused")
    assert found.text_after == ""
    everywhere = preview(hermes_home, **payload, replace_all=True)
    assert everywhere.changes[0].after == skill_text("demo", "bar\nbar\n").encode()


def test_a_missing_skill_has_no_diff(hermes_home: Path) -> None:
    """A made-up diff would be shown for a skill that is gone."""
    found = preview(hermes_home, action="patch", name="gone", old_string="a", new_string="b")
    assert (found.verdict, found.short) == ("no_match", "skill not found")
    assert (found.text_before, found.text_after, found.changes) == ("", "", ())


def test_what_is_done_already_is_stale(hermes_home: Path) -> None:
    """An old record would look like a conflict."""
    add_skill(hermes_home, "demo")
    assert preview(hermes_home, action="create", name="demo", content=skill_text("demo")).verdict == "stale"
    assert preview(hermes_home, action="create", name="demo", content=NEW).short == "name taken"
    assert preview(hermes_home, action="remove_file", name="demo", file_path="assets/x").verdict == "stale"


def test_each_step_of_a_batch_builds_on_the_one_before(hermes_home: Path) -> None:
    """A patch of a skill that the same batch creates would be called dead."""
    add_skill(hermes_home, "demo")
    steps = [
        {"action": "create", "name": "fresh", "content": skill_text("fresh", "one two\n")},
        {"action": "patch", "name": "fresh", "old_string": "two", "new_string": "three"},
        {"action": "patch", "name": "demo", "old_string": "Run", "new_string": "Skip"},
        {"action": "patch", "name": "demo", "old_string": "Skip the", "new_string": "Skip all"},
        {"action": "write_file", "name": "fresh", "file_path": "references/a", "file_content": "x"},
    ]
    found = preview(hermes_home, action="batch", operations=steps)
    assert found.verdict == "applies"
    after = {Path(change.path).relative_to(hermes_home / "skills").as_posix(): change.after for change in found.changes}
    assert after == {
        "fresh/SKILL.md": skill_text("fresh", "one three\n").encode(),
        "demo/SKILL.md": skill_text("demo", "# Steps\n\nSkip all tests.\n").encode(),
        "fresh/references/a": b"x",
    }
    assert "demo/SKILL.md" in found.text_before
    bad = [*steps[:3], {"action": "patch", "name": "gone", "old_string": "a", "new_string": "b"}]
    refused = preview(hermes_home, action="batch", operations=bad)
    assert refused.verdict == "no_match"
    assert refused.reason.startswith("Operation 4 of 4: Skill not found")
    assert refused.changes == ()
    write = {"action": "write_file", "name": "demo", "file_path": "references/a", "file_content": "x"}
    assert "undo" in preview(hermes_home, action="batch", operations=[write, write]).reason


def test_external_folders_are_looked_into_after_the_home(hermes_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A skill that the agent finds would be called missing, or the wrong one would be changed."""
    monkeypatch.setenv("SHARED", str(hermes_home.parent / "shared"))
    (hermes_home / "config.yaml").write_text("skills:\n  external_dirs: [team, '~/mine', '$SHARED', 5, missing]\n")
    inside = add_skill(hermes_home, "both")
    add_skill(hermes_home, str(hermes_home / "team/both"))
    places = {
        "team": hermes_home / "team/one",
        "mine": Path.home() / "mine/deep/two",
        "shared": hermes_home.parent / "shared/three",
    }
    for place in places.values():
        add_skill(hermes_home, str(place))
    for name, folder in [("both", inside), *((place.name, place) for place in places.values())]:
        found = preview(hermes_home, action="patch", name=name, old_string="Run", new_string="Skip")
        assert [change.path for change in found.changes] == [str(folder / "SKILL.md")]


def test_a_new_skill_goes_where_the_settings_say(hermes_home: Path) -> None:
    """A skill would be made where its owner does not keep them."""
    (hermes_home / "config.yaml").write_text("skills:\n  create_dir: made\n")
    found = preview(hermes_home, action="create", name="fresh", content=skill_text("fresh"))
    assert [change.path for change in found.changes] == [str(hermes_home / "made/fresh/SKILL.md")]
    assert any("skills.create_dir" in note for note in found.notes)
    add_skill(hermes_home, str(hermes_home / "made/old"))
    assert preview(hermes_home, action="edit", name="old", content=NEW).verdict == "applies"


def test_two_skills_of_one_name_are_not_told_apart(hermes_home: Path) -> None:
    """The order of a disk would decide which skill changes."""
    add_skill(hermes_home, "a/demo")
    add_skill(hermes_home, "b/demo")
    assert preview(hermes_home, action="edit", name="demo", content=NEW).short == "2 skills"
    assert preview(hermes_home, action="edit", name="b/demo", content=NEW).verdict == "applies"


@pytest.mark.parametrize("folder", [".archive", ".hub", "node_modules", ".locks", "outer/references"])
def test_folders_that_no_agent_looks_into_hold_no_skills(hermes_home: Path, folder: str) -> None:
    """An archived skill would be changed in place of a live one."""
    add_skill(hermes_home, "outer")
    add_skill(hermes_home, f"{folder}/demo", skill_text("other"))
    assert preview(hermes_home, action="edit", name="demo", content=NEW).short == "skill not found"


HOSTILE_NAMES = [
    "../x",
    "/etc/passwd",
    "a\0b",
    "x" * 300,
    "Demo",
    "demo/",
    "./demo",
    "..",
    "",
    "dem\u00f6",
    "\ud800",
    "a\n",
]
HOSTILE_PATHS = [
    "../../x",
    "references/../../x",
    "/etc/passwd",
    "references/\0",
    "references/" + "x" * 300,
    "references",
    "REFERENCES/a",
    "other/a",
    "references/\ud800",
    "SKILL.md/x",
    "~/x",
]
ACTIONS: dict[str, dict[str, Any]] = {
    "create": {"content": NEW},
    "edit": {"content": NEW},
    "patch": {"old_string": "Run", "new_string": "Skip"},
    "write_file": {"file_path": "references/a", "file_content": "x"},
    "remove_file": {"file_path": "references/a"},
    "delete": {},
}


@pytest.mark.parametrize("action", list(ACTIONS))
def test_hostile_names_and_paths_never_leave_the_skills(hermes_home: Path, action: str) -> None:
    """A record could overwrite any file of the account."""
    add_skill(hermes_home, "demo", files={"references/keep": b"x"})
    outside = hermes_home / "x"
    outside.mkdir()
    (outside / "SKILL.md").write_text(skill_text("x"))
    for name in HOSTILE_NAMES:
        assert preview(hermes_home, **{"action": action, "name": name, **ACTIONS[action]}).verdict != "applies", name
    if "file_path" in ACTIONS[action] or action == "patch":
        for path in HOSTILE_PATHS:
            payload = {"action": action, "name": "demo", **ACTIONS[action], "file_path": path}
            assert preview(hermes_home, **payload).verdict != "applies", path
    if action == "create":
        for category in ("..", "a/b", "/tmp", ".archive", " ", "C", "x" * 65):
            assert preview(hermes_home, action="create", name="new", content=NEW, category=category).short in (
                "bad category",
                "category too long",
            )


@pytest.mark.parametrize("action", list(ACTIONS))
@pytest.mark.parametrize("link", ["skill", "SKILL.md", "references", "category"])
def test_links_are_never_written_through(hermes_home: Path, action: str, link: str) -> None:
    """A link in a skill would lead the write to another place."""
    elsewhere = hermes_home / "elsewhere"
    add_skill(hermes_home, str(elsewhere / "demo"), files={"references/a": b"x", "a": b"x"})
    skills = hermes_home / "skills"
    if link == "skill":
        skills.mkdir()
        (skills / "demo").symlink_to(elsewhere / "demo")
    elif link == "category":
        skills.mkdir()
        (skills / "tools").symlink_to(elsewhere)
    else:
        folder = add_skill(hermes_home, "demo")
        if link == "SKILL.md":
            (folder / "SKILL.md").unlink()
        (folder / link).symlink_to(elsewhere / "demo" / link)
    payload = {"action": action, "name": "demo", **ACTIONS[action]}
    if action == "create" and link == "category":
        payload |= {"category": "tools", "name": "new"}
    found = preview(hermes_home, **payload)
    if link == "references" and action in ("edit", "patch"):
        assert [Path(change.path) for change in found.changes] == [skills / "demo/SKILL.md"]
    else:
        assert found.verdict in ("blocked", "no_match"), found
        assert found.changes == ()


def test_odd_records_are_refused_with_a_reason(hermes_home: Path) -> None:
    """One odd record would stop the list."""
    add_skill(hermes_home, "demo")
    for payload in (
        {},
        {"action": "zap", "name": "demo"},
        {"action": ["edit"], "name": "demo"},
        {"action": "edit", "name": 5, "content": NEW},
        {"action": "edit", "name": "demo", "content": ["x"]},
        {"action": "patch", "name": "demo", "old_string": " ", "new_string": "x"},
        {"action": "patch", "name": "demo", "old_string": "Run", "new_string": "Run"},
        {"action": "patch", "name": "demo", "old_string": "Run", "new_string": "x", "replace_all": "no"},
        {"action": "patch", "name": "demo", "old_string": "Run", "new_string": "x", "file_path": 5},
        {"action": "delete", "name": "demo", "absorbed_into": 5},
        {"action": "create", "name": "new", "content": NEW, "category": 5},
        {"action": "create", "name": "new", "content": NEW + "\ud800"},
        {"action": "batch", "operations": []},
        {"action": "batch", "operations": ["x"]},
        {"action": "batch", "operations": [{"action": "batch", "operations": []}]},
        {"action": "batch", "operations": [{"action": "delete", "name": "demo"}] * 2},
        {"action": "batch", "operations": [{"action": "patch", "name": "demo"}] * 21},
    ):
        found = preview(hermes_home, **payload)
        assert found.verdict == "invalid", payload
        assert found.reason.endswith("."), found.reason
    broken = preview_skill(HermesHome(hermes_home, "default", "--home"), (), record_of("text"))
    assert broken.verdict == "invalid"


TITLES: list[tuple[dict[str, Any], str]] = [
    ({"action": "create", "name": "new"}, "create 'new'"),
    ({"action": "edit", "name": "demo"}, "rewrite SKILL.md of 'demo'"),
    ({"action": "patch", "name": "demo"}, "patch SKILL.md of 'demo'"),
    ({"action": "patch", "name": "demo", "file_path": "a.md"}, "patch a.md of 'demo'"),
    ({"action": "write_file", "name": "n" * 65, "file_path": "a.md"}, f"write a.md of '{'n' * 63}…'"),
    ({"action": "remove_file", "name": "n" * 64, "file_path": 5}, f"remove SKILL.md of '{'n' * 64}'"),
    ({"action": "delete"}, "delete a skill"),
    ({"action": "batch", "operations": [{"name": "a"}, {"name": "b"}, {"name": "a"}]}, "3 operations on 'a', 'b'"),
    ({"action": "batch", "operations": [1]}, "1 operation on skills"),
    ({"action": "batch", "operations": 1}, "invalid record"),
    ({"action": "zap"}, "invalid record"),
    ({"action": ["edit"]}, "invalid record"),
]


def test_each_write_has_its_title(hermes_home: Path) -> None:
    """The list would show ids."""
    for payload, title in TITLES:
        assert preview(hermes_home, **payload).title == title


def test_a_batch_is_said_and_shown_file_by_file_or_refused_as_a_whole(hermes_home: Path) -> None:
    """One would approve the first change and get the others unseen."""
    add_skill(hermes_home, "demo", files={"references/a.md": b"one\n"})
    write = {"action": "write_file", "name": "demo", "file_path": "references/a.md", "file_content": "two\n"}
    remove = {"action": "remove_file", "name": "demo", "file_path": "references/a.md"}
    create = {"action": "create", "name": "new", "content": skill_text("new")}
    found = preview(hermes_home, action="batch", operations=[write, create])
    assert (found.verdict, found.short) == ("applies", "applies")
    assert found.reason == "Rewrites references/a.md of 'demo'. Creates the skill new."
    assert found.text_before == "demo/references/a.md\none\n"
    assert found.text_after == f"demo/references/a.md\ntwo\n\nnew/SKILL.md\n{skill_text('new')}"
    assert found.notes == ("The agent's own bookkeeping (use counts, curator ledger) is not changed.",)
    missing = {**remove, "file_path": "references/b.md"}
    failed = preview(hermes_home, action="batch", operations=[write, missing])
    assert failed.reason.startswith("Operation 2 of 2: ")
    assert failed.reason.endswith(" All or none of a batch is applied.")
    assert (failed.changes, failed.notes) == ((), ())
    for operations, reason in (
        ([], "Invalid record: its list of operations is empty or no list. Reject it."),
        ([{**remove, "action": "delete"}] * 2, "Operation 1 is a delete, which the agent takes only on its own."),
        ([write, {"action": "edit"}], "Operation 2 has the action 'edit', which no batch can hold. Reject it."),
        ([write] * 21, "It holds 21 operations; the agent takes 20. Reject it."),
    ):
        assert preview(hermes_home, action="batch", operations=operations).reason.startswith(reason)
    odd = preview(hermes_home, action="zap", name="demo")
    assert odd.reason == "Invalid record: its action 'zap' is unknown. Reject it."
    home = HermesHome(hermes_home, "default", "--home")
    assert preview_skill(home, (), record_of({})).reason == "Its action None is unknown."


def test_what_is_worth_knowing_before_deciding_is_said(hermes_home: Path) -> None:
    """A skill would be approved that one of the two agents refuses, never finds, or has pinned."""
    add_skill(hermes_home, "demo", files={"references/a.md": "\ufeffone two".encode()})
    (hermes_home / "skills/.usage.json").write_text("{")
    twice = "---\nname: new\nname: new\ndescription: d\n---\nbody\n"
    for payload, words in (
        ({"action": "create", "name": "new", "content": twice}, "twice: 0.22 agents refuse it"),
        ({"action": "create", "name": "new", "content": skill_text("new", description="d" * 61)}, "has 61 characters"),
        ({"action": "create", "name": "venv", "content": skill_text("venv")}, "never look into a folder called 'venv'"),
        (
            {"action": "patch", "name": "demo", "file_path": "references/a.md", "old_string": "two", "new_string": "3"},
            "starts with a byte order mark, which is kept",
        ),
        ({"action": "delete", "name": "demo"}, "it is not known whether the skill is pinned"),
        ({"action": "batch", "operations": [{"action": "delete", "name": "demo"}]}, ".usage.json cannot be read"),
        ({"action": "delete", "name": "demo", "absorbed_into": " "}, ".usage.json cannot be read"),
    ):
        found = preview(hermes_home, **payload)
        assert found.verdict == "applies", (payload, found)
        assert any(words in note for note in found.notes), (payload, found.notes)


def test_a_passage_or_a_file_that_is_not_there_and_a_name_that_is_taken_are_said(hermes_home: Path) -> None:
    """One would look for the reason in the wrong place."""
    add_skill(hermes_home, "demo")
    (hermes_home / "skills/full").mkdir()
    (hermes_home / "skills/full/left.txt").write_text("x")
    patch = {"action": "patch", "name": "demo", "old_string": "nowhere", "new_string": "x"}
    for payload, short in (
        ({**patch, "file_path": "references/none.md"}, "file not found"),
        (patch, "no match"),
        ({**patch, "replace_all": True}, "no match"),
        ({"action": "create", "name": "full", "content": skill_text("full")}, "name taken"),
        ({"action": "create", "name": "demo", "content": skill_text("demo", "Other.\n")}, "name taken"),
        ({"action": "create", "name": "new", "content": "---\nname: \ud800\n---\nbody"}, "bad frontmatter"),
        ({"action": "create", "name": "new", "content": "---\nname: n\ndescription: [a]\n---\nb"}, "bad frontmatter"),
        ({"action": "create", "name": "new", "content": " \n"}, "content blank"),
    ):
        found = preview(hermes_home, **payload)
        assert (found.short, found.changes) == (short, ()), (payload, found)


def test_files_that_cannot_be_read_block_their_own_record_only(hermes_home: Path) -> None:
    """A folder in place of a file would end the preview with a crash."""
    folder = add_skill(hermes_home, "demo", files={"references/bin": b"\xff\xfehello", "references/dir/x": b""})
    (folder / "assets").write_text("a file")
    os.mkfifo(folder / "references/pipe")
    edit = {"old_string": "hello", "new_string": "x"}
    assert preview(hermes_home, action="patch", name="demo", file_path="references/bin", **edit).short == "not text"
    for path in ("references/dir", "references/pipe", "assets/a"):
        assert preview(hermes_home, action="patch", name="demo", file_path=path, **edit).verdict == "blocked"
        written = preview(hermes_home, action="write_file", name="demo", file_path=path, file_content="x")
        assert written.verdict == "blocked"
        assert written.reason.endswith(".")
    assert preview(hermes_home, action="delete", name="demo").short == "no plain file"


def test_one_look_at_the_folders_serves_a_whole_queue(hermes_home: Path) -> None:
    """Hundreds of records would each walk all skills."""
    add_skill(hermes_home, "demo")
    home = HermesHome(hermes_home, "default", "--home")
    index = read_index(home, external_dirs(home))
    (hermes_home / "skills/late").mkdir()
    record = record_of({"action": "edit", "name": "demo", "content": NEW})
    assert preview_skill(home, (), record, index=index) == preview_skill(home, (), record)
    assert [skill.place for skill in index.skills] == ["demo"]
