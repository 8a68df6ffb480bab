"""What takes a secret away from where it lies."""

from __future__ import annotations

import shlex

from hermes_tui.secrets_found.found import Found

REPLACE = "Then replace the key where it was made: whoever has read it can use it."


def remedy(found: Found) -> str:
    """What takes a secret away from where it lies, and what to do then; a few sentences."""
    session = shlex.quote(found.session_id)
    path = shlex.quote(found.path)
    words = {
        "memory": f"`hermes-tui memory remove --store {found.place} --index {found.entry}` (on the screen: d, or e to"
        " reword it); it went out with every prompt since.",
        "pending": f"`hermes-tui pending reject {shlex.quote(found.record_id)}` (on the screen: r, or e to reword it).",
        "session title": f"`hermes-tui sessions rename {session} NEW-TITLE` (on the screen: R).",
        "message": f"`hermes-tui sessions delete {session}` takes the whole conversation (on the screen: D); its copy"
        " for undo goes with `sessions undo --forget all`. One message cannot be taken out.",
        "prompt": f"`hermes-tui sessions delete {session}` takes the whole conversation; its copy for undo goes with"
        " `sessions undo --forget all`.",
        "log": f"Nothing here changes logs: delete it with `rm {path}` while no agent runs, and leave"
        " security.redact_secrets on.",
        "config": "Put it into .env as NAME=VALUE, and ${NAME} in its place in config.yaml.",
        "session file": f"The agent left it; nothing here changes it: `rm {path}` (`sessions delete` takes it along).",
        "backup": f"The agent left this copy: look whether you miss anything in it, then `rm {path}`.",
        "our data": f"It is kept so that the change can be taken back: `rm {path}` while hermes-tui is closed; nothing"
        " from before can be undone then.",
    }
    return f"{words.get(found.place) or words['memory']} {REPLACE}"
