"""What models say before a title, after one, or in the place of one."""

from __future__ import annotations

import re

_NAMES = (
    r"title|titel|titre|t[íi]tulo|titolo|tytuł|название|заголовок|тема|标题|標題|題名|タイトル|件名|제목"
    r"|tiêu đề|العنوان|عنوان|başlık"
)
_KINDS = "the|a|my|your|short|suggested|proposed|possible|session|chat|conversation|final"
LABEL = re.compile(
    rf"\A(?:(?:{_KINDS})\s+){{0,3}}(?:{_NAMES})(?:\s*[-–]?\s*(?:suggestion|vorschlag|\d{{1,2}}))?"
    r"\s*(?:(?:is|could be|ist|lautet)\s*(?:[:：]|(?=[\"“„«'*]))|[:：=])\s*",
    re.IGNORECASE,
)
"""`Title:`, `The title is`, `标题：`."""

_YES = r"sure|okay|ok|certainly|of course|absolutely|gerne|natürlich|klar|конечно"
_YES_CJK = r"好的|当然|當然|はい|네"
PREAMBLE = re.compile(
    rf"\A(?:(?:{_YES})(?=[,.!:])|(?:{_YES_CJK})(?=[,.!:，。！：、])|here(?:['’]s| is| are)\b|hier ist\b|вот\b"
    r"|voici\b|aquí\b|dưới đây\b|以下|إليك|بالتأكيد)[^:：\n]{0,80}[:：]\s*",
    re.IGNORECASE,
)
"""`Sure! Here is a title:`."""
PREAMBLE_ALONE = re.compile(rf"\A(?:{_YES}|{_YES_CJK})[!.,。！\s]*\Z", re.IGNORECASE)

_REFUSALS = (
    r"i['’]?m (?:sorry|unable|afraid|not able|an ai)|i am (?:sorry|unable|afraid|not able|an ai)",
    r"i (?:can(?:['’]t|not| not)|won['’]t|need more|apologi[sz]e|do(?:n['’]t| not) (?:have|see|know|understand))\b",
    r"sorry[,!]|my apologies|as an? (?:ai|language model)|unfortunately[, ]|how can i (?:help|assist)",
    r"please (?:provide|share|give|paste|tell)|could you (?:please|provide|share)",
    r"(?:the )?(?:user|conversation) (?:is|asks?|asked|wants?|has|does|said|did)\b",
    r"es tut mir leid|tut mir leid|entschuldigung[,!]|leider\b|als (?:ki|sprachmodell)",
    r"ich kann (?:nicht|ihnen|dir|keine)|désolé|je suis désolé|je ne peux|lo siento|no puedo",
    r"извините|простите[,!]|к сожалению|я не могу|как (?:ии|языковая)",
    r"抱歉|对不起|對不起|很抱歉|我无法|我無法|我不能|作为(?:一个)?(?:ai|人工)|申し訳|すみません|ごめん|죄송",
    r"xin lỗi|tôi không thể|rất tiếc|عذر|آسف|أعتذر|لا أستطيع",
)
REFUSAL = re.compile(rf"\A(?:{'|'.join(_REFUSALS)})", re.IGNORECASE)
"""How an answer begins that is about the request, and not about the conversation."""

NO_TITLES = frozenset(
    {
        *("title", "untitled", "new conversation", "new chat", "new session", "conversation", "conversation title"),
        *("chat", "none", "null", "n/a", "na", "nil", "unknown", "no title", "undefined", "ok", "okay", "sure"),
        *("json", "titel", "ohne titel", "unbenannt", "без названия", "无标题", "無標題", "未命名", "無題"),
        *("제목 없음", "không có tiêu đề", "بدون عنوان"),
    }
)
"""What stands where there is no title."""
