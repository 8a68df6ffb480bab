"""Saved views on real files: names, two apps at once, broken files, and homes where nothing is kept."""

from __future__ import annotations

import json
import os
from pathlib import Path
from threading import Thread

import pytest

from hermes_tui.errors import HermesTuiError, NotFound, Refused, Unreadable
from hermes_tui.home import data_dir
from hermes_tui.ui.pending.choosing import Choice, Facet
from hermes_tui.ui.pending.viewed import choice_of, choice_words, content_of
from hermes_tui.ui.sessions.viewed import Viewed
from hermes_tui.views import FILE_NAME, MOST_NAME_CHARS, Views, clean_name


def names(views: Views) -> list[str]:
    """What they are called."""
    return [view.name for view in views.every]


def test_a_view_is_found_again_by_its_name_in_any_case_and_language(hermes_home: Path) -> None:
    """Straße and STRASSE would be two views that look the same in a list."""
    for name in ("Straße", "週報 📆", "e\u0301te\u0301", "  two   words "):
        Views(hermes_home, "sessions").save(name, {"text": name})
    views = Views(hermes_home, "sessions")
    assert names(views) == ["Straße", "週報 📆", "été", "two words"]
    assert views.named("STRASSE").content == {"text": "Straße"}
    assert views.named("ÉTÉ").name == "été"
    assert names(Views(hermes_home, "pending")) == []
    with pytest.raises(Refused, match="view “Straße” already"):
        Views(hermes_home, "sessions").save("\tstraße ", {})
    with pytest.raises(NotFound, match=r"no view “other” of sessions\. There are “Straße”"):
        views.named("other")
    file = data_dir(hermes_home) / FILE_NAME
    assert file.stat().st_mode & 0o777 == 0o600
    assert not list(hermes_home.rglob("views*")), "nothing of ours lies in the home"


def test_a_name_that_is_taken_empty_or_too_long_is_refused(hermes_home: Path) -> None:
    """A slip would replace a view that somebody has made with care."""
    views = Views(hermes_home, "pending")
    views.save("Mine", {"text": "one"})
    with pytest.raises(Refused, match="There is a view “Mine” already"):
        views.save("MINE", {"text": "two"})
    views.save("MINE", {"text": "two"}, over=True)
    assert [(view.name, view.content) for view in views.every] == [("MINE", {"text": "two"})]
    views.save("Other", {})
    with pytest.raises(Refused, match="already"):
        views.rename_to("mine", "other")
    assert views.rename_to("mine", "Mine").name == "Mine", "another case of its own name"
    for name in ("", " \n ", "x" * (MOST_NAME_CHARS + 1)):
        with pytest.raises(Refused):
            clean_name(name)
    views.delete("OTHER")
    assert names(views) == ["Mine"]
    with pytest.raises(NotFound, match="gone"):
        views.delete("Other")


def test_two_apps_that_save_at_once_lose_nothing(hermes_home: Path) -> None:
    """The last one to save would throw away what the other one had saved."""

    def save(app: int) -> None:
        views = Views(hermes_home, "sessions" if app % 2 else "pending")
        for number in range(8):
            views.save(f"{app} {number}", {"text": "x"})

    threads = [Thread(target=save, args=(app,)) for app in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    found = [*names(Views(hermes_home, "sessions")), *names(Views(hermes_home, "pending"))]
    assert sorted(found) == [f"{app} {number}" for app in range(4) for number in range(8)]


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '{"sessions": {}}', '{"sessions": [1]}', '{"sessions": [{"text": "x"}]}', "[" * 100_000]
)
def test_a_broken_file_is_told_and_never_overwritten(hermes_home: Path, text: str) -> None:
    """One slip in an editor would cost every view there is."""
    file = data_dir(hermes_home) / FILE_NAME
    file.parent.mkdir(parents=True)
    file.write_text(text)
    views = Views(hermes_home, "sessions")
    with pytest.raises(Unreadable, match="cannot be used") as told:
        assert views.every
    assert str(file) in told.value.message
    assert "left as it is" in told.value.hint
    for change in (lambda: views.save("a", {}), lambda: views.delete("a"), lambda: views.rename_to("a", "b")):
        with pytest.raises(Unreadable):
            change()
    assert file.read_text() == text


def test_what_a_later_version_wrote_stays_in_the_file(hermes_home: Path) -> None:
    """Going back to an older version for a day would lose the views of another screen."""
    file = data_dir(hermes_home) / FILE_NAME
    file.parent.mkdir(parents=True)
    file.write_text(json.dumps({"timeline": [{"name": "x"}], "sessions": [{"name": "y", "text": "", "colour": 1}]}))
    Views(hermes_home, "sessions").save("z", {"text": "login"})
    assert json.loads(file.read_text()) == {
        "timeline": [{"name": "x"}],
        "sessions": [{"name": "y", "text": "", "colour": 1}, {"name": "z", "text": "login"}],
    }


def test_read_only_and_demo_write_nothing(hermes_home: Path) -> None:
    """Looking would leave a file."""
    unkept = Views(hermes_home, "sessions", kept=False)
    unkept.save("a", {"text": "x"})
    assert names(unkept) == ["a"]
    looking = Views(hermes_home, "sessions", read_only=True)
    assert names(looking) == []
    with pytest.raises(Refused, match="read-only"):
        looking.save("a", {})
    assert not data_dir(hermes_home).exists()
    Views(hermes_home, "sessions").save("kept", {})
    assert names(looking) == ["kept"]


def test_a_disk_that_refuses_leaves_the_views_as_they_were(hermes_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A full disk would leave half a file."""
    views = Views(hermes_home, "sessions")
    views.save("a", {"text": "x"})
    folder = data_dir(hermes_home)
    before = (folder / FILE_NAME).read_bytes()

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(HermesTuiError):
        views.save("b", {"text": "y"})
    assert (folder / FILE_NAME).read_bytes() == before


def test_what_a_screen_shows_comes_back_from_plain_data_and_relative_dates_stay_relative() -> None:
    """A view of the last seven days would show one week of last year for ever."""
    viewed = Viewed("login after:7d", frozenset({"cron"}), "relevance", "messages")
    data = json.loads(json.dumps(viewed.content))
    assert data == {"text": "login after:7d", "kinds": ["cron"], "sort": "relevance", "order": "messages"}
    assert Viewed.of(data) == viewed
    assert viewed.words == "“login” · only after:7d · also cron · by relevance"
    assert Viewed("source:cli", order="started").words == "only source:cli · newest start first"
    assert Viewed.of({}) == Viewed()
    ticked: frozenset[tuple[Facet, str]] = frozenset(
        {("verdict", "no_match"), ("age", "older"), ("origin", "my \x1b[31m")}
    )
    choice = Choice("rsync", ticked, "newest")
    assert choice_of(json.loads(json.dumps(content_of(choice)))) == choice
    assert choice_words(choice) == "“rsync” · only no match · my ␛[31m · older · newest first"
    assert choice_of({}) == Choice()


@pytest.mark.parametrize("content", [{"text": 1}, {"kinds": 5}, {"kinds": ["x"]}, {"sort": "x"}, {"order": []}])
def test_a_sessions_view_with_a_value_nobody_knows_is_not_shown_as_something_else(content: dict[str, object]) -> None:
    """It would show more than was saved, and nobody would notice."""
    with pytest.raises(ValueError, match=r"\w"):
        Viewed.of(content)


@pytest.mark.parametrize(
    "content",
    [{"text": 1}, {"order": "x"}, {"only": []}, {"only": {"x": []}}, {"only": {"age": ["x"]}}, {"only": {"age": [[]]}}],
)
def test_a_pending_view_with_a_value_nobody_knows_is_not_shown_as_something_else(content: dict[str, object]) -> None:
    """What is shown can be approved all at once."""
    with pytest.raises(ValueError, match=r"\w"):
        choice_of(content)
