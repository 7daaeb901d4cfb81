#!/usr/bin/env python3
"""Checks that every test that docs/flume-tests.md names is there.

usage: flume_tests.py

In the right column of its tables `Suite.Name`, `Suite.*` and `.Name`, of the suite before it, are tests of src/;
`case.NAME` and `crash.NAME` are those that ctest knows by these names.
"""
import re
import sys
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
NAME = re.compile(r"`((?:[A-Z]\w*|case|crash)?\.[\w*-]+)`")


def unit_tests():
    """{"Suite": {"Name", ...}, ...}"""
    suites = {}
    for path in sorted((TOP / "src").rglob("*_test.cc")):
        for suite, name in re.findall(r"\bTEST(?:_F|_P)?\(\s*(\w+),\s*(\w+)\s*\)", path.read_text()):
            suites.setdefault(suite, set()).add(name)
    return suites


def whole_programs():
    """The same of what runs programs: cases and crash tests."""
    cmake = (TOP / "tests" / "CMakeLists.txt").read_text()
    return {"case": {path.parent.name for path in (TOP / "tests" / "cases").glob("*/case.py")},
            "crash": set(re.findall(r"add_test\(NAME crash\.(\w+)", cmake))}


def named(text):
    """(line number, suite, name) of each test in the right columns."""
    for number, line in enumerate(text.split("\n"), 1):
        suite = None
        cells = line.split(" | ", 1)
        if not line.startswith("| ") or len(cells) < 2:
            continue
        for test in NAME.findall(cells[1]):
            suite, name = test.split(".") if not test.startswith(".") else (suite, test[1:])
            yield number, suite, name


def main():
    page = TOP / "docs" / "flume-tests.md"
    tests = {**unit_tests(), **whole_programs()}
    found = list(named(page.read_text()))
    missing = [(number, suite, name) for number, suite, name in found
               if suite not in tests or (name != "*" and name not in tests[suite])]
    for number, suite, name in missing:
        print(f"{page.relative_to(TOP)}:{number}: there is no test {suite}.{name}")
    print(f"{len(found)} names, {len(missing)} of tests that are not there")
    return 1 if missing or not found else 0


if __name__ == "__main__":
    sys.exit(main())
