"""The output rail for turns that a model wrote: what such a text may say, and all that it may not.

It reads one text and fails shut. A model that means harm is assumed, so that rules refuse too much
rather than too little: what is refused is written anew once, and then said by reviewed lines.
"""

from handrail.rails.reply_contract.contract import ReplyContract
from handrail.rails.reply_contract.terms import CODES, Breach, Code, Terms

__all__ = ["CODES", "Breach", "Code", "ReplyContract", "Terms"]
