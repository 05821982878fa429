"""The one error that a page can raise."""


class PageError(Exception):
    """Something on a page is wrong; the text is `path:line: message`, which editors can follow.

    Parameters
    ----------
    path
        the file to open
    line
        the line in it, from 1
    message
        what was wanted, what came, and what to do

    Examples
    --------
    >>> print(PageError("docs/zh/index.md", 3, "wanted a figure; got none: name one"))
    docs/zh/index.md:3: wanted a figure; got none: name one
    """

    def __init__(self, path: str, line: int, message: str) -> None:
        super().__init__(path, line, message)
        self.path = path
        self.line = line
        self.message = message

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.message}"
