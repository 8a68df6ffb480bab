"""Skill writes staged by the real agents: what ours would do equals what the agent's own approve does."""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from hermes_tui.home import HermesHome
from hermes_tui.pending.records import list_records
from hermes_tui.pending.skills import SkillPreview, external_dirs, preview_skill
from tests.interop.conftest import JsonLines, environment, python_of
from tests.pending.skill_home import add_skill, carry_out, files_in, preview, skill_text, taken_back

LINES = ["0.19", "0.22"]
DRIVER = Path(__file__).with_name("peers") / "drive_skills.py"
BOOKKEEPING = (".usage.json", ".locks/", ".curator_ledger.jsonl", ".archive/")
"""What the agent keeps besides the skills, and what only ours keeps."""
EXTRA = "skills:\n  write_approval: true\n  external_dirs: [team]\n"

Start = Callable[[str, Path], JsonLines]


@pytest.fixture
def start_skills(isolated_machine: Path) -> Iterator[Start]:
    """Starts a real agent of a line that stages and approves skill writes in a home."""
    started: list[JsonLines] = []

    def start(line: str, home: Path) -> JsonLines:
        agent = JsonLines([python_of(line), str(DRIVER)], environment(isolated_machine, home))
        started.append(agent)
        assert agent.read()["ready"]
        return agent

    yield start
    for agent in started:
        agent.close()


@pytest.fixture(scope="module")
def move_in(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str, Path], tuple[JsonLines, Path]]]:
    """Gives an agent of a line, which lives on from case to case, a home in the place of its last one."""
    folder = tmp_path_factory.mktemp("moving")
    living: dict[str, JsonLines] = {}

    def move(line: str, home: Path) -> tuple[JsonLines, Path]:
        place = folder / line
        shutil.rmtree(place, ignore_errors=True)
        home.rename(place)
        if line not in living:
            living[line] = JsonLines([python_of(line), str(DRIVER)], environment(folder, place))
            assert living[line].read()["ready"]
        return living[line], place

    yield move
    for agent in living.values():
        agent.close()


def furnish(home: Path) -> None:
    """The skills that every case starts from."""
    add_skill(
        home,
        "demo",
        skill_text("demo", "# Steps\n\n  - first  \n  - second\n\nSay “hi” – it’s late…\nfoo\nfoo\n"),
        {"references/a.md": b"one\r\ntwo\r\n", "references/sub/b": b"only", "assets/raw": b"\x00\xff"},
    )
    add_skill(home, "tools/other", skill_text("other"))
    add_skill(home, "team-skill")
    add_skill(home, str(home / "team/shared"))
    managed = {name: {"created_by": "agent"} for name in ("demo", "other")}  # so that a review may delete them
    (home / "skills/.usage.json").write_text(json.dumps({**managed, "team-skill": {"pinned": True}}))


def skill_files(home: Path) -> dict[str, bytes]:
    """All files of skills, without the agent's bookkeeping."""
    found = {f"skills/{name}": data for name, data in files_in(home / "skills").items()}
    found |= {f"team/{name}": data for name, data in files_in(home / "team").items()}
    return {name: data for name, data in found.items() if not name.removeprefix("skills/").startswith(BOOKKEEPING)}


def folders_of(home: Path) -> set[str]:
    """All folders of skills."""
    paths = [path for root in ("skills", "team") for path in (home / root).rglob("*") if path.is_dir()]
    names = {path.relative_to(home).as_posix() for path in paths}
    return {name for name in names if "/.locks" not in name and "/.archive" not in name}


NEW = skill_text("fresh", "New.\r\nLines.\n")
ACCEPTED: dict[str, dict[str, Any]] = {
    "create": {"action": "create", "name": "fresh", "content": NEW},
    "create in a category": {"action": "create", "name": "fresh", "category": "tools", "content": NEW},
    "create in a new category": {"action": "create", "name": "fresh", "category": "new.one", "content": NEW},
    "edit": {"action": "edit", "name": "other", "content": skill_text("renamed", "Other.\n")},
    "edit in an external folder": {"action": "edit", "name": "shared", "content": NEW},
    "patch": {"action": "patch", "name": "other", "old_string": "Run the", "new_string": "Skip the"},
    "patch of a file with other line ends": {
        "action": "patch",
        "name": "demo",
        "file_path": "references/a.md",
        "old_string": "two",
        "new_string": "three",
    },
    "patch everywhere": {
        "action": "patch",
        "name": "demo",
        "old_string": "foo",
        "new_string": "bar",
        "replace_all": True,
    },
    "patch with other blanks": {
        "action": "patch",
        "name": "demo",
        "old_string": "- first\n- second",
        "new_string": "- first\n  - inner\n- third",
    },
    "patch with other quotes": {
        "action": "patch",
        "name": "demo",
        "old_string": 'Say "hi" - it\'s late...',
        "new_string": 'Say "ho" - it\'s late...',
    },
    "patch to nothing": {"action": "patch", "name": "demo", "old_string": "# Steps\n", "new_string": ""},
    "write a new file": {
        "action": "write_file",
        "name": "demo",
        "file_path": "scripts/deep/x.sh",
        "file_content": "a\r\nü",
    },
    "write over a file": {
        "action": "write_file",
        "name": "demo",
        "file_path": "references/a.md",
        "file_content": "new",
    },
    "write an empty file": {"action": "write_file", "name": "demo", "file_path": "assets/e", "file_content": ""},
    "write SKILL.md": {"action": "write_file", "name": "demo", "file_path": "SKILL.md", "file_content": NEW},
    "remove a file": {"action": "remove_file", "name": "demo", "file_path": "assets/raw"},
    "remove the last file of a folder": {"action": "remove_file", "name": "demo", "file_path": "references/sub/b"},
    "delete": {"action": "delete", "name": "demo"},
    "delete the last of a category": {"action": "delete", "name": "other", "absorbed_into": "demo"},
    "delete in an external folder": {"action": "delete", "name": "shared"},
}
BATCH = [
    {"action": "create", "name": "fresh", "content": NEW},
    {"action": "patch", "name": "fresh", "old_string": "Lines", "new_string": "Words"},
    {"action": "patch", "name": "demo", "old_string": "- first  ", "new_string": "- 1st"},
    {"action": "patch", "name": "demo", "old_string": "1st", "new_string": "First"},
    {"action": "write_file", "name": "demo", "file_path": "references/c", "file_content": "c"},
    {"action": "remove_file", "name": "demo", "file_path": "assets/raw"},
    {"action": "patch", "name": "other", "content": skill_text("other", "Whole.\n")},
]
REFUSED: dict[str, dict[str, Any]] = {
    "bad name": {"action": "create", "name": "../x", "content": NEW},
    "taken name": {"action": "create", "name": "other", "content": NEW},
    "bad category": {"action": "create", "name": "fresh", "category": "a/b", "content": NEW},
    "no frontmatter": {"action": "create", "name": "fresh", "content": "text"},
    "no body": {"action": "edit", "name": "demo", "content": "---\nname: demo\ndescription: d\n---\n"},
    "too long": {"action": "edit", "name": "demo", "content": skill_text("demo", "x" * 100_000)},
    "missing skill": {"action": "patch", "name": "gone", "old_string": "a", "new_string": "b"},
    "two matches": {"action": "patch", "name": "demo", "old_string": "foo", "new_string": "bar"},
    "breaks the head": {"action": "patch", "name": "demo", "old_string": "name: demo\n", "new_string": ""},
    "path leads out": {"action": "write_file", "name": "demo", "file_path": "../x", "file_content": "x"},
    "path elsewhere": {"action": "write_file", "name": "demo", "file_path": "other/x", "file_content": "x"},
    "wrong key": {"action": "write_file", "name": "demo", "file_path": "references/x", "content": "x"},
    "too large": {"action": "write_file", "name": "demo", "file_path": "assets/x", "file_content": "x" * 100_001},
    "no such file": {"action": "remove_file", "name": "demo", "file_path": "references/nope"},
    "no such heir": {"action": "delete", "name": "demo", "absorbed_into": "gone"},
    "its own heir": {"action": "delete", "name": "demo", "absorbed_into": "demo"},
    "pinned": {"action": "delete", "name": "team-skill"},
}


def stage(agent: JsonLines, home: Path, payload: dict[str, Any], *, review: bool) -> dict[str, Any]:
    """Have the agent stage a write and return its own record."""
    arguments = {"name": "", **payload} if payload["action"] == "batch" else payload
    agent.ask({"do": "manage", "args": arguments, "review": review})
    (path,) = (home / "pending/skills").glob("*.json")
    record: dict[str, Any] = json.loads(path.read_text())
    return record


def preview_staged(home: Path) -> SkillPreview:
    """What ours says of the one record that waits in a home."""
    hermes_home = HermesHome(home, "default", "--home")
    (record,) = list_records(hermes_home, "skills")
    return preview_skill(hermes_home, external_dirs(hermes_home), record)


CASES = [
    (line, review, case)
    for line in LINES
    for review in (False, True)
    for case in (*ACCEPTED, *(["batch"] if line == "0.22" else []))
    if not (review and "external" in case)  # a review leaves external folders alone: nothing is staged
]


@pytest.mark.parametrize(("line", "review", "case"), CASES)
def test_what_the_agent_accepts_leaves_the_same_files(
    line: str,
    review: bool,
    case: str,
    make_home: Callable[..., Path],
    move_in: Callable[[str, Path], tuple[JsonLines, Path]],
) -> None:
    """Approving here would leave other skills than approving in the agent."""
    payload: dict[str, Any] = {"action": "batch", "operations": BATCH} if case == "batch" else ACCEPTED[case]
    furnished = make_home("theirs", extra=EXTRA)
    furnish(furnished)
    agent, theirs = move_in(line, furnished)
    record = stage(agent, theirs, payload, review=review)
    ours = furnished.with_name("ours")
    shutil.copytree(theirs, ours, symlinks=True)
    found = preview_staged(ours)
    assert found.verdict == "applies", found.reason
    before = files_in(ours)
    result = agent.ask({"do": "approve", "payload": record["payload"]})["result"]
    assert result["success"], result
    roots = (ours / "skills", ours / "team")
    assert all(any(root in Path(change.path).parents for root in roots) for change in found.changes)
    carry_out(found.changes, found.emptied)
    assert skill_files(ours) == skill_files(theirs)
    assert folders_of(ours) == folders_of(theirs)
    if payload["action"] == "delete":
        gone = before.keys() - files_in(ours).keys()
        kept = files_in(ours / "skills/.archive" / payload["name"])
        assert sorted(before[name] for name in gone) == sorted(kept.values())
    carry_out(taken_back(found.changes))
    assert files_in(ours) == before


@pytest.mark.parametrize("line", LINES)
def test_what_the_agent_refuses_is_said_before_the_click(
    line: str, make_home: Callable[..., Path], start_skills: Start
) -> None:
    """A person would approve and only then be told that it cannot be done."""
    home = make_home("theirs", extra=EXTRA)
    furnish(home)
    agent = start_skills(line, home)
    before = skill_files(home)
    for case, payload in REFUSED.items():
        record = stage(agent, home, payload, review=False)
        found = preview_staged(home)
        assert found.verdict != "applies", case
        assert found.changes == ()
        assert not agent.ask({"do": "approve", "payload": record["payload"]})["result"]["success"], case
        assert skill_files(home) == before, case
        for path in (home / "pending/skills").glob("*.json"):
            path.unlink()


SAFER: dict[str, tuple[dict[str, Any], str]] = {
    "a broken SKILL.md": (
        {"action": "write_file", "name": "demo", "file_path": "SKILL.md", "file_content": "no frontmatter"},
        "would not be a skill",
    ),
    "no SKILL.md at all": ({"action": "remove_file", "name": "demo", "file_path": "SKILL.md"}, "is no skill any more"),
    "a guess": (
        {"action": "patch", "name": "demo", "old_string": "say “HI” – it’s late…", "new_string": "x"},
        "No match",
    ),
    "a link out of the skill": (
        {"action": "edit", "name": "linked", "content": NEW},
        "is a link",
    ),
    "the built-in": ({"action": "delete", "name": "plan"}, "built into the agent"),
}


@pytest.mark.parametrize("line", LINES)
@pytest.mark.parametrize("case", list(SAFER))
def test_where_the_agent_does_harm_ours_says_why_not(
    line: str, case: str, make_home: Callable[..., Path], start_skills: Start
) -> None:
    """Approving would break a skill or write outside of it."""
    home = make_home("theirs", extra=EXTRA)
    furnish(home)
    add_skill(home, "plan")
    linked = add_skill(home, "linked")
    (linked / "SKILL.md").rename(home / "elsewhere.md")
    (linked / "SKILL.md").symlink_to(home / "elsewhere.md")
    payload, reason = SAFER[case]
    found = preview(home, **payload)
    assert found.verdict in ("blocked", "invalid", "no_match")
    assert reason in found.reason
    agent = start_skills(line, home)
    assert agent.ask({"do": "approve", "payload": payload})["result"]["success"]


WORDS = ["alpha", "beta", "run", "the", "file", "–", "it’s", "“quoted”", "don't", '"x"', "a-b", "--", "…", "...", "-"]
WORDS += ["*", "`code`", "naïve", "日本", "#", "a\u00a0b"]


def passage(rng: random.Random) -> str:
    """A line or a few, with typography and odd blanks."""
    indent, gap = rng.choice(["", "", "  ", "    ", "\t", "- "]), rng.choice([" ", " ", "  "])
    return indent + gap.join(rng.choice(WORDS) for _ in range(rng.randint(1, 6))) + rng.choice(["", "", "  "])


def misremembered(rng: random.Random, text: str) -> str:
    """A passage as a model might write it down again."""
    choice = rng.randrange(6)
    if choice == 0:
        return "\n".join(line.strip() for line in text.split("\n"))
    if choice == 1:
        return text.translate({ord("“"): '"', ord("”"): '"', ord("’"): "'", ord("–"): "-", 160: " "})
    if choice == 2:
        return "\n".join("  " + line for line in text.split("\n"))
    if choice == 3:
        return text.replace("  ", " ")
    return text.replace(" ", "  ", 1) if choice == 4 else text


@pytest.mark.parametrize("line", LINES)
def test_a_patch_lands_where_the_agent_puts_it(line: str, make_home: Callable[..., Path], start_skills: Start) -> None:
    """The diff would show one place and the agent change another, or write it otherwise."""
    rng = random.Random("patches")
    home = make_home("theirs", extra=EXTRA)
    path = add_skill(home, "demo", files={"references/a": b""}) / "references/a"
    agent = start_skills(line, home)
    applied = refused = 0
    for number in range(600):
        lines = [rng.choice([passage(rng), passage(rng), ""]) for _ in range(rng.randint(1, 12))]
        at = rng.randrange(len(lines))
        lines += lines[at : at + 3] if rng.random() < 0.2 else []
        text = "\n".join(lines)
        old = misremembered(rng, "\n".join(lines[at : at + rng.randint(1, 3)]))
        new = rng.choice([passage(rng), old + "\n" + passage(rng), old.replace("a", "o", 1), ""])
        path.write_text(text)
        payload = {"action": "patch", "name": "demo", "file_path": "references/a", "old_string": old, "new_string": new}
        found = preview(home, **payload)
        result = agent.ask({"do": "approve", "payload": payload})["result"]
        where = f"patch {number}: {text!r}\nold {old!r}\nnew {new!r}\nours {found}\nagent {result}"
        if found.verdict == "applies":
            applied += 1
            assert result["success"], where
            assert path.read_bytes() == (found.changes[0].after if found.changes else text.encode()), where
        elif found.verdict == "ambiguous":
            refused += 1
            assert not result["success"], where
    assert applied > 200
    assert refused > 10
