"""The story of an entry, and all entries ever: edits, moves and merges follow it, and what is gone can be found."""

from __future__ import annotations

import json

import pytest

from hermes_tui.history.blame import Blame, story_of
from hermes_tui.history.changes import Change, State, with_returns
from hermes_tui.history.ever import Ever, entries_ever, search
from hermes_tui.history.history import Timeline
from hermes_tui.history.replay import Past
from hermes_tui.memory.entries import StoreName
from tests.every import every
from tests.history.conftest import Lives
from tests.history.life import DAY, START, Life, answer
from tests.nasty import NASTY


def blames(life: Life) -> dict[str, Blame]:
    """The story of each entry on disk."""
    timeline = life.timeline()
    return {blame.text: blame for blame in timeline.blame(life.views())}


def ever(timeline: Timeline) -> dict[str, Ever]:
    """All entries ever of the first store."""
    return {each.text: each for each in timeline.ever() if each.store == "memory"}


def change(at: float, before: str, after: str, **more: object) -> Change:
    """A change at a moment."""
    kind = "edit" if before and after else "add" if after else "remove"
    store = more.pop("store", "memory")
    return Change(store, kind, before, after, at, at, "tool call", "exact", **more)  # type: ignore[arg-type]


# Stories


def test_a_story_follows_every_edit_back_to_the_first_words(life: Life) -> None:
    """It would start over with each correction."""
    life.session("a")
    first = life.add("a", "Tea at five")
    life.wait(DAY)
    life.session("b")
    life.change("b", "Tea at five", "Tea at six")
    life.session("c")
    last = life.change("c", "Tea at six", "Coffee, always")
    blame = blames(life)["Coffee, always"]
    assert [(each.before, each.after) for each in blame.story] == [
        ("Tea at six", "Coffee, always"),
        ("Tea at five", "Tea at six"),
        ("", "Tea at five"),
    ]
    assert (blame.index, blame.by, blame.certainty) == (1, "tool call", "exact")
    assert blame.last is not None
    assert blame.first is not None
    assert (blame.last.message_id, blame.first.message_id) == (last, first)
    assert blame.first_seen == blame.first.until < START + DAY < (blame.last_changed or 0)


def test_a_beginning_that_is_only_likely_is_not_told_as_known(life: Life) -> None:
    """An entry would be said to be there since another one came, because the two begin alike."""
    life.stores["memory"] = ["Tea at five"]
    life.session("a")
    life.wait(DAY)
    life.stores["memory"] = ["Tea at six"]
    life.session("b")
    life.wait(DAY)
    life.session("c")
    life.change("c", "Tea at six", "Tea at six, always")
    blame = blames(life)["Tea at six, always"]
    assert [(each.kind, each.likely_edit) for each in blame.story] == [("edit", False), ("edit", True), ("add", False)]
    assert blame.first_seen == blame.story[1].until > START + DAY
    assert blame.likely_first_seen == blame.story[2].until < START + DAY
    life.wait(DAY)
    life.stores["memory"] = ["Prefers the metric system"]
    life.session("d")
    blame = blames(life)["Prefers the metric system"]
    assert [each.kind for each in blame.story] == ["add"]
    assert blame.likely_first_seen == blame.first_seen


def test_sessions_are_counted_that_ran_with_just_these_words(life: Life) -> None:
    """A session that was told something else would count."""
    life.session("a")
    life.add("a", "Tea at five")
    life.session("b")
    life.session("c")
    life.change("c", "Tea at five", "Tea at six")
    assert blames(life)["Tea at six"].sessions == 0
    life.session("d")
    assert blames(life)["Tea at six"].sessions == 1


@pytest.mark.parametrize("added_first", [True, False])
def test_an_entry_that_was_moved_keeps_its_story(added_first: bool, life: Life) -> None:
    """Its beginning in the other store would be lost; one message may hold both calls, in either order."""
    life.session("a")
    first = life.add("a", "Called Ann")
    life.wait(DAY)
    life.session("b")
    if added_first:
        message = life.add("b", "Called Ann", "user")
        life.remove("b", "Called Ann")
    else:
        message = life.remove("b", "Called Ann")
        life.add("b", "Called Ann", "user")
    calls = [json.loads(row[0]) for row in life.world.rows("SELECT tool_calls FROM messages WHERE id >= ? AND"
             " tool_calls IS NOT NULL ORDER BY id", (message,))]  # fmt: skip
    life.world.run("UPDATE messages SET tool_calls = ? WHERE id = ?", (json.dumps(calls[0] + calls[1]), message))
    life.world.run("UPDATE messages SET tool_calls = NULL WHERE id = ?", (message + 2,))
    story = blames(life)["Called Ann"].story
    assert [(each.store, each.kind, each.message_id) for each in story] == [
        ("user", "add", message),
        ("memory", "add", first),
    ]


def test_what_went_and_came_within_moments_was_moved_also_by_two_messages() -> None:
    """A move of ours that an agent undid by hand would begin a new story."""
    changes = [change(1, "", "Called Ann"), change(50, "Called Ann", ""), change(51, "", "Called Ann", store="user")]
    assert [(each.store, each.until) for each in story_of("user", "Called Ann", changes)] == [
        ("user", 51),
        ("memory", 1),
    ]


def test_what_came_and_went_at_once_has_no_part_in_its_own_story() -> None:
    """An entry would have come out of its own removal."""
    changes = [change(1, "", "tea", message_id=5), change(2, "tea", "", message_id=5)]
    assert [each.until for each in story_of("memory", "tea", changes)] == [1]


def test_the_same_words_in_both_stores_at_other_times_are_two_entries() -> None:
    """The story of another entry would be told."""
    changes = [change(1, "", "Called Ann"), change(50, "Called Ann", ""), change(90, "", "Called Ann", store="user")]
    assert [each.until for each in story_of("user", "Called Ann", changes)] == [90]


def test_entries_that_were_joined_into_one_are_where_it_came_from(life: Life) -> None:
    """A consolidation would wipe out where everything came from."""
    life.session("a")
    life.add("a", "Likes tea")
    life.add("a", "at five")
    operations = [
        {"action": "remove", "old_text": "Likes tea"},
        {"action": "remove", "old_text": "at five"},
        {"action": "add", "content": "Likes tea, at five"},
    ]
    life.stores["memory"] = ["Likes tea, at five"]
    merge = life.call("a", {"target": "memory", "operations": operations}, answer("memory", life.stores["memory"]))
    story = blames(life)["Likes tea, at five"].story
    assert [(each.kind, each.before or each.after) for each in story] == [
        ("add", "Likes tea, at five"),
        ("remove", "Likes tea"),
        ("add", "Likes tea"),
    ]
    assert story[0].message_id == merge


def test_an_entry_that_came_back_begins_anew() -> None:
    """It would be said to have been there all the time."""
    changes = [change(1, "", "tea"), change(2, "tea", ""), change(9, "", "tea")]
    assert [each.until for each in story_of("memory", "tea", changes)] == [9]


def test_a_circle_of_edits_comes_to_an_end() -> None:
    """Words that came back would be followed forever."""
    changes = [change(1, "", "a"), change(2, "a", "b"), change(3, "b", "a"), change(4, "a", "b")]
    assert [each.until for each in story_of("memory", "b", changes)] == [4, 3, 2, 1]


def test_an_entry_of_which_nothing_is_known_has_no_story() -> None:
    """A made-up author would be shown."""
    blame = Blame("memory", 1, "tea", (), 0)
    assert (blame.first, blame.last, blame.first_seen, blame.last_changed) == (None, None, None, None)
    assert (blame.by, blame.certainty) == ("outside edit or unknown", "unknown")


def test_repeats_on_disk_have_the_same_story(life: Life) -> None:
    """The second of two would have come from nowhere."""
    life.session("a")
    life.add("a", "tea")
    life.save()
    life.file("memory").write_text("tea\n§\ntea")
    found = life.history().timeline(life.views()).blame(life.views())
    assert [(each.index, each.text, each.by) for each in found] == [(1, "tea", "tool call"), (2, "tea", "tool call")]


# All entries ever


def test_every_entry_that_ever_was_is_found_with_its_times(life: Life) -> None:
    """What was deleted could not be brought back."""
    life.stores["memory"] = ["tea"]
    life.session("a")
    life.add("a", "ale")
    life.wait(DAY)
    life.session("b")
    life.remove("b", "tea")
    life.session("c")
    found = ever(life.timeline())
    assert set(found) == {"tea", "ale"}
    assert (found["ale"].until, found["ale"].sessions) == (None, 2)
    assert START + DAY < (found["tea"].until or 0) < START + 2 * DAY
    assert found["tea"].sessions == 2
    assert found["tea"].since < found["ale"].since


def test_what_came_and_went_between_two_sessions_is_among_them(life: Life) -> None:
    """The agent wrote it and took it back before anybody saw it."""
    life.stores["memory"] = ["tea"]
    life.session("a")
    life.add("a", "for a moment")
    life.remove("a", "for a moment")
    life.session("b")
    found = ever(life.timeline())["for a moment"]
    assert found.until is not None
    assert found.sessions == 0


@pytest.mark.parametrize("shape", ["0.19", "0.22"])
def test_what_was_deleted_before_anything_was_seen_is_whole_where_the_answer_names_it(shape: str, live: Lives) -> None:
    """On the newer line it can be brought back; on the older a piece of it must not pass for the entry."""
    life = live("0.22" if shape == "0.22" else "0.19")
    life.session("a", told=False)
    result = answer("memory", ["ale"], **({"removed_entry": "tea, black"} if shape == "0.22" else {}))
    life.call("a", {"action": "remove", "target": "memory", "old_text": "tea"}, result)
    life.stores["memory"] = ["ale"]
    life.session("b")
    assert set(ever(life.timeline())) == ({"tea, black", "ale"} if shape == "0.22" else {"ale"})


def test_the_whole_new_words_of_an_entry_that_nobody_saw_are_an_entry(live: Lives) -> None:
    """What the older line wrote over and then lost could not be brought back, though the call has all of it."""
    life = live("0.19")
    life.session("a", told=False)
    replaced = {"action": "replace", "target": "memory", "old_text": "te", "content": "Likes coffee a lot"}
    life.call("a", replaced, answer("memory", ["x" * 40, "Likes coffee a lot"]))
    life.wait(DAY)
    removed = {"action": "remove", "target": "memory", "old_text": "coffee"}
    life.call("a", removed, answer("memory", ["x" * 40]))
    life.stores["memory"] = ["x" * 40]
    life.session("b")
    assert set(ever(life.timeline())) == {"x" * 40, "Likes coffee a lot"}


def test_the_latest_to_go_come_first_and_those_that_are_there_before_them() -> None:
    """A person looks for what went yesterday."""
    states = [State(1, ("a", "b"), True), State(2, ("b",), True), State(3, ("b", "c"), True), State(4, ("c",), True)]
    found = entries_ever({"memory": Past((), tuple(states), frozenset())}, {})
    assert [(each.text, each.since, each.until) for each in found] == [("c", 3, None), ("b", 1, 4), ("a", 1, 2)]


def test_an_entry_that_came_back_is_there() -> None:
    """It would be offered for restoring."""
    states = [State(1, ("a",), True), State(2, (), True), State(3, ("a",), True)]
    [found] = entries_ever({"memory": Past((), tuple(states), frozenset())}, {})
    assert (found.since, found.until) == (1, None)


def test_all_words_have_to_be_there_whatever_their_capitals_and_accents() -> None:
    """One would have to remember how it was written."""
    entries = [Ever("memory", "Café in Zürich", 1, 2, 0), Ever("user", "Cafe elsewhere", 1, None, 0)]
    assert search(entries, "ZURICH cafe") == (entries[0],)
    assert search(entries, "cafe") == tuple(entries)
    assert search(entries, "") == tuple(entries)
    assert search(entries, "café nowhere") == ()


@pytest.mark.parametrize("store", ["memory"])
@every("name", list(NASTY))
def test_odd_texts_are_looked_for_and_found(name: str, store: StoreName) -> None:
    """A search would be an error, or find nothing."""
    entry = Ever(store, NASTY[name], 1, None, 0)
    assert search([entry], NASTY[name]) == (entry,)


def test_a_part_of_an_entry_is_no_beginning_of_another_one() -> None:
    """The story of an entry would go on with one that only has the same words."""
    known = [
        change(1, "", "giraffe"),
        change(5, "giraffe", "okapi only", partial=True),
        change(9, "", "a giraffe and more", message_id=4),
        change(9, "giraffe", "", partial=True, message_id=4),
    ]
    assert [each.until for each in story_of("memory", "okapi only", known)] == [5]
    assert [each.until for each in story_of("memory", "a giraffe and more", known)] == [9]


def test_an_entry_that_came_back_keeps_its_whole_story_and_its_counts_agree(life: Life) -> None:
    """It would seem to be there since yesterday, or all the time, and nobody would say that it was gone."""
    life.session("a")
    life.add("a", "Uses NixOS")
    life.add("a", "Tea at five")
    for name in "bc":
        life.wait(DAY)
        life.session(name)
    life.remove("c", "Uses NixOS")
    life.wait(DAY)
    life.session("d")
    life.wait(DAY)
    life.session("e")
    life.add("e", "Uses NixOS")
    life.wait(DAY)
    life.session("f")
    timeline = life.timeline()
    [blame] = [each for each in timeline.blame(life.views()) if each.text == "Uses NixOS"]
    assert [(each.kind, each.session_id, each.back) for each in blame.story] == [
        ("add", "e", True),
        ("remove", "c", False),
        ("add", "a", False),
    ]
    assert (blame.sessions, blame.sessions_since) == (3, 1)
    assert blame.first_seen == blame.story[2].until
    assert blame.back_since == blame.last_changed == blame.story[0].until
    found = ever(timeline)["Uses NixOS"]
    assert (found.sessions, found.sessions_since, found.until) == (3, 1, None)
    assert found.gone == ((blame.story[1].until, blame.story[0].until),)
    tea = ever(timeline)["Tea at five"]
    assert (tea.gone, tea.sessions_since) == ((), None)
    again = life.history().timeline(life.views())
    assert (again.ever(), again.uses_since) == (timeline.ever(), timeline.uses_since), "from the cache too"


def test_an_entry_may_come_back_more_than_once() -> None:
    """Only its last absence would be told."""
    known = list(
        with_returns(
            [change(1, "", "tea"), change(2, "tea", ""), change(3, "", "tea"), change(4, "tea", ""),
             change(5, "", "tea"), change(6, "te", "", partial=True), change(7, "", "te")]
        )
    )  # fmt: skip
    assert [each.back for each in known] == [False, False, True, False, True, False, False]
    assert [each.until for each in story_of("memory", "tea", known)] == [5, 4, 3, 2, 1]
