"""What people reported of programs of this kind is held by tests that are there."""

from __future__ import annotations

from tests.reports import Report, faults, reports, told

KNOWN = 126
"""So many reports there are."""


def test_every_report_is_held_by_tests_that_exist() -> None:
    """A mistake that others have made would come back when its test is renamed or taken out."""
    found = reports()
    assert faults(found) == []
    assert len(found) == KNOWN
    assert all(report.says.endswith(".") for report in found)


def test_a_report_without_a_test_or_with_one_that_is_gone_is_named() -> None:
    """The table would look whole and hold nothing."""
    gone, here = (
        "test_reports.py::test_that_is_gone[a]",
        "test_reports.py::test_every_report_is_held_by_tests_that_exist",
    )
    wrong = [Report("A", "x", ()), Report("B", "x", (gone, "nowhere.py::test_x")), Report("C", "x", (here, here))]
    assert faults(wrong) == [
        "A has no test",
        f"B: there is no {gone}",
        "B: there is no nowhere.py::test_x",
        f"C names {here} twice",
    ]
    assert told("ui/test_x.py::TestIt::test_y[a/b::c]") == "tests.ui.test_x.TestIt.test_y[a/b::c]"
