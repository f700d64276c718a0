"""A fork's artifact made to harm who unpacks it: told, within bounds, and nothing written anywhere else."""

from __future__ import annotations

import functools
import io
import re
import struct
import subprocess
import sys
import zipfile
import zlib

import pytest
from tests.e2e.action.conftest import FORK, READ_ONLY

MIB = 1024 * 1024
MOST_MEMORY_MIB = 400
"""The process with all its libraries takes some 100; a zip at most 50, a run file at most 200."""

WRAPPED = """import re, runpy, sys
sys.argv = ["quilate", "action"]
try:
    runpy.run_module("quilate", run_name="__main__")
finally:
    with open("/proc/self/status") as status:
        print("peak of memory:", re.search(r"VmHWM:\\s+(\\d+)", status.read())[1])
"""
"""The command, and the most memory its own process had at any time (of a child, rusage counts the parent's too)."""


# --- zips that a zip library would not write --------------------------------------------------------------------------


@functools.cache
def zeros(mebibytes):
    """A deflate stream of that many MiB of zeros, and their checksum.

    A block that ends in a full flush depends on nothing before it, so that one can be repeated.
    """
    compressor = zlib.compressobj(9, zlib.DEFLATED, -15)
    block = compressor.compress(bytes(MIB)) + compressor.flush(zlib.Z_FULL_FLUSH)
    end = zlib.compressobj(9, zlib.DEFLATED, -15).flush()
    checksum = 0
    for _ in range(mebibytes):
        checksum = zlib.crc32(bytes(MIB), checksum)
    return block * mebibytes + end, checksum


def local(name, packed, size, checksum):
    header = struct.pack("<4sHHHIIIIHH", b"PK\x03\x04", 20, 0, 8, 0, checksum, len(packed), size, len(name), 0)
    return header + name + packed


def listed(name, packed_bytes, size, checksum, offset):
    fields = (b"PK\x01\x02", 20, 20, 0, 8, 0, checksum, packed_bytes, size, len(name), 0, 0, 0, 0, 0, offset)
    return struct.pack("<4sHHHHIIIIHHHHHII", *fields) + name


def ended(body, directory, count):
    return body + directory + struct.pack("<4sHHHHIIH", b"PK\x05\x06", 0, 0, count, count, len(directory), len(body), 0)


def one_file(packed, size, checksum, name=b"run.jsonl"):
    return ended(local(name, packed, size, checksum), listed(name, len(packed), size, checksum, 0), 1)


def two_gigabytes():
    packed, checksum = zeros(2100)
    return one_file(packed, 2100 * MIB, checksum)


def two_gigabytes_called_small():
    """The directory says 100 bytes, with the right checksum for them."""
    packed, _ = zeros(2100)
    return one_file(packed, 100, zlib.crc32(bytes(100)))


def two_gigabytes_called_just_allowed():
    packed, _ = zeros(2100)
    return one_file(packed, 200 * MIB, 0)


def small_called_four_gigabytes():
    packed = zlib.compressobj(9, zlib.DEFLATED, -15)
    return one_file(packed.compress(b"{}") + packed.flush(), 0xFFFFFFFE, zlib.crc32(b"{}"))


def overlapping():
    """1,900 names for the same two gigabytes: 4 TB to whoever unpacks them all."""
    packed, checksum = zeros(2100)
    names = [b"run.jsonl", *(b"f%d" % number for number in range(1899))]
    directory = b"".join(listed(name, len(packed), 2100 * MIB, checksum, 0) for name in names)
    return ended(local(b"run.jsonl", packed, 2100 * MIB, checksum), directory, len(names))


def nested():
    """Each file is the zip around it would be again: a zip of itself, as far as anybody follows."""
    data = b"{}"
    for _ in range(50):
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("run.jsonl", data)
        data = buffer.getvalue()
    return data


def compressed_twice():
    """A run file may be compressed, which within an artifact would be a second bomb: two gigabytes out of 2 KB."""
    packed, checksum = zeros(2100)
    run = b"\x1f\x8b\x08" + bytes(7) + packed + struct.pack("<II", checksum, 2100 * MIB)
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("run.jsonl", run)
    return buffer.getvalue()


def twice_the_same_name():
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("run.jsonl", "{}")
        with pytest.warns(UserWarning, match="Duplicate name"):
            archive.writestr("run.jsonl", "[]")
    return buffer.getvalue()


def traversal():
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("../../outside.txt", "x")
        archive.writestr("/etc/outside.txt", "x")
        archive.writestr("orders/../run.jsonl", "x")
    return buffer.getvalue()


def a_link():
    """`run.jsonl` is a symbolic link to a file of the runner's."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        link = zipfile.ZipInfo("run.jsonl")
        link.external_attr = 0o120777 << 16
        archive.writestr(link, "/etc/passwd")
    return buffer.getvalue()


def many():
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for number in range(3000):
            archive.writestr(f"f{number}", "")
    return buffer.getvalue()


def many_behind_small_numbers():
    """The end record says one entry; the ZIP64 record before it, which counts, says 3,000."""
    data = many()
    directory, end = data[:-22], data[-22:]
    size, offset = struct.unpack("<II", end[12:20])
    large = struct.pack("<4sQHHIIQQQQ", b"PK\x06\x06", 44, 45, 45, 0, 0, 3000, 3000, size, offset)
    locator = struct.pack("<4sIQI", b"PK\x06\x07", 0, len(directory), 1)
    small = struct.pack("<4sHHHHIIH", b"PK\x05\x06", 0, 0, 1, 1, 46, offset, 0)
    return directory + large + locator + small


def past_the_end():
    """A directory whose entry points behind the last byte."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("run.jsonl", "x")
    data = bytearray(buffer.getvalue())
    at = data.rfind(b"PK\x01\x02")
    data[at + 42 : at + 46] = len(data).to_bytes(4, "little")
    return bytes(data)


def otherwise_packed():
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_LZMA) as archive:
        archive.writestr("run.jsonl", "x" * 100)
    return buffer.getvalue()


# --- before stage 2 ---------------------------------------------------------------------------------------------------


@pytest.fixture
def forked(opened, reply_lines):
    """A fork's pull request and stage 1's run, whose artifact a test replaces."""
    head, merge = opened.topic({"replies.jsonl": reply_lines(3, 8)}, fork=FORK)
    opened.compare(head, merge, action="opened", permissions=READ_ONLY, run=700)
    opened.fake.repository.artifacts.clear()
    return opened, head


def measured(environ, cwd):
    """The step as a process, its log with the process's peak of memory at its end."""
    done = subprocess.run([sys.executable, "-c", WRAPPED], env=environ, cwd=cwd, capture_output=True, timeout=300)
    return done.returncode, (done.stdout + done.stderr).decode("utf-8", "replace")


def peak_mib(result):
    return int(re.search(r"peak of memory: (\d+)", result.log)[1]) / 1024


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (two_gigabytes, "run.jsonl unpacks to more than 200 MiB"),
        (two_gigabytes_called_small, "the fork's replies cannot be read"),
        (two_gigabytes_called_just_allowed, "no zip that can be read"),
        (small_called_four_gigabytes, "unpacks to more than 200 MiB"),
        (overlapping, "unpacks to more than 200 MiB"),
        (nested, "the fork's replies cannot be read"),
        (compressed_twice, "compressed once more"),
    ],
)
def test_a_bomb_is_told_and_takes_no_more_memory_than_a_run_file_may(forked, tmp_path, data, said):
    shop, head = forked
    shop.as_process = measured
    shop.fake.repository.add_artifact(700, "quilate-1", data())
    own = tmp_path / "temporary"
    own.mkdir()
    result = shop.publish(head, process=True, env={"TMPDIR": str(own)})
    assert result.code == 0, result.log
    assert peak_mib(result) < MOST_MEMORY_MIB
    (comment,) = shop.comments()
    assert said in comment
    assert [status["state"] for status in shop.fake.repository.statuses] == ["error"]
    assert list(own.iterdir()) == []
    (output,) = shop.scratch.glob("empty-*/.quilate")
    assert [path.name for path in output.iterdir()] == ["comment.md"]


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (lambda: bytes(51 * MIB), "larger than 50 MiB"),
        (past_the_end, "no zip that can be read"),
        (otherwise_packed, "packed in a way"),
        (traversal, "holds no run.jsonl"),
        (a_link, "the fork's replies cannot be read"),
        (twice_the_same_name, "the fork's replies cannot be read"),
        (many, "more than 2000 files"),
        (many_behind_small_numbers, "more than 2000 files"),
        (lambda: b"no zip at all", "no zip that can be read"),
        (lambda: b"PK\x05\x06" + bytes(18), "holds no run.jsonl"),
    ],
)
def test_an_artifact_that_cannot_be_read_is_told_and_nothing_is_written_outside(forked, data, said):
    shop, head = forked
    shop.fake.repository.add_artifact(700, "quilate-1", data())
    result = shop.publish(head)
    assert result.code == 0, result.log
    (comment,) = shop.comments()
    assert said in comment
    assert "root:" not in comment
    assert shop.fake.repository.statuses[0]["state"] == "error"
    assert list(shop.scratch.rglob("outside.txt")) == []
