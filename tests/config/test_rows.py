"""The settings as they are: value, origin, and what the agent reads otherwise than it is written."""

from __future__ import annotations

from pathlib import Path

import pytest

from hermes_tui.config.keys import KEYS, PROVIDERS
from hermes_tui.config.rows import Row, find_key, parse_value, read_rows, said_default, shown_value
from hermes_tui.errors import NotFound, Refused
from hermes_tui.home import resolve_home
from hermes_tui.providers.catalogue import catalogue


def row_of(text: str, name: str, home: Path) -> Row:
    """A setting in a file."""
    (home / "config.yaml").write_text(text)
    return read_rows(resolve_home()).row(name)


READ: dict[str, tuple[str, str, object, str]] = {
    "a switch": ("sessions: {auto_prune: true}", "sessions.auto_prune", True, ""),
    "text where any text is on": ("sessions: {auto_prune: 'false'}", "sessions.auto_prune", True, "any text counts"),
    "text where words count": ("compression: {in_place: 'no'}", "compression.in_place", False, "No switch"),
    "the integer one": ("sessions: {auto_prune: 1}", "sessions.auto_prune", True, "No switch"),
    "the integer one in the gate": ("memory: {write_approval: 1}", "memory.write_approval", False, "OFF"),
    "nothing behind a switch": ("compression: {in_place: }", "compression.in_place", True, "No switch"),
    "a quoted number": ("sessions: {retention_days: '30'}", "sessions.retention_days", 30, "without quotes"),
    "no number": ("sessions: {retention_days: soon}", "sessions.retention_days", 90, "Not a number"),
    "half a day": ("sessions: {retention_days: 30.5}", "sessions.retention_days", 30, "Counted as 30"),
    "a number out of range": ("sessions: {retention_days: 0}", "sessions.retention_days", 0, "Out of range"),
    "a switch for a number": ("sessions: {retention_days: yes}", "sessions.retention_days", 1, "A switch"),
    "a share": ("compression: {threshold: 0.75}", "compression.threshold", 0.75, ""),
    "off without quotes": ("display: {memory_notifications: off}", "display.memory_notifications", "off", ""),
    "another word": ("display: {memory_notifications: loud}", "display.memory_notifications", "loud", "its words"),
    "a list for a text": ("memory: {provider: [a]}", "memory.provider", "", "Not a name"),
    "a list for a model": (
        "auxiliary: {compression: {model: [a]}}", "auxiliary.compression.model", "", "Not text",
    ),
    "nothing for a model": ("auxiliary: {compression: {model: }}", "auxiliary.compression.model", "", ""),
    "a section that is none": ("auxiliary: off", "auxiliary.compression.model", "", ""),
    "what the other line reads": (
        "_config_version: 33\nsessions: {auto_archive: true}", "sessions.auto_archive", True, "Only agents of the 0.22",
    ),
    "a bare n for the newer agent": (
        "_config_version: 50\ncurator: {enabled: n}", "curator.enabled", False, "",
    ),
    "a bare n for the older one": (
        "_config_version: 33\ncurator: {enabled: n}", "curator.enabled", True, "any text counts",
    ),
    "an exponent for the newer agent": (
        "_config_version: 50\nsessions: {retention_days: 1e2}", "sessions.retention_days", 100, "",
    ),
    "an exponent for the older one": (
        "_config_version: 33\nsessions: {retention_days: 1e2}", "sessions.retention_days", 90, "Not a number",
    ),
    "no number at all": ("compression: {threshold: .nan}", "compression.threshold", 0.5, "Not a number"),
    "a provider that nobody carries": ("memory: {provider: nosuch}", "memory.provider", "nosuch", "plugin"),
    "a default that differs": ("a: 1", "sessions.auto_prune", True, "false (0.19), true (0.22)"),
    "a default of the line that wrote it": ("_config_version: 33", "sessions.auto_prune", False, ""),
}  # fmt: skip


@pytest.mark.parametrize("name", READ)
def test_a_value_is_shown_as_the_agent_takes_it(hermes_home: Path, name: str) -> None:
    """One would read true where the agent does the opposite."""
    text, key, value, note = READ[name]
    row = row_of(text, key, hermes_home)
    assert (type(row.value), row.value) == (type(value), value)
    assert note in " ".join(row.notes) if note else not row.notes


def test_what_the_administrator_sets_wins_in_any_section(hermes_home: Path, isolated_machine: Path) -> None:
    """An edit would seem to work, and change nothing."""
    (isolated_machine / "managed").mkdir()
    (isolated_machine / "managed" / "config.yaml").write_text("sessions:\n  retention_days: 7\n")
    row = row_of("sessions:\n  retention_days: 30\n", "sessions.retention_days", hermes_home)
    assert (row.value, row.origin) == (7, "managed")
    assert "administrator" in row.notes[0]


def test_a_file_that_does_not_parse_shows_the_defaults_and_says_so(hermes_home: Path) -> None:
    """One would take the defaults for what is written."""
    (hermes_home / "config.yaml").write_text("sessions: [oops\n")
    found = read_rows(resolve_home())
    assert found.config.state == "invalid"
    assert not any(row.differs for row in found.rows)


@pytest.mark.parametrize(
    ("name", "typed", "value"),
    [
        ("memory.write_approval", " On ", True),
        ("memory.write_approval", "0", False),
        ("memory.memory_char_limit", "4,000", 4000),
        ("compression.threshold", ".8", 0.8),
        ("display.memory_notifications", "Verbose", "verbose"),
        ("memory.provider", " mem0 ", "mem0"),
        ("auxiliary.compression.model", "", ""),
    ],
)
def test_what_a_person_types_is_taken_in_the_settings_own_type(name: str, typed: str, value: object) -> None:
    """The agent would find text where it needs a number."""
    found = parse_value(find_key(name), typed)
    assert (type(found), found) == (type(value), value)


@pytest.mark.parametrize(
    ("name", "typed"),
    [
        ("memory.write_approval", "maybe"),
        ("memory.memory_char_limit", "0"),
        ("memory.memory_char_limit", "many"),
        ("memory.memory_char_limit", "1e3"),
        ("compression.threshold", "1.5"),
        ("compression.threshold", "nan"),
        ("display.memory_notifications", "loud"),
        ("memory.provider", "a\nb"),
        ("memory.provider", "x\x1b[2J"),
    ],
)
def test_what_the_agent_would_not_take_is_refused_with_what_it_takes(name: str, typed: str) -> None:
    """It would be written, and read as something else."""
    key = find_key(name)
    with pytest.raises(Refused) as caught:
        parse_value(key, typed)
    assert key.range in caught.value.message


def test_a_setting_that_is_not_there_is_told_with_the_closest_one() -> None:
    """One would look the name up elsewhere."""
    for typed, meant in (
        ("memory.write_aproval", "memory.write_approval"),
        ("retention_days", "sessions.retention_days"),
    ):
        with pytest.raises(NotFound) as caught:
            find_key(typed)
        assert meant in caught.value.hint


def test_the_names_of_providers_are_those_of_the_catalogue() -> None:
    """A provider that an agent carries would be called unknown."""
    assert set(PROVIDERS) == set(catalogue())


def test_every_setting_says_what_it_is() -> None:
    """A list of names explains nothing."""
    assert len({key.name for key in KEYS}) == len(KEYS)
    for key in KEYS:
        assert key.meaning.endswith(".")
        assert key.range
        assert said_default(key)
        if key.kind != "secret":
            assert parse_value(key, str(key.default)) == key.default or key.default == ""
    assert shown_value(find_key("auxiliary.compression.api_key"), "sk-abcdefghijklmnopqrst") == "sk-abc...qrst"
