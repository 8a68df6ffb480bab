"""What a search looks for, in the words of SQL: expressions for the indexes, conditions on the texts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from hermes_tui.sessions.folding import is_cjk
from hermes_tui.sessions.matcher import Term
from hermes_tui.sessions.query import Reading

TRIGRAM_CHARS = 3


def without(reading: Reading, left_out: Callable[[Term], bool]) -> Reading:
    """The same with some terms left out."""
    groups = tuple(
        replace(group, terms=tuple(term for term in group.terms if not left_out(term))) for group in reading.groups
    )
    return replace(reading, groups=groups)


def whole_words(reading: Reading) -> Reading:
    """The same with no word that may go on."""
    groups = tuple(
        replace(group, terms=tuple(replace(term, prefix=False) for term in group.terms)) for group in reading.groups
    )
    return replace(reading, groups=groups)


def exact(reading: Reading, index: str) -> bool:
    """Whether the index finds just what is looked for, so that no text has to be read."""
    terms = [*reading.terms, *(term for group in reading.groups for term in group.excluded)]
    if index == "messages_fts":
        return all(term.indexed and not term.literal for term in terms)
    if index == "messages_fts_trigram":
        # It does not know that a letter with an accent is the letter.
        return all(threefold(term) and not term.indexed and " " not in term.literal for term in terms) and all(
            not group.excluded for group in reading.groups
        )
    return False


def words_match(reading: Reading) -> str:
    """The expression that an index of words understands; what it cannot know is left to verifying."""
    return " OR ".join(f"({_group_match(group.terms, group.excluded)})" for group in reading.groups)


def _group_match(terms: Sequence[Term], excluded: Sequence[Term]) -> str:
    wanted = " AND ".join(_phrase(term) for term in terms if term.indexed)
    unwanted = [_phrase(term) for term in excluded if term.indexed and not term.literal]
    return f"({wanted})" + "".join(f" NOT {phrase}" for phrase in unwanted)


def _phrase(term: Term) -> str:
    return f'"{" ".join(term.words)}"' + (" *" if term.prefix else "")


def literal_match(reading: Reading, kind: Callable[[Term], bool]) -> str:
    """The expression that an index of parts of words understands, of the terms it can know."""
    groups = (
        " AND ".join('"' + term.literal.replace('"', '""') + '"' for term in group.terms if kind(term))
        for group in reading.groups
    )
    return " OR ".join(f"({group})" for group in groups)


def threefold(term: Term) -> bool:
    """Whether an index of three characters each can know a term."""
    return not term.indexed and len(term.literal) >= TRIGRAM_CHARS


def paired(term: Term) -> bool:
    """Whether an index of pairs of CJK characters can know a term."""
    return not term.indexed and len(term.literal) >= 2 and all(map(is_cjk, term.literal))


def asked_by_sql(terms: Iterable[Term], joint: str) -> tuple[str, list[object]]:
    """A condition that every message with these terms meets, and most others do not: it spares reading their texts.

    Args:
        terms: what is looked for.
        joint: AND or OR.
    """
    parts: list[str] = []
    values: list[object] = []
    for term in terms:
        word = _plain_part(term)
        if word:
            # Its lower() knows ASCII only, and sees nothing behind a NUL.
            parts.append(
                "(instr(lower(m.content), ?) OR octet_length(m.content) > length(m.content)"
                " OR instr(lower(m.tool_calls), ?) OR instr(lower(m.tool_name), ?))"
            )
            values += [word] * 3
        elif not term.indexed and _caseless(term.literal):
            parts.append("(instr(m.content, ?) OR instr(m.tool_calls, ?) OR unicode(m.content) IS NULL)")
            values += [term.literal] * 2
        elif joint == "OR":
            return "", []
    return f" AND ({f' {joint} '.join(parts)})" if parts else "", values


def _plain_part(term: Term) -> str:
    """The longest part of it that is stored just so where only case may differ; empty when there is none."""
    literal = term.literal
    if literal.isascii() and literal.strip() and not any(char.isspace() or char in '\\"' for char in literal):
        return literal if term.indexed or literal.upper() != literal.lower() else ""
    word = max(term.words, key=len, default="")
    return word if word.isascii() else ""


def _caseless(text: str) -> bool:
    """Whether a literal text is stored just as it is looked for: no case, accents or white space, nothing escaped."""
    return text.upper() == text.lower() and not any(char.isspace() or char in "'\\\"" for char in text)
