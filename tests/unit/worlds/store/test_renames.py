import errno
from pathlib import Path

import pytest

from worlds.store import renames


@pytest.fixture(params=["kernel", "fallback"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    if request.param == "fallback":
        monkeypatch.setattr(renames, "_renameat2", lambda source, target: errno.EINVAL)
    return str(request.param)


@pytest.mark.usefixtures("way")
def test_a_file_or_folder_moves_to_a_free_name(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"1")
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "x").write_bytes(b"2")
    renames.rename_noreplace(tmp_path / "file", tmp_path / "莉娜")
    renames.rename_noreplace(tmp_path / "folder", tmp_path / "moved")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["moved", "莉娜"]


@pytest.mark.usefixtures("way")
@pytest.mark.parametrize("source", ["file", "folder"])
@pytest.mark.parametrize("target", ["taken-file", "taken-folder", "empty-folder"])
def test_nothing_is_ever_replaced(tmp_path: Path, source: str, target: str) -> None:
    (tmp_path / "file").write_bytes(b"1")
    (tmp_path / "folder").mkdir()
    (tmp_path / "taken-file").write_bytes(b"kept")
    (tmp_path / "taken-folder").mkdir()
    (tmp_path / "taken-folder" / "x").write_bytes(b"kept")
    (tmp_path / "empty-folder").mkdir()
    with pytest.raises(FileExistsError):
        renames.rename_noreplace(tmp_path / source, tmp_path / target)
    assert (tmp_path / source).exists()
    assert (tmp_path / "taken-file").read_bytes() == b"kept"
    assert (tmp_path / "taken-folder" / "x").read_bytes() == b"kept"


@pytest.mark.usefixtures("way")
def test_a_missing_source_is_said(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        renames.rename_noreplace(tmp_path / "gone", tmp_path / "b")
