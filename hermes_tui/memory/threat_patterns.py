"""The 36 classes of text the agent refuses to remember, in its order.

Patterns are written so that no input can make them slow: gaps are counted in words or characters, and repeats are
possessive.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from hermes_tui.memory.threat_finders import Finder, Span, pair, pieces, search, triple


class ThreatClass(NamedTuple):
    """One class of text the agent blocks."""

    id: str
    """The agent's own name for the class."""
    words: str
    """What the class catches, to follow "this" in a sentence for people."""
    any_of: tuple[str, ...]
    """Every match holds at least one of these, so a text without them needs no closer look."""
    find: Finder
    """The first match as agents of the 0.19 line see it."""
    find_newer: Finder | None = None
    """The first match as agents of the 0.22 line see it, where that differs."""


_VALUE = r"(?:api[_-]?key|token|secret|password)\s*+[=:]\s*+[\"']([a-z0-9+/=_-]{20,}+)"
_VARIABLE_NAME = r"[A-Z][A-Z0-9]*+(?:_[A-Z0-9]++)++[\"']"


def _secret_value_newer(low: str, norm: str) -> Span | None:
    """A quoted secret, unless what is quoted is the NAME_OF_A_VARIABLE."""
    name = re.compile(_VARIABLE_NAME)
    for match in re.finditer(_VALUE, low):
        if not name.match(norm, match.start(1)):
            return match.span()
    return None


_WORDS = r"(?:\w++\s++){0,8}"
"""Up to eight words in between; possessive, because a word never ends where its white space has not begun."""

_EDITING = pieces(r"update|modify|edit|write|change|append|add\s++to", space_after=True)
_HOME_SSH = r"(?:~|\$home)/\.ssh"
_SHELL_WRITES = pieces(
    r">|\b(?:add|append|cat|chmod|chown|cp|curl|dd|echo|git|install|ln|mv|printf|rm|rsync|scp|sed|tee|touch"
    r"|truncate|wget|write)\b"
)
_SECRET_NAME = pieces(r"\$\{?\w*(?:key|token|secret|password|credential|api)\w*+\}?")
_SECRET_NAME_NEWER = pieces(r"\$\{?\w*(?:key|token|secret|password|credential)s?\b\}?")
_TRANSLATE = pieces("translate", space_after=True)

CLASSES: tuple[ThreatClass, ...] = (
    ThreatClass(
        "prompt_injection",
        "asks to ignore earlier instructions",
        ("ignore",),
        search(rf"ignore\s++{_WORDS}(?:previous|all|above|prior)\s++{_WORDS}instructions"),
    ),
    ThreatClass(
        "sys_prompt_override",
        "speaks of a system prompt override",
        ("override",),
        search(r"system\s++prompt\s++override"),
    ),
    ThreatClass(
        "disregard_rules",
        "asks to disregard instructions, rules or guidelines",
        ("disregard",),
        search(rf"disregard\s++{_WORDS}(?:your|all|any)\s++{_WORDS}(?:instructions|rules|guidelines)"),
    ),
    ThreatClass(
        "bypass_restrictions",
        "asks to act as if there were no restrictions, limits or rules",
        ("restrictions", "limits", "rules"),
        search(
            rf"act\s++as\s++(?:if|though)\s++{_WORDS}you\s++{_WORDS}(?:have\s++no|don't\s++have)\s++{_WORDS}"
            r"(?:restrictions|limits|rules)"
        ),
    ),
    ThreatClass(
        "html_comment_injection",
        "is an HTML comment with ignore, override, system, secret or hidden in it",
        ("<!--",),
        triple(
            pieces("<!--"),
            pieces("ignore|override|system|secret|hidden"),
            pieces("-->"),
            512,
            ">",
        ),
    ),
    ThreatClass(
        "hidden_div",
        "is a div styled not to be displayed",
        ("display",),
        pair(
            pieces(r"<\s*+div\s++style\s*+=\s*+[\"']"),
            pieces(r"display\s*+:\s*+none"),
            2048,
            ">",
        ),
    ),
    ThreatClass(
        "translate_execute",
        "asks to translate something and run the result",
        ("translate",),
        triple(
            _TRANSLATE,
            pieces("into", space_before=True, space_after=True),
            pieces(r"and\s++(?:execute|run|eval)", space_before=True),
            512,
        ),
        pair(
            _TRANSLATE,
            pieces(r"into(?=(\s++\w++(?:[\s-]++\w++){0,2}\s++and\s++(?:execute|run|eval)\b))", space_before=True),
            512,
        ),
    ),
    ThreatClass(
        "deception_hide",
        "says not to tell the user",
        ("tell",),
        search(rf"do\s++not\s++{_WORDS}tell\s++{_WORDS}the\s++user"),
    ),
    ThreatClass(
        "role_hijack",
        "gives the agent a new role (“you are now a …”)",
        ("now",),
        search(rf"you\s++are\s++{_WORDS}now\s++(?:an?|the)(?=\s)"),
    ),
    ThreatClass(
        "role_pretend",
        "asks to pretend to be someone",
        ("pretend",),
        search(rf"pretend\s++{_WORDS}(?:you\s++are|to\s++be)(?=\s)"),
    ),
    ThreatClass(
        "leak_system_prompt",
        "asks to output the system or initial prompt",
        ("prompt",),
        search(rf"output\s++{_WORDS}(?:system|initial)\s++prompt"),
    ),
    ThreatClass(
        "remove_filters",
        "asks to answer without restrictions, filters or safety",
        ("without",),
        search(rf"(?:respond|answer|reply)\s++without\s++{_WORDS}(?:restrictions|limitations|filters|safety)"),
    ),
    ThreatClass(
        "fake_update",
        "claims that the agent has been updated, upgraded or patched to something",
        ("been",),
        search(rf"you\s++have\s++been\s++{_WORDS}(?:updated|upgraded|patched)\s++to"),
    ),
    ThreatClass(
        "identity_override",
        "gives the agent another name",
        ("yourself",),
        search(r"\bname\s++yourself\s++\w++"),
    ),
    ThreatClass(
        "c2_node_registration",
        "speaks of registering as a node, as remote-controlled machines do",
        ("node",),
        search(r"register\s++(?:as\s++)?+(?:a\s*+)?+node"),
    ),
    ThreatClass(
        "c2_heartbeat",
        "reads like a heartbeat, beacon or check-in to someone",
        ("heartbeat", "beacon", "check"),
        search(r"(?:heartbeat|beacon|check[-\s]?in)\s++(?:to|with)(?=\s)"),
    ),
    ThreatClass(
        "c2_task_pull",
        "speaks of pulling tasks, as remote-controlled machines do",
        ("task",),
        search(r"pull\s++(?:down\s++)?+(?:new\s++)?+task(?:ing|s)?\b"),
    ),
    ThreatClass(
        "c2_network_connect",
        "says to connect to the network",
        ("network",),
        search(r"connect\s++to\s++the\s++network\b"),
    ),
    ThreatClass(
        "forced_action",
        "says that the agent must register, connect, report or beacon",
        ("must",),
        search(r"you\s++must\s++(?:\w++\s++){0,3}(?:register|connect|report|beacon)\b"),
    ),
    ThreatClass(
        "anti_forensic_oneliner",
        "says to only use one-liners, as someone hiding traces would",
        ("liner",),
        search(r"only\s++use\s++one[-\s]?liners?\b"),
    ),
    ThreatClass(
        "anti_forensic_disk",
        "says never to write scripts or files to disk, as someone hiding traces would",
        ("never",),
        search(rf"never\s++{_WORDS}(?:create|write)\s++{_WORDS}(?:script|file)\s++{_WORDS}disk"),
    ),
    ThreatClass(
        "env_var_unset_agent",
        "unsets an environment variable of an agent",
        ("unset",),
        search(r"unset\s++\w*(?:claude|codex|hermes|agent|openai|anthropic)\w*+"),
    ),
    ThreatClass(
        "known_c2_framework",
        "names a known attack framework, or a common word that is also such a name",
        ("strike", "sliver", "havoc", "mythic", "metasploit", "brainworm"),
        search(r"\b(?:cobalt\s*+strike|sliver|havoc|mythic|metasploit|brainworm)\b"),
    ),
    ThreatClass(
        "c2_explicit",
        "speaks of a C2 server, channel, infrastructure or beacon",
        ("c2",),
        search(r"\bc2\s++(?:server|channel|infrastructure|beacon)\b"),
    ),
    ThreatClass(
        "c2_explicit_long",
        "holds the words “command and control”",
        ("control",),
        search(r"\bcommand\s++and\s++control\b"),
    ),
    ThreatClass(
        "exfil_curl",
        "runs curl with a secret from a shell variable",
        ("curl",),
        pair(pieces("curl", space_after=True), _SECRET_NAME, 2048),
        pair(pieces("curl", space_after=True), _SECRET_NAME_NEWER, 2048),
    ),
    ThreatClass(
        "exfil_wget",
        "runs wget with a secret from a shell variable",
        ("wget",),
        pair(pieces("wget", space_after=True), _SECRET_NAME, 2048),
        pair(pieces("wget", space_after=True), _SECRET_NAME_NEWER, 2048),
    ),
    ThreatClass(
        "read_secrets",
        "prints a file that usually holds secrets",
        ("cat",),
        pair(
            pieces("cat", space_after=True),
            pieces(r"\.env|credentials|\.netrc|\.pgpass|\.npmrc|\.pypirc"),
            2048,
        ),
    ),
    ThreatClass(
        "send_to_url",
        "says to send something to a web address",
        ("://",),
        pair(
            pieces("send|post|upload|transmit", space_after=True),
            pieces(r"(?:to|at)\s++https?://", space_before=True),
            2048,
        ),
    ),
    ThreatClass(
        "context_exfil",
        "says to pass on the conversation or its context",
        ("conversation", "history", "messages", "context"),
        search(
            rf"(?:include|output|print|share)\s++{_WORDS}"
            r"(?:conversation|chat\s++history|previous\s++messages|full\s++context|entire\s++context)"
        ),
    ),
    ThreatClass(
        "ssh_backdoor",
        "names the file authorized_keys, which decides who may log in",
        ("authorized_keys",),
        search("authorized_keys"),
    ),
    ThreatClass(
        "ssh_access",
        "names the SSH folder ~/.ssh",
        ("/.ssh",),
        search(_HOME_SSH),
        pair(_SHELL_WRITES, pieces(_HOME_SSH), 512),
    ),
    ThreatClass(
        "hermes_env",
        "names the agent's own secrets file ~/.hermes/.env",
        ("/.hermes/.env",),
        search(r"(?:~|\$home)/\.hermes/\.env"),
    ),
    ThreatClass(
        "agent_config_mod",
        "speaks of changing an agent's instruction file",
        ("agents.md", "claude.md", ".cursorrules", ".clinerules"),
        pair(_EDITING, pieces(r"agents\.md|claude\.md|\.cursorrules|\.clinerules"), 2048),
    ),
    ThreatClass(
        "hermes_config_mod",
        "speaks of changing the agent's own configuration",
        (".hermes/",),
        pair(_EDITING, pieces(r"\.hermes/(?:config\.yaml|soul\.md)"), 2048),
    ),
    ThreatClass(
        "hardcoded_secret",
        "looks like a quoted key, token, secret or password",
        ("key", "token", "secret", "password"),
        search(_VALUE),
        _secret_value_newer,
    ),
)
