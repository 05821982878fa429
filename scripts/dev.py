"""All commands of the project: ``python3 scripts/dev.py serve | build | test | bench | …``.

Needs Python alone. Each command is one function of its arguments that returns the exit code;
a new one is written below and added to COMMANDS.
"""

from __future__ import annotations

import argparse
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import browser
from console import Steps, Stop, say
from environment import Environment, check_python, fitting_pythons
from new_demo import write_demo

ROOT = Path(__file__).resolve().parent.parent


def type_checks(root: Path) -> list[tuple[str, ...]]:
    """mypy for the project, and for each file that its settings leave out."""
    apart = sorted((root / "qkvdocs" / "demos").glob("*-*/data.py"))
    return [("mypy",), *(("mypy", path.relative_to(root).as_posix()) for path in apart)]


CHECKS: dict[str, list[tuple[str, ...]]] = {
    "ruff check": [("ruff", "check", ".")],
    "ruff format --check": [("ruff", "format", "--check", ".")],
    "mypy": type_checks(ROOT),
}
# One file stays in one process, so that what a file shares (a site, a browser) is made once.
PYTEST = ("pytest", "-n", "2", "--dist", "loadfile")

_SERVING = re.compile(r"Serving on (http://\S+)")


def serve(arguments: Sequence[str]) -> int:
    """serve both languages, and again after each change of a file"""
    parser = _parser(serve)
    parser.add_argument("--port", type=int, default=8000, help="default 8000; if taken, the next")
    port = free_port(parser.parse_args(arguments).port)
    environment = _ready_environment()
    _fetch_runtime(environment)
    say("Building both languages; the address follows")
    command = _module(environment, "mkdocs", "serve", "--livereload")
    return _run_server([*command, "--dev-addr", f"127.0.0.1:{port}"])


def build(arguments: Sequence[str]) -> int:
    """write both languages to site/"""
    parser = _parser(build)
    parser.add_argument("--site-url", help="the address it will be published under")
    site_url = parser.parse_args(arguments).site_url
    environment = _ready_environment()
    _fetch_runtime(environment)
    settings = {"QKV_SITE_URL": site_url.rstrip("/") + "/"} if site_url else {}
    code = _run(_module(environment, "mkdocs", "build", "--strict"), settings)
    say(f"Written to {ROOT / 'site'}" if code == 0 else "The build failed; the reason is above.")
    return code


def test(arguments: Sequence[str]) -> int:
    """run all that CI runs, or of the tests those named: test tests/content -k words"""
    _, for_pytest = _parser(test).parse_known_args(arguments)
    check_paths(ROOT, for_pytest)
    steps = Steps(3 + len(CHECKS))
    steps.begin("environment")
    environment = _ready_environment()
    steps.begin("browser")
    settings = {"QKVDOCS_CHROMIUM": str(browser.ensure(environment.python))}
    say(f"  {settings['QKVDOCS_CHROMIUM']}")
    _fetch_runtime(environment)
    failed = []
    for title, commands in CHECKS.items():
        steps.begin(title)
        if any([_run(_module(environment, *command)) for command in commands]):
            failed.append(title)
    steps.begin("pytest")
    code = _run(_module(environment, *PYTEST, *for_pytest), settings)
    if failed:
        say(f"Not passed before pytest: {', '.join(failed)}.")
    return code or len(failed)


def bench(arguments: Sequence[str]) -> int:
    """measure the site; prints a table and writes bench/latest.json"""
    parser = _parser(bench)
    parser.add_argument("only", nargs="*", help="names of measurements; all if left out")
    only = parser.parse_args(arguments).only
    environment = _ready_environment()
    settings = {}
    try:
        settings["QKVDOCS_CHROMIUM"] = str(browser.ensure(environment.python))
    except Stop as reason:
        say(str(reason))
    return _run([str(environment.python), str(ROOT / "scripts" / "bench.py"), *only], settings)


def new_lesson(arguments: Sequence[str]) -> int:
    """write both pages of a lesson, as a draft: new-lesson 04"""
    # Only here: it reads TOML, and so can't be read by a Python that is too old to say so.
    from new_lesson import write_lesson

    parser = _parser(new_lesson)
    parser.add_argument("number", help="two digits, as in qkvdocs/course.toml")
    named = "the name of the page, lower case with hyphens; if left out, the planned one"
    parser.add_argument("slug", nargs="?", help=named)
    chosen = parser.parse_args(arguments)
    for path in write_lesson(ROOT, chosen.number, chosen.slug):
        say(f"Written: {path.relative_to(ROOT).as_posix()}")
    say("A draft: serve shows it, build leaves it out until course.toml says published.")
    return 0


def new_demo(arguments: Sequence[str]) -> int:
    """write a working demo to start from: new-demo self-attention"""
    parser = _parser(new_demo)
    parser.add_argument("name", help="lower case with hyphens")
    name = parser.parse_args(arguments).name
    for path in write_demo(ROOT, name):
        say(f"Written: {path.relative_to(ROOT).as_posix()}")
    say(f"A page shows it with /// demo | {name} and, on the next line, ///.")
    return 0


COMMANDS: tuple[Callable[[Sequence[str]], int], ...] = (
    serve,
    build,
    test,
    bench,
    new_lesson,
    new_demo,
)


def main(arguments: Sequence[str]) -> int:
    commands = {command.__name__.replace("_", "-"): command for command in COMMANDS}
    listing = "\n".join(f"  {name:<12}{command.__doc__}" for name, command in commands.items())
    parser = argparse.ArgumentParser(
        prog="dev.py",
        description=f"commands:\n{listing}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("command", choices=commands, metavar="command", nargs="?")
    parser.add_argument("arguments", nargs=argparse.REMAINDER)
    chosen = parser.parse_args(arguments)
    if chosen.command is None:
        parser.print_help()
        return 2
    try:
        check_python(sys.version_info[:2], fitting_pythons())
        return commands[chosen.command](chosen.arguments)
    except Stop as reason:
        say(f"dev.py: {reason}")
        return 1
    except KeyboardInterrupt:
        return 130


def check_paths(root: Path, for_pytest: Sequence[str]) -> None:
    """Stop at a path that isn't there, whose name pytest's processes would keep to themselves."""
    for argument in for_pytest:
        path = argument.split("::")[0]
        is_path = not path.startswith("-") and ("/" in path or path.endswith(".py"))
        if is_path and not (root / path).exists():
            raise Stop(f"wanted a file or a folder of tests; got {path}, which isn't there.")


def free_port(preferred: int) -> int:
    """The first port from ``preferred`` on that nobody listens to."""
    if not 0 < preferred < 65536:
        raise Stop(f"wanted a port from 1 to 65535; got {preferred}: choose one with --port.")
    for port in range(preferred, min(preferred + 100, 65536)):
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
    raise Stop(f"No free port from {preferred} on: choose another one with --port.")


def addresses(base: str) -> str:
    base = base.rstrip("/")
    return f"\n  中文     {base}/\n  English  {base}/en/\n\n  Ctrl-C ends it.\n"


def _parser(command: Callable[[Sequence[str]], int]) -> argparse.ArgumentParser:
    return argparse.ArgumentParser(
        prog=f"dev.py {command.__name__.replace('_', '-')}",
        description=command.__doc__,
        allow_abbrev=False,
    )


def _ready_environment() -> Environment:
    environment = Environment.of(ROOT)
    environment.ensure()
    return environment


def _fetch_runtime(environment: Environment) -> None:
    """Fetch Python for the reader's browser; a site without it only has no Run buttons."""
    script, folder = ROOT / "scripts" / "runtime.py", ROOT / ".cache" / "runtime"
    if _run([str(environment.python), str(script), str(folder)]) != 0:
        say("  Without Python for the browser, whose files could not be fetched; see above")


def _module(environment: Environment, *module_and_arguments: str) -> list[str]:
    return [str(environment.python), "-m", *module_and_arguments]


def _variables(settings: dict[str, str]) -> dict[str, str]:
    # Material prints a banner about MkDocs 2 before every build; the versions here are pinned.
    return {**os.environ, "NO_MKDOCS_2_WARNING": "1", **settings}


def _run(command: Sequence[str], settings: dict[str, str] | None = None) -> int:
    return subprocess.run(command, cwd=ROOT, env=_variables(settings or {})).returncode


def _run_server(command: Sequence[str]) -> int:
    """Pass on what the server says until it ends or is told to, and add the addresses."""
    # So that a plain kill ends the server too, and not only this process.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with subprocess.Popen(
        command,
        cwd=ROOT,
        env=_variables({"PYTHONUNBUFFERED": "1"}),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
    ) as process:
        assert process.stdout is not None
        try:
            for line in process.stdout:
                say(line.rstrip("\n"))
                if serving := _SERVING.search(line):
                    say(addresses(serving[1]))
        finally:
            process.terminate()
    return process.returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
