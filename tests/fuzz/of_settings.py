"""Settings: the agent's, the providers' and our own, read whatever stands there, and changed at one place only."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import partial
from typing import Any

from hermes_tui.config import load_config
from hermes_tui.config.edit import set_setting, undo_setting, unset_setting
from hermes_tui.config.keys import KEYS, Key, Value
from hermes_tui.config.rows import parse_value, read_rows
from hermes_tui.env_file import read_env, with_variables
from hermes_tui.providers.honcho_edit import set_honcho, take_back
from hermes_tui.providers.honcho_settings import SETTINGS as HONCHO_SETTINGS
from hermes_tui.providers.honcho_settings import honcho_settings
from hermes_tui.providers.status import provider_status
from hermes_tui.settings import keep_setting, load_settings
from hermes_tui.ui.keymap import keymap_of
from hermes_tui.ui.themes import read_theme
from hermes_tui.views import Views
from hermes_tui.yaml_file import parse_yaml
from tests.fuzz.given import number, one_of, split, text, value
from tests.fuzz.machine import machine, put
from tests.fuzz.promises import can_be_shown, ours

GLUED = ("HONCHO_API_KEY", "MEM0_API_KEY")
"""Names at which the agent takes a line apart."""
MOST_LINES = 6
"""So many lines at most are not as they were after one setting was changed."""


def config(data: bytes) -> None:
    """Any config.yaml is read; a setting that is changed is as meant, at its lines only, and comes back as it was."""
    how, said, before = split(data, 3)
    key = one_of(how, KEYS)
    with machine() as place:
        path = put(place.home.config_path, before)
        found = load_config(place.home)
        can_be_shown(f"{found.problem} {' '.join(note.message + note.value for note in found.notes)}")
        for row in read_rows(place.home).rows:
            can_be_shown(f"{row.written} {row.value} {' '.join(row.notes)}")
        wanted = _wanted(key, how, text(said))
        if wanted is None:
            return
        changed = ours(lambda: set_setting(place.home, key.name, wanted))
        after = path.read_bytes()
        if not changed:
            assert after == before
        else:
            parsed = parse_yaml(after)
            assert parsed.state == "ok"
            stands = _at(parsed.mapping, key.path)
            assert (type(stands), stands) == (type(wanted), wanted)
            _few_lines(before, after, str(_at(parse_yaml(before).mapping, key.path)))
            undo_setting(place.home)
            assert path.read_bytes() == before
        if ours(lambda: unset_setting(place.home, key.name)):
            assert _at(parse_yaml(path.read_bytes()).mapping, key.path) is None
            undo_setting(place.home)
            assert path.read_bytes() == before


def _wanted(key: Key, how: bytes, said: str) -> Value | None:
    if key.kind == "switch":
        return number(how[1:], 2) == 1
    if key.kind == "words":
        return one_of(how[1:], key.choices)
    return ours(lambda: parse_value(key, said))


def _at(mapping: Any, path: tuple[str, ...]) -> Any:
    for name in path:
        mapping = mapping.get(name) if isinstance(mapping, Mapping) else None
    return mapping


def _few_lines(before: bytes, after: bytes, old: str) -> None:
    """Nothing but a few lines together has changed."""
    head = _alike(before, after)
    tail = _alike(before[head:][::-1], after[head:][::-1])
    gone, new = before[head : len(before) - tail], after[head : len(after) - tail]
    assert new.count(b"\n") <= MOST_LINES, new
    assert gone.count(b"\n") <= 2 or len(gone) <= 2 * len(old) + 200, gone
    assert b"#" not in gone or b"\n" not in gone.strip() or "#" in old, gone


def _alike(one: bytes, other: bytes) -> int:
    """How many bytes they begin with alike."""
    shorter = min(len(one), len(other))
    return next((at for at in range(shorter) if one[at] != other[at]), shorter)


def env(data: bytes) -> None:
    """Any .env is read; a variable that is set reads back, and the other settings are as they were."""
    name, said, before = split(data, 3)
    with machine() as place:
        path = put(place.home.path / ".env", before)
        found = read_env(path, GLUED)
        for problem in found.problems:
            can_be_shown(problem)
        found.values({})
        values = {each.name: each.value for each in found.settings}
        for changes in ({text(name): text(said)}, {text(name): None}):
            after = ours(partial(with_variables, before, changes))
            if after is None or found.state != "ok" or b"\0" in before or before.startswith(b"\xef\xbb\xbf"):
                continue
            path.write_bytes(after)
            new = {each.name: each.value for each in read_env(path, GLUED).settings}
            for each in new.keys() & values.keys() - changes.keys():
                assert new[each] == values[each], each
            if changes[text(name)] is None:
                assert text(name) not in new
            else:
                assert new[text(name)] == text(said)


def honcho(data: bytes) -> None:
    """Any honcho.json is read; a setting that is changed is what was meant, everything else is as it was."""
    how, said, before = split(data, 3)
    setting = one_of(how, HONCHO_SETTINGS)
    with machine() as place:
        path = put(place.home.path / "honcho.json", before)
        found = honcho_settings(place.home)
        can_be_shown(found.problem + " ".join(f"{each.value} {each.note}" for each in found.values))
        provider_status(place.home)
        changed = ours(lambda: set_honcho(place.home, setting.key, text(said) if said else None))
        after = path.read_bytes()
        if changed is None:
            assert after == before
            return
        old, new = json.loads(before), json.loads(after)
        for name in changed.at[:-1]:
            old, new = old[name], new[name]
        assert new.get(setting.key) == changed.after
        assert json.dumps({**old, setting.key: 0}, sort_keys=True) == json.dumps(
            {**new, setting.key: 0}, sort_keys=True
        )
        ours(lambda: take_back(changed))
        assert json.loads(path.read_bytes()) == json.loads(before) or changed.before is None


def views(data: bytes) -> None:
    """Any file of saved views is used or left alone; what is saved is there, and so are the others."""
    name, how, content, before = split(data, 4)
    with machine() as place:
        saved = Views(place.home.path, one_of(how, ("sessions", "pending")))
        path = put(place.data / "views.json", before)
        listed = ours(lambda: saved.every)
        given = value(content)
        made = ours(lambda: saved.save(text(name), {"query": given}, over=number(how, 2) == 1))
        if listed is None or made is None:
            assert path.read_bytes() == before
            return
        assert json.dumps(saved.named(made.name).content) == json.dumps({"query": given})
        kept = [view.name for view in saved.every]
        assert kept.count(made.name) == 1 or [view.name for view in listed].count(made.name) > 1
        assert all(view.name in kept or view.name.casefold() == made.name.casefold() for view in listed) or number(
            how, 2
        )
        ours(lambda: saved.rename_to(made.name, "another"))
        ours(lambda: saved.delete("another"))
        assert len(saved.every) in (len(kept), len(kept) - 1)


def own_settings(data: bytes) -> None:
    """Any settings.yaml of ours is read, and each thing in it that cannot be is told; a change keeps the rest."""
    how, before = split(data, 2)
    with machine() as place:
        path = put(place.root / ".config" / "hermes-tui" / "settings.yaml", before)
        found = load_settings(path=path)
        for trouble in (*found.troubles, *keymap_of(found).troubles):
            can_be_shown(trouble)
            assert trouble.endswith(".")
        changed = ours(lambda: keep_setting("reduced_motion", number(how, 2) == 1))
        if changed is not None and changed == path:
            assert parse_yaml(path.read_bytes()).mapping["reduced_motion"] == (number(how, 2) == 1)


def theme(data: bytes) -> None:
    """Any theme is one or is refused in a sentence; the colours of one that is can be used."""
    with machine() as place:
        path = put(place.root / "mine.yaml", data)
        found = ours(lambda: read_theme(path))
        if found is not None:
            found.to_color_system().generate()


def yaml(data: bytes) -> None:
    """Any YAML is settings by name or has a problem that can be told."""
    found = parse_yaml(data)
    assert (found.state == "ok") != bool(found.problem)
    can_be_shown(f"{found.problem} {found.duplicate_key}")
