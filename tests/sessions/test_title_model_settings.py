"""Which server is asked for titles, with which key, and that none is asked unless one is named."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from hermes_tui.errors import Refused
from hermes_tui.home import HermesHome
from hermes_tui.sessions.title_model import TitleModelSettings, title_settings

KEY = "sk-test-0123456789abcdefghijklmnop"
OTHER_KEY = "sk-other-0123456789abcdefghijklmn"
OURS = {"HERMES_TUI_TITLE_BASE_URL": "http://localhost:11434/v1", "HERMES_TUI_TITLE_MODEL": "tiny"}


@pytest.fixture
def home(hermes_home: Path) -> HermesHome:
    """A home without settings."""
    return HermesHome(hermes_home, "default", "default")


def configure(home: HermesHome, **keys: Any) -> None:
    """Write what the agent is told about titles."""
    home.config_path.write_text(yaml.safe_dump({"auxiliary": {"title_generation": keys}}), encoding="utf-8")


def refused(home: HermesHome, **environ: str) -> str:
    """Why no server is asked; never with a key."""
    with pytest.raises(Refused) as caught:
        title_settings(home, environ)
    assert caught.value.code == "model_unconfigured"
    assert "HERMES_TUI_TITLE_BASE_URL" in caught.value.hint
    assert "auxiliary.title_generation" in caught.value.hint
    assert KEY not in str(caught.value)
    assert OTHER_KEY not in str(caught.value)
    return caught.value.message


def test_without_settings_no_server_is_asked(home: HermesHome) -> None:
    """Conversations would go to whoever's key lies in the environment."""
    assert refused(home, OPENAI_API_KEY=KEY, OPENROUTER_API_KEY=KEY) == "No model is named to write titles."
    configure(home, provider="auto", model="", base_url="", api_key="", enabled=True, extra_body={})
    assert refused(home, OPENAI_API_KEY=KEY) == "No model is named to write titles."


def test_our_own_variables_win(home: HermesHome) -> None:
    """A person could not try another model without changing the agent."""
    configure(home, base_url="https://models.example.org/v1", model="big", api_key=KEY, timeout=9)
    found = title_settings(home, {**OURS, "HERMES_TUI_TITLE_API_KEY": OTHER_KEY})
    assert (found.base_url, found.model, found.api_key) == ("http://localhost:11434/v1", "tiny", OTHER_KEY)
    assert (found.origin, found.key_origin) == ("HERMES_TUI_TITLE_BASE_URL", "HERMES_TUI_TITLE_API_KEY")


def test_a_key_of_another_server_is_not_sent_to_ours(home: HermesHome) -> None:
    """The key of one company would be told to another."""
    configure(home, base_url="https://models.example.org/v1", model="big", api_key=KEY)
    assert title_settings(home, {**OURS, "OPENAI_API_KEY": KEY}).api_key == ""


def test_a_model_or_key_of_ours_goes_with_the_agents_server(home: HermesHome) -> None:
    """Another model would need all the other settings again."""
    configure(home, base_url="https://models.example.org/v1", model="big", api_key=KEY)
    found = title_settings(home, {"HERMES_TUI_TITLE_MODEL": "tiny", "HERMES_TUI_TITLE_API_KEY": OTHER_KEY})
    assert (found.base_url, found.model, found.api_key) == ("https://models.example.org/v1", "tiny", OTHER_KEY)
    assert "model" in refused(home, HERMES_TUI_TITLE_BASE_URL="https://models.example.org/v1")


def test_the_agents_keys_are_read(home: HermesHome) -> None:
    """Titles would be written by another model than the agent's."""
    configure(
        home,
        provider="custom",
        base_url="https://models.example.org/v1/",
        model="big",
        api_key=KEY,
        timeout="45",
        language="Deutsch",
        extra_body={"top_k": 1},
        reasoning_effort="low",
    )
    found = title_settings(home, {})
    assert found.endpoint == "https://models.example.org/v1/chat/completions"
    assert (found.timeout, found.language) == (45.0, "Deutsch")
    assert found.extra_body == {"reasoning_effort": "low", "top_k": 1}
    assert found.key_origin == "auxiliary.title_generation.api_key"


@pytest.mark.parametrize(
    ("provider", "url", "variable"),
    [
        ("openai", "https://api.openai.com/v1", "OPENAI_API_KEY"),
        ("OpenRouter", "https://openrouter.ai/api/v1", "OPENROUTER_API_KEY"),
        ("deepseek", "https://api.deepseek.com/v1", "DEEPSEEK_API_KEY"),
        ("lmstudio", "http://127.0.0.1:1234/v1", "LM_API_KEY"),
    ],
)
def test_a_provider_with_a_known_address_needs_no_more_than_its_name(
    home: HermesHome, provider: str, url: str, variable: str
) -> None:
    """A setting that the agent understands would not be understood here."""
    configure(home, provider=provider, model="tiny")
    found = title_settings(home, {variable: KEY})
    assert (found.base_url, found.api_key, found.key_origin) == (url, KEY, variable)
    assert title_settings(home, {"UNRELATED_API_KEY": KEY}).api_key == ""


def test_the_homes_env_file_comes_before_the_shell(home: HermesHome) -> None:
    """The key of the agent's other life would be used."""
    (home.path / ".env").write_text(
        "\ufeff# keys\n"
        f'export OPENROUTER_API_KEY="{KEY}" # mine\n'
        "DEEPSEEK_API_KEY=***\n"
        "OPENAI_API_KEY = 'one two'\n"
        "MY_KEY=abc#def # comment\n"
        "not a line\n",
        encoding="utf-8",
    )
    configure(home, provider="openrouter", model="tiny")
    assert title_settings(home, {"OPENROUTER_API_KEY": OTHER_KEY}).api_key == KEY
    configure(home, provider="deepseek", model="tiny")
    assert title_settings(home, {"DEEPSEEK_API_KEY": OTHER_KEY}).api_key == OTHER_KEY
    configure(home, provider="openai", model="tiny")
    assert "OPENAI_API_KEY holds a space" in refused(home)
    configure(home, base_url="https://models.example.org/v1", model="${SIZE}", key_env="MY_KEY")
    found = title_settings(home, {"SIZE": "huge"})
    assert (found.api_key, found.model, found.key_origin) == ("abc#def", "huge", "MY_KEY")


def test_a_key_that_was_not_meant_for_it_is_never_sent_in_the_clear(home: HermesHome) -> None:
    """Everybody in the same network could read it."""
    configure(home, base_url="http://192.0.2.7:8080/v1", model="tiny")
    found = title_settings(home, {"OPENAI_API_KEY": KEY})
    assert found.api_key == ""
    assert (found.where, found.encrypted, found.local) == ("192.0.2.7:8080 (unencrypted)", False, False)
    configure(home, base_url="https://models.example.org/v1", model="tiny")
    assert title_settings(home, {"OPENAI_API_KEY": KEY}).api_key == KEY


@pytest.mark.parametrize(
    "keys",
    [
        {"provider": "anthropic", "model": "x"},
        {"provider": "minimax", "base_url": "https://api.example.org/v1", "model": "x"},
        {"base_url": "https://api.example.org/anthropic", "model": "x"},
        {"base_url": "https://api.example.org/v1", "api_mode": "anthropic_messages", "model": "x"},
        {"provider": "openai-codex", "model": "x"},
        {"provider": "something-new", "model": "x"},
        {"provider": "openrouter"},
        {"provider": "openrouter", "model": "auto"},
        {"base_url": f"https://user:{KEY}@api.example.org/v1", "model": "x"},
        {"base_url": "ftp://api.example.org", "model": "x"},
        {"base_url": "api.example.org/v1", "model": "x"},
        {"base_url": "https://", "model": "x"},
        {"base_url": "https://api.example.org:notaport/v1", "model": "x"},
        {"base_url": "https://api.example.org/v1\nHost: evil", "model": "x"},
        {"base_url": "https://api.example.org/v1", "model": "x", "api_key": f"{KEY}\nX-Evil: 1"},
        {"base_url": ["https://api.example.org/v1"], "model": "x"},
    ],
)
def test_what_cannot_be_asked_is_refused_and_said(home: HermesHome, keys: dict[str, Any]) -> None:
    """Something would be sent to a server that does not understand it, or to the wrong one."""
    configure(home, **keys)
    assert refused(home, HERMES_TUI_TITLE_API_KEY="")


def test_settings_that_do_not_parse_are_named(home: HermesHome) -> None:
    """A person would look for the setting that they have written."""
    home.config_path.write_text("auxiliary: [\n", encoding="utf-8")
    assert "config.yaml cannot be used" in refused(home)
    home.config_path.write_text("auxiliary: {title_generation: [1]}\n", encoding="utf-8")
    assert refused(home) == "No model is named to write titles."


def test_what_an_administrator_pinned_wins(home: HermesHome, isolated_machine: Path) -> None:
    """Conversations would leave a company that has forbidden it."""
    managed = isolated_machine / "managed"
    managed.mkdir()
    (managed / "config.yaml").write_text(
        "auxiliary: {title_generation: {base_url: 'https://inside.example.org/v1', model: ours}}\n", encoding="utf-8"
    )
    configure(home, base_url="https://outside.example.org/v1", model="theirs")
    found = title_settings(home, {"HERMES_MANAGED_DIR": str(managed)})
    assert (found.host, found.model) == ("inside.example.org", "ours")


@pytest.mark.parametrize(("given", "seconds"), [(0, 30.0), ("soon", 30.0), (True, 1.0), (99999, 600.0), (None, 30.0)])
def test_an_odd_time_out_becomes_one_that_can_be_waited_for(home: HermesHome, given: Any, seconds: float) -> None:
    """No title, or a title that is waited for forever."""
    configure(home, base_url="https://api.example.org/v1", model="x", timeout=given)
    assert title_settings(home, {}).timeout == seconds


@pytest.mark.parametrize(
    ("url", "where"),
    [
        ("http://localhost:11434/v1", "localhost:11434 (this machine)"),
        ("http://[::1]:8000", "[::1]:8000 (this machine)"),
        ("http://127.8.9.1/v1", "127.8.9.1 (this machine)"),
        ("http://0.0.0.0:8000/v1", "0.0.0.0:8000 (this machine)"),
        ("https://api.example.org/v1?v=1", "api.example.org"),
        ("HTTPS://api.example.org/v1", "api.example.org"),
        ("http://localhost.example.org/v1", "localhost.example.org (unencrypted)"),
    ],
)
def test_a_server_is_named_with_what_matters_about_it(url: str, where: str) -> None:
    """A person could not tell whether anything leaves the machine."""
    assert TitleModelSettings(url, "x").where == where


def test_the_address_of_the_request_keeps_what_was_given() -> None:
    """Servers behind a path or with a version in the address could not be asked."""
    url = "https://api.example.org/openai/deployments/x/chat/completions?api-version=1"
    assert TitleModelSettings(url, "x").endpoint == url
    assert TitleModelSettings("http://[::1]:8000", "x").endpoint == "http://[::1]:8000/chat/completions"
    assert TitleModelSettings("https://a.org/v1?k=v", "x").endpoint == "https://a.org/v1/chat/completions?k=v"


def test_a_key_is_not_shown_by_accident() -> None:
    """It would be in a log, or in a report of a crash."""
    settings = TitleModelSettings("https://api.example.org/v1", "x", KEY, extra_body={"key": OTHER_KEY})
    assert KEY not in repr(settings)
    assert OTHER_KEY not in repr(settings)
    assert settings.masked_key == "sk-tes...mnop"
    assert TitleModelSettings("https://api.example.org/v1", "x").masked_key == ""
