"""A title for a conversation that nobody has named, out of the first thing a person said in it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from hermes_tui.sessions.titles.characters import KEPT, cleaned
from hermes_tui.sessions.titles.choosing import Candidate, candidates, chosen
from hermes_tui.sessions.titles.handed import handed_over
from hermes_tui.sessions.titles.injected import own_words
from hermes_tui.sessions.titles.languages import SPACED
from hermes_tui.sessions.titles.material import sorted_out
from hermes_tui.sessions.titles.pasted import title_of_error, title_of_mail, title_of_pasted, words_of_pasted
from hermes_tui.sessions.titles.phrases import words
from hermes_tui.sessions.titles.private import without_secrets

_SMALL_NAMES = words(
    """
    npm nginx npx pip pipx pytest kubectl systemctl systemd ssh scp sudo apt apt-get brew curl wget grep awk sed
    jq tmux vim nvim zsh bash fish ffmpeg yarn pnpm uv ruff mypy gcc clang cmake rsync cron crontab psql numpy
    pandas sklearn pydantic eslint webpack vite tsc nvm iptables ufw dmesg chmod chown git-lfs docker-compose
    k8s k3s macOS iOS xargs htop journalctl
    """
)
"""Names that are written small even where a title begins."""
_LEADING_MARKS = re.compile("\\A[\u0300-\u036f\u0591-\u05bd\u064b-\u0652\u20d0-\u20f0\u3099\u309a]+")
_BRACKETS = re.compile(r"[\[\]]")
_PAIRED = (("(", ")"), ("「", "」"), ("“", "”"), ("《", "》"))
_DANGLING = " ,.;:!?-–—…，。、：；！？،؛؟\"'«»“”"
_TECHNICAL = re.compile(r"[a-z]+[A-Z0-9_./@$]|[a-z][\w-]*[._/]\w|[-.$@_]")


def derive_title(text: str) -> str:
    """A short title out of the first thing a person said; empty when it says nothing."""
    material = sorted_out(without_secrets(cleaned(own_words(text))), _leads())
    found = candidates(handed_over(material.said))
    best = chosen(found)
    title = title_of_mail(material) or (_polished(best) if best else "")
    if not title:
        title = title_of_error(material) or title_of_pasted(material) or _of_little(found) or words_of_pasted(material)
    return _closed(title)


@cache
def _leads() -> frozenset[str]:
    """Words in any language that want something to follow: a link after one is named."""
    names = ("prepositions", "tight", "articles", "possessives", "orders", "auxiliaries")
    return frozenset().union(*(language.sets[name] for language in SPACED for name in names))


def _of_little(found: Sequence[Candidate]) -> str:
    """The first sentence that says anything at all: "Who are you"."""
    return next((title for one in found if (title := _polished(one))), "")


def _closed(title: str) -> str:
    """Without a bracket that stays open, or a mark at the end that wants something to follow."""
    for opening, closing in _PAIRED:
        if title.count(opening) != title.count(closing):
            title = title.replace(opening, "").replace(closing, "")
    return " ".join(title.split()).rstrip(_DANGLING)


def _polished(one: Candidate) -> str:
    text, as_it_is = one.title()
    title = _LEADING_MARKS.sub("", _BRACKETS.sub("", text.replace(KEPT, "")).strip(" &"))
    if not title or as_it_is:
        return title
    first = title.split(" ", 1)[0]
    if first.rstrip(":,") in _SMALL_NAMES or _TECHNICAL.match(first):
        return title
    return title[0].upper() + title[1:] if len(title[0].upper()) == 1 else title
