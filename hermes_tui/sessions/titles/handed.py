"""A text that is handed over with an order: of "Translate this into German: the lift is out of order" the lift."""

from __future__ import annotations

import re
from collections.abc import Sequence

from hermes_tui.sessions.titles.characters import is_unspaced
from hermes_tui.sessions.titles.languages import straight
from hermes_tui.sessions.titles.phrases import words

FRAME_WORDS = 14
"""An order that only hands something over has no more words."""
LEAST_WORDS = 3
LEAST_CHARS = 6
"""What is handed over has at least so many words, or characters where nothing stands between words."""

_ORDERS = words(
    """
    translate summarize summarise proofread paraphrase rephrase rewrite shorten polish correct explain improve fix check
    übersetze übersetz übersetzen zusammenfassen fasse fass zusammen korrigiere korrigier korrigieren kürze
    umformulieren formuliere um verbessere prüfe traduis traduisez traduire résume résumez résumer corrige corrigez
    corriger reformule reformulez traduce traducir traduzca resume resumir corrige corregir reescribe reescribir
    переведи переведите перевести перескажи резюмируй сократи исправь исправьте перефразируй проверь
    dịch tóm tắt sửa viết lại ترجم لخص صحح
    """
)
_AROUND = words(
    """
    can could would you please pls kindly help me us i need want to for the a an this that these following below
    attached text texts article articles email mail message sentence sentences paragraph paragraphs passage
    document note notes words grammar spelling into in from of as it and more briefly short shortly simple simply
    english german french spanish russian chinese japanese vietnamese arabic italian portuguese dutch polish korean
    kannst du könntest können sie bitte mir mal uns den die das der diesen diese dieses folgenden folgende folgendes
    artikel satz sätze absatz nachricht ins im auf aus vom und kurz
    englische englisch deutsche deutsch französische spanische russische
    s'il te vous plaît ce cette ces le la les texte phrase suivant suivante en du de anglais français allemand espagnol
    por favor este esta estos el los texto frase siguiente al del inglés español alemán francés
    пожалуйста этот это следующий следующее текст предложение письмо статью на с русский английский немецкий
    французский китайский кратко мне
    giúp tôi hãy đoạn văn câu sau này bài sang tiếng anh việt pháp đức nhật trung
    هذا هذه النص الجملة التالي التالية إلى من الانجليزية الإنجليزية العربية فضلك
    """
)
_CHINESE = re.compile(
    r"(?:请|麻烦|帮我|帮忙|你|能|可以|把|将|下面|以下|这|那|的|段|句|篇|封|个|几|文字|文章|文本|内容|话|句子|邮件|一下|成|为|到|并|用"
    r"|翻译|译|总结|概括|润色|改写|修改|校对|缩短|解释|[英中日韩法德俄越]文|[英日韩法德俄越汉]语|简单|[ ，,吗])+"
)
_JAPANESE = re.compile(
    r"(?:次|以下|下記|この|上記|の|を|に|へ|から|文章|文|テキスト|記事|メール|内容|[英日中韓独仏]語|日本語|中国語|韓国語|翻訳|和訳|英訳|訳|要約|添削"
    r"|校正|修正|直|短く|し|て|で|ください|下さい|くれ|もらえますか|もらえる|お願いします|お願い|[ 、,])+"
)


def handed_over(said: Sequence[str]) -> Sequence[str]:
    """The lines of a message without the order that comes before a text; as they are when there is no such order."""
    if not said:
        return said
    head, rest = _cut(said[0])
    if not _only_hands_over(head):
        return said
    lines = [rest, *said[1:]] if rest else said[1:]
    return lines if lines and _says_enough(lines[0]) else said


def _cut(line: str) -> tuple[str, str]:
    found = re.search(r"[:：]\s*", line)
    return (line[: found.start()], line[found.end() :].strip(" \"'“”«»„「」")) if found else (line.rstrip(" .。"), "")


def _only_hands_over(head: str) -> bool:
    if is_unspaced(head):
        return _CHINESE.fullmatch(head) is not None or _JAPANESE.fullmatch(head) is not None
    keys = [straight(word).strip(".,!?()\"'") for word in head.split()]
    orders = sum(key in _ORDERS for key in keys)
    return bool(orders) and len(keys) <= FRAME_WORDS and all(key in _ORDERS or key in _AROUND for key in keys)


def _says_enough(line: str) -> bool:
    return len(line) >= LEAST_CHARS if is_unspaced(line) else len(line.split()) >= LEAST_WORDS
