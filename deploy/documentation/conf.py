"""How Sphinx makes the website: https://www.sphinx-doc.org/en/master/usage/configuration.html."""

project = "apns-bridge"
html_title = "apns-bridge"
extensions = ["myst_parser"]
myst_enable_extensions = ["attrs_inline"]
myst_heading_anchors = 4
# A heading may skip a level where an article is short, and JSON in examples is cut with "…".
suppress_warnings = ["myst.header", "misc.highlighting_failure"]

html_theme = "furo"
html_favicon = "static/icon.svg"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sourcelink = False
html_show_sphinx = False
html_use_index = False
