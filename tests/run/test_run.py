"""A reader runs, edits, stops and resets the snippets of a page."""

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.axe import violations
from tests.run.serving import serving
from tests.run.snippets import LESSON, PATIENCE, Snippet, snippets
from tests.site.build import Built
from tests.site.visit import Site

pytestmark = pytest.mark.usefixtures("runtime_is_published")

WATCH_SENTENCES = """() => {
    const said = []
    for (const status of document.querySelectorAll("[role=status]")) {
        const note = () => said.push(status.textContent)
        new MutationObserver(note).observe(status, { childList: true })
    }
    return said
}"""


@pytest.mark.parametrize("language", ["zh", "en"])
def test_nothing_of_python_is_fetched_before_the_first_run_which_is_as_checked(
    visit: Site, language: str
) -> None:
    page = visit(LESSON[language])
    page.wait_for_load_state("networkidle")
    assert not [url for url in visit.requests if "/runtime" in url or "run/worker" in url]
    first, second = snippets(page)[:2]
    built = first.output, second.output
    first.button("run").click()
    second.button("run").click()
    for snippet in (first, second):
        snippet.wait_for_end()
        snippet.says("checked")
    assert (first.output, second.output) == built
    assert [url for url in visit.requests if url.endswith("pyodide.asm.wasm")]
    words = first.status.inner_text() + first.button("run").inner_text()
    has_chinese = re.search(r"[一-鿿]", words)
    assert bool(has_chinese) == (language == "zh")


def test_the_download_is_counted_and_only_one_snippet_runs_at_a_time(visit: Site) -> None:
    page = visit(LESSON["en"])
    first, second = snippets(page)[:2]
    seen = page.evaluate_handle(WATCH_SENTENCES)
    first.button("run").click()
    second.button("run").click()
    second.says("waiting")
    for snippet in (first, second):
        snippet.wait_for_end()
        snippet.says("checked")
    said = seen.json_value()
    assert any(re.search(r"NumPy: \d+\.\d of 1\d\.\d MB", sentence) for sentence in said), said
    assert "Starting Python." in said


def test_edited_code_runs_and_is_not_compared(snippet: Snippet) -> None:
    snippet.run("total = 20\nfor word in ('a', 'b'):\n    print(word)\ntotal + 1\n'text'")
    snippet.says("edited")
    assert snippet.output == "a\nb\n21\n'text'\n"


def test_each_run_has_a_namespace_of_its_own(snippet: Snippet) -> None:
    snippet.run("kept = 1")
    snippet.run("kept")
    snippet.says("raised")
    assert snippet.output.endswith("NameError: name 'kept' is not defined\n")


def test_an_error_shows_what_was_printed_and_the_lines_of_the_reader(snippet: Snippet) -> None:
    snippet.run("from qkvdocs.attention import softmax\nprint('before')\nsoftmax([float('nan')])")
    snippet.says("raised")
    assert snippet.output.startswith("before\nTraceback (most recent call last):\n")
    assert re.findall(r'File "([^"]+)", line (\d+)', snippet.output) == [("<snippet>", "3")]
    assert "ValueError: scores: wanted finite numbers" in snippet.output


def test_a_fault_of_syntax_names_the_line(snippet: Snippet) -> None:
    snippet.run("x = 1\nif x\n")
    snippet.says("raised")
    assert "line 2" in snippet.output
    assert "SyntaxError: expected ':'" in snippet.output


def test_output_is_text_and_never_html(snippet: Snippet) -> None:
    snippet.run("print('<b>bold</b><img src=x onerror=alert(1)>')")
    assert snippet.output == "<b>bold</b><img src=x onerror=alert(1)>\n"
    assert snippet.root.locator(".qkv-snippet__output :is(b, img)").count() == 0


def test_a_sentence_shows_its_weights_as_a_picture(snippet: Snippet) -> None:
    snippet.run("from qkvdocs.examples import engineer\nengineer")
    assert snippet.output.startswith("<Sentence engineer: 工程师 ")
    picture = snippet.root.locator(".qkv-snippet__picture svg")
    assert picture.locator("rect").count() >= 16
    assert "California" in (picture.text_content() or "")


HARMFUL = """
class Picture:
    def _repr_svg_(self):
        return '''<svg xmlns="http://www.w3.org/2000/svg" onload="document.title='harm'" width="9">
          <script>document.title = 'harm'</script><style>body { display: none }</style>
          <foreignObject><img xmlns="http://www.w3.org/1999/xhtml" src="x"/></foreignObject>
          <a href="javascript:alert(1)"><text>link</text></a><image href="https://example.org/x"/>
          <use href="#x"/><rect width="4" height="4" fill="url(https://example.org/x)"
          style="stroke: red; background: url(https://example.org/y)"/></svg>'''
Picture()
"""


def test_a_picture_can_only_draw(snippet: Snippet) -> None:
    page = snippet.root.page
    title = page.title()
    snippet.run(HARMFUL)
    picture = snippet.root.locator(".qkv-snippet__picture svg")
    names = "svg => [...svg.querySelectorAll('*')].map(e => e.localName)"
    assert picture.evaluate(names) == ["rect"]
    attributes = "e => Object.fromEntries([...e.attributes].map(a => [a.name, a.value]))"
    assert picture.evaluate(attributes) == {"width": "9"}
    assert picture.locator("rect").evaluate(attributes) == {
        "width": "4", "height": "4", "stroke": "red"
    }  # fmt: skip
    assert page.title() == title


NO_PICTURE = """
class Nothing:
    def _repr_svg_(self):
        return '<p>no'
    def __repr__(self):
        return 'P'
Nothing()
"""


def test_what_is_no_picture_is_not_shown(snippet: Snippet) -> None:
    snippet.run(NO_PICTURE)
    assert snippet.output == "P\n"
    assert snippet.root.locator(".qkv-snippet__picture").count() == 0


def test_another_output_than_the_checked_one_is_shown_line_by_line(snippet: Snippet) -> None:
    second = snippets(snippet.root.page)[1]
    samp = second.root.locator(".qkv-snippet__output samp")
    # As if the site had been built by a Python that prints another first line.
    samp.evaluate("(e, text) => { e.textContent = text }", "only checked\n" + second.output[5:])
    second.run()
    second.says("differs")
    assert second.output.startswith("− only checked\n")
    assert "\n+ [" in second.output
    second.button("reset").click()
    assert second.output.startswith("only checked\n")


def test_reset_brings_back_code_and_output(snippet: Snippet) -> None:
    code, output = snippet.code, snippet.output
    snippet.run("print('other')")
    assert (snippet.code, snippet.output) != (code, output)
    snippet.button("reset").click()
    assert (snippet.code, snippet.output) == (code, output)
    expect(snippet.editor).to_have_count(0)
    expect(snippet.button("run")).to_be_focused()
    assert snippet.state is None


def test_stop_ends_an_endless_loop_and_python_starts_again(snippet: Snippet) -> None:
    snippet.run("1")
    snippet.editor.fill("print('begun')\nwhile True:\n    pass")
    snippet.button("run").click()
    expect(snippet.root.locator(".qkv-snippet__output")).to_have_text("begun\n", timeout=PATIENCE)
    expect(snippet.button("stop")).to_be_focused()
    snippet.button("stop").press("Enter")
    snippet.wait_for_end()
    snippet.says("stopped")
    expect(snippet.button("run")).to_be_focused()
    snippet.run("'again'")
    assert snippet.output == "'again'\n"


ISOLATED = {
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Embedder-Policy": "require-corp",
}


def test_on_an_isolated_page_stop_interrupts_and_the_same_python_goes_on(
    browser: Browser, built: Built
) -> None:
    with serving(built.site, ISOLATED) as server:
        site = Site(browser, server.address)
        page = site(LESSON["en"])
        pythons: list[str] = []
        page.on("worker", lambda worker: pythons.append(worker.url))
        snippet = snippets(page)[0]
        snippet.run("1")
        snippet.editor.fill("print('begun')\nwhile True:\n    pass")
        snippet.button("run").click()
        expect(snippet.root.locator("samp")).to_have_text("begun\n", timeout=PATIENCE)
        snippet.button("stop").click()
        snippet.wait_for_end()
        snippet.says("stopped")
        snippet.run("2")
        assert snippet.output == "2\n"
        assert len([url for url in pythons if url.endswith("run/worker.js")]) == 1
        site.close()
    assert site.faults == []


def test_a_loop_that_prints_without_end_does_not_flood_the_page(snippet: Snippet) -> None:
    snippet.run("1")
    snippet.editor.fill("while True:\n    print('x' * 99)")
    snippet.button("run").click()
    output = snippet.root.locator(".qkv-snippet__output")
    expect(output).to_contain_text("…", timeout=PATIENCE)
    snippet.button("stop").click()
    snippet.wait_for_end()
    assert len(snippet.output) < 110_000


LAB = "en/labs/engineer/"


def test_a_cell_of_a_lab_first_runs_the_cells_above_it(visit: Site) -> None:
    page = visit(LAB)
    cells = snippets(page)
    assert len(cells) > 3
    cells[2].run()
    for cell in cells[:3]:
        cell.says("checked")
    assert cells[3].state is None
    cells[0].run("1 / 0")
    cells[3].run()
    cells[0].says("raised")
    cells[3].says("above")


WATCH_ENDS = """() => {
    const ended = []
    document.querySelectorAll(".qkv-snippet").forEach((cell, index) => {
        const status = cell.querySelector("[role=status]")
        const note = () => ended.push([index, status.dataset.sentence])
        new MutationObserver(note).observe(status, { attributeFilter: ["data-sentence"] })
    })
    return ended
}"""


@pytest.mark.parametrize("lab", ["labs/training/", "en/labs/soft-hard/", LAB])
def test_run_on_the_last_cell_of_a_lab_runs_all_of_it_from_the_top_as_checked(
    visit: Site, lab: str
) -> None:
    page = visit(lab)
    cells = snippets(page)
    built = [cell.output if cell.root.locator("samp").count() else "" for cell in cells]
    pictures = [cell.root.locator(".qkv-snippet__picture svg").count() for cell in cells]
    seen = page.evaluate_handle(WATCH_ENDS)
    cells[-1].button("run").click()
    for cell in cells:
        cell.says("checked")
    ends = [index for index, sentence in seen.json_value() if sentence == "checked"]
    assert ends == list(range(len(cells)))
    assert [cell.output if cell.root.locator("samp").count() else "" for cell in cells] == built
    for cell, count in zip(cells, pictures, strict=True):
        assert cell.root.locator(".qkv-snippet__picture svg").count() == count


EDGES = """cell => Object.entries({
    code: ".highlight code",
    label: ".qkv-snippet__label",
    output: ".qkv-snippet__output samp",
    picture: ".qkv-snippet__picture svg",
}).flatMap(([part, selector]) => {
    const element = cell.querySelector(selector)
    if (!element) return []
    const text = document.createRange()
    text.selectNodeContents(element)
    const boxes = part === "picture" ? [element.getBoundingClientRect()] : text.getClientRects()
    return [[part, Math.min(...[...boxes].map((box) => box.left))]]
})"""


def test_what_came_out_begins_at_the_edge_of_the_code(visit: Site) -> None:
    page = visit("labs/soft-hard/", width=390)
    drawing = next(cell for cell in snippets(page) if cell.root.locator("svg").count())
    drawing.button("run").click()
    drawing.says("checked")
    edges = dict(drawing.root.evaluate(EDGES))
    assert list(edges) == ["code", "label", "output", "picture"]
    assert max(edges.values()) - min(edges.values()) < 0.5, edges


def test_copy_gives_the_code_as_it_was_edited(snippet: Snippet) -> None:
    snippet.button("edit").click()
    snippet.editor.fill("edited = '工程师'  # 1")
    snippet.root.hover()
    snippet.root.locator(
        "button[data-clipboard-target], .md-code__button[data-md-type=copy]"
    ).click()
    assert snippet.root.page.evaluate("navigator.clipboard.readText()") == "edited = '工程师'  # 1"


def test_the_keyboard_alone_edits_runs_and_leaves(snippet: Snippet) -> None:
    page = snippet.root.page
    snippet.button("run").focus()
    page.keyboard.press("Tab")
    expect(snippet.button("edit")).to_be_focused()
    page.keyboard.press("Enter")
    expect(snippet.editor).to_be_focused()
    page.keyboard.press("Control+a")
    page.keyboard.type("for i in range(2):\nprint(i)")
    assert snippet.editor.input_value() == "for i in range(2):\n    print(i)"
    page.keyboard.press("Shift+Tab")
    assert snippet.editor.input_value() == "for i in range(2):\nprint(i)"
    page.keyboard.press("Home")
    page.keyboard.press("Tab")
    expect(snippet.editor).to_be_focused()
    page.keyboard.press("Control+Enter")
    snippet.says("edited")
    assert snippet.output == "0\n1\n"
    expect(snippet.editor).to_be_focused()
    page.keyboard.press("Escape")
    page.keyboard.press("Tab")
    expect(snippet.editor).not_to_be_focused()
    assert snippet.root.evaluate("e => e.contains(document.activeElement)")


def test_typing_colours_the_code_that_is_seen(snippet: Snippet) -> None:
    snippet.button("edit").click()
    snippet.editor.fill("for x in [1]:  # note\n    print('<b>')")
    classes = snippet.root.locator(".highlight code span").evaluate_all(
        "all => Object.fromEntries(all.map(e => [e.textContent, e.className]))"
    )
    wanted = {"for": "k", "1": "mi", "# note": "c1", "print": "nb", "'<b>'": "s1"}
    assert wanted.items() <= classes.items()


STATES = {
    "checked": None,
    "raised": "1 / 0",
    "picture": "from qkvdocs.examples import engineer\nengineer",
}


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("state", STATES)
def test_axe_finds_nothing_after_a_run(snippet: Snippet, state: str, dark: bool) -> None:
    page = snippet.root.page
    page.emulate_media(color_scheme="dark" if dark else "light")
    snippet.run(STATES[state])
    assert violations(page, ".qkv-snippet") == []
    page.emulate_media(color_scheme="light")


def is_wide(page: Page) -> bool:
    wide: bool = page.evaluate("document.documentElement.scrollWidth > innerWidth")
    return wide


def test_on_a_phone_nothing_is_wider_than_the_screen_or_too_small_to_touch(visit: Site) -> None:
    page = visit(LESSON["zh"], width=390, has_touch=True, is_mobile=True)
    snippet = snippets(page)[0]
    snippet.run("from qkvdocs.examples import engineer\nengineer\nprint('x' * 200)  " + "#" * 90)
    snippet.says("edited")
    assert not is_wide(page)
    for button in snippet.root.locator(".qkv-run__button:visible").all():
        box = button.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= 43.9
    size = snippet.editor.evaluate("e => parseFloat(getComputedStyle(e).fontSize)")
    assert size >= 16, "a phone would zoom into the editor"
    code = snippet.root.locator(".highlight code")
    for measure in ("fontSize", "lineHeight", "fontFamily", "paddingLeft", "paddingTop"):
        style = f"e => getComputedStyle(e).{measure}"
        assert snippet.editor.evaluate(style) == code.evaluate(style), "caret and text come apart"
