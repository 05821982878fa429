"""The plugin's events, in the order in which MkDocs sends them."""

import logging
import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from subprocess import Popen
from typing import Any, Literal, cast

from jinja2 import Environment
from mkdocs.commands.build import build
from mkdocs.config import load_config
from mkdocs.config.base import Config
from mkdocs.config.config_options import Choice, Type
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import Abort, PluginError
from mkdocs.livereload import LiveReloadServer
from mkdocs.plugins import BasePlugin, event_priority
from mkdocs.structure.files import File, Files
from mkdocs.structure.nav import Navigation
from mkdocs.structure.pages import Page
from mkdocs.utils import CountHandler, DuplicateFilter
from mkdocs.utils.templates import TemplateContext
from pathspec.gitignore import GitIgnoreSpec

from qkvdocs.entries import EntryError
from qkvdocs.languages import LANGUAGES, Language, as_language
from qkvdocs.markdown import PageError
from qkvdocs.markdown.cache import Cache
from qkvdocs.site.api_pages import (
    is_api_page,
    leave_out_of_search,
    make_linkable,
    plain_notes,
)
from qkvdocs.site.assets import has_demos, shared_files
from qkvdocs.site.compact import compact
from qkvdocs.site.encoding import not_utf8
from qkvdocs.site.figures_ahead import draw_ahead
from qkvdocs.site.front_matter import unread_front_matter
from qkvdocs.site.lab_files import lab_files
from qkvdocs.site.lab_source import Lab, read_lab
from qkvdocs.site.labs import cells_unfolded, lab_markdown
from qkvdocs.site.live import LiveBuilder, forget_package, pass_over_drafts
from qkvdocs.site.maths_font import write_maths_font
from qkvdocs.site.navigation import drafts, lesson_number, navigation
from qkvdocs.site.notebooks import notebooks
from qkvdocs.site.offline import write_service_worker
from qkvdocs.site.policy import MovedStyles, move_icons
from qkvdocs.site.renderings import keep_rendering, surroundings
from qkvdocs.site.runtime import add_runtime
from qkvdocs.site.search_entries import keep_entries
from qkvdocs.site.staging import Staging
from qkvdocs.site.tables import improved_tables
from qkvdocs.site.theme_html import corrected
from qkvdocs.site.theme_style import lighten
from qkvdocs.site.twins import PREFIXES, absolute_addresses, check_twins, twin_of

FIRST, LAST = 100, -100

PACKAGE = Path(__file__).parent.parent

# What a page with something to run has in its HTML.
SNIPPET = 'class="qkv-snippet'
# Where scripts/dev.py puts Python for the browser.
RUNTIME = ".cache/runtime"

API_STYLE = "assets/_mkdocstrings.css"


class Options(Config):  # type: ignore[no-untyped-call]
    """What mkdocs.yml and mkdocs.en.yml say to the plugin."""

    language = Choice(LANGUAGES)
    also_build = Type(str, default="")
    offline = Type(bool, default=True)
    require_runtime = Type(bool, default=False)


@dataclass(frozen=True)
class Build:
    """A build that has begun: where it writes, what it warned of, what belongs to it besides."""

    staging: Staging
    warnings: CountHandler
    at_root: bool
    also_build: Path | None
    drawing: Popen[bytes] | None
    made_with: str
    labs: dict[str, Lab] = field(default_factory=dict)


class QkvdocsPlugin(BasePlugin[Options]):  # type: ignore[no-untyped-call]
    """Build the site of one language, and with Chinese the English one below it.

    MkDocs keeps one instance of a plugin that has `on_startup` for all configurations of a
    process. The English build runs inside the last event of the Chinese one, so what belongs to a
    build lies on a stack.
    """

    def __init__(self) -> None:
        self.serving = False
        self.keep_english = False
        self.builds: list[Build] = []
        # Both languages share one sheet, and under serve one of them may keep its old pages.
        self.styles = MovedStyles()
        self.runtime: str | None = None
        self.english: Path | None = None

    @property
    def language(self) -> Language:
        """The language of the configuration that was loaded last."""
        return as_language(self.config.language)

    def on_startup(self, *, command: Literal["build", "gh-deploy", "serve"], dirty: bool) -> None:
        """Remember whether drafts are shown."""
        self.serving = command == "serve"
        if self.serving:
            pass_over_drafts()

    @event_priority(FIRST)
    def on_config(self, config: MkDocsConfig) -> MkDocsConfig:
        """Build beside the published folder, below the address of the language."""
        # MkDocs makes the paths of pages absolute, without following links, but not this one.
        config.config_file_path = os.path.abspath(config.config_file_path)  # noqa: PTH100
        if wrong := not_utf8([Path(config.docs_dir), PACKAGE], _root(config)):
            raise PluginError(wrong)
        _find_search_words(config)
        staging = Staging(Path(config.site_dir))
        try:
            staging.begin()
        except OSError as error:
            raise PluginError(
                f"wanted a folder to build in; got {error}: let it be made and written there"
            ) from error
        config.site_dir = str(staging.folder)
        config.site_url = (config.site_url or "/") + PREFIXES[self.language]
        try:
            self._list_pages(config)
        except EntryError as error:
            raise PluginError(str(error)) from error
        warnings = CountHandler(level=logging.WARNING)
        logging.getLogger("mkdocs").addHandler(warnings)
        also_build = _root(config) / self.config.also_build if self.config.also_build else None
        self.english = also_build or self.english
        drawing = None
        if also_build and not self.keep_english:
            drawing = draw_ahead(_cache_folder(config), "en")
        at_root = not PREFIXES[self.language]
        self.builds.append(
            Build(staging, warnings, at_root, also_build, drawing, made_with=surroundings())
        )
        return config

    def on_serve(
        self, server: LiveReloadServer, *, config: MkDocsConfig, builder: Callable[..., None]
    ) -> LiveReloadServer:
        """Rebuild after an edit no more than the language that was edited."""
        if self.english:
            server.builder = self._live_builder(Path(server.root), config, builder)
        return server

    def on_pre_build(self, *, config: MkDocsConfig) -> None:
        """Let the search index keep what it has of each page."""
        if search := _search(config):
            keep_entries(search.search_index, _cache(config), self.builds[-1].made_with)

    @event_priority(LAST)
    def on_files(self, files: Files, *, config: MkDocsConfig) -> Files:
        """Check that each page has its twin, and publish what both languages share."""
        check_twins(Path(config.docs_dir), self.language)
        lighten(files, config)
        for address, content in shared_files(at_root=not PREFIXES[self.language]):
            files.append(File.generated(config, address, content=content))
        if not PREFIXES[self.language]:
            folder = _root(config) / RUNTIME
            required = self.config.require_runtime
            self.runtime = add_runtime(files, config, folder, required=required)
        for file in notebooks(files, config):
            path = Path(file.abs_src_path)
            lab = read_lab(path, path.relative_to(_root(config)).as_posix())
            self.builds[-1].labs[file.src_uri] = lab
            for added in lab_files(lab, file.src_uri, config, _cache(config)):
                files.append(added)
        return files

    @event_priority(LAST)
    def on_pre_page(self, page: Page, *, config: MkDocsConfig, files: Files) -> None:
        """Let MkDocs render a lab again, where mkdocs-jupyter has set its own way instead."""
        if self._lab_of(page):
            del page.render

    def on_page_read_source(self, *, page: Page, config: MkDocsConfig) -> str | None:
        """Read a lab, which was run when its files were listed, as Markdown."""
        lab = self._lab_of(page)
        return lab_markdown(lab, self.language, _cache(config)) if lab else None

    @event_priority(FIRST)
    def on_page_markdown(
        self, markdown: str, *, page: Page, config: MkDocsConfig, files: Files
    ) -> None:
        """Tell the Markdown extension which page it reads, so that its messages can say so."""
        docs_dir = Path(config.docs_dir)
        docs_root = docs_dir.relative_to(_root(config)).as_posix()
        source = f"{docs_root}/{page.file.src_uri}"
        if wrong := unread_front_matter(markdown):
            raise PluginError(f"{source}:{wrong}")
        # A lab has as many lines as its page, so this holds for both.
        cut = page.file.content_string.count("\n") - markdown.count("\n")
        config.mdx_configs["qkvdocs"] = {
            **config.mdx_configs.get("qkvdocs", {}),
            "language": self.language,
            "docs_root": docs_root,
            "source": source,
            "first_line": cut,
            "cache": str(_cache_folder(config)),
            "drafts": self.serving,
        }
        made_from = [self.builds[-1].made_with]
        if is_api_page(markdown):
            leave_out_of_search(page)
            made_from.append(repr(config.plugins["mkdocstrings"].config))
        keep_rendering(page, _cache(config), *made_from)

    def on_env(self, env: Environment, *, config: MkDocsConfig, files: Files) -> None:
        """Give the templates the way from a language's root to the root of the site."""
        # The style of the API pages is wanted there alone; see theme/main.html.
        config.extra_css = [sheet for sheet in config.extra_css if sheet != API_STYLE]
        env.globals["site_root"] = "/.." if PREFIXES[self.language] else ""

    def on_page_content(self, html: str, *, page: Page, config: MkDocsConfig, files: Files) -> str:
        """Name the tables, let wide ones scroll in boxes of their own, and mend API pages."""
        if is_api_page(page.markdown or ""):
            make_linkable(page, config)
            html = plain_notes(html, self.language)
        return improved_tables(cells_unfolded(html) if self._lab_of(page) else html)

    def on_page_context(
        self, context: TemplateContext, *, page: Page, config: MkDocsConfig, nav: Navigation
    ) -> TemplateContext:
        """Give the templates what they show of the page besides its content."""
        ours = cast("dict[str, Any]", context)
        ours["twin"] = twin_of(page.url, self.language)
        ours["lesson"] = lesson_number(page.file.src_uri)
        ours["has_demos"] = has_demos(page.content or "")
        ours["runtime"] = self.runtime if SNIPPET in (page.content or "") else None
        ours["offline"] = self._is_offline
        ours["addresses"] = absolute_addresses(page.url, self.language, config.site_url or "/")
        return context

    def on_post_page(self, output: str, *, page: Page, config: MkDocsConfig) -> str:
        """Correct the theme, and leave no style in a tag: a strict content policy ignores it."""
        return compact(self.styles.move(corrected(output)))

    def on_post_template(
        self, output_content: str, *, template_name: str, config: MkDocsConfig
    ) -> str:
        """Treat the page for unknown addresses like the others."""
        if template_name != "404.html":
            return output_content
        return self.styles.move(corrected(output_content))

    @event_priority(LAST)
    def on_post_build(self, *, config: MkDocsConfig) -> None:
        """Build the other language below this one, then publish both together."""
        now = self.builds[-1]
        if now.also_build and self.keep_english:
            shutil.copytree(now.staging.published / "en", now.staging.folder / "en")
        elif now.also_build:
            self._build_other(
                now.also_build, now.staging.folder / "en", config.site_url, config.strict
            )
        # MkDocs itself counts only after this event, when the old site would be gone already.
        if config.strict and now.warnings.counts:
            raise Abort(f"Stopped by {sum(now.warnings.counts.values())} warnings in strict mode")
        if now.at_root:
            self._complete(now.staging.folder, config)
        self._forget_build()
        now.staging.publish()

    def on_build_error(self, *, error: Exception) -> None:
        """Leave the published site as it was."""
        # MkDocs says the same thing once only, and under serve the same mistake may be made again.
        for said in logging.getLogger("mkdocs.commands.build").filters:
            if isinstance(said, DuplicateFilter):
                said.msgs.clear()
        if self.builds:
            self._forget_build().staging.clear()
        if isinstance(error, (PageError, EntryError)):
            # MkDocs has logged the message already; without this a traceback would bury it.
            raise Abort("Stopped by the error above") from error

    def _list_pages(self, config: MkDocsConfig) -> None:
        if config.nav is None:
            config.nav = navigation(Path(config.docs_dir), self.language, with_drafts=self.serving)
        config.draft_docs = GitIgnoreSpec.from_lines(drafts())

    def _build_other(self, path: Path, site_dir: Path, site_url: str | None, strict: bool) -> None:
        other = load_config(
            config_file=str(path), site_dir=str(site_dir), site_url=site_url, strict=strict
        )
        if self.config.also_build:
            raise PluginError(
                f"{path.name}: wanted a configuration that builds one language; got the option "
                f"also_build: {self.config.also_build!r}: set it to an empty text"
            )
        build(other, serve_url=site_url if self.serving else None)

    def _lab_of(self, page: Page) -> Lab | None:
        return self.builds[-1].labs.get(page.file.src_uri)

    @property
    def _is_offline(self) -> bool:
        # A server that is started again must not be answered for by what it said before.
        return self.config.offline and not self.serving

    def _complete(self, site: Path, config: MkDocsConfig) -> None:
        """Add what depends on the pages of both languages."""
        write_maths_font(site, _cache_folder(config) / "fonts")
        self.styles.write(site)
        move_icons(site)
        write_service_worker(site, offline=self._is_offline)

    def _forget_build(self) -> Build:
        ended = self.builds.pop()
        logging.getLogger("mkdocs").removeHandler(ended.warnings)
        if ended.drawing:
            ended.drawing.terminate()
            ended.drawing.wait()
        return ended

    def _live_builder(
        self, site: Path, config: MkDocsConfig, everything: Callable[..., None]
    ) -> LiveBuilder:
        path, plugin = self.english, self
        assert path is not None

        def only_chinese() -> None:
            plugin.keep_english = True
            try:
                everything()
            finally:
                plugin.keep_english = False

        def only_english() -> None:
            plugin._build_other(path, site / "en", config.site_url, config.strict)
            plugin._complete(site, config)

        def renew() -> None:
            nonlocal plugin
            forget_package("qkvdocs")
            plugin = import_module("qkvdocs.site").QkvdocsPlugin()
            plugin.on_startup(command="serve", dirty=False)
            plugin.english = path
            # Where MkDocs keeps the instances of plugins that have on_startup.
            kept: Any = dict(MkDocsConfig._schema)["plugins"]
            kept.plugin_cache["qkvdocs"] = plugin

        return LiveBuilder(
            chinese=Path(config.docs_dir),
            english=Path(config.docs_dir).with_name("en"),
            shared=(Path(config.config_file_path), path, PACKAGE),
            everything=everything,
            only_chinese=only_chinese,
            only_english=only_english,
            renew=renew,
        )


def _root(config: MkDocsConfig) -> Path:
    return Path(config.config_file_path).parent


def _search(config: MkDocsConfig) -> Any:
    return config.plugins.get("material/search")


def _find_search_words(config: MkDocsConfig) -> None:
    # Material reads the path from the folder that the build was started in.
    search = _search(config)
    if search and search.config.jieba_dict_user:
        # It says of each build where its dictionary is and how long it took to read.
        logging.getLogger("jieba").disabled = True
        search.config.jieba_dict_user = str(_root(config) / search.config.jieba_dict_user)


def _cache_folder(config: MkDocsConfig) -> Path:
    # Outside docs/ and all that is watched, where writing would start the next build.
    return _root(config) / ".cache" / "qkvdocs"


def _cache(config: MkDocsConfig) -> Cache:
    return Cache(_cache_folder(config))
