"""What people and an agent write to each other: many languages, identifiers, logs; the same for the same seed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from random import Random

VOCABULARY = 60_000
"""Different English words, the n-th about n times rarer than the first."""
COMMON_WORD = "docker"
COMMON_SHARE = 0.77
"""The share of messages with the common word in them."""
COMMON_CJK = "项目"
"""Two characters in about every second Chinese message."""
NEEDLES = {
    **{"zugzwang": 1, "syzygy": 10, "quokka": 100},
    **dict.fromkeys(["琥珀", "たぬき", "수달", "барсук", "naïveté"], 20),
}
"""Words that occur exactly so often in a whole database, however large."""
WITHIN = {"琥珀": "用琥珀做的", "たぬき": "このたぬきは", "수달": "수달을"}
"""How a needle is written where no blank sets it apart."""

WORDS = {
    part.partition("]")[0]: part.partition("]")[2].split()
    for part in Path(__file__).with_name("words.txt").read_text("utf-8").split("[")[1:]
}
"""Words of many kinds, by kind."""
IDENTIFIERS = [*WORDS["identifiers"], "rm -rf", "git push --force", "hello, world", "a[0]", "[ERROR]"]
ENDINGS = ["s", "ed", "ing", "er", "ers"]
RARE_ENDINGS = ["able", "less", "ment", "ness", "ful", "wise", "ly"]
BEGINNINGS = ["re", "un", "pre", "over", "sub", "out"]
OTHERS = [("chinese", ""), ("japanese", ""), ("korean", " "), ("cyrillic", " "), ("thai", ""), ("accented", " ")]
"""Languages beside English, and what stands between their words."""
LOG_LEVELS = ["INFO", "WARN", "ERROR", "DEBUG", "INFO"]

STREAM_WORDS = 1_500_000
TONGUE_WORDS = 60_000
LOG_LINES = 60_000


@dataclass(frozen=True, slots=True)
class Tongue:
    """A language: a long stream of its words, from which each message is a piece."""

    stream: Sequence[str]
    between: str
    """What stands between two words."""


class Writer:
    """Writes messages, one after another; equal seeds write equal messages."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        words = vocabulary(self.random)
        weights = list(accumulate(1 / (rank + 3) for rank in range(len(words))))
        english = Tongue(self._english(words, weights), " ")
        self.tongues = [english, *(self._tongue(kind, between) for kind, between in OTHERS)]
        self.shares = list(accumulate((0.81, 0.07, 0.03, 0.03, 0.025, 0.01, 0.025)))
        self.log = self._log(words, weights)

    def text(self, shortest: int, longest: int) -> str:
        """A message of so many words, more often short than long."""
        random = self.random.random
        spread = random()
        count = shortest + int((longest - shortest) * spread * spread)
        chosen = random()
        place = 0 if chosen < self.shares[0] else sum(share < chosen for share in self.shares)
        tongue = self.tongues[place]
        start = int(random() * (len(tongue.stream) - count))
        words = list(tongue.stream[start : start + count])
        if random() < COMMON_SHARE:
            words.insert(count // 2, COMMON_WORD if tongue.between else f" {COMMON_WORD} ")
        if random() < 0.03:
            words.append(WORDS["emoji"][int(random() * len(WORDS["emoji"]))])
        return tongue.between.join(words).replace("\n ", "\n")

    def output(self, shortest: int, longest: int) -> str:
        """So many lines of what a program printed."""
        random = self.random.random
        count = shortest + int((longest - shortest) * random() ** 2)
        start = int(random() * (len(self.log) - count))
        lines = self.log[start : start + count]
        return "\n".join([f"$ {COMMON_WORD} ps", *lines] if random() < COMMON_SHARE else lines)

    def phrase(self, count: int) -> str:
        """A few words without the common one, as in a title."""
        tongue = self.tongues[self.random.choices(range(7), cum_weights=self.shares)[0]]
        start = self.random.randrange(len(tongue.stream) - count)
        return tongue.between.join(tongue.stream[start : start + count]).strip(" .,?")

    def _english(self, words: Sequence[str], weights: Sequence[float]) -> list[str]:
        """Sentences: capitals, commas and full stops, frequent small words, identifiers."""
        random = self.random.random
        stream = self.random.choices(words, cum_weights=weights, k=STREAM_WORDS)
        at = 0
        while at < STREAM_WORDS - 2:
            stream[at] = stream[at].capitalize()
            at += 4 + int(random() * 14)
            if at < STREAM_WORDS:
                if random() < 0.3:
                    stream[at - 2] = IDENTIFIERS[int(random() * len(IDENTIFIERS))]
                stream[at - 1] += (".", ",", ".", "?", ".", ",", "!", ".", ":", ".\n")[int(random() * 10)]
        return stream

    def _tongue(self, kind: str, between: str) -> Tongue:
        words = WORDS[kind]
        weights = list(accumulate(1 / (rank + 4) for rank in range(len(words))))
        stream = self.random.choices(words, cum_weights=weights, k=TONGUE_WORDS)
        if kind == "chinese":  # names and rare words: any two characters of the common block
            for at in range(0, TONGUE_WORDS, 6):
                stream[at] = "".join(chr(0x4E00 + self.random.randrange(6000)) for _ in range(2))
        stops = {"": "。", " ": "."}[between]
        for at in range(5, TONGUE_WORDS, 11):
            stream[at] += stops
        return Tongue(stream, between)

    def _log(self, words: Sequence[str], weights: Sequence[float]) -> list[str]:
        random = self.random
        names = random.choices(words, cum_weights=weights, k=4 * LOG_LINES)
        return [
            f"{at % 24:02}:{at % 60:02}:{at % 59:02} {LOG_LEVELS[at % 5]} {names[at]}_{names[at + 1]}:"
            f" {names[at + 2]} /srv/{names[at + 3]}/{names[at]}.py:{random.randrange(900)}"
            for at in range(LOG_LINES)
        ]


def vocabulary(random: Random) -> list[str]:
    """English words, the most frequent first; the rarest are two words in one."""
    plain = random.sample(WORDS["roots"], len(WORDS["roots"]))
    tiers = [
        WORDS["frequent"],
        plain,
        [root + ending for root in plain for ending in ENDINGS],
        [root + ending for root in plain for ending in RARE_ENDINGS],
        [beginning + root for root in plain for beginning in BEGINNINGS],
        ["".join(random.choices(plain, k=2)) for _ in range(VOCABULARY)],
    ]
    made = dict.fromkeys(word for tier in tiers for word in tier if word not in NEEDLES and word != COMMON_WORD)
    return list(made)[:VOCABULARY]
