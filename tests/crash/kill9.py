#!/usr/bin/env python3
"""Kills an agent at random moments, again and again, under senders that wait for acknowledgements.

usage: kill9.py [--millrace PROGRAM] [--kills N] [--flows N] [--seed N] [--summary FILE] [--keep]

The agent has the demo's channels and sinks behind netcat sources. Between two kills it lives from 0 to 3
seconds, so that starts and replays are hit as well. At the end the senders settle, the agent stops in
order, and verify compares what was sent with the files: an acknowledged event that is missing fails.
"""
import pathlib
import random
import re
import signal
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from harness.driver import drive, options_of, verify  # noqa: E402  (the path has to be set first)
from harness.process import Program, free_port, port_open, wait_until  # noqa: E402


def parse():
    parser = options_of(__doc__)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--flows", type=int, default=10)
    parser.add_argument("--rate", type=int, default=60_000, help="events a second, all flows together")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 32))
    parser.add_argument("--summary", type=pathlib.Path, help="append a line for docs/reports/crash.md")
    return parser.parse_args()


class Rig:
    """The agent, its senders and their folder."""

    def __init__(self, options, folder):
        self.options = options
        self.folder = folder
        self.ports = [free_port() for _ in range(options.flows)]
        self.conf = folder / "agent.conf"
        self.conf.write_text(self.configuration())

    def configuration(self):
        flow = (HERE / "agent.conf.in").read_text()
        numbers = range(self.options.flows)
        lists = {"sources": "r", "channels": "c", "sinks": "k"}
        text = "".join(f"a.{kind} = {' '.join(f'{letter}{n}' for n in numbers)}\n" for kind, letter in lists.items())
        for number, port in zip(numbers, self.ports):
            (self.folder / "out" / f"flow{number}").mkdir(parents=True)
            values = {"N": number, "PORT": port, "DIR": self.folder}
            text += re.sub(r"@(\w+)@", lambda match: str(values[match.group(1)]), flow)
        return text

    def start_agent(self):
        return Program([self.options.millrace, "agent", "-n", "a", "-f", self.conf], self.folder / "agent.log")

    def start_senders(self):
        return Program(
            [self.options.millrace, "hammer", "-N", self.options.flows, "--ports", ",".join(map(str, self.ports)),
             "--protocol", "netcat", "--size", "300", "--rate", self.options.rate, "--window", "2000",
             "--give-up", "120", "--report", self.folder / "sent.json"], self.folder / "hammer.log")

    def all_listen(self):
        return all(map(port_open, self.ports))


def kill_rounds(rig, chance):
    """Starts and kills the agent; the last one that was started is left alive."""
    for round_number in range(1, rig.options.kills + 1):
        agent = rig.start_agent()
        # Every fourth life is shorter than a start and its replay; the others work for a while.
        life = chance.uniform(0, 0.15) if chance.random() < 0.25 else chance.uniform(0.15, 3)
        time.sleep(life)
        if not agent.alive():
            sys.exit(f"kill9: the agent ended by itself in round {round_number}:\n{agent.log_text()[-4000:]}")
        agent.kill()
        if round_number % 20 == 0:
            print(f"  {round_number} kills", flush=True)
    return rig.start_agent()


def settle(rig, agent, senders):
    """Ends the senders once all they sent is answered, then the agent."""
    if not wait_until(rig.all_listen, 60):
        sys.exit(f"kill9: the agent does not listen after the last kill:\n{agent.log_text()[-4000:]}")
    senders.process.send_signal(signal.SIGINT)
    if senders.process.wait(180) != 0:
        sys.exit(f"kill9: the senders did not settle:\n{senders.log_text()}")
    if not agent.stop(120):
        sys.exit("kill9: the agent did not end within two minutes")


def run(options, folder):
    rig = Rig(options, folder)
    print(f"seed {options.seed}: {options.kills} kills, {options.flows} flows, {options.rate} events/s", flush=True)
    with rig.start_senders() as senders:
        agent = kill_rounds(rig, random.Random(options.seed))
        with agent:
            settle(rig, agent, senders)
    print(rig.folder.joinpath("hammer.log").read_text(), end="")
    nothing_lost, report = verify(options, folder / "sent.json", folder / "out")
    if options.summary:
        write_summary(options, report)
    return nothing_lost


def write_summary(options, report):
    last = report.strip().splitlines()[-1] if report.strip() else "no report"
    with open(options.summary, "a") as out:
        out.write(f"- {options.kills} times kill -9 of an agent with {options.flows} flows (netcat, file channel, "
                  f"file_roll Avro/snappy), seed {options.seed}: `{last}`\n")


def main():
    options = parse()
    return drive("kill9", options, run, lambda folder: f"seed {options.seed}; the files are in {folder}")


if __name__ == "__main__":
    sys.exit(main())
