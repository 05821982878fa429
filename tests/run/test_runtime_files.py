"""Python for the browser is taken, kept and published only if it is the pinned one."""

import hashlib
import json
import zipfile
from pathlib import Path

import pytest
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import Files

import runtime as fetching
from qkvdocs import runtime
from qkvdocs.runtime import RuntimeFile
from qkvdocs.site.runtime import add_runtime, own_wheel, published_runtime
from tests.site.build import Built

ROOT = Path(__file__).parents[2]
FETCHED = ROOT / ".cache" / "runtime"


def described(name: str, content: bytes) -> RuntimeFile:
    return RuntimeFile(name, len(content), hashlib.sha256(content).hexdigest())


@pytest.fixture
def pinned(monkeypatch: pytest.MonkeyPatch) -> RuntimeFile:
    file = described("small.bin", b"right")
    monkeypatch.setattr(runtime, "FILES", (file,))
    return file


def test_the_second_source_is_asked_when_the_first_fails(
    pinned: RuntimeFile, tmp_path: Path
) -> None:
    def away(files: list[RuntimeFile], folder: Path) -> None:
        raise fetching.Unavailable("away")

    def here(files: list[RuntimeFile], folder: Path) -> None:
        for file in files:
            fetching.keep(file, b"right", folder, "here")

    assert fetching.fetch(tmp_path, (away, here)) == []
    assert (tmp_path / "small.bin").read_bytes() == b"right"
    assert fetching.fetch(tmp_path, (away,)) == [], "what is there is not asked for again"
    assert fetching.fetch(tmp_path / "other", (away, away)) == ["away", "away"]


@pytest.mark.parametrize("content", [b"wrong", b"right and more", b""])
def test_a_file_that_is_not_the_pinned_one_is_not_taken(
    pinned: RuntimeFile, tmp_path: Path, content: bytes
) -> None:
    with pytest.raises(fetching.Unavailable, match="from there is not the pinned file"):
        fetching.keep(pinned, content, tmp_path, "there")
    assert list(tmp_path.iterdir()) == []


def test_a_damaged_file_in_the_cache_is_fetched_again(pinned: RuntimeFile, tmp_path: Path) -> None:
    (tmp_path / "small.bin").write_bytes(b"wrong")
    assert [file.name for file in runtime.missing(tmp_path)] == ["small.bin"]


def test_without_its_files_a_site_is_built_unless_they_are_required(tmp_path: Path) -> None:
    files, config = Files([]), MkDocsConfig()
    assert add_runtime(files, config, tmp_path, required=False) is None
    assert len(files) == 0
    with pytest.raises(PluginError, match=r"got no pyodide\.mjs.* fetch it with python3"):
        add_runtime(files, config, tmp_path, required=True)


def test_the_lock_names_numpy_and_qkvdocs_with_the_hashes_of_the_published_files(
    built: Built,
) -> None:
    (lock_path,) = built.site.glob("assets/runtime/*/lock.*.json")
    packages = json.loads(lock_path.read_text(encoding="utf-8"))["packages"]
    assert set(packages) == {"numpy", "qkvdocs"}
    for package in packages.values():
        content = (lock_path.parent / package["file_name"]).read_bytes()
        assert hashlib.sha256(content).hexdigest() == package["sha256"]


def test_every_published_file_is_as_the_manifest_says_and_the_notices_are_beside(
    built: Built,
) -> None:
    (manifest,) = built.site.glob("assets/runtime/*/manifest.*.json")
    for file in json.loads(manifest.read_text(encoding="utf-8"))["files"]:
        assert RuntimeFile(**file).is_in(manifest.parent)
    notices = (manifest.parent / "LICENCES.txt").read_text(encoding="utf-8")
    for words in ("Mozilla Public License", "PSF License", "NumPy Developers", "pocketfft"):
        assert words in notices
    assert not list(built.site.glob("en/assets/runtime")), "both languages share one copy"


def test_equal_modules_make_an_equal_wheel_without_what_a_browser_lacks() -> None:
    assert own_wheel() == own_wheel()
    published = published_runtime(FETCHED)
    assert published is not None
    (wheel,) = (name for name in published.contents if name.endswith(".whl"))
    path = Path(wheel)
    assert path.name.startswith("qkvdocs-")


def test_the_wheel_has_the_rooms_that_need_numpy_alone(tmp_path: Path) -> None:
    (tmp_path / "own.whl").write_bytes(own_wheel())
    with zipfile.ZipFile(tmp_path / "own.whl") as archive:
        rooms = {name.split("/")[1].removesuffix(".py") for name in archive.namelist()}
    assert {"attention", "examples", "training", "experiments", "running"} <= rooms
    assert not rooms & {"figures", "markdown", "site"}


def test_the_numpy_of_the_browser_is_the_numpy_of_the_build() -> None:
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert f'"numpy=={runtime.NUMPY}"' in project
