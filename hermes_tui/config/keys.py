"""The table of the agent's settings that concern what it remembers: meaning, type, range, defaults, when they count."""

from __future__ import annotations

from typing import Literal, NamedTuple

Value = bool | int | float | str
Kind = Literal["switch", "number", "share", "words", "text", "secret"]
Line = Literal["0.19", "0.22"]
Applies = Literal["now", "next session", "restart"]
Reads = Literal["as yaml", "gate", "flag", "truth", "words"]


class Key(NamedTuple):
    """One setting of config.yaml."""

    name: str
    """The dotted key."""
    kind: Kind
    """A share is a number between 0 and 1; words are a choice; a secret is never shown whole."""
    default: Value
    """Of the 0.19 line, or of the only line that knows it."""
    applies: Applies
    """When a change counts for an agent that is running."""
    group: str
    """The heading it stands under."""
    label: str
    """A few words for a list."""
    meaning: str
    """One sentence."""
    newer: Value | None = None
    """The default of the 0.22 line, where it is another one."""
    only: Line | None = None
    """The only line that reads it."""
    least: float = 0
    most: float = 1_000_000_000
    choices: tuple[str, ...] = ()
    reads: Reads = "as yaml"
    """How the agent takes something that is no YAML boolean where a switch is due."""

    @property
    def path(self) -> tuple[str, ...]:
        """The names that lead to it."""
        return tuple(self.name.split("."))

    def default_of(self, line: Line) -> Value:
        """What counts in a line of the agent when the file says nothing."""
        return self.newer if line == "0.22" and self.newer is not None else self.default

    @property
    def range(self) -> str:
        """What may be written, in words."""
        if self.kind == "switch":
            return "true or false"
        if self.kind == "words":
            return " or ".join(word or '""' for word in self.choices)
        if self.kind == "share":
            return f"a number from {self.least:g} to {self.most:g}"
        if self.kind == "number":
            upwards = f"a whole number from {self.least:,.0f}"
            return upwards if self.most >= 1_000_000_000 else f"{upwards} to {self.most:,.0f}"
        return "text" if self.kind == "text" else "text, kept secret on screen"


def _model(task: str, group: str, what: str, seconds: int) -> tuple[Key, ...]:
    """The settings of one auxiliary task: which model does it, and for how long at most."""
    base = f"auxiliary.{task}"
    return (
        Key(f"{base}.provider", "text", "auto", "now", group, f"{what}: provider",
            "Which provider's model does it; auto takes the one of the conversation."),
        Key(f"{base}.model", "text", "", "now", group, f"{what}: model",
            "The model's name; empty leaves it to the provider."),
        Key(f"{base}.base_url", "text", "", "now", group, f"{what}: address",
            "Another endpoint to send it to; empty for the provider's own."),
        Key(f"{base}.api_key", "secret", "", "now", group, f"{what}: key",
            "The secret for that endpoint; better kept in the home's .env."),
        Key(f"{base}.timeout", "number", seconds, "now", group, f"{what}: seconds",
            "How long it may take before the agent gives up.", least=1, most=86_400),
    )  # fmt: skip


_MEMORY, _APPROVAL, _REVIEW, _SKILLS = "Memory", "Approval", "Background review", "Skills upkeep"
_SESSIONS, _TITLES, _COMPRESSION, _SECRETS = "Sessions", "Titles", "Compression", "Secrets"
_EFFORTS = ("", "none", "minimal", "low", "medium", "high", "xhigh")

KEYS: tuple[Key, ...] = (
    Key("memory.memory_enabled", "switch", True, "next session", _MEMORY, "Notes",
        "Whether the agent keeps notes of its own (MEMORY.md) and starts with them.", reads="flag"),
    Key("memory.user_profile_enabled", "switch", True, "next session", _MEMORY, "User profile",
        "Whether the agent keeps what it knows about you (USER.md) and starts with it.", reads="flag"),
    Key("memory.memory_char_limit", "number", 2200, "next session", _MEMORY, "Notes: limit",
        "How many characters MEMORY.md may hold; more of the prompt is used by more.", least=1),
    Key("memory.user_char_limit", "number", 1375, "next session", _MEMORY, "Profile: limit",
        "How many characters USER.md may hold; more of the prompt is used by more.", least=1),
    Key("memory.provider", "text", "", "next session", _MEMORY, "Provider",
        "The external memory provider; empty for none, so that only the two files count."),
    Key("memory.prefetch_spill_enabled", "switch", False, "next session", _MEMORY, "Spill",
        "Whether what a provider remembers may be put into a file when it is too long for the prompt.", only="0.22"),
    *_model("memory_query_rewrite", _MEMORY, "Query rewrite", 8),
    Key("memory.write_approval", "switch", False, "now", _APPROVAL, "Gate: memory writes",
        "The gate: whether what the agent wants to remember waits for you in the queue. What waits already stays there"
        " until you decide, also when it is switched off.", reads="gate"),
    Key("skills.write_approval", "switch", False, "now", _APPROVAL, "Gate: skill writes",
        "The gate for skills: whether changes to them wait for you in the queue. What waits already stays there until"
        " you decide, also when it is switched off.", reads="gate"),
    Key("skills.guard_agent_created", "switch", False, "now", _APPROVAL, "Guard own skills",
        "Whether skills that the agent writes itself are scanned for threats.", reads="truth"),
    Key("memory.nudge_interval", "number", 10, "next session", _REVIEW, "Memory: every n turns",
        "After how many of your turns the agent looks back for something to remember; 0 for never."),
    Key("skills.creation_nudge_interval", "number", 10, "next session", _REVIEW, "Skills: every n calls",
        "After how many tool calls the agent looks back for something to make a skill of; 0 for never."),
    Key("display.memory_notifications", "words", "on", "next session", _REVIEW, "Notifications",
        "Whether a review says in the chat that it changed something; verbose says what.",
        choices=("off", "on", "verbose")),
    Key("auxiliary.background_review.enabled", "switch", True, "now", _REVIEW, "Reviews",
        "Whether reviews are held at all.", only="0.22", reads="words"),
    *_model("background_review", _REVIEW, "Review", 120),
    Key("auxiliary.background_review.reasoning_effort", "words", "", "now", _REVIEW, "Review: effort",
        "How long the model may think; empty leaves it to the model.", choices=_EFFORTS),
    Key("sessions.auto_prune", "switch", False, "restart", _SESSIONS, "Prune by itself",
        "Whether the agent deletes ended sessions that are older than the retention.", newer=True, reads="truth"),
    Key("sessions.retention_days", "number", 90, "restart", _SESSIONS, "Keep for days",
        "How old a session must be before pruning deletes it.", least=1),
    Key("sessions.min_interval_hours", "number", 24, "restart", _SESSIONS, "Prune every n hours",
        "How many hours lie between two prunings at least."),
    Key("sessions.vacuum_after_prune", "switch", True, "restart", _SESSIONS, "Vacuum after it",
        "Whether the space of what was pruned is given back to the disk.", reads="truth"),
    Key("sessions.min_vacuum_interval_days", "number", 30, "restart", _SESSIONS, "Vacuum every n days",
        "How many days lie between two of those at least.", only="0.22"),
    Key("sessions.auto_archive", "switch", False, "restart", _SESSIONS, "Archive by itself",
        "Whether the agent archives sessions that have been idle.", only="0.22", reads="truth"),
    Key("sessions.auto_archive_days", "number", 3, "restart", _SESSIONS, "Archive after days",
        "How many days a session must have been idle for that.", only="0.22"),
    Key("sessions.show_subagents", "switch", False, "now", _SESSIONS, "Show subagents",
        "Whether the agent's own lists show the runs of subagents.", only="0.22", reads="words"),
    Key("sessions.cjk_fts", "switch", True, "restart", _SESSIONS, "CJK index",
        "Whether Chinese, Japanese and Korean get an index of their own.", only="0.22", reads="words"),
    Key("sessions.search_slow_ms", "number", 1000, "restart", _SESSIONS, "Slow search",
        "From how many milliseconds on a search is logged as slow.", only="0.22"),
    Key("sessions.max_resume_messages", "number", 20000, "restart", _SESSIONS, "Resume at most",
        "How many messages a session may have to be resumed.", only="0.22"),
    Key("sessions.max_export_messages", "number", 20000, "restart", _SESSIONS, "Export at most",
        "How many messages the agent exports of a session.", only="0.22"),
    Key("sessions.write_json_snapshots", "switch", False, "next session", _SESSIONS, "JSON copies",
        "Whether every session is also written to a JSON file.", only="0.19", reads="truth"),
    Key("database.journal_mode", "words", "wal", "restart", _SESSIONS, "Journal mode",
        "How SQLite keeps state.db whole; wal lets others read while the agent writes.", only="0.22",
        choices=("wal", "delete")),
    Key("auxiliary.title_generation.enabled", "switch", True, "now", _TITLES, "Titles",
        "Whether a model gives each conversation a title.", reads="words"),
    Key("auxiliary.title_generation.language", "text", "", "now", _TITLES, "Language",
        "The language of titles; empty for the one you write in."),
    *_model("title_generation", _TITLES, "Title", 30),
    Key("auxiliary.title_generation.model_upgrade_enabled", "switch", True, "now", _TITLES, "Better later",
        "Whether a quick title may be replaced by a model's.", only="0.22", reads="words"),
    Key("auxiliary.title_generation.prefer_fast_model", "switch", False, "now", _TITLES, "Fast model",
        "Whether a fast model is taken where the provider has one.", only="0.22", reads="words"),
    Key("compression.enabled", "switch", True, "next session", _COMPRESSION, "Compaction",
        "Whether a long conversation is summarised when it fills the model's window.", reads="words"),
    Key("compression.in_place", "switch", True, "next session", _COMPRESSION, "In the same session",
        "Whether it goes on in the same session; else a new one begins, and both are shown as one conversation.",
        reads="words"),
    Key("compression.threshold", "share", 0.5, "next session", _COMPRESSION, "Begin at",
        "What share of the window is full when it begins.", least=0.05, most=1),
    Key("compression.target_ratio", "share", 0.2, "next session", _COMPRESSION, "Keep as is",
        "What share of that stays word for word.", least=0.05, most=1),
    Key("compression.protect_first_n", "number", 3, "next session", _COMPRESSION, "Protect the first",
        "How many messages at the beginning are never summarised."),
    Key("compression.protect_last_n", "number", 20, "next session", _COMPRESSION, "Protect the last",
        "How many messages at the end are never summarised."),
    *_model("compression", _COMPRESSION, "Summary", 120),
    Key("curator.enabled", "switch", True, "now", _SKILLS, "Curator",
        "Whether skills that nobody uses are marked as stale and archived.", reads="truth"),
    Key("curator.interval_hours", "number", 168, "now", _SKILLS, "Every n hours",
        "How many hours lie between two of its runs.", least=1),
    Key("curator.min_idle_hours", "number", 2, "now", _SKILLS, "Idle for hours",
        "How long the agent must have had nothing to do before it runs."),
    Key("curator.stale_after_days", "number", 30, "now", _SKILLS, "Stale after days",
        "After how many days without use a skill is marked as stale.", newer=14, least=1),
    Key("curator.archive_after_days", "number", 90, "now", _SKILLS, "Archive after days",
        "After how many days without use a skill is archived.", newer=30, least=1),
    Key("curator.archive_ttl_days", "number", 0, "now", _SKILLS, "Forget after days",
        "After how many days an archived skill is deleted; 0 for never.", only="0.22"),
    Key("curator.consolidate", "switch", False, "now", _SKILLS, "Consolidate",
        "Whether it may join skills that say the same.", reads="truth"),
    Key("curator.prune_builtins", "switch", True, "now", _SKILLS, "Also bundled ones",
        "Whether skills that came with the agent may be archived too.", newer=False, reads="truth"),
    Key("curator.backup.enabled", "switch", True, "now", _SKILLS, "Backup first",
        "Whether all skills are packed into a backup before it changes any.", reads="truth"),
    Key("curator.backup.keep", "number", 5, "now", _SKILLS, "Backups kept",
        "How many of those backups are kept.", newer=2, least=1),
    Key("security.redact_secrets", "switch", True, "restart", _SECRETS, "Mask secrets",
        "Whether keys and passwords are masked in logs and in what tools print; memory and sessions hold them whole.",
        reads="words"),
    Key("privacy.redact_pii", "switch", False, "now", _SECRETS, "Mask people",
        "Whether ids and phone numbers of people are hidden from the model in messengers.", reads="truth"),
)  # fmt: skip
"""In the order of a list; the group of a key is that of its neighbours."""

PROVIDERS = (*("byterover", "hindsight", "holographic", "honcho", "mem0", "openviking", "retaindb", "supermemory"),)
"""The names that `memory.provider` has for what agents carry."""
BY_NAME = {key.name: key for key in KEYS}
