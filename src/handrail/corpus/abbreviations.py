"""Words that end in a full stop without ending a sentence; all in lower case, without that stop."""

from __future__ import annotations


def _words(*lines: str) -> frozenset[str]:
    return frozenset(word for line in lines for word in line.split())


NEVER_END = _words(
    "mr mrs ms mx dr prof rev fr hon gen lt col sgt capt messrs mme mlle",
    "e.g i.e eg ie cf vs viz approx incl esp resp",
)
BEFORE_NUMBER = _words(
    "no nos vol p pp fig ch sec art eq ca est tel ext",
    "jan feb mar apr jun jul aug sep sept oct nov dec",
)
MAY_END = _words(
    "jr sr st ave blvd dept inc ltd co corp al ed eds ph.d psy.d m.ed ed.d m.sc b.sc",
    "mon tue tues wed thu thur thurs fri",
)
ENDS_BEFORE_CAPITAL = frozenset({"etc"})

# After an initial or an abbreviation a capital may be a name; these words rather open a sentence.
STARTERS = _words(
    "the this that these those it its he she they we you i my your our their his her there here",
    "what when where which who why how if but and so or then now in on at for with from to as of",
    "after before because while once until since although though however also another some many",
    "most all each every one please thank thanks maybe perhaps sometimes often do does did is are",
    "was were am be have has had can could would should will may might must not no yes let a an",
    "try ask talk take get go give make neither nobody both either",
)
DOMAINS = _words("com org net edu gov io co uk info me ca au de us tv html htm php pdf js")
