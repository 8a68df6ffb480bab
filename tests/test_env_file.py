"""The agent's `.env`: reading it as the agent does, and changing one line of it."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from hermes_tui.env_file import parse_env, read_env, with_variables
from hermes_tui.errors import Refused


def values(path: Path, text: bytes | str, **environ: str) -> dict[str, str]:
    """What a file with this text sets."""
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return read_env(path, ("MEM0_API_KEY", "HONCHO_API_KEY")).values(environ)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A=1\nA=2\n", {"A": "2"}),
        ("export A='q uoted' # why\n", {"A": "q uoted"}),
        ('A="two\\nlines"\n', {"A": "two\nlines"}),
        ("A=a#b\nB=a # b\n", {"A": "a#b", "B": "a"}),
        ("A = spaced \n", {"A": "spaced"}),
        ("A=1\nA\n", {}),
        ("A\nB=\n# C=1\nnot a setting\nD=1", {"B": "", "D": "1"}),
        ("A=1\nB=${A}${OUT}${NONE:-d}\n", {"A": "1", "B": "1outsided"}),
        ("MEM0_API_KEY=kéy\n", {"MEM0_API_KEY": "ky"}),
        ("MEM0_API_KEY=oneHONCHO_API_KEY=two\n", {"MEM0_API_KEY": "one", "HONCHO_API_KEY": "two"}),
        ("MEM0_API_KEY=http://x?HONCHO_API_KEY=two\n", {"MEM0_API_KEY": "http://x?HONCHO_API_KEY=two"}),
        (b"A=\0x\n", {"A": "x"}),
        ("A=1\r\nB=2\r\n", {"A": "1", "B": "2"}),
        ("A=1\nB=2\n".encode("utf-16"), {"A": "1", "B": "2"}),
        (b"\xef\xbb\xbfA=1\nB=2\n", {"\ufeffA": "1", "B": "2"}),
        (b"A=\xe9\n", {"A": "é"}),
    ],
)
def test_a_file_is_read_as_the_agent_reads_it(text: bytes | str, expected: dict[str, str], tmp_path: Path) -> None:
    """A key would be shown as another, or as missing."""
    assert values(tmp_path / ".env", text, OUT="outside") == expected


def test_what_is_wrong_with_a_file_is_said(tmp_path: Path) -> None:
    """A line that counts for nothing would look like one that does."""
    path = tmp_path / ".env"
    path.write_text("A=1\nno setting\nA=2\n")
    assert [words.split(" of ")[0] for words in read_env(path).problems] == [
        "Line 2",
        f"{path} sets A twice; the last one counts.",
    ]
    path.write_bytes(b"\xef\xbb\xbfA=1\n")
    assert "byte order mark" in read_env(path).problems[0]
    path.write_bytes("A=1".encode("utf-32"))
    assert read_env(path).state == "invalid"
    path.write_bytes(b"A=" + b"x" * (1 << 21))
    assert read_env(path).state == "invalid"
    path.unlink()
    path.symlink_to(tmp_path / "nowhere")
    assert "leads nowhere" in read_env(path).problems[0]
    assert read_env(tmp_path).state == "unreadable"


def test_one_variable_is_changed_and_every_other_line_stays() -> None:
    """Comments, order and quotes of a person's file would be lost."""
    before = b"# keys\r\nexport A='1' # mine\r\n\r\nB=\"x\\ny\"\r\nA=2\r\nnonsense here\r\n"
    after = with_variables(before, {"A": "new", "C": "it's # quoted"})
    assert after == (
        b"# keys\r\nexport A='1' # mine\r\n\r\nB=\"x\\ny\"\r\nA=new\r\nnonsense here\r\nC='it\\'s # quoted'\r\n"
    )
    assert with_variables(after, {"A": None, "C": None}) == b'# keys\r\n\r\nB="x\\ny"\r\nnonsense here\r\n'
    assert with_variables(b"A=1", {"B": "2"}) == b"A=1\nB=2\n"
    assert with_variables(b"\xef\xbb\xbfA=1\n", {"A": "2"}) == b"A=2\n", "the mark would hide the line from the agent"


def test_any_change_reads_back_as_meant() -> None:
    """A key with a quote, a space or a # in it would be cut, or swallow the next line."""
    rng = random.Random("env")
    pieces = [
        "A=1\n",
        "B='q'\n",
        "export A = x # c\n",
        "# A=2\n",
        "\n",
        "A\n",
        'B="a\nb"\n',
        "junk line\n",
        "A=",
        "C=x",
    ]
    wanted = ["v", "a b", "a # b", "'", '"q"', "it's \\ fine", "", "#x", "é", "x'y\"z\\", " lead", "$A", "=", None]
    refused = 0
    for _ in range(1500):
        text = "".join(rng.choice(pieces) for _ in range(rng.randint(0, 6)))
        name, value = rng.choice("ABCD"), rng.choice(wanted)
        before = {setting.name: setting.value for setting in parse_env(text)[0]}
        try:
            after = {
                setting.name: setting.value
                for setting in parse_env(with_variables(text.encode(), {name: value}).decode())[0]
            }
        except Refused:
            refused += 1
            continue
        assert {**before, name: value} == {**dict.fromkeys(before), **after, name: after.get(name)}, (text, name, value)
    assert refused < 100


@pytest.mark.parametrize("value", ["two\nlines", "\x1b[31m", "a${B}", "half \ud800"])
def test_a_value_that_would_read_back_as_another_is_refused(value: str) -> None:
    """A key would be written that is not the one that was given."""
    with pytest.raises(Refused):
        with_variables(b"", {"A": value})


def test_a_hostile_file_is_read_at_once() -> None:
    """A file of a megabyte would keep the status for minutes."""
    for text in (
        "'" * 300_000,
        "A='" * 100_000,
        'A="' + '\\"' * 200_000,
        "A=x" + " " * 300_000 + "y",
        "!=\n=\n" * 50_000,
    ):
        parse_env(text)
