"""What a line of a message is, when it is not prose: part of a log, of code, of a table, of a mail."""

from __future__ import annotations

import re

_ERROR_NAME = (
    r"(?:[A-Za-z_$][\w$]{0,60}[.:/]{1,2}){0,12}[A-Z][A-Za-z0-9_]{0,60}(?:Error|Exception|Fault|Interrupt|Panic)"
)
ERROR = re.compile(
    rf"\s{{0,20}}(?:(?:Exception in thread \"[^\"\n]{{0,80}}\" |Caused by: |Uncaught (?:\(in promise\) )?"
    rf"|Unhandled |E {{1,4}}"
    rf"|Fatal error: |PHP )?{_ERROR_NAME}\b(?::|\s*$)"
    r"|(?:fatal|error|panic|Fatal|ERROR|FATAL|Error|PANIC|panicked)(?:\[\w{1,12}\])?: \S"
    r"|npm (?:ERR!|error) \S|FAILED \S+::|thread '[^'\n]{1,80}' panicked at "
    r"|(?:\S{1,80}: ){1,3}(?:command not found|[Nn]o such file or directory|[Pp]ermission denied"
    r"|undefined reference to)"
    r"|Segmentation fault|Killed\b|[Cc]onnection refused\s*$"
    r"|\S{1,200}:\d{1,6}(?::\d{1,6})?:? (?:fatal )?error(?: [A-Z]{1,4}\d{1,6})?:? \S"
    r"|ERROR \d{1,5} ?\([\w]{1,8}\)|make(?:\[\d\])?: \*\*\* )"
)
"""A line that says what went wrong."""

_STAMP = (
    r"(?:\[?\d{4}[-/]\d\d[-/]\d\d[T ,]?\s?\d\d:\d\d(?::\d\d)?(?:[.,]\d{1,9})?(?:Z|[ ]?[+-]\d\d:?\d\d)?\]?"
    r"|\[?\d\d:\d\d:\d\d(?:[.,]\d{1,9})?\]?"
    r"|(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) {1,2}\d{1,2} \d\d:\d\d:\d\d"
    r"|\[ {0,5}\d{1,7}\.\d{6}\])"
)
_LEVEL = r"(?:TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?|ERROR|ERR|CRIT(?:ICAL)?|FATAL|PANIC|EMERG)"
LOG = re.compile(
    rf"\s{{0,12}}(?:{_STAMP}(?:\s|:|$)|\[?{_LEVEL}\]?(?:\s{{0,3}}[:|\]-]| {{2,}}|\s\[)|\S{{1,40}}\s+\| {_STAMP})"
)
LOG_TROUBLE = re.compile(
    r"\b(?:ERROR|ERR|CRIT(?:ICAL)?|FATAL|PANIC|EMERG|Exception|[A-Za-z]{0,40}Error|error|failed|fatal|panic)\b"
)
_LOG_HEAD = re.compile(
    rf"\s{{0,12}}(?:\S{{1,40}}\s+\| )?(?:{_STAMP})?[\s:,"
    rf"|-]{{0,6}}(?:[\w.-]{{1,60}} (?=[\w./-]{{1,60}}(?:\[\d{{1,8}}\])?: ))?"
    rf"(?:\[[^\]\n]{{1,60}}\] ?|\d{{1,8}}#\d{{1,8}}: ?|\*\d{{1,8}} ?){{0,4}}"
)
_LEVEL_HEAD = re.compile(rf"[\[(<]?{_LEVEL}[\])>]?(?: ?[:|-])?\s{{0,3}}", re.IGNORECASE)

TRACE = re.compile(
    r"\s{0,20}(?:Traceback \(most recent call last\)|File \"[^\"\n]{1,400}\", line \d"
    r"|at [\w$.<>/]{1,300}(?: \[as \w+\])? ?\("
    r"|at (?:async )?\S{0,300}:\d{1,7}(?::\d{1,7})?\)?\s*$|\.\.\. \d{1,5} (?:more|common)|goroutine \d"
    r"|stack backtrace:|\^{2,}|\~{2,}"
    r"|note: run with|During handling of the above|The above exception was|-{1,3}> .{1,200}:\d{1,6}|= (?:note"
    r"|help): |\d{1,5} {0,2}\|\s"
    r"|from \S{1,200}:\d{1,6}:in |\d{1,4}: +0x|#\d{1,3} {1,2}0x|\|\s*$|>>> )"
)
TRACEBACK = re.compile(r"\s{0,20}Traceback \(most recent call last\)")

_CODE = re.compile(
    r"\s{0,80}(?:#!|#include\b|#define\b|@[\w.]{2,60}(?:\(.{0,300}\))?\s*$|(?:async )?def \w{1,80}\("
    r"|class \w{1,80}(?:\(.{0,200}\))?\s?[:{]|"
    r"(?:export |default |public |private |protected |static |final |async |pub |const |inline |virtual "
    r"|abstract ){1,5}"
    r"(?:class|function|interface|type|const|let|var|enum|void|int|string|bool|fn|struct|static|async|def|default"
    r"|\w{1,40} \w{1,60}\()|"
    r"function\*? ?\w{0,80} ?\(|(?:const|let|var|val) [\w{\[][^=\n]{0,120}=|import [\w.*{ ,}]{1,200}(?: from [\"']"
    r"|;| as \w|$)|import [\"'(]|"
    r"from [\w.]{1,120} import |(?:package|using|namespace|use|mod) [\w.:*{}, ]{1,120};|(?:fn|func|impl|struct|enum"
    r"|trait) [\w<]{1,80}|"
    r"(?:if|for|while|switch|catch|elif|foreach) ?\(.{0,300}\) ?\{?|(?:if|for|while|elif|else|try|except|with"
    r"|finally)\b.{0,200}:\s*$|"
    r"return\b.{0,200};\s*$|[})\]]{1,6}[;,)]{0,3}\s*$|\} (?:else|catch|finally|while)"
    r"|</?[a-z][\w-]{0,40}[^<>\n]{0,300}/?>\s*$|"
    r"(?:SELECT|INSERT INTO|UPDATE|DELETE FROM|CREATE|ALTER|DROP|WITH|FROM|WHERE|JOIN|LEFT JOIN|INNER JOIN|GROUP BY"
    r"|ORDER BY|LIMIT|VALUES|AND|"
    r"HAVING|SET|ON) [\w\"`*(.\[]|\w[\w.\[\]\"' ]{0,80} ?(?:[+*/-]|:)?= ?[^=\s].{0,400}"
    r"|[\w.]{1,120}\([^()\n]{0,300}\);?\s*$|"
    r"\$ \S|(?:PS )?[A-Z]:\\[^>\n]{0,200}> \S|\w{1,40}@[\w.-]{1,60}:\S{0,200}[$#] |(?:sudo|docker|kubectl|git|npm"
    r"|pip|curl|apt|apt-get) [a-z-]{1,20}(?: .{0,200})?"
    r"(?: --?[a-z]|[|>&]))"
)
_CODE_END = re.compile(
    r"[;{}]\s*$|=> ?\{?$|\)\s?\{\s*$|^\s{0,80}[{}\[\]],?\s*$|^\s{0,80}\"[\w$@ -]{1,80}\"\s?: "
    r"|^\s{0,80}[\w-]{1,60}: [\w\"'#.-]{1,60};$"
)
_COMMENT = re.compile(r"\s{0,80}(?://+|--|/\*+|\*|;{1,2}|<!--)\s{0,8}(.{1,300}?)(?:\*/|-->)?\s*$")
_HASH_COMMENT = re.compile(r"\s{0,80}#+\s{0,8}(.{1,300}?)\s*$")

TABLE = re.compile(r"\s{0,20}\|.{0,2000}\||\s{0,20}[+|][-+=:| ]{3,}$|(?:[^\t\n]{0,200}\t){2,}")
RULE = re.compile(r"\s{0,20}(?:[-=*_~#+─═\s]{3,}|[|+:=-]{3,})\s*$")
DIFF = re.compile(r"(?:diff --git |index [0-9a-f]{6,40}\.\.|--- (?:a/|/dev/null)|\+\+\+ (?:b/|/dev/null)|@@ -\d)")
DIFF_FILE = re.compile(r"(?:diff --git a/\S{1,400} b/|\+\+\+ b/)(\S{1,400})")
BASE64 = re.compile(r"\s{0,8}[A-Za-z0-9+/]{40,}={0,2}\s*$")
PEM = re.compile(r"\s{0,8}-----(?:BEGIN|END) ")

QUOTE = re.compile(r"\s{0,8}(?:>|&gt;|»\s)")
WROTE = re.compile(
    r"\s{0,4}(?:(?:On|Am|El|Le|Em|Op|Il|Vào|في)\b.{3,200}(?:wrote|schrieb|escribió|a écrit|viết|كتب)\b.{0,80}:"
    r"|.{3,120}(?:пишет|писал|писала|написал|написала):"
    r"|.{3,100}(?:写道|寫道|のメール|さんは書きました)[：:]|-{2,} ?(?:Original Message|Ursprüngliche Nachricht"
    r"|Forwarded message|Mensaje original"
    r"|Message d'origine|Исходное сообщение|原始邮件|転送) ?-{2,})\s*$",
    re.IGNORECASE,
)
HEADER = re.compile(
    r"(?:From|To|Cc|Bcc|Sent|Date|Reply-To|Message-ID|MIME-Version|Content-Type|Content-Transfer-Encoding|Received"
    r"|Return-Path|X-[\w-]{1,40}"
    r"|Delivered-To|Importance|List-Unsubscribe|Von|An|Gesendet|Datum|De|Para|Enviado|Fecha|À|Envoyé|От|Кому|Дата"
    r"|发件人|收件人|日期|差出人|宛先): ?\S"
)
SUBJECT = re.compile(
    r"(?:Subject|Betreff|Asunto|Objet|Тема|主题|主旨|件名|Tiêu đề|Chủ đề|الموضوع)\s?[:：] ?(\S.{0,300})", re.IGNORECASE
)
SIGNATURE = re.compile(
    r"\s{0,4}(?:-- $|--$|(?:best|kind|warm|many)?\s?(?:regards|wishes)\b|best\s*,|sincerely|yours (?:truly"
    r"|sincerely|faithfully)|cheers\s*,|sent from my \w+"
    r"|(?:mit (?:freundlichen|besten|lieben|herzlichen) grü(?:ß|ss)en|(?:viele|liebe|beste|freundliche"
    r"|schöne) grü(?:ß|ss)e|vg|lg|mfg)\b|von meinem \w+ gesendet"
    r"|(?:un )?(?:cordial(?:es)? )?saludos?\b|un abrazo|atentamente|cordialement|bien à vous|sincères salutations"
    r"|envoyé de mon"
    r"|с уважением|с наилучшими|отправлено с|trân trọng|thân ái|此致|敬礼|敬禮|祝好|顺祝|敬具|草々"
    r"|مع (?:خالص )?(?:التحية|تحياتي|الشكر)|وتفضلوا)[\s,.!，。،]*",
    re.IGNORECASE,
)
MENTION = re.compile(r"<[@#!&][^>\n]{1,60}>|(?<![\w.])@(?=\w)")
LIST_MARK = re.compile(
    r"\s{0,40}(?:[-*+•·‣▪–]|\(?\d{1,3}[.)]|[a-zA-Z][.)]|\[[ xX]\])\s{1,8}(?:\[[ xX]\]\s)?|\s{0,12}#{1,6}\s{1,8}"
    r"|\s{0,4}[①-⑳]"
)


def is_code(line: str) -> bool:
    """Whether a line is most likely code, though nothing marks it as such."""
    if _CODE.match(line):
        return not _is_said(line)
    return _CODE_END.search(line) is not None and not _is_said(line)


def _is_said(line: str) -> bool:
    """Whether a line that looks like code is a sentence after all."""
    if line.rstrip().endswith(("?", "？", "؟")):
        return True
    if re.search(r"\s--?[A-Za-z]", line):
        return False
    words = re.findall(r"[^\W\d_]{2,}", line)
    marks = len(re.findall(r"[=(){}\[\];<>\"'$|&]", line))
    return len(words) >= 4 and marks * 4 <= len(words) and not re.search(r"[;{}]\s*$", line)


def comment_in(line: str, hashes: bool) -> str:
    """The words of a comment; empty if the line is none.

    Args:
        line: a line of code.
        hashes: whether `#` begins a comment.
    """
    found = _COMMENT.match(line) or (_HASH_COMMENT.match(line) if hashes and not line.startswith("#!") else None)
    return found[1] if found else ""


def log_message(line: str) -> tuple[str, str]:
    """The level and the message of a line of a log."""
    head = _LOG_HEAD.match(line)
    rest = line[head.end() :] if head else line
    level = _LEVEL_HEAD.match(rest)
    word = re.sub(r"\W", "", level[0]) if level else ""
    rest = rest[level.end() :] if level else rest
    return word, re.sub(r"\A(?:\[[^\]\n]{1,60}\] ?|\d{1,8}#\d{1,8}: ?|\*\d{1,8} ?){1,4}", "", rest).strip()
