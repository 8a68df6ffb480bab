"""The settings as the agent reads them, with a sentence wherever that is not what the file seems to say."""

from __future__ import annotations

import threading
import time
from itertools import pairwise
from pathlib import Path

import pytest

from hermes_tui.config import ConfigNote, HermesConfig, load_config
from hermes_tui.home import HermesHome


@pytest.fixture
def home(hermes_home: Path) -> HermesHome:
    return HermesHome(hermes_home, "default", "default")


@pytest.fixture
def managed(isolated_machine: Path) -> Path:
    """The administrator's config.yaml; its directory exists."""
    directory = isolated_machine / "managed"
    directory.mkdir()
    return directory / "config.yaml"


def load(home: HermesHome, text: str | bytes, **env: str) -> HermesConfig:
    home.config_path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return load_config(home, {"HERMES_MANAGED_DIR": str(home.path / "none"), **env})


def notes(config: HermesConfig, key: str) -> list[ConfigNote]:
    return [note for note in config.notes if note.key == key]


def test_missing_file_means_the_agents_defaults(home: HermesHome) -> None:
    """A fresh home has limits of 2,200 and 1,375, both stores on, the gate off, and nothing to complain about."""
    config = load_config(home)
    assert (config.state, config.problem, config.notes) == ("missing", "", ())
    assert (config.limit("memory"), config.limit("user")) == (2200, 1375)
    assert config.enabled("memory")
    assert config.enabled("user")
    assert not config.write_approval
    assert config.origin("memory.memory_char_limit") == "default"
    assert not home.config_path.exists()


def test_values_of_the_user_are_taken_over(home: HermesHome) -> None:
    """What is plainly written is what is shown, with where it comes from."""
    config = load(
        home,
        "memory:\n  memory_char_limit: 4000\n  user_char_limit: 900\n  user_profile_enabled: false\n"
        "  write_approval: on\n  provider: ' mem0 '\nskills: {write_approval: yes}\n"
        "security: {redact_secrets: off}\n",
    )
    assert (config.limit("memory"), config.limit("user")) == (4000, 900)
    assert (config.enabled("memory"), config.enabled("user")) == (True, False)
    assert config.write_approval
    assert config.skills_write_approval
    assert (config.provider, config.redact_secrets) == ("mem0", False)
    assert config.origin("memory.memory_char_limit") == "user"
    assert config.origin("memory.memory_enabled") == "default"
    assert config.notes == ()


@pytest.mark.parametrize(
    ("written", "limit"),
    [
        ("'4000'", 4000),
        ("' 4000 '", 4000),
        ("'4_000'", 4000),
        ("4_000", 4000),
        ("'٤٠٠٠'", 4000),
        ("4000.7", 4000),
        ("0x10", 16),
        ("1:30", 90),
        ("true", 1),
        ("false", 0),
        ("0", 0),
        ("-5", -5),
        ("null", 2200),
        ("4e3", 2200),
        ("abc", 2200),
        ("[]", 2200),
        ("{}", 2200),
        (".inf", 2200),
        (".nan", 2200),
        ("99999999999999999999", 99999999999999999999),
        ("'" + "9" * 5000 + "'", 2200),
    ],
)
def test_limits_are_cast_as_the_agent_casts_them(home: HermesHome, written: str, limit: int) -> None:
    """The bar shows the limit the agent's own store would use (each value was run through both lines)."""
    config = load(home, f"memory:\n  memory_char_limit: {written}\n")
    assert config.limit("memory") == limit
    plain = written in ("4_000", "0x10", "1:30", "99999999999999999999")
    assert bool(notes(config, "memory.memory_char_limit")) == (not plain)


def test_quoted_limit_is_explained(home: HermesHome) -> None:
    """Quoting the number lets every addition of a running agent fail; the note says why and what to write."""
    [note] = notes(load(home, "memory: {user_char_limit: '4000'}\n"), "memory.user_char_limit")
    assert (note.value, note.effective) == ("4000", "4000")
    assert "without quotes" in note.message


@pytest.mark.parametrize("written", ["true", "on", "yes", "TRUE", "'on'", "' ON '", "oN", "'true'", "'1'", "approve"])
def test_gate_is_on_for_every_word_the_agent_takes(home: HermesHome, written: str) -> None:
    """Writes that wait for approval are shown as waiting."""
    config = load(home, f"memory:\n  write_approval: {written}\nskills:\n  write_approval: {written}\n")
    assert config.write_approval
    assert config.skills_write_approval
    assert config.notes == ()


@pytest.mark.parametrize("written", ["1", "2", "1.0", "maybe", "stage", "'yes please'", "y", "[1]", "{a: 1}"])
def test_gate_that_only_looks_on_is_off_and_explained(home: HermesHome, written: str) -> None:
    """`write_approval: 1` protects nothing, and the person who wrote it learns that here."""
    config = load(home, f"memory:\n  write_approval: {written}\n")
    assert not config.write_approval
    [note] = notes(config, "memory.write_approval")
    assert note.effective == "false"
    assert "OFF" in note.message
    assert "true" in note.message


@pytest.mark.parametrize("written", ["false", "off", "0", "null", "'off'", "'0'", "n", "''"])
def test_gate_that_is_plainly_off_needs_no_words(home: HermesHome, written: str) -> None:
    """Off that looks off is not worth a note."""
    config = load(home, f"memory:\n  write_approval: {written}\n")
    assert (config.write_approval, config.notes) == (False, ())


@pytest.mark.parametrize(
    ("written", "enabled", "explained"),
    [
        ("0", False, False),
        ("1", True, False),
        ("0.0", False, False),
        ("[]", False, False),
        ("[1]", True, False),
        ("''", False, False),
        ("null", True, True),
        ("'false'", False, True),
        ("'off'", False, True),
        ("'maybe'", False, True),
        ("'true '", True, False),
        ("y", True, False),
    ],
)
def test_store_flags_are_read_as_the_newer_line_does(
    home: HermesHome, written: str, enabled: bool, explained: bool
) -> None:
    """A store that is off says so; where the two lines disagree a note says which is which."""
    config = load(home, f"memory:\n  user_profile_enabled: {written}\n")
    assert config.enabled("user") is enabled
    assert bool(notes(config, "memory.user_profile_enabled")) is explained


@pytest.mark.parametrize("section", ["null", "[]", "x", "3"])
def test_memory_section_without_settings_means_defaults_and_a_warning(home: HermesHome, section: str) -> None:
    """`memory:` left empty does not break the screen."""
    config = load(home, f"memory: {section}\n")
    assert (config.state, config.limit("memory"), config.enabled("memory")) == ("ok", 2200, True)
    [note] = notes(config, "memory")
    assert "defaults" in note.message


@pytest.mark.parametrize("text", ["", "# only a comment\n", "null\n", "---\n"])
def test_empty_files_are_fine(home: HermesHome, text: str) -> None:
    """An emptied config is no error."""
    assert (load(home, text).state, load(home, text).notes) == ("ok", ())


def test_legacy_write_mode_is_shown_with_what_counts(home: HermesHome) -> None:
    """The key of old versions looks like a gate but is none."""
    config = load(home, "memory: {write_mode: approve}\n")
    assert not config.write_approval
    [note] = notes(config, "memory.write_mode")
    assert "memory.write_approval" in note.message
    assert "would write memory.write_approval: true" in note.message
    both = load(home, "memory: {write_mode: 'off', write_approval: true}\n")
    assert both.write_approval
    assert "would write" not in notes(both, "memory.write_mode")[0].message


def test_misplaced_and_misspelt_keys_are_named(home: HermesHome) -> None:
    """A dotted key at the top and a typo are read by nobody; both are pointed out."""
    config = load(home, "memory.write_approval: true\nmemory: {write_aproval: true, char_limit: 3}\n")
    assert not config.write_approval
    assert "under memory:" in notes(config, "memory.write_approval")[0].message
    assert "memory.write_approval?" in notes(config, "memory.write_aproval")[0].message


def test_variables_are_filled_in_from_the_environment(home: HermesHome) -> None:
    """${NAME} in a value is replaced as the agent replaces it; a missing one is named."""
    text = "memory:\n  write_approval: ${GATE}\n  memory_char_limit: ${SIZE}\n"
    config = load(home, text, GATE="true", SIZE="555")
    assert config.write_approval
    assert config.limit("memory") == 555
    config = load(home, text, GATE="true")
    assert config.limit("memory") == 2200
    assert any("SIZE is not set" in note.message for note in notes(config, "memory.memory_char_limit"))


def test_variables_of_the_homes_env_file_come_before_those_of_the_shell(home: HermesHome) -> None:
    """The gate would be shown as off, and what a program adds written at once, while the agent's is on."""
    (home.path / ".env").write_text("GATE=on\nHERMES_REDACT_SECRETS=false\n")
    config = load(home, "memory:\n  write_approval: ${GATE}\n", GATE="off", HERMES_REDACT_SECRETS="true")
    assert (config.write_approval, config.redact_secrets, config.notes[-1].key) == (
        *(True, False),
        "security.redact_secrets",
    )
    (home.path / ".env").write_text("OTHER=on\n")
    assert load(home, "{}\n", HERMES_REDACT_SECRETS="0").redact_secrets is False


@pytest.mark.parametrize("written", ["${env:GATE}", "${ GATE }", "${env: GATE}"])
def test_a_variable_as_only_the_newer_agent_writes_it_is_filled_in_and_said(home: HermesHome, written: str) -> None:
    """A program would write past the gate of a 0.22 agent; one of 0.19 takes it for a word."""
    config = load(home, f"memory:\n  write_approval: '{written}'\n", GATE="on")
    assert config.write_approval
    assert "0.22" in notes(config, "memory.write_approval")[0].message
    assert not load(home, "memory:\n  write_approval: ${ENV:GATE}\n", GATE="on").write_approval


@pytest.mark.parametrize("written", ["1e3", "1E3", "1.0e3", "1e+3", "12e03", ".5e4"])
def test_a_number_with_an_exponent_is_one_for_the_newer_agent_alone(home: HermesHome, written: str) -> None:
    """A person would look for the mistake in a limit that one agent takes and the other does not."""
    config = load(home, f"memory:\n  memory_char_limit: {written}\n")
    assert config.limit("memory") == 2200
    assert f"0.22 count {written}" in notes(config, "memory.memory_char_limit")[0].message


@pytest.mark.parametrize(
    "tangled",
    [
        "agent:\n  personalities: &p\n    self: *p\n",
        "agent: &p [1, [2, *p]]\n",
        "agent: &p\n  a: {b: *p}\n",
        f"agent: {'[' * 420}{']' * 420}\n",
        f"agent: {'{a: ' * 420}1{'}' * 420}\n",
    ],
)
def test_what_the_agent_cannot_walk_through_is_no_settings(home: HermesHome, tangled: str) -> None:
    """The gate would be shown as on while the agent, on its defaults, writes without asking."""
    config = load(home, f"{tangled}memory:\n  write_approval: true\n")
    assert (config.state, config.write_approval) == ("invalid", False)
    assert "write approval is OFF" in config.notes[0].message


def test_an_alias_that_is_used_twice_is_no_tangle(home: HermesHome) -> None:
    """A file that the agent reads well would be called broken."""
    config = load(home, "a: &p {x: [1]}\nb: [*p, *p, {c: *p}]\nmemory:\n  write_approval: true\n")
    assert (config.state, config.write_approval) == ("ok", True)


@pytest.mark.parametrize(
    ("written", "on"),
    [("null", True), ("true", True), ("1", True), ("0", False), ("'false'", False), ("'no'", False), ("[]", False)],
)
def test_redaction_follows_the_agents_words(home: HermesHome, written: str, on: bool) -> None:
    """Secrets are masked exactly when the agent masks them."""
    assert load(home, f"security: {{redact_secrets: {written}}}\n").redact_secrets is on


def test_redaction_variable_beats_the_file(home: HermesHome) -> None:
    """HERMES_REDACT_SECRETS decides where it is set, and a note says so."""
    config = load(home, "security: {redact_secrets: true}\n", HERMES_REDACT_SECRETS="false")
    assert not config.redact_secrets
    assert "HERMES_REDACT_SECRETS" in notes(config, "security.redact_secrets")[0].message


def test_managed_file_wins_per_key(home: HermesHome, managed: Path) -> None:
    """What the administrator pins is what counts, and the row says where it comes from."""
    home.config_path.write_text("memory: {write_approval: true, memory_char_limit: 3000}\n")
    managed.write_text("memory: {write_approval: false}\n")
    config = load_config(home)
    assert not config.write_approval
    assert config.limit("memory") == 3000
    assert config.origin("memory.write_approval") == "managed"
    assert config.origin("memory.memory_char_limit") == "user"
    assert "administrator" in notes(config, "memory.write_approval")[0].message


def test_managed_file_counts_even_where_the_users_does_not_parse(home: HermesHome, managed: Path) -> None:
    """A pinned gate stays on when the user's file is broken."""
    home.config_path.write_text("a: [\n")
    managed.write_text("memory: {write_approval: 'on', memory_char_limit: '900'}\n")
    config = load_config(home)
    assert (config.state, config.write_approval, config.limit("memory")) == ("invalid", True, 900)
    assert "stays on" in notes(config, "config.yaml")[0].message


def test_managed_section_replaced_emptied_or_broken(home: HermesHome, managed: Path) -> None:
    """Null in the managed file pins nothing, a list wipes the section, a broken file is ignored with a warning."""
    home.config_path.write_text("memory: {write_approval: true}\n")
    managed.write_text("memory: null\n")
    assert load_config(home).write_approval
    managed.write_text("memory: {write_approval: null}\n")
    assert not load_config(home).write_approval
    managed.write_text("memory: []\n")
    assert not load_config(home).write_approval
    managed.write_text("a: [\n")
    config = load_config(home)
    assert config.write_approval
    assert "ignores it" in notes(config, str(managed))[0].message


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("a: [\n", "line 2, column 1"),
        ("memory:\n\twrite_approval: true\n", "line 2, column 1"),
        ("memory: {write_approval: true}\n---\nmemory: {}\n", "line 2, column 1"),
        ("a: 1\nmemory: {x: !foo 1}\n", "line 2, column 13"),
        ("a: 1\nb: 2020-13-45\n", "line 2, column 4"),
        ("- a\n- b\n", "line 1, column 1"),
        ("just text\n", "line 1, column 1"),
        ("x: " + "9" * 200, "line 1, column 4"),
        ("x: 1" + ":1" * 100_000, "line 1, column 4"),
        (b"memory: {}\nx: \xff\n", "line 2, column 4"),
        (b"\xff\xfem\x00", "line 1, column 1"),
        ("a: 1\nb: \x00\n", "line 2, column 4"),
        ("a: 1\nb: *nope\n", "line 2, column 4"),
        ("[" * 50_000, "line 1"),
        ("- " * 50_000, "line 1"),
        ("? " * 50_000, "line 1"),
    ],
    ids=range(16),
)
def test_file_that_does_not_parse_is_reported_with_its_place(home: HermesHome, text: str | bytes, place: str) -> None:
    """The person sees where it breaks, that defaults are in force, and that the gate is off."""
    config = load(home, text)
    before = home.config_path.read_bytes()
    assert config.state == "invalid"
    assert config.problem.startswith(f"config.yaml does not parse: {place}")
    assert "\n" not in config.problem
    assert (config.write_approval, config.limit("memory")) == (False, 2200)
    message = notes(config, "config.yaml")[0].message
    assert "defaults" in message
    assert "write approval is OFF" in message
    assert home.config_path.read_bytes() == before


def test_byte_order_mark_is_no_obstacle(home: HermesHome) -> None:
    """Both lines of the agent read a file saved with a byte order mark."""
    assert load(home, b"\xef\xbb\xbfmemory: {write_approval: true}\n").write_approval


@pytest.mark.parametrize(
    "text",
    [
        "memory: {write_approval: true}\nmemory: {memory_char_limit: 5}\n",
        "memory:\n  write_approval: true\n  write_approval: false\n",
        "x: {a: 1, a: 2}\n",
    ],
)
def test_key_given_twice_is_pointed_out(home: HermesHome, text: str) -> None:
    """Such a file is read by one line of the agent and refused by the other, which then has no gate."""
    config = load(home, text)
    assert config.state == "ok"
    assert "given twice" in config.notes[0].message


def test_anchors_and_merges_work(home: HermesHome) -> None:
    """YAML that shares a block between sections is read like any other."""
    config = load(home, "base: &b {write_approval: true}\nmemory:\n  <<: *b\nskills: *b\n")
    assert config.write_approval
    assert config.skills_write_approval
    assert config.notes == ()


def test_alias_bombs_cost_nothing(home: HermesHome) -> None:
    """A few lines that would unfold to billions of values are read in a blink or refused."""
    letters = "abcdefghijklmnopqrst"
    lists = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
        f"{b}: &{b} [{', '.join([f'*{a}'] * 9)}]\n" for a, b in pairwise(letters)
    )
    keys = ", ".join(f"k{i}: {i}" for i in range(400))
    merges = f"m0: &m0 {{{keys}}}\n" + "".join(f"m{i}: &m{i}\n  <<: [*m{i - 1}]\n  x{i}: 1\n" for i in range(1, 1000))
    started = time.thread_time()
    assert load(home, lists + "memory: {write_approval: true}\n").write_approval
    assert "merges" in load(home, merges).problem
    assert load(home, "memory: &m {x: *m}\n").state == "invalid"
    assert load(home, "memory: &m {<<: *m}\n").state in ("ok", "invalid")
    assert time.thread_time() - started < 5


def test_deep_nesting_is_harmless_in_a_worker_thread(home: HermesHome) -> None:
    """Threads have small stacks; a nested file must not take the program down there."""
    home.config_path.write_text("x: " + "[" * 990 + "]" * 990 + "\n")
    seen: list[str] = []
    thread = threading.Thread(target=lambda: seen.append(load_config(home).state))
    thread.start()
    thread.join()
    assert seen
    assert seen[0] in ("ok", "invalid")


def test_oversized_file_is_not_read(home: HermesHome) -> None:
    """Two megabytes are no settings file."""
    config = load(home, b"#" * (2 * 1024 * 1024))
    assert config.state == "invalid"
    assert "1,024 KiB" in config.problem


def test_directory_or_closed_file_in_its_place_is_a_sentence(home: HermesHome) -> None:
    """What cannot be read is shown as such and stays as it is."""
    home.config_path.mkdir()
    config = load_config(home)
    assert config.state == "unreadable"
    assert "directory" in config.problem
    assert "OFF" in config.notes[0].message
    home.config_path.rmdir()
    home.config_path.symlink_to("config.yaml")
    assert load_config(home).state == "unreadable"


def test_nasty_text_stays_data(home: HermesHome) -> None:
    """Markup and escapes in values come through as they are; nothing interprets them."""
    config = load(home, 'memory: {provider: "[red]\\e]0;x\\a", write_approval: "[b]on"}\n')
    assert config.provider == "[red]\x1b]0;x\x07"
    assert not config.write_approval


@pytest.mark.parametrize("char", ["\x00", "\x07", "\x1b", "\x7f", "\x9b", "\ufffe"])
def test_a_control_character_is_named_by_its_number(home: HermesHome, char: str) -> None:
    """A stray escape in config.yaml would end every command with a traceback."""
    config = load(home, f"# {char}\nmemory: {{}}\n".encode())
    assert config.state == "invalid"
    assert f"U+{ord(char):04X}" in config.problem
