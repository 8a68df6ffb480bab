"""A title for a message that holds nothing but what was pasted: code, a log, a link, a table."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hermes_tui.sessions.titles.characters import is_unspaced
from hermes_tui.sessions.titles.inline import Found, link_words, plain_line
from hermes_tui.sessions.titles.languages import ENGLISH
from hermes_tui.sessions.titles.line_kinds import LOG_TROUBLE, comment_in, log_message
from hermes_tui.sessions.titles.material import Code, Material
from hermes_tui.sessions.titles.phrases import words
from hermes_tui.sessions.titles.shortening import MAX_CHARS, MAX_WORDS

CODE_LINES = 60
JSON_CHARS = 8_000

_PREFIX = re.compile(
    r"(?:Exception in thread \"[^\"\n]{0,80}\" |Caused by: |Uncaught (?:\(in promise\) )?|Unhandled |E {1,4}|PHP )"
)
_QUALIFIED = re.compile(
    r"(?:[A-Za-z_$][\w$]{0,60}[./:]{1,2}){1,12}(?=[A-Z][A-Za-z0-9_]{0,60}(?:Error|Exception|Fault|Interrupt|Panic)\b)"
)
_NUMBERED = re.compile(r"\A(error|warning|ERROR)(?:\[[A-Z]?\d{1,6}\]|(?= ?\())")
_WORD = re.compile(r"[^\s\"'`“”‘’«»]+")
_SAFE = re.compile(r"[\w.+#%/-]*\w[\w.+#%/-]*[:!,]?", re.UNICODE)
_DEFINED = re.compile(
    r"^[ \t]{0,20}(?:(?:export|default|public|private|protected|static|final|async|pub|abstract|inline"
    r"|virtual)\s{1,4}){0,5}"
    r"(?:def|class|function\*?|func|fn|interface|struct|enum|trait|type|module|sub|proc|object"
    r"|contract)\s{1,4}(?:\([^()\n]{0,80}\)\s?)?([A-Za-z_$][\w$]{1,40})",
    re.MULTILINE,
)
_BOUND = re.compile(
    r"^[ \t]{0,20}(?:export )?(?:const|let|var|val)\s{1,4}([A-Za-z_$][\w$]{1,40})\s{0,4}(?::[^=\n]{0,80})?=",
    re.MULTILINE,
)
_METHOD = re.compile(
    r"^[ \t]{0,20}(?:[\w<>\[\],*&:]{1,40}\s{1,4}){1,5}([A-Za-z_]\w{1,40})\s?\([^;\n]{0,200}\)\s?\{", re.MULTILINE
)
_FOLLOWING = words("out up down off on over not exist")
"""Words that belong to the verb before them: timed out."""
_KEYWORDS = words("if for while switch catch return new else do try main")
_TOKEN = re.compile(r"[^\W\d][\w.-]*", re.UNICODE)
_JSON_KEY = re.compile(r"\"([\w$@ -]{1,40})\"\s?:")
_YAML_KEY = re.compile(r"^([A-Za-z_][\w-]{1,40}):(?:\s|$)", re.MULTILINE)


def title_of_pasted(material: Material) -> str:
    """What was pasted, by the name that it has; empty when it has none."""
    makers = (_of_code, _of_subject, _of_files, _of_links)
    return next((title for make in makers if (title := make(material))), "")


def words_of_pasted(material: Material) -> str:
    """The first words of what was pasted; empty when there are none."""
    codes = (title for code in material.codes if (title := _of_command(code)))
    languages = (code.language for code in material.codes if code.language[:1].isalpha())
    return next(codes, "") or _of_table(material) or next(languages, "")


def title_of_error(material: Material) -> str:
    """What went wrong, as the pasted log says it."""
    return _of_errors(material) or _of_log(material)


def title_of_mail(material: Material) -> str:
    """What a mail is about, if the message is one."""
    return _of_subject(material) if material.is_mail else ""


def _of_errors(material: Material) -> str:
    errors = material.errors
    if not errors:
        return ""
    caused = [line for line in errors if line.startswith("Caused by: ")]
    line = caused[-1] if caused else errors[-1] if material.traced else errors[0]
    line = _QUALIFIED.sub("", _PREFIX.sub("", line, count=1), count=1)
    return _few(_NUMBERED.sub(r"\1", line))


def _of_log(material: Material) -> str:
    lines = material.logged
    if not lines:
        return ""
    telling = next((line for line in lines if LOG_TROUBLE.search(line)), lines[0])
    level, message = log_message(telling)
    short = _few(message)
    return f"{level} {short}" if level and short and short.count(" ") < 2 else short


def _few(line: str) -> str:
    """The first words of a line of a program, up to where it gets too odd to read."""
    plain = plain_line(line.replace("`", ""), Found(), frozenset())
    words: list[str] = []
    for piece in _WORD.findall(plain):
        if piece.startswith("(") and len(words) >= 3:
            break
        piece = piece.lstrip("\ue000([{<").rstrip(")]}>;")
        if not any(map(str.isalnum, piece)):
            continue
        if not _SAFE.fullmatch(piece) or len(piece) > 40:
            if len(words) >= 2:
                break
            continue
        if len(words) == MAX_WORDS or len(" ".join([*words, piece])) > MAX_CHARS:
            break
        words.append(piece.replace("!", ""))
        if len(words) >= 3 and piece[-1] in ":,":
            break
    while len(words) > 1 and words[-1].rstrip(":,").lower() in ENGLISH.hanging - _FOLLOWING:
        words.pop()
    return " ".join(words).rstrip(":,.- /")


def _of_code(material: Material) -> str:
    for code in material.codes:
        text = "\n".join(code.lines[:CODE_LINES])
        if title := _of_comment(code) or _of_keys(text) or _of_name(code, text):
            return title
    return ""


def _of_comment(code: Code) -> str:
    hashes = not code.language.lower().startswith(("c", "md", "markdown"))
    for line in code.lines[:3]:
        words = comment_in(line, hashes).split()
        if len(words) >= 2 and sum(word.strip(".,:").isalpha() for word in words) * 4 >= len(words) * 3:
            return _few(" ".join(words)) if not is_unspaced(line) else " ".join(words)[:16]
    return ""


def _of_keys(text: str) -> str:
    """The first keys of JSON, or of YAML."""
    import json

    bare = text.strip()
    if bare.startswith(("{", "[")):
        try:
            value = json.loads(bare[:JSON_CHARS])
        except (ValueError, RecursionError):
            keys = list(dict.fromkeys(_JSON_KEY.findall(bare)))
        else:
            value = value[0] if isinstance(value, list) and value else value
            keys = list(value) if isinstance(value, dict) else []
    else:
        keys = _YAML_KEY.findall(text) if text.count("\n") else []
        keys = keys if len(keys) >= 2 else []
    plain = [key for key in keys if re.fullmatch(r"[\w$@ -]{1,40}", key)][:4]
    return _few(", ".join(plain)) if len(plain) < 3 else _listed(plain)


def _listed(keys: list[str]) -> str:
    text = ", ".join(keys)
    while len(text) > MAX_CHARS or len(text.split()) > MAX_WORDS:
        keys = keys[:-1]
        text = ", ".join(keys)
    return text


def _of_name(code: Code, text: str) -> str:
    for pattern in (_DEFINED, _BOUND, _METHOD):
        name = next((found[1] for found in pattern.finditer(text) if found[1] not in _KEYWORDS), "")
        if name:
            return f"{_shown(code.language)} {name}".strip() if code.language.isalpha() else name
    return ""


def _shown(language: str) -> str:
    return language.upper() if len(language) <= 3 else language.capitalize()


def _of_command(code: Code) -> str:
    for line in code.lines[:5]:
        plain = plain_line(re.sub(r"\A\s*(?:\$|>|#|\S{1,40}@\S{1,60}[$#]) ", "", line), Found(), frozenset())
        words = list(_tokens(plain))
        if words:
            return _few(" ".join(words[:5]))
    return ""


def _tokens(line: str) -> Iterator[str]:
    for piece in line.replace("\ue000", "").split():
        found = _TOKEN.match(piece.lstrip("\"'([{<"))
        if found and len(found[0]) > 1 and not piece.startswith("-"):
            yield found[0].rstrip(".-")


def _of_subject(material: Material) -> str:
    bare = re.sub(r"\A(?:(?:re|fwd?|aw|wg|tr|rv|sv)\s?: ?){1,5}", "", material.subject, flags=re.IGNORECASE)
    return _few(bare) if not is_unspaced(bare) else bare[:16]


def _of_files(material: Material) -> str:
    return material.found.files[0] if material.found.files else ""


def _of_links(material: Material) -> str:
    if not material.found.links:
        return ""
    words = link_words(material.found.links[0])
    while len(" ".join(words)) > MAX_CHARS:
        words = words[:-1]
    return " ".join(words)


def _of_table(material: Material) -> str:
    cells = re.sub(r"[*_`#]", "", material.cells)
    return _few(cells.replace(", ", " ")) if cells else ""
