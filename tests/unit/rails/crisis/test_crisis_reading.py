"""Finding phrases: the look-up by words may save work, never a hit."""

from __future__ import annotations

from crisis_sample import bank, tiny_lexicon

from handrail.adapters.re2 import Re2Engine
from handrail.rails.crisis.lexicon import read_lexicon
from handrail.rails.crisis.normalise import Normaliser
from handrail.rails.crisis.packaged import load_lexicons
from handrail.rails.crisis.reading import Index
from handrail.rails.crisis.spelling import Speller

EVERY = 12  # items of the bank between two that are compared


def test_the_index_finds_what_every_pattern_finds_by_itself() -> None:
    engine = Re2Engine()
    rules = [rule for lexicon in load_lexicons() for rule in lexicon.rules]
    index = Index(engine)
    shelf = index.shelve(rules)
    patterns = [(r.id, engine.compile([p.pattern]), p.book) for r in rules for p in r.phrases]
    normalise = Normaliser(Speller())
    for item in bank()[::EVERY]:
        sentences = index.open(normalise(item.text).text)
        expected = sorted(
            (sentence.start + hit.start, rule)
            for sentence in sentences
            for rule, pattern, book in patterns
            for hit in pattern.scan(book.guarded(sentence.text))
        )
        assert sorted((start, rule.id) for start, _, rule in shelf.read(sentences)) == expected


def test_hits_are_placed_in_the_whole_text_without_the_separator_behind() -> None:
    lexicon = read_lexicon(tiny_lexicon(), "xx.yaml")
    index = Index(Re2Engine())
    shelf = index.shelve(lexicon.rules)
    text = "fine here.i want to sink, you see?wish to go under"
    hits = shelf.read(index.open(text))
    assert [text[start:end] for start, end, _ in hits] == ["want to sink", "wish to go under"]


def test_no_phrase_reaches_across_the_end_of_a_sentence() -> None:
    index = Index(Re2Engine())
    shelf = index.shelve(read_lexicon(tiny_lexicon(), "xx.yaml").rules)
    assert shelf.read(index.open("want to.sink")) == []


def test_the_barriers_of_one_language_bind_no_other() -> None:
    said = {"xx": "(sink|not) now", "yy": "sink ..1 not"}
    index = Index(Re2Engine())
    rules = []
    for language, say in said.items():
        rule = {"id": language, "kind": "suicide", "level": "high", "review": "none", "say": say}
        barriers = "not" if language == "xx" else "now"
        body = tiny_lexicon(language=language, rules=[rule], barriers=barriers)
        rules += read_lexicon(body, f"{language}.yaml").rules
    shelf = index.shelve(rules)
    assert [found.what.id for found in shelf.read(index.open("sink not not now"))] == ["yy", "xx"]
