"""Downloads by Python's own library, against a server on this machine."""

from __future__ import annotations

import io
import socket
import subprocess
import sys
import zipfile

import pytest
from file_server import FileServer

import gdkm
from gdkm import _http


@pytest.fixture(autouse=True)
def _no_proxies(monkeypatch):
    for name in ("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def server():
    with FileServer() as running:
        yield running


def entry_with(**wanted):
    """A data set of one file, which has these properties."""
    for entry in gdkm.catalogue():
        files = entry["files"]
        if len(files) == 1 and all(bool(files[0][key]) == value for key, value in wanted.items()):
            return entry["name"], files[0]["name"]
    pytest.fail(f"the catalogue has no data set of one file with {wanted}")


@pytest.fixture
def unchecked():
    return entry_with(sha256=False, unpack=False)


def run_fetch(name, folder, url, *more):
    """``gdkm data fetch`` as a wheel does it, whether or not this build has libcurl."""
    program = (
        "import sys; from gdkm import _core, _http;"
        "sys.exit(_core.command_line(['gdkm', *sys.argv[1:]], sys.executable, ['-m', 'gdkm'], _http.open_url))"
    )
    words = ["data", "fetch", name, "--data-dir", str(folder), "--base-url", url, *more]
    return subprocess.run([sys.executable, "-c", program, *words], capture_output=True, text=True, timeout=60)


def test_fetch_writes_the_file_and_returns_its_folder(server, unchecked, tmp_path):
    name, file = unchecked
    server.files[f"/{name}/{file}"] = b"the file" * 50_000
    folder = gdkm.fetch(name, tmp_path, base_url=server.url, progress=False)
    assert folder == tmp_path / name
    assert (folder / file).read_bytes() == b"the file" * 50_000
    assert sorted(path.name for path in folder.iterdir()) == [file]
    # What is there is not asked for again.
    gdkm.fetch(name, tmp_path, base_url=server.url, progress=False)
    assert len(server.requests) == 1
    server.files[f"/{name}/{file}"] = b"another"
    gdkm.fetch(name, tmp_path, base_url=server.url, force=True, progress=False)
    assert (folder / file).read_bytes() == b"another"


def test_a_cut_connection_continues_where_it_stopped(server, unchecked, tmp_path):
    name, file = unchecked
    data = bytes(k * 7 % 251 for k in range(200_000))
    server.files[f"/{name}/{file}"] = data
    server.cuts = [120_000]
    folder = gdkm.fetch(name, tmp_path, base_url=server.url, progress=False)
    assert (folder / file).read_bytes() == data
    assert [asked for _, asked in server.requests] == [None, "bytes=120000-"]


def test_a_wrong_file_is_refused_and_removed(server, tmp_path):
    name, file = entry_with(sha256=True, unpack=False)
    server.files[f"/{name}/{file}"] = b"not what was published"
    with pytest.raises(gdkm.InputError, match="SHA-256"):
        gdkm.fetch(name, tmp_path, base_url=server.url, progress=False)
    assert not (tmp_path / name / file).exists()


def test_archives_are_unpacked(server, tmp_path):
    for entry in gdkm.catalogue():
        if entry["files"][0]["unpack"] and not entry["files"][0]["sha256"] and len(entry["files"]) == 1:
            break
    else:
        pytest.skip("every archive of the catalogue has a checksum")
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("inside/a.txt", "text")
    file = entry["files"][0]["name"]
    server.files[f"/{entry['name']}/{file}"] = packed.getvalue()
    folder = gdkm.fetch(entry["name"], tmp_path, base_url=server.url, progress=False)
    assert not (folder / file).exists()
    assert [path.read_text() for path in folder.rglob("a.txt")] == ["text"]


def test_a_missing_file_and_an_absent_server_are_named(server, unchecked, tmp_path):
    name, file = unchecked
    with pytest.raises(gdkm.InputError, match="answered 404"):
        gdkm.fetch(name, tmp_path, base_url=server.url, progress=False)
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]
    with pytest.raises(gdkm.InputError, match="cannot connect") as refused:
        gdkm.fetch(name, tmp_path, base_url=f"http://127.0.0.1:{port}", progress=False)
    assert str(tmp_path / name / file) in str(refused.value)  # where to put it by hand
    assert not (tmp_path / name).exists()
    with pytest.raises(gdkm.InputError, match="not in the catalogue"):
        gdkm.fetch("no such data", tmp_path)


def test_redirects_are_followed_but_not_to_other_schemes(server, unchecked, tmp_path):
    name, file = unchecked
    server.files["/elsewhere"] = b"data"
    server.redirects[f"/{name}/{file}"] = f"{server.url}/elsewhere"
    assert (gdkm.fetch(name, tmp_path, base_url=server.url, progress=False) / file).read_bytes() == b"data"
    handler = _http._Redirects(10)
    secure = _http.urllib.request.Request("https://example.org/a")
    with pytest.raises(_http.Trouble, match="redirect"):
        handler.redirect_request(secure, None, 302, "Found", {}, "http://example.org/a")


def test_an_interrupt_keeps_what_has_arrived(server, unchecked, tmp_path, monkeypatch):
    name, file = unchecked
    data = b"x" * 300_000
    server.files[f"/{name}/{file}"] = data
    read = _http.Response.read

    def interrupted(self):
        if (tmp_path / name / f"{file}.part").stat().st_size > 0:
            raise KeyboardInterrupt
        return read(self)

    monkeypatch.setattr(_http.Response, "read", interrupted)
    with pytest.raises(KeyboardInterrupt):
        gdkm.fetch(name, tmp_path, base_url=server.url, progress=False)
    assert 0 < (tmp_path / name / f"{file}.part").stat().st_size < len(data)
    monkeypatch.undo()
    folder = gdkm.fetch(name, tmp_path, base_url=server.url, progress=False)
    assert (folder / file).read_bytes() == data


def test_the_command_line_fetches_with_its_usual_options_and_messages(server, unchecked, tmp_path):
    name, file = unchecked
    server.files[f"/{name}/{file}"] = b"the file"
    plan = run_fetch(name, tmp_path, server.url, "--dry-run")
    assert plan.returncode == 0 and "1 file to fetch" in plan.stdout
    assert not server.requests
    done = run_fetch(name, tmp_path, server.url)
    assert done.returncode == 0, done.stderr
    assert f"{name}: 1 file fetched, 0 already here" in done.stdout
    assert f"gdkm data info {name}" in done.stdout
    assert (tmp_path / name / file).read_bytes() == b"the file"
    refused = run_fetch("cora", tmp_path, server.url)
    assert refused.returncode == 2 and "answered 404" in refused.stderr
    assert refused.stderr.count("\n") == 1
