"""The commands of scripts/dev.py: what they need, what they start, and how they end.

Installers and servers are small stand-ins here, real programs that are really started.
"""

import ast
import importlib.util
import os
import re
import socket
import stat
import subprocess
import sys
import tomllib
import urllib.request
from gzip import decompress
from pathlib import Path

import pytest

import bench
import browser
import dev
import environment
from console import Steps, Stop
from environment import Environment
from measurements.figures import Bench, CannotMeasure, Figure
from measurements.project import copy_of
from measurements.web_server import served

ROOT = Path(__file__).resolve().parent.parent
SCRIPTS = ROOT / "scripts"
BARE_PYTHON_MODULES = ("dev", "console", "environment", "browser", "new_lesson", "new_demo")

MADE_FROM = ("requirements.build.lock", "requirements.lock", "pyproject.toml")

LOCK = """\
click==8.5.1 \\
    --hash=sha256:aa
    # via mkdocs
colorama==0.4.6 ; sys_platform == 'win32' \\
    --hash=sha256:bb
numpy==2.4.3 \\
    --hash=sha256:cc
"""


def program(path: Path, body: str) -> Path:
    """Write an executable Python script."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!{sys.executable}\n{body}", encoding="utf-8")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


# Python: which one, and that nothing else is needed


@pytest.mark.parametrize("version", [(3, 11), (3, 12), (3, 13)])
def test_pythons_that_the_packages_exist_for_pass(version: tuple[int, int]) -> None:
    environment.check_python(version)


@pytest.mark.parametrize("version", [(3, 10), (3, 14), (2, 7), (4, 0)])
def test_other_pythons_are_refused_with_what_is_wanted_and_what_came(
    version: tuple[int, int],
) -> None:
    with pytest.raises(Stop) as caught:
        environment.check_python(version)
    sentence = str(caught.value)
    assert "Python 3.11 to 3.13" in sentence
    assert f"this is Python {version[0]}.{version[1]}:" in sentence


def test_a_fitting_python_on_the_machine_is_named() -> None:
    with pytest.raises(Stop, match=r"start this command with python3\.12"):
        environment.check_python((3, 9), ["python3.12", "python3.11"])


def test_the_accepted_pythons_are_those_of_the_package() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    oldest, newest = environment.OLDEST_PYTHON, environment.NEWEST_PYTHON
    expected = f">={oldest[0]}.{oldest[1]},<{newest[0]}.{newest[1] + 1}"
    assert project["requires-python"] == expected


def test_the_command_under_an_old_python_ends_with_one_sentence() -> None:
    pretend = (
        "import runpy, sys; sys.version_info = (3, 9, 2, 'final', 0);"
        f"sys.path.insert(0, {str(SCRIPTS)!r}); sys.argv = ['dev.py', 'build'];"
        f"runpy.run_path({str(SCRIPTS / 'dev.py')!r}, run_name='__main__')"
    )
    answer = subprocess.run([sys.executable, "-c", pretend], capture_output=True, text=True)
    assert answer.returncode == 1
    assert answer.stderr == ""
    (line,) = answer.stdout.splitlines()
    assert line.startswith("dev.py: qkvdocs needs Python 3.11 to 3.13, and this is Python 3.9")


@pytest.mark.parametrize("name", BARE_PYTHON_MODULES)
def test_an_old_python_can_read_the_command_so_far_as_to_say_so(name: str) -> None:
    source = (SCRIPTS / f"{name}.py").read_text(encoding="utf-8")
    ast.parse(source, feature_version=(3, 8))
    assert "from __future__ import annotations" in source


@pytest.mark.parametrize("name", BARE_PYTHON_MODULES)
def test_the_command_imports_nothing_but_the_standard_library(name: str) -> None:
    tree = ast.parse((SCRIPTS / f"{name}.py").read_text(encoding="utf-8"))
    imported = {
        alias.name.split(".")[0]
        for node in ast.walk(tree)
        if isinstance(node, ast.Import)
        for alias in node.names
    } | {
        str(node.module).split(".")[0]
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
    }
    assert imported <= {*sys.stdlib_module_names, *BARE_PYTHON_MODULES}


# The environment


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    root.mkdir()
    (root / "requirements.lock").write_text(LOCK, encoding="utf-8")
    (root / "requirements.build.lock").write_text("setuptools==1\n", encoding="utf-8")
    (root / "pyproject.toml").write_text("[project]\n", encoding="utf-8")
    return root


@pytest.fixture
def made(project: Path) -> Environment:
    """An environment that a stand-in for uv makes; it notes what it was asked for."""
    uv = program(
        project.parent / "uv",
        f"""\
import os, pathlib, sys
asked = sys.argv[1:]
with open({str(project.parent / "asked")!r}, "a") as notes:
    print(*asked, file=notes)
if asked[0] == "venv":
    folder = pathlib.Path(asked[-1], "bin")
    folder.mkdir(parents=True)
    (folder / "python").symlink_to({sys.executable!r})
sys.exit(os.environ.get("UV_FAILS_AT") in asked)
""",
    )
    return Environment(project, str(uv))


def asked(project: Path) -> list[str]:
    """What uv was asked for since the last call, in its first two words."""
    notes = project.parent / "asked"
    lines = notes.read_text(encoding="utf-8").splitlines() if notes.exists() else []
    notes.unlink(missing_ok=True)
    return [" ".join(line.split()[:2]) for line in lines]


def test_the_environment_is_made_once(made: Environment) -> None:
    made.ensure()
    assert asked(made.root) == ["venv --quiet", "pip install", "pip sync", "pip install"]
    made.ensure()
    assert asked(made.root) == []


@pytest.mark.parametrize("name", MADE_FROM)
def test_a_change_of_what_it_is_made_from_installs_again_in_the_same_environment(
    made: Environment, name: str
) -> None:
    made.ensure()
    asked(made.root)
    with (made.root / name).open("a") as file:
        file.write("# changed\n")
    made.ensure()
    assert asked(made.root) == ["pip install", "pip sync", "pip install"]
    made.ensure()
    assert asked(made.root) == []


def test_a_broken_environment_is_made_anew(made: Environment) -> None:
    made.ensure()
    asked(made.root)
    made.python.unlink()
    made.ensure()
    assert asked(made.root)[0] == "venv --quiet"


def test_a_moved_environment_is_made_anew(made: Environment) -> None:
    made.ensure()
    asked(made.root)
    moved = Environment(made.root.rename(made.root.with_name("moved")), made.uv)
    moved.ensure()
    assert asked(moved.root)[0] == "venv --quiet"
    assert f"folder {moved.root}\n" in moved.stamp.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("step", "sentence"),
    [
        ("venv", "environment .venv could not be made"),
        ("requirements.build.lock", "pinned packages could not be installed"),
        ("sync", "pinned packages could not be installed"),
        ("--editable", "qkvdocs itself could not be installed"),
    ],
)
def test_a_failed_installation_says_what_failed_and_is_done_again(
    made: Environment, monkeypatch: pytest.MonkeyPatch, step: str, sentence: str
) -> None:
    monkeypatch.setenv("UV_FAILS_AT", step)
    with pytest.raises(Stop, match=sentence):
        made.ensure()
    assert not made.stamp.exists()
    asked(made.root)
    monkeypatch.delenv("UV_FAILS_AT")
    made.ensure()
    assert "pip sync" in asked(made.root)


@pytest.mark.parametrize("name", MADE_FROM)
def test_an_incomplete_checkout_is_named(made: Environment, name: str) -> None:
    (made.root / name).unlink()
    with pytest.raises(Stop, match=rf"{name} is missing .* take a complete checkout"):
        made.ensure()


@pytest.mark.parametrize("lock", [b"", b"\xff\xfe\x00", b"<<<<<<< ours\n"])
def test_a_lock_that_pins_nothing_is_refused(made: Environment, lock: bytes) -> None:
    (made.root / "requirements.lock").write_bytes(lock)
    with pytest.raises(Stop, match=r"requirements\.lock in .* pins no package"):
        made.ensure()
    assert not made.stamp.exists()


def test_a_python_without_ensurepip_says_how_to_get_it(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(Stop, match="apt-get install python3-venv"):
        Environment(project, uv=None).ensure()
    assert not (project / ".venv").exists()


@pytest.mark.parametrize("uv", [None, "/usr/bin/uv"])
def test_only_hashed_packages_are_installed_and_the_project_asks_for_no_others(
    project: Path, uv: str | None
) -> None:
    *pinned, itself = Environment(project, uv).install_commands()
    assert all("--require-hashes" in command for command in pinned)
    assert [command[-1] for command in pinned] == ["requirements.build.lock", "requirements.lock"]
    assert {"--no-deps", "--no-build-isolation"} <= set(itself)
    assert itself[-2:] == ["--editable", "."]


@pytest.mark.parametrize("uv", [None, "/usr/bin/uv"])
def test_nothing_is_built_with_tools_that_no_lock_pins(project: Path, uv: str | None) -> None:
    for command in Environment(project, uv).install_commands():
        assert "--no-build-isolation" in command


def test_the_lock_of_build_tools_pins_what_the_project_says() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    lock = (ROOT / "requirements.build.lock").read_text(encoding="utf-8")
    assert re.findall(r"^\S+==\S+", lock, re.MULTILINE) == project["dependency-groups"]["build"]


def test_pips_output_tells_how_far_it_is() -> None:
    pins = environment.pins_by_line(LOCK)
    assert pins == {1: "click", 4: "colorama", 6: "numpy"}
    for line in (
        "Collecting numpy==2.4.3 (from -r requirements.lock (line 6))\n",
        "Processing ./numpy.whl (from -r requirements.lock (line 6))\n",
        "Requirement already satisfied: numpy (from -r requirements.lock (line 6)) (2.4.3)\n",
    ):
        assert environment.progress(line, pins) == "3 of 3: numpy"
    assert environment.progress("  Using cached numpy.whl\n", pins) is None


# The browser

STARTS = "print('Chromium 1')"
FAILS = "import sys; sys.exit('this command needs a snap')"


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder that is all of PATH."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    monkeypatch.delenv("CHROMIUM", raising=False)
    return folder


@pytest.fixture
def playwright(path: Path) -> Path:
    """A stand-in for the environment's Python: Playwright can install a browser."""
    home = path.parent / "playwright"
    return program(
        path.parent / "python",
        f"""\
import pathlib, sys
chromium = pathlib.Path({str(home / "chromium")!r})
if sys.argv[1:] == ["-m", "playwright", "install", "chromium"]:
    chromium.parent.mkdir()
    chromium.write_text("#!{sys.executable}\\n{STARTS}")
    chromium.chmod(0o755)
else:
    print(chromium)
""",
    )


def as_user(monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: number)


def test_a_browser_of_the_system_is_taken(path: Path, playwright: Path) -> None:
    found = program(path / "google-chrome", STARTS)
    assert browser.ensure(playwright) == found


def test_a_browser_that_does_not_start_is_passed_over(path: Path, playwright: Path) -> None:
    program(path / "chromium-browser", FAILS)
    found = program(path / "chrome", STARTS)
    assert browser.ensure(playwright) == found


def test_the_chosen_browser_goes_first(
    path: Path, playwright: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program(path / "chromium", STARTS)
    chosen = program(path.parent / "mine", STARTS)
    monkeypatch.setenv("CHROMIUM", str(chosen))
    assert browser.ensure(playwright) == chosen


def test_a_chosen_browser_that_does_not_start_is_no_reason_to_take_another(
    path: Path, playwright: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program(path / "chromium", STARTS)
    monkeypatch.setenv("CHROMIUM", str(path / "missing"))
    with pytest.raises(Stop, match=r"CHROMIUM is set to .*missing, which does not start"):
        browser.ensure(playwright)


def test_the_browser_without_a_window_is_taken_before_the_one_with(
    path: Path, playwright: Path
) -> None:
    program(path / "chromium", STARTS)
    found = program(path / "chromium-headless-shell", STARTS)
    assert browser.ensure(playwright) == found


@pytest.mark.parametrize("has", [("chromium", "chromium-headless-shell"), ("chromium",)])
def test_root_on_debian_gets_debians_browser(
    path: Path, playwright: Path, monkeypatch: pytest.MonkeyPatch, has: tuple[str, ...]
) -> None:
    as_user(monkeypatch, 0)
    program(
        path / "apt-get",
        f"""\
import pathlib, sys
if "install" in sys.argv and sys.argv[-1] in {has!r}:
    chromium = pathlib.Path({str(path)!r}, sys.argv[-1])
    chromium.write_text("#!{sys.executable}\\n{STARTS}")
    chromium.chmod(0o755)
""",
    )
    assert browser.ensure(playwright) == path / has[-1]


def test_root_gets_playwrights_browser_when_apt_has_none(
    path: Path, playwright: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    as_user(monkeypatch, 0)
    program(path / "apt-get", FAILS)
    assert browser.ensure(playwright) == path.parent / "playwright" / "chromium"


def test_others_get_playwrights_browser(
    path: Path, playwright: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    as_user(monkeypatch, 1000)
    program(path / "apt-get", "raise SystemExit('only root may')")
    assert browser.ensure(playwright) == path.parent / "playwright" / "chromium"


def test_no_browser_at_all_ends_with_one_sentence(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    as_user(monkeypatch, 1000)
    without_playwright = program(path.parent / "python", FAILS)
    with pytest.raises(Stop, match="none was found and none could be installed; install Chromium"):
        browser.ensure(without_playwright)


# The commands


class Started:
    """Takes the place of the environment, and of the programs that a command starts."""

    def __init__(self) -> None:
        self.commands: list[list[str]] = []
        self.settings: list[dict[str, str]] = []
        self.codes: dict[str, int] = {}

    def run(self, command: list[str], settings: dict[str, str] | None = None) -> int:
        self.commands.append(command)
        self.settings.append(settings or {})
        return next((code for word, code in self.codes.items() if word in command), 0)


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Started:
    started = Started()
    monkeypatch.setattr(dev, "_ready_environment", lambda: Environment(tmp_path, None))
    monkeypatch.setattr(dev, "_run", started.run)
    monkeypatch.setattr(browser, "ensure", lambda python: Path("/opt/chromium"))
    return started


def test_the_test_command_checks_style_and_types_before_the_tests(started: Started) -> None:
    assert dev.main(["test"]) == 0
    modules = [" ".join(command[2:5]) for command in started.commands if command[1] == "-m"]
    types = [" ".join(command) for command in dev.type_checks(ROOT)]
    assert modules == ["ruff check .", "ruff format --check", *types, "pytest -n 2"]


@pytest.mark.parametrize("command", ["build", "test"])
def test_python_for_the_browser_is_fetched_before_anything_is_built(
    started: Started, command: str
) -> None:
    dev.main([command])
    assert started.commands[0][1].endswith("runtime.py")


def test_a_build_goes_on_without_python_for_the_browser_and_says_so(
    started: Started, capsys: pytest.CaptureFixture[str]
) -> None:
    started.codes = {str(dev.ROOT / "scripts" / "runtime.py"): 1}
    assert dev.main(["build"]) == 0
    assert "Without Python for the browser" in capsys.readouterr().out


def test_the_tests_are_told_the_browser(started: Started) -> None:
    dev.main(["test"])
    assert started.settings[-1] == {"QKVDOCS_CHROMIUM": "/opt/chromium"}


def test_further_arguments_go_to_pytest_in_their_order(started: Started) -> None:
    dev.main(["test", "-k", "mask", "tests/test_attention.py", "-x", "--lf"])
    expected = ["-k", "mask", "tests/test_attention.py", "-x", "--lf"]
    assert started.commands[-1][-5:] == expected


def test_the_test_command_says_how_far_it_is(
    started: Started, capsys: pytest.CaptureFixture[str]
) -> None:
    dev.main(["test"])
    said = [line for line in capsys.readouterr().out.splitlines() if line.startswith("[")]
    assert said == [
        "[1/6] environment",
        "[2/6] browser",
        "[3/6] ruff check",
        "[4/6] ruff format --check",
        "[5/6] mypy",
        "[6/6] pytest",
    ]


@pytest.mark.parametrize("broken", ["check", "format", "mypy"])
def test_a_failed_check_fails_the_command_after_the_tests_ran(
    started: Started, capsys: pytest.CaptureFixture[str], broken: str
) -> None:
    started.codes = {broken: 1}
    assert dev.main(["test"]) != 0
    assert "pytest" in started.commands[-1]
    last = capsys.readouterr().out.splitlines()[-1]
    assert last.startswith("Not passed before pytest: ")
    assert broken in last


def test_the_exit_code_of_pytest_is_that_of_the_command(started: Started) -> None:
    started.codes = {"pytest": 5}
    assert dev.main(["test"]) == 5


def test_build_is_strict_and_says_where_it_wrote(
    started: Started, capsys: pytest.CaptureFixture[str]
) -> None:
    assert dev.main(["build"]) == 0
    assert started.commands[-1][2:] == ["mkdocs", "build", "--strict"]
    assert str(ROOT / "site") in capsys.readouterr().out


def test_a_failed_build_fails_the_command(
    started: Started, capsys: pytest.CaptureFixture[str]
) -> None:
    started.codes = {"mkdocs": 1}
    assert dev.main(["build"]) == 1
    assert "Written" not in capsys.readouterr().out


@pytest.mark.parametrize("address", ["https://example.org/qkv", "https://example.org/qkv/"])
def test_the_address_to_publish_under_ends_with_one_slash(started: Started, address: str) -> None:
    dev.main(["build", "--site-url", address])
    assert started.settings[-1] == {"QKV_SITE_URL": "https://example.org/qkv/"}


def test_the_configuration_reads_the_address_to_publish_under() -> None:
    assert "!ENV [QKV_SITE_URL," in (ROOT / "mkdocs.yml").read_text(encoding="utf-8")


def test_bench_without_a_browser_measures_the_rest(
    started: Started, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def none(python: Path) -> Path:
        raise Stop("No browser.")

    monkeypatch.setattr(browser, "ensure", none)
    assert dev.main(["bench", "build_time"]) == 0
    assert started.commands[0][1:] == [str(SCRIPTS / "bench.py"), "build_time"]
    assert started.settings == [{}]
    assert "No browser." in capsys.readouterr().out


def test_an_unknown_command_is_refused_with_the_known_ones(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit) as caught:
        dev.main(["deploy"])
    assert caught.value.code == 2
    said = capsys.readouterr().err
    assert "'deploy'" in said
    assert all(name in said for name in ("serve", "build", "test", "bench"))


def test_the_help_lists_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        dev.main(["--help"])
    said = capsys.readouterr().out
    for command in dev.COMMANDS:
        assert f"{command.__name__.replace('_', '-')}  " in said
        assert str(command.__doc__) in said


def test_a_stopped_command_says_why_in_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def stopped() -> Environment:
        raise Stop("Something is missing: bring it.")

    monkeypatch.setattr(dev, "_ready_environment", stopped)
    assert dev.main(["build"]) == 1
    assert capsys.readouterr().out == "dev.py: Something is missing: bring it.\n"


def test_no_command_lists_them(capsys: pytest.CaptureFixture[str]) -> None:
    assert dev.main([]) == 2
    said = capsys.readouterr().out
    assert all(word in said for word in ("serve", "build", "test", "new-lesson", "new-demo"))


@pytest.mark.parametrize(
    "argument", ["tests/contents", "tests/test_nothing.py::test_a", "test_nothing.py"]
)
def test_a_path_without_tests_is_said_before_anything_runs(argument: str) -> None:
    name = argument.split("::")[0]
    with pytest.raises(Stop, match=f"wanted a file or a folder of tests; got {name}, "):
        dev.check_paths(ROOT, ["-q", "tests/content", argument, "-k", "mask"])


def test_paths_with_tests_and_options_pass() -> None:
    dev.check_paths(ROOT, ["-q", "tests/content", "tests/test_dev.py::test_a", "-k", "mask"])


def test_each_module_of_a_demo_is_checked_for_its_types(tmp_path: Path) -> None:
    # No two of these may be in one run: without a package both are the module data.
    for name in ("mask", "self-attention", "one-more"):
        folder = tmp_path / "qkvdocs" / "demos" / name
        folder.mkdir(parents=True)
        (folder / "data.py").touch()
    assert dev.type_checks(tmp_path) == [
        ("mypy",),
        ("mypy", "qkvdocs/demos/one-more/data.py"),
        ("mypy", "qkvdocs/demos/self-attention/data.py"),
    ]
    left_out = re.compile(
        tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["mypy"]["exclude"]
    )
    assert left_out.search("qkvdocs/demos/one-more/data.py")
    assert not left_out.search("qkvdocs/demos/mask/data.py")


def test_a_taken_port_is_passed_over() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert dev.free_port(port) > port


@pytest.mark.parametrize("port", [-5, 0, 65536, 99999])
def test_a_port_that_is_none_is_refused(port: int) -> None:
    with pytest.raises(Stop, match=f"from 1 to 65535; got {port}: "):
        dev.free_port(port)


def test_serve_gives_the_address_of_each_language_below_the_sites_path(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    mkdocs = program(
        tmp_path / "python",
        "import sys\n"
        "address = sys.argv[sys.argv.index('--dev-addr') + 1]\n"
        "print(f'INFO - Serving on http://{address}/qkv/')\n",
    )
    monkeypatch.setattr(Environment, "python", mkdocs)
    monkeypatch.setattr(dev, "_ready_environment", lambda: Environment(tmp_path, None))
    port = dev.free_port(20000)
    assert dev.main(["serve", "--port", str(port)]) == 0
    said = capfd.readouterr().out
    assert f"中文     http://127.0.0.1:{port}/qkv/\n" in said
    assert f"English  http://127.0.0.1:{port}/qkv/en/\n" in said


def test_ending_serve_ends_the_server(tmp_path: Path) -> None:
    started = (
        "import sys; sys.path.insert(0, sys.argv[1]); import dev;"
        "sys.exit(dev._run_server([sys.executable, '-c',"
        " 'import os, time; print(os.getpid(), flush=True); time.sleep(600)']))"
    )
    with subprocess.Popen(
        [sys.executable, "-c", started, str(SCRIPTS)],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as command:
        assert command.stdout is not None
        server = int(command.stdout.readline())
        command.terminate()
        command.wait(timeout=60)
    with pytest.raises(ProcessLookupError):
        os.kill(server, 0)


def test_ci_runs_the_test_command_from_the_projects_folder(
    path: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", f"{path}{os.pathsep}{os.defpath}")
    program(path / "python3", "import os, sys; print(os.getcwd(), *sys.argv[1:]); sys.exit(3)")
    answer = subprocess.run([ROOT / ".ci" / "run"], cwd=tmp_path, capture_output=True, text=True)
    assert answer.stdout == f"{ROOT} scripts/dev.py test\n"
    assert answer.returncode == 3


def test_the_workflow_names_each_action_by_its_commit_and_release() -> None:
    workflow = (ROOT / ".github" / "workflows" / "site.yml").read_text(encoding="utf-8")
    actions = re.findall(r"uses: (.*)", workflow)
    pinned = re.compile(r"[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+")
    assert actions
    assert [action for action in actions if not pinned.fullmatch(action)] == []


def test_steps_are_numbered(capsys: pytest.CaptureFixture[str]) -> None:
    steps = Steps(2)
    steps.begin("one")
    steps.begin("two")
    assert capsys.readouterr().out == "[1/2] one\n[2/2] two\n"


# The measurements


def test_a_measurement_that_cannot_run_leaves_the_others(
    capsys: pytest.CaptureFixture[str],
) -> None:
    def missing(_: Bench) -> list[Figure]:
        raise CannotMeasure("there is no node on PATH")

    def fine(_: Bench) -> list[Figure]:
        return [Figure("a build", 2.0, "s")]

    figures, left_out = bench.measure([missing, fine], browser=None)
    assert figures == [Figure("a build", 2.0, "s")]
    assert left_out == {"missing": "there is no node on PATH"}
    assert "not measured: there is no node on PATH" in capsys.readouterr().out


def test_measurements_can_be_chosen_by_name(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def first(_: Bench) -> list[Figure]:
        return [Figure("one", 1.0, "s", at_most=0.5)]

    def second(_: Bench) -> list[Figure]:
        return [Figure("two", 100.0, "", at_least=100)]

    monkeypatch.setattr(bench, "MEASUREMENTS", (first, second))
    monkeypatch.setattr(bench, "ROOT", tmp_path)
    assert bench.main(["second"]) == 0
    said = capsys.readouterr().out
    assert "[1/1] second" in said
    assert said.splitlines()[-3].split() == ["two", "100", "≥", "100", "met"]
    assert '"name": "two"' in (tmp_path / "bench" / "latest.json").read_text(encoding="utf-8")


def test_an_unknown_measurement_is_refused_with_the_known_ones(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert bench.main(["speed"]) == 2
    said = capsys.readouterr().out
    assert all(measurement.__name__ in said for measurement in bench.MEASUREMENTS)


@pytest.mark.parametrize(
    ("figure", "verdict"),
    [
        (Figure("", 2.0, "", at_most=2.0), "met"),
        (Figure("", 2.1, "", at_most=2.0), "missed"),
        (Figure("", 100, "", at_least=100), "met"),
        (Figure("", 99, "", at_least=100), "missed"),
        (Figure("", 99, ""), ""),
    ],
)
def test_a_figure_is_held_to_its_goal(figure: Figure, verdict: str) -> None:
    assert figure.verdict == verdict


def test_a_copy_to_measure_in_has_the_sources_and_nothing_made(tmp_path: Path) -> None:
    root = tmp_path / "project"
    for name in (
        "mkdocs.yml",
        "qkvdocs/site/plugin.py",
        "qkvdocs/site/__pycache__/plugin.pyc",
        "site/index.html",
        "site.building/index.html",
        ".cache/figure.svg",
        ".venv/bin/python",
        "bench/latest.json",
    ):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).touch()
    copy = copy_of(root, tmp_path / "copy")
    files = {path.relative_to(copy).as_posix() for path in copy.rglob("*") if path.is_file()}
    assert files == {"mkdocs.yml", "qkvdocs/site/plugin.py"}


def test_the_server_compresses_text_and_counts_what_it_sends(tmp_path: Path) -> None:
    page, font = b"<p>query</p>" * 500, bytes(range(256))
    (tmp_path / "index.html").write_bytes(page)
    (tmp_path / "maths.woff2").write_bytes(font)

    def read(address: str) -> bytes:
        request = urllib.request.Request(address, headers={"Accept-Encoding": "gzip"})
        with urllib.request.urlopen(request, timeout=30) as answer:
            return bytes(answer.read())

    with served(tmp_path) as server:
        packed = read(f"{server.base}/")
        assert decompress(packed) == page
        assert len(packed) < len(page)
        assert read(f"{server.base}/maths.woff2") == font
        assert server.sent == {"/": len(packed), "/maths.woff2": len(font)}


@pytest.mark.parametrize("address", ["/missing", "/../secret", "/%2e%2e/secret"])
def test_the_server_gives_nothing_from_outside_the_site(tmp_path: Path, address: str) -> None:
    (tmp_path / "secret").write_text("secret", encoding="utf-8")
    site = tmp_path / "site"
    site.mkdir()
    with served(site) as server, socket.create_connection(("127.0.0.1", server.server_port)) as s:
        s.sendall(f"GET {address} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode())
        answer = b"".join(iter(lambda: s.recv(4096), b""))
    assert answer.startswith(b"HTTP/1.1 404")
    assert b"secret" not in answer
