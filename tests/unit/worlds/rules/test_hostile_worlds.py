"""Whatever lies in a world folder: it opens, is judged in sentences, and its fixes can be applied."""

import json
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from formats.finding import FIELD
from formats.stable_json import write_json
from tests.support.world_strategies import json_values
from tests.support.worlds import rich_world
from worlds.rules import LoadedWorld, check_world, load_files
from worlds.rules.fixes import apply_fix, smallest_fixes
from worlds.rules.mend import mend

RICH = rich_world()
DOCUMENTS = sorted(path for path in RICH if path.endswith(".json"))


def judged(files: dict[str, bytes]) -> LoadedWorld:
    """Load, check, mend and fix; everything told must be complete and storable."""
    loaded = load_files(files)
    findings = check_world(loaded)
    mended = mend(loaded)
    for finding in (*findings, *mended.notes):
        assert set(FIELD.findall(finding.message + finding.hint)) <= set(finding.args), finding
        write_json(finding.to_json()).encode()
    after = check_world(loaded.changed(mended.documents))
    assert not [found for found in after if found.code == "dangling-reference"]
    for finding in findings:
        for fix in smallest_fixes(loaded, finding):
            answer = fix.choices[0].value if fix.choices else "An answer."
            changes = apply_fix(loaded, fix, answer)
            load_files({path: data for path, data in (files | changes).items() if data is not None})
    return loaded


unhurried = settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow])
"""Other work on the machine must not fail a test."""


@st.composite
def changed_documents(draw: st.DrawFn) -> tuple[str, bytes]:
    """One document of the rich world with a value somewhere in it replaced, removed or added."""
    path = draw(st.sampled_from(DOCUMENTS))
    value = json.loads(RICH[path])
    at: Any = value
    while True:
        keys = list(at) if isinstance(at, dict) else list(range(len(at)))
        key = draw(st.sampled_from(keys))
        if not (isinstance(at[key], dict | list) and at[key] and draw(st.booleans())):
            break
        at = at[key]
    what = draw(st.sampled_from(["replace", "remove", "twice"]))
    if what == "replace":
        at[key] = draw(json_values | st.sampled_from(["无", "..", "沈青", "images/x", "${a}", -1, 10**400]))
    elif what == "remove":
        del at[key]
    elif isinstance(at, list):
        at.append(at[key])
    return path, json.dumps(value, ensure_ascii=False).encode()


@unhurried
@given(st.lists(changed_documents(), min_size=1, max_size=3))
def test_a_world_with_some_values_changed(changes: list[tuple[str, bytes]]) -> None:
    judged(RICH | dict(changes))


odd_paths = st.sampled_from(
    [
        *DOCUMENTS,
        "prompts/en/roleplay/style.md",
        "characters/../x.json",
        "characters/.json",
        "/",
        "",
        "a\ud800",
    ]
) | st.text(max_size=12)


@unhurried
@given(st.dictionaries(odd_paths, st.binary(max_size=40), max_size=4))
def test_a_world_of_rubbish(files: dict[str, bytes]) -> None:
    judged(RICH | files)
    judged(files)


@unhurried
@given(st.sampled_from(DOCUMENTS), st.data())
def test_a_world_with_a_file_cut_off_or_overwritten(path: str, data: st.DataObject) -> None:
    whole = RICH[path]
    cut = data.draw(st.integers(0, len(whole.rstrip()) - 1))
    tail = data.draw(st.sampled_from([b"", b"\0" * 64, b"\xff", b"}" * 300, b"[" * 300]))
    loaded = judged(RICH | {path: whole[:cut] + tail})
    assert any(found.where.startswith(path) for found in loaded.findings)
