"""Small pieces of a page: text is escaped where it enters, and nothing is fetched from anywhere."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import NewType

Html = NewType("Html", str)
"""Markup whose text is escaped."""


def text(value: object) -> Html:
    """Any text, escaped."""
    return Html(escape(str(value)))


def join(parts: Iterable[Html]) -> Html:
    """Pieces one after another."""
    return Html("\n".join(parts))


def tag(name: str, inner: Html, **attributes: str) -> Html:
    """An element; ``class_`` stands for class."""
    said = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(value)}"'
        for key, value in attributes.items()
    )
    return Html(f"<{name}{said}>{inner}</{name}>")


def para(said: str, **attributes: str) -> Html:
    """A paragraph of plain text."""
    return tag("p", text(said), **attributes)


def items(parts: Sequence[Html]) -> Html:
    """A list; empty text without an item."""
    return tag("ul", join(tag("li", part) for part in parts)) if parts else Html("")


def section(name: str, heading: str, *parts: Html) -> Html:
    """A part of the page under its heading, which a link can name."""
    title = tag("h2", text(heading), id=name)
    return tag("section", join([title, *parts]), aria_labelledby=name)


def details(summary: Html, *parts: Html) -> Html:
    """What unfolds."""
    return tag("details", join([tag("summary", summary), *parts]))


def table(caption: str, heads: Sequence[str], rows: Iterable[Sequence[Html]]) -> Html:
    """A table with a caption; the first cell of a row names it."""
    head = tag("tr", join(tag("th", text(one), scope="col") for one in heads))
    body = join(
        tag("tr", join([tag("th", row[0], scope="row"), *(tag("td", cell) for cell in row[1:])]))
        for row in rows
    )
    inner = join([tag("caption", text(caption)), tag("thead", head), tag("tbody", body)])
    return tag(
        "div", tag("table", inner), class_="wide", tabindex="0", role="region", aria_label=caption
    )


STYLE = """
:root { color-scheme: light dark; --ink: #1d1d1f; --paper: #fff; --line: #8a8a8f; --soft: #f2f2f4 }
@media (prefers-color-scheme: dark) {
  :root { --ink: #ececf0; --paper: #17171a; --line: #85858c; --soft: #26262b }
}
* { box-sizing: border-box }
body { margin: 0 auto; padding: 1rem; max-width: 60rem; background: var(--paper);
  color: var(--ink); font: 1rem/1.55 system-ui, sans-serif; overflow-wrap: anywhere }
h1 { font-size: 1.6rem; line-height: 1.25 }
h2 { font-size: 1.25rem; margin-top: 2.5rem }
h3 { font-size: 1rem; margin-bottom: .25rem }
.verdict { border: 2px solid var(--ink); padding: .75rem 1rem; font-size: 1.1rem }
.wide { overflow-x: auto }
table { border-collapse: collapse; width: 100%; margin: .75rem 0 }
caption { text-align: left; font-weight: 600; padding: .25rem 0 }
th, td { text-align: left; vertical-align: top; padding: .35rem .6rem .35rem 0;
  border-bottom: 1px solid var(--line); overflow-wrap: normal }
blockquote { margin: .5rem 0; padding: .5rem .9rem; background: var(--soft);
  border-left: 4px solid var(--line); white-space: pre-wrap }
details { border-bottom: 1px solid var(--line); padding: .4rem 0 }
summary { cursor: pointer }
article { border: 1px solid var(--line); padding: .25rem 1rem; margin: 1rem 0 }
.small { font-size: .9rem }
code { font-size: .9em }
a { color: inherit }
"""


def document(title: str, body: Html) -> str:
    """The whole page: no script, no picture, no address that a browser would ask."""
    policy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
    head = join(
        [
            Html('<meta charset="utf-8">'),
            Html(f'<meta http-equiv="Content-Security-Policy" content="{policy}">'),
            Html('<meta name="viewport" content="width=device-width, initial-scale=1">'),
            Html('<meta name="referrer" content="no-referrer">'),
            tag("title", text(title)),
            tag("style", Html(STYLE)),
        ]
    )
    page = join([tag("head", head), tag("body", tag("main", body))])
    return f"<!doctype html>\n{tag('html', page, lang='en')}\n"
