"""What the documents tell people to type."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

from source_tree import ROOT

DOCUMENTS = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    ROOT / "SECURITY.md",
    *sorted((ROOT / "docs").rglob("*.md")),
]
_CONSOLE = re.compile(r"^```console\n(?P<body>.*?)^```", re.MULTILINE | re.DOTALL)
_SEPARATORS = {"&&", "||", "|", ";"}


def command_lines(text: str) -> list[str]:
    """What follows the prompt in the console blocks of a document, continuation lines joined."""
    lines = "\n".join(m["body"] for m in _CONSOLE.finditer(text)).replace("\\\n", " ").split("\n")
    return [line.removeprefix("$ ").strip() for line in lines if line.startswith("$ ")]


def commands(line: str) -> Iterator[list[str]]:
    """The words of each command of a line: split at pipes and lists, assignments and redirects cut.

    >>> list(commands("A=1 handrail search x --json > found.json && scripts/test"))
    [['handrail', 'search', 'x', '--json'], ['scripts/test']]
    """
    words: list[str] = []
    lexer = shlex.shlex(line, posix=True, punctuation_chars="&|;<>")
    lexer.whitespace_split = True
    lexer.commenters = "#"
    into_file = False
    for word in lexer:
        if word in _SEPARATORS:
            yield words
            words = []
        elif set(word) <= {"<", ">", "&"}:
            into_file = word != "&"
        elif into_file or (not words and re.match(r"[A-Z_]+=", word)):
            into_file = False
        else:
            words.append(word)
    if words:
        yield words


def typed(program: str) -> list[tuple[Path, list[str]]]:
    """Every documented command of ``program``, with the document that shows it."""
    return [
        (path, words)
        for path in DOCUMENTS
        for line in command_lines(path.read_text(encoding="utf-8"))
        for words in commands(line)
        if words and words[0].startswith(program)
    ]
