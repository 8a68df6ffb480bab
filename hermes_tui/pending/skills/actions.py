"""What each action of a skill write does to the files, by the rules of the agent and a few safer ones."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from pathlib import Path, PurePath
from typing import Any

from hermes_tui.pending.skills.draft import Draft, encoded
from hermes_tui.pending.skills.frontmatter import MAX_NEW_DESCRIPTION_CHARS, read_frontmatter
from hermes_tui.pending.skills.fuzzy import NotPatched, patch_text
from hermes_tui.pending.skills.refusal import Refusal, blocked, invalid
from hermes_tui.pending.skills.roots import EXCLUDED, SKILL_FILE, SUPPORT_FOLDERS, Skill, refuse_links
from hermes_tui.text import plural

MAX_NAME_CHARS = 64
MAX_PART_BYTES = 255
"""The longest name that common file systems take."""

_NAME = re.compile(r"[a-z0-9][a-z0-9._-]*")

Action = Callable[[Draft, Mapping[str, Any]], str]
"""Works on the draft and says in a sentence what it did."""


def create(draft: Draft, payload: Mapping[str, Any]) -> str:
    """A new skill."""
    name, content = text_of(payload, "name"), text_of(payload, "content")
    _check_name(name, "name")
    category = payload.get("category") or ""
    if category:
        _check_name(category, "category")
    _check_head(draft, content, f"SKILL.md of {name!r}", new=True)
    encoded(content, f"SKILL.md of {name!r}")
    root = draft.index.create_root
    if root != draft.index.roots[0]:
        draft.note(f"It goes to {root} (skills.create_dir); 0.19 agents would make it in the home's own folder.")
    skill = Skill(root / category / name if category else root / name, root)
    for other in draft.index.skills:
        if name in (other.name, draft.own_name(other)):
            if draft.read(other.file) == content.encode():
                raise Refusal("stale", "already there", f"The skill {name!r} is there, word for word. Reject this.")
            raise blocked("name taken", f"A skill {name!r} exists already ({other.path}). Reject this, or rename one.")
    refuse_links(root, skill.file)
    if draft.listing(skill.path):
        raise blocked("name taken", f"{skill.path} exists and is not empty. Move it away, or reject this.")
    if name in EXCLUDED or category in EXCLUDED:
        draft.note(f"Agents never look into a folder called {name if name in EXCLUDED else category!r}.")
    draft.put(skill, skill.file, content, f"SKILL.md of {name!r}")
    draft.add_skill(skill)
    return f"Creates the skill {skill.place}."


def edit(draft: Draft, payload: Mapping[str, Any]) -> str:
    """A SKILL.md rewritten as a whole."""
    name, content = text_of(payload, "name"), text_of(payload, "content")
    skill = draft.find(name)
    what = f"SKILL.md of {name!r}"
    _check_head(draft, content, what)
    _refuse_touched(draft, skill.file, what)
    draft.put(skill, skill.file, content, what)
    return f"Rewrites {what}."


def patch(draft: Draft, payload: Mapping[str, Any]) -> str:
    """A passage of a file replaced; with content instead of old and new text, a rewrite as the 0.22 line stages it."""
    if payload.get("content"):
        if payload.get("old_string") is not None or payload.get("new_string") is not None:
            raise invalid("Invalid record: it holds both a whole content and a passage to replace. Reject it.")
        draft.note("0.19 agents refuse a patch that holds a whole content.")
        return edit(draft, payload)
    name, old = text_of(payload, "name"), text_of(payload, "old_string")
    new = text_of(payload, "new_string", blank=True)
    everywhere = payload.get("replace_all") or False
    if not isinstance(everywhere, bool):
        raise invalid("Invalid record: replace_all is not a truth value.")
    skill = draft.find(name)
    path = _inside(skill, text_of(payload, "file_path")) if payload.get("file_path") else skill.file
    what = f"{path.relative_to(skill.path).as_posix()} of {name!r}"
    refuse_links(skill.root, path)
    text = draft.text(path, what)
    if text is None:
        raise Refusal("no_match", "file not found", f"There is no {what}. Reject this.")
    if old == new:
        raise invalid(f"Old and new text are the same, so {what} would not change. Reject this.", "no change")
    patched = patch_text(text, old, new, everywhere=everywhere)
    if isinstance(patched, NotPatched):
        raise _no_place(patched, what, everywhere)
    if path == skill.file:
        _check_head(draft, patched.text, f"{what} after the patch")
    if text.startswith("\ufeff"):
        draft.note(f"{what} starts with a byte order mark, which is kept; a 0.22 agent drops it.")
    if patched.tolerance != "exact":
        draft.note(_TOLERANCES[patched.tolerance])
    draft.put(skill, path, patched.text, what)
    return f"Replaces {plural(patched.places, 'passage', 'passages')} in {what}."


_TOLERANCES = {
    "edges": "The passage differs in blanks at the ends of lines; the new text takes on the indent found.",
    "blanks": "The passage differs in the number of blanks.",
    "typography": "The passage differs in typography (quotes, dashes, spaces), which is kept where it is not replaced.",
}


def _no_place(found: NotPatched, what: str, everywhere: bool) -> Refusal:
    if found.matches > 1:
        return Refusal(
            "ambiguous",
            f"{found.matches} matches",
            f"{found.matches} matches: will be refused. {what} holds the passage more than once; "
            "edit old_string so that it fits one place, or reject this.",
        )
    certain = "more than one such place" if everywhere else "no single place"
    return Refusal(
        "no_match",
        "no match",
        f"No match: {what} has {certain} that is certainly meant; an agent might guess one that is merely alike. "
        "Edit old_string, or reject this.",
    )


def write_file(draft: Draft, payload: Mapping[str, Any]) -> str:
    """A file of a skill written as a whole."""
    name, content = text_of(payload, "name"), text_of(payload, "file_content", blank=True, alias="content")
    given = text_of(payload, "file_path")
    skill = draft.find(name)
    path = _inside(skill, given)
    what = f"{path.relative_to(skill.path).as_posix()} of {name!r}"
    if path == skill.file:
        _check_head(draft, content, what)
    _refuse_touched(draft, path, what)
    is_new = draft.read(path) is None
    draft.put(skill, path, content, what)
    return f"{'Adds' if is_new else 'Rewrites'} {what}."


def remove_file(draft: Draft, payload: Mapping[str, Any]) -> str:
    """A file of a skill removed, and its folder when nothing else is in it."""
    name, given = text_of(payload, "name"), text_of(payload, "file_path")
    skill = draft.find(name)
    path = _inside(skill, given)
    what = f"{path.relative_to(skill.path).as_posix()} of {name!r}"
    if path == skill.file:
        raise blocked(
            "SKILL.md stays", f"Without its SKILL.md {name!r} is no skill any more. Delete the skill instead."
        )
    _refuse_touched(draft, path, what)
    refuse_links(skill.root, path)
    if draft.read(path) is None:
        raise Refusal("stale", "already gone", f"There is no {what} (any more). Reject this.")
    draft.drop(skill, path)
    if not draft.listing(path.parent):
        draft.emptied.append(path.parent)
    return f"Removes {what}."


def text_of(payload: Mapping[str, Any], key: str, *, blank: bool = False, alias: str = "") -> str:
    """An argument that must be there and be text.

    Raises:
        Refusal: it is missing, blank or something else; with where the text may have gone.
    """
    value = payload.get(key)
    if value is None or value == "":
        if value == "" and blank:
            return ""
        hint = f" (its text is under {alias}, which the agent does not read)" if alias and payload.get(alias) else ""
        raise invalid(f"Invalid record: {key} missing{hint}. Reject it.", f"{key} missing")
    if not isinstance(value, str):
        raise invalid(f"Invalid record: {key} is not text. Reject it.")
    if not blank and not value.strip():
        raise invalid(f"Invalid record: {key} is blank. Reject it.", f"{key} blank")
    return value


def _check_name(name: object, key: str) -> None:
    if not isinstance(name, str):
        raise invalid(f"Invalid record: {key} is not text. Reject it.")
    if len(name) > MAX_NAME_CHARS:
        raise invalid(f"The {key} has {len(name):,} characters; {MAX_NAME_CHARS} are allowed.", f"{key} too long")
    if not _NAME.fullmatch(name):
        raise invalid(
            f"Invalid {key} {name!r}: lowercase letters, digits, hyphens, dots and underscores, "
            "a letter or digit first, in one word.",
            f"bad {key}",
        )


def _check_head(draft: Draft, content: str, what: str, *, new: bool = False) -> None:
    head = read_frontmatter(content)
    if head.problem:
        raise invalid(f"{what} would not be a skill: {head.problem}.", "bad frontmatter")
    if head.duplicate_key:
        draft.note(f"The frontmatter gives {head.duplicate_key} twice: 0.22 agents refuse it.")
    if new and len(head.description) > MAX_NEW_DESCRIPTION_CHARS:
        draft.note(
            f"The description has {len(head.description):,} characters: 0.22 agents refuse a new skill with more "
            f"than {MAX_NEW_DESCRIPTION_CHARS}."
        )


def _refuse_touched(draft: Draft, path: Path, what: str) -> None:
    if path in draft.touched:
        raise invalid(f"An earlier operation has worked on {what}, and this one would undo that. Reject this.")


def _inside(skill: Skill, given: str) -> Path:
    """The file of a skill that a path names.

    Raises:
        Refusal: it is no file in one of the folders a skill may have.
    """
    shown = given if len(given) <= 80 else given[:79] + "…"
    parts = PurePath(given).parts
    if ".." in parts or (os.sep != "/" and ".." in re.split(r"[/\\]", given)):
        raise invalid(
            f"The path {shown!r} leads out of the skill ('..' is not allowed). Reject this.", "path leads out"
        )
    if parts == (SKILL_FILE,):
        return skill.file
    if not parts or parts[0] not in SUPPORT_FOLDERS:
        folders = ", ".join(f"{folder}/" for folder in SUPPORT_FOLDERS)
        raise invalid(f"The path {shown!r} is not in one of {folders} and not SKILL.md. Reject this.", "bad path")
    if len(parts) == 1:
        raise invalid(f"The path {shown!r} names a folder, not a file. Reject this.", "bad path")
    try:
        if "\0" in given or any(len(part.encode()) > MAX_PART_BYTES for part in parts):
            raise invalid(f"The path {shown!r} is one that no disk takes. Reject this.", "bad path")
    except UnicodeEncodeError as error:
        raise invalid(f"The path {shown!r} holds half a character. Reject this.", "bad path") from error
    return skill.path.joinpath(*parts)
