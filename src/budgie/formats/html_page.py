# SPDX-License-Identifier: Apache-2.0
"""What all pages of HTML begin with, and text in them. No page has scripts, or anything from elsewhere."""

from __future__ import annotations

import re

from budgie.tasks.records import decode

_MARKED = re.compile("[&<>\r\0\ud800-\udfff]")  # markup, and what HTML or UTF-8 has no place for
_AS_MARKUP = {"&": "&amp;", "<": "&lt;", ">": "&gt;", "\r": "&#13;"}

_HEAD = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width">
<title>{title}</title>
<style>
:root {{color-scheme: light dark}}
{style}</style>
</head>
"""


def head(title: str, style: str) -> str:
    """All that stands before the body of a page."""
    return _HEAD.format(title=escaped(title), style=style)


def escaped(text: str | bytes) -> str:
    """As HTML shows it between tags: everything there, and nothing of it markup."""
    return _MARKED.sub(lambda found: _AS_MARKUP.get(found[0], "\N{REPLACEMENT CHARACTER}"), decode(text))
