"""Front matter that YAML can't read: MkDocs would show it as the page's text, and say nothing."""

import re

import yaml

# As MkDocs finds it.
BLOCK = re.compile(r"---[ \t]*\n(?P<yaml>.*?\n)(?:\.{3}|-{3})[ \t]*\n", re.DOTALL)


def unread_front_matter(markdown: str) -> str | None:
    """Return what is wrong with the front matter that is left in a page's Markdown, if any is.

    Examples
    --------
    >>> unread_front_matter("# Title")
    >>> unread_front_matter("---\\ntitle: [a\\n---\\n# Title")
    "3: wanted front matter that YAML can read; got expected ',' or ']', but got '<stream end>'"
    """
    if not markdown.startswith("---"):
        return None
    block = BLOCK.match(markdown)
    if block is None:
        return "1: wanted front matter between two lines of ---; got no second one: add it"
    try:
        found = yaml.safe_load(block["yaml"])
    except (yaml.YAMLError, ValueError) as error:  # ValueError: a date that doesn't exist
        mark = getattr(error, "problem_mark", None)
        got = getattr(error, "problem", None) or error
        return f"{mark.line + 2 if mark else 1}: wanted front matter that YAML can read; got {got}"
    return f"1: wanted front matter with a line for each name; got {type(found).__name__}"
