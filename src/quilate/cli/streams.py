"""Standard output and files as they are met in the wild: closed, full, read-only, or a pipe that nobody reads on."""

from __future__ import annotations

import errno
import os
import sys
from pathlib import Path

from quilate.shown import visible

BROKEN_PIPE = 141
"""The shell's exit code for a program whose reader has gone (128 + SIGPIPE): `quilate report … | head`."""

_STATE_OF_THE_MACHINE = frozenset({
    errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EISDIR,
    errno.ENOTDIR, errno.ELOOP, errno.ENAMETOOLONG, errno.EMFILE, errno.ENFILE,
})  # fmt: skip
"""What a person can mend. A file that is not there is none of these: who needs one says so himself."""


def make_usable() -> None:
    """Gives closed streams a place to write to, and an escape to what a stream's encoding lacks."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, _nowhere())
        elif hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def reader_has_gone() -> None:
    """Nothing more can be written to standard output; Python would try once more at its end, and complain."""
    sys.stdout = _nowhere()


def _nowhere() -> object:
    return Path(os.devnull).open("w", encoding="utf-8")


def what_to_mend(error: OSError) -> str | None:
    """An error of the system as a message for a person; None where it is none a person could mend."""
    if error.errno not in _STATE_OF_THE_MACHINE:
        return None
    path = error.filename2 or error.filename
    where = "standard output" if path is None else visible(os.fsdecode(path), 400)
    return f"{where}: {error.strerror}; make room, mend the permissions, or name another place"
