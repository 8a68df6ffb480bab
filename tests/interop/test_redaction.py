"""Our masking beside that of the real agents: the same output for samples of every class, but for what is listed."""

from __future__ import annotations

import json
import random
import string
import subprocess
from pathlib import Path

import pytest

from hermes_tui.redaction import redact
from tests.interop.conftest import environment, python_of

DRIVER = Path(__file__).with_name("peers") / "drive_redact.py"
SAMPLES_OF_EACH = 12
ALPHABETS = {"alnum": string.ascii_letters + string.digits, "digits": string.digits, "caps": string.ascii_uppercase}

BOTH_LINES = """
sk-{alnum:10-60}
sk-proj-{alnum:20-60}
ghp_{alnum:10-40} gho_{alnum:10-40} ghu_{alnum:10-40} ghs_{alnum:10-40} ghr_{alnum:10-40}
github_pat_{alnum:10-60}
xoxb-{digits:10-12}-{alnum:10-24} xapp-1-{alnum:10-40}
AIza{alnum:30-40} AKIA{caps:16-16}
sk_live_{alnum:10-30} sk_test_{alnum:10-30} rk_live_{alnum:10-30}
SG.{alnum:10-40} hf_{alnum:10-40} r8_{alnum:10-40} npm_{alnum:10-40} pypi-{alnum:10-40}
dop_v1_{alnum:10-40} doo_v1_{alnum:10-40} pplx-{alnum:10-40} fal_{alnum:10-40} fc-{alnum:10-40}
bb_live_{alnum:10-40} gAAAA{alnum:20-60} tvly-{alnum:10-40} exa_{alnum:10-40} gsk_{alnum:10-40}
syt_{alnum:10-40} xai-{alnum:30-60} ntn_{alnum:10-40} fw_{alnum:30-40} fpk_{alnum:30-40}
retaindb_{alnum:10-40} hsk-{alnum:10-40} mem0_{alnum:10-40} brv_{alnum:10-40} am_{alnum:20-40}
(sk-{alnum:20-40}), "ghp_{alnum:20-40}".
MY_PASSWORD={alnum:6-40}
DB_PASSWD={alnum:6-17} next
X_API_KEY={alnum:6-40}
APP_SECRET='{alnum:6-40}'
export MY_CREDENTIALS={alnum:6-40}
db.password={alnum:6-17}
app.secret={alnum:6-40}
secret={alnum:6-40}
OPENAI_API_KEY=sk-{alnum:20-40}
api_key: sk-{alnum:20-40}
{"api_key": "{alnum:6-40}", "name": "bob"}
{"password": "{alnum:6-40}", "secret": "{alnum:6-40}"}
{"access_token": "{alnum:6-40}"} {"refresh_token": "{alnum:6-40}"} {"token": "{alnum:24-40}"}
password: {alnum:6-40}
  api_key: {alnum:6-40}
secret: {alnum:6-40}
client_secret: {alnum:6-40}
Authorization: Bearer {alnum:6-40}
authorization: Basic {alnum:6-40}
Authorization: {alnum:6-40}
Authorization: Bearer sk-{alnum:20-40}
curl -H 'Authorization: Bearer {alnum:6-40}' x
x-api-key: {alnum:6-40}
api-key: {alnum:6-17} x
GET / x-auth-token: {alnum:6-17} x
{digits:8-10}:{alnum:30-40}
bot{digits:8-10}:{alnum:35-35}
-----BEGIN RSA PRIVATE KEY-----\\n{alnum:60-60}\\n{alnum:10-10}==\\n-----END RSA PRIVATE KEY-----
a -----BEGIN PRIVATE KEY-----\\n{alnum:64-64}\\n-----END PRIVATE KEY----- b
postgres://user:{alnum:3-30}@host/db mysql://user:{alnum:3-30}@host redis://user:{alnum:3-30}@host:1/0
mongodb://user:{alnum:3-30}@host mongodb+srv://user:{alnum:3-30}@host amqp://user:{alnum:3-30}@host
https://{alnum:8-40}@github.com/x
eyJ{alnum:20-40}.eyJ{alnum:20-40}.{alnum:20-40}
eyJ{alnum:20-40}
a=1&password={alnum:6-40}&b=2
password={alnum:6-40}&b=2
token={alnum:6-40}&client_secret={alnum:6-40}
+1{digits:5-14} and call +4{digits:6-13}.
my password is {alnum:6-12}
token = "{alnum:6-12}"
bob{digits:2-2}@example.com
mysql://home/{alnum:3-30}@host
disk-{alnum:10-20}
KEYBOARD={alnum:6-12}
""".strip()
"""Where both lines of the agent and we agree; braces stand for random characters, so many at least and at most."""

DIFFERENT = [
    # text, ours, 0.19, 0.22; "" where the agent leaves it as it is
    ("max_tokens: 100", "max_tokens: 100", "max_tokens: ***", ""),
    ("MAX_TOKENS=4096", "MAX_TOKENS=4096", "MAX_TOKENS=***", ""),
    ("https://user:pw@host/x", "https://user:***@host/x", "", ""),
    ("https://x.io/cb?token=abc", "https://x.io/cb?token=***", "", ""),
    ("POST /hook?password=abc HTTP/1.1", "POST /hook?password=*** HTTP/1.1", "", ""),
    ("postgres://user:p@ss@host/db", "postgres://user:***@host/db", *["postgres://user:***@ss@host/db"] * 2),
    ("redis://:hunter2@host", "redis://:***@host", "", ""),
    ('{"password":"x"}', '{"password":"***"}', *['{"password": "***"}'] * 2),
    (r'{"password": "a\"b"}', '{"password": "***"}', *['{"password": "***"b"}'] * 2),
    ("{'token': 'abc'}", "{'token': '***'}", "", "{'token': '***'}"),
    ('MY_PASSWORD="hunter 2"', 'MY_PASSWORD="***"', *['MY_PASSWORD=*** 2"'] * 2),
    ('password: "hunter2"', 'password: "***"', "", ""),
    ("MY_PASSWORD = hunter2", "MY_PASSWORD = ***", *["MY_PASSWORD=***"] * 2),
    ("-H 'x-api-key: abc' x", "-H 'x-api-key: ***' x", *["-H 'x-api-key: *** x"] * 2),
    ("run password=hunter2", "run password=***", "", ""),
    ("api_key=$API_KEY", "api_key=$API_KEY", "api_key=***", ""),
    ("api_key: none", "api_key: none", *["api_key: ***"] * 2),
    ("secret=<token>", "secret=<token>", *["secret=***"] * 2),
    ("private_key: hunter2", "private_key: ***", "", ""),
    ("TOKEN=abcdef", "TOKEN=***", "TOKEN=***", ""),
    ("token: a1b2c3", "token: ***", "token: ***", ""),
    ("a=1&password=", "a=1&password=", *["a=1&password=***"] * 2),
    ("ghp_abcdefghij0123456789-x", "ghp_ab...89-x", "", ""),
]
"""Where we differ on purpose: less that only sounds secret is hidden, and less of a secret is left to see."""


def filled(template: str, rng: random.Random) -> str:
    """A template with its braces filled."""
    pieces = template.replace("\\n", "\n").split("{")
    out = [pieces[0]]
    for piece in pieces[1:]:
        field, closed, rest = piece.partition("}")
        name, _, span = field.partition(":")
        if not closed or name not in ALPHABETS:
            out.append("{" + piece)
            continue
        least, most = map(int, span.split("-"))
        out.append("".join(rng.choices(ALPHABETS[name], k=rng.randint(least, most))) + rest)
    return "".join(out)


def masked_by(line: str, texts: list[str], user_home: Path) -> list[str]:
    """Each text as an agent of this line masks it."""
    home = user_home / f"home{line}"
    home.mkdir(exist_ok=True)
    ran = subprocess.run(
        [python_of(line), str(DRIVER)],
        input="".join(json.dumps(text) + "\n" for text in texts),
        env=environment(user_home, home),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    return [json.loads(answer)["masked"] for answer in ran.stdout.splitlines() if answer.startswith("{")]


@pytest.mark.parametrize("line", ["0.19", "0.22"])
def test_samples_of_every_class_are_masked_as_the_agent_does(line: str, isolated_machine: Path) -> None:
    """A log of the agent and our view of it would hide different things."""
    rng = random.Random(20_260_201)
    texts = [filled(template, rng) for template in BOTH_LINES.splitlines() for _ in range(SAMPLES_OF_EACH)]
    for text, theirs in zip(texts, masked_by(line, texts, isolated_machine), strict=True):
        assert redact(text) == theirs, text


@pytest.mark.parametrize("line", ["0.19", "0.22"])
def test_the_differences_are_those_that_are_listed(line: str, isolated_machine: Path) -> None:
    """What the documentation says about them would no longer be true."""
    texts = [text for text, *_ in DIFFERENT]
    for row, theirs in zip(DIFFERENT, masked_by(line, texts, isolated_machine), strict=True):
        text, ours, *agents = row
        assert redact(text) == ours
        assert theirs == (agents[line == "0.22"] or text)
