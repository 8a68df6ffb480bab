"""Providers that can also run on this machine: Hindsight and Mem0."""

from __future__ import annotations

from hermes_tui.providers.catalogue import Need, Provider
from hermes_tui.providers.fields import Field, env, json_key

EMBEDDED = ("local_embedded", "local")
SERVED = ("cloud", "local_external")
LLM_PROVIDERS = (
    *("openai", "anthropic", "gemini", "groq", "openrouter", "minimax", "ollama", "lmstudio", "openai_compatible"),
)

HINDSIGHT = Provider(
    name="hindsight",
    title="Hindsight",
    purpose="Keeps conversations as a graph of facts and observations, and recalls or reflects on them.",
    leaves=(
        "Turns (every one, unless auto_retain is off) and what each turn asks are sent to its server. "
        "The embedded mode keeps them here, and sends them to the language model it is set up with."
    ),
    mirrors="The agent passes on none of its memory writes; it learns from conversations.",
    mirrored=(),
    fields=(
        Field(
            "mode",
            "Where it runs: its cloud, embedded on this machine, or a server of your own.",
            (json_key("mode"), env("HINDSIGHT_MODE")),
            kind="choice",
            choices=("cloud", "local_embedded", "local_external"),
            default="cloud",
            asked=True,
        ),
        Field(
            "api_url",
            "The server.",
            (json_key("api_url"), env("HINDSIGHT_API_URL")),
            kind="url",
            default="https://api.hindsight.vectorize.io",
            modes=SERVED,
            asked=True,
        ),
        Field(
            "api_key",
            "The key of your account, or of your server where it asks for one.",
            (json_key("apiKey"), json_key("api_key"), env("HINDSIGHT_API_KEY")),
            written=2,
            secret=True,
            modes=SERVED,
            get_at="https://ui.hindsight.vectorize.io",
        ),
        Field(
            "llm_provider",
            "Who the language model of the embedded mode comes from.",
            (json_key("llm_provider"),),
            kind="choice",
            choices=LLM_PROVIDERS,
            default="openai",
            modes=EMBEDDED,
            asked=True,
        ),
        Field(
            "llm_base_url",
            "The address of that model, for openai_compatible.",
            (json_key("llm_base_url"), env("HINDSIGHT_API_LLM_BASE_URL")),
            kind="url",
            modes=EMBEDDED,
        ),
        Field(
            "llm_model",
            "The language model of the embedded mode.",
            (json_key("llm_model"),),
            default="gpt-4o-mini",
            modes=EMBEDDED,
        ),
        Field(
            "llm_api_key",
            "The key for that language model.",
            (json_key("llmApiKey"), json_key("llm_api_key"), env("HINDSIGHT_LLM_API_KEY")),
            written=2,
            secret=True,
            modes=EMBEDDED,
            asked=True,
        ),
        Field(
            "bank_id",
            "The bank memories go to.",
            (json_key("bank_id"), json_key("banks.hermes.bankId"), env("HINDSIGHT_BANK_ID")),
            default="hermes",
        ),
        Field(
            "bank_id_template",
            "A bank for each profile or user, such as hermes-{profile}.",
            (json_key("bank_id_template"),),
            listed=False,
        ),
        Field(
            "recall_budget",
            "How thoroughly memories are looked for.",
            (json_key("recall_budget"), json_key("budget"), json_key("banks.hermes.budget"), env("HINDSIGHT_BUDGET")),
            kind="choice",
            choices=("low", "mid", "high"),
            default="mid",
        ),
        Field(
            "memory_mode",
            "Memories in the prompt, as tools, or both.",
            (json_key("memory_mode"),),
            kind="choice",
            choices=("hybrid", "context", "tools"),
            default="hybrid",
            listed=False,
        ),
        Field(
            "auto_recall",
            "Whether memories are looked up before each turn.",
            (json_key("auto_recall"),),
            kind="flag",
            default="true",
        ),
        Field("auto_retain", "Whether turns are sent.", (json_key("auto_retain"),), kind="flag", default="true"),
        Field(
            "retain_every_n_turns",
            "Turns that are sent together.",
            (json_key("retain_every_n_turns"),),
            kind="whole",
            default="1",
            listed=False,
        ),
        Field(
            "timeout",
            "Seconds to wait for an answer.",
            (json_key("timeout"), env("HINDSIGHT_TIMEOUT")),
            kind="whole",
            default="120",
            listed=False,
        ),
        Field(
            "idle_timeout",
            "Seconds after which the embedded server stops; 0 for never.",
            (json_key("idle_timeout"), env("HINDSIGHT_IDLE_TIMEOUT")),
            kind="whole",
            default="300",
            modes=EMBEDDED,
            listed=False,
        ),
    ),
    needs=(Need(("api_key", "api_url"), ("cloud",)),),
    file="hindsight/config.json",
    site="https://hindsight.vectorize.io",
    lines=("0.19",),
    package="hindsight-client",
)


MEM0 = Provider(
    name="mem0",
    title="Mem0",
    purpose="Takes facts about the user out of conversations and finds them by meaning.",
    leaves=(
        "Every turn and what is searched for are sent to its server. The mode oss keeps memories in a vector store of "
        "your own, and sends text to the language and embedding models it is set up with."
    ),
    mirrors="The agent passes on none of its memory writes; it learns from conversations.",
    mirrored=(),
    fields=(
        Field(
            "mode",
            "Its service or a server of your own (platform), or the library on this machine (oss).",
            (json_key("mode"), env("MEM0_MODE")),
            kind="choice",
            choices=("platform", "oss"),
            default="platform",
            asked=True,
        ),
        Field(
            "host",
            "The server; only for one of your own.",
            (json_key("host"), env("MEM0_HOST")),
            kind="url",
            modes=("platform",),
            asked=True,
        ),
        Field(
            "api_key",
            "The key of your account, or of your server where it asks for one.",
            (json_key("api_key"), env("MEM0_API_KEY")),
            written=1,
            secret=True,
            modes=("platform",),
            get_at="https://app.mem0.ai",
        ),
        Field(
            "user_id", "What you are called there.", (json_key("user_id"), env("MEM0_USER_ID")), default="hermes-user"
        ),
        Field(
            "agent_id",
            "What the agent is called there.",
            (json_key("agent_id"), env("MEM0_AGENT_ID")),
            default="hermes",
        ),
        Field(
            "rerank",
            "Whether what is found is put in order once more.",
            (json_key("rerank"),),
            kind="flag",
            default="false",
            modes=("platform",),
        ),
        Field(
            "llm",
            "Who the language model comes from.",
            (json_key("oss.llm.provider"),),
            kind="choice",
            choices=("openai", "ollama"),
            modes=("oss",),
            asked=True,
        ),
        Field("llm_model", "The language model.", (json_key("oss.llm.config.model"),), modes=("oss",)),
        Field(
            "embedder",
            "Who the embedding model comes from.",
            (json_key("oss.embedder.provider"),),
            kind="choice",
            choices=("openai", "ollama"),
            modes=("oss",),
            asked=True,
        ),
        Field(
            "embedder_model",
            "The embedding model; another one deletes a local collection.",
            (json_key("oss.embedder.config.model"),),
            modes=("oss",),
        ),
        Field(
            "vector_store",
            "What keeps the memories.",
            (json_key("oss.vector_store.provider"),),
            kind="choice",
            choices=("qdrant", "pgvector"),
            modes=("oss",),
        ),
        Field(
            "vector_path", "The folder of a local qdrant.", (json_key("oss.vector_store.config.path"),), modes=("oss",)
        ),
        Field(
            "vector_url",
            "The address of a qdrant server.",
            (json_key("oss.vector_store.config.url"),),
            kind="url",
            modes=("oss",),
        ),
        Field("vector_host", "The machine of pgvector.", (json_key("oss.vector_store.config.host"),), modes=("oss",)),
        Field(
            "vector_user", "The database user of pgvector.", (json_key("oss.vector_store.config.user"),), modes=("oss",)
        ),
        Field(
            "vector_password",
            "The password of pgvector.",
            (json_key("oss.vector_store.config.password"),),
            secret=True,
            modes=("oss",),
            listed=False,
        ),
        Field(
            "openai_api_key",
            "The key for models of OpenAI.",
            (env("OPENAI_API_KEY"),),
            secret=True,
            modes=("oss",),
            asked=True,
            get_at="https://platform.openai.com",
        ),
    ),
    needs=(Need(("api_key", "host"), ("platform",)), Need(("vector_store",), ("oss",))),
    file="mem0.json",
    site="https://mem0.ai",
    lines=("0.19",),
    package="mem0ai",
)

PROVIDERS = (HINDSIGHT, MEM0)
