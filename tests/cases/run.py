#!/usr/bin/env python3
"""Runs cases from the field against a millrace program.

usage: run.py [--millrace PROGRAM] [--keep] [CASE...]     (default: all cases)

A case is a folder with case.py, whose run(case) sends input to an agent and checks what comes out, and
the files it needs. Prints each check, then "PASS name" or "FAIL name (n)"; exit status 1 when one failed.
"""
import argparse
import importlib.util
import pathlib
import sys
import traceback

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from cases.case import Case  # noqa: E402  (the path has to be set first)


def run(name, millrace, keep):
    spec = importlib.util.spec_from_file_location("case_" + name.replace("-", "_"), HERE / name / "case.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    with Case(HERE / name, millrace, keep) as case:
        try:
            module.run(case)
        except Exception:  # A case that breaks has failed; the others still run.
            case.flunk("ended early: " + traceback.format_exc())
        return case.verdict()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--millrace", default=str(HERE.parents[1] / "build/release/millrace"))
    parser.add_argument("--keep", action="store_true", help="keep the files of each run")
    parser.add_argument("cases", nargs="*")
    options = parser.parse_args()
    names = options.cases or sorted(p.parent.name for p in HERE.glob("*/case.py"))
    passed = [run(name, options.millrace, options.keep) for name in names]
    return 0 if all(passed) else 1


if __name__ == "__main__":
    sys.exit(main())
