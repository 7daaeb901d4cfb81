"""A load-balancing group of three sinks, one of which refuses: the two others share what comes, one transaction each in turn, at
random or side by side; nothing is lost and nothing comes twice.
"""
from harness.process import wait_until

ROUNDS = 60


def run_with(case, selector, more=""):
    case.make("one", "two")
    agent = case.start("agent.conf", change=lambda text: text.replace("round_robin", selector) + more)
    port = case.port("IN_PORT")
    case.listens(f"{selector}: listens", agent, port)
    sent = [f"{number}" for number in range(ROUNDS)]
    for line in sent:
        case.send(port, f"{line}\n".encode(), replies=1)
    got = []

    def complete():
        got[:] = case.lines("one") + case.lines("two")
        return len(got) >= ROUNDS

    case.ok(f"{selector}: all come", wait_until(complete, 20))
    case.equal(f"{selector}: each once", sorted(got, key=int), sent)
    case.ok(f"{selector}: both deliver", case.lines("one") and case.lines("two"))
    case.logs(f"{selector}: the third is named", agent, r"sink k3\b.*not-there")
    case.ok(f"{selector}: ends when asked to", agent.stop(20))


def run(case):
    run_with(case, "round_robin")
    run_with(case, "random")
    run_with(case, "round_robin", "a1.sinkgroups.g1.processor.parallel = true\n")
