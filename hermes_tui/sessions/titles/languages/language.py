"""What is known of a language with spaces between its words."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cached_property

from hermes_tui.sessions.titles.languages.folding import folded
from hermes_tui.sessions.titles.phrases import Phrases, lines, words

_PHRASES = words("asides asking closing echo fillers frames greetings making openers polite roles small soft_fillers")
"""The fields of a language that hold phrases."""


@dataclass(frozen=True, eq=False)
class Language:
    """Words and set phrases of one language; phrases are written as in `phrases`, in small letters."""

    code: str
    letters: str = ""
    """Letters that hardly any other language has."""
    greetings: str = ""
    """Phrases: dropped from the front in whatever language the rest is."""
    names: str = ""
    """Words: who may be spoken to after a greeting or before a comma."""
    polite: str = ""
    """Phrases that are dropped wherever they stand."""
    closing: str = ""
    """Phrases that are dropped from the end."""
    echo: str = ""
    """Phrases that are dropped from the end of what was asked for: "được không"."""
    fillers: str = ""
    """Phrases that are dropped from the front."""
    soft_fillers: str = ""
    """Phrases dropped from the front if a comma follows, or something that begins a sentence."""
    frames: str = ""
    """Phrases that ask for something; what is asked for follows them."""
    asking: str = ""
    """Phrases that are dropped from the front only if a question word follows."""
    openers: str = ""
    """Phrases that begin to tell how things are: dropped from the front, but what follows is not asked for."""
    telling: str = ""
    """First words of a sentence that most likely tells how things are."""
    orders: str = ""
    """Verbs that ask for something, as the first word."""
    making: str = ""
    """Phrases like "write a" that may be left out before the thing to be made, if there is no room."""
    speakers: str = ""
    """Pronouns before which a polite word is a verb: "ich bitte um"."""
    roles: str = ""
    """Phrases that say who is to answer: "as a lawyer"."""
    small: str = ""
    """Phrases that are dropped after the first word or two, like "me" in "write me a letter"."""
    questions: str = ""
    """Words that begin a question."""
    asides: str = ""
    """Phrases that may be left out before the matter of a question ("how do I"), if there is no room."""
    objects: str = ""
    """Pronouns that what they stand for can take the place of, as it is."""
    refers: str = ""
    """Pronouns that stand for what was said before."""
    blocks: str = ""
    """Words after which a frame is none, as the clause that follows is not whole without it: "quiero que …"."""
    labels: str = ""
    """Words that a colon follows and that say nothing: task, question."""
    articles: str = ""
    agreeing: str = ""
    """Articles without which the adjective after them would be a wrong form."""
    leading: str = ""
    """Words that are dropped from the front of a title, if `bare` allows it."""
    leading_before_capital: str = ""
    """The same, but only before a word with a capital."""
    possessives: str = ""
    skipped: str = ""
    """Words that may be left out from the middle, if there is no room."""
    prepositions: str = ""
    tight: str = ""
    """Prepositions that hold what is before and behind them together."""
    phrasal: str = ""
    """Small words that most likely belong to the verb before them."""
    postposed: str = ""
    """Words that belong to the one before them."""
    pairing: str = ""
    """Prepositions that an "and" belongs to: between."""
    joining: str = ""
    """and, or."""
    choosing: str = ""
    """Those of them that make a choice: or."""
    clauses: str = ""
    """Words that begin a clause."""
    half: str = ""
    """Question words that begin a clause before the main one as well: when."""
    relatives: str = ""
    """Words that begin a clause that belongs closely to what is before it: that, which, how."""
    subjects: str = ""
    """Pronouns that begin a clause."""
    pronouns: str = ""
    """Those that may as well be no subject: they begin a clause if a verb follows that is known."""
    auxiliaries: str = ""
    """Verbs that want something to follow, and others that people use most."""
    adverbs: str = ""
    """Small words that do not end a phrase."""
    loose: str = ""
    """Small words that end a phrase where a new one begins: "startet nicht"."""
    clitics: str = ""
    """Pronouns before a verb that begins a clause."""
    since: str = ""
    until: str = ""
    """Prepositions that go together: from Berlin to Munich."""
    toward: str = ""
    """Those of the tight prepositions that let go of a name: to Lisbon."""
    particles: str = ""
    """More words without matter of their own, that may well end a phrase."""
    generic: str = ""
    """Words that by themselves make no title: help, error, this, problem."""
    trouble: str = ""
    """Words that say that something is wrong."""
    joined: str = ""
    """Words that are not parted, joined by `_`."""
    syllables: bool = False
    """Whether spaces stand between syllables: more of them are needed to say anything."""
    verb_last: bool = False
    """Whether a clause that a comma opens is only whole with its last word."""
    elided: bool = False
    """Whether an apostrophe ends a word: l'eau."""

    @cached_property
    def phrases(self) -> dict[str, Phrases]:
        """The fields that hold phrases, made ready."""
        return {name: Phrases(lines(folded(getattr(self, name), self.code))) for name in _PHRASES}

    @cached_property
    def sets(self) -> dict[str, frozenset[str]]:
        """The fields that hold words, made ready."""
        values = {field.name: getattr(self, field.name) for field in fields(self) if field.name not in _PHRASES}
        return {name: words(folded(value, self.code)) for name, value in values.items() if isinstance(value, str)}

    @cached_property
    def never_last(self) -> frozenset[str]:
        """Words that end no title, however the message goes on."""
        return frozenset().union(*(self.sets[name] for name in ("articles", "possessives", "joining", "tight")))

    @cached_property
    def hanging(self) -> frozenset[str]:
        """Words that do not end a title where a message was cut."""
        names = (
            "prepositions",
            "clauses",
            "relatives",
            "subjects",
            "auxiliaries",
            "adverbs",
            "questions",
            "pairing",
            "skipped",
        )
        return self.never_last.union(
            *(self.sets[name] for name in names if not (name == "questions" and self.syllables))
        )

    @cached_property
    def common(self) -> frozenset[str]:
        """Words that say what language it is, but not what it is about."""
        return self.hanging | self.sets["particles"] | self.sets["loose"]

    @cached_property
    def empty(self) -> frozenset[str]:
        """Words that alone are no title."""
        return self.common | self.sets["generic"] | self.sets["labels"]

    @cached_property
    def telltale(self) -> frozenset[str]:
        """Words that speak for this language."""
        return self.common | self.sets["orders"] | self.sets["generic"] | self.sets["trouble"]
