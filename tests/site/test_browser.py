"""The site in a real browser: every page, both languages, light and dark, wide and narrow."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.axe import OF_COLOURS, violations
from tests.site.build import addresses
from tests.site.visit import Site, let_all_come

PAGES = addresses()
LESSON = {"zh": "lessons/02-qkv-lookup/", "en": "en/lessons/02-qkv-lookup/"}


@pytest.mark.parametrize("path", PAGES)
@pytest.mark.parametrize("width", [390, 1280])
def test_axe_finds_nothing(visit: Site, path: str, width: int) -> None:
    page = visit(path, width=width)
    let_all_come(page)
    assert violations(page) == []
    page.emulate_media(color_scheme="dark")
    expect(page.locator("body")).to_have_attribute("data-md-color-scheme", "slate")
    page.wait_for_function("document.getAnimations().length === 0")
    assert violations(page, rules=OF_COLOURS) == []


def test_axe_sees_a_fault(visit: Site) -> None:
    page = visit("")
    page.evaluate("document.body.insertAdjacentHTML('beforeend', '<img src=\"data:,\">')")
    assert any(line.startswith("image-alt") for line in violations(page))


@pytest.mark.parametrize("path", PAGES)
def test_no_page_scrolls_sideways_at_320_px(visit: Site, path: str) -> None:
    page = visit(path, width=320, height=640)
    page.evaluate("document.querySelectorAll('details').forEach(d => { d.open = true })")
    wide = page.evaluate("document.documentElement.scrollWidth")
    assert wide <= 320, page.evaluate(
        """() => [...document.querySelectorAll('body *')]
            .filter(e => e.getBoundingClientRect().right > 321)
            .slice(0, 8).map(e => e.outerHTML.slice(0, 120))"""
    )


@pytest.mark.parametrize("kind", [".qkv-scroll", ".qkv-math", "pre > code"])
def test_what_is_cut_shows_at_which_edge_there_is_more(visit: Site, kind: str) -> None:
    page = visit("en/lessons/03-formula/", width=320)
    let_all_come(page)
    boxes = page.locator(f"article {kind}")
    cut = boxes.evaluate_all("(boxes) => boxes.findIndex((box) => box.dataset.more)")
    box = boxes.nth(cut)
    expect(box).to_have_attribute("data-more", "after")
    box.evaluate("(box) => { box.scrollLeft = 20 }")
    expect(box).to_have_attribute("data-more", "before after")
    box.evaluate("(box) => { box.scrollLeft = box.scrollWidth }")
    expect(box).to_have_attribute("data-more", "before")
    assert "gradient" in box.evaluate("(box) => getComputedStyle(box).maskImage")
    page.set_viewport_size({"width": 2000, "height": 900})
    expect(box).not_to_have_attribute("data-more", re.compile(""))
    assert box.evaluate("(box) => getComputedStyle(box).maskImage") == "none"


@pytest.mark.parametrize("path", [path for path in PAGES if "api/" not in path])
def test_code_is_no_wider_than_its_box_on_a_desktop(visit: Site, path: str) -> None:
    page = visit(path, width=1280)
    let_all_come(page)
    page.evaluate("document.querySelectorAll('details').forEach(d => { d.open = true })")
    longest = """(boxes) => boxes.filter((box) => box.scrollWidth > box.clientWidth)
        .map((box) => box.textContent.split("\\n").sort((a, b) => b.length - a.length)[0])"""
    assert page.locator("article pre > code").evaluate_all(longest) == []


@pytest.mark.parametrize("path", [LESSON["zh"], "en/lessons/03-formula/"])
def test_nothing_stands_apart_from_the_root_before_it(visit: Site, path: str) -> None:
    page = visit(path)
    let_all_come(page)
    room = """(roots) => roots.filter((root) => root.checkVisibility()).map((root) =>
        (root.getBoundingClientRect().right - root.lastElementChild.getBoundingClientRect().right)
        / parseFloat(getComputedStyle(root).fontSize))"""
    rooms = page.locator("article msqrt").evaluate_all(room)
    assert rooms and max(rooms) < 0.05


@pytest.mark.parametrize("path", PAGES)
def test_all_content_and_navigation_are_there_without_javascript(visit: Site, path: str) -> None:
    with_script, without = visit(path), visit(path, java_script_enabled=False)
    text = "document.querySelector('article').textContent.replace(/\\s+/g, '')"
    with_text = with_script.evaluate(text)
    html = without.content()
    assert without.locator("article").is_visible()
    assert without.locator("nav a[href]").count() > 5
    assert "<noscript" not in html or without.locator("noscript").count() == 0
    # Scripts may add controls; the words of the page are in the HTML.
    plain = without.locator("article").evaluate("e => e.textContent.replace(/\\s+/g, '')")
    assert len(plain) >= 0.9 * len(with_text)


def search(page: Page, word: str) -> list[str]:
    """Type a word into the search as a reader does; return the titles and texts found."""
    if page.locator(".md-search__input").is_hidden():
        page.locator("label[for=__search]").first.click()
    box = page.locator(".md-search__input")
    box.click()
    box.press_sequentially(word)
    # An input method ends with a key; the words it enters come without one.
    box.dispatch_event("keyup")
    page.locator(".md-search-result__item").first.wait_for(timeout=15_000)
    return page.locator(".md-search-result__item").all_inner_texts()


@pytest.mark.parametrize("word", ["注意力", "查询", "点积", "词元"])
def test_chinese_search_finds(visit: Site, word: str) -> None:
    assert any(word in text for text in search(visit(""), word))


def test_chinese_search_finds_a_word_from_the_middle_of_a_heading(visit: Site) -> None:
    page = visit(LESSON["zh"])
    headings = page.locator("article h2").all_inner_texts()
    heading = next(text for text in headings if "硬检索" in text and not text.startswith("硬检索"))
    assert any("硬检索" in text for text in search(page, "硬检索")), heading


def test_english_search_finds_query(visit: Site) -> None:
    assert any("query" in text.lower() for text in search(visit("en/"), "query"))


def test_search_and_copy_need_no_storage(visit: Site) -> None:
    page = visit(LESSON["zh"])
    page.add_init_script(
        "for (const name of ['localStorage', 'sessionStorage'])"
        " Object.defineProperty(window, name, { get() { throw new Error('forbidden') } })"
    )
    page.reload()
    page.locator("article > .qkv-snippet").first.scroll_into_view_if_needed()
    page.locator(".md-code__button[data-md-type=copy]").first.wait_for(state="attached")
    assert any("查询" in text for text in search(page, "查询"))


def test_the_search_index_waits_for_the_first_search(visit: Site) -> None:
    page = visit(LESSON["zh"])
    page.wait_for_load_state("networkidle")
    assert not [url for url in visit.requests if "search_index" in url]
    search(page, "注意力")
    assert [url for url in visit.requests if "search_index" in url]


@pytest.mark.parametrize("path", [path for path in PAGES if "404" not in path])
def test_the_language_switch_lands_on_the_same_page_and_heading(visit: Site, path: str) -> None:
    twin = path.removeprefix("en/") if path.startswith("en/") else f"en/{path}"
    page = visit(path)
    anchor = page.locator("article :is(h2, h1)[id]").last.get_attribute("id")
    page.goto(visit.address + f"{path}#{anchor}")
    page.locator(f"a[hreflang={'zh' if path.startswith('en/') else 'en'}]").first.click()
    page.wait_for_url("**")
    assert page.url == visit.address + f"{twin}#{anchor}"
    # Names of functions have dots in them.
    assert page.locator(f'[id="{anchor}"]').count() == 1


@pytest.mark.parametrize("path", [path for path in PAGES if "404" not in path])
def test_the_language_switch_needs_no_javascript(visit: Site, path: str) -> None:
    twin = path.removeprefix("en/") if path.startswith("en/") else f"en/{path}"
    page = visit(path, java_script_enabled=False)
    other = "zh" if path.startswith("en/") else "en"
    href = page.locator(f"a[hreflang={other}]").first.evaluate("a => a.href")
    assert href == visit.address + twin


@pytest.mark.parametrize("language", ["zh", "en"])
def test_copy_gives_the_code_alone_and_it_runs(visit: Site, language: str) -> None:
    page = visit(LESSON[language], permissions=["clipboard-read", "clipboard-write"])
    snippets = page.locator(".qkv-snippet:visible")
    count = snippets.count()
    assert count >= 5
    for index in range(count):
        snippet = snippets.nth(index)
        snippet.hover()
        snippet.locator(
            "button[data-clipboard-target], .md-code__button[data-md-type=copy]"
        ).click()
        code = page.evaluate("navigator.clipboard.readText()")
        assert ">>>" not in code
        exec(compile(code, f"snippet {index} of {language}", "exec"), {})


@pytest.mark.parametrize("language", ["zh", "en"])
def test_the_strip_leads_to_the_lessons_and_marks_the_one_that_is_read(
    visit: Site, language: str
) -> None:
    page = visit(LESSON[language])
    strip = page.locator("nav.qkv-strip")
    assert strip.locator("[data-lesson]").count() == 12
    here = strip.locator("[data-lesson]:has([aria-current=page])")
    assert here.get_attribute("data-lesson") == "02"
    for link in strip.locator("[data-lesson] a").all():
        assert page.request.get(link.evaluate("a => a.href")).ok


def test_a_lesson_counts_as_read_when_the_reader_says_so_until_cleared(visit: Site) -> None:
    page = visit(LESSON["en"])
    # Without scrolling there, which would mark the lesson by itself.
    page.locator("[data-lesson-end] button").evaluate("button => button.click()")
    assert page.locator("nav.qkv-strip [data-lesson='02'][data-read]").count() == 1
    page.goto(visit.address + "en/")
    assert page.locator("nav.qkv-course [data-lesson='02'][data-read]").count() == 1
    page.locator("[data-progress-clear] button").click()
    assert page.locator("[data-read]").count() == 0
    page.reload()
    assert page.locator("[data-read]").count() == 0


# For this one key: Material's own scripts log errors where storage is forbidden altogether.
NO_STORAGE = """for (const name of ["getItem", "setItem"]) {
    const native = Storage.prototype[name];
    Storage.prototype[name] = function (key, ...rest) {
        if (key === "qkv.read") throw new DOMException("forbidden", "SecurityError");
        return native.call(this, key, ...rest);
    };
}"""
FULL_STORAGE = """Storage.prototype.setItem = () => {
    throw new DOMException("full", "QuotaExceededError");
}"""


@pytest.mark.parametrize("script", [NO_STORAGE, FULL_STORAGE], ids=["forbidden", "full"])
def test_without_storage_a_mark_lasts_as_long_as_the_page(visit: Site, script: str) -> None:
    page = visit("en/")
    page.context.add_init_script(script)
    page.goto(visit.address + LESSON["en"])
    button = page.locator("[data-lesson-end] button")
    read = page.locator("nav.qkv-strip [data-lesson='02'][data-read]")
    for count in (1, 0, 1):
        button.evaluate("button => button.click()")
        assert read.count() == count
    page.reload()
    assert read.count() == 0


@pytest.mark.parametrize("junk", ["{", "null", "7", '"02"', '{"02": true}', "[2, null, [], {}]"])
def test_junk_in_the_storage_counts_as_nothing_read(visit: Site, junk: str) -> None:
    page = visit("en/")
    page.evaluate("junk => localStorage.setItem('qkv.read', junk)", junk)
    page.goto(visit.address + LESSON["en"])
    assert page.locator("[data-read]").count() == 0
    page.locator("[data-lesson-end] button").evaluate("button => button.click()")
    assert page.evaluate("localStorage.getItem('qkv.read')") == '["02"]'


def test_what_is_read_in_one_tab_is_read_in_the_others(visit: Site) -> None:
    index = visit("en/")
    first, second = index.context.new_page(), index.context.new_page()
    first.goto(visit.address + "en/lessons/01-why-attention/")
    second.goto(visit.address + LESSON["en"])
    # One after the other: browsers tell other processes of a change a moment later.
    for marking, number in ((first, "01"), (second, "02")):
        marking.locator("[data-lesson-end] button").evaluate("button => button.click()")
        for tab in (index, first, second):
            tab.locator(f"[data-lesson='{number}'][data-read]").wait_for(state="attached")
    index.locator("[data-progress-clear] button").click()
    for tab in (first, second):
        tab.wait_for_function("!document.querySelector('[data-read]')")
    assert index.evaluate("localStorage.getItem('qkv.read')") == "[]"


def test_a_tab_does_not_overwrite_what_another_has_just_marked(visit: Site) -> None:
    page = visit(LESSON["en"])
    # Written without a storage event, which may come later than a click.
    page.evaluate("""localStorage.setItem('qkv.read', '["01"]')""")
    page.locator("[data-lesson-end] button").evaluate("button => button.click()")
    assert page.evaluate("localStorage.getItem('qkv.read')") == '["01","02"]'


def test_a_lesson_counts_as_read_when_the_reader_reaches_its_end(visit: Site) -> None:
    page = visit(LESSON["zh"])
    assert page.locator("[data-read]").count() == 0
    page.locator("[data-lesson-end]").scroll_into_view_if_needed()
    page.locator("nav.qkv-strip [data-lesson='02'][data-read]").wait_for(state="attached")
