"""What `hermes-tui providers` answers: as JSON, and as text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from hermes_tui.text import fit, wrap_cells

if TYPE_CHECKING:
    from hermes_tui.providers.fields import Source
    from hermes_tui.providers.setup import Plan
    from hermes_tui.providers.status import ProvidersStatus, ProviderStatus
    from hermes_tui.providers.status_diverged import Diverged, Text
    from hermes_tui.providers.status_rules import Missing, Value

LABEL_CELLS = 12
LINE_CELLS = 100
MOST_SHOWN = 20
SET_UP = {"yes": "set up", "no": "not set up", "unknown": "cannot tell"}


def status_shape(status: ProvidersStatus, shown: Sequence[ProviderStatus]) -> dict[str, object]:
    """The whole status, or that of some providers."""
    return {
        "home": str(status.home),
        "active": status.active,
        "origin": status.origin,
        "builtin": {
            "memory_enabled": status.memory_enabled,
            "user_profile_enabled": status.user_profile_enabled,
            "words": status.builtin,
        },
        "providers": [provider_shape(provider) for provider in shown],
        "problems": list(status.problems),
    }


def provider_shape(provider: ProviderStatus) -> dict[str, object]:
    """One provider; secrets are masked."""
    return {
        "name": provider.name,
        "title": provider.title,
        "active": provider.active,
        "installed": provider.installed,
        "installed_words": provider.installed_words,
        "configured": provider.configured,
        "missing": [_missing_shape(missing) for missing in provider.missing],
        "optional": [value.field.name for value in provider.optional],
        "settings": [_value_shape(value) for value in provider.values],
        "files": [
            {
                "path": str(file.path),
                "state": file.state,
                "mode": f"{file.mode:04o}" if file.state not in ("missing", "unreadable") else "",
                "problem": file.problem,
            }
            for file in provider.files
        ],
        "place": provider.place,
        "place_words": provider.place_words,
        "purpose": provider.purpose,
        "leaves": provider.leaves,
        "mirroring": provider.mirroring,
        "diverged": _diverged_shape(provider.diverged),
        "problems": list(provider.problems),
    }


def _missing_shape(missing: Missing) -> dict[str, object]:
    return {
        "any_of": [field.name for field in missing.fields],
        "where": [source_words(field.home_source) for field in missing.fields],
        "words": missing.words,
    }


def _value_shape(value: Value) -> dict[str, object]:
    return {
        "name": value.field.name,
        "value": value.shown,
        "origin": value.origin,
        "path": str(value.path) if value.path and value.origin != "default" else "",
        "secret": value.field.secret,
        "about": value.field.about,
    }


def _diverged_shape(diverged: Diverged | None) -> dict[str, object] | None:
    if diverged is None:
        return None
    return {
        "absent": [_text_shape(text) for text in diverged.absent],
        "stale": [_text_shape(text) for text in diverged.stale],
        "facts": diverged.facts,
        "extra": diverged.extra,
        "queued": diverged.queued,
        "words": list(diverged.words),
    }


def _text_shape(text: Text) -> dict[str, str]:
    return {"store": text.store, "text": text.text}


def plan_shape(plan: Plan, *, written: bool) -> dict[str, object]:
    """What is, or would be, written; secrets are masked."""
    return {
        "provider": plan.provider,
        "written": written,
        "changes": [{"path": str(path), "lines": list(lines)} for path, lines in plan.lines],
        "notes": list(plan.notes),
    }


def plan_text(plan: Plan) -> str:
    """What would be written, file by file."""
    found: list[str] = []
    whole = {write.path for write in plan.files}
    for path, lines in plan.lines:
        found.append(f"{path} (mode 0600)" if path in whole else str(path))
        found += [f"  {line}" for line in lines]
    return "\n".join([*found, *plan.notes])


def source_words(source: Source) -> str:
    """Where a setting is written, in words."""
    return {
        "env": f"{source.key} in .env",
        "json": f"{source.key} in its JSON file",
        "host": f"{source.key} in its JSON file",
        "yaml": f"{source.key} in config.yaml",
    }[source.kind]


def overview_text(status: ProvidersStatus) -> str:
    """All providers, a line each, and the active one in full."""
    lines = [_labelled("built-in", status.builtin)]
    where = {"user": "config.yaml", "managed": "the administrator's config.yaml"}.get(status.origin, "")
    active = f"{status.active} ({where})" if status.active else "none: only the built-in memory"
    lines += [_labelled("provider", active), ""]
    for provider in status.providers:
        mark = "*" if provider.active else " "
        state = SET_UP[provider.configured]
        lines.append(f"{mark} {fit(provider.name, 13)} {fit(state, 12)} {fit(provider.place, 8)} {provider.purpose}")
    for problem in status.problems:
        lines += ["", *wrap_cells(f"! {problem}", LINE_CELLS)]
    chosen = status.of(status.active) if status.active else None
    if chosen is not None:
        lines += ["", provider_text(chosen)]
    return "\n".join(lines)


def provider_text(provider: ProviderStatus) -> str:
    """One provider in full."""
    return "\n".join([f"{provider.title}: {provider.purpose}", *_provider_lines(provider)])


def _provider_lines(provider: ProviderStatus) -> Iterator[str]:
    yield _labelled("active", "yes" if provider.active else "no")
    yield _labelled("installed", provider.installed_words)
    yield _labelled("set up", {"yes": "yes", "no": "no", "unknown": "cannot be told from here"}[provider.configured])
    for missing in provider.missing:
        yield _labelled("missing", _missing_words(missing))
    yield _labelled("data", f"{provider.place}, {provider.place_words}" if provider.place != "unknown" else "not known")
    if provider.leaves:
        yield _labelled("sent", provider.leaves)
    yield _labelled("told of", provider.mirroring)
    if provider.diverged is not None:
        yield from _diverged_lines(provider.diverged)
    for file in provider.files:
        mode = f"mode {file.mode:04o}" if file.state in ("ok", "invalid") and file.mode else file.state
        yield _labelled("file", f"{file.path} ({mode})")
    for value in provider.values:
        if value.given or (value.field.listed and value.text):
            yield _labelled("setting", f"{value.field.name} = {value.shown} ({value.origin})")
    unset = [value.field.name for value in provider.optional if not value.text]
    if unset:
        yield _labelled("optional", ", ".join(unset))
    for problem in provider.problems:
        yield from wrap_cells(f"! {problem}", LINE_CELLS)


def _missing_words(missing: Missing) -> str:
    if not missing.fields:
        return missing.words
    places = " or ".join(f"{field.name} ({source_words(field.home_source)})" for field in missing.fields)
    pages = [field.get_at for field in missing.fields if field.get_at]
    return f"{places}; keys: {pages[0]}" if pages else places


def _diverged_lines(diverged: Diverged) -> Iterator[str]:
    for words in diverged.words:
        yield _labelled("differs", words)
    for sign, texts in (("not there", diverged.absent), ("still there", diverged.stale)):
        for text in texts[:MOST_SHOWN]:
            yield f"{'':{LABEL_CELLS}} {sign}, {text.store}: {fit(text.text, 70).rstrip()}"
        if len(texts) > MOST_SHOWN:
            yield f"{'':{LABEL_CELLS}} … and {len(texts) - MOST_SHOWN:,} more"


def _labelled(label: str, text: str) -> str:
    first, *rest = wrap_cells(text, LINE_CELLS - LABEL_CELLS - 1) or [""]
    return "\n".join([f"{label:{LABEL_CELLS}} {first}", *(f"{'':{LABEL_CELLS}} {line}" for line in rest)])
