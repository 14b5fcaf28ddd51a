"""Finds the CUDA backend of the package ``gdkm-cuda`` (``pip install gdkm[cuda]``)."""

from __future__ import annotations

import os

VARIABLE = "GDKM_CUDA_MODULE"


def use_installed_module() -> None:
    """Names the backend's file to the core, unless the user has named one. It is loaded when a GPU is asked for."""
    if os.environ.get(VARIABLE):
        return
    try:
        from gdkm_cuda import module_path
    except ImportError:
        return
    os.environ[VARIABLE] = str(module_path())
