"""Files without what only their authors need: a tenth of a page's bytes, a third of a script's."""

import re

BLANK = re.compile(r"<(pre|script|style|textarea)\b.*?</\1>|\s*\n\s*", re.DOTALL)
# Names, operators and punctuation of code, which site.css leaves in the colour of the text.
PLAIN_CODE = re.compile(r'<span class="(?:n|o|ow|p|w)">([^<]*)</span>')
COMMENT_IN_STYLE = re.compile(r"/\*.*?\*/", re.DOTALL)
# Those that have lines of their own; no other is told from a text or a pattern without a parser.
COMMENT_IN_SCRIPT = re.compile(
    r"^[ \t]*(?://.*|/\*[^*/]*(?:\*(?!/)[^*]*)*\*/[ \t]*)\n", re.MULTILINE
)


def compact(html: str) -> str:
    """Return a page without blank space that doubles, or marks of code that nobody sees.

    Examples
    --------
    >>> compact("<p>a\\n\\n   b</p>\\n  <pre>\\n\\n  c</pre>")
    '<p>a\\nb</p>\\n<pre>\\n\\n  c</pre>'
    >>> compact('<pre><span class="n">x</span><span class="mi">1</span></pre>')
    '<pre>x<span class="mi">1</span></pre>'
    """
    unmarked = PLAIN_CODE.sub(r"\1", html)
    return BLANK.sub(lambda found: found[0] if found[1] else "\n", unmarked)


def compact_style(css: str) -> str:
    """Return a style sheet without comments, and with one space for each run of blank space.

    Examples
    --------
    >>> compact_style("/* Cells */\\n.cell :is(td) {\\n  color: red;\\n}\\n")
    '.cell :is(td) { color: red; } '
    """
    return re.sub(r"\s+", " ", COMMENT_IN_STYLE.sub("", css)).lstrip()


def compact_script(script: str) -> str:
    """Return a script without the comments that have lines of their own.

    Examples
    --------
    >>> compact_script("/** Why. */\\nlet a = 1; // one\\n  // It is so.\\n  let b\\n")
    'let a = 1; // one\\n  let b\\n'
    """
    return COMMENT_IN_SCRIPT.sub("", script)
