"""A reader at the snippets of a page: pressing, typing, and reading what it says."""

from dataclasses import dataclass

from playwright.sync_api import Locator, Page, expect

# The first run starts Python, which takes long on a busy machine.
PATIENCE = 120_000

LESSON = {"zh": "lessons/02-qkv-lookup/", "en": "en/lessons/02-qkv-lookup/"}


@dataclass(frozen=True)
class Snippet:
    """One snippet of a page."""

    root: Locator

    @property
    def code(self) -> str:
        return self.root.locator(".highlight code").inner_text()

    @property
    def editor(self) -> Locator:
        return self.root.locator("textarea")

    @property
    def output(self) -> str:
        return self.root.locator(".qkv-snippet__output").text_content() or ""

    @property
    def state(self) -> str | None:
        return self.root.get_attribute("data-state")

    @property
    def status(self) -> Locator:
        return self.root.locator("[role=status]")

    def button(self, name: str) -> Locator:
        return self.root.locator(f"[data-do={name}]")

    def run(self, code: str | None = None) -> None:
        """Press Run, with the code in the editor if there is one, and wait until it has ended."""
        if code is not None:
            if self.button("edit").is_visible():
                self.button("edit").click()
            self.editor.fill(code)
        self.button("run").click()
        self.wait_for_end()

    def wait_for_end(self) -> None:
        expect(self.button("run")).to_be_visible(timeout=PATIENCE)

    def says(self, sentence: str) -> None:
        """Assert which sentence stands under the snippet, and that it is one."""
        expect(self.status).to_have_attribute("data-sentence", sentence, timeout=PATIENCE)
        assert len(self.status.inner_text()) > 3


def snippets(page: Page) -> list[Snippet]:
    """Return the snippets that can be seen without opening anything."""
    return [Snippet(root) for root in page.locator(".qkv-snippet:visible").all()]
