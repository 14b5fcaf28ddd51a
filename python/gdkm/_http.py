"""Requests for ``gdkm.fetch``, by Python's own library. The C++ side decides what becomes of a response."""

from __future__ import annotations

import http.client
import ssl
import urllib.error
import urllib.request
from email.utils import parsedate_to_datetime

from . import _core

PIECE = 1 << 16


class Trouble(Exception):
    """Why there is no response, or no more of it. ``kind`` is ``"cut"``, ``"unreachable"`` or ``"other"``."""

    def __init__(self, kind: str, reason: object):
        super().__init__(str(reason) or type(reason).__name__)
        self.kind = kind


class _Redirects(urllib.request.HTTPRedirectHandler):
    def __init__(self, most: int):
        self.max_redirections = most

    def redirect_request(self, request, fp, code, msg, headers, newurl):
        allowed = ("https:",) if request.full_url.lower().startswith("https:") else ("http:", "https:")
        if not newurl.lower().startswith(allowed):
            raise Trouble("other", f"a redirect leads to {newurl}")
        return super().redirect_request(request, fp, code, msg, headers, newurl)


class Response:
    """The last response of a chain of redirects."""

    def __init__(self, response, timeout: float):
        self._response = response
        self._timeout = timeout
        self.status = response.status
        self.head = [f"{name}: {value}" for name, value in response.headers.items()]
        self.length = _number(response.headers.get("Content-Length"))
        self.changed = _seconds(response.headers.get("Last-Modified"))

    def read(self) -> bytes:
        """The next piece; empty at the end."""
        try:
            return self._response.read1(PIECE)
        except TimeoutError:
            raise Trouble("cut", f"no data for {self._timeout:.0f} s") from None
        except (OSError, http.client.HTTPException) as error:
            raise Trouble("cut", error) from None

    def close(self) -> None:
        self._response.close()


def open_url(url: str, headers: dict[str, str], seconds: float, redirects: int) -> Response:
    """Asks for an http or https address and returns the response, whatever its status."""
    opener = urllib.request.build_opener(_Redirects(redirects))
    request = urllib.request.Request(url, headers={"User-Agent": f"gdkm/{_core.__version__}", **headers})
    try:
        return Response(opener.open(request, timeout=seconds), seconds)
    except urllib.error.HTTPError as answer:  # an answer like any other
        return Response(answer, seconds)
    except urllib.error.URLError as error:
        raise Trouble(_kind_of(error.reason), error.reason) from None
    except TimeoutError:
        raise Trouble("cut", f"no data for {seconds:.0f} s") from None
    except (OSError, http.client.HTTPException) as error:  # the connection was there
        raise Trouble("cut", error) from None


def _kind_of(reason: object) -> str:
    if isinstance(reason, ssl.SSLError):
        return "other"
    if isinstance(reason, (ConnectionResetError, BrokenPipeError)):
        return "cut"
    return "unreachable" if isinstance(reason, OSError) else "other"


def _number(text: str | None) -> int:
    return int(text) if text and text.isascii() and text.isdigit() else -1


def _seconds(date: str | None) -> int:
    try:
        return int(parsedate_to_datetime(date).timestamp()) if date else -1
    except ValueError:
        return -1
