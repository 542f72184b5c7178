"""The one sentence segmenter: text to spans, the same everywhere (C64).

The rules favour whole sentences over short ones: where it is open whether a stop ends a sentence,
it does not. Change a rule, and the version changes with it: a stored ``sent_id`` must never come
to mean another sentence.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from handrail.corpus import abbreviations as words
from handrail.domain.text import Span

SEGMENTER_VERSION: Final = "1"

_WRAPPED = range(55, 101)  # lines of this length were broken by a margin, not by their writer
_BACK = 16  # characters looked back for an abbreviation

_EMOJI = "[\u2600-\u27bf\u2b50\u2b55\ufe0f\u200d\U0001f000-\U0001faff]"
_FACE = r"[:;]['’]?-?[()DPp](?![\w)])"
_STOP = re.compile(
    rf"(?P<stop>[.!?…]+(?:[ ]\.)*|[。！？]+|[।؟]+)(?P<close>[\"'”’»)\]*_]*)"
    rf"(?P<tail>(?:[ ]?(?:{_EMOJI}+|{_FACE}))*)"
)
_SMILE = re.compile(rf"(?<=\w)(?:[ ]?{_EMOJI}+|[ ]{_FACE})(?=[ \t])")
_BREAK = re.compile(r"[\n\r\u2028\u2029]\s*")
_BULLET = re.compile(r"(?<=\s)[•‣◦▪●∙]")
_ITEM = re.compile(r"[-–—*•‣◦▪●∙]\s|\(?(?:\d{1,3}|[A-Za-z])[.)]{1,2}\s|\d{1,3}[.)]{1,2}\w")
_MARKER = re.compile(r"[-–—*•‣◦▪●∙(\[]?\s?(?:\d{1,3}|[A-Za-z]|[ivx]{2,4})\.")
_GLUED_ITEM = re.compile(r"\d{1,2}[.)](?=\s|[^\W\d_])")
_INLINE_NUMBER = re.compile(r"[,;:]\s\d{1,2}$")
_SPACED_LETTER = re.compile(r"\s[^\W\d_]\.")
_OPENERS = "\"'“‘«([*_¿¡"
_SOLID = re.compile(r"\S")
_NEXT = re.compile(rf"\s*[{re.escape(_OPENERS)}]*")
_WORD = re.compile(r"[^\W\d_]{1,40}(?:['’][^\W\d_]{1,8})?")
_LETTERED = re.compile(r"[^\W\d_]|['’]")
_DOTTED = re.compile(r"[^\W\d_](?:[^\W\d_]|\.(?=[^\W\d_]))*$")
_ACRONYM = re.compile(r"(?:[^\W\d_]\.)+[^\W\d_]")


def segment(text: str) -> tuple[Span, ...]:
    """The sentences of ``text`` in order; linear time.

    Spans do not overlap, neither begin nor end with white space, and leave out nothing else.
    """
    spans, start = [], 0
    for cut in (*_cuts(text), len(text)):
        piece = text[start:cut]
        body = piece.strip()
        if body:
            begin = start + len(piece) - len(piece.lstrip())
            spans.append(Span(begin, begin + len(body)))
        start = cut
    return tuple(spans)


def quotable(text: str) -> tuple[Span, ...]:
    """The sentences that hold at least one letter; a row of dashes is nothing to quote."""
    return tuple(s for s in segment(text) if any(c.isalpha() for c in s.of(text)))


def _cuts(text: str) -> list[int]:
    """Every position where a sentence ends and another may begin, in order."""
    ends = dict(_stops(text))
    cuts = {end for end, closes in ends.items() if closes}
    cuts.update(_line_cuts(text, ends))
    cuts.update(match.start() for match in _BULLET.finditer(text))
    for match in _SMILE.finditer(text):
        if match.end() not in ends and _next_char(text, match.end()).isupper():
            cuts.add(match.end())
    return sorted(cuts)


def _stops(text: str) -> Iterator[tuple[int, bool]]:
    """The end of every run of stops, and whether a sentence ends there."""
    start = _solid(text, 0)
    for match in _STOP.finditer(text):
        end = match.end()
        if end == len(text):
            return
        closes = not _is_marker(text, start, match) and _closes(text, start, match)
        if closes:
            start = _solid(text, end)
        yield end, closes


def _is_marker(text: str, start: int, match: re.Match[str]) -> bool:
    """Whether the stop belongs to a list number at the beginning of a sentence or line."""
    line = max(start, text.rfind("\n", max(0, match.start() - _BACK), match.start()) + 1)
    marker = _MARKER.match(text, line)
    return marker is not None and marker.end() == match.end("stop")


def _closes(text: str, start: int, match: re.Match[str]) -> bool:
    stop, end = match["stop"], match.end()
    if stop[0] in "。！？":
        return True
    if not text[end].isspace():
        return _closes_glued(text, match)
    if match["tail"]:
        return True
    lower = _next_char(text, end).islower()
    if match["close"]:
        return not lower
    if "!" in stop or "?" in stop or stop[0] in "।؟":
        return True
    if stop != ".":
        return not lower  # an ellipsis trails on in lower case
    return _full_stop_closes(text, start, match.start())


def _full_stop_closes(text: str, start: int, dot: int) -> bool:
    """Whether a single full stop before white space ends the sentence that began at ``start``."""
    window = text[max(start, dot - _BACK) : dot]
    following = _next_char(text, dot + 1)
    if _INLINE_NUMBER.search(window) or (window[-1:].isdigit() and following.islower()):
        return False
    before = _DOTTED.search(window)
    word = before.group().lower() if before else ""
    if word in words.NEVER_END or (word in words.BEFORE_NUMBER and following.isdigit()):
        return False
    if word in words.ENDS_BEFORE_CAPITAL:
        return not following.islower()
    initial = len(word) == 1 and (word != "i" or _SPACED_LETTER.match(text, dot + 1) is not None)
    if initial or word in words.MAY_END or _ACRONYM.fullmatch(word):
        return not following.isalnum() or _opens_sentence(text, dot + 1)
    return True


def _opens_sentence(text: str, place: int) -> bool:
    word = _WORD.match(text, _next(text, place))
    if word is None or not word.group()[0].isupper() or text[word.end() : word.end() + 1] == ".":
        return False
    return re.split("['’]", word.group().lower())[0] in words.STARTERS


def _closes_glued(text: str, match: re.Match[str]) -> bool:
    """Whether a stop with no white space after it ends a sentence, as in ``with.Seriously``."""
    stop, dot = match["stop"], match.start()
    if stop.strip("!?") not in ("", "."):
        return False
    if _GLUED_ITEM.match(text, match.end()):
        return text[dot - 1 : dot].islower() and not _in_address(text, dot)
    word = _WORD.match(text, _next(text, match.end()))
    if word is None or not _is_opening_word(word.group()):
        return False
    if stop != "." and "." not in stop:
        return not _in_address(text, dot)
    before = text[max(0, dot - _BACK) : dot]
    ended = before[-1:].isdigit() or (before[-1:].islower() and _LETTERED.match(before[-2:]))
    if not (ended or before[-1:] in (")", '"', "”")):
        return False
    last = _DOTTED.search(before)
    titled = last is not None and last.group().lower() in words.NEVER_END
    return not (titled or word.group().lower() in words.DOMAINS or _in_address(text, dot))


def _is_opening_word(word: str) -> bool:
    return word in ("I", "A") or (word[0].isupper() and word[1:].replace("’", "'").islower())


def _in_address(text: str, place: int) -> bool:
    """Whether the run around ``place`` looks like a URL or an e-mail address (64 characters)."""
    left = text[max(0, place - 64) : place].split()
    right = text[place : place + 64].split(maxsplit=1)
    run = (left[-1] if left and not text[place - 1].isspace() else "") + right[0]
    return "://" in run or "www." in run.lower() or "@" in run or "/" in run


def _line_cuts(text: str, ends: dict[int, bool]) -> Iterator[int]:
    """Line breaks that end a sentence; where a stop precedes, that has been decided already."""
    line = 0
    for match in _BREAK.finditer(text):
        start, line = line, match.end()
        body = text[start : match.start()].rstrip()
        end = start + len(body)
        if _ends_line(text, body, match, decided=end in ends):
            yield match.end()


def _ends_line(text: str, body: str, match: re.Match[str], *, decided: bool) -> bool:
    following = text[match.end() : match.end() + 1]
    if _blank(match.group()) or not following or _ITEM.match(text, match.end()):
        return True
    if decided or following.islower() or body.endswith(","):
        return False
    return body.endswith(":") or len(body) not in _WRAPPED


def _blank(run: str) -> bool:
    return sum(run.replace("\r\n", "\n").count(mark) for mark in "\n\r\u2028\u2029") > 1


def _solid(text: str, place: int) -> int:
    match = _SOLID.search(text, place)
    return match.start() if match else len(text)


def _next(text: str, place: int) -> int:
    match = _NEXT.match(text, place)
    return match.end() if match else place


def _next_char(text: str, place: int) -> str:
    """The first character after white space and opening marks; empty at the end."""
    place = _next(text, place)
    return text[place : place + 1]
