"""A comment behind a value is part of the value: that source is left out and named, the rest runs.

Seen in https://github.com/AllStarLink/Allmon3/issues/227, https://github.com/arangodb/arangodb/issues/9404.
Flume 1.11 does the same.
"""


def run(case):
    case.make("sink")
    agent = case.start("agent.conf")
    case.listens("the healthy source listens", agent, case.port("GOOD_PORT"))
    case.send(case.port("GOOD_PORT"), b"via r2\n", replies=1)
    case.wait_lines("sink", 1)
    case.equal("its line is delivered", case.lines("sink"), ["via r2"])
    case.closed("the bad port is not opened", case.port("BAD_PORT"))
    case.logs("the error names r1", agent, r"\br1\b")
    case.logs("the error shows the value", agent, rf"{case.port('BAD_PORT')} # main")
    case.ok("still alive", agent.alive())
