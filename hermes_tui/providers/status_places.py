"""Where a provider's data is by its settings: on this machine, elsewhere, or both."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from hermes_tui.providers.fields import is_here, is_near, without_password

if TYPE_CHECKING:
    from hermes_tui.providers.status_rules import Judge

Place = Literal["local", "remote", "either"]


def place_of(judge: Judge) -> tuple[Place, str]:
    """Where the data is by the settings of now, and in words."""
    name = judge.provider.name
    if name == "holographic":
        return "local", f"in {judge.text('db_path').replace('$HERMES_HOME', str(judge.sources.home.path))}"
    if name == "byterover":
        folder = judge.sources.home.path / "byterover"
        if judge.has("api_key"):
            return "either", f"in {folder}, with copies in its cloud"
        return "local", f"in {folder}; no cloud, unless brv itself is signed in"
    if name == "mem0" and judge.mode == "oss":
        return _oss_place(judge)
    if name == "hindsight" and judge.mode in ("local", "local_embedded"):
        model = judge.text("llm_provider")
        if model in ("ollama", "lmstudio"):
            return "local", "on this machine"
        return "either", f"on this machine; its language model ({model}) sees the text"
    url = judge.text({"hindsight": "api_url", "openviking": "endpoint", "mem0": "host"}.get(name, "base_url"))
    return _at(url or "https://api.mem0.ai")


def _oss_place(judge: Judge) -> tuple[Place, str]:
    where = judge.text("vector_url") or judge.text("vector_host") or judge.text("vector_path")
    address = judge.text("vector_url") or judge.text("vector_host")
    if address and not is_here(address):
        return "remote", f"in {judge.text('vector_store')} at {without_password(address)}"
    seen = sorted({judge.text(name) for name in ("llm", "embedder")} - {"ollama", ""})
    if seen:
        return "either", f"in {where or 'a local store'}; {' and '.join(seen)} sees the text"
    return "local", f"in {where or 'a local store'}"


def _at(url: str) -> tuple[Place, str]:
    shown = without_password(url)
    if is_here(url):
        return "local", f"on this machine, at {shown}"
    if is_near(url):
        return "remote", f"on another machine of your network, at {shown}"
    return "remote", f"at {shown}"
