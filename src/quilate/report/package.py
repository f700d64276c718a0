"""A package of files with a manifest of checksums, as a folder or a zip: written whole or not at all, and verified."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import stat
import tempfile
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from quilate.errors import UsageError
from quilate.report.evidence import PackedFile
from quilate.shown import visible

MANIFEST = "manifest.json"
SCHEMA = 1
MAX_MANIFEST_BYTES = 64 * 2**20
MAX_FILES = 1_000_000
_CHUNK = 1 << 20
_WHEN = (1980, 1, 1, 0, 0, 0)
"""The earliest date a zip can hold: the same files give the same bytes, whenever they are packed."""


@dataclass(frozen=True, slots=True)
class Verified:
    """What verifying came to. `digest` is the SHA-256 of the manifest, by which two people know they hold the same."""

    files: int
    digest: str | None
    problems: tuple[str, ...]


def write_package(files: Iterable[PackedFile], out: Path) -> str:
    """Writes a package to a new folder, or to a new zip where `out` ends in `.zip`; returns the manifest's SHA-256.

    Raises `UsageError` where something is there already, or it cannot be written; then nothing is left behind.
    """
    if out.exists() or out.is_symlink():
        message = f"{visible(str(out), 200)} is there already; remove it, or name another with -o"
        raise UsageError(message)
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        return _write_zip(files, out) if out.suffix.lower() == ".zip" else _write_folder(files, out)
    except OSError as error:
        message = f"{visible(str(out), 200)} cannot be written ({error.strerror}); name another place with -o"
        raise UsageError(message) from error


def _write_folder(files: Iterable[PackedFile], out: Path) -> str:
    work = Path(tempfile.mkdtemp(prefix=".quilate-evidence-", dir=out.parent))
    try:
        sums: dict[str, dict[str, Any]] = {}
        for file in files:
            place = work / file.name
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(file.content)
            _add(sums, file)
        manifest = _manifest(sums)
        (work / MANIFEST).write_bytes(manifest)
        work.chmod(0o755)
        work.rename(out)
    except BaseException:
        shutil.rmtree(work, ignore_errors=True)
        raise
    return hashlib.sha256(manifest).hexdigest()


def _write_zip(files: Iterable[PackedFile], out: Path) -> str:
    handle, name = tempfile.mkstemp(prefix=".quilate-evidence-", dir=out.parent)
    work = Path(name)
    try:
        sums: dict[str, dict[str, Any]] = {}
        with os.fdopen(handle, "wb") as stream, zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as packed:
            for file in files:
                packed.writestr(_entry(file.name), file.content, compresslevel=9)
                _add(sums, file)
            manifest = _manifest(sums)
            packed.writestr(_entry(MANIFEST), manifest, compresslevel=9)
        work.chmod(0o644)
        work.rename(out)
    except BaseException:
        work.unlink(missing_ok=True)
        raise
    return hashlib.sha256(manifest).hexdigest()


def _entry(name: str) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(name, _WHEN)
    entry.compress_type = zipfile.ZIP_DEFLATED
    entry.create_system = 3
    entry.external_attr = (stat.S_IFREG | 0o644) << 16
    return entry


def _add(sums: dict[str, dict[str, Any]], file: PackedFile) -> None:
    assert is_safe(file.name)
    assert file.name not in sums
    sums[file.name] = {"sha256": hashlib.sha256(file.content).hexdigest(), "bytes": len(file.content)}


def _manifest(sums: dict[str, dict[str, Any]]) -> bytes:
    return (json.dumps({"schema": SCHEMA, "files": sums}, indent=2, sort_keys=True) + "\n").encode()


def is_safe(name: str) -> bool:
    """Whether a name stays inside its package on every system: relative, no `..`, no drive, backslash or control."""
    path = PurePosixPath(name)
    return (
        bool(name)
        and name == str(path)
        and not path.is_absolute()
        and ".." not in path.parts
        and not any(char in name for char in '\\:*?"<>|')
        and name.isprintable()
    )


def verify_package(path: Path) -> Verified:
    """Whether a package is what its manifest says: every file there, unchanged, and no other. Extracts nothing.

    Raises `UsageError` where there is no package at `path`.
    """
    if path.is_dir():
        return _verify(_Folder(path))
    try:
        with zipfile.ZipFile(path) as packed:
            return _verify(_Zip(packed))
    except (OSError, zipfile.BadZipFile) as error:
        reason = (error.strerror if isinstance(error, OSError) else None) or "no zip file"
        message = f"{visible(str(path), 200)} is no evidence package ({reason}); name a folder or a zip"
        raise UsageError(message) from error


class _Folder:
    def __init__(self, root: Path) -> None:
        self._root = root

    def names(self) -> list[str]:
        found = []
        for folder, folders, files in os.walk(self._root):
            linked = [name for name in folders if (Path(folder) / name).is_symlink()]
            found += [(Path(folder) / name).relative_to(self._root).as_posix() for name in (*files, *linked)]
        return sorted(found)

    def regular(self, name: str) -> bool:
        return stat.S_ISREG((self._root / name).lstat().st_mode)

    def size(self, name: str) -> int:
        return (self._root / name).lstat().st_size

    def chunks(self, name: str) -> Iterator[bytes]:
        with (self._root / name).open("rb") as stream:
            while chunk := stream.read(_CHUNK):
                yield chunk


class _Zip:
    def __init__(self, packed: zipfile.ZipFile) -> None:
        self._packed = packed
        self._entries = {entry.filename: entry for entry in packed.infolist()}

    def names(self) -> list[str]:
        return [entry.filename for entry in self._packed.infolist() if not entry.is_dir()]

    def regular(self, name: str) -> bool:
        kind = stat.S_IFMT(self._entries[name].external_attr >> 16)
        return kind in (0, stat.S_IFREG)

    def size(self, name: str) -> int:
        return self._entries[name].file_size

    def chunks(self, name: str) -> Iterator[bytes]:
        with self._packed.open(self._entries[name]) as stream:
            while chunk := stream.read(_CHUNK):
                yield chunk


def _verify(package: _Folder | _Zip) -> Verified:
    names = package.names()
    if MANIFEST not in names or not package.regular(MANIFEST):
        return Verified(0, None, (f"there is no {MANIFEST}",))
    if package.size(MANIFEST) > MAX_MANIFEST_BYTES or len(names) > MAX_FILES:
        return Verified(0, None, ("it is larger than any evidence package",))
    try:
        manifest = b"".join(package.chunks(MANIFEST))
    except (OSError, zipfile.BadZipFile, RuntimeError, EOFError, zlib.error) as error:
        return Verified(0, None, (f"{MANIFEST} cannot be read ({visible(str(error))})",))
    wanted = _wanted(manifest)
    if wanted is None:
        return Verified(0, None, (f"{MANIFEST} is no manifest of an evidence package",))
    problems = list(_differences(package, names, wanted))
    return Verified(len(wanted), hashlib.sha256(manifest).hexdigest(), tuple(problems))


def _wanted(manifest: bytes) -> dict[str, tuple[str, int]] | None:
    """Name → checksum and size, as the manifest states them; None where it states nothing of the kind."""
    try:
        value = json.loads(manifest)
        if value["schema"] != SCHEMA or not value["files"]:
            return None
        return {str(name): (str(one["sha256"]), int(one["bytes"])) for name, one in value["files"].items()}
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None


def _differences(package: _Folder | _Zip, names: list[str], wanted: dict[str, tuple[str, int]]) -> Iterator[str]:
    counted = Counter(names)
    there = set(counted)
    for name in sorted(name for name, count in counted.items() if count > 1):
        yield f"{visible(name, 120)} is there more than once"
    for name in sorted(there - wanted.keys() - {MANIFEST}):
        yield f"{visible(name, 120)} is there, and not in the manifest"
    for name, (checksum, size) in sorted(wanted.items()):
        shown = visible(name, 120)
        if not is_safe(name):
            yield f"{shown} in the manifest is no name inside a package"
        elif name not in there:
            yield f"{shown} is missing"
        elif not package.regular(name):
            yield f"{shown} is no regular file"
        elif package.size(name) != size:
            yield f"{shown} has {package.size(name)} bytes, and had {size}"
        elif _checksum(package, name, size) != checksum:
            yield f"{shown} was changed: its SHA-256 is not the manifest's"


def _checksum(package: _Folder | _Zip, name: str, size: int) -> str | None:
    """The SHA-256 of a file; None where it cannot be read, or unpacks to more than it says."""
    digest, seen = hashlib.sha256(), 0
    try:
        for chunk in package.chunks(name):
            seen += len(chunk)
            if seen > size:
                return None
            digest.update(chunk)
    except (OSError, zipfile.BadZipFile, RuntimeError, EOFError, ValueError, zlib.error):
        return None
    return digest.hexdigest()
