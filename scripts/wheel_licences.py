"""wheel_licences.py WHEEL LIBZIP_LICENCE: adds the licences of the libraries that a wheel carries to it.

auditwheel has copied them from this system into the wheel's folder *.libs. Each belongs to a package of Debian,
whose copyright file goes to *.dist-info/licenses/PACKAGE. libzip is linked statically, and fmt, nlohmann-json,
toml++, CLI11 and nanobind are compiled in.
"""

from __future__ import annotations

import base64
import hashlib
import importlib.metadata
import re
import subprocess
import sys
import zipfile
from pathlib import Path

COMPILED_IN = ["nlohmann-json3-dev", "libtomlplusplus-dev", "libcli11-dev"]


def owner(library: str) -> str:
    """The package of this system that has a file which auditwheel calls libname-0123abcd.so.1."""
    name = re.sub(r"-[0-9a-f]{8}(?=\.)", "", library)
    for pattern in (f"*/{name}", f"*/{name.split('.so')[0]}.so*"):
        found = subprocess.run(["dpkg-query", "-S", pattern], capture_output=True, text=True).stdout
        packages = [line.split(":")[0] for line in found.splitlines() if not line.startswith("diversion")]
        runtime = [package for package in packages if not package.endswith("-dev")]
        if runtime:
            return runtime[0]
    sys.exit(f"wheel_licences: no package of this system has {name}; add its licence by hand")


def copyright_of(package: str) -> bytes:
    path = Path("/usr/share/doc") / package / "copyright"
    if not path.exists():
        sys.exit(f"wheel_licences: {path} is not there")
    return path.read_bytes()


def licences(members: list[str], libzip: Path) -> dict[str, bytes]:
    carried = [Path(name).name for name in members if ".libs/" in name and ".so" in name]
    out = {owner(library): b"" for library in carried}
    if any(name.startswith("gdkm/") for name in members):
        out.update({package: b"" for package in COMPILED_IN})
    out = {package: copyright_of(package) for package in out}
    if any(name.startswith("gdkm/") for name in members):
        out["libzip"] = libzip.read_bytes()
        nanobind = importlib.metadata.distribution("nanobind")
        for file in nanobind.files or []:
            if "LICENSE" in file.name:
                out["nanobind"] = Path(nanobind.locate_file(file)).read_bytes()
    # Debian's files name common licences in place of repeating them.
    for text in list(out.values()):
        for name in re.findall(rb"/usr/share/common-licenses/([A-Za-z0-9.-]*[A-Za-z0-9])", text):
            licence = Path("/usr/share/common-licenses") / name.decode()
            if licence.exists():
                out[f"common-licenses/{licence.name}"] = licence.read_bytes()
    return out


def record_line(name: str, data: bytes) -> str:
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
    return f"{name},sha256={digest},{len(data)}\n"


def main() -> None:
    wheel, libzip = Path(sys.argv[1]), Path(sys.argv[2])
    with zipfile.ZipFile(wheel) as old:
        members = {info: old.read(info) for info in old.infolist()}
    record = next(info for info in members if info.filename.endswith(".dist-info/RECORD"))
    folder = record.filename.rsplit("/", 1)[0] + "/licenses/"
    added = {folder + name: text for name, text in licences([i.filename for i in members], libzip).items()}
    members[record] += "".join(record_line(name, data) for name, data in added.items()).encode()
    temporary = wheel.with_suffix(".tmp")
    with zipfile.ZipFile(temporary, "w", zipfile.ZIP_DEFLATED) as new:
        for info, data in members.items():
            if info is not record:
                new.writestr(info, data, zipfile.ZIP_DEFLATED)
        for name, data in added.items():
            new.writestr(name, data)
        new.writestr(record, members[record], zipfile.ZIP_DEFLATED)  # last, as the format recommends
    temporary.replace(wheel)
    print("licences:", ", ".join(sorted(name.removeprefix(folder) for name in added)))


main()
