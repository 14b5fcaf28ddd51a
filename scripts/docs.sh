#!/usr/bin/env bash
# docs.sh: builds the documentation into site/, in an environment of its own (build-docs). Notebooks and pages with Python are
# run, so the module of `make python` has to be there. Only the first call needs a network, for the environment.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

folder=build-docs
venv=$folder/venv
compgen -G 'python/gdkm/_core*.so' >/dev/null || {
  echo "docs: the Python module is not built; run make python first" >&2
  exit 2
}
# The Python that the module was built for.
python=build-python/venv/bin/python
[[ -x $python ]] || python=python3
if [[ ! -x $venv/bin/python ]]; then
  "$python" -m venv "$venv"
fi
# The packages are those of the extra [docs] and what gdkm itself needs; pip only looks when the list has changed.
"$python" - >"$folder/requirements.new" <<'END'
import tomllib

project = tomllib.load(open("pyproject.toml", "rb"))["project"]
print(*project["dependencies"], *project["optional-dependencies"]["docs"], sep="\n")
END
if ! cmp -s "$folder/requirements.new" "$folder/requirements.txt"; then
  "$venv/bin/python" -m pip install -q --disable-pip-version-check -r "$folder/requirements.new"
  mv "$folder/requirements.new" "$folder/requirements.txt"
fi

export PYTHONPATH=$PWD/python MPLBACKEND=agg OPENBLAS_NUM_THREADS=1
"$venv/bin/python" docs/site/stage.py . "$folder/source"
"$venv/bin/python" -m sphinx -q -W --keep-going -c docs/site -d "$folder/doctrees" "$folder/source" site
"$venv/bin/python" docs/site/check.py site
echo "docs: open site/index.html"
