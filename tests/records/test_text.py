"""The text layer as a whole: files in and out, lines, and the sanitisers."""

import os
import stat
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.records.errors import InputError
from fairtrial.records.text import decode_text, file_name, loads, read_text, split_lines, terminal_safe, utf8, write_text, xml_safe

ANY_TEXT = st.text(st.characters(codec=None, exclude_categories=()))


def test_a_byte_order_mark_is_dropped_and_chinese_text_stays_intact(shared: Path) -> None:
    text = read_text(shared / "known-faults/inputs/L01_bom.csv")
    assert text.startswith("id,question")
    assert "3200.00" in text
    assert "应还" in text


def test_utf16_is_one_error_that_names_file_encoding_and_conversion(shared: Path) -> None:
    path = shared / "known-faults/inputs/L02_utf16.csv"
    with pytest.raises(InputError) as caught:
        read_text(path)
    assert str(path) in str(caught.value)
    assert "UTF-16" in str(caught.value)
    assert "iconv -f UTF-16" in str(caught.value)


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-32"])
def test_wide_encodings_are_named_even_without_a_mark(encoding: str) -> None:
    with pytest.raises(InputError, match=r"UTF-(16|32)"):
        decode_text('{"id": "a", "task": "x"}'.encode(encoding), "f")


def test_invalid_bytes_are_refused_with_line_and_offset() -> None:
    with pytest.raises(InputError, match=r"(?s)cases.jsonl:2: not UTF-8: the byte 0xff at offset 6.*iconv"):
        decode_text(b"abc\nde\xff\n", "cases.jsonl")


def test_the_offset_of_an_invalid_byte_counts_the_mark_at_the_start() -> None:
    with pytest.raises(InputError, match="offset 4"):
        decode_text(b"\xef\xbb\xbfa\xff", "f")


@pytest.mark.parametrize("name", ["missing.jsonl", "", "a\0b"])
def test_a_file_that_cannot_be_read_is_an_input_error(tmp_path: Path, name: str) -> None:
    with pytest.raises(InputError):
        read_text(f"{tmp_path}/{name}")


def test_only_lf_ends_a_line_and_one_cr_before_it_is_dropped() -> None:
    text = "a\u2028b\x0bc\x0cd\x85e\r\nf\rg\r\r\n\nh"
    assert split_lines(text) == ["a\u2028b\x0bc\x0cd\x85e", "f\rg\r", "", "h"]
    assert split_lines("") == []
    assert split_lines("a\n") == ["a"]


@given(ANY_TEXT)
def test_whatever_is_written_is_valid_utf8(text: str) -> None:
    utf8(text).decode("utf-8")


@given(ANY_TEXT)
def test_whatever_becomes_xml_is_read_by_an_independent_parser(text: str) -> None:
    element = ElementTree.Element("m")
    element.text = xml_safe(text)
    again = ElementTree.fromstring(ElementTree.tostring(element, encoding="utf-8")).text or ""  # noqa: S314 - our own text
    assert again == xml_safe(text).replace("\r\n", "\n").replace("\r", "\n")


def test_control_characters_of_the_known_fault_stay_visible_in_xml(shared: Path) -> None:
    lines = split_lines(read_text(shared / "known-faults/inputs/V03_control_chars.jsonl"))
    message = xml_safe(loads(lines[0])["message"])
    assert message == "expected 200 \\x1b[31mred\\x1b[0m \\x12 \\ufffe \\ud800 ok"


@given(ANY_TEXT)
def test_nothing_that_steers_a_terminal_is_left(text: str) -> None:
    safe = terminal_safe(text)
    assert not [c for c in safe if (ord(c) < 32 and c not in "\t\n") or 0x7F <= ord(c) < 0xA0 or 0xD800 <= ord(c) < 0xE000]
    assert len(terminal_safe(text, one_line=True).splitlines()) <= 1


def test_control_characters_are_made_visible_for_the_terminal() -> None:
    assert terminal_safe("\x1b[31mred\u202e 应\tok\n") == "\\x1b[31mred\\u202e 应\tok\n"
    assert terminal_safe("a\nb\tc", one_line=True) == "a\\nb\\tc"


@pytest.mark.parametrize("sign", "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
def test_no_direction_mark_reaches_a_reader_of_xml_or_a_terminal(sign: str) -> None:
    for safe in (xml_safe, terminal_safe):
        assert safe(f"a{sign}b") == f"a\\u{ord(sign):04x}b"


def test_a_file_is_replaced_whole_and_no_draft_is_left(tmp_path: Path) -> None:
    path = tmp_path / "out.txt"
    write_text(path, "one\n")
    path.chmod(0o640)
    write_text(path, "two\r\n\ud800应")
    assert path.read_bytes() == "two\r\n\ufffd应".encode()
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert os.listdir(tmp_path) == ["out.txt"]


def test_writing_through_a_link_keeps_the_link(tmp_path: Path) -> None:
    (tmp_path / "real").write_text("old")
    (tmp_path / "link").symlink_to(tmp_path / "real")
    write_text(tmp_path / "link", "new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_text() == "new"


def test_a_place_that_cannot_be_written_is_an_error_and_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="No such file"):
        write_text(tmp_path / "no" / "such" / "folder", "x")
    assert os.listdir(tmp_path) == []


def test_hostile_ids_become_names_that_no_file_system_mixes_up(shared: Path) -> None:
    lines = split_lines(read_text(shared / "known-faults/inputs/L18_ids_as_names.jsonl"))
    names = [file_name(loads(line)["id"]) for line in lines]
    assert len({name.casefold() for name in names}) == 11
    assert all(set(name) <= set("abcdefghijklmnopqrstuvwxyz0123456789-") and 0 < len(name) < 64 for name in names)


@given(ANY_TEXT, ANY_TEXT)
def test_two_texts_never_share_a_file_name(one: str, two: str) -> None:
    assert (file_name(one) == file_name(two)) == (one == two)
