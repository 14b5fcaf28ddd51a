"""check.py SITE: every page of docs/ is on the site and in its navigation, and no page loads anything from a network."""

from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def problems(site: Path) -> list[str]:
    out = []
    index = (site / "index.html").read_text()
    wanted = [*ROOT.glob("docs/*.md"), *ROOT.glob("docs/notebooks/*.ipynb")]
    for page in wanted:
        name = str(page.relative_to(ROOT).with_suffix(".html"))
        if not (site / name).exists():
            out.append(f"{name} is not there")
        elif f'href="{name}"' not in index:
            out.append(f"{name} is not in the navigation")
    for page in sorted(site.rglob("*.html")):
        loaded = re.findall(r'<(?:script|img|iframe|link)\b[^>]*?(?:src|href)="((?:https?:)?//[^"]*)"', page.read_text())
        out += [f"{page.relative_to(site)} loads {each}" for each in loaded]
    return out


if __name__ == "__main__":
    found = problems(Path(sys.argv[1]))
    print(*(f"docs: {each}" for each in found), sep="\n", end="\n" if found else "", file=sys.stderr)
    sys.exit(bool(found))
