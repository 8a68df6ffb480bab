"""Providers that are a server with settings of its own: Honcho and OpenViking."""

from __future__ import annotations

from hermes_tui.providers.catalogue import Need, Provider
from hermes_tui.providers.fields import Field, FieldKind, env, host_key, json_key, yaml_key


def _honcho(
    name: str,
    key: str,
    about: str,
    kind: FieldKind = "text",
    default: str = "",
    choices: tuple[str, ...] = (),
    *,
    listed: bool = False,
) -> Field:
    """A setting that the profile's block of honcho.json has, or the whole file."""
    return Field(
        name, about, (host_key(key), json_key(key)), kind=kind, default=default, choices=choices, listed=listed
    )


HONCHO = Provider(
    name="honcho",
    title="Honcho",
    purpose="Builds a picture of the user from conversations, and answers questions about them.",
    leaves=(
        "Every message of user and agent (unless save_messages is off), what a turn asks, and additions to the user "
        "store are sent to its server."
    ),
    mirrors="The agent passes on additions to the user store only.",
    mirrored=(("add", "user"),),
    fields=(
        Field(
            "base_url",
            "The server; only for one of your own.",
            (json_key("baseUrl"), json_key("base_url"), env("HONCHO_BASE_URL")),
            kind="url",
            default="https://api.honcho.dev",
            asked=True,
        ),
        Field(
            "api_key",
            "The key of your account, or a token of your own server where it asks for one.",
            (host_key("apiKey"), json_key("apiKey"), env("HONCHO_API_KEY")),
            written=1,
            secret=True,
            get_at="https://app.honcho.dev",
        ),
        _honcho("enabled", "enabled", "Whether it is used at all.", "flag"),
        _honcho("peer_name", "peerName", "What you are called there.", listed=True),
        _honcho("ai_peer", "aiPeer", "What the agent is called there.", listed=True),
        _honcho("workspace", "workspace", "The workspace memories go to.", listed=True),
        Field(
            "environment",
            "Which of its services is meant.",
            (host_key("environment"), json_key("environment")),
            default="production",
            listed=False,
        ),
        _honcho("save_messages", "saveMessages", "Whether messages are sent.", "flag", "true", listed=True),
        _honcho(
            "observation_mode",
            "observationMode",
            "Who builds a picture of whom.",
            "choice",
            "",
            ("directional", "unified"),
        ),
        _honcho(
            "write_frequency",
            "writeFrequency",
            "When messages are sent: async, turn, session, or every N turns.",
            default="async",
            listed=True,
        ),
        _honcho(
            "recall_mode",
            "recallMode",
            "Memories in the prompt, as tools, or both.",
            "choice",
            "hybrid",
            ("hybrid", "context", "tools"),
            listed=True,
        ),
        _honcho(
            "context_tokens", "contextTokens", "How many tokens a turn may get; no limit when it is not set.", "whole"
        ),
        _honcho(
            "context_cadence", "contextCadence", "Turns between two looks at the context.", "whole", "1", listed=True
        ),
        _honcho(
            "dialectic_cadence",
            "dialecticCadence",
            "Turns between two questions about the user.",
            "whole",
            "1",
            listed=True,
        ),
        _honcho(
            "dialectic_depth", "dialecticDepth", "Rounds that a question takes, 1 to 3.", "whole", "1", listed=True
        ),
        _honcho(
            "dialectic_reasoning_level",
            "dialecticReasoningLevel",
            "How hard it thinks about a question.",
            "choice",
            "low",
            ("minimal", "low", "medium", "high", "max"),
        ),
        _honcho(
            "session_strategy",
            "sessionStrategy",
            "What counts as one session there.",
            "choice",
            "per-directory",
            ("per-session", "per-directory", "per-repo", "global"),
        ),
        Field(
            "timeout",
            "Seconds to wait for an answer.",
            (
                host_key("timeout"),
                host_key("requestTimeout"),
                json_key("timeout"),
                json_key("requestTimeout"),
                env("HONCHO_TIMEOUT"),
                yaml_key("honcho.timeout"),
            ),
            kind="number",
            default="30",
            listed=False,
        ),
    ),
    needs=(Need(("api_key", "base_url")),),
    file="honcho.json",
    site="https://honcho.dev",
    lines=("0.19",),
    package="honcho-ai",
)

OPENVIKING_VARIABLES = (
    *("OPENVIKING_ENDPOINT", "OPENVIKING_API_KEY", "OPENVIKING_ACCOUNT", "OPENVIKING_USER", "OPENVIKING_AGENT"),
)
"""What connects to the server, and gives way to OpenViking's own file when that is used."""


def _recall(name: str, about: str, kind: FieldKind, default: str) -> Field:
    variable = env(f"OPENVIKING_RECALL_{name.upper()}")
    return Field(f"recall_{name}", about, (variable,), kind=kind, default=default, listed=False)


OPENVIKING = Provider(
    name="openviking",
    title="OpenViking",
    purpose="Keeps memories and documents as a tree of files on a context server, and recalls from it.",
    leaves="Every turn, memory additions and what is searched for are sent to its server.",
    mirrors="The agent passes on additions in both stores, not replacements or removals.",
    mirrored=(("add", "memory"), ("add", "user")),
    fields=(
        Field(
            "use_ovcli_config",
            "Whether the connection is the one of OpenViking's own program (ovcli.conf).",
            (yaml_key("memory.openviking.use_ovcli_config"),),
            kind="flag",
            default="false",
        ),
        Field(
            "ovcli_config_path",
            "Another file than ~/.openviking/ovcli.conf.",
            (env("OPENVIKING_CLI_CONFIG_FILE"), yaml_key("memory.openviking.ovcli_config_path")),
            written=1,
            listed=False,
        ),
        Field(
            "endpoint",
            "The server.",
            (env("OPENVIKING_ENDPOINT"), json_key("url")),
            kind="url",
            default="http://127.0.0.1:1933",
            asked=True,
        ),
        Field(
            "api_key",
            "A key, where the server asks for one.",
            (env("OPENVIKING_API_KEY"), json_key("api_key"), json_key("root_api_key")),
            secret=True,
            asked=True,
        ),
        Field(
            "account",
            "The account; leave it out with a user's key.",
            (env("OPENVIKING_ACCOUNT"), json_key("account"), json_key("account_id")),
        ),
        Field(
            "user",
            "The user of the account; leave it out with a user's key.",
            (env("OPENVIKING_USER"), json_key("user"), json_key("user_id")),
        ),
        Field(
            "agent",
            "What the agent is called there.",
            (env("OPENVIKING_AGENT"), json_key("actor_peer_id"), json_key("agent_id")),
            default="hermes",
        ),
        _recall("limit", "How many memories are recalled.", "whole", "6"),
        _recall("score_threshold", "How close a memory has to be, from 0 to 1.", "number", "0.15"),
        _recall("max_injected_chars", "How many characters a turn may get.", "whole", "4000"),
        _recall("timeout_seconds", "Seconds that recalling may take.", "number", "4.0"),
        _recall("request_timeout_seconds", "Seconds that one request may take.", "number", "3.0"),
        _recall("full_read_limit", "How many memories are read in full.", "whole", "2"),
        _recall("prefer_abstract", "Whether summaries are taken in place of full texts.", "flag", "false"),
        _recall("resources", "Whether documents are recalled, too.", "flag", "false"),
    ),
    needs=(Need(("endpoint",)),),
    file="",
    site="https://github.com/volcengine/OpenViking",
    lines=("0.19",),
)

PROVIDERS = (HONCHO, OPENVIKING)
