"""Where a provider's memories are asked for: the values that count for the agent, and what it makes of them."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from ipaddress import ip_address, ip_network
from urllib.parse import urlsplit

from hermes_tui.errors import NotFound, Refused
from hermes_tui.exchange import is_local
from hermes_tui.home import HermesHome
from hermes_tui.providers.catalogue import Provider, catalogue
from hermes_tui.providers.remote import NAMES
from hermes_tui.providers.status_rules import Judge
from hermes_tui.providers.status_sources import Sources

HONCHO_LOCAL = "http://localhost:8000"
HINDSIGHT_LOCAL = "http://localhost:8888"
MEM0_PLATFORM = "https://api.mem0.ai"
LOCAL_KEY = "local"
"""What a Honcho of one's own is told where it wants no key."""
NEEDS_KEY = frozenset({"retaindb", "supermemory"})
VPN = ip_network("100.64.0.0/10")

Settings = dict[str, str]


def remote_settings(home: HermesHome, provider: str, environ: Mapping[str, str] | None = None) -> Settings:
    """What `Remote` is given for a provider: an address, a key, and the names its memories are under.

    Only files are read; nothing is asked.

    Raises:
        NotFound: there is no such provider.
        Refused: it is not set up.
    """
    known = catalogue().get(provider)
    if known is None or provider not in NAMES:
        raise NotFound(
            f"{provider} is no provider that can be asked.",
            code="no_provider",
            hint=f"These can: {', '.join(NAMES)}.",
        )
    env = os.environ if environ is None else environ
    sources = Sources(home, env)
    values = _Values(home, sources, known)
    found = _MAKERS[provider](values)
    if "api_key" in values.judge.values:
        found.setdefault("api_key", values.text("api_key"))
        found["key_origin"] = values.origin("api_key") or _key_names(known)
    if provider in NEEDS_KEY | ({"mem0"} if found.get("mode") == "platform" else set()) and not found["api_key"]:
        raise Refused(
            f"{known.title} has no key: {_key_names(known)} is not set.",
            code="provider_unconfigured",
            hint=f"Set it up: `hermes-tui providers setup {provider}`.",
        )
    return found


def _key_names(provider: Provider) -> str:
    field = provider.field("api_key")
    return field.home_source.key if field else ""


class _Values:
    """The settings of one provider as they count."""

    def __init__(self, home: HermesHome, sources: Sources, provider: Provider) -> None:
        self.home = home
        self.sources = sources
        self.provider = provider
        self.judge = Judge(sources, provider)

    def text(self, name: str) -> str:
        """A value, or what stands for it where nobody set one."""
        return self.judge.text(name).strip()

    def given(self, name: str) -> str:
        """A value that somebody set."""
        return self.text(name) if self.judge.values[name].given else ""

    def origin(self, name: str) -> str:
        """Where a value comes from; empty for nowhere."""
        value = self.judge.values[name]
        return value.origin if value.given else ""

    @property
    def identity(self) -> str:
        """What the agent calls the profile."""
        return self.home.profile or "default"


def _honcho(values: _Values) -> Settings:
    url, origin = values.given("base_url"), values.origin("base_url")
    if not url:
        setting = values.sources.yaml("honcho.base_url")
        url = str(setting.value).strip() if setting else ""
        origin = setting.origin if setting else ""
    host = values.sources.honcho_host(values.provider)
    own_server = bool(url)
    if not url:
        url = HONCHO_LOCAL if values.text("environment") == "local" else values.text("base_url")
    found = {
        "base_url": re.sub(r"/v\d+/*$", "", url).rstrip("/"),
        "url_origin": origin,
        "workspace": values.text("workspace") or host,
        "ai_peer": _safe(values.text("ai_peer") or host),
        "peer_name": _safe(values.text("peer_name")),
    }
    if own_server and _nearby(url) and not values.sources.honcho_block(values.provider).get("apiKey"):
        found["api_key"] = LOCAL_KEY  # a key of the cloud is none of such a server's business
    if not own_server and url != HONCHO_LOCAL and not values.text("api_key"):
        raise Refused(
            "Honcho has neither a key nor a server of its own.",
            code="provider_unconfigured",
            hint="Set it up: `hermes-tui providers setup honcho`.",
        )
    return found


def _safe(name: str) -> str:
    return re.sub(r"[^a-zA-Z0-9_-]", "-", name)


def _nearby(url: str) -> bool:
    """Whether an address is on this machine or in a network of one's own."""
    try:
        host = urlsplit(url).hostname or ""
    except ValueError:
        return False
    if is_local(host):
        return True
    try:
        address = ip_address(host)
    except ValueError:
        return False
    return address.is_private or address.is_link_local or (address.version == 4 and address in VPN)


def _openviking(values: _Values) -> Settings:
    url = values.text("endpoint")
    return {
        "base_url": url if "://" in url or not url else f"http://{url}",
        "url_origin": values.origin("endpoint"),
        "account": values.text("account"),
        "user": values.text("user"),
        "agent": values.text("agent"),
    }


def _mem0(values: _Values) -> Settings:
    host = values.given("host")
    mode = "oss" if values.text("mode") == "oss" else "self-hosted" if host else "platform"
    return {
        "mode": mode,
        "base_url": host or MEM0_PLATFORM,
        "url_origin": values.origin("host"),
        "user_id": values.text("user_id"),
    }


def _hindsight(values: _Values) -> Settings:
    mode = values.text("mode")
    url = values.given("api_url")
    if not url and mode == "local_external":
        url = HINDSIGHT_LOCAL
    elif not url and mode not in ("local", "local_embedded"):
        url = values.text("api_url")
    return {
        "mode": mode,
        "base_url": url,
        "url_origin": values.origin("api_url"),
        "bank": _bank(values),
        "budget": values.text("recall_budget"),
    }


def _bank(values: _Values) -> str:
    """The bank's name; what only a running agent knows is left out of a template, as where it is not known."""
    template, usual = values.text("bank_id_template"), values.text("bank_id")
    if not template:
        return usual
    safe = re.sub(r"-+", "-", "".join(char if char.isalnum() or char in "-_" else "-" for char in values.identity))
    rendered = template.replace("{profile}", safe.strip("-"))
    if re.search(r"\{(?:workspace|platform|user|session)\}", rendered):
        raise Refused(
            "The bank's name depends on the conversation (bank_id_template), so there is not one bank to look into.",
            code="provider_unconfigured",
            hint="Name the one you mean: HINDSIGHT_BANK_ID, with a template of {profile} only.",
        )
    rendered = re.sub(r"_{2,}", "_", re.sub(r"-{2,}", "-", rendered)).strip("-_")
    return usual if "{" in rendered or "}" in rendered else rendered or usual


def _retaindb(values: _Values) -> Settings:
    name = values.home.path.name
    return {
        "base_url": values.text("base_url"),
        "url_origin": values.origin("base_url"),
        "api_key": values.text("api_key").removeprefix("Bearer ").strip(),
        "project": values.text("project") or ("default" if name in ("", ".hermes") else f"hermes-{name}"),
        "user_id": "default",
    }


def _supermemory(values: _Values) -> Settings:
    tag = re.sub(r"[^a-zA-Z0-9_]+", "_", values.text("container_tag").replace("{identity}", values.identity))
    return {
        "base_url": values.text("base_url"),
        "url_origin": values.origin("base_url"),
        "container_tag": re.sub(r"_+", "_", tag).strip("_") or "hermes",
        "search_mode": values.text("search_mode"),
    }


def _byterover(values: _Values) -> Settings:
    return {
        "folder": str(values.home.path / "byterover"),
        "user_home": str(values.sources.user_home),
        "path": values.sources.environ.get("PATH", ""),
    }


_MAKERS = {
    "byterover": _byterover,
    "hindsight": _hindsight,
    "honcho": _honcho,
    "mem0": _mem0,
    "openviking": _openviking,
    "retaindb": _retaindb,
    "supermemory": _supermemory,
}
