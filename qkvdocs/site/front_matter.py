"""Front matter that YAML can't read: MkDocs would show it as the page's text, and say nothing."""

import re

import yaml

BLOCK = re.compile(r"---[ \t]*\n(?P<yaml>.*?)^(?:---|\.\.\.)[ \t]*$", re.DOTALL | re.MULTILINE)


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
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 2 if error.problem_mark else 1
        return f"{line}: wanted front matter that YAML can read; got {error.problem}"
    return f"1: wanted front matter with a line for each name; got {type(found).__name__}"
