"""A failover group whose first sink refuses: the standby takes over, and the first one is used again once it works; nothing is
lost, nothing delivered by both.

Seen in https://github.com/fluent/fluent-bit/issues/1518, https://github.com/apache/logging-flume/pull/73. Flume 1.11 does the
same.
"""
import json
import time


def numbered(letter):
    return "".join(f"{letter}{number}\n" for number in range(1, 6)).encode()


def health(case, port):
    """/health: its status, and every part by its name."""
    status, body = case.get(port, "/health")
    return status, {part["name"]: part for part in json.loads(body or '{"parts":[]}')["parts"]}


def run(case):
    case.make("standby")
    (case.out / "primary").write_text("a file where the sink wants a folder\n")
    monitoring = case.port("HTTP_PORT")
    agent = case.start("agent.conf", "-Dflume.monitoring.type=http", f"-Dflume.monitoring.port={monitoring}")
    port = case.port("IN_PORT")
    case.listens("listens", agent, port)
    case.listens("monitoring listens", agent, monitoring)
    sent = time.monotonic()
    case.send(port, numbered("p"), replies=5)
    case.ok("the standby takes over", case.wait_lines("standby", 5, 10))
    case.ok("soon", time.monotonic() - sent < 10)
    status, parts = health(case, monitoring)
    case.equal("the whole is well", status, 200)
    case.ok("the group says who delivers", parts["sink group g1"]["message"].startswith("k2 delivers"))
    case.ok("and works", parts["sink group g1"]["ok"] and parts["sink k2"]["ok"])
    case.ok("the first sink says why it does not",
            not parts["sink k1"]["ok"] and "is not a folder" in parts["sink k1"]["message"])

    (case.out / "primary").unlink()
    case.make("primary")
    case.logs("the first one works again", agent, r"\[sink k1\] delivers again", 20)
    case.send(port, numbered("q"), replies=5)
    case.ok("the first one is used again", case.wait_lines("primary", 5))
    case.equal("the first one", case.lines("primary"), numbered("q").decode().split())
    case.equal("the standby", case.lines("standby"), numbered("p").decode().split())
    case.logs("the change is told", agent, r"\[sink group g1\] k1 delivers; k2 stands by")
