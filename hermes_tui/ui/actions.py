"""The one table of actions and keys: bindings, footer, help, palette and README are all made from it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from inspect import isawaitable
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from textual.binding import Binding

EVERYWHERE = ""
"""The screen of an action that works on every screen."""


class Action(NamedTuple):
    """One thing a person can do, and the keys that do it."""

    id: str
    """Stable name, `memory.add`; keymaps and tests refer to it."""
    keys: tuple[str, ...]
    """Textual key names; the first is the one shown."""
    label: str
    """One or two words for the footer and the palette."""
    help: str
    """One sentence for the help screen and the README."""
    group: str
    """The heading it stands under in the help."""
    screen: str
    """The screen it belongs to; `EVERYWHERE` for all."""
    footer: int
    """Rank in the footer: 1 is kept longest when the row is short, 0 is never shown."""
    handler: str
    """The method of the screen or app that does it."""
    writes: bool = False
    """Whether it changes something on disk, so that --read-only disables it."""

    @property
    def bound(self) -> tuple[str, ...]:
        """The keys that do it now: a person may have chosen others."""
        return _CHANGED.get(self.id, self.keys)

    @property
    def key(self) -> str:
        """The key to show for it, as a person would name it."""
        return key_name(self.bound[0])

    @property
    def all_keys(self) -> str:
        """Every key that does it, as a person would name them."""
        return " / ".join(key_name(key) for key in self.bound)


_CHANGED: dict[str, tuple[str, ...]] = {}


def use_keys(changed: Mapping[str, tuple[str, ...]]) -> None:
    """Show these keys for actions, by their ids, and those of the table for all others."""
    _CHANGED.clear()
    _CHANGED.update(changed)


_KEY_NAMES = {
    "question_mark": "?",
    "slash": "/",
    "semicolon": ";",
    "asterisk": "*",
    "colon": ":",
    "escape": "esc",
    "pagedown": "pgdn",
    "pageup": "pgup",
    "up": "↑",
    "down": "↓",
    "left": "←",
    "right": "→",
    "left_square_bracket": "[",
    "right_square_bracket": "]",
    "comma": ",",
    "full_stop": ".",
    "less_than_sign": "<",
    "greater_than_sign": ">",
}


def key_name(key: str) -> str:
    """`question_mark` as `?`: Textual's name of a key in the words of a keyboard."""
    return _KEY_NAMES.get(key, key)


_MEMORY = "memory"
_PENDING = "pending"
_SESSIONS = "sessions"
_TRANSCRIPT = "transcript"
_TIMELINE = "timeline"

ACTIONS: tuple[Action, ...] = (
    Action("memory.add", ("a",), "Add", "Add an entry to this store.", "Entry", _MEMORY, 2, "action_add", True),
    Action("memory.edit", ("e", "enter"), "Edit", "Edit the entry; room and findings follow every key.",
           "Entry", _MEMORY, 3, "action_edit", True),
    Action("memory.remove", ("d", "delete"), "Delete", "Delete the entry, or all selected ones; u brings them back.",
           "Entry", _MEMORY, 4, "action_remove", True),
    Action("memory.undo", ("u",), "Undo", "Take back the last change made here, also after a restart.",
           "History", _MEMORY, 5, "action_undo", True),
    Action("memory.filter", ("slash",), "Filter", "Show only the entries that hold what you type.",
           "Find", _MEMORY, 6, "action_filter"),
    Action("memory.preview", ("p",), "Prompt", "See the block the next session will start with.",
           "Store", _MEMORY, 7, "action_preview"),
    Action("memory.copy", ("y",), "Copy", "Copy the exact text of the entry, or of all selected ones.",
           "Entry", _MEMORY, 8, "action_copy"),
    Action("memory.move", ("m",), "Move", "Move the entry, or all selected ones, to the other store.",
           "Entry", _MEMORY, 9, "action_move", True),
    Action("memory.select", ("space",), "Select", "Select the entry, or take it out of the selection.",
           "Select", _MEMORY, 10, "action_select"),
    Action("memory.normalize", ("n",), "Normalise", "Put a drifted file in order, after a backup.",
           "Store", _MEMORY, 11, "action_normalize", True),
    Action("memory.view", ("v",), "View", "Read the whole entry, its findings and what it said before.",
           "Entry", _MEMORY, 12, "action_view"),
    Action("memory.external", ("E",), "$EDITOR", "Edit the entry in your own editor.",
           "Entry", _MEMORY, 13, "action_external", True),
    Action("memory.later", ("J",), "Down", "Move the entry one place down in its file.",
           "Entry", _MEMORY, 14, "action_later", True),
    Action("memory.earlier", ("K",), "Up", "Move the entry one place up in its file.",
           "Entry", _MEMORY, 15, "action_earlier", True),
    Action("memory.merge", ("M",), "Merge", "Join the selected entries into one, in the editor.",
           "Select", _MEMORY, 16, "action_merge", True),
    Action("memory.split", ("S",), "Split", "Cut an entry into several, with a preview.",
           "Entry", _MEMORY, 17, "action_split", True),
    Action("memory.story", ("b",), "Story", "See since when the entry is there, who wrote it, and what it was before.",
           "Entry", _MEMORY, 18, "action_story"),
    Action("memory.redo", ("ctrl+r", "U"), "Redo", "Make the change again that was taken back.",
           "History", _MEMORY, 18, "action_redo", True),
    Action("memory.switch", ("tab", "shift+tab", "h", "l", "left", "right"), "Store",
           "Go to the other store.", "Move around", _MEMORY, 19, "action_switch"),
    Action("memory.down", ("j", "down"), "Next", "Next entry.", "Move around", _MEMORY, 0, "action_cursor_down"),
    Action("memory.up", ("k", "up"), "Previous", "Previous entry.", "Move around", _MEMORY, 0, "action_cursor_up"),
    Action("memory.page_down", ("pagedown", "ctrl+d"), "Page down", "A screenful down.",
           "Move around", _MEMORY, 0, "action_cursor_page_down"),
    Action("memory.page_up", ("pageup", "ctrl+u"), "Page up", "A screenful up.",
           "Move around", _MEMORY, 0, "action_cursor_page_up"),
    Action("memory.first", ("g", "home"), "First", "First entry.", "Move around", _MEMORY, 0, "action_cursor_first"),
    Action("memory.last", ("G", "end"), "Last", "Last entry.", "Move around", _MEMORY, 0, "action_cursor_last"),
    Action("memory.back", ("escape",), "Back", "Back out one step: filter, then selection.",
           "Select", _MEMORY, 0, "action_back"),
    Action("pending.approve", ("a",), "Approve", "Approve the write, or all selected ones; u brings them back.",
           "Decide", _PENDING, 2, "action_approve", True),
    Action("pending.reject", ("r",), "Reject", "Reject the write, or all selected ones; u brings them back.",
           "Decide", _PENDING, 3, "action_reject", True),
    Action("pending.open", ("enter",), "Read", "Go to the whole proposal; esc leads back to the list.",
           "Look", _PENDING, 4, "action_open"),
    Action("pending.edit", ("e",), "Edit", "Edit the proposed text, then approve it.",
           "Decide", _PENDING, 5, "action_edit", True),
    Action("pending.undo", ("u",), "Undo", "Take back the last decision or change made here, also after a restart.",
           "History", _PENDING, 6, "action_undo", True),
    Action("pending.filter", ("slash",), "Filter", "Show only the writes that hold what you type.",
           "Find", _PENDING, 7, "action_filter"),
    Action("pending.simulate", ("s",), "Simulate", "Try the whole queue in order on a copy; see what fits together.",
           "Look", _PENDING, 8, "action_simulate"),
    Action("pending.operation", ("x",), "One op", "Decide over one operation of a batch; the others stay queued.",
           "Decide", _PENDING, 9, "action_operation", True),
    Action("pending.conversation", ("c",), "Conversation", "See what was said before the write was staged.",
           "Look", _PENDING, 10, "action_conversation"),
    Action("pending.copy", ("y",), "Copy", "Copy the exact proposed text, or that of all selected writes.",
           "Look", _PENDING, 10, "action_copy"),
    Action("pending.select", ("space",), "Select", "Select the write, or take it out of the selection.",
           "Select", _PENDING, 11, "action_select"),
    Action("pending.gate", ("g",), "Gate", "See whether an agent's writes wait for you, and switch it.",
           "Queue", _PENDING, 12, "action_gate", True),
    Action("pending.narrow", ("f",), "Show only", "Show only some verdicts, origins, stores or ages.",
           "Find", _PENDING, 13, "action_narrow"),
    Action("pending.order", ("o",), "Order", "Oldest first, newest first, by verdict, by origin, by store.",
           "Find", _PENDING, 14, "action_order"),
    Action("pending.views", ("v",), "Views", "See the saved views, take one, or save what is shown now as one.",
           "Find", _PENDING, 17, "action_views"),
    Action("pending.approve_shown", ("A",), "Approve all", "Approve exactly what is shown now, after a question.",
           "Decide", _PENDING, 15, "action_approve_shown", True),
    Action("pending.reject_shown", ("R",), "Reject all", "Reject exactly what is shown now, after a question.",
           "Decide", _PENDING, 16, "action_reject_shown", True),
    Action("pending.unfold", ("z",), "Unfold", "Show equal proposals one by one, or as one again.",
           "Look", _PENDING, 17, "action_unfold"),
    Action("pending.redo", ("ctrl+r", "U"), "Redo", "Make the decision again that was taken back.",
           "History", _PENDING, 18, "action_redo", True),
    Action("pending.switch", ("tab", "shift+tab", "h", "l", "left", "right"), "Detail",
           "Go to the whole proposal, or back to the list.", "Move around", _PENDING, 19, "action_switch"),
    Action("pending.next", ("j", "down"), "Next", "Next write; in the proposal a row down.",
           "Move around", _PENDING, 0, "action_next"),
    Action("pending.previous", ("k", "up"), "Previous", "Previous write; in the proposal a row up.",
           "Move around", _PENDING, 0, "action_previous"),
    Action("pending.next_record", ("n",), "Next write", "Next write, also from within a proposal.",
           "Move around", _PENDING, 0, "action_next_record"),
    Action("pending.previous_record", ("N",), "Previous write", "Previous write, also from within a proposal.",
           "Move around", _PENDING, 0, "action_previous_record"),
    Action("pending.page_down", ("pagedown", "ctrl+d"), "Page down", "A screenful down.",
           "Move around", _PENDING, 0, "action_next_page"),
    Action("pending.page_up", ("pageup", "ctrl+u"), "Page up", "A screenful up.",
           "Move around", _PENDING, 0, "action_previous_page"),
    Action("pending.first", ("home",), "First", "First write.", "Move around", _PENDING, 0, "action_first"),
    Action("pending.last", ("G", "end"), "Last", "Last write.", "Move around", _PENDING, 0, "action_last"),
    Action("pending.back", ("escape",), "Back", "Back out one step: proposal, filter, ticks, then selection.",
           "Select", _PENDING, 0, "action_back"),
    Action("sessions.search", ("slash",), "Search", "Search everything that was said, titles and ids, as you type.",
           "Find", _SESSIONS, 2, "action_search"),
    Action("sessions.open", ("enter",), "Open", "Open the transcript, at the hit when something was searched for.",
           "Look", _SESSIONS, 3, "action_open"),
    Action("sessions.narrow", ("f",), "Filters", "Choose sources, dates, models, folders, and what is hidden.",
           "Find", _SESSIONS, 4, "action_narrow"),
    Action("sessions.resume", ("c",), "Resume cmd", "Copy the command that resumes the conversation.",
           "Copy", _SESSIONS, 7, "action_resume_command"),
    Action("sessions.rename", ("R",), "Rename", "Give the conversation another title, or none.",
           "Change", _SESSIONS, 8, "action_rename", True),
    Action("sessions.delete", ("D", "delete"), "Delete", "See what deleting it, or all selected ones, would do.",
           "Change", _SESSIONS, 9, "action_delete", True),
    Action("sessions.select", ("space",), "Select", "Select the conversation, or take it out of the selection.",
           "Select", _SESSIONS, 10, "action_select"),
    Action("sessions.export", ("x",), "Export", "Write it, the selected ones or all that are shown to a file.",
           "Copy", _SESSIONS, 11, "action_export"),
    Action("sessions.archive", ("A",), "Archive", "Put it, or all selected ones, away; or bring them back.",
           "Change", _SESSIONS, 12, "action_archive", True),
    Action("sessions.undo", ("u",), "Undo", "Take back the last change made to sessions, also after a restart.",
           "Change", _SESSIONS, 13, "action_undo", True),
    Action("sessions.title", ("T",), "Title", "Write titles made from the first messages, for those without one.",
           "Change", _SESSIONS, 14, "action_title", True),
    Action("sessions.sort", ("s",), "Sort hits", "Newest hits first, or the most relevant ones.",
           "Find", _SESSIONS, 15, "action_sort"),
    Action("sessions.copy", ("y",), "Copy id", "Copy the session's full id.", "Copy", _SESSIONS, 16, "action_copy_id"),
    Action("sessions.preview", ("p",), "Preview", "Go to the preview, or back to the list.",
           "Look", _SESSIONS, 17, "action_preview"),
    Action("sessions.order", ("o",), "Order", "By last activity, by start, by number of messages.",
           "Find", _SESSIONS, 18, "action_order"),
    Action("sessions.views", ("v",), "Views", "See the saved views, take one, or save what is shown now as one.",
           "Find", _SESSIONS, 18, "action_views"),
    Action("sessions.unfold", ("z",), "Parts", "Show the parts of a conversation one by one, or as one again.",
           "Look", _SESSIONS, 19, "action_unfold"),
    Action("sessions.hidden", ("H",), "Hidden", "Show empty sessions, subagents, cron and tool runs too, or hide them.",
           "Find", _SESSIONS, 20, "action_hidden"),
    Action("sessions.pin", ("P",), "Pin", "Keep it, or all selected ones, from being pruned; or no longer.",
           "Change", _SESSIONS, 21, "action_pin", True),
    Action("sessions.prune", ("X",), "Prune", "Delete old conversations by age, source or size, after a preview.",
           "Change", _SESSIONS, 22, "action_prune", True),
    Action("sessions.select_all", ("ctrl+a", "asterisk"), "Select all", "Select all conversations that are shown.",
           "Select", _SESSIONS, 23, "action_select_all"),
    Action("sessions.vacuum", ("V",), "Vacuum", "Give the space of what was deleted back to the disk.",
           "Change", _SESSIONS, 0, "action_vacuum", True),
    Action("sessions.next_hit", ("n",), "Next hit", "Next hit.", "Move around", _SESSIONS, 24, "action_next_hit"),
    Action("sessions.previous_hit", ("N",), "Previous hit", "Previous hit.",
           "Move around", _SESSIONS, 0, "action_previous_hit"),
    Action("sessions.switch", ("tab", "shift+tab", "h", "l", "left", "right"), "Switch",
           "Go to the list, to the preview, and back.", "Move around", _SESSIONS, 0, "action_switch"),
    Action("sessions.next", ("j", "down"), "Next", "Next session; in the preview a row down.",
           "Move around", _SESSIONS, 0, "action_next"),
    Action("sessions.previous", ("k", "up"), "Previous", "Previous session; in the preview a row up.",
           "Move around", _SESSIONS, 0, "action_previous"),
    Action("sessions.page_down", ("pagedown", "ctrl+d"), "Page down", "A screenful down.",
           "Move around", _SESSIONS, 0, "action_next_page"),
    Action("sessions.page_up", ("pageup", "ctrl+u"), "Page up", "A screenful up.",
           "Move around", _SESSIONS, 0, "action_previous_page"),
    Action("sessions.first", ("g", "home"), "First", "First session.", "Move around", _SESSIONS, 0, "action_first"),
    Action("sessions.last", ("G", "end"), "Last", "Last session.", "Move around", _SESSIONS, 0, "action_last"),
    Action("sessions.back", ("escape",), "Back", "Back out one step: offer, box, preview, query, filters, selection.",
           "Select", _SESSIONS, 0, "action_back"),
    Action("transcript.fold", ("space", "enter"), "Fold", "Fold or unfold what is under the cursor, as ▸ and ▾ say.",
           "Look", _TRANSCRIPT, 2, "action_fold"),
    Action("transcript.find", ("slash",), "Find", "Find words in this conversation, as you type.",
           "Find", _TRANSCRIPT, 3, "action_find"),
    Action("transcript.next_hit", ("n",), "Next match", "Next match.", "Find", _TRANSCRIPT, 4, "action_next_hit"),
    Action("transcript.next_turn", ("right_square_bracket",), "Next turn", "Next message of the person.",
           "Move around", _TRANSCRIPT, 7, "action_next_turn"),
    Action("transcript.copy", ("y",), "Copy", "Copy the exact text of the message.",
           "Copy", _TRANSCRIPT, 8, "action_copy"),
    Action("transcript.resume", ("c",), "Resume cmd", "Copy the command that resumes the conversation.",
           "Copy", _TRANSCRIPT, 9, "action_resume"),
    Action("transcript.raw", ("v",), "Raw", "Show markdown as it stands, or rendered.",
           "Look", _TRANSCRIPT, 10, "action_raw"),
    Action("transcript.reveal", ("asterisk",), "Secrets", "Show secrets that are masked, or mask them again.",
           "Look", _TRANSCRIPT, 11, "action_reveal"),
    Action("transcript.knew", ("b",), "Knew", "See what it was told then, what it wrote, what is different today.",
           "Look", _TRANSCRIPT, 11, "action_knew"),
    Action("transcript.fold_all", ("z",), "Fold all", "Unfold everything, or fold it again.",
           "Look", _TRANSCRIPT, 12, "action_fold_all"),
    Action("transcript.pager", ("o",), "$PAGER", "Read the whole message in your own pager.",
           "Look", _TRANSCRIPT, 13, "action_pager"),
    Action("transcript.rename", ("R",), "Rename", "Give the conversation another title, or none.",
           "Change", _TRANSCRIPT, 15, "action_rename", True),
    Action("transcript.export", ("x",), "Export", "Write the conversation to a file.",
           "Copy", _TRANSCRIPT, 16, "action_export"),
    Action("transcript.delete", ("D",), "Delete", "See what deleting the conversation would do.",
           "Change", _TRANSCRIPT, 17, "action_delete", True),
    Action("transcript.undo", ("u",), "Undo", "Take back the last change made to sessions, also after a restart.",
           "Change", _TRANSCRIPT, 18, "action_undo", True),
    Action("transcript.rewound", ("r",), "Rewound", "Show messages that were taken back, or leave them out.",
           "Look", _TRANSCRIPT, 14, "action_rewound"),
    Action("transcript.back", ("escape",), "Back", "Back out one step: find, then to where you came from.",
           "Move around", _TRANSCRIPT, 4, "action_back"),
    Action("transcript.previous_hit", ("N",), "Previous match", "Previous match.",
           "Find", _TRANSCRIPT, 0, "action_previous_hit"),
    Action("transcript.previous_turn", ("left_square_bracket",), "Previous turn", "Previous message of the person.",
           "Move around", _TRANSCRIPT, 0, "action_previous_turn"),
    Action("transcript.next_message", ("J",), "Next message", "Next message.",
           "Move around", _TRANSCRIPT, 0, "action_next_message"),
    Action("transcript.previous_message", ("K",), "Previous message", "Beginning of the message, then the one before.",
           "Move around", _TRANSCRIPT, 0, "action_previous_message"),
    Action("transcript.line_down", ("j", "down"), "Down", "A line down.",
           "Move around", _TRANSCRIPT, 0, "action_line_down"),
    Action("transcript.line_up", ("k", "up"), "Up", "A line up.", "Move around", _TRANSCRIPT, 0, "action_line_up"),
    Action("transcript.page_down", ("pagedown", "ctrl+d"), "Page down", "A screenful down.",
           "Move around", _TRANSCRIPT, 0, "action_screen_down"),
    Action("transcript.page_up", ("pageup", "ctrl+u"), "Page up", "A screenful up.",
           "Move around", _TRANSCRIPT, 0, "action_screen_up"),
    Action("transcript.top", ("g", "home"), "Top", "Beginning of the conversation.",
           "Move around", _TRANSCRIPT, 0, "action_top"),
    Action("transcript.bottom", ("G", "end"), "Bottom", "End of the conversation; new messages are followed there.",
           "Move around", _TRANSCRIPT, 0, "action_bottom"),
    Action("timeline.earlier", ("h", "left"), "Earlier", "One change back.",
           "Move around", _TIMELINE, 2, "action_earlier"),
    Action("timeline.later", ("l", "right"), "Later", "One change on; behind the last one is now.",
           "Move around", _TIMELINE, 3, "action_later"),
    Action("timeline.open", ("enter",), "Message", "Go to the message that made the change, or to the session.",
           "Look", _TIMELINE, 4, "action_open"),
    Action("timeline.against", ("v",), "Against now", "Compare with what is there now, or with the change before.",
           "Look", _TIMELINE, 5, "action_against"),
    Action("timeline.search", ("slash",), "Search", "Search in all entries that are or ever were, as you type.",
           "Find", _TIMELINE, 6, "action_search"),
    Action("timeline.restore", ("r",), "Restore", "Bring the entry back into its store, by the store's own rules.",
           "Change", _TIMELINE, 7, "action_restore", True),
    Action("timeline.story", ("b",), "Story", "See since when the entry was there, who wrote it, what it was before.",
           "Look", _TIMELINE, 8, "action_story"),
    Action("timeline.chart", ("w",), "Chart", "See how full the stores were over time, or the stores again.",
           "Look", _TIMELINE, 9, "action_chart"),
    Action("timeline.later_session", ("right_square_bracket",), "Session", "The next session, as it was told.",
           "Move around", _TIMELINE, 10, "action_later_session"),
    Action("timeline.prompt", ("p",), "Prompt", "See what the next session will be told, against the last one.",
           "Look", _TIMELINE, 11, "action_prompt"),
    Action("timeline.exposure", ("x",), "Exposure", "List the sessions that ran with a text that is blocked now.",
           "Look", _TIMELINE, 12, "action_exposure"),
    Action("timeline.copy", ("y",), "Copy", "Copy the exact text of the entry.",
           "Look", _TIMELINE, 13, "action_copy"),
    Action("timeline.undo", ("u",), "Undo", "Take back the last change made here, also after a restart.",
           "Change", _TIMELINE, 14, "action_undo", True),
    Action("timeline.redo", ("ctrl+r", "U"), "Redo", "Make the change again that was taken back.",
           "Change", _TIMELINE, 15, "action_redo", True),
    Action("timeline.switch", ("tab", "shift+tab"), "Switch", "Go to the stores as of then, and back.",
           "Move around", _TIMELINE, 16, "action_switch"),
    Action("timeline.earlier_session", ("left_square_bracket",), "Before", "The session before, as it was told.",
           "Move around", _TIMELINE, 0, "action_earlier_session"),
    Action("timeline.day_earlier", ("comma",), "A day back", "A day earlier.",
           "Move around", _TIMELINE, 0, "action_day_earlier"),
    Action("timeline.day_later", ("full_stop",), "A day on", "A day later.",
           "Move around", _TIMELINE, 0, "action_day_later"),
    Action("timeline.week_earlier", ("less_than_sign",), "A week back", "A week earlier.",
           "Move around", _TIMELINE, 0, "action_week_earlier"),
    Action("timeline.week_later", ("greater_than_sign",), "A week on", "A week later.",
           "Move around", _TIMELINE, 0, "action_week_later"),
    Action("timeline.next", ("j", "down"), "Next", "Next row; in what stands above it a line down.",
           "Move around", _TIMELINE, 0, "action_next"),
    Action("timeline.previous", ("k", "up"), "Previous", "Previous row; in what stands above it a line up.",
           "Move around", _TIMELINE, 0, "action_previous"),
    Action("timeline.page_down", ("pagedown", "ctrl+d"), "Page down", "A screenful down.",
           "Move around", _TIMELINE, 0, "action_next_page"),
    Action("timeline.page_up", ("pageup", "ctrl+u"), "Page up", "A screenful up.",
           "Move around", _TIMELINE, 0, "action_previous_page"),
    Action("timeline.first", ("g", "home"), "First", "The first thing that is known.",
           "Move around", _TIMELINE, 0, "action_first_place"),
    Action("timeline.now", ("G", "end"), "Now", "The present.", "Move around", _TIMELINE, 0, "action_now"),
    Action("timeline.back", ("escape",), "Back", "Back out one step: search, what stands above the changes, chart.",
           "Select", _TIMELINE, 0, "action_back"),
    Action("app.memory", ("1",), "Memory", "What the agent remembers: both stores.",
           "Screens", EVERYWHERE, 6, "action_memory"),
    Action("app.pending", ("2",), "Pending", "What the agent wants to remember: the writes that wait for you.",
           "Screens", EVERYWHERE, 5, "action_pending"),
    Action("app.sessions", ("3",), "Sessions", "Every conversation, and what was said in it.",
           "Screens", EVERYWHERE, 7, "action_sessions"),
    Action("app.timeline", ("4",), "Timeline", "What it believed at any time, since when, and who wrote it.",
           "Screens", EVERYWHERE, 8, "action_timeline"),
    Action("app.reread", ("f5",), "Re-read", "Read everything from disk again.",
           "Everywhere", EVERYWHERE, 20, "action_reread"),
    Action("app.palette", ("ctrl+p", "colon"), "Palette", "Find any action by its name.",
           "Everywhere", EVERYWHERE, 21, "action_command_palette"),
    Action("app.suspend", ("ctrl+z",), "Suspend", "Back to the shell; fg leads here again. In a text: undo.",
           "Everywhere", EVERYWHERE, 0, "action_suspend"),
    Action("app.quit", ("q",), "Quit", "Leave.", "Everywhere", EVERYWHERE, 22, "action_leave"),
    Action("app.jump", ("semicolon",), "Jump", "See a letter on every part of the screen; typing one goes there.",
           "Everywhere", EVERYWHERE, 0, "action_jump"),
    Action("app.tour", ("f8",), "Tour", "Five steps through the screens, for somebody new here.",
           "Everywhere", EVERYWHERE, 0, "action_tour"),
    Action("app.help", ("question_mark", "f1"), "Help", "The keys that work where you are.",
           "Everywhere", EVERYWHERE, 1, "action_help"),
)  # fmt: skip

BY_ID: dict[str, Action] = {action.id: action for action in ACTIONS}

FIRST = frozenset({"app.suspend"})
"""What comes before the keys of a dialog and of an editor."""


def actions_for(screen: str) -> Iterator[Action]:
    """The actions of a screen, then those that work everywhere, in the order of the table."""
    yield from (action for action in ACTIONS if action.screen == screen)
    yield from (action for action in ACTIONS if action.screen == EVERYWHERE)


def bindings_for(screen: str) -> list[Binding]:
    """Textual bindings for a screen: every key leads through `perform`, which may say why not."""
    from textual.binding import Binding  # loaded here: help for the command line is made from this table too

    return [
        Binding(
            ",".join(action.keys), f"perform('{action.id}')", action.label, id=action.id, priority=action.id in FIRST
        )
        for action in ACTIONS
        if action.screen == screen
    ]


def key_table() -> str:
    """The keys as a Markdown table, for the README."""
    return "\n".join(_table_of(screen) for screen in (EVERYWHERE, _MEMORY, _PENDING, _SESSIONS, _TRANSCRIPT, _TIMELINE))


def _table_of(screen: str) -> str:
    rows = [f"| {screen.title() or 'Everywhere'} | |", "| --- | --- |"]
    rows += [
        f"| {' '.join(f'`{key_name(key)}`' for key in action.keys)} | {action.help} |"
        for action in ACTIONS
        if action.screen == screen
    ]
    return "\n".join(rows) + "\n"


async def run_action(
    owner: object, action_id: str, why_not: Callable[[Action], str | None], say: Callable[[str], object]
) -> None:
    """Do what an action says, or say why it cannot be done now."""
    action = BY_ID[action_id]
    if reason := why_not(action):
        say(reason)
        return
    result = getattr(owner, action.handler)()
    if isawaitable(result):
        await result
