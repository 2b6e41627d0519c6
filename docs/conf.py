"""Settings of the documentation."""

from importlib.metadata import version as package_version

project = "likelier"
author = "The likelier developers"
release = package_version("likelier")
extensions = ["myst_parser", "sphinx.ext.autodoc", "numpydoc"]
exclude_patterns = ["_build"]
html_theme = "furo"
autodoc_typehints = "none"
numpydoc_show_class_members = False
myst_enable_extensions = ["dollarmath"]
suppress_warnings = ["ref.python"]
