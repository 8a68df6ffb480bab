"""Whether an entry has left a trace in later answers: rare words that turn up, and never a proof."""

from __future__ import annotations

import pytest

from hermes_tui.history.traces import Trace, rare_words, trace
from tests.every import every
from tests.history.conftest import Lives
from tests.history.life import DAY, START, Life
from tests.nasty import NASTY
from tests.sessions.world import SHAPES, Shape

ENTRY = "Deploys go through Jenkinsfile and buildkite on Friday"


def looked_up(life: Life, text: str, since: float | None = None) -> Trace:
    """What is found of a text."""
    with life.base() as base:
        return trace(base, text, since)


@pytest.mark.parametrize("shape", SHAPES)
def test_an_answer_with_the_rare_words_is_a_trace_and_leads_there(shape: Shape, live: Lives) -> None:
    """One could not tell whether an entry is of any use."""
    life = live(shape)
    life.session("a")
    said = "The JENKINSFILE goes through Buildkite every friday, deploys included."
    message = life.say("a", said, role="assistant")
    found = looked_up(life, ENTRY, START)
    assert (found.found, found.session_id, found.message_id) == (True, "a", message)
    assert found.words == ("jenkinsfile", "buildkite", "through")


def test_no_trace_says_what_was_looked_for(life: Life) -> None:
    """`no trace` without the words would look like a proof."""
    life.session("a")
    found = looked_up(life, ENTRY, START)
    assert (found.found, found.session_id, found.message_id) == (False, "", 0)
    assert set(found.words) >= {"jenkinsfile", "buildkite"}


def test_what_the_person_said_and_what_tools_gave_is_no_trace(life: Life) -> None:
    """The agent has not used it."""
    words = "through buildkite and the Jenkinsfile, deploys on Friday"
    life.session("a")
    life.say("a", words)
    life.say("a", words, role="tool", tool_name="terminal", tool_call_id="x")
    life.call("a", {"action": "add", "content": words}, {"success": True})
    assert not looked_up(life, ENTRY, START).found


def test_an_answer_from_before_the_entry_says_nothing(life: Life) -> None:
    """The entry would have been of use before it was there; also on the very day."""
    life.session("a")
    life.say("a", "through buildkite and the Jenkinsfile, deploys on Friday", role="assistant")
    said = life.now - 1
    assert looked_up(life, ENTRY, said - 1).found
    assert not looked_up(life, ENTRY, said + 1).found
    assert not looked_up(life, ENTRY, said + 2 * DAY).found
    assert looked_up(life, ENTRY).found


def test_one_of_the_words_is_not_enough(life: Life) -> None:
    """Anything would be a trace."""
    life.session("a")
    life.say("a", "The Jenkinsfile is fine.", role="assistant")
    assert not looked_up(life, ENTRY, START).found


def test_words_without_spaces_between_them_are_found_within_others(life: Life) -> None:
    """Nothing in Japanese would ever leave a trace."""
    life.session("a")
    said = life.say("a", "はい、金曜日のデプロイ手順書を確認します。", role="assistant")
    assert looked_up(life, "デプロイ手順書", START).message_id == said
    assert not looked_up(life, "デプロイ計画表", START).found


def test_the_longest_words_are_looked_for_and_short_ones_say_nothing() -> None:
    """`the` is in every answer."""
    assert rare_words(ENTRY)[0] == "jenkinsfile"
    assert len(rare_words(ENTRY)) == 3
    assert rare_words("a bit of tea at six") == ()
    assert rare_words("日本語のタイトル")
    assert rare_words("") == ()


def test_an_entry_without_a_rare_word_is_not_looked_for(life: Life) -> None:
    """It would be said to have left no trace."""
    life.session("a")
    assert looked_up(life, "tea at six") == Trace(())


def test_looking_stops_when_told_to(life: Life) -> None:
    """Leaving the program would wait for the end."""
    life.session("a")
    life.say("a", "through buildkite and the Jenkinsfile, deploys on Friday", role="assistant")
    with life.base() as base:
        assert not trace(base, ENTRY, START, lambda: True).found


@every("name", list(NASTY))
def test_odd_texts_can_be_looked_for(name: str, life: Life) -> None:
    """Quotes and operators in an entry would be taken for a search of their own."""
    if not life.world.rows("SELECT 1 FROM sessions"):
        life.session("a")
    assert not looked_up(life, NASTY[name] + " zyxwvutsrq", START).found
