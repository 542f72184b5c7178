"""Whether a sentence says again what another one says: the claim before its passage.

The world is closed: a restatement may differ in what the word lists permit and in nothing else, so
a negation, a figure or a name needs no rule of its own to be caught. The lists name what was.
"""

from handrail.rails.agreement.compare import Agreement
from handrail.rails.agreement.words import WordLists, load_words

__all__ = ["Agreement", "WordLists", "load_words"]
