#!/usr/bin/env python3
"""Does what a page says, as it stands there: every fenced block is an example, and has to hold.

usage: examples.py [--millrace PROGRAM] [--keep] PAGE

    console      `$ command` lines, each with what it prints; `…` stands for anything. The exit status is 0 unless
                 `$ echo $?` follows. `millrace agent` runs on until `^C` (or the page's end); lines below each are of its log.
    sh           commands whose output the page does not show
    properties   has to pass `millrace check`; with a name it is also that file for the commands below it
    json         has to parse
    KIND in FILE stands in that file of the project, letter by letter
    text         no example

A page's blocks share a temporary folder, which `/var`, `/etc` and the like lie in too; its ports become free ones.
`<!-- given: FOLDER in PATH -->` lays a copy of a folder of the project there first.
A block that cannot be run has `<!-- not run: REASON -->` above it; of `./dev COMMAND` there the command has to exist.
"""
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
sys.path.insert(0, str(HERE))

import page  # noqa: E402  (the path has to be set first)
from harness.driver import TOP, drive, options_of  # noqa: E402
from harness.process import Program, free_ports, port_open, wait_until  # noqa: E402

PATIENCE = 30  # Seconds for what has to come in the end.
ROOTS = re.compile(r"(?<![\w/.:])/(?=(?:var|etc|srv|tmp|disk\d)/)")
ENVIRONMENT = {"TZ": "UTC", "LC_ALL": "C.UTF-8"}


class Examples:
    """One run of a page."""

    def __init__(self, path, millrace, folder):
        self.text = path.read_text()
        self.folder = folder
        self.ports = self.free(page.ports_of(self.text))
        self.agent = None
        self.status = 0
        for name in ("bin/millrace", "build/release/millrace"):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).symlink_to(millrace.resolve())
        self.environment = {**ENVIRONMENT, "HOME": str(folder), "PATH": f"{folder}/bin:{os.environ['PATH']}"}

    @staticmethod
    def free(numbers):
        """A free port for each; those that follow one another still do."""
        ports = {}
        for number in numbers:
            if number not in ports:
                run = next(length for length in range(1, len(numbers) + 1) if number + length not in numbers)
                ports.update(zip(range(number, number + run), free_ports(run)))
        return ports

    # -- between the page's names and ours

    def ours(self, text):
        text = re.sub(r"\b\d{4,5}\b", lambda match: str(self.ports.get(int(match[0]), match[0])), text)
        return ROOTS.sub(f"{self.folder}/", text)

    def theirs(self, text):
        for number, port in self.ports.items():
            text = re.sub(rf"\b{port}\b", str(number), text)
        return text.replace(f"{self.folder}/", "/")

    # -- what a block asks for

    def run(self):
        for source, path in page.GIVEN.findall(self.text):
            shutil.copytree(TOP / source, self.ours(path))
        try:
            for block in page.blocks_of(self.text):
                self.do(block)
            self.fail_if_failed()
            self.stop_agent()
        finally:
            if self.agent:
                self.agent.kill()

    def do(self, block):
        print(f"-- line {block.line}: {block.kind} {block.title}", flush=True)
        if block.not_run:
            print(f"not run: {block.not_run}")
            self.dev_commands(block)
        elif block.kind == "given":
            shutil.copytree(TOP / block.title, self.ours(block.text), dirs_exist_ok=True)
        elif block.title.startswith("in "):
            self.hold(block.text.strip().encode() in (TOP / block.title[3:]).read_bytes(), "it is not " + block.title)
        elif block.kind == "json":
            json.loads(block.text)
        elif block.kind == "properties":
            self.configuration(block)
        elif block.kind != "text":
            for step in page.steps_of(block):
                self.step(step)

    @staticmethod
    def hold(true, message):
        if not true:
            sys.exit(f"examples: {message}")

    def dev_commands(self, block):
        known = subprocess.run([TOP / "dev", "help"], capture_output=True, text=True, check=True).stdout
        for command in re.findall(r"(?m)^\./dev (\w+)", block.text):
            self.hold(command == "help" or re.search(rf"(?m)^  {command}\b", known), f"./dev has no command {command}")

    def configuration(self, block):
        path = self.folder / (block.title or "extract.conf")
        path.write_text(self.ours(page.whole_configuration(block.text)))
        self.fail_if_failed()
        self.command(f"millrace check {path.name}")

    # -- commands

    def step(self, step):
        print(f"$ {step.command}", flush=True)
        if step.command == "echo $?":
            self.hold(str(self.status) == step.expected.strip(), f"the status is {self.status}")
            self.status = 0
            return
        self.fail_if_failed()
        if step.command == "^C":
            log_text = self.theirs(self.stop_agent())
            self.hold(page.matches("…" + step.expected.rstrip() + "…", log_text), "the log does not say " + step.expected)
        elif re.match(r"\S*millrace agent .*-n", step.command):
            self.start_agent(step)
        else:
            self.until_shown(step)

    def fail_if_failed(self):
        self.hold(self.status == 0, f"the status of the command before is {self.status}")

    def until_shown(self, step):
        """Reads may come too early, and are done again; what changes something is done once."""
        printed = ""

        def shown():
            nonlocal printed
            printed = self.command(step.command)
            return not step.expected or page.matches(step.expected, printed)

        patience = PATIENCE if step.command.startswith("curl") else 0
        self.hold(wait_until(shown, patience, 0.1), f"the page says\n{step.expected}it printed\n{printed}")

    def command(self, command):
        run = subprocess.run(["bash", "-c", self.ours(command)], cwd=self.folder, env={**os.environ, **self.environment},
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, text=True,
                             check=False, timeout=120)
        print(run.stdout, end="", flush=True)
        self.status = run.returncode
        return self.theirs(run.stdout)

    def start_agent(self, step):
        self.stop_agent()
        log = self.folder / "agent.log"
        log.unlink(missing_ok=True)
        command = self.ours(step.command)
        self.agent = Program(["bash", "-c", "exec " + command], log, env=self.environment, folder=self.folder)
        pages = [self.ports[port] for port in page.ports_of(step.command)]

        def runs():
            log_text = self.theirs(self.agent.log_text())
            shown = page.matches(step.expected.rstrip() + "…", log_text)
            return not self.agent.alive() or " is running;" in log_text and shown and all(map(port_open, pages))

        self.hold(wait_until(runs, PATIENCE) and self.agent.alive(),
                  f"the agent does not run as the page says:\n{step.expected}its log:\n{self.agent.log_text()}")

    def stop_agent(self):
        """Asks for an orderly end; the log."""
        if not self.agent:
            return ""
        self.agent.process.send_signal(signal.SIGINT)
        self.hold(wait_until(lambda: not self.agent.alive(), PATIENCE), "the agent does not end")
        agent, self.agent = self.agent, None
        print(agent.log_text(), end="", flush=True)
        self.hold(agent.process.returncode == 0, f"the agent's status is {agent.process.returncode}")
        return agent.log_text()


def main():
    parser = options_of(__doc__)
    parser.add_argument("page", type=pathlib.Path)
    options = parser.parse_args()

    def run(options, folder):
        try:
            Examples(options.page, options.millrace, folder).run()
        except page.BadPage as odd:
            sys.exit(f"{options.page}: {odd}")
        return True

    return drive("page", options, run)


if __name__ == "__main__":
    sys.exit(main())
