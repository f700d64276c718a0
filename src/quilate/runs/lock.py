"""One writer a file: an advisory lock that ends with the process, however it ends."""

from __future__ import annotations

import sys

if sys.platform == "win32":
    import msvcrt
    import os

    _FAR = 1 << 40  # a byte no run file reaches, since Windows locks keep readers out too

    def try_lock(descriptor: int) -> bool:
        """Takes the lock on an open file; False where another process has it."""
        here = os.lseek(descriptor, 0, os.SEEK_CUR)
        os.lseek(descriptor, _FAR, os.SEEK_SET)
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        finally:
            os.lseek(descriptor, here, os.SEEK_SET)
        return True

    def wait_lock(descriptor: int) -> None:
        """Takes the lock on an open file, waiting for it."""
        os.lseek(descriptor, 0, os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_LOCK, 1)
else:
    import fcntl

    def try_lock(descriptor: int) -> bool:
        """Takes the lock on an open file; False where another process has it."""
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def wait_lock(descriptor: int) -> None:
        """Takes the lock on an open file, waiting for it."""
        fcntl.flock(descriptor, fcntl.LOCK_EX)
