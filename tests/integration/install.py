#!/usr/bin/env python3
"""Installs the program into a folder of its own, and looks whether all that belongs to it is there and works.

usage: install.py [--millrace PROGRAM]
"""
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from harness.driver import drive, options_of  # noqa: E402  (the path has to be set first)


def run(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=True).stdout


def check(options, folder):
    run("cmake", "--install", options.millrace.parent, "--prefix", folder)
    program = folder / "bin/millrace"
    pages = {page.name for page in (folder / "share/man/man1").iterdir()}
    faults = [f"there is no {page}" for page in ("millrace.1", "millrace-agent.1", "millrace-channel-show.1") if page not in pages]
    for shell, path in (("bash", "bash-completion/completions/millrace"), ("zsh", "zsh/site-functions/_millrace"),
                        ("fish", "fish/vendor_completions.d/millrace.fish")):
        if (folder / "share" / path).read_text() != run(program, "completion", shell):
            faults.append(f"the script for {shell} is not what the program prints")
    print("\n".join(faults) or f"{program.name}, {len(pages)} pages and 3 scripts are in their places.")
    return not faults


def main():
    return drive("install", options_of(__doc__).parse_args(), check)


if __name__ == "__main__":
    sys.exit(main())
