"""Settings of the documentation: it is built, and read, without a network."""

import sys
from importlib.metadata import version as package_version
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "_ext"))

project = "likelier"
author = "The likelier developers"
release = package_version("likelier")
extensions = ["myst_parser", "sphinx.ext.autodoc", "numpydoc", "cli_pages", "mathml"]
exclude_patterns = ["_build", "_ext"]
html_theme = "furo"
html_title = f"likelier {release}"
html_static_path: list[str] = []
html_math_renderer = "mathml"
html_copy_source = False
html_show_sphinx = False
html_show_copyright = False
# Quotes and dashes of commands stay as they are typed.
smartquotes = False
autodoc_typehints = "none"
autodoc_member_order = "bysource"
numpydoc_show_class_members = False
myst_enable_extensions = ["deflist", "dollarmath"]
myst_heading_anchors = 4
suppress_warnings = ["ref.python"]
