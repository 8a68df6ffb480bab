"""`hermes-tui sessions title`: what it would write, what it writes, and what leaves the machine."""

from __future__ import annotations

import builtins
import os
import pty
import select
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hermes_tui.cli.sessions import sessions
from hermes_tui.cli.sessions_title import title
from tests.cli.conftest import Ran, Run, tree
from tests.http_server import hangs, sends
from tests.sessions.title_server import TitleServer, says
from tests.sessions.world import World

KEY = "sk-test-0123456789abcdefghijklmnop"
SECRET = "sk-proj-abcdefghijklmnop1234567890"
LOGS, KEYS, TIP, SILENT, NAMED = "20260101_a", "20260102_b", "20260104_d", "20260105_e", "20260106_f"


@pytest.fixture
def world(hermes_home: Path) -> Iterator[World]:
    """Conversations with and without titles, of every kind."""
    made = World(hermes_home / "state.db", "0.22")
    made.session(LOGS, "please rotate the nginx logs every night", "With logrotate.")
    made.session(KEYS, f"why is the key {SECRET} refused by the server?", "It has expired.", source="telegram")
    made.session("20260103_c", "compare rust with zig", "Both are fine.", end_reason="compression", ended_at=1.0)
    made.session(TIP, "[CONTEXT COMPACTION] all of it", "go on", parent_session_id="20260103_c")
    made.session(SILENT)
    made.say(SILENT, "only the agent spoke", role="assistant")
    made.run("UPDATE sessions SET message_count = 1 WHERE id = ?", (SILENT,))
    made.session(NAMED, "something about gardens", "ok", title="Gardens")
    made.session("20260107_g", "nightly report of the weather", "done", source="cron")
    made.session("20260108_h", "put away long ago", "ok", archived=1)
    made.session("20260109_i")
    yield made
    made.close()


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[TitleServer]:
    """A server that is configured to write titles."""
    with TitleServer() as made:
        monkeypatch.setenv("HERMES_TUI_TITLE_BASE_URL", made.base_url)
        monkeypatch.setenv("HERMES_TUI_TITLE_MODEL", "tiny")
        monkeypatch.setenv("HERMES_TUI_TITLE_API_KEY", KEY)
        made.behaviours = [lambda handler: says(f"A fine title {len(made.asked)}")(handler)]
        yield made


@pytest.fixture(autouse=True)
def registered() -> None:
    """The command in its group."""
    sessions.add_command(title)


def rows(shown: Ran) -> dict[str, tuple[Any, ...]]:
    """Title, source and whether it was written, by id."""
    return {row["id"]: (row["title"], row["source"], row["written"]) for row in shown.json["titles"]}


def stored(world: World) -> dict[str, tuple[str, str | None]]:
    """The titles in the database, with their source."""
    found = world.connection.execute("SELECT id, title, title_source FROM sessions WHERE title IS NOT NULL")
    return {row[0]: (row[1], row[2]) for row in found}


def test_a_dry_run_lists_what_would_be_written_and_writes_nothing(run: Run, world: World, hermes_home: Path) -> None:
    """A person could not look first."""
    world.close()
    before = tree(hermes_home)
    shown = run("sessions", "title", "--all", "--dry-run", "--json")
    assert shown.code == 0
    assert shown.json["dry_run"] is True
    found = rows(shown)
    assert set(found) == {LOGS, KEYS, TIP, SILENT}
    assert "nginx" in found[LOGS][0]
    assert "rust" in found[TIP][0]
    assert found[SILENT] == (None, "derived", False)
    assert {written for _, _, written in found.values()} == {False}
    assert list(shown.json["titles"][0]) == ["id", "title", "source", "written", "reason"]
    assert tree(hermes_home) == before
    plain = run("sessions", "title", "--all", "--dry-run")
    assert (plain.code, plain.out.count("\n")) == (0, 4)
    assert f"{SILENT}  (Nobody said anything in it.)" in plain.out
    assert "Left out: 1 archived, 1 scheduled" in plain.err


def test_titles_are_written_after_yes_and_undo_takes_them_back(run: Run, world: World) -> None:
    """Titles would not be saved, or one could not get rid of them again."""
    done = run("sessions", "title", "--all", "--yes", "--json")
    assert done.code == 0
    found = rows(done)
    assert {id: written for id, (_, _, written) in found.items()} == {LOGS: True, KEYS: True, TIP: True, SILENT: False}
    kept = stored(world)
    assert kept[LOGS] == (found[LOGS][0], "derived")
    assert kept[NAMED] == ("Gardens", None)
    assert "20260103_c" not in kept
    assert SECRET not in str(kept)
    again = run("sessions", "title", "--all", "--yes", "--json")
    assert (again.code, set(rows(again))) == (0, {SILENT})
    assert run("sessions", "undo").code == 0
    assert stored(world) == {NAMED: ("Gardens", None)}


def test_filters_and_a_limit_say_which(run: Run, world: World) -> None:
    """All of a year would get titles where the last week was meant."""
    world.run("UPDATE sessions SET started_at = 1735732800 WHERE id = ?", (LOGS,))
    world.run("UPDATE messages SET timestamp = 1735732800 WHERE session_id = ?", (LOGS,))

    def chosen(*words: str) -> set[str]:
        return {
            id for id, row in rows(run("sessions", "title", "--all", "--dry-run", "--json", *words)).items() if row[0]
        }

    assert chosen("--source", "telegram") == {KEYS}
    assert chosen("--before", "2025-06") == {LOGS}
    assert chosen("--after", "2025-06") == {KEYS, TIP}
    assert chosen("--hidden") == {LOGS, KEYS, TIP, "20260107_g"}
    assert chosen("--archived", "only") == {"20260108_h"}
    assert chosen("--limit", "1") == {TIP}
    assert chosen("--limit", "2") == {TIP, KEYS}


def test_the_newest_part_of_a_named_conversation_gets_the_title(run: Run, world: World) -> None:
    """A conversation that was compacted would be named where nobody resumes it."""
    done = run("sessions", "title", "20260103_c", "--yes", "--json")
    assert (done.code, list(rows(done))) == (0, [TIP])
    assert set(stored(world)) == {TIP, NAMED}


@pytest.mark.usefixtures("world")
def test_one_that_has_a_title_keeps_it_and_the_exit_code_says_so(run: Run) -> None:
    """A script would think that it had named the session."""
    done = run("sessions", "title", "Gardens", LOGS, "--yes", "--json")
    assert done.code == 1
    assert done.json["error"]["code"] == "titled"
    assert [row["written"] for row in done.json["titles"]] == [False, True]
    assert "It is called “Gardens”; `rename` changes it." in done.json["titles"][0]["reason"]
    assert run("sessions", "title", SILENT, "--yes").code == 1
    assert run("sessions", "title", "nowhere", "--yes").code == 1


@pytest.mark.parametrize(
    "words", [(), ("--all", LOGS), (LOGS, "--source", "cli"), ("--all", "--after", "soon"), ("--all", "--limit", "0")]
)
@pytest.mark.usefixtures("world")
def test_what_cannot_be_meant_is_wrong_usage(run: Run, words: tuple[str, ...]) -> None:
    """The command would do something else than was meant."""
    assert run("sessions", "title", *words).code == 2


def test_nobody_to_ask_means_no(run: Run, world: World) -> None:
    """A script without --yes would write what nobody has seen."""
    asked = run("sessions", "title", "--all", "--json")
    assert (asked.code, asked.json["error"]["code"]) == (1, "not_confirmed")
    assert LOGS in asked.err
    assert set(stored(world)) == {NAMED}
    assert run("sessions", "title", "--all", "--yes", "--read-only").code == 1
    assert set(stored(world)) == {NAMED}


def test_a_title_that_is_taken_gets_a_number_and_that_is_said(run: Run, world: World) -> None:
    """The list would show another title than was written."""
    world.session("20260110_j", "please rotate the nginx logs every night", "Again.")
    done = run("sessions", "title", "--all", "--yes", "--json")
    first, second = (next(row for row in done.json["titles"] if row["id"] == id) for id in ("20260110_j", LOGS))
    assert second["title"] == f"{first['title']} #2"
    assert stored(world)[LOGS][0] == second["title"]
    assert "another conversation has that title" in second["reason"]


@pytest.mark.usefixtures("world")
def test_titles_from_the_first_words_open_no_connection(
    run: Run, server: TitleServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Something would leave the machine although nobody asked for a model."""
    real = builtins.__import__

    def without(name: str, *args: Any, **named: Any) -> Any:
        assert name.split(".")[0] != "httpx"
        return real(name, *args, **named)

    def blocked(*_: object, **__: object) -> None:
        raise AssertionError("a connection was opened")

    monkeypatch.setattr(builtins, "__import__", without)
    for name in ("socket", "create_connection", "getaddrinfo"):
        monkeypatch.setattr(socket, name, blocked)
    for words in (("--dry-run",), ("--derive", "--yes")):
        assert run("sessions", "title", "--all", *words).code == 0
    assert server.asked == []


def test_without_a_server_a_model_is_refused_with_the_way_to_name_one(run: Run, world: World) -> None:
    """A person would not know what to set."""
    done = run("sessions", "title", "--all", "--model", "--yes", "--json")
    assert (done.code, done.json["error"]["code"]) == (1, "model_unconfigured")
    assert "HERMES_TUI_TITLE_BASE_URL" in done.json["error"]["hint"]
    assert set(stored(world)) == {NAMED}


def test_a_models_titles_are_written_as_its_own(run: Run, world: World, server: TitleServer) -> None:
    """Nobody could tell who gave a title, and the agent would change it."""
    done = run("sessions", "title", "--all", "--model", "--yes", "--json")
    assert done.code == 0, done.err
    found = rows(done)
    assert len(server.asked) == 3
    assert {found[id][1:] for id in (LOGS, KEYS, TIP)} == {("llm", True)}
    assert stored(world)[LOGS] == (found[LOGS][0], "llm")
    sends = done.json["sends"]
    assert (sends["model"], sends["conversations"], sends["sent"]) == ("tiny", 3, True)
    told = "".join(request.told for request in server.asked)
    assert "compare rust with zig" in told
    assert "COMPACTION" not in told
    assert SECRET not in told
    assert KEY not in done.out + done.err
    where = f"127.0.0.1:{server.server_port} (this machine)"
    assert f"The beginning of 3 conversations goes to {where}, model tiny (HERMES_TUI_TITLE_BASE_URL)" in done.err
    assert "with the key sk-tes...mnop from HERMES_TUI_TITLE_API_KEY" in done.err


def test_a_dry_run_with_a_model_shows_what_would_be_sent_and_sends_nothing(
    run: Run, world: World, server: TitleServer
) -> None:
    """What leaves the machine could only be seen after it has left."""
    shown = run("sessions", "title", "--all", "--model", "--dry-run", "--json")
    assert shown.code == 0
    assert server.asked == []
    texts = {text["id"]: text for text in shown.json["sends"]["texts"]}
    assert texts[LOGS] == {"id": LOGS, "first": "please rotate the nginx logs every night", "answer": "With logrotate."}
    assert SECRET not in str(texts)
    assert shown.json["sends"]["sent"] is False
    plain = run("sessions", "title", LOGS, "--model", "--dry-run")
    assert "User: please rotate the nginx logs every night\nAssistant: With logrotate." in plain.out
    assert "Nothing was sent." in plain.err
    asked = run("sessions", "title", LOGS, "--model", "--dry-run", "--yes", "--json")
    assert (asked.code, rows(asked)[LOGS]) == (0, ("A fine title 1", "llm", False))
    assert set(stored(world)) == {NAMED}


def test_without_yes_nothing_is_sent(run: Run, world: World, server: TitleServer) -> None:
    """A script would send what nobody has agreed to."""
    done = run("sessions", "title", "--all", "--model")
    assert done.code == 1
    assert "Send the beginning of 3 conversations to 127.0.0.1" in done.err
    assert server.asked == []
    assert set(stored(world)) == {NAMED}


def test_an_answer_that_is_no_title_gives_way_to_the_first_words(run: Run, world: World, server: TitleServer) -> None:
    """A session would be called “I'm sorry”, or by the model although it has said nothing of use."""
    server.behaviours = [says("I'm sorry, I cannot help with that.")]
    done = run("sessions", "title", LOGS, "--model", "--yes", "--json")
    assert done.code == 0
    assert "nginx" in rows(done)[LOGS][0]
    assert stored(world)[LOGS][1] == "derived"
    assert "The title is from the first words." in done.json["titles"][0]["reason"]


def test_a_server_that_gives_up_halfway_leaves_what_it_gave(run: Run, world: World, server: TitleServer) -> None:
    """Titles that were paid for would be lost, and the failure not be said."""
    server.behaviours = [says("A fine title"), sends(401, {"error": {"message": f"bad key {KEY}"}})]
    done = run("sessions", "title", "--all", "--model", "--yes", "--json")
    assert (done.code, done.json["error"]["code"]) == (1, "model_refused")
    assert "with 1 conversation left" in done.json["error"]["message"]
    assert KEY not in done.out + done.err
    assert [row[2] for row in rows(done).values()].count(True) == 1
    assert "A fine title" in {title for title, _ in stored(world).values()}
    plain = run("sessions", "title", "--all", "--model", "--yes")
    assert "The model was not asked" not in plain.out


def test_the_older_agents_database_gets_titles_without_a_source(run: Run, hermes_home: Path) -> None:
    """Nothing could be named where the agent has not been updated."""
    old = World(hermes_home / "state.db", "0.13")
    old.session(LOGS, "please rotate the nginx logs every night", "ok")
    assert run("sessions", "title", LOGS, "--yes").code == 0
    assert "nginx" in old.connection.execute("SELECT title FROM sessions").fetchone()[0]
    old.close()


ALONE = (
    "from hermes_tui.cli.sessions import sessions; from hermes_tui.cli.sessions_title import title;"
    " sessions.add_command(title); from hermes_tui.cli.main import main; main()"
)


def answering(words: list[str], answers: dict[str, str], home: Path) -> tuple[int, str]:
    """Run the command on a terminal of its own, and type an answer to each question."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-c", ALONE, "sessions", "title", "--home", str(home), *words],
        stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True,
    )  # fmt: skip
    os.close(theirs)
    seen = ""
    deadline = time.monotonic() + 20
    while process.poll() is None and time.monotonic() < deadline:
        if select.select([ours], [], [], 0.05)[0]:
            try:
                seen += os.read(ours, 65_536).decode()
            except OSError:
                break
        for question, answer in list(answers.items()):
            if question in seen:
                os.write(ours, answer.encode())
                del answers[question]
    code_of = process.wait(10)
    os.close(ours)
    return code_of, seen


def test_a_person_is_asked_before_sending_and_before_writing(
    world: World, server: TitleServer, hermes_home: Path
) -> None:
    """One key would be enough to send and to write."""
    answers = {"Send the beginning": "y\n", "Write 1 title?": "n\n"}
    code, seen = answering([LOGS, "--model"], answers, hermes_home)
    assert (code, answers) == (1, {}), seen
    assert "A fine title 1" in seen
    assert len(server.asked) == 1
    assert set(stored(world)) == {NAMED}
    code, seen = answering([LOGS], {"Write 1 title?": "y\n"}, hermes_home)
    assert code == 0, seen
    assert "1 title written." in seen
    assert set(stored(world)) == {LOGS, NAMED}


def test_control_c_ends_a_request_that_hangs(world: World, server: TitleServer, hermes_home: Path) -> None:
    """The terminal would be stuck for as long as the server likes."""
    server.behaviours = [hangs]
    process = subprocess.Popen(
        [sys.executable, "-c", ALONE, "sessions", "title", "--home", str(hermes_home), LOGS, "--model", "--yes"],
        stderr=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        text=True,
    )
    deadline = time.monotonic() + 20
    while not server.asked and time.monotonic() < deadline:
        time.sleep(0.02)
    begun = time.monotonic()
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=10)
    assert time.monotonic() - begun < 2
    assert process.returncode == 130, said
    assert "Traceback" not in said
    assert set(stored(world)) == {NAMED}
