"""Honcho's settings of cadence and depth: what counts, and changing one of them with the rest of the file as it was."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest

from hermes_tui.errors import Conflict, NotFound, Refused
from hermes_tui.home import HermesHome
from hermes_tui.providers.honcho_edit import set_honcho, take_back, undo_honcho
from hermes_tui.providers.honcho_settings import SETTINGS, honcho_settings, parsed

FORMS = [
    '{"apiKey": "k"}',
    "{}",
    "{ }\n",
    '{\n  "apiKey": "k",\n  "enabled": true\n}\n',
    '{\r\n\t"apiKey" : "k",\r\n\t"sessions": {"a": [1, {"dialecticDepth": 9}]}\r\n}',
    '{"hosts":{"hermes":{"enabled":true}},"x":"}{,\\"日本"}',
    '{"hosts": {"other": {"dialecticDepth": 2}, "hermes": {\n   "aiPeer": "h"}}}',
    '{"dialecticDepth": 1.0, "z": 1e3}',
    '{"hosts": {"hermes": {"dialecticDepth": "2" , "z": null}}, "dialecticDepth": 1}',
]


@pytest.fixture
def home(hermes_home: Path) -> HermesHome:
    """A home."""
    return HermesHome(hermes_home, "default", "default")


@pytest.mark.parametrize("form", FORMS)
def test_one_setting_changes_and_nothing_else_and_back_again(home: HermesHome, form: str) -> None:
    """A key, a comment of spaces, or another profile's settings would be lost."""
    path = home.path / "honcho.json"
    path.write_bytes(form.encode())
    path.chmod(0o640)
    before = json.loads(form)
    change = set_honcho(home, "dialecticdepth", "3", {})
    text = path.read_bytes().decode()
    after = json.loads(text)
    inner = after["hosts"]["hermes"] if len(change.at) == 3 else after
    assert inner.pop("dialecticDepth") == 3
    (before["hosts"]["hermes"] if len(change.at) == 3 else before).pop("dialecticDepth", None)
    assert after == before
    assert len(text) <= len(form) + len(', "dialecticDepth": 3\r\n\t ')
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    value = {each.setting.key: each for each in honcho_settings(home, {}).values}["dialecticDepth"]
    assert (value.value, value.raw) == ("3", 3)
    take_back(change)
    assert path.read_bytes() == form.encode()
    assert [each.name for each in home.path.iterdir() if each.name != "memories"] == ["honcho.json"]


def test_changes_are_taken_back_one_after_another_as_they_were_spelled(home: HermesHome) -> None:
    """A knob turned by mistake could only be turned back by somebody who remembers where it stood."""
    path = home.path / "honcho.json"
    path.write_text(first := '{"hosts":{"hermes":{"dialecticCadence" : 3 ,"a":1}},"k":1}')
    set_honcho(home, "dialecticCadence", None, {})
    set_honcho(home, "contextCadence", "4", {})
    path.write_text(path.read_text().replace('"k":1', '"k": 2'))  # somebody else's
    change = undo_honcho(home, {})
    assert (change.key, change.before, change.after) == ("contextCadence", 4, None)
    undo_honcho(home, {})
    assert json.loads(path.read_text()) == json.loads(first.replace('"k":1', '"k": 2'))
    with pytest.raises(NotFound):
        undo_honcho(home, {})
    set_honcho(home, "contextCadence", "4", {})
    path.write_text('{"hosts": {"hermes": {"contextCadence": 5}}}')
    with pytest.raises(Conflict):
        undo_honcho(home, {})


def test_a_setting_that_is_taken_out_leaves_its_default(home: HermesHome) -> None:
    """There would be no way back to what the agent does by itself."""
    path = home.path / "honcho.json"
    path.write_text('{"contextCadence": 4, "dialecticCadence": 2, "k": 1}')
    set_honcho(home, "contextCadence", None, {})
    assert path.read_text() == '{"dialecticCadence": 2, "k": 1}'
    set_honcho(home, "dialecticCadence", None, {})
    change = set_honcho(home, "dialecticCadence", "5", {})
    assert path.read_text() == '{"k": 1, "dialecticCadence": 5}'
    path.write_text('{"k": 1, "dialecticCadence": 6}')
    with pytest.raises(Conflict):
        take_back(change)


def test_each_setting_says_what_counts_and_what_the_agent_makes_of_it(home: HermesHome) -> None:
    """A person would turn a knob that does nothing."""
    file = {
        "dialecticDepth": 9,
        "contextCadence": "often",
        "queryRewrite": "false",
        "recallMode": "auto",
        "dialecticCadence": 7,
        "hosts": {"hermes": {"dialecticCadence": 3, "dialecticDepthLevels": ["low", "huge"]}},
    }
    (home.path / "honcho.json").write_text(json.dumps(file))
    found = {value.setting.key: value for value in honcho_settings(home, {}).values}
    assert (found["dialecticDepth"].value, found["dialecticDepth"].origin) == ("3", "file")
    assert "takes it as 3" in found["dialecticDepth"].note
    assert (found["contextCadence"].value, found["contextCadence"].origin) == ("1", "default")
    assert "passes over" in found["contextCadence"].note
    assert found["queryRewrite"].value == "true"
    assert found["recallMode"].value == "hybrid"
    assert (found["dialecticCadence"].value, found["dialecticCadence"].origin) == ("3", "profile")
    assert found["dialecticDepthLevels"].value == "low, low"
    for setting in SETTINGS:
        assert setting.about.endswith(".")
        assert setting.range
        if setting.default:
            parsed(setting, setting.default)


@pytest.mark.parametrize(
    ("key", "text"),
    [
        ("dialecticDepth", "4"),
        ("dialecticDepth", "0"),
        ("contextCadence", "1.5"),
        ("recallMode", "all"),
        ("queryRewrite", "2"),
        ("dialecticDepthLevels", "low,huge"),
        ("firstTurnBaseWait", "-1"),
        ("writeFrequency", "0"),
        ("contextTokens", "٣"),
    ],
)
def test_a_value_that_the_agent_would_read_otherwise_is_refused(home: HermesHome, key: str, text: str) -> None:
    """The file would say one thing and the agent do another."""
    (home.path / "honcho.json").write_text("{}")
    with pytest.raises(Refused) as caught:
        set_honcho(home, key, text, {})
    assert caught.value.code == "bad_value"
    assert (home.path / "honcho.json").read_text() == "{}"


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"[1]",
        b"{,}",
        b'{"a": 1',
        b"\xef\xbb\xbf{}",
        b'{"a": "\xff"}',
        b'{"contextCadence": 1, "contextCadence": 2}',
    ],
)
def test_a_file_that_cannot_be_changed_safely_stays_as_it_is(home: HermesHome, data: bytes) -> None:
    """What is left of it would be lost."""
    path = home.path / "honcho.json"
    path.write_bytes(data)
    with pytest.raises(Refused) as caught:
        set_honcho(home, "contextCadence", None, {})
    assert caught.value.code == "honcho_file"
    assert path.read_bytes() == data


def test_without_a_file_none_is_made(home: HermesHome) -> None:
    """A file that says nothing else would switch off what the environment says."""
    assert honcho_settings(home, {}).state == "missing"
    with pytest.raises(Refused, match="does not exist"):
        set_honcho(home, "contextCadence", "2", {})
    with pytest.raises(NotFound, match="Did you mean"):
        set_honcho(home, "contextCadenc", "2", {})
    assert not (home.path / "honcho.json").exists()
