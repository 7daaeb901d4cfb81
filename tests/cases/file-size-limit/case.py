"""A file grows to the size that `ulimit -f` (or systemd's LimitFSIZE) allows: the sink goes on in the next one, nothing
is lost, and the agent lives; the kernel's SIGXFSZ ends a program that does not expect it.
"""
import resource

LINES = [f"{number:06d} ".ljust(399, "x") for number in range(1000)]
AT_ONCE = 250  # Lines: 100,000 bytes.
LIMIT = 250_000  # Bytes.


def run(case):
    case.make("sink")
    agent = case.start("agent.conf")
    case.listens("listens", agent, case.port("IN_PORT"))
    resource.prlimit(agent.pid, resource.RLIMIT_FSIZE, (LIMIT, LIMIT))
    for begin in range(0, len(LINES), AT_ONCE):
        data = "".join(line + "\n" for line in LINES[begin:begin + AT_ONCE]).encode()
        answers = case.send(case.port("IN_PORT"), data, replies=AT_ONCE)
        case.equal("acknowledged", answers.count(b"OK\n"), AT_ONCE)
        case.ok("delivered", case.wait_lines("sink", begin + AT_ONCE))
    case.ok("each once, in order", case.lines("sink") == LINES)
    case.logs("the limit is told", agent, "File too large")
    case.ok("it stops in order", agent.stop(20))
