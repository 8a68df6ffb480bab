"""What setting up a provider writes beside what a person gave: the same settings as the agent's own setup."""

from __future__ import annotations

from hermes_tui.providers.catalogue import Provider
from hermes_tui.providers.fields import is_private
from hermes_tui.providers.status_rules import HINDSIGHT_SERVER
from hermes_tui.providers.status_sources import Sources

HINDSIGHT_MODELS = {
    "openai": "gpt-4o-mini",
    "anthropic": "claude-haiku-4-5",
    "gemini": "gemini-2.5-flash",
    "groq": "openai/gpt-oss-120b",
    "openrouter": "qwen/qwen3.5-9b",
    "minimax": "MiniMax-M2.7",
    "ollama": "gemma3:12b",
    "lmstudio": "local-model",
    "openai_compatible": "your-model-name",
}
"""The language model of the embedded Hindsight, by who it comes from."""
MEM0_MODELS = {"openai": ("gpt-5-mini", "text-embedding-3-small"), "ollama": ("llama3.1:8b", "nomic-embed-text")}
"""The language and embedding models of Mem0's library, by who they come from."""
DIMENSIONS = {
    "text-embedding-3-small": 1536,
    "text-embedding-3-large": 3072,
    "text-embedding-ada-002": 1536,
    "nomic-embed-text": 768,
}
OLLAMA = "http://localhost:11434"

Extra = tuple[str, object]
"""A dotted key of the provider's JSON file, and its value."""


def defaults(provider: Provider, given: dict[str, str], current: dict[str, str], sources: Sources) -> dict[str, str]:
    """Settings that are written though nobody gave them.

    Args:
        provider: which.
        given: what a person gave.
        current: what is set already.
        sources: the home.
    """
    known = {**current, **given}
    usual: dict[str, str] = {}
    if provider.name == "honcho":
        user = sources.environ.get("USER", "").strip() or "user"
        usual = {
            "enabled": "true",
            "save_messages": "true",
            "peer_name": user,
            "ai_peer": "hermes",
            "workspace": "hermes",
            "observation_mode": "directional",
            "write_frequency": "async",
            "recall_mode": "hybrid",
            "dialectic_cadence": "2",
            "dialectic_reasoning_level": "low",
            "session_strategy": "per-session",
        }
        if current.get("enabled") == "false" and "enabled" not in given:
            known.pop("enabled")
    elif provider.name == "hindsight":
        usual = _hindsight(known)
    elif provider.name == "mem0":
        usual = _mem0(known, sources)
    elif provider.name == "openviking":
        uses_own = known.get("use_ovcli_config") == "true" and "endpoint" not in given
        usual = {} if uses_own else {"endpoint": "http://127.0.0.1:1933"}
    found = {name: value for name, value in usual.items() if not known.get(name)}
    moved = provider.name == "hindsight" and given.get("mode") not in (None, current.get("mode", "cloud"))
    if moved and current.get("api_url") and "api_url" not in given:
        found["api_url"] = HINDSIGHT_SERVER if given["mode"] == "local_external" else ""
    if provider.name == "openviking" and "endpoint" in {**given, **found}:
        found["use_ovcli_config"] = "false"
    return found


def _hindsight(known: dict[str, str]) -> dict[str, str]:
    mode = known.get("mode", "cloud")
    usual = {"mode": mode, "bank_id": "hermes", "recall_budget": "mid", "timeout": "120"}
    if mode == "local_external":
        usual["api_url"] = HINDSIGHT_SERVER
    elif mode == "local_embedded":
        model = known.get("llm_provider", "openai")
        usual |= {"llm_provider": model, "llm_model": HINDSIGHT_MODELS.get(model, ""), "idle_timeout": "300"}
        if model == "openrouter":
            usual["llm_base_url"] = "https://openrouter.ai/api/v1"
    return usual


def _mem0(known: dict[str, str], sources: Sources) -> dict[str, str]:
    user = sources.environ.get("USER", "").strip() or "hermes-user"
    if known.get("mode") != "oss":
        usual = {"mode": "platform", "user_id": "hermes-user", "agent_id": "hermes"}
        return usual if known.get("host") else {**usual, "rerank": "false"}
    llm, embedder = known.get("llm", "openai"), known.get("embedder", "openai")
    usual = {"mode": "oss", "user_id": user, "agent_id": "hermes", "llm": llm, "embedder": embedder}
    usual |= {"llm_model": MEM0_MODELS[llm][0], "embedder_model": MEM0_MODELS[embedder][1], "vector_store": "qdrant"}
    if known.get("vector_store", "qdrant") == "qdrant":
        if not known.get("vector_url"):
            # The agent's own setup takes one folder for all profiles, which then share a memory.
            usual["vector_path"] = str(sources.home.path / "mem0_qdrant")
    else:
        usual |= {"vector_host": "localhost", "vector_user": sources.environ.get("USER", "").strip() or "postgres"}
    return usual


def extras(provider: Provider, known: dict[str, str]) -> list[Extra]:
    """Keys of the JSON file that follow from the settings."""
    if provider.name != "mem0" or known.get("mode") != "oss":
        return []
    found: list[Extra] = []
    for part in ("llm", "embedder"):
        if known.get(part) == "ollama":
            found.append((f"oss.{part}.config.ollama_base_url", OLLAMA))
    dimensions = DIMENSIONS.get(known.get("embedder_model", ""))
    if dimensions:
        found.append(("oss.embedder.config.embedding_dims", dimensions))
    if known.get("vector_store") == "pgvector":
        found += [("oss.vector_store.config.port", 5432), ("oss.vector_store.config.dbname", "postgres")]
    return found


def variables(provider: Provider, known: dict[str, str]) -> dict[str, str]:
    """Variables that the agent's own setup writes beside the file."""
    if provider.name != "hindsight":
        return {}
    found = {"HINDSIGHT_TIMEOUT": known.get("timeout", "120")}
    if known.get("mode") == "local_embedded":
        found["HINDSIGHT_IDLE_TIMEOUT"] = known.get("idle_timeout", "300")
    return found


def keeps_key_by_profile(provider: Provider, known: dict[str, str]) -> bool:
    """Whether a key belongs to the profile's block: Honcho skips any other for a server in your network."""
    return provider.name == "honcho" and is_private(known.get("base_url", ""))
