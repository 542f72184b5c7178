"""The guide: curated content for parents in conflict, found by four channels."""
