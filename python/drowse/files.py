"""Files that are written whole, or not at all."""

from __future__ import annotations

import gzip
import importlib
import lzma
import os
import secrets
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Any

from drowse.errors import InputError, MachineError

__all__ = ["MARK", "NewFile"]

MARK = "made by drowse"
"""What the first line of a file says that may be replaced later."""


class NewFile:
    """A file that gets its name when all went well, compressed as its ending says.

    A file that is there is lost only if Drowse has made it, or if it shall be replaced.
    """

    partial: str
    """Its path until then."""

    def __init__(self, path: str, replace: bool) -> None:
        open_as = _opener(path)
        if os.path.exists(path):
            _refuse_to_lose(path, replace, open_as)
        folder, name = os.path.split(os.path.abspath(path))
        self._path = path
        self.partial = os.path.join(folder, f".{name}.{secrets.token_hex(4)}")
        try:
            self._file = open(self.partial, "xb")
        except OSError as error:
            raise InputError(f"error: {path}: cannot be written: {error.strerror}") from None
        self._text: Any = open_as(self._file)

    def write(self, text: str) -> None:
        """Writes a text."""
        with self._told():
            self._text.write(text.encode())

    def close(self) -> None:
        """Ends what is written."""
        with self._told():
            self._text.close()
            self._file.close()

    def __enter__(self) -> NewFile:
        return self

    def __exit__(self, raised: type[BaseException] | None, *_: object) -> None:
        if raised is None:
            with self._told():
                os.replace(self.partial, self._path)
        else:
            self._file.close()
            os.unlink(self.partial)

    @contextmanager
    def _told(self) -> Generator[None, None, None]:
        try:
            yield
        except OSError as error:
            raise MachineError(f"error: {self._path}: cannot be written: {error.strerror}") from error


def _refuse_to_lose(path: str, replace: bool, open_as: Callable[[Any], Any]) -> None:
    """Refuses to replace what is there, if it would be lost."""
    if os.path.isdir(path):
        raise InputError(f"error: {path}: is a folder\nhelp: give the name of a file")
    if replace:
        return
    try:
        with open(path, "rb") as file, open_as(file) as text:
            first = text.read(200).split(b"\n")[0]
    except (OSError, EOFError, lzma.LZMAError, ValueError):
        first = b"not made by Drowse"
    if first and MARK.encode() not in first:
        raise InputError(f"error: {path}: is there already\nhelp: give another name, or replace=True")


def _opener(path: str) -> Callable[[Any], Any]:
    """Returns what reads or writes within an open file, as the ending of its name says."""
    ending = os.path.splitext(path)[1]
    if ending == ".gz":
        # Without a name and a time, equal programs are equal files.
        return lambda file: gzip.GzipFile("", file.mode.replace("x", "w"), 6, file, mtime=0)
    if ending == ".xz":
        return lambda file: lzma.LZMAFile(file, file.mode.replace("x", "w"))
    return _zstd(path) if ending == ".zst" else lambda file: file


def _zstd(path: str) -> Callable[[Any], Any]:
    for name in ("compression.zstd", "zstandard"):
        try:
            zstd: Any = importlib.import_module(name)
        except ImportError:
            continue
        return lambda file: zstd.open(file, file.mode.replace("x", "w"))
    raise InputError(f"error: {path}: this Python has no zstd\nhelp: install zstandard, or end the name with .gz or .xz")
