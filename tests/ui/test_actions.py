"""The one table of actions: everything that shows or binds a key is made from it."""

from __future__ import annotations

import itertools

import pytest

from hermes_tui.ui.actions import ACTIONS, BY_ID, EVERYWHERE, actions_for, bindings_for, key_table
from hermes_tui.ui.app import HermesTuiApp
from hermes_tui.ui.memory.card_list import CardList
from hermes_tui.ui.memory.edits import Edits
from hermes_tui.ui.memory.screen import MemoryScreen
from hermes_tui.ui.pending.consulting import Consulting
from hermes_tui.ui.pending.decisions import Decisions
from hermes_tui.ui.pending.looking import Looking
from hermes_tui.ui.pending.queue_list import QueueList
from hermes_tui.ui.screens import Screens
from hermes_tui.ui.sessions.changing import Changing
from hermes_tui.ui.sessions.deleting import Deleting
from hermes_tui.ui.sessions.entitling import Entitling
from hermes_tui.ui.sessions.exporting import Exporting
from hermes_tui.ui.sessions.looking import Looking as SessionsLooking
from hermes_tui.ui.sessions.session_list import SessionList
from hermes_tui.ui.settings.changing import Changing as SettingsChanging
from hermes_tui.ui.settings.looking import Looking as SettingsLooking
from hermes_tui.ui.settings.providers import Providers as SettingsProviders
from hermes_tui.ui.timeline.consulting import Consulting as TimelineConsulting
from hermes_tui.ui.timeline.looking import Looking as TimelineLooking
from hermes_tui.ui.timeline.restoring import Restoring
from hermes_tui.ui.timeline.searching import Searching
from hermes_tui.ui.transcript.acting import Acting
from hermes_tui.ui.viewing import Viewing
from hermes_tui.ui.widgets.footer import FooterLine

SCREENS = ("memory", "pending", "sessions", "transcript", "timeline", "settings")


def test_no_two_actions_of_a_screen_share_a_key() -> None:
    """A key would do one of two things, and nobody could tell which."""
    for screen in SCREENS:
        keys = [key for action in actions_for(screen) for key in action.keys]
        assert len(keys) == len(set(keys)), screen
    assert len(BY_ID) == len(ACTIONS)


def test_every_action_has_a_handler_where_it_is_looked_for() -> None:
    """Pressing a key would fail with an error about a missing method."""
    owners: dict[str, tuple[type, ...]] = {
        "memory": (MemoryScreen, CardList, Edits),
        "pending": (QueueList, Looking, Viewing, Consulting, Decisions),
        "sessions": (SessionList, SessionsLooking, Viewing, Changing, Deleting, Exporting, Entitling),
        "transcript": (Acting,),
        "timeline": (TimelineLooking, TimelineConsulting, Searching, Restoring),
        "settings": (SettingsLooking, SettingsChanging, SettingsProviders),
        EVERYWHERE: (HermesTuiApp, Screens),
    }
    for action in ACTIONS:
        assert any(hasattr(owner, action.handler) for owner in owners[action.screen]), action.id


def test_the_handlers_of_the_screen_are_not_ones_every_widget_has() -> None:
    """j would scroll the screen instead of moving the cursor."""
    from textual.screen import Screen

    for action in ACTIONS:
        if action.screen:
            assert not hasattr(Screen, action.handler), action.handler


def test_every_action_has_a_key_that_gets_through_a_multiplexer() -> None:
    """tmux and editors' terminals swallow ctrl keys; a letter or a function key has to do as well."""
    for action in ACTIONS:
        if action.id != "app.suspend":  # of all programs the same key
            assert any(not key.startswith("ctrl+") for key in action.keys), action.id


def test_bindings_lead_through_perform_so_that_a_disabled_key_says_why() -> None:
    """A key that cannot do its work now would be silently dead."""
    for screen in SCREENS:
        for binding in bindings_for(screen):
            assert binding.action.startswith(f"perform('{screen}.")
            assert binding.description


def test_the_key_table_names_every_key() -> None:
    """The README would leave a key out."""
    table = key_table()
    for action in ACTIONS:
        assert action.help in table
    assert "`?`" in table
    assert "question_mark" not in table


@pytest.mark.parametrize("width", [20, 40, 60, 80, 120, 200])
def test_the_footer_never_cuts_a_key_in_half_and_always_ends_in_help(width: int) -> None:
    """At 80 columns the last keys would be cut off."""
    footer = FooterLine("memory", lambda _action: None)
    placed = footer.fitting(width)
    assert placed[-1][0].id == "app.help"
    ends = [(start, start + footer.label_cells(action)) for action, start in placed]
    assert all(left[1] < right[0] for left, right in itertools.pairwise(ends))
    assert ends[-1][1] <= width


def test_the_footer_keeps_the_most_used_keys_longest() -> None:
    """On a narrow terminal the footer would show rare keys and leave out how to add."""
    footer = FooterLine("memory", lambda _action: None)
    narrow = [action.id for action, _ in footer.fitting(40)]
    assert narrow[:2] == ["memory.add", "memory.edit"]


@pytest.mark.parametrize("screen", SCREENS)
@pytest.mark.parametrize("width", [60, 80, 120, 200])
def test_the_ways_to_other_screens_stand_together_behind_the_keys_of_this_one(screen: str, width: int) -> None:
    """`2 Pending 1 Memory` would stand in the middle of what can be done here."""
    placed = [action for action, _ in FooterLine(screen, lambda _action: None).fitting(width)]
    own = [action for action in placed if action.screen]
    assert placed[: len(own)] == own
    ways = [
        action.key for action in placed if action.id in ("app.memory", "app.pending", "app.sessions", "app.timeline")
    ]
    assert ways == sorted(ways)


def test_a_transcript_on_a_small_terminal_says_how_to_leave_it() -> None:
    """On 60 columns nobody would know the way back."""
    assert "transcript.back" in [a.id for a, _ in FooterLine("transcript", lambda _action: None).fitting(60)]
