"""The built-in leaderboard formats."""

from __future__ import annotations

from collections.abc import Sequence

from arena import hookimpl
from arena.report.api import ReportFormat
from arena.report.csv_board import CsvFormat
from arena.report.json_board import JsonFormat
from arena.report.markdown import MarkdownFormat
from arena.report.table import TableFormat


@hookimpl
def arena_report_formats() -> Sequence[ReportFormat]:
    """Table (the default), JSON, CSV and Markdown."""
    return [TableFormat(), JsonFormat(), CsvFormat(), MarkdownFormat()]
