#!/usr/bin/env python3
"""Does what the README's five-minute tour says, in a temporary folder and on free ports.

usage: tour.py [--millrace PROGRAM]
"""
import argparse
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

TOP = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(TOP / "tests"))

from harness.process import Program, free_port  # noqa: E402  (the path has to be set first)


def blocks():
    """The tour's indented blocks: build and start; send and look; verify."""
    text = (TOP / "README.md").read_text()
    tour = re.search(r"## Five-minute tour\n(.*?)\n## ", text, re.S).group(1)
    return [re.sub(r"(?m)^    ", "", block) for block in re.findall(r"(?:^    .*\n)+", tour + "\n", re.M)]


def shell(script):
    run = subprocess.run(["bash", "-euo", "pipefail", "-c", script], cwd=TOP, capture_output=True, text=True, check=False)
    print(script.rstrip(), "\n", run.stdout, run.stderr, sep="", flush=True)
    if run.returncode != 0:
        sys.exit(f"tour: exit status {run.returncode}")
    return run.stdout


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--millrace", default=str(TOP / "build/release/millrace"))
    millrace = parser.parse_args().millrace
    folder = tempfile.mkdtemp(prefix="millrace-tour-")
    port, http = free_port(), free_port()

    def mine(text):
        for theirs, ours in (("/tmp/tour", folder), ("44444", str(port)), ("8080", str(http)),
                             ("build/release/millrace", millrace), ("./dev build\n", "")):
            text = text.replace(theirs, ours)
        return text

    start, send, verify = (mine(block) for block in blocks())
    prepare, agent_line = start.rstrip().rsplit("\n", 1)
    shell(prepare)
    with Program(["bash", "-c", "exec " + agent_line], pathlib.Path(folder) / "agent.log") as agent:
        if not agent.wait_port(port) or not agent.wait_port(http):
            sys.exit("tour: the agent does not listen:\n" + agent.log_text())
        shell(send)
        if not agent.stop(30):
            sys.exit("tour: the agent did not end within 30 s")
    if "lost=0" not in shell(verify):
        sys.exit("tour: verify does not say lost=0")
    shutil.rmtree(folder)


if __name__ == "__main__":
    main()
