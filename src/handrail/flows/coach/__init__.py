"""The coach: three similar cases, cited quotes and vetted steps, or a refusal."""
