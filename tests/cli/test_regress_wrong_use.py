"""`arena regress` refuses what makes no test, in one line, before anything is played."""

import pytest

from arena.cli.app import main


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("--m0", "0.1", "--m1", "0"), "m0 must be below m1"),
        (("--m0", "0", "--m1", "1e-160"), "at least 1e-06 apart"),
        (("--m0", "nan"), "m0 must be below m1"),
        (("--alpha", "1e-300"), "alpha must lie between 1e-12 and 0.5"),
        (("--beta", "1e-320"), "beta must lie between 1e-12 and 0.5"),
        (("--gain", "--no-regression"), "contradict each other"),
        (("--max-sets", "8"), "max-sets must be at least 32"),
        (("--time-tolerance", "0"), "must be above 0"),
        (("--junit", "nowhere/at/all.xml"), "all.xml: cannot be written: No such file"),
        (("--json", "/dev/null/verdict.json"), "verdict.json: cannot be written: Not a directory"),
        (("--markdown", "/"), "/: cannot be written: Is a directory"),
        (("--json", "-", "--markdown", "-"), "only one report can go to stdout"),
        (("--candidate", "nobody"), "no bot `nobody`"),
        (("--candidate", "git:no-such-revision"), "git:no-such-revision"),
        (("--seed",), "requires an argument"),
    ],
)
def test_wrong_use_is_one_line_and_status_2(args, words, capsys):
    with pytest.raises(SystemExit) as left:
        main(["regress", "--base", "random", "--candidate", "random", *args])
    assert left.value.code == 2
    captured = capsys.readouterr()
    assert words in captured.err
    assert captured.err.count("\n") == 1
    assert captured.out == ""
