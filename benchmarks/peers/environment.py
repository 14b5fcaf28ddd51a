"""A Python of our own for the peers: a virtual environment in the build folder, made once."""
import pathlib
import subprocess
import sys


def peer_python(build):
    """The interpreter that has what requirements.txt names; installs it where it is not there yet."""
    folder = pathlib.Path(build) / "peers"
    wanted = pathlib.Path(__file__).with_name("requirements.txt")
    python, stamp = folder / "bin" / "python", folder / "installed.txt"
    if stamp.exists() and stamp.read_text() == wanted.read_text():
        return str(python)
    print("installing " + ", ".join(wanted.read_text().split()) + " for the peers", file=sys.stderr)
    try:
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", "-r", wanted], check=True)
    except subprocess.CalledProcessError as error:
        sys.exit(f"the peers cannot be installed ({error}); Python needs venv and pip (Debian: python3-venv) and a "
                 "way to Python's packages, or leave the peers out with --no-peers")
    stamp.write_text(wanted.read_text())
    return str(python)
