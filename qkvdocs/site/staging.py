"""Build a folder beside the one it replaces, so that a failed build leaves the old one whole."""

import shutil
from pathlib import Path


class Staging:
    """A folder to build in, which takes the place of the published one when it is complete."""

    def __init__(self, published: Path) -> None:
        self.published = published
        self.folder = published.with_name(f"{published.name}.building")

    def begin(self) -> None:
        """Make the folder to build in, empty.

        Raises
        ------
        OSError
            If it can't be made here.
        """
        self.clear()
        self.folder.mkdir(parents=True)

    def clear(self) -> None:
        """Remove what an unfinished build left."""
        shutil.rmtree(self.folder, ignore_errors=True)

    def publish(self) -> None:
        """Put the new folder in the place of the old one."""
        replaced = self.published.with_name(f"{self.published.name}.replaced")
        shutil.rmtree(replaced, ignore_errors=True)
        if self.published.exists():
            self.published.rename(replaced)
        self.folder.rename(self.published)
        shutil.rmtree(replaced, ignore_errors=True)
