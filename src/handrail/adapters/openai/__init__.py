"""Adapters over the OpenAI client, for any server that speaks its API."""
