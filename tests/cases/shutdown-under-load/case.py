"""An orderly stop while events come in: it ends, and every acknowledged event is delivered, then or after the next start.

Seen in https://github.com/fluent/fluent-bit/issues/11338, https://github.com/fluent/fluent-bit/issues/6265,
https://github.com/fluent/fluentd/issues/1985, https://github.com/vectordotdev/vector/issues/11405.
Flume 1.11 loses nothing acknowledged and wrote 13 of these lines twice.
"""
import threading

from harness.process import wait_until

LINES = [f"load-{number:06d}-".ljust(250, "x") for number in range(400_000)]


def run(case):
    case.make("checkpoint", "data", "sink")
    agent = case.start("agent.conf")
    port = case.port("IN_PORT")
    case.listens("listens", agent, port)
    replies = []
    data = "".join(line + "\n" for line in LINES).encode()
    sender = threading.Thread(target=lambda: replies.append(case.send(port, data, replies=len(LINES), seconds=30)))
    sender.start()
    wait_until(lambda: any(path.stat().st_size for path in (case.out / "sink").iterdir()), 10, pause=0.001)
    case.ok("ends within 20 s", agent.stop(20))
    sender.join()
    answers = replies[0].decode().split("\n")[:-1]  # The answer to line number i is number i.
    acknowledged = {line for line, answer in zip(LINES, answers) if answer == "OK"}
    print(f"  .. acknowledged: {len(acknowledged)} of {len(LINES)}")
    case.ok("some were acknowledged, not all", 0 < len(acknowledged) < len(LINES))
    agent = case.start("agent.conf")
    case.listens("listens again", agent, port, 60)
    wait_until(lambda: acknowledged <= set(case.lines("sink")), 20, pause=1)
    case.ok("ends again", agent.stop(20))
    got = case.lines("sink")
    case.equal("acknowledged and missing", len(acknowledged - set(got)), 0)
    twice = len(got) - len(set(got))
    case.ok(f"written twice: {twice}, one sink batch at most", twice <= 100)
