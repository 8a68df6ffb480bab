"""JSON that is read in small bites: the same values, wherever a bite ends, and no more of them held than needed."""

from __future__ import annotations

import gzip
import io
import json
import random
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hermes_tui.sessions.upkeep import json_stream
from hermes_tui.sessions.upkeep.json_stream import BadJson, JsonStream

SCALARS = (
    st.none() | st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.floats(allow_nan=False, allow_infinity=False)
)
VALUES = st.recursive(
    SCALARS | st.text(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=20
)
SPACES = st.sampled_from(["", " ", "\n", "\r\n", " \t\n\n"])


def stream_of(data: bytes) -> JsonStream:
    """What reads these bytes."""
    return JsonStream(io.BytesIO(data))


@pytest.fixture(params=[1, 3, 7, 64, 1 << 16])
def bites(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """So many bytes are read at once."""
    monkeypatch.setattr(json_stream, "CHUNK_BYTES", request.param)


def read_all(stream: JsonStream) -> list[Any]:
    """Everything that is in it."""
    found = []
    while stream.peek():
        found.append(stream.value())
    return found


def read_object(stream: JsonStream) -> dict[str, Any]:
    """An object, key by key."""
    return {key: stream.value() for key in stream.members()}


@pytest.mark.usefixtures("bites")
@pytest.mark.usefixtures("bites")
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(values=st.lists(VALUES, max_size=4), space=SPACES, ascii=st.booleans())
def test_values_are_the_same_wherever_a_bite_ends(values: list[Any], space: str, ascii: bool) -> None:
    """A message would be broken where a block of the file happens to end."""
    texts = [json.dumps(value, ensure_ascii=ascii, indent=1 if space else None) for value in values]
    stream = stream_of((space + (space or " ").join(texts) + space).encode("utf-8", "surrogatepass"))
    assert read_all(stream) == values


def test_an_object_is_read_key_by_key_and_a_list_one_by_one() -> None:
    """A session would have to be held as a whole."""
    text = ' {"a": 1 , "ü": [ {"x": "]}"}, 2,[] ], "c": [], "d": {}, "e": "end"}\n7'
    stream = stream_of(text.encode())
    found: dict[str, Any] = {}
    for key in stream.members():
        if key in ("ü", "c"):
            found[key] = [stream.value() for _ in stream.elements()]
        elif key == "d":
            stream.skip()
        else:
            found[key] = stream.value()
    assert found == {"a": 1, "ü": [{"x": "]}"}, 2, []], "c": [], "e": "end"}
    assert (stream.value(), stream.peek()) == (7, "")


@pytest.mark.usefixtures("bites")
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16-le", "utf-16-be"])
def test_a_place_can_be_gone_back_to(encoding: str) -> None:
    """What was put away comes after the messages in the file, and before many of them in the conversation."""
    texts = ['{"a": "ü"}', "[1, 2]", '"😀"', "5"]
    data = "\n \n".join(texts).encode(encoding)
    if encoding.startswith("utf-16"):
        data = "\ufeff".encode(encoding) + data
    stream = stream_of(data)
    places = []
    while stream.peek():
        places.append((stream.offset, stream.line))
        stream.value()
    assert [line for _, line in places] == [1, 3, 5, 7]
    for at in (3, 0, 2, 1, 1, 0):
        stream.go_to(*places[at])
        assert (stream.value(), stream.line) == (json.loads(texts[at]), at * 2 + 1)


@pytest.mark.usefixtures("bites")
@pytest.mark.parametrize(
    ("text", "said", "line", "ended"),
    [
        ('{"a": 1', "Expecting ',' delimiter", 1, True),
        ('\n\n{"a": "x', "Unterminated string", 3, True),
        ("", "breaks off", 1, True),
        ('{"a": x, "bcdefghijklmnopqrst": 1}', "Expecting value", 1, False),
        ('{"a":\n "b\nc", "bcdefghijklmnopqrst": 1}', "Invalid control character", 2, False),
        ("[99999999999999999999999]", "64 bits", 1, False),
        ("[" + "9" * 5_000 + "]", "64 bits", 1, False),
        ("[1e999]", "beyond all numbers", 1, False),
        ("[NaN]", "NaN", 1, False),
        ("[-Infinity, 1]", "-Infinity", 1, False),
        ("[" * 100_000, "nest too deeply", 1, False),
        ('{"a":' * 300 + "1" + "}" * 300, "nest too deeply", 1, False),
    ],
)
def test_what_is_no_json_is_said_to_be_none_and_where(text: str, said: str, line: int, ended: bool) -> None:
    """Somebody who mended the file by hand would not find the place; a bomb would end the program."""
    with pytest.raises(BadJson) as caught:
        stream_of(text.encode()).value()
    assert said in str(caught.value)
    assert (caught.value.line, caught.value.ended) == (line, ended)


@pytest.mark.usefixtures("bites")
@pytest.mark.usefixtures("bites")
@pytest.mark.parametrize("text", ["5", '{"a" 1}', '{"a": 1 "b"}', "{5: 1}", '{"a": 1,}', "{", '{"a"'])
def test_an_object_that_is_none_is_not_read_as_one(text: str) -> None:
    """Half of a session would be taken for all of it."""
    stream = stream_of(text.encode())
    with pytest.raises(BadJson):
        read_object(stream)


def test_bytes_that_are_no_text_are_told_with_their_line() -> None:
    """The file would be blamed on the program."""
    stream = stream_of(b'"good"\n"bad \xff"')
    with pytest.raises(BadJson) as caught:
        read_all(stream)
    assert "no UTF-8" in str(caught.value)


def test_a_long_value_is_not_looked_at_over_and_over() -> None:
    """A picture of megabytes would take minutes."""
    data = json.dumps(["x" * 3_000_000, 1]).encode()
    stream, reads = stream_of(data), 0
    read = stream._read

    def counted(size: int) -> bytes:
        nonlocal reads
        reads += 1
        return read(size)

    stream._read = counted  # type: ignore[method-assign]
    assert len(stream.value()[0]) == 3_000_000
    assert reads < 12


def test_of_a_long_file_little_is_held() -> None:
    """A line of hundreds of megabytes would fill the memory."""

    def lines() -> Iterator[bytes]:
        yield b'{"messages": ['
        for number in range(20_000):
            yield b'%s{"content": "%s"}' % (b", " if number else b"", b"x" * 300)
        yield b"]}\n"

    stream = stream_of(b"".join(lines()))
    count = most = 0
    for _ in stream.members():
        for _ in stream.elements():
            stream.value()
            count += 1
            most = max(most, len(stream._text))
    assert count == 20_000
    assert most < 1_000_000


def test_what_is_whole_before_a_packed_file_breaks_off_can_be_read() -> None:
    """After a power cut nothing of what deleting kept could be brought back."""
    good = gzip.compress(b'{"a": "' + b"x" * 5_000 + b'"}\n')
    numbers = random.Random(1).choices(range(10**9), k=5_000)
    broken = gzip.compress(json.dumps(numbers).encode())
    for tail in (broken[:30], broken[:-20] + b"damaged", b"\0" * 50 + b"garbage"):
        stream = JsonStream(gzip.GzipFile(fileobj=io.BytesIO(good * 3 + tail)))
        for _ in range(3):
            assert len(stream.value()["a"]) == 5_000
        with pytest.raises(BadJson) as caught:
            stream.value()
        assert caught.value.ended
