"""What asks for something in a way that nobody hears stops the build; code shows what it likes."""

import pytest

from tests.markdown.convert import convert, refused


@pytest.mark.parametrize(
    "text",
    ["{value: engineer.name", "{Value: engineer.name}", "{ value: engineer.name}",
     "{value: engineer.weight({}) | .2f}", '<p title="{value: engineer.name}">b</p>',
     "<div>\n{value: engineer.name}\n</div>", "a $$q$$ b", "// figure | lookup-flow"],
)  # fmt: skip
@pytest.mark.parametrize("options", [{}, {"terms": True}])
def test_an_ask_that_is_left_stops_the_build(text: str, options: dict[str, bool]) -> None:
    line = 5 + text.startswith("<div>")
    refused(
        f"`{{value: engineer.name}}`\n\ntext {{value: engineer.tokens[1]}}\n\n{text}",
        line,
        "got",
        **options,
    )


@pytest.mark.parametrize("text", ["{value: x", "// figure | x", "a $$q$$ b"])
@pytest.mark.parametrize("code", ["`%s`", "```text\n%s\n```", "text\n\n    %s"])
def test_code_shows_an_ask_as_it_is_written(text: str, code: str) -> None:
    assert text in convert(code % text)
