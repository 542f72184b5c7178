"""What the tests of the command line share."""

from cli_runs import *  # noqa: F403  fixtures
