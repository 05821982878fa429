"""Blocks: what would be left in the text as it is must stop the build."""

import pytest

from tests.markdown.convert import convert, refused


def test_an_unknown_block_is_refused() -> None:
    refused("text\n\n/// figur | x\n///", 3, "figure", "strip", "got 'figur'")


def test_a_block_that_does_not_close_is_refused() -> None:
    refused("/// strip | 02\n///\n\n/// figure | x\ncaption", 4, "closes", "///")


@pytest.mark.parametrize("block", ["figure", "demo", "strip"])
def test_a_block_without_its_name_is_refused(block: str) -> None:
    refused(f"text\n\n/// {block}\n///", 3, f"wanted /// {block} | ", "nothing")


@pytest.mark.parametrize("block", ["course", "glossary"])
def test_a_block_with_a_name_too_many_is_refused(block: str) -> None:
    refused(f"/// {block} | 02\n///", 1, f"wanted /// {block}; got '02'")


@pytest.mark.parametrize("block", ["strip | 02", "course", "glossary", "demo | stepper"])
def test_a_block_without_a_body_refuses_one(block: str) -> None:
    refused(f"/// {block}\ntext\n///", 1, "wanted nothing between", "'text'")


def test_an_indented_body_is_refused() -> None:
    refused("/// figure | lookup-flow\n    caption\n///", 2, "move it left")


def test_a_block_stands_in_folded_text() -> None:
    html = convert('??? hint "H"\n    text\n\n    /// strip | 02\n    ///\n')
    assert '<nav aria-label="The twelve lessons" class="qkv-strip"' in html


def test_blocks_of_others_are_left_to_them() -> None:
    html = convert("//// html | div\n\n/// html | section\ntext\n///\n\n////")
    assert html == "<div>\n<section>\n<p>text</p>\n</section>\n</div>"


def test_a_mark_in_a_fence_is_code() -> None:
    assert "/// nosuch" in convert("```text\n/// nosuch\n```")


def test_windows_line_ends_change_nothing() -> None:
    refused("text\r\n\r\n/// figure | nosuch\r\ncaption\r\n///\r\n", 3, "got 'nosuch'")
