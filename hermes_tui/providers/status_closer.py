"""What is to be looked at in one provider only, beside the settings it needs."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from hermes_tui.providers.catalogue_hosted import HOLOGRAPHIC_SECTION
from hermes_tui.providers.fields import OFF_WORDS
from hermes_tui.providers.status_sources import leaf

if TYPE_CHECKING:
    from hermes_tui.providers.status_rules import Judge


KEYLESS = frozenset({"ollama", "lmstudio", "openai_compatible"})
"""Language models that want no key."""


def look_closer(judge: Judge) -> None:
    """Add what is true of this provider only to what has been found."""
    special = _SPECIAL.get(judge.provider.name)
    if special:
        special(judge)


def _honcho(judge: Judge) -> None:
    enabled = judge.values["enabled"]
    if enabled.origin != "default" and enabled.raw in (False, 0, ""):
        judge.blocked.append(f"It is switched off: enabled is false in {enabled.origin}.")
    file = judge.sources.json_file(judge.provider)
    if file and file.state == "ok" and file.path != judge.sources.home.path / judge.provider.file:
        judge.problems.append(
            f"Its settings are those of {judge.sources.short(file.path)}; the home has none of its own."
        )
    hosts = file.values.get("hosts") if file else None
    if hosts is not None and not isinstance(hosts, Mapping):
        judge.blocked.append(f"hosts in {file.path if file else ''} holds no blocks by name.")


def _hindsight(judge: Judge) -> None:
    variable = judge.sources.variable("HINDSIGHT_MODE")
    if variable and judge.has_file() and str(variable.value) != judge.mode:
        judge.problems.append(f"HINDSIGHT_MODE in {variable.origin} counts for nothing: its file says {judge.mode}.")
    if judge.mode in ("local", "local_embedded"):
        if judge.text("llm_provider") not in KEYLESS and not judge.has("llm_api_key"):
            judge.problems.append(f"Its language model ({judge.text('llm_provider')}) needs a key: llm_api_key.")
        folder = judge.site_packages
        if folder is None:
            judge.doubts.append("Whether the package hindsight-all is there cannot be told from here.")
        elif not ((folder / "hindsight").is_dir() and (folder / "hindsight_embed").is_dir()):
            judge.blocked.append("The package hindsight-all is not there; `hermes memory setup` fetches it.")
    elif judge.mode == "cloud" and not judge.has("api_key") and judge.has("api_url"):
        hosted = judge.provider.field("api_url")
        if hosted and judge.text("api_url").rstrip("/") == hosted.default:
            judge.blocked.append("Its cloud needs a key: api_key.")


def _mem0(judge: Judge) -> None:
    if judge.mode == "oss":
        file = judge.sources.json_file(judge.provider)
        store = leaf(file.values, "oss.vector_store") if file else None
        if store is not None and not isinstance(store, Mapping):
            judge.problems.append("oss.vector_store in mem0.json is no mapping, so the library cannot use it.")
        uses_openai = "openai" in (judge.text("llm"), judge.text("embedder"))
        if uses_openai and not judge.has("openai_api_key"):
            judge.problems.append("Its models are those of OpenAI, and OPENAI_API_KEY is not set.")
        if judge.text("vector_path").startswith(str(judge.sources.user_home / ".hermes" / "mem0_qdrant")):
            judge.problems.append("The folder of qdrant is the same for every profile.")
    elif judge.has("host") and judge.values["host"].origin != "default":
        judge.problems.append(
            f"host in {judge.values['host'].origin} is set, so memories go there and not to the service."
        )


def _openviking(judge: Judge) -> None:
    sources = judge.sources
    if not sources.uses_ovcli():
        return
    file = sources.json_file(judge.provider)
    if file and file.state == "missing" and not judge.has("endpoint"):
        judge.problems.append(f"{file.path} is not there, so the agent takes {judge.text('endpoint')}.")
    names = [name for name in ("OPENVIKING_ENDPOINT", "OPENVIKING_API_KEY") if sources.variable(name)]
    if names:
        judge.problems.append(
            f"{' and '.join(names)} {'wins' if len(names) == 1 else 'win'} over {sources.short(sources.ovcli_path())}."
        )


def _byterover(judge: Judge) -> None:
    path = judge.sources.environ.get("PATH", "")
    home = judge.sources.user_home
    places = [Path(folder) / "brv" for folder in path.split(os.pathsep) if folder]
    usual = [home / ".brv-cli" / "bin" / "brv", Path("/usr/local/bin/brv"), home / ".npm-global" / "bin" / "brv"]
    if any(os.access(place, os.X_OK) and place.is_file() for place in places) or any(map(_is_there, usual)):
        return
    judge.blocked.append("Its program brv is not there (npm install -g byterover-cli).")


def _is_there(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:
        return False


def _holographic(judge: Judge) -> None:
    section = judge.sources.yaml(HOLOGRAPHIC_SECTION)
    if section and section.value and not isinstance(section.value, Mapping):
        judge.blocked.append(f"{HOLOGRAPHIC_SECTION} in {section.origin} holds no settings by name.")

    extract = judge.values["auto_extract"]
    if isinstance(extract.raw, str) and extract.text.lower() in OFF_WORDS:
        judge.problems.append(f"auto_extract is the text {extract.text!r}, which the agent takes for on. Write false.")


def _retaindb(judge: Judge) -> None:
    for name in ("base_url", "project"):
        value = judge.values[name]
        if value.given and "config.yaml" in value.origin:
            variable = value.field.home_source.key
            judge.problems.append(f"{name} in {value.origin} is read by 0.22 agents only; 0.19 needs {variable}.")


_SPECIAL: dict[str, Callable[[Judge], None]] = {
    "byterover": _byterover,
    "hindsight": _hindsight,
    "holographic": _holographic,
    "honcho": _honcho,
    "mem0": _mem0,
    "openviking": _openviking,
    "retaindb": _retaindb,
}
