"""The sequential regression test and its verdicts."""
