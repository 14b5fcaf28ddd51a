"""Downloads of published data sets."""

from __future__ import annotations

from pathlib import Path

from . import _core
from ._http import open_url


def catalogue() -> list[dict]:
    """The data sets that ``gdkm.fetch`` knows: name, title, task, source, licence and files of each.

    >>> import gdkm
    >>> "cora" in [entry["name"] for entry in gdkm.catalogue()]
    True
    """
    return _core.catalogue()


def fetch(name: str, data_dir=None, *, force: bool = False, base_url: str = "", progress: bool = True) -> Path:
    """Downloads a published data set and returns its folder; ``gdkm.load(name)`` then finds it.

    Files that are there are kept. An interrupted download continues where it stopped. Files are compared with
    their checksums, if known. Proxies are read from ``http_proxy`` and ``https_proxy``.

    Parameters
    ----------
    name : str
        A name of ``gdkm.catalogue()``.
    data_dir : path, optional
        The folder for ``name/``; by default ``$GDKM_DATA``, else the user's cache.
    force : bool
        Fetch existing files again if they do not match their checksum, or have none.
    base_url : str
        A mirror with the files at ``base_url/name/file``; by default the original publishers.
    progress : bool
        Whether to show a bar for each file.
    """
    bars = _Bars() if progress else None
    try:
        return Path(_core.fetch(name, data_dir, force, base_url, open_url, bars))
    finally:
        if bars is not None:
            bars.close()


class _Bars:
    """One tqdm bar per file."""

    def __init__(self):
        self._bar = None
        self._number = 0

    def __call__(self, file: str, number: int, files: int, done: int, total: int) -> None:
        from tqdm.auto import tqdm

        if number != self._number:
            self.close()
            self._number = number
            self._bar = tqdm(
                desc=f"{number}/{files} {file}", initial=done, total=total or None, unit="B", unit_scale=True
            )
        self._bar.update(done - self._bar.n)

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()
            self._bar = None
