"""`/// demo | name`: an interactive demo, whole without its script."""

from xml.etree.ElementTree import Element, SubElement

from markdown.util import AtomicString

from qkvdocs import demos
from qkvdocs.markdown.block import EmptyBlock
from qkvdocs.markdown.snippet import snippet_html, snippet_of


class DemoBlock(EmptyBlock):
    """Shows a demo of `qkvdocs.demos`."""

    NAME = "demo"
    WANTS = "the name of a demo"

    def on_create(self, parent: Element) -> Element:
        """Make the demo's own element."""
        count = self.page.count(f"demo {self.argument}")
        attributes = {
            "class": "qkv-demo",
            "id": self.argument if count == 1 else f"{self.argument}-{count}",
            "data-demo": self.argument,
            "lang": self.page.language,
        }
        return SubElement(parent, f"qkv-{self.argument}", attributes)

    def fill(self, block: Element) -> None:
        """Put the template and the JSON in."""
        identity = block.attrib["id"]
        made_from = f"{self.page.language}\0{identity}\0{demos.texts(self.argument)}"
        try:
            html = self.page.cache.get("demos", made_from, lambda: self.inner_html(identity))
        except demos.DemoError as error:
            raise self.error(str(error)) from error
        block.text = AtomicString(self.md.htmlStash.store(html))

    def inner_html(self, identity: str) -> str:
        """Return what stands inside the element."""
        demo = demos.load(self.argument, self.page.language)
        code = snippet_html(snippet_of(*demos.snippet(self.argument)), self.page)
        html = demo.html(identity, code)
        return f'\n{html}\n<script type="application/json">{demo.json}</script>\n'
