"""Parquet by pyarrow."""

from handrail.adapters.parquet.tables import ParquetTables

__all__ = ["ParquetTables"]
