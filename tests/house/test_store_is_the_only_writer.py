"""Nothing outside the store writes, moves or removes files: one place decides what is durable and locked.

Looks for calls by name, so a clever spelling could pass; it is there for honest mistakes.
"""

import ast
from pathlib import Path

import pytest

TOP = Path(__file__).parents[2]
ROOMS = ("roleplay", "importer", "lorebooks", "presets", "worlds", "portal", "llm", "net", "formats")

# Methods of Path and functions of os and shutil that write. `replace`, `rename` and `remove` are also names
# of methods of text and lists, so they count only on the modules os and shutil and on what is plainly a path.
ANYWHERE = frozenset(
    [
        "write_text",
        "write_bytes",
        "unlink",
        "rmdir",
        "mkdir",
        "makedirs",
        "rmtree",
        "touch",
        "symlink_to",
        "hardlink_to",
        "copyfile",
        "copytree",
        "copy2",
        "truncate",
        "ftruncate",
        "mkdtemp",
        "mkstemp",
        "NamedTemporaryFile",
        "TemporaryDirectory",
        "TemporaryFile",
        "extractall",
        "removedirs",
        "renames",
    ]
)
ON_MODULES = frozenset(
    ["replace", "rename", "remove", "link", "symlink", "copy", "move", "chmod", "write", "pwrite"]
)
MODULES = frozenset({"os", "shutil", "tempfile"})
WRITING_FLAGS = frozenset({"O_WRONLY", "O_RDWR", "O_CREAT", "O_TRUNC"})

ALLOWED: dict[str, set[str]] = {
    # secrets.env is made before there are settings, and is no document; the module may import no room above
    "roleplay/secret_store.py": {"os.open", "fdopen", "hardlink_to", "unlink"},
    # makes the data folder itself, the place where Django keeps uploads until they are staged, and an empty
    # database, before there are settings; the rights of all of them are its matter
    "roleplay/data_folder.py": {"mkdir", "os.open"},
    # the token of the first-run page; portal lies below worlds and may not import the store
    "portal/first_run.py": {"mkdir", "os.open", "fdopen", "unlink", "write_text"},
    # draws the sample cards of this repository; run by its developers, never by the program
    "importer/samples/make.py": {"mkdir", "write_bytes"},
    # writes the zip where the person at the shell said, outside of the data folder
    "worlds/management/commands/export_world.py": {"open"},
}


def calls(path: Path) -> set[str]:
    """The writing calls of a module, as `name`."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and (name := writing(node)):
            found.add(name)
    return found


def writing(call: ast.Call) -> str | None:
    function = call.func
    if isinstance(function, ast.Name):
        if function.id == "open" and opens_for_writing(call, position=1):
            return "open"
        return function.id if function.id in ANYWHERE else None
    if not isinstance(function, ast.Attribute):
        return None
    owner = function.value.id if isinstance(function.value, ast.Name) else ""
    if owner == "os" and function.attr == "open":
        named = {node.attr for node in ast.walk(call) if isinstance(node, ast.Attribute)}
        return "os.open" if named & WRITING_FLAGS else None
    if owner in MODULES and function.attr in ON_MODULES:
        return f"{owner}.{function.attr}"
    if function.attr in ("open", "fdopen") and opens_for_writing(
        call, position=int(function.attr == "fdopen")
    ):
        return function.attr
    if function.attr in ("rename", "replace") and any(
        isinstance(part, ast.BinOp) and isinstance(part.op, ast.Div) for part in (function.value, *call.args)
    ):
        return function.attr  # (folder / name).rename(...)
    return function.attr if function.attr in ANYWHERE else None


def opens_for_writing(call: ast.Call, position: int) -> bool:
    modes = [keyword.value for keyword in call.keywords if keyword.arg == "mode"]
    if len(call.args) > position:
        modes.append(call.args[position])
    return any(
        isinstance(mode, ast.Constant) and isinstance(mode.value, str) and set(mode.value) & set("wax+")
        and set(mode.value) <= set("rwaxbt+")
        for mode in modes
    )  # fmt: skip


OUTSIDE = [
    path
    for room in ROOMS
    for path in sorted((TOP / room).rglob("*.py"))
    if not path.is_relative_to(TOP / "worlds" / "store")
]


@pytest.mark.req("WORLD-1")
@pytest.mark.parametrize("path", OUTSIDE, ids=lambda path: str(path.relative_to(TOP)))
def test_no_module_outside_the_store_writes_files(path: Path) -> None:
    assert calls(path) - ALLOWED.get(str(path.relative_to(TOP)), set()) == set()


def test_every_exception_is_still_needed() -> None:
    unused = {name: allowed - calls(TOP / name) for name, allowed in ALLOWED.items()}
    assert {name: left for name, left in unused.items() if left} == {}


WRITES = """open(p, 'w')|open(p, mode='ab')|p.open('x')|open(p, 'r+b')|p.write_text('x')|p.write_bytes(b'')
p.unlink()|shutil.rmtree(p)|os.remove(p)|os.replace(a, b)|(a / 'b').rename(c)|p.mkdir()|rmtree(p)
os.open(p, os.O_WRONLY)|os.fdopen(fd, 'w')|tempfile.mkdtemp()""".replace("\n", "|")
READS = """open(p)|p.read_bytes()|text.replace('a', 'b')|items.remove(x)|open(p, 'rb')|os.open(p, os.O_RDONLY)
os.fdopen(fd, 'rb')|p.open()""".replace("\n", "|")


@pytest.mark.parametrize("code", WRITES.split("|"))
def test_the_look_finds_each_kind_of_writing(tmp_path: Path, code: str) -> None:
    (tmp_path / "module.py").write_text(code, encoding="utf-8")
    assert calls(tmp_path / "module.py")


@pytest.mark.parametrize("code", READS.split("|"))
def test_reading_is_not_writing(tmp_path: Path, code: str) -> None:
    (tmp_path / "module.py").write_text(code, encoding="utf-8")
    assert calls(tmp_path / "module.py") == set()
