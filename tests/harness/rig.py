"""An agent that is killed under senders that wait for its acknowledgements."""
import pathlib
import re
import signal
import sys

from harness.driver import verify
from harness.process import Program, free_port, port_open, wait_until

FLOW = pathlib.Path(__file__).resolve().parent / "rig.conf.in"
WINDOW = 2000  # Lines without an answer, of one sender.


class Rig:
    """Flows of numbered events, and their folder. `flow`: of each, netcat, a file channel with two data dirs and
    file_roll; with `values` for its names."""

    def __init__(self, name, millrace, folder, flows, rate, flow=FLOW, values=None):
        self.name = name
        self.millrace = millrace
        self.folder = folder
        self.rate = rate
        self.flow = flow
        self.values = {"DELIVERY": "at-least-once", **(values or {})}
        self.ports = [free_port() for _ in range(flows)]
        self.conf = folder / "agent.conf"
        self.conf.write_text(self.configuration())
        self.starts = 0

    def configuration(self):
        flow = self.flow.read_text()
        lists = {"sources": "r", "channels": "c", "sinks": "k"}
        numbers = range(len(self.ports))
        text = "".join(f"a.{kind} = {' '.join(f'{letter}{n}' for n in numbers)}\n" for kind, letter in lists.items())
        for number, port in zip(numbers, self.ports):
            (self.folder / "out" / f"flow{number}").mkdir(parents=True)
            values = {"N": number, "PORT": port, "DIR": self.folder, **self.values}
            text += re.sub(r"@(\w+)@", lambda match: str(values[match.group(1)]), flow)
        return text

    def start_agent(self):
        self.starts += 1
        return Program([self.millrace, "agent", "-n", "a", "-f", self.conf], self.folder / "agent.log")

    def start_senders(self, *options):
        return Program(
            [self.millrace, "hammer", "-N", len(self.ports), "--ports", ",".join(map(str, self.ports)),
             "--protocol", "netcat", "--size", "300", "--rate", self.rate, "--window", WINDOW,
             "--give-up", "120", "--report", self.folder / "sent.json", *options], self.folder / "hammer.log")

    def all_listen(self):
        return all(map(port_open, self.ports))

    def settle(self, agent, senders):
        """Ends the senders once all they sent is answered, then the agent."""
        if not wait_until(self.all_listen, 60):
            self.fail("the agent does not listen after the last kill", agent)
        senders.process.send_signal(signal.SIGINT)
        if senders.process.wait(180) != 0:
            self.fail("the senders did not settle", senders)
        if not agent.stop(120):
            self.fail("the agent did not end within two minutes", agent)

    def fail(self, what, program):
        sys.exit(f"{self.name}: {what}:\n{program.log_text()[-4000:]}")

    def reckon(self, options):
        """What became of the events: whether none was lost and each repeat is explained, and a line that says so."""
        hammer_log = self.folder.joinpath("hammer.log").read_text()
        print(hammer_log, end="")
        nothing_lost, report = verify(options, self.folder / "sent.json", self.folder / "out")
        figures = dict(re.findall(r"(\w+)=(\d+)", report.strip().splitlines()[-1] if report.strip() else ""))
        by_sinks, by_senders = int(figures.get("dups", 0)), int(figures.get("retried", 0))
        # What a sink had written and the channel had not forgotten was in the channel at the next start.
        held = self.events_held()
        # What a source had stored and not answered was sent again when the connection had broken.
        again = sum(map(int, re.findall(r"sent again=(\d+)", hammer_log)))
        line = (f"total={figures.get('total', 0)} lost={figures.get('lost', '?')}; repeats: {by_sinks} by sinks, of {held} "
                f"events that the channels held at the starts; {by_senders} by senders, of {again} lines that had no answer "
                f"when a connection broke")
        most_by_sinks = held if self.values["DELIVERY"] == "at-least-once" else 0
        explained = by_sinks <= most_by_sinks and by_senders <= again
        print(line if explained else f"NOT EXPLAINED: {line}", flush=True)
        return nothing_lost and explained, line

    def events_held(self):
        """Events that the channels had in them when they were opened, all starts together."""
        text = self.folder.joinpath("agent.log").read_text(errors="replace")
        return sum(map(int, re.findall(r"\[channel c\d+\] (\d+) events are in it", text)))
