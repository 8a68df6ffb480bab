"""Files as people keep them, one change for each, and what the file must be then; None where it must stay as it is."""

from __future__ import annotations

from typing import NamedTuple

from hermes_tui.config.keys import Value

UNSET = None


class Case(NamedTuple):
    """One edit of one file."""

    before: str
    key: str
    value: Value | None
    """None takes the setting out."""
    after: str | None
    """None: the edit is refused, and not a byte changes."""


GATE = "memory.write_approval"
LIMIT = "memory.memory_char_limit"
MODEL = "auxiliary.background_review.model"
KEEP = "curator.backup.keep"

LONG = "".join(f"section_{number}:\n  # note {number}\n  name: 'value {number}'\n" for number in range(3_000))

CASES: dict[str, Case] = {
    # places
    "in its place, comment kept": Case(
        "# mine\nmemory:\n  # why\n  write_approval: no   # off for now\n  memory_char_limit: '4000'\nx: [1, 2]\n",
        GATE, True,
        "# mine\nmemory:\n  # why\n  write_approval: true   # off for now\n  memory_char_limit: '4000'\nx: [1, 2]\n",
    ),
    "the integer one becomes a real switch": Case(
        "memory:\n  write_approval: 1\n", GATE, True, "memory:\n  write_approval: true\n"
    ),
    "a text that says so becomes a real switch": Case(
        'memory:\n  write_approval: "true" # !\n', GATE, True, "memory:\n  write_approval: true # !\n"
    ),
    "a quoted number becomes a number": Case(
        "memory:\n  memory_char_limit: '2200'\n", LIMIT, 3000, "memory:\n  memory_char_limit: 3000\n"
    ),
    "already so": Case("memory:\n  write_approval: true\n", GATE, True, "memory:\n  write_approval: true\n"),
    "already so, in other words": Case("memory:\n  write_approval: yes\n", GATE, True,
                                       "memory:\n  write_approval: yes\n"),
    "the section has other keys": Case(
        "memory:\n    # limits\n    memory_char_limit: 3000\n", GATE, True,
        "memory:\n    # limits\n    memory_char_limit: 3000\n    write_approval: true\n",
    ),
    "a comment ends the section": Case(
        "memory:\n  provider: x\n  # nudge_interval: 5\nb: 1\n", GATE, True,
        "memory:\n  provider: x\n  write_approval: true\n  # nudge_interval: 5\nb: 1\n",
    ),
    "the section is empty": Case(
        "memory:   # nothing\nb: 1\n", GATE, True, "memory:   # nothing\n  write_approval: true\nb: 1\n"
    ),
    "the section holds comments": Case(
        "memory:\n  # write_approval: true\nb: 1\n", GATE, True,
        "memory:\n  write_approval: true\n  # write_approval: true\nb: 1\n",
    ),
    "the section is null in words": Case(
        "memory: null  # later\nb: 1\n", GATE, True, "memory:  # later\n  write_approval: true\nb: 1\n"
    ),
    "the section is a tilde": Case("memory: ~\nb: 1\n", GATE, True, "memory:\n  write_approval: true\nb: 1\n"),
    "no section": Case("a: 1", GATE, True, "a: 1\nmemory:\n  write_approval: true\n"),
    "no section, comments at the end": Case(
        "a: 1\n# the end\n", GATE, True, "a: 1\n# the end\nmemory:\n  write_approval: true\n"
    ),
    "only comments": Case("# nothing here\n", GATE, True, "# nothing here\nmemory:\n  write_approval: true\n"),
    "empty": Case("", GATE, True, "memory:\n  write_approval: true\n"),
    "a setting without a value": Case(
        "memory:\n  write_approval:\n  provider: x\n", GATE, True, "memory:\n  write_approval: true\n  provider: x\n"
    ),
    "a setting without a value, a comment behind": Case(
        "memory:\n  write_approval: # ?\n", GATE, True, "memory:\n  write_approval: true # ?\n"
    ),
    "three deep, in its place": Case(
        "auxiliary:\n  vision:\n    model: a\n  background_review:\n    model: small # cheap\n", MODEL, "large",
        "auxiliary:\n  vision:\n    model: a\n  background_review:\n    model: large # cheap\n",
    ),
    "three deep, the last section missing": Case(
        "auxiliary:\n  vision:\n    model: a\nb: 1\n", MODEL, "large",
        "auxiliary:\n  vision:\n    model: a\n  background_review:\n    model: large\nb: 1\n",
    ),
    "three deep, all sections missing": Case(
        "b: 1\n", KEEP, 9, "b: 1\ncurator:\n  backup:\n    keep: 9\n"
    ),
    "three deep, the middle one empty": Case(
        "curator:\n  backup:\n  enabled: true\n", KEEP, 9, "curator:\n  backup:\n    keep: 9\n  enabled: true\n"
    ),
    # quotes
    "single quotes stay": Case(
        "auxiliary:\n  background_review:\n    model: 'it''s'\n", MODEL, "that's",
        "auxiliary:\n  background_review:\n    model: 'that''s'\n",
    ),
    "double quotes stay": Case(
        'auxiliary:\n  background_review:\n    model: "a"\n', MODEL, "b",
        'auxiliary:\n  background_review:\n    model: "b"\n',
    ),
    "a word that YAML takes for a switch": Case(
        "display:\n  skin: x\n", "display.memory_notifications", "off",
        'display:\n  skin: x\n  memory_notifications: "off"\n',
    ),
    "a text like a number": Case(
        "auxiliary:\n  background_review:\n    model: a\n", MODEL, "1e3",
        'auxiliary:\n  background_review:\n    model: "1e3"\n',
    ),
    "a text with a colon and a hash": Case(
        "auxiliary:\n  background_review:\n    model: a\n", MODEL, "x: y # z",
        'auxiliary:\n  background_review:\n    model: "x: y # z"\n',
    ),
    "a text with a colon inside": Case(
        "auxiliary:\n  background_review:\n    model: a\n", MODEL, "qwen/qwen3:8b",
        "auxiliary:\n  background_review:\n    model: qwen/qwen3:8b\n",
    ),
    "a text in another script": Case(
        "auxiliary:\n  title_generation:\n    language: en\n", "auxiliary.title_generation.language", "日本語 ✓",
        'auxiliary:\n  title_generation:\n    language: "日本語 ✓"\n',
    ),
    "a text of many lines gives way": Case(
        "memory:\n  provider: |\n    mem0\n  write_approval: false\n", "memory.provider", "honcho",
        "memory:\n  provider: honcho\n  write_approval: false\n",
    ),
    "a folded text gives way": Case(
        "memory:\n  provider: >-\n    mem0\n\n# then\nb: 1\n", "memory.provider", "honcho",
        "memory:\n  provider: honcho\n# then\nb: 1\n",
    ),
    "an empty text": Case("memory:\n  provider: mem0\n", "memory.provider", "", 'memory:\n  provider: ""\n'),
    # line ends, marks, white space
    "Windows line ends": Case(
        "memory:\r\n  provider: x\r\n", GATE, True, "memory:\r\n  provider: x\r\n  write_approval: true\r\n"
    ),
    "Windows line ends, a new section": Case(
        "a: 1\r\n", GATE, True, "a: 1\r\nmemory:\r\n  write_approval: true\r\n"
    ),
    "a byte order mark": Case(
        "\ufeffmemory:\n  write_approval: false\n", GATE, True, "\ufeffmemory:\n  write_approval: true\n"
    ),
    "a byte order mark and Windows line ends": Case(
        "\ufeffmemory:\r\n  write_approval: false\r\n", GATE, True, "\ufeffmemory:\r\n  write_approval: true\r\n"
    ),
    "no line end at the end": Case("memory:\n  provider: x", GATE, True,
                                   "memory:\n  provider: x\n  write_approval: true\n"),
    "tabs before a comment": Case(
        "memory:\n  write_approval: false\t# tab\n", GATE, True, "memory:\n  write_approval: true\t# tab\n"
    ),
    "blank lines": Case(
        "\n\nmemory:\n\n  provider: x\n\n\nb: 1\n", GATE, True,
        "\n\nmemory:\n\n  provider: x\n  write_approval: true\n\n\nb: 1\n",
    ),
    "all of it indented": Case(
        "  memory:\n      provider: x\n", GATE, True, "  memory:\n      provider: x\n      write_approval: true\n"
    ),
    "characters of four bytes before it": Case(
        "# 🦊🦊\nagent: {name: '👩‍🚀'}\nmemory:\n  write_approval: false\n", GATE, True,
        "# 🦊🦊\nagent: {name: '👩‍🚀'}\nmemory:\n  write_approval: true\n",
    ),
    "document marks": Case(
        "---\nmemory:\n  provider: x\n...\n", "sessions.retention_days", 30,
        "---\nmemory:\n  provider: x\nsessions:\n  retention_days: 30\n...\n",
    ),
    # other ways to write
    "braces, in its place": Case(
        "memory: {write_approval: off, provider: x} # one line\n", GATE, True,
        "memory: {write_approval: true, provider: x} # one line\n",
    ),
    "braces, a new one": Case(
        "memory: {provider: x}\n", GATE, True, "memory: {provider: x, write_approval: true}\n"
    ),
    "empty braces": Case("memory: {}\nb: 1\n", GATE, True, "memory: {write_approval: true}\nb: 1\n"),
    "braces over lines": Case(
        "memory: {\n  provider: x,\n  }\n", GATE, True, "memory: {\n  provider: x, write_approval: true,\n  }\n"
    ),
    "all in braces": Case("{a: 1}\n", GATE, True, "{a: 1, memory: {write_approval: true}}\n"),
    "JSON": Case(
        '{"memory": {"write_approval": false}, "b": [1]}\n', GATE, True,
        '{"memory": {"write_approval": true}, "b": [1]}\n',
    ),
    "a quoted key": Case('"memory":\n  "write_approval": no\n', GATE, True, '"memory":\n  "write_approval": true\n'),
    "a key with a question mark": Case(
        "? memory\n: write_approval: false\n", GATE, True, "? memory\n: write_approval: true\n"
    ),
    "an anchor that nobody uses": Case(
        "memory:\n  write_approval: &gate false\n", GATE, True, "memory:\n  write_approval: &gate true\n"
    ),
    "a tag": Case("memory:\n  memory_char_limit: !!int 2200\n", LIMIT, 99, "memory:\n  memory_char_limit: !!int 99\n"),
    "settings that are merged in": Case(
        "base: &base\n  write_approval: false\nmemory:\n  <<: *base\n", GATE, True,
        "base: &base\n  write_approval: false\nmemory:\n  <<: *base\n  write_approval: true\n",
    ),
    "the last section is a list": Case(
        "memory:\n  provider: x\nskills:\n  external_dirs:\n  - a\n  - b # two\n", "skills.write_approval", True,
        "memory:\n  provider: x\nskills:\n  external_dirs:\n  - a\n  - b # two\n  write_approval: true\n",
    ),
    "a list without indentation before it": Case(
        "skills:\n- x\nmemory:\n    write_approval: off\n", GATE, True,
        "skills:\n- x\nmemory:\n    write_approval: true\n",
    ),
    "many sections": Case(
        LONG + "memory:\n  write_approval: false\n", GATE, True, LONG + "memory:\n  write_approval: true\n"
    ),
    "the agent's own file, with its help at the end": Case(
        "_config_version: 33\nmemory:\n  memory_enabled: true\nmodel: x\n\n# ── Fallback ──\n# a: b\n", GATE, True,
        "_config_version: 33\nmemory:\n  memory_enabled: true\n  write_approval: true\nmodel: x\n\n"
        "# ── Fallback ──\n# a: b\n",
    ),
    # taking out
    "taken out": Case(
        "memory:\n  # a\n  write_approval: true # b\n  provider: x\n", GATE, UNSET, "memory:\n  # a\n  provider: x\n"
    ),
    "taken out as the only one": Case("a: 1\nmemory:\n  write_approval: true\nb: 2\n", GATE, UNSET, "a: 1\nb: 2\n"),
    "taken out as the only one, three deep": Case(
        "a: 1\nauxiliary:\n  background_review:\n    model: x\nb: 2\n", MODEL, UNSET, "a: 1\nb: 2\n"
    ),
    "taken out of braces": Case("memory: {write_approval: true, provider: x}\n", GATE, UNSET,
                                "memory: {provider: x}\n"),
    "taken out at the end of braces": Case("memory: {provider: x, write_approval: true}\n", GATE, UNSET,
                                           "memory: {provider: x}\n"),
    "taken out of many lines": Case(
        "memory:\n  provider: |\n    mem0\n\n  nudge_interval: 3\n", "memory.provider", UNSET,
        "memory:\n  nudge_interval: 3\n",
    ),
    "not there to be taken out": Case("a: 1\n", GATE, UNSET, "a: 1\n"),
    "taken out of a section that has a comment": Case(
        "memory: # keep me\n  # about approval\n  write_approval: true\nz: 1\n", GATE, UNSET,
        "memory: # keep me\n  # about approval\nz: 1\n",
    ),
    "keys that look alike and are two": Case(
        '1: a\n"1": b\n', GATE, True, '1: a\n"1": b\nmemory:\n  write_approval: true\n'
    ),
    # refused
    "two merges in one mapping": Case("x:\n  <<: {a: 1}\n  <<: {b: 1}\n", GATE, True, None),
    "keys that look other and are one": Case("yes: 1\non: 2\n", GATE, True, None),
    "numbers that are one key": Case("x: {1: a, 0x1: b}\n", GATE, True, None),
    "a tag with a wrong value": Case("x: !!bool maybe\n", GATE, True, None),
    "a tag with no value": Case('x: !!int ""\n', GATE, True, None),
    "a tag of a time that is none": Case("x: !!timestamp foo\n", GATE, True, None),
    "a last text that a line end would change": Case("x:\n  prompt: |\n    hello", GATE, True, None),
    "it does not parse": Case("memory: [oops\n", GATE, True, None),
    "tabs in place of spaces": Case("memory:\n\twrite_approval: false\n", GATE, True, None),
    "a key given twice": Case('memory: {}\nskills: {}\n"memory":\n    write_approval: "off"\n', GATE, True, None),
    "a setting given twice": Case("memory:\n  provider: a\n  provider: b\n", GATE, True, None),
    "two documents": Case("a: 1\n---\nb: 1\n", GATE, True, None),
    "a list": Case("- memory\n", GATE, True, None),
    "a word": Case("memory\n", GATE, True, None),
    "the section is a list": Case("memory: []\n", GATE, True, None),
    "the section is a word": Case("memory: off\n", GATE, True, None),
    "the setting is a list": Case("memory:\n  write_approval: [a]\n", GATE, True, None),
    "an alias": Case("a: &off false\nmemory:\n  write_approval: *off\n", GATE, True, None),
    "an anchor that others use": Case("memory:\n  write_approval: &x false\nb: *x\n", GATE, True, None),
    "a section that others use": Case("memory: &m\n  provider: x\nother: *m\n", GATE, True, None),
    "the section is an alias": Case("m: &m\n  provider: x\nmemory: *m\n", GATE, True, None),
    "a control character": Case("a: \x07\n", GATE, True, None),
    "an unknown tag": Case("a: !who x\n", GATE, True, None),
    "nested too deeply": Case("a: " + "[" * 5_000 + "]" * 5_000 + "\n", GATE, True, None),
    "larger than anybody's": Case("# " + "x" * (1 << 20) + "\n", GATE, True, None),
}  # fmt: skip
