"""Lives of an agent that end at random moments: what the drivers of kill -9 share."""
import pathlib
import random
import signal
import time

from harness.driver import options_of


def kill_options(doc):
    """A parser that knows what each of them takes; `doc` is the driver's own."""
    parser = options_of(doc)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 32))
    parser.add_argument("--summary", type=pathlib.Path, help="append a line for docs/reports/crash.md")
    return parser


def count_of(options):
    """Numbers of the rounds, until there are enough."""
    yield from range(1, options.kills + 1)


def kill_rounds(rounds, start, chance, longest, killed=lambda number: None):
    """Starts an agent and kills it, for each of `rounds`; None, or what was wrong. killed(number) runs behind each."""
    for number in rounds:
        with start() as agent:
            live(agent, chance, longest)
            if not agent.alive():
                return f"the agent ended by itself in round {number}:\n{agent.log_text()[-4000:]}"
            agent.kill()
        killed(number)
        if number % 20 == 0:
            print(f"  {number} kills", flush=True)
    return None


def live(agent, chance, longest):
    """Every fourth life is shorter than a start and its replay; the others work for up to `longest` seconds. Some are
    stopped then, in the middle of whatever they do, and go on for a moment."""
    time.sleep(chance.uniform(0, 0.15) if chance.random() < 0.25 else chance.uniform(0.15, longest))
    if chance.random() < 0.1:
        agent.process.send_signal(signal.SIGSTOP)
        time.sleep(0.5)
        agent.process.send_signal(signal.SIGCONT)
        time.sleep(chance.uniform(0, 0.2))


def add_summary(options, line):
    if options.summary:
        with options.summary.open("a") as out:
            out.write(f"- {line}\n")
