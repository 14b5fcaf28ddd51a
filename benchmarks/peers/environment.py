"""A Python of our own for the peers: a virtual environment in the build folder, made once."""
import pathlib
import subprocess
import sys


class PeersMissing(RuntimeError):
    """The peers could not be installed."""


def installed_python(folder, wanted):
    """The interpreter of the virtual environment `folder` that has what the file `wanted` names; installs it where it
    is not there yet."""
    folder, wanted = pathlib.Path(folder), pathlib.Path(wanted)
    python, stamp = folder / "bin" / "python", folder / "installed.txt"
    if stamp.exists() and stamp.read_text() == wanted.read_text():
        return str(python)
    print("installing " + ", ".join(wanted.read_text().split()) + " for the peers", file=sys.stderr)
    try:
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", "-r", wanted], check=True)
    except subprocess.CalledProcessError as error:
        raise PeersMissing(f"the peers of {wanted.name} cannot be installed ({error}); Python needs venv and pip "
                           "(Debian: python3-venv) and a way to Python's packages") from error
    stamp.write_text(wanted.read_text())
    return str(python)


def peer_python(build):
    """The interpreter that has what requirements.txt names."""
    try:
        return installed_python(pathlib.Path(build) / "peers", pathlib.Path(__file__).with_name("requirements.txt"))
    except PeersMissing as error:
        sys.exit(f"{error}, or leave the peers out with --no-peers")
