"""Names of exported files: safe on every system, and none of them twice."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes_tui.sessions.export.names import FileNames, file_name, graphemes
from hermes_tui.sessions.export.wish import ENDINGS
from tests.nasty import NASTY

ID = "20260301_140200_abcdef"
DAY = 1_772_373_720.0
RESERVED = {"con", "prn", "aux", "nul", *(f"{port}{number}" for port in ("com", "lpt") for number in range(10))}
FAMILY = "👩\u200d👩\u200d👧"


def is_safe(name: str) -> None:
    """Whether any system takes it as it is."""
    assert len(name.encode("utf-8")) <= 120
    assert name == unicodedata.normalize("NFC", name)
    assert not set(name) & set('<>:"/\\|?*\0')
    assert all(char.isprintable() and not char.isspace() for char in name)
    assert name[0] not in ".-"
    assert name[-1] not in ". "
    assert name.split(".")[0].casefold() not in RESERVED
    assert name.count(".") == 1


@pytest.mark.parametrize(
    ("title", "begins"),
    [
        ("a/b: c?", "a-b-c-2026"),
        ("Rotating logs", "Rotating-logs-2026"),
        ("../../etc/passwd", "etc-passwd-2026"),
        ("-rf", "rf-2026"),
        (".env and v1.2", "env-and-v1-2-2026"),
        ("don't `run` $HOME & co; ok!", "dont-run-HOME-co-ok-2026"),
        ("  spaces \t and\nlines  ", "spaces-and-lines-2026"),
        ("日本語のタイトル", "日本語のタイトル-2026"),
        ("Ünïcödé", "Ünïcödé-2026"),
        ("user\u202etxt.exe", "user-txt-exe-2026"),
        ("", "2026"),
        ("???", "2026"),
        (ID, "20260301_140200_abcdef.md"),
    ],
)
def test_a_name_begins_with_the_title_and_ends_with_the_id(title: str, begins: str) -> None:
    """A folder of exports could not be told apart, or a title would lead out of it."""
    name = file_name(title, ID, DAY, "markdown")
    assert name.startswith(begins)
    assert name.endswith(f"{ID}.md")
    is_safe(name)


def test_the_day_is_in_the_name_when_the_id_does_not_say_it() -> None:
    """Nightly runs would all look the same."""
    assert file_name("Backup", "cron_x", DAY, "text") == "Backup-2026-03-01-cron_x.txt"
    assert file_name("Backup", "cron_x", 0.0, "text") == "Backup-cron_x.txt"


def test_no_title_and_no_id_makes_a_name_that_a_system_refuses() -> None:
    """An export would fail on one title of hundreds, or write somewhere else."""
    for text in NASTY.values():
        for form in ENDINGS:
            is_safe(file_name(text, ID, DAY, form))
            is_safe(file_name("x", text, DAY, form))
            is_safe(file_name(text, text, 0.0, form))


@given(st.text(), st.text())
def test_any_text_makes_a_safe_name(title: str, id: str) -> None:
    """The same, for what nobody thought of."""
    is_safe(file_name(title, id, DAY, "html"))


@pytest.mark.parametrize("device", ["CON", "nul", "Com1", "LPT9", "aux"])
def test_a_device_of_windows_is_no_name(device: str) -> None:
    """The conversation would be sent to a printer port."""
    is_safe(file_name("", device, 0.0, "text"))
    is_safe(file_name(device, "", 0.0, "text"))


def test_names_that_differ_in_capitals_only_get_a_number() -> None:
    """On macOS and Windows the second file would replace the first."""
    names = FileNames()
    taken = [names.take(title, id, 0.0, "markdown") for title, id in [("Proj", "a"), ("proj", "A"), ("PROJ", "a")]]
    assert taken == ["Proj-a.md", "proj-A-2.md", "PROJ-a-3.md"]
    long = [names.take("x" * 300, "y" * 300, 0.0, "markdown") for _ in range(12)]
    assert len({name.casefold() for name in long}) == 12
    for name in long:
        is_safe(name)


def test_a_long_title_is_cut_between_characters_as_a_person_sees_them() -> None:
    """A flag would be cut into a letter, and a letter from its accent."""
    for piece in ("e\u0323\u0302\u0308", "🇩🇪", "👍🏽", "한", "क्षि"):
        stem = file_name(piece * 60, ID, DAY, "markdown").removesuffix(f"-{ID}.md")
        whole = unicodedata.normalize("NFC", piece)
        assert stem == whole * (len(stem) // len(whole))
    assert list(graphemes("🇩🇪🇯🇵e\u0301x")) == ["🇩🇪", "🇯🇵", "e\u0301", "x"]
    assert file_name(FAMILY, ID, DAY, "text").startswith("👩👩👧-2026")
