"""The command line: data on standard output, talk on standard error, an exit code that is true."""

from handrail.cli.app import app, main

__all__ = ["app", "main"]
