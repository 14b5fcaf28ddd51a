"""Settings of Sphinx. Everything is local: no page and no step of the build needs a network."""

import re

from pygments.lexers.special import TextLexer

import gdkm

project = "gdkm"
author = "The gdkm authors"
copyright = "the gdkm authors; Apache 2.0"
release = version = gdkm.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
myst_heading_anchors = 6  # links to headings as GitHub spells them
myst_enable_extensions = ["colon_fence"]
exclude_patterns = ["examples/*.md"]

autodoc_member_order = "bysource"
autodoc_default_options = {"members": True, "inherited-members": True, "show-inheritance": False}
autodoc_typehints = "none"  # signatures stay short; docstrings say what things are
autodoc_mock_imports = ["torch"]
autodoc_docstring_signature = True
napoleon_google_docstring = False
napoleon_use_rtype = False
napoleon_use_ivar = True
add_module_names = False

html_theme = "furo"
html_title = f"gdkm {release}"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sphinx = False
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#14508f", "color-brand-content": "#14508f"},
    "dark_css_variables": {"color-brand-primary": "#8fc1f5", "color-brand-content": "#8fc1f5"},
}
pygments_style = "friendly"


def skip_foreign(app, what, name, value, skip, options):
    """Leaves out what classes inherit from other packages: their pages describe it, and refer to pages that are not here."""
    if name.startswith("set_") and name.endswith("_request"):  # scikit-learn makes them for every class
        return True
    module = getattr(value, "__module__", None) or getattr(getattr(value, "__objclass__", None), "__module__", None)
    return True if module and not module.startswith("gdkm") else None


def escape_underscores(app, what, name, value, options, lines):
    """A word that ends in an underscore, such as lambda_, is a name here; reStructuredText would take it for a link."""
    for number, line in enumerate(lines):
        if line.lstrip().startswith((">>>", "...")):
            continue
        parts = re.split(r"(``.*?``|`.*?`)", line)
        lines[number] = "".join(part if part.startswith("`") else re.sub(r"(?<=\w)_(?![\w`])", r"\\_", part) for part in parts)


def setup(app):
    app.add_lexer("mermaid", TextLexer)  # shown as its text
    app.connect("autodoc-skip-member", skip_foreign)
    app.connect("autodoc-process-docstring", escape_underscores, priority=900)  # after napoleon
