"""The CUDA backend of gdkm. ``gdkm`` uses it by itself; nothing here is for users."""

from pathlib import Path


def module_path() -> Path:
    """The file of the backend, which gdkm loads when it is asked for a GPU."""
    return Path(__file__).with_name("libgdkm_cuda.so")
