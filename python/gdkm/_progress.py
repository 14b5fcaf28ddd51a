"""Progress bars of trainings."""

from __future__ import annotations

from typing import Any, Callable

Callback = Callable[[int, int, float], "bool | None"]


class Progress:
    """Shows epochs with tqdm, in terminals and notebooks, and asks the user's callback."""

    def __init__(self, shows: bool, callback: Callback | None, what: str) -> None:
        self._shows, self._callback, self._what = shows, callback, what
        self._bar: Any = None

    def call(self) -> Callback | None:
        """What the core is to call after an epoch; nothing where nobody watches."""
        return self._epoch if self._shows or self._callback is not None else None

    def _epoch(self, epoch: int, of: int, loss: float) -> bool | None:
        if self._shows:
            if self._bar is None:
                from tqdm.auto import tqdm

                self._bar = tqdm(total=of, desc=self._what, unit="epoch", leave=True)
            self._bar.update(epoch - self._bar.n)
            self._bar.set_postfix(loss=f"{loss:.4g}", refresh=False)
        return None if self._callback is None else self._callback(epoch, of, loss)

    def close(self) -> None:
        if self._bar is not None:
            self._bar.total = self._bar.n  # it may have stopped early
            self._bar.refresh()
            self._bar.close()
