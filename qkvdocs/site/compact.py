"""Pages without the blank space that templates leave behind: a tenth of a page's bytes."""

import re

BLANK = re.compile(r"<(pre|script|style|textarea)\b.*?</\1>|\s*\n\s*", re.DOTALL)


def compact(html: str) -> str:
    """Return a page with one line break for each run of blank space that has one.

    Examples
    --------
    >>> compact("<p>a\\n\\n   b</p>\\n  <pre>\\n\\n  c</pre>")
    '<p>a\\nb</p>\\n<pre>\\n\\n  c</pre>'
    """
    return BLANK.sub(lambda found: found[0] if found[1] else "\n", html)
