"""Which settings of a provider a person is asked for when it is set up."""

from __future__ import annotations

from hermes_tui.providers.catalogue import Provider
from hermes_tui.providers.fields import Field


def asked_fields(provider: Provider, mode: str) -> list[Field]:
    """Those that are needed in a mode, those that most people set, and the key.

    Args:
        provider: which one.
        mode: the provider's mode as it is chosen; empty where it has none.
    """
    needed = {name for need in provider.needs if not need.modes or mode in need.modes for name in need.any_of}
    return [
        field
        for field in provider.fields
        if field.counts_in(mode) and (field.asked or field.name in needed or (field.secret and field.name == "api_key"))
    ]
