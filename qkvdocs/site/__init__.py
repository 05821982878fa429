"""The MkDocs plugin `qkvdocs`: both languages in one site, and what they share."""

from qkvdocs.site.plugin import QkvdocsPlugin

__all__ = ["QkvdocsPlugin"]
