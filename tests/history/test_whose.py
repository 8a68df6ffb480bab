"""`knew:`, `wrote:` and `staged:`: which sessions they let through."""

from __future__ import annotations

from hermes_tui.history.index import Index
from hermes_tui.history.whose import answered
from hermes_tui.sessions.query import Filters, parse
from tests.history.life import Life, prompt_of

STAGED = {"success": True, "staged": True, "pending_id": "8529eaff"}


def found(index: Index, text: str) -> set[str] | None:
    """The sessions that a search lets through; None for all."""
    filters = answered(parse(text, 0).filters, index)
    return None if filters.memory_ids is None else set(filters.memory_ids)


def test_each_word_finds_its_sessions(life: Life) -> None:
    """One could not ask which conversation wrote something."""
    life.stores["memory"] = ["Deploys on Friday"]
    life.session("knew")
    life.stores["memory"] = []
    life.stores["user"] = ["tea"]
    life.session("wrote")
    life.add("wrote", "Deploys on Monday")
    life.session("staged")
    life.call("staged", {"action": "add", "content": "deploys at night"}, STAGED)
    life.session("refused", told=False)
    life.call("refused", {"action": "add", "content": "deploys"}, {"success": False, "error": "no"})
    index = life.history().index
    assert found(index, "knew:deploys") == {"knew", "staged"}
    assert found(index, 'knew:"FRIDAY déploys"') == {"knew"}
    assert found(index, "knew:tea") == {"wrote", "staged"}
    assert found(index, "wrote:deploys") == {"wrote"}
    assert found(index, "staged:deploys") == {"staged"}
    assert found(index, "wrote:nothing") == set()


def test_several_of_them_have_to_hold_together(life: Life) -> None:
    """Each word would widen the search instead of narrowing it."""
    life.stores["memory"] = ["tea"]
    life.session("a")
    life.add("a", "ale")
    life.session("b")
    index = life.history().index
    assert found(index, "knew:tea wrote:ale") == {"a"}
    assert found(index, "knew:tea knew:ale") == {"b"}
    assert found(index, "wrote:ale staged:ale") == set()


def test_what_a_session_knew_before_its_prompt_was_built_anew_counts(life: Life) -> None:
    """The first half of a conversation would not be found."""
    life.stores["memory"] = ["tea"]
    life.session("a")
    life.history()
    life.say("a", "go on")
    life.tell("a", prompt_of({"memory": ["ale"]}))
    index = life.history().index
    assert found(index, "knew:tea") == found(index, "knew:ale") == {"a"}


def test_removals_and_every_step_of_a_batch_count_as_written(life: Life) -> None:
    """Who took something out could not be found."""
    life.stores["memory"] = ["tea", "ale"]
    life.session("a")
    life.remove("a", "tea")
    life.session("b")
    operations = [{"action": "add", "content": "rum"}, {"action": "remove", "old_text": "ale"}]
    life.call("b", {"operations": operations}, {"success": True})
    index = life.history().index
    assert found(index, "wrote:tea") == {"a"}
    assert found(index, "wrote:rum") == found(index, "wrote:ale") == {"b"}


def test_without_such_words_nothing_is_narrowed() -> None:
    """Every search would be empty until history is read."""
    assert answered(Filters(), Index()) == Filters()
    assert found(Index(), "docker") is None
    assert found(Index(), "knew:docker") == set()
