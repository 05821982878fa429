"""Python for the reader's browser, published once for both languages.

Everything lies in a folder named after Pyodide's version, and what changes with this project has
its hash in its name: an address never gets another content, so browsers may keep what they have.
"""

import base64
import hashlib
import io
import json
import logging
import zipfile
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from importlib.resources import files as package_files
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files

from qkvdocs import runtime
from qkvdocs.runtime import NUMPY_WHEEL, RuntimeFile

FOLDER = f"assets/runtime/{runtime.PYODIDE}"

# The rooms that snippets may import, and what runs them; all of it needs NumPy alone.
ROOMS = (
    "languages", "kept", "attention", "picture", "examples", "training", "experiments", "demos",
    "running",
)  # fmt: skip
VERSION = "0.1.0"

# The oldest time that a ZIP archive can tell, so that equal modules make equal wheels.
EPOCH = (1980, 1, 1, 0, 0, 0)

log = logging.getLogger("mkdocs.plugins.qkvdocs")

NOTICE = f"""\
Pyodide {runtime.PYODIDE}: pyodide.mjs, pyodide.asm.mjs, pyodide.asm.wasm, python_stdlib.zip
Copyright the Pyodide contributors. Mozilla Public License, version 2.0
(https://www.mozilla.org/MPL/2.0/). Unchanged; its source is
https://github.com/pyodide/pyodide/tree/{runtime.PYODIDE}

It contains CPython {runtime.PYTHON}. Copyright the Python Software Foundation.
PSF License, version 2 (https://docs.python.org/3.14/license.html).

NumPy {runtime.NUMPY}: {NUMPY_WHEEL.name}
Unchanged. Its licence and those of what it contains follow.
"""


@dataclass(frozen=True)
class PublishedRuntime:
    """What is published: the address of the list of files, and each file's source or content."""

    manifest: str
    sources: dict[str, Path]
    contents: dict[str, bytes]


def add_runtime(files: Files, config: MkDocsConfig, folder: Path, *, required: bool) -> str | None:
    """Add Python for the browser to the files of a site.

    Parameters
    ----------
    files
        what MkDocs will publish
    config
        of the build
    folder
        where the fetched files are
    required
        whether the site may not be built without them

    Returns
    -------
    str or None
        Where the list of the files is published, from the root of the site; None without them.

    Raises
    ------
    PluginError
        If they are required and not there.
    """
    published = published_runtime(folder)
    if published is None:
        lacking = ", ".join(file.name for file in runtime.missing(folder))
        if required:
            raise PluginError(
                f"wanted Python for the browser, because require_runtime is set; got no {lacking} "
                f"in {folder}: fetch it with python3 scripts/dev.py build"
            )
        log.info(f"The site gets no Run buttons: {folder} lacks {lacking}")
        return None
    for address, path in published.sources.items():
        files.append(File.generated(config, address, abs_src_path=str(path)))
    for address, content in published.contents.items():
        files.append(File.generated(config, address, content=content))
    return published.manifest


def published_runtime(folder: Path) -> PublishedRuntime | None:
    """Return what to publish from a folder of fetched files, or None if it isn't complete."""
    if any(runtime.missing(folder)):
        return None
    wheel = own_wheel()
    wheel_file = _described(f"qkvdocs-{VERSION}+{_short(wheel)}-py3-none-any.whl", wheel)
    lock = _json(lock_of(wheel_file))
    lock_file = _described(f"lock.{_short(lock)}.json", lock)
    manifest = _json(
        {
            "lock": lock_file.name,
            "packages": [NUMPY_WHEEL.name, wheel_file.name],
            "files": [asdict(file) for file in (*runtime.FILES, lock_file, wheel_file)],
        }
    )
    address = f"{FOLDER}/manifest.{_short(manifest)}.json"
    return PublishedRuntime(
        manifest=address,
        sources={f"{FOLDER}/{file.name}": folder / file.name for file in runtime.FILES},
        contents={
            address: manifest,
            f"{FOLDER}/{lock_file.name}": lock,
            f"{FOLDER}/{wheel_file.name}": wheel,
            f"{FOLDER}/LICENCES.txt": licences(folder),
        },
    )


def own_wheel() -> bytes:
    """Return the part of qkvdocs that runs in a browser, as a wheel."""
    package = Path(str(package_files("qkvdocs")))
    info = f"qkvdocs-{VERSION}.dist-info"
    contents = {
        f"qkvdocs/{path.relative_to(package).as_posix()}": path.read_bytes()
        for path in sorted(_modules(package))
    }
    contents[f"{info}/METADATA"] = (
        f"Metadata-Version: 2.1\nName: qkvdocs\nVersion: {VERSION}\n"
        f"Requires-Dist: numpy=={runtime.NUMPY}\n"
    ).encode()
    contents[f"{info}/WHEEL"] = (
        b"Wheel-Version: 1.0\nGenerator: qkvdocs\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    )
    record = [f"{name},{_record_hash(data)},{len(data)}" for name, data in contents.items()]
    contents[f"{info}/RECORD"] = "\n".join([*record, f"{info}/RECORD,,", ""]).encode()
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in contents.items():
            archive.writestr(zipfile.ZipInfo(name, EPOCH), data, zipfile.ZIP_DEFLATED)
    return out.getvalue()


def _modules(package: Path) -> Iterator[Path]:
    yield package / "__init__.py"
    for room in ROOMS:
        # A room is a module or a package of modules.
        yield from (package / room).rglob("*.py")
        if (package / f"{room}.py").is_file():
            yield package / f"{room}.py"


def lock_of(wheel: RuntimeFile) -> dict[str, object]:
    """Return the lock that Pyodide reads: NumPy and qkvdocs, nothing else."""
    info = {
        "abi_version": runtime.ABI,
        "arch": "wasm32",
        "platform": runtime.PLATFORM,
        "python": runtime.PYTHON,
    }
    packages = {
        "numpy": _locked("numpy", runtime.NUMPY, NUMPY_WHEEL, []),
        "qkvdocs": _locked("qkvdocs", VERSION, wheel, ["numpy"]),
    }
    return {"info": info, "packages": packages}


def licences(folder: Path) -> bytes:
    """Return the notices that go with the files; NumPy's own words come out of its wheel."""
    with zipfile.ZipFile(folder / NUMPY_WHEEL.name) as archive:
        found = [name for name in archive.namelist() if ".dist-info/licenses/" in name]
        texts = [
            f"{name.partition('/licenses/')[2]}\n\n{archive.read(name).decode()}" for name in found
        ]
    rule = f"\n{'-' * 78}\n\n"
    return rule.join([NOTICE, *texts]).encode()


def _locked(name: str, version: str, file: RuntimeFile, depends: list[str]) -> dict[str, object]:
    return {
        "name": name,
        "version": version,
        "file_name": file.name,
        "sha256": file.sha256,
        "install_dir": "site",
        "package_type": "package",
        "imports": [name],
        "depends": depends,
        "unvendored_tests": False,
    }


def _described(name: str, content: bytes) -> RuntimeFile:
    return RuntimeFile(name, len(content), hashlib.sha256(content).hexdigest())


def _record_hash(data: bytes) -> str:
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest())
    return f"sha256={digest.decode().rstrip('=')}"


def _short(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:12]


def _json(data: object) -> bytes:
    return json.dumps(data, separators=(",", ":")).encode()
