"""How Sphinx makes the website: https://www.sphinx-doc.org/en/master/usage/configuration.html."""

import re

project = "apns-bridge"
html_title = "apns-bridge"
extensions = ["myst_parser"]
myst_enable_extensions = ["attrs_inline"]
myst_heading_anchors = 4
# Blocks without a language are what someone types, or reads in a terminal.
highlight_language = "none"
# A heading may skip a level where an article is short, and JSON in examples is cut with "…".
suppress_warnings = ["myst.header", "misc.highlighting_failure"]

html_theme = "furo"
html_favicon = "static/icon.svg"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sourcelink = False
html_show_sphinx = False
html_show_copyright = False
html_use_index = False


def breakable(match):
    """A name that may go on in the next line after each of its words."""
    return re.sub(r"(?<=\S)[._/:](?=\w)", r"\g<0><wbr>", match[0])


def with_breaks(_application, _page, _template, context, _document):
    """Lets names in code and in quotation marks, such as apns.allowed_bundle_ids, break between their words."""
    if "body" in context:
        context["body"] = re.sub(r'(?<=<span class="pre">)[^<]*|(?<=‘)\w+(?=’)', breakable, context["body"])


def setup(application):
    application.connect("html-page-context", with_breaks)
