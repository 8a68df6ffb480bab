"""Titles of conversations that nobody has named, out of the first thing a person said."""

from __future__ import annotations

from collections import Counter

import pytest

from hermes_tui.redaction import redact
from hermes_tui.sessions.titles import clean_preview, derive_title
from tests.sessions.title_rules import first_messages

KEY = "sk-proj-Ab3dEf6hIj9kLmN2pQr5tUvW8xYz"


def test_first_messages_in_nine_languages_get_the_titles_that_a_reader_accepts() -> None:
    """A list of a thousand conversations would have to be read message by message."""
    got = {message.text: derive_title(message.text) for message in first_messages()}
    wrong = {m.text: (m.title, got[m.text]) for m in first_messages() if got[m.text] != m.title}
    assert not wrong


def test_the_file_of_first_messages_is_as_wide_as_it_claims_to_be() -> None:
    """Rules that hold for one language only would look as if they held for all."""
    messages = first_messages()
    counts = Counter(message.lang for message in messages)
    assert len({message.text for message in messages}) == len(messages) >= 300
    assert set(counts) == {"en", "de", "es", "fr", "ru", "zh", "ja", "vi", "ar", "mixed"}
    assert min(counts.values()) >= 33


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("[System note: Your previous turn was interrupted.]\n\nRotate the nginx logs", "Rotate the nginx logs"),
        (
            "<system-reminder>\nToday is Monday.\n</system-reminder>\nBook a dentist appointment",
            "Book a dentist appointment",
        ),
        ("<task>Fix the login page</task>", "Fix the login page"),
        (
            '[Replying to your previous message: "Use [this] one"]\n\nMove the meeting to Friday',
            "Move the meeting to Friday",
        ),
        ("[Voice] Remind me to buy stamps", "Remind me to buy stamps"),
        ("[voice message could not be transcribed]\n\nWater the tomato plants", "Water the tomato plants"),
        ("[The user sent a document: 'plan.pdf'. It is saved at: /tmp/x.]\n\nSummarize the plan", "Summarize the plan"),
        (
            "[Thread context — prior messages:]\n[Bob] hi\n[End of thread context]\n\nWeekly sales report",
            "Weekly sales report",
        ),
        ("[Content of notes.txt]:\nmilk\neggs\n\nSort this shopping list", "Sort this shopping list"),
        ("[Alice] order more printer paper", "Order more printer paper"),
        ("Fix the header\n\n--- Attached Context ---\n\nclass Header: pass", "Fix the header"),
        ("[Pasted text #1: 80 lines → /tmp/paste.txt] Explain the stack overflow", "Explain the stack overflow"),
        (
            '[IMPORTANT: The "ops" skill is auto-loaded. Follow its instructions for this session.]\n\nDo [this].\n'
            "then run them with the terminal tool using the absolute path.\n\nRestart the mail server",
            "Restart the mail server",
        ),
        ("Review the conversation above and update the skill library. Be active.", ""),
        ("You are running as Hermes' background skill CURATOR. Merge skills.", ""),
        ("[CONTEXT COMPACTION — REFERENCE ONLY] Earlier turns were compacted. Build a rocket.", ""),
        ("(The user sent a message with no text content)", ""),
    ],
)
def test_what_a_program_put_around_the_words_of_a_person_is_no_title(text: str, title: str) -> None:
    """Half of the list would be called "System note"."""
    assert derive_title(text) == title


def test_an_instruction_that_comes_after_a_very_long_skill_is_found() -> None:
    """Each conversation that was begun with a skill would be called by the skill."""
    note = '[IMPORTANT: The user has invoked the "deploy" skill, indicating they want you to follow its instructions.]'
    given = "The user has provided the following instruction alongside the skill invocation: "
    body = "Always check twice. " * 5_000
    assert derive_title(f"{note}\n\n{body}\n\n{given}Ship version two to staging") == "Ship version two to staging"
    assert derive_title(f"{note}\n\n{body}") == "Deploy"


@pytest.mark.parametrize(
    "text",
    [
        f"my key is {KEY} please rotate it",
        f"Rotate {KEY} in the vault",
        f"export OPENAI_API_KEY={KEY} does nothing",
        f"Why is `{KEY}` rejected?",
        f"key:{KEY}，为什么不能用",
        f"config.yaml\n```\napi_key: {KEY}\n```",
        f"https://user:{KEY}@example.com/path fails",
        f"https://example.com/login?token={KEY}",
        f"the vault rejects {redact(KEY)} since monday",
        f"Bearer {KEY}",
        f"ValueError: bad key {KEY}",
    ],
)
def test_no_piece_of_a_secret_gets_into_a_title(text: str) -> None:
    """A title is shown in lists, on other machines and in chats."""
    title = derive_title(text)
    assert not any(piece in title for piece in (KEY[3:12], KEY[-8:], "sk-", "***", "...", "Ab3d"))


@pytest.mark.parametrize(
    ("text", "secret", "title"),
    [
        ("my key is " + KEY + " please rotate it", KEY, "Rotate my key"),
        (
            "my wifi password is hunter22, why does the printer not connect?",
            "hunter22",
            "Why does the printer not connect",
        ),
        ("mein Passwort lautet Geheim123! und ich komme nicht rein", "Geheim", "Ich komme nicht rein"),
        ("mi contraseña es perro99x y no puedo entrar", "perro", "No puedo entrar"),
        ("mon mot de passe est chat77zz, comment le changer ?", "chat77", "Comment le changer"),
        ("мой пароль qwerty123, почему не пускает на сайт?", "qwerty", "Почему не пускает на сайт"),
        ("我的密码是abc12345，为什么登录不上去", "abc1", "为什么登录不上去"),
        ("パスワードはhimitsu99です。ログインできません。", "himitsu", "ログインできません"),
        ("the password for the router is admin1234, can you log in and check the wifi", "admin1234", ""),
        ("log into the box with sshpass -p Winter2024 ssh root@10.0.0.5 and check disk", "Winter", ""),
        ("run curl -u alice:s3cretPass https://x.example.com/api and tell me what fails", "s3cret", ""),
        ('my secret is "blue horse battery" please remember it', "horse", ""),
        ("pw: Sommer2023! kannst du dich einloggen und schauen", "Sommer", ""),
        ("aws secret access key wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY list my buckets", "wJal", "List my buckets"),
        ("mysql -uroot -p'Hunter2!' shows nothing", "Hunter", ""),
        ("docker login -u bob -p tr0ub4dor registry.local fails with 401", "tr0ub", ""),
        ("my wifi password is correct-horse-battery-staple, why can't I connect", "horse", "Why can't I connect"),
        ("login: bob / hunter22 please check the mailbox", "hunter22", ""),
        ("user: admin pass: Adm1nPass check the router", "Adm1n", ""),
        ("otp code 482913 enter it please", "482913", ""),
        ("cvv 123 and exp 12/27 book the flight", "123", ""),
        ("seed phrase is apple banana cherry dog eagle frog grape hat ink jar kite lamp, store it", "banana", ""),
        ("ssh key passphrase is 'my dog rex' can you add it to agent", "rex", ""),
        ("пароль от роутера qwerty12, проверь вайфай", "qwerty", "Проверь вайфай"),
        ("auth header is Basic dXNlcjpwYXNz, why 401", "dXNl", ""),
    ],
)
def test_a_password_that_is_said_in_a_sentence_is_left_out(text: str, secret: str, title: str) -> None:
    """People tell the agent their passwords in plain words."""
    assert derive_title(text) == title or not title
    assert secret not in derive_title(text)


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("reset the password for user john on server2", "Reset the password for user john on server2"),
        ("How does token bucket rate limiting work?", "How does token bucket rate limiting work"),
        ("What is the secret to good pasta?", "What is the secret to good pasta"),
        ("Explain public key cryptography in 5 minutes", "Explain public key cryptography in 5 minutes"),
    ],
)
def test_what_only_speaks_of_passwords_and_keys_stays(text: str, title: str) -> None:
    """Half of what people ask about would have no title."""
    assert derive_title(text).replace("the ", "") == title.replace("the ", "")


@pytest.mark.parametrize(
    "noise",
    [
        "```python\nimport os\nprint(os.environ)\n```",
        "> On Monday Bob wrote:\n> please deploy",
        "Traceback (most recent call last):\n  File \"a.py\", line 3, in <module>\nKeyError: 'id'",
        "2024-05-01 10:00:00 ERROR [db] connection lost\n2024-05-01 10:00:01 INFO retry",
        "| a | b |\n|---|---|\n| 1 | 2 |",
        '{"name": "shop", "version": "1.0"}',
        "diff --git a/x.py b/x.py\n--- a/x.py\n+++ b/x.py\n@@ -1 +1 @@\n-a\n+b",
        "https://example.com/some/page?x=1",
        "/home/ann/projects/shop/src/main.py",
        "550e8400-e29b-41d4-a716-446655440000",
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAA",
        "ann@example.com",
        "+49 170 1234567",
        "🎉🚀",
        "<div><br/></div>",
        "-- \nAnn Smith\nExample Ltd.",
        "\u200b\u202e\u2066",
    ],
)
@pytest.mark.parametrize(
    ("request_", "title"),
    [
        ("Please fix the failing login tests", "Fix the failing login tests"),
        ("Kannst du mir bitte die Tests für das Modul auth reparieren?", "Tests für das Modul auth reparieren"),
        ("请帮我用Python批量重命名照片", "用Python批量重命名照片"),
        ("Не могли бы вы проверить договор аренды?", "Проверить договор аренды"),
        ("هل يمكنك مساعدتي في كتابة رسالة استقالة قصيرة", "كتابة رسالة استقالة قصيرة"),
        ("肉じゃがのレシピを教えてください", "肉じゃがのレシピ"),
    ],
)
def test_what_was_pasted_below_a_request_does_not_change_its_title(request_: str, title: str, noise: str) -> None:
    """A log under the question would become the name of the conversation."""
    assert derive_title(f"{request_}\n\n{noise}") == title


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("", ""),
        ("   \n\n ", ""),
        ("Hello!", ""),
        ("Hallo zusammen 👋", ""),
        ("Bonjour", ""),
        ("你好！", ""),
        ("السلام عليكم", ""),
        ("🎉🎉🎉", ""),
        ("Hello! Who are you?", "Who are you"),
        ("Привет! Как дела? Посоветуй хороший детектив", "Посоветуй хороший детектив"),
        ("https://github.com/acme/hermes-agent/issues", "github.com hermes-agent issues"),
        ("https://docs.python.org/3/library/asyncio.html", "docs.python.org library asyncio"),
        ("/var/log/nginx/access.log", "access.log"),
        ("C:\\Users\\ann\\Documents\\budget.xlsx", "budget.xlsx"),
        ("```js\n// debounce a function\nconst x = 1\n```", "debounce a function"),
        ("def main_loop(state):\n    while True:\n        pass", "main_loop"),
        ("git push --force origin main", "git push origin main"),
        ("panic: runtime error: index out of range [3] with length 3", "panic: runtime error"),
        ("npm ERR! code ERESOLVE\nnpm ERR! could not resolve", "npm ERR code ERESOLVE"),
        ("ModuleNotFoundError: No module named 'numpy'", "ModuleNotFoundError: No module named numpy"),
    ],
)
def test_a_message_without_a_sentence_is_called_by_what_it_holds(text: str, title: str) -> None:
    """Callers say "untitled" only where there really is nothing to say."""
    assert derive_title(text) == title


@pytest.mark.parametrize(
    ("text", "title"),
    [
        (
            "I have a shop with 3 employees. We sell tea.\nHow do I register a trademark in Norway?",
            "Register a trademark in Norway",
        ),
        ("My laptop crashes every hour. Any ideas?", "Laptop crashes every hour"),
        ("Fix the tests. Also update the docs and the changelog.", "Fix the tests"),
        ("The export is slow. Can you fix it?", "Export is slow"),
        ("Ich habe einen alten Golf. Wie wechsle ich die Zündkerzen?", "Wie wechsle ich die Zündkerzen"),
        ("我有一台旧电脑。怎么安装Linux系统？", "怎么安装Linux系统"),
    ],
)
def test_what_is_asked_for_comes_before_what_is_only_told(text: str, title: str) -> None:
    """The name would be about the shop, and not about the trademark."""
    assert derive_title(text) == title


def test_a_preview_is_one_line_of_what_a_person_said() -> None:
    """The list would show what the program put before it."""
    assert clean_preview("[System note: resumed]\n\nHello\n\n  there") == "Hello there"
    assert clean_preview("<memory-context>\nlikes tea\n</memory-context>Hi") == "Hi"
    assert clean_preview("[System: all of it]") == "[System: all of it]"
    assert clean_preview("word " * 100) == ("word " * 100)[:200]
    assert clean_preview("") == ""
