"""Nouns and pure rules; standard library only."""
