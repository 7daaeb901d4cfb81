#!/usr/bin/env python3
"""Compares the README's feature table with what `millrace components` lists, in both directions.

usage: feature_table.py [--millrace PROGRAM]
"""
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from harness.driver import TOP, options_of  # noqa: E402  (the path has to be set first)


def built_in(millrace):
    """{"sources": {"netcat", ...}, ...}; one without an alias goes by its class: StressSource."""
    text = subprocess.run([millrace, "components"], capture_output=True, text=True, check=True).stdout
    families = {}
    for line in text.splitlines():
        if re.fullmatch(r"\w+s", line):
            family = families.setdefault(line, set())
        elif line.startswith("  "):
            alias, class_name = line[2:22].strip(), line.split()[-1]
            family.add(alias or class_name.removesuffix("$Builder").rsplit(".", 1)[1])
    return families


def table():
    """(family, names, state) of each row about components."""
    text = (TOP / "README.md").read_text()
    for family, names, state in re.findall(r"(?m)^\| (\w+s) ([\w, ]+) \| (.+) \|$", text):
        yield family, set(names.split(", ")), state


def faults(families):
    named = {family: set() for family in families}
    for family, names, state in table():
        if family not in families:
            continue
        is_promise = state.startswith("yes")
        if is_promise:  # "yes, and round-robin" names one that Flume does not have.
            named[family] |= names | {name for name in families[family] if name.replace("_", "-") in state}
        for name in sorted(names):
            if (name in families[family]) != is_promise:
                yield f"{family} {name}: the table says {state}"
    for family, names in families.items():
        for name in sorted(names - named[family]):
            yield f"{family} {name}: is built in, and the table does not say so"


def main():
    options = options_of(__doc__).parse_args()
    families = built_in(options.millrace)
    found = list(faults(families))
    print("\n".join(found) or f"The table names what is built in: {sum(map(len, families.values()))} components.")
    return 1 if found or not families else 0


if __name__ == "__main__":
    sys.exit(main())
