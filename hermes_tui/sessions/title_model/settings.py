"""Which server writes titles: named by our own variables, or by what the agent is told about its own titles."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import SplitResult, urlsplit, urlunsplit

from hermes_tui.config import managed_dir
from hermes_tui.errors import Refused
from hermes_tui.exchange import SHOWN_CELLS, Addressed, is_local
from hermes_tui.home import HermesHome
from hermes_tui.redaction import mask
from hermes_tui.text import one_line
from hermes_tui.variables import Variables
from hermes_tui.yaml_file import YamlFile, read_yaml

BASE_URL = "HERMES_TUI_TITLE_BASE_URL"
MODEL = "HERMES_TUI_TITLE_MODEL"
API_KEY = "HERMES_TUI_TITLE_API_KEY"
SECTION = "auxiliary.title_generation"

TIMEOUT_SECONDS = 30.0
LEAST_TIMEOUT_SECONDS, MOST_TIMEOUT_SECONDS = 1.0, 600.0

HOW = (
    f"Give the base URL of an OpenAI-compatible server and a model: {BASE_URL}, {MODEL} and, if it wants one,"
    f" {API_KEY}; or base_url, model and api_key under {SECTION} in config.yaml."
)


@dataclass(frozen=True, slots=True)
class _Provider:
    """A server that the agent knows by name."""

    base_url: str
    key_name: str
    """The variable its key is in."""
    url_name: str = ""
    """The variable that names another address."""


_OPENAI = _Provider("https://api.openai.com/v1", "OPENAI_API_KEY", "OPENAI_BASE_URL")
PROVIDERS: dict[str, _Provider] = {
    "openai": _OPENAI,
    "openai-api": _OPENAI,
    "openrouter": _Provider("https://openrouter.ai/api/v1", "OPENROUTER_API_KEY"),
    "deepseek": _Provider("https://api.deepseek.com/v1", "DEEPSEEK_API_KEY", "DEEPSEEK_BASE_URL"),
    "xai": _Provider("https://api.x.ai/v1", "XAI_API_KEY", "XAI_BASE_URL"),
    "lmstudio": _Provider("http://127.0.0.1:1234/v1", "LM_API_KEY", "LM_BASE_URL"),
}
"""Those that speak the protocol and are always at the same place."""
_CHAT_MODES = ("", "auto", "chat", "chat_completions", "openai")
_OTHER_PROTOCOLS = ("anthropic", "minimax", "bedrock", "vertex", "nous", "copilot", "openai-codex", "-oauth", "moa")
_UNNAMED = ("", "auto", "custom")


@dataclass(frozen=True, slots=True)
class TitleModelSettings(Addressed):
    """A server that speaks OpenAI's chat protocol, and how it is asked."""

    base_url: str
    model: str
    api_key: str = field(default="", repr=False)
    timeout: float = TIMEOUT_SECONDS
    """Seconds for one title, all in all."""
    language: str = ""
    """What titles are written in; empty for the language of the conversation."""
    extra_body: Mapping[str, object] = field(default_factory=dict, repr=False)
    """What else the server is told."""
    origin: str = ""
    """Where the address comes from."""
    key_origin: str = ""
    """The variable or setting that the key comes from."""

    @property
    def endpoint(self) -> str:
        """The address of its chat completions."""
        url = urlsplit(self.base_url)
        path = url.path.rstrip("/")
        if not path.endswith("/chat/completions"):
            path += "/chat/completions"
        return urlunsplit((url.scheme, url.netloc, path, url.query, ""))

    @property
    def model_name(self) -> str:
        """The model as it may be shown."""
        return one_line(self.model, SHOWN_CELLS)

    @property
    def masked_key(self) -> str:
        """The key as it may be shown; empty when there is none."""
        return mask(self.api_key) if self.api_key else ""


def title_settings(home: HermesHome, environ: Mapping[str, str] | None = None) -> TitleModelSettings:
    """The server that is to write titles.

    Args:
        home: whose config.yaml and .env are read.
        environ: the environment; that of this process if it is left out.

    Raises:
        Refused: none is named plainly, or what is named cannot be used.
    """
    env = os.environ if environ is None else environ
    own_url, own_model, own_key = (env.get(name, "").strip() for name in (BASE_URL, MODEL, API_KEY))
    if own_url:
        # A key or model that is meant for another server is none for this one.
        if not own_model:
            raise _unconfigured(f"{BASE_URL} names a server, but {MODEL} names no model.")
        _checked_url(own_url, BASE_URL)
        return TitleModelSettings(
            own_url,
            own_model,
            _checked_key(own_key, API_KEY),
            origin=BASE_URL,
            key_origin=API_KEY if own_key else "",
        )
    asked = _Section(home, env)
    url, provider = asked.address()
    model = own_model or asked.model()
    key, key_origin = (own_key, API_KEY) if own_key else asked.key(url, provider)
    return TitleModelSettings(
        url,
        model,
        _checked_key(key, key_origin),
        timeout=asked.timeout(),
        language=one_line(asked.text("language"), SHOWN_CELLS),
        extra_body=asked.extra_body(),
        origin=f"{SECTION} in config.yaml",
        key_origin=key_origin if key else "",
    )


class _Section:
    """What config.yaml says about the agent's titles; what an administrator pinned counts before it."""

    def __init__(self, home: HermesHome, env: Mapping[str, str]) -> None:
        self._env = env
        self._variables = Variables(home.path, env)
        folder = managed_dir(env)
        pinned = read_yaml(folder / "config.yaml") if folder else YamlFile("missing")
        user = read_yaml(home.config_path)
        self.problem = user.problem
        self.values = {**_section(user.mapping), **_section(pinned.mapping)}

    def text(self, name: str) -> str:
        value = self.values.get(name)
        return self._variables.fill(value).text.strip() if isinstance(value, str) else ""

    def _variable(self, name: str) -> str:
        """A variable; where the file has a gap to fill in (`***`), the shell's."""
        value = self._variables.environ.get(name, "").strip()
        return value if value.strip("*") else self._env.get(name, "").strip()

    def address(self) -> tuple[str, str]:
        """The base URL, and the provider's name."""
        provider, url = self.text("provider").lower(), self.text("base_url")
        mode = self.text("api_mode").lower()
        if any(name in provider for name in _OTHER_PROTOCOLS) or "/anthropic" in url or mode not in _CHAT_MODES:
            said = mode if mode not in _CHAT_MODES else provider or url
            raise _unconfigured(f"{SECTION} names a server of another protocol ({one_line(said, SHOWN_CELLS)}).")
        known = PROVIDERS.get(provider)
        if url:
            return _checked_url(url, f"{SECTION}.base_url"), provider
        if known is not None:
            elsewhere = self._variable(known.url_name) if known.url_name else ""
            return _checked_url(elsewhere, known.url_name) if elsewhere else known.base_url, provider
        if provider not in _UNNAMED:
            name = one_line(provider, SHOWN_CELLS)
            raise _unconfigured(f"{SECTION}.provider is {name}, whose address is not known here.")
        if self.problem:
            raise _unconfigured(f"config.yaml cannot be used ({self.problem}), so no model is named to write titles.")
        raise _unconfigured("No model is named to write titles.")

    def model(self) -> str:
        name = self.text("model")
        if not name or name.lower() == "auto":
            raise _unconfigured(f"{SECTION} names a server, but no model.")
        return name

    def key(self, url: str, provider: str) -> tuple[str, str]:
        """The key, and where it comes from."""
        if given := self.text("api_key"):
            return given, f"{SECTION}.api_key"
        name = self.text("key_env") or self.text("api_key_env")
        if not name:
            # As the agent has it, but a key that nobody meant for this server is not sent in the clear.
            name = PROVIDERS[provider].key_name if provider in PROVIDERS else _OPENAI.key_name
            parts = urlsplit(url)
            if parts.scheme != "https" and not is_local(parts.hostname or ""):
                return "", ""
        return self._variable(name), name

    def timeout(self) -> float:
        value = self.values.get("timeout")
        try:
            seconds = float(value) if isinstance(value, int | float | str) else TIMEOUT_SECONDS
        except ValueError:
            seconds = TIMEOUT_SECONDS
        if not math.isfinite(seconds) or seconds <= 0:
            seconds = TIMEOUT_SECONDS
        return min(MOST_TIMEOUT_SECONDS, max(LEAST_TIMEOUT_SECONDS, seconds))

    def extra_body(self) -> dict[str, object]:
        value = self.values.get("extra_body")
        extra = {str(name): each for name, each in value.items()} if isinstance(value, Mapping) else {}
        effort = self.text("reasoning_effort").lower()
        return {"reasoning_effort": effort, **extra} if effort else extra


def _section(mapping: Mapping[str, object]) -> Mapping[str, object]:
    found: object = mapping
    for name in SECTION.split("."):
        found = found.get(name) if isinstance(found, Mapping) else None
    return found if isinstance(found, Mapping) else {}


def _unconfigured(message: str) -> Refused:
    return Refused(message, code="model_unconfigured", hint=HOW)


def _checked_url(url: str, name: str) -> str:
    """`url`, if it is one that can be asked; it is not shown, since it may hold a password."""
    try:
        parts = urlsplit(url)
        parts.port  # noqa: B018 - reading it checks it
    except ValueError:
        parts = SplitResult("", "", "", "", "")
    if parts.scheme not in ("http", "https") or not parts.hostname or re.search(r"[\x00-\x20\x7f]", url):
        raise _unconfigured(f"{name} is no address that begins with http:// or https://.")
    if "@" in parts.netloc:
        raise _unconfigured(f"{name} holds a name or password; a key is given apart from the address.")
    return url


def _checked_key(key: str, name: str) -> str:
    if key and not re.fullmatch(r"[\x21-\x7e]+", key):
        raise _unconfigured(f"The key in {name} holds a space or a character that no key has.")
    return key
