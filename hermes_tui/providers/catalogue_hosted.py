"""Providers whose settings are a key and little more: ByteRover, Holographic, RetainDB, Supermemory."""

from __future__ import annotations

from hermes_tui.providers.catalogue import Need, Provider
from hermes_tui.providers.fields import Field, env, json_key, yaml_key

HOLOGRAPHIC_SECTION = "plugins.hermes-memory-store"

BYTEROVER = Provider(
    name="byterover",
    title="ByteRover",
    purpose="Keeps knowledge as a tree of files that its program `brv` writes and searches.",
    leaves=(
        "Turns, memory writes and the last messages before a compaction go to the program brv on this machine, "
        "which asks the model it is set up with, and copies to its cloud when it is signed in."
    ),
    mirrors="The agent passes on additions and replacements in both stores, while auto_extract is on.",
    mirrored=(("add", "memory"), ("replace", "memory"), ("add", "user"), ("replace", "user")),
    fields=(
        Field(
            "api_key",
            "Signs in to the cloud; without it everything stays local.",
            (env("BRV_API_KEY"),),
            secret=True,
            asked=True,
            get_at="https://app.byterover.dev",
        ),
        Field(
            "auto_extract",
            "Whether turns and memory writes are passed on by themselves.",
            (yaml_key("memory.byterover.auto_extract"), yaml_key("memory.provider_config.auto_extract")),
            kind="flag",
            default="true",
        ),
    ),
    needs=(),
    file="",
    site="https://byterover.dev",
    lines=("0.19", "0.22"),
)

HOLOGRAPHIC = Provider(
    name="holographic",
    title="Holographic",
    purpose="Keeps facts with a trust score in a database of its own, and finds them by words, names and meaning.",
    leaves="Nothing leaves the machine; facts are sent to your model only when the agent looks them up.",
    mirrors="The agent passes on additions in both stores, not replacements or removals.",
    mirrored=(("add", "memory"), ("add", "user")),
    fields=(
        Field(
            "db_path",
            "The database; $HERMES_HOME in it stands for the home.",
            (yaml_key(f"{HOLOGRAPHIC_SECTION}.db_path"),),
            default="$HERMES_HOME/memory_store.db",
        ),
        Field(
            "auto_extract",
            "Whether facts are taken from a conversation when it ends.",
            (yaml_key(f"{HOLOGRAPHIC_SECTION}.auto_extract"),),
            kind="flag",
            default="false",
        ),
        Field(
            "default_trust",
            "The trust that a new fact starts with, from 0 to 1.",
            (yaml_key(f"{HOLOGRAPHIC_SECTION}.default_trust"),),
            kind="number",
            default="0.5",
        ),
        Field(
            "min_trust_threshold",
            "Facts below this trust are not recalled.",
            (yaml_key(f"{HOLOGRAPHIC_SECTION}.min_trust_threshold"),),
            kind="number",
            default="0.3",
        ),
        Field(
            "temporal_decay_half_life",
            "Days after which a fact counts half; 0 for never.",
            (yaml_key(f"{HOLOGRAPHIC_SECTION}.temporal_decay_half_life"),),
            kind="whole",
            default="0",
            listed=False,
        ),
        Field(
            "hrr_dim",
            "The length of the vectors; facts stored before a change no longer match.",
            (yaml_key(f"{HOLOGRAPHIC_SECTION}.hrr_dim"),),
            kind="whole",
            default="1024",
            listed=False,
        ),
        Field(
            "hrr_weight",
            "How much the vectors count beside words, from 0 to 1.",
            (yaml_key(f"{HOLOGRAPHIC_SECTION}.hrr_weight"),),
            kind="number",
            default="0.3",
            listed=False,
        ),
    ),
    needs=(),
    file="",
    site="",
    lines=("0.19",),
)

RETAINDB = Provider(
    name="retaindb",
    title="RetainDB",
    purpose="Keeps memories and files in a hosted database and draws conclusions about the user from them.",
    leaves=(
        "Every turn, every memory addition, what is searched for, and SOUL.md at the start of each session are sent "
        "to its server; turns wait in a queue in the home until they are."
    ),
    mirrors="The agent passes on additions in both stores, not replacements or removals.",
    mirrored=(("add", "memory"), ("add", "user")),
    fields=(
        Field(
            "api_key",
            "The key of your account.",
            (env("RETAINDB_API_KEY"),),
            secret=True,
            get_at="https://retaindb.com",
        ),
        Field(
            "base_url",
            "The server; only for one of your own.",
            (env("RETAINDB_BASE_URL"), yaml_key("memory.retaindb.base_url")),
            kind="url",
            default="https://api.retaindb.com",
        ),
        Field(
            "project",
            "The project memories go to; by itself one for each profile.",
            (env("RETAINDB_PROJECT"), yaml_key("memory.retaindb.project")),
        ),
    ),
    needs=(Need(("api_key",)),),
    file="",
    site="https://retaindb.com",
    lines=("0.19", "0.22"),
)

SUPERMEMORY = Provider(
    name="supermemory",
    title="Supermemory",
    purpose="Keeps memories and a profile of the user in a hosted graph, and recalls them before each turn.",
    leaves=(
        "The first 200 characters of each message (to recall), the conversation when it ends (to remember), and "
        "every memory addition are sent to its server."
    ),
    mirrors="The agent passes on additions in both stores, not replacements or removals.",
    mirrored=(("add", "memory"), ("add", "user")),
    fields=(
        Field(
            "api_key",
            "The key of your account.",
            (env("SUPERMEMORY_API_KEY"),),
            secret=True,
            get_at="https://console.supermemory.ai",
        ),
        Field(
            "base_url",
            "The server; only for one of your own.",
            (json_key("base_url"), env("SUPERMEMORY_BASE_URL")),
            kind="url",
            default="https://api.supermemory.ai",
        ),
        Field(
            "container_tag",
            "The container memories go to; {identity} in it stands for the profile.",
            (env("SUPERMEMORY_CONTAINER_TAG"), json_key("container_tag")),
            written=1,
            default="hermes",
        ),
        Field(
            "auto_recall",
            "Whether memories are looked up before each turn.",
            (json_key("auto_recall"),),
            kind="flag",
            default="true",
        ),
        Field(
            "auto_capture", "Whether conversations are sent.", (json_key("auto_capture"),), kind="flag", default="true"
        ),
        Field(
            "max_recall_results",
            "How many memories are recalled, 1 to 20.",
            (json_key("max_recall_results"),),
            kind="whole",
            default="10",
            listed=False,
        ),
        Field(
            "profile_frequency",
            "Turns between two looks at the profile, 1 to 500.",
            (json_key("profile_frequency"),),
            kind="whole",
            default="50",
            listed=False,
        ),
        Field(
            "capture_mode",
            "Whether short messages are sent, too (everything) or not (all).",
            (json_key("capture_mode"),),
            kind="choice",
            choices=("all", "everything"),
            default="all",
            listed=False,
        ),
        Field(
            "search_mode",
            "What is searched: memories, documents, or both (hybrid).",
            (json_key("search_mode"),),
            kind="choice",
            choices=("hybrid", "memories", "documents"),
            default="hybrid",
            listed=False,
        ),
        Field(
            "api_timeout",
            "Seconds to wait for an answer, 0.5 to 15.",
            (json_key("api_timeout"),),
            kind="number",
            default="5",
            listed=False,
        ),
    ),
    needs=(Need(("api_key",)),),
    file="supermemory.json",
    site="https://supermemory.ai",
    lines=("0.19",),
    package="supermemory",
)

PROVIDERS = (BYTEROVER, HOLOGRAPHIC, RETAINDB, SUPERMEMORY)
